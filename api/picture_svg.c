#include <stdio.h>

#include "api/picture.h"
#include "api/picture_glyphs.h"
#include "api/picture_pieces.h"

/* The texts below are for these. */
_Static_assert(SCENE_UNITS == 800 && SQUARE_UNITS == 100, "units");

/* What the ids of one picture begin with: two of them in one page that are not the same have others. */
struct name {
    char text[sizeof "b01234567-"];
};

/* Everything is written from the table of colours, the shapes and ASCII words of ours, so nothing is escaped. */

static const char COLOR_LETTERS[COLOR_COUNT] = {'w', 'b'};
static const char PIECE_LETTERS[PIECE_COUNT] = {' ', 'p', 'n', 'b', 'r', 'q', 'k'};

static void write_attribute(struct writer *svg, const char *name, int value)
{
    writer_text(svg, name);
    writer_text(svg, "=\"");
    writer_int(svg, value);
    writer_char(svg, '"');
}

/* Tenths. */
static void write_decimal(struct writer *svg, float value)
{
    int tenths = (int)(value * 10 + (value < 0 ? -0.5F : 0.5F));
    if (tenths < 0)
        writer_char(svg, '-');
    tenths = tenths < 0 ? -tenths : tenths;
    writer_int(svg, tenths / 10);
    if (tenths % 10) {
        writer_char(svg, '.');
        writer_int(svg, tenths % 10);
    }
}

/* ".500", "1.250" */
static void write_thousandths(struct writer *svg, unsigned value)
{
    if (value >= 1000)
        writer_int(svg, value / 1000);
    writer_char(svg, '.');
    for (unsigned digit = 100; digit > 0; digit /= 10)
        writer_char(svg, (char)('0' + value / digit % 10));
}

static void write_opacity(struct writer *svg, const char *attribute, uint8_t opacity)
{
    writer_char(svg, ' ');
    writer_text(svg, attribute);
    writer_text(svg, "-opacity=\"");
    write_thousandths(svg, (opacity * 1000U + 127) / 255);
    writer_char(svg, '"');
}

/* fill="#b58b63" fill-opacity=".502" */
static void write_color(struct writer *svg, const char *attribute, struct paint color)
{
    static const char HEX[] = "0123456789abcdef";
    const uint8_t parts[3] = {color.r, color.g, color.b};
    char hex[6];
    for (int i = 0; i < 6; i++)
        hex[i] = HEX[parts[i / 2] >> (i % 2 ? 0 : 4) & 15];
    writer_char(svg, ' ');
    writer_text(svg, attribute);
    writer_text(svg, "=\"#");
    writer_bytes(svg, hex, sizeof hex);
    writer_char(svg, '"');
    if (color.a < 255)
        write_opacity(svg, attribute, color.a);
}

static void write_place(struct writer *svg, const struct shape *shape)
{
    write_attribute(svg, " x", shape->x);
    write_attribute(svg, " y", shape->y);
}

static void write_piece_id(struct writer *svg, const struct name *name, unsigned what)
{
    writer_text(svg, name->text);
    writer_char(svg, COLOR_LETTERS[what / PIECE_COUNT]);
    writer_char(svg, PIECE_LETTERS[what % PIECE_COUNT]);
}

/* ---- definitions --------------------------------------------------------------------------------------- */

static void define_part(struct writer *svg, const struct scene *scene, const struct piece_part *part,
                        const struct piece_paint *paint)
{
    writer_text(svg, "<path");
    if (part->kind == PIECE_PART_BODY) {
        write_color(svg, "fill", paint->body);
        write_color(svg, "stroke", paint->outline);
        writer_text(svg, " stroke-width=\"");
        write_decimal(svg, scene->outline);
        writer_char(svg, '"');
    } else if (part->kind == PIECE_PART_LINE) {
        writer_text(svg, " fill=\"none\"");
        write_color(svg, "stroke", paint->line);
    } else {
        write_color(svg, "fill", paint->line);
        writer_text(svg, " stroke=\"none\"");
    }
    writer_text(svg, " d=\"");
    writer_text(svg, part->path);
    writer_text(svg, "\"/>");
}

