#include <math.h>
#include <string.h>

#include "api/picture.h"
#include "api/picture_glyphs.h"
#include "api/board_words.h"

static void add(struct scene *scene, struct shape shape)
{
    scene->shapes[scene->count++] = shape;
}

/* The upper left corner of a square as the board is turned. */
static struct shape corner_of(const struct picture *picture, enum shape_kind kind, square s,
                              struct paint color)
{
    bool turned = picture->orientation == COLOR_BLACK;
    unsigned column = turned ? 7 - square_file(s) : square_file(s);
    unsigned row = turned ? square_rank(s) : 7 - square_rank(s);
    return (struct shape){.kind = (uint8_t)kind,
                          .x = (int16_t)(column * SQUARE_UNITS),
                          .y = (int16_t)(row * SQUARE_UNITS),
                          .color = color};
}

static struct shape center_of(const struct picture *picture, enum shape_kind kind, square s,
                              struct paint color)
{
    struct shape shape = corner_of(picture, kind, s, color);
    shape.x += SQUARE_UNITS / 2;
    shape.y += SQUARE_UNITS / 2;
    return shape;
}

/* ---- below the pieces ---------------------------------------------------------------------------------- */

static bool is_marked(const struct picture *picture, square s)
{
    unsigned i = 0;
    while (i < picture->mark_count && picture->marks[i].at != s)
        i++;
    return i < picture->mark_count;
}

/* Where the square is marked too, both are to be seen as they are elsewhere. */
static struct shape selection_of(const struct picture *picture, struct paint color)
{
    if (!is_marked(picture, picture->selected))
        return corner_of(picture, SHAPE_SQUARE, picture->selected, color);
    struct shape frame = corner_of(picture, SHAPE_FRAME, picture->selected, color);
    frame.color.a = 255;
    frame.size = 9;
    return frame;
}

static void add_squares(struct scene *scene, const struct picture *picture)
{
    const struct picture_style *style = scene->style;
    add(scene, (struct shape){.kind = SHAPE_BOARD, .color = style->squares[1]});
    add(scene, (struct shape){.kind = SHAPE_DARK_SQUARES, .color = style->squares[0]});
    if (picture->last_from != SQUARE_NONE) {
        add(scene, corner_of(picture, SHAPE_SQUARE, picture->last_from, style->last_move));
        add(scene, corner_of(picture, SHAPE_SQUARE, picture->last_to, style->last_move));
    }
    for (unsigned i = 0; i < picture->mark_count; i++)
        add(scene,
            corner_of(picture, SHAPE_SQUARE, picture->marks[i].at, style->marks[picture->marks[i].hue]));
    if (picture->selected != SQUARE_NONE)
        add(scene, selection_of(picture, style->selected));
    if (picture->check && position_is_check(picture->position)) {
        square king = position_king(picture->position, position_turn(picture->position));
        add(scene, corner_of(picture, SHAPE_GLOW, king, style->check));
    }
}

/* Where squares are small, letters take more of them: their lines are a pixel wide, or they are a third of a square. */
static unsigned letter_units(const struct scene *scene)
{
    unsigned units = (GLYPH_LINES * SCENE_UNITS + scene->size / 2) / scene->size;
    return units < 15 ? 15 : units > 35 ? 35 : units;
}

/* What the square at that corner looks like by now. */
static struct paint ground_of(const struct scene *scene, const struct shape *corner, struct paint color)
{
    for (unsigned i = 0; i < scene->count; i++) {
        const struct shape *shape = &scene->shapes[i];
        if (shape->kind != SHAPE_SQUARE || shape->x != corner->x || shape->y != corner->y)
            continue;
        unsigned share = shape->color.a, rest = 255 - share;
        color.r = (uint8_t)((shape->color.r * share + color.r * rest) / 255);
        color.g = (uint8_t)((shape->color.g * share + color.g * rest) / 255);
        color.b = (uint8_t)((shape->color.b * share + color.b * rest) / 255);
    }
    return color;
}

/* What the contrast ratio of WCAG 2 is made of, with a gamma of 2. */
static float light_of(struct paint color)
{
    float r = (float)color.r / 255, g = (float)color.g / 255, b = (float)color.b / 255;
    return 0.2126F * r * r + 0.7152F * g * g + 0.0722F * b * b + 0.05F;
}

/* Of the two colours of letters the one that stands out more. */
static struct paint letter_color(const struct picture_style *style, struct paint ground)
{
    float between = sqrtf(light_of(style->letters[0]) * light_of(style->letters[1]));
    return style->letters[light_of(ground) > between];
}

