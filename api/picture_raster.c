#include <math.h>

#include "api/picture.h"
#include "api/picture_glyphs.h"
#include "api/picture_pieces.h"

/* One picture being painted. */
struct raster {
    const struct scene *scene;
    struct arena *arena;
    struct canvas *canvas;
    float scale; /* pixels a unit */
    struct outline *outline;
    struct canvas pieces[COLOR_COUNT * PIECE_COUNT]; /* painted where they are first met */
};

/* Edges of squares and the lines of small letters lie between pixels. */
static unsigned snapped(const struct raster *raster, int units)
{
    return (unsigned)((float)units * raster->scale + 0.5F);
}

static struct point placed(const struct raster *raster, float x, float y)
{
    return (struct point){x * raster->scale, y * raster->scale};
}

static struct outline *cleared(const struct raster *raster)
{
    raster->outline->point_count = raster->outline->ring_count = 0;
    return raster->outline;
}

/* The square with that upper left corner. */
static struct area square_area(const struct raster *raster, int x, int y)
{
    return (struct area){snapped(raster, x), snapped(raster, y), snapped(raster, x + SQUARE_UNITS),
                         snapped(raster, y + SQUARE_UNITS)};
}

static void paint_square(const struct raster *raster, int x, int y, struct paint color)
{
    canvas_rectangle(raster->canvas, square_area(raster, x, y), color);
}

static void paint_dark_squares(const struct raster *raster, struct paint color)
{
    for (int row = 0; row < 8; row++) {
        for (int column = 1 - row % 2; column < 8; column += 2)
            paint_square(raster, column * SQUARE_UNITS, row * SQUARE_UNITS, color);
    }
}

static void paint_frame(const struct raster *raster, const struct shape *shape)
{
    struct area outer = square_area(raster, shape->x, shape->y);
    struct area inner = {snapped(raster, shape->x + shape->size), snapped(raster, shape->y + shape->size),
                         snapped(raster, shape->x + SQUARE_UNITS - shape->size),
                         snapped(raster, shape->y + SQUARE_UNITS - shape->size)};
    const struct area sides[] = {
        {outer.left, outer.top, outer.right, inner.top},
        {outer.left, inner.bottom, outer.right, outer.bottom},
        {outer.left, inner.top, inner.left, inner.bottom},
        {inner.right, inner.top, outer.right, inner.bottom},
    };
    for (size_t i = 0; i < sizeof sides / sizeof sides[0]; i++)
        canvas_rectangle(raster->canvas, sides[i], shape->color);
}

static void paint_glow(const struct raster *raster, const struct shape *shape)
{
    canvas_glow(raster->canvas, square_area(raster, shape->x, shape->y), GLOW_UNITS * raster->scale,
                shape->color);
}

static void paint_glyph(const struct raster *raster, const struct shape *shape)
{
    float scale = (float)shape->size / GLYPH_HEIGHT * raster->scale;
    struct placing placing = {scale, {(float)snapped(raster, shape->x), (float)snapped(raster, shape->y)}};
    struct outline *outline = cleared(raster);
    outline_add_path(outline, picture_glyph((char)shape->what), &placing);
    canvas_stroke(raster->canvas, outline, GLYPH_LINE * scale, shape->color);
}

static void paint_part(const struct raster *raster, struct canvas *canvas, const struct piece_part *part,
                       const struct piece_paint *paint)
{
    const struct scene *scene = raster->scene;
    struct outline *outline = cleared(raster);
    outline_add_path(outline, part->path, &(struct placing){.scale = raster->scale});
    if (part->kind == PIECE_PART_BODY) {
        canvas_fill(canvas, outline, paint->body);
        canvas_stroke(canvas, outline, scene->outline * raster->scale, paint->outline);
    } else if (part->kind == PIECE_PART_LINE) {
        canvas_stroke(canvas, outline, scene->line * raster->scale, paint->line);
    } else {
        canvas_fill(canvas, outline, paint->line);
    }
}