static void define_piece(struct writer *svg, const struct scene *scene, const struct name *name,
                         unsigned what)
{
    const struct piece_part *parts = picture_pieces[what % PIECE_COUNT];
    writer_text(svg, "<g id=\"");
    write_piece_id(svg, name, what);
    writer_text(svg, "\" stroke-linecap=\"round\" stroke-linejoin=\"round\" stroke-width=\"");
    write_decimal(svg, scene->line);
    writer_text(svg, "\">");
    for (int i = 0; i < PIECE_PARTS_MAX && parts[i].kind != PIECE_PART_NONE; i++)
        define_part(svg, scene, &parts[i], &scene->style->pieces[what / PIECE_COUNT]);
    writer_text(svg, "</g>\n");
}

static void define_glow(struct writer *svg, const struct name *name, struct paint color)
{
    struct paint full = {color.r, color.g, color.b, 255};
    writer_text(svg, "<radialGradient id=\"");
    writer_text(svg, name->text);
    writer_text(svg, "glow\" r=\"");
    write_thousandths(svg, GLOW_UNITS * 1000 / SQUARE_UNITS);
    writer_text(svg, "\"><stop");
    write_color(svg, "stop-color", full);
    write_opacity(svg, "stop", color.a);
    writer_text(svg, "/><stop offset=\"1\"");
    write_color(svg, "stop-color", full);
    write_opacity(svg, "stop", 0);
    writer_text(svg, "/></radialGradient>\n");
}

/* What the shapes refer to, once each. */
static void write_definitions(struct writer *svg, const struct scene *scene, const struct name *name)
{
    bool seen[COLOR_COUNT * PIECE_COUNT] = {0};
    writer_text(svg, "<defs>\n");
    for (unsigned i = 0; i < scene->count; i++) {
        const struct shape *shape = &scene->shapes[i];
        if (shape->kind == SHAPE_GLOW)
            define_glow(svg, name, shape->color);
        if (shape->kind != SHAPE_PIECE || seen[shape->what])
            continue;
        seen[shape->what] = true;
        define_piece(svg, scene, name, shape->what);
    }
    writer_text(svg, "</defs>\n");
}

/* ---- shapes -------------------------------------------------------------------------------------------- */

static void write_board(struct writer *svg, const struct shape *shape)
{
    if (shape->kind == SHAPE_BOARD)
        writer_text(svg, "<path d=\"M0 0h800v800h-800z\"");
    else
        writer_text(
            svg, "<path d=\"M100 0h100v800h-100zm200 0h100v800h-100zm200 0h100v800h-100zm200 0h100v800h-100z"
                 "M0 100h800v100h-800zm0 200h800v100h-800zm0 200h800v100h-800zm0 200h800v100h-800z\" "
                 "fill-rule=\"evenodd\"");
    write_color(svg, "fill", shape->color);
    writer_text(svg, "/>\n");
}

static void begin_square(struct writer *svg, const struct shape *shape)
{
    writer_text(svg, "<rect");
    write_place(svg, shape);
    writer_text(svg, " width=\"100\" height=\"100\"");
}

static void write_square(struct writer *svg, const struct shape *shape)
{
    begin_square(svg, shape);
    write_color(svg, "fill", shape->color);
    writer_text(svg, "/>\n");
}

static void write_frame(struct writer *svg, const struct shape *shape)
{
    int width = shape->size, inner = SQUARE_UNITS - width;
    writer_text(svg, "<path d=\"");
    writer_printf(svg, "M%d %dh100v100h-100zm%d %dv%dh%dv-%dz\" fill-rule=\"evenodd\"", shape->x, shape->y,
                  width, width, inner - width, inner - width, inner - width);
    write_color(svg, "fill", shape->color);
    writer_text(svg, "/>\n");
}

static void write_glow(struct writer *svg, const struct shape *shape, const struct name *name)
{
    begin_square(svg, shape);
    writer_text(svg, " fill=\"url(#");
    writer_text(svg, name->text);
    writer_text(svg, "glow)\"/>\n");
}

static void write_glyph(struct writer *svg, const struct shape *shape)
{
    writer_text(svg, "<path transform=\"translate(");
    writer_int(svg, shape->x);
    writer_char(svg, ' ');
    writer_int(svg, shape->y);
    writer_text(svg, ") scale(");
    write_thousandths(svg, shape->size * 1000U / GLYPH_HEIGHT);
    writer_text(svg, ")\" fill=\"none\" stroke-linecap=\"round\" stroke-linejoin=\"round\"");
    write_attribute(svg, " stroke-width", GLYPH_LINE);
    write_color(svg, "stroke", shape->color);
    writer_text(svg, " d=\"");
    writer_text(svg, picture_glyph((char)shape->what));
    writer_text(svg, "\"/>\n");
}