/* How far above the edge of the square a letter stands. The foot of a piece, which is wide, hides nothing of it. */
static unsigned letter_drop(unsigned height)
{
    enum { FOOT_HEIGHT = 25, BESIDE_FOOT = 28 };
    return height > BESIDE_FOOT ? FOOT_HEIGHT : height * GLYPH_DROP / GLYPH_HEIGHT;
}

static void add_letter(struct scene *scene, const struct picture *picture, square s, bool is_file)
{
    unsigned height = letter_units(scene), width = height * GLYPH_WIDTH / GLYPH_HEIGHT;
    unsigned margin = height > 20 ? 0 : 4;
    struct shape shape = corner_of(picture, SHAPE_GLYPH, s, (struct paint){0});
    struct paint ground = ground_of(scene, &shape, scene->style->squares[square_is_light(s)]);
    shape.color = letter_color(scene->style, ground);
    shape.what = (uint8_t)(is_file ? 'a' + square_file(s) : '1' + square_rank(s));
    shape.size = (uint16_t)height;
    shape.x = (int16_t)(shape.x + (int)(is_file ? SQUARE_UNITS - margin - width : margin));
    shape.y = (int16_t)(shape.y + (int)(is_file ? SQUARE_UNITS - letter_drop(height) - height : margin));
    add(scene, shape);
}

/* Digits down the left edge, letters along the lower one. */
static void add_coordinates(struct scene *scene, const struct picture *picture)
{
    bool turned = picture->orientation == COLOR_BLACK;
    for (unsigned n = 0; picture->coordinates && n < 8; n++) {
        add_letter(scene, picture, square_at(turned ? FILE_H : FILE_A, n), false);
        add_letter(scene, picture, square_at(n, turned ? RANK_8 : RANK_1), true);
    }
}

/* ---- pieces and what lies upon them -------------------------------------------------------------------- */

static void add_pieces(struct scene *scene, const struct picture *picture)
{
    const struct position *position = picture->position;
    for (bitboard left = position_occupied(position); left;) {
        square s = bitboard_pop(&left);
        struct shape shape = corner_of(picture, SHAPE_PIECE, s, (struct paint){0});
        shape.what = (uint8_t)(position_color_at(position, s) * PIECE_COUNT + position_piece_at(position, s));
        add(scene, shape);
    }
}

static void add_targets(struct scene *scene, const struct picture *picture)
{
    struct paint color = scene->style->target;
    if (picture->step != SQUARE_NONE) {
        struct shape dashes = center_of(picture, SHAPE_DASHES, picture->selected, color);
        struct shape to = center_of(picture, SHAPE_DASHES, picture->step, color);
        int down = to.y > dashes.y ? 1 : -1;
        dashes.x2 = to.x;
        dashes.y2 = (int16_t)(to.y - down * 27);
        dashes.y = (int16_t)(dashes.y + down * 56);
        dashes.size = 6;
        add(scene, dashes);
    }
    for (bitboard left = picture->quiet; left;) {
        struct shape disc = center_of(picture, SHAPE_DISC, bitboard_pop(&left), color);
        disc.size = 15;
        add(scene, disc);
    }
    for (bitboard left = picture->captures; left;) {
        struct shape ring = center_of(picture, SHAPE_RING, bitboard_pop(&left), color);
        ring.size = 44;
        ring.x2 = 8;
        add(scene, ring);
    }
}

static void add_arrows(struct scene *scene, const struct picture *picture)
{
    for (unsigned i = 0; i < picture->arrow_count; i++) {
        struct paint color = scene->style->arrows[picture->arrows[i].hue];
        struct shape arrow = center_of(picture, SHAPE_ARROW, picture->arrows[i].from, color);
        struct shape to = center_of(picture, SHAPE_ARROW, picture->arrows[i].to, color);
        arrow.x2 = to.x;
        arrow.y2 = to.y;
        arrow.size = 16;
        add(scene, arrow);
    }
}

/* From a little off the middle of its square, so that a piece there shows. */
void shape_arrow_corners(const struct shape *arrow, struct point corners[ARROW_CORNERS])
{
    float dx = (float)(arrow->x2 - arrow->x), dy = (float)(arrow->y2 - arrow->y);
    float length = sqrtf(dx * dx + dy * dy), half = (float)arrow->size / 2;
    const float begin = 30, head = 38, head_half = 22, end = length + 6;
    struct point along = {dx / length, dy / length};
    const struct point local[ARROW_CORNERS] = {
        {begin, -half},     {end - head, -half}, {end - head, -head_half}, {end, 0}, {end - head, head_half},
        {end - head, half}, {begin, half}};
    for (int i = 0; i < ARROW_CORNERS; i++) {
        corners[i].x = (float)arrow->x + along.x * local[i].x - along.y * local[i].y;
        corners[i].y = (float)arrow->y + along.y * local[i].x + along.x * local[i].y;
    }
}