static bool paint_piece(struct raster *raster, const struct shape *shape)
{
    struct canvas *piece = &raster->pieces[shape->what];
    const struct piece_paint *paint = &raster->scene->style->pieces[shape->what / PIECE_COUNT];
    const struct piece_part *parts = picture_pieces[shape->what % PIECE_COUNT];
    unsigned side = (unsigned)ceilf(PIECE_UNITS * raster->scale);
    if (!piece->pixels) {
        if (!canvas_init(piece, raster->arena, side, side))
            return false;
        for (int i = 0; i < PIECE_PARTS_MAX && parts[i].kind != PIECE_PART_NONE; i++)
            paint_part(raster, piece, &parts[i], paint);
    }
    canvas_draw(raster->canvas, piece, snapped(raster, shape->x), snapped(raster, shape->y));
    return true;
}

static void paint_round(const struct raster *raster, const struct shape *shape)
{
    struct outline *outline = cleared(raster);
    outline_add_circle(outline, placed(raster, shape->x, shape->y), (float)shape->size * raster->scale);
    if (shape->kind == SHAPE_DISC)
        canvas_fill(raster->canvas, outline, shape->color);
    else
        canvas_stroke(raster->canvas, outline, (float)shape->x2 * raster->scale, shape->color);
}

/* As stroke-dasharray cuts a line. */
static void paint_dashes(const struct raster *raster, const struct shape *shape)
{
    enum { PERIOD = DASH_UNITS + DASH_GAP_UNITS };
    struct outline *outline = cleared(raster);
    float dx = (float)(shape->x2 - shape->x), dy = (float)(shape->y2 - shape->y);
    float length = sqrtf(dx * dx + dy * dy);
    for (int at = 0; (float)at < length; at += PERIOD) {
        float from = (float)at / length, to = fminf((float)(at + DASH_UNITS) / length, 1);
        const struct point ends[2] = {
            placed(raster, (float)shape->x + dx * from, (float)shape->y + dy * from),
            placed(raster, (float)shape->x + dx * to, (float)shape->y + dy * to)};
        outline_add_ring(outline, ends, 2, false);
    }
    canvas_stroke(raster->canvas, outline, (float)shape->size * raster->scale, shape->color);
}

static void paint_arrow(const struct raster *raster, const struct shape *shape)
{
    struct point corners[ARROW_CORNERS];
    shape_arrow_corners(shape, corners);
    for (int i = 0; i < ARROW_CORNERS; i++)
        corners[i] = (struct point){corners[i].x * raster->scale, corners[i].y * raster->scale};
    struct outline *outline = cleared(raster);
    outline_add_ring(outline, corners, ARROW_CORNERS, true);
    canvas_fill(raster->canvas, outline, shape->color);
}

static bool paint_shape(struct raster *raster, const struct shape *shape)
{
    switch ((enum shape_kind)shape->kind) {
    case SHAPE_BOARD:
        canvas_rectangle(raster->canvas, (struct area){0, 0, raster->canvas->width, raster->canvas->height},
                         shape->color);
        return true;
    case SHAPE_DARK_SQUARES:
        paint_dark_squares(raster, shape->color);
        return true;
    case SHAPE_SQUARE:
        paint_square(raster, shape->x, shape->y, shape->color);
        return true;
    case SHAPE_FRAME:
        paint_frame(raster, shape);
        return true;
    case SHAPE_GLOW:
        paint_glow(raster, shape);
        return true;
    case SHAPE_GLYPH:
        paint_glyph(raster, shape);
        return true;
    case SHAPE_PIECE:
        return paint_piece(raster, shape);
    case SHAPE_DISC:
    case SHAPE_RING:
        paint_round(raster, shape);
        return true;
    case SHAPE_DASHES:
        paint_dashes(raster, shape);
        return true;
    case SHAPE_ARROW:
        paint_arrow(raster, shape);
        return true;
    }
    return true;
}

bool picture_raster(const struct scene *scene, struct arena *arena, struct canvas *canvas)
{
    struct raster raster = {
        .scene = scene, .arena = arena, .canvas = canvas, .scale = (float)scene->size / SCENE_UNITS};
    raster.outline = arena_alloc(arena, sizeof *raster.outline);
    if (!raster.outline || !canvas_init(canvas, arena, scene->size, scene->size))
        return false;
    for (unsigned i = 0; i < scene->count; i++) {
        if (!paint_shape(&raster, &scene->shapes[i]))
            return false;
    }
    return true;
}