static void write_piece(struct writer *svg, const struct shape *shape, const struct name *name)
{
    writer_text(svg, "<use href=\"#");
    write_piece_id(svg, name, shape->what);
    writer_char(svg, '"');
    write_place(svg, shape);
    writer_text(svg, "/>\n");
}

static void write_round(struct writer *svg, const struct shape *shape)
{
    writer_text(svg, "<circle");
    write_attribute(svg, " cx", shape->x);
    write_attribute(svg, " cy", shape->y);
    write_attribute(svg, " r", shape->size);
    if (shape->kind == SHAPE_DISC) {
        write_color(svg, "fill", shape->color);
    } else {
        write_attribute(svg, " fill=\"none\" stroke-width", shape->x2);
        write_color(svg, "stroke", shape->color);
    }
    writer_text(svg, "/>\n");
}

static void write_dashes(struct writer *svg, const struct shape *shape)
{
    writer_printf(svg, "<path d=\"M%d %dL%d %d\" stroke-dasharray=\"%d %d\" stroke-linecap=\"round\"",
                  shape->x, shape->y, shape->x2, shape->y2, DASH_UNITS, DASH_GAP_UNITS);
    write_attribute(svg, " stroke-width", shape->size);
    write_color(svg, "stroke", shape->color);
    writer_text(svg, "/>\n");
}

static void write_arrow(struct writer *svg, const struct shape *shape)
{
    struct point corners[ARROW_CORNERS];
    shape_arrow_corners(shape, corners);
    writer_text(svg, "<polygon points=\"");
    for (int i = 0; i < ARROW_CORNERS; i++) {
        writer_text(svg, i ? " " : "");
        write_decimal(svg, corners[i].x);
        writer_char(svg, ',');
        write_decimal(svg, corners[i].y);
    }
    writer_char(svg, '"');
    write_color(svg, "fill", shape->color);
    writer_text(svg, "/>\n");
}

static void write_shape(struct writer *svg, const struct shape *shape, const struct name *name)
{
    switch ((enum shape_kind)shape->kind) {
    case SHAPE_BOARD:
    case SHAPE_DARK_SQUARES:
        write_board(svg, shape);
        return;
    case SHAPE_SQUARE:
        write_square(svg, shape);
        return;
    case SHAPE_FRAME:
        write_frame(svg, shape);
        return;
    case SHAPE_GLOW:
        write_glow(svg, shape, name);
        return;
    case SHAPE_GLYPH:
        write_glyph(svg, shape);
        return;
    case SHAPE_PIECE:
        write_piece(svg, shape, name);
        return;
    case SHAPE_DISC:
    case SHAPE_RING:
        write_round(svg, shape);
        return;
    case SHAPE_DASHES:
        write_dashes(svg, shape);
        return;
    case SHAPE_ARROW:
        write_arrow(svg, shape);
        return;
    }
}

/* <title id="b01234567-title">…</title>, which aria-labelledby of the whole refers to. */
static void write_words(struct writer *svg, const struct scene *scene, const struct name *name)
{
    writer_printf(svg, " role=\"img\" aria-labelledby=\"%stitle %sdesc\">\n<title id=\"%stitle\">",
                  name->text, name->text, name->text);
    writer_bytes(svg, scene->title, scene->title_length);
    writer_printf(svg, "</title>\n<desc id=\"%sdesc\">", name->text);
    writer_bytes(svg, scene->desc, scene->desc_length);
    writer_text(svg, "</desc>\n");
}

void picture_svg(struct writer *svg, const struct scene *scene)
{
    struct name name;
    (void)snprintf(name.text, sizeof name.text, "b%08x-", (unsigned)scene_hash(scene));
    writer_text(svg, "<svg xmlns=\"http://www.w3.org/2000/svg\"");
    write_attribute(svg, " width", (int)scene->size);
    write_attribute(svg, " height", (int)scene->size);
    writer_text(svg, " viewBox=\"0 0 800 800\"");
    write_words(svg, scene, &name);
    write_definitions(svg, scene, &name);
    for (unsigned i = 0; i < scene->count; i++)
        write_shape(svg, &scene->shapes[i], &name);
    writer_text(svg, "</svg>\n");
}