/* ---- words --------------------------------------------------------------------------------------------- */

static void describe_marks(struct writer *text, const struct picture *picture)
{
    if (picture->selected != SQUARE_NONE) {
        writer_text(text, " From ");
        board_words_squares(text, bit(picture->selected));
        writer_text(text, picture->quiet | picture->captures ? " to " : " nowhere");
        board_words_squares(text, picture->quiet | picture->captures);
        writer_char(text, '.');
    }
    for (unsigned i = 0; i < picture->arrow_count; i++) {
        writer_text(text, i ? ", " : " Arrows: ");
        board_words_squares(text, bit(picture->arrows[i].from));
        writer_text(text, " to ");
        board_words_squares(text, bit(picture->arrows[i].to));
        writer_text(text, i + 1 == picture->arrow_count ? "." : "");
    }
    for (unsigned i = 0; i < picture->mark_count; i++) {
        writer_text(text, i ? ", " : " Marked: ");
        board_words_squares(text, bit(picture->marks[i].at));
        writer_text(text, i + 1 == picture->mark_count ? "." : "");
    }
}

static void describe(struct writer *text, const struct picture *picture)
{
    board_words_side(text, picture->position, picture->orientation);
    writer_char(text, ' ');
    board_words_side(text, picture->position, color_other(picture->orientation));
    if (picture->last_from != SQUARE_NONE) {
        writer_text(text, " Last move: ");
        if (picture->last_move) {
            writer_text(text, picture->last_move);
        } else {
            board_words_squares(text, bit(picture->last_from));
            writer_text(text, " to ");
            board_words_squares(text, bit(picture->last_to));
        }
        writer_char(text, '.');
    }
    describe_marks(text, picture);
}

static bool add_words(struct scene *scene, struct arena *arena, const struct picture *picture)
{
    struct writer title, desc;
    writer_init(&title, arena, 128);
    writer_text(&title, "Chess board, ");
    board_words_turn(&title, picture->position, picture->end);
    writer_init(&desc, arena, 512);
    describe(&desc, picture);
    scene->title = title.data;
    scene->title_length = title.length;
    scene->desc = desc.data;
    scene->desc_length = desc.length;
    return !title.failed && !desc.failed;
}

/* Lines are at least about a pixel wide, however small the squares. */
static float at_least(float width, float pixels, unsigned size)
{
    return fmaxf(width, pixels * SCENE_UNITS / (float)size);
}

void scene_parts(const struct scene *scene, struct cache_part parts[SCENE_PARTS])
{
    parts[0] = (struct cache_part){&scene->size, sizeof scene->size};
    parts[1] = (struct cache_part){&scene->theme, sizeof scene->theme};
    parts[2] = (struct cache_part){scene->shapes, scene->count * sizeof scene->shapes[0]};
    parts[3] = (struct cache_part){scene->title, scene->title_length};
    parts[4] = (struct cache_part){scene->desc, scene->desc_length};
}

/* FNV-1a over eight bytes at a time. */
static uint64_t hashed(uint64_t hash, const struct cache_part *part)
{
    for (size_t i = 0; i < part->length; i += sizeof(uint64_t)) {
        size_t left = part->length - i;
        uint64_t word = 0;
        memcpy(&word, (const char *)part->bytes + i, left < sizeof word ? left : sizeof word);
        hash = (hash ^ word) * 0x100000001B3U;
        hash ^= hash >> 32;
    }
    return hash;
}

uint64_t scene_hash(const struct scene *scene)
{
    struct cache_part parts[SCENE_PARTS];
    scene_parts(scene, parts);
    uint64_t hash = 0xCBF29CE484222325U;
    for (int i = 0; i < SCENE_PARTS; i++)
        hash = hashed(hash, &parts[i]);
    return hash;
}

struct scene *picture_scene(struct arena *arena, const struct picture *picture)
{
    struct scene *scene = arena_zalloc(arena, sizeof *scene);
    if (!scene || !add_words(scene, arena, picture))
        return NULL;
    scene->size = picture->size;
    scene->theme = picture->theme;
    scene->style = picture_style(picture->theme);
    scene->outline = at_least(scene->style->outline, 1.0F, scene->size);
    scene->line = at_least(scene->style->line, 0.9F, scene->size);
    add_squares(scene, picture);
    add_coordinates(scene, picture);
    add_pieces(scene, picture);
    add_targets(scene, picture);
    add_arrows(scene, picture);
    return scene;
}
