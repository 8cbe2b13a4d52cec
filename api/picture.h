/* picture: a board as a picture: what is to be seen, and the shapes that come of it.
 *
 *     struct scene *scene = picture_scene(arena, &picture);       NULL: memory is out
 *     picture_svg(writer, scene);                                 or
 *     picture_png(scene, arena, &bytes, &length)                  false: memory is out
 *
 * Layer: api. Memory: arena. Both forms are made of the same shapes, so they show the same.
 * A scene is 800 units wide and high, 100 a square, y downwards. */
#pragma once

#include "api/cache.h"
#include "api/picture_style.h"
#include "api/writer.h"
#include "rules/position.h"

enum { PICTURE_MARKS_MAX = 64, SCENE_UNITS = 800, SQUARE_UNITS = 100 };

struct picture_arrow {
    square from, to;
    uint8_t hue; /* enum picture_hue */
};

struct picture_mark {
    square at;
    uint8_t hue;
};

struct picture {
    const struct position *position;
    const char *end;       /* how the game ended here ("1-0, resignation"), or NULL */
    const char *last_move; /* in words ("White pawn e2 to e4"), or NULL */
    enum color orientation;
    enum picture_theme theme;
    unsigned size; /* pixels of a side */
    bool coordinates;
    bool check;                /* a king in check is shown */
    square last_from, last_to; /* of the last move; SQUARE_NONE: not shown */
    square selected;           /* whose targets are shown; SQUARE_NONE: none */
    square step;               /* the target of a pawn's two squares; SQUARE_NONE: none */
    bitboard quiet, captures;  /* where the selected piece may go */
    unsigned arrow_count, mark_count;
    struct picture_arrow arrows[PICTURE_MARKS_MAX];
    struct picture_mark marks[PICTURE_MARKS_MAX];
};

enum shape_kind {
    SHAPE_BOARD,        /* the whole board */
    SHAPE_DARK_SQUARES, /* all 32 */
    SHAPE_SQUARE,       /* x, y: the upper left corner */
    SHAPE_FRAME,        /* the same, its inner edge; size: width of the line */
    SHAPE_GLOW,         /* the same, strong in the middle */
    SHAPE_GLYPH,        /* what: a character; x, y: the upper left corner; size: height */
    SHAPE_PIECE,        /* what: color * PIECE_COUNT + type; x, y: the upper left corner of its square */
    SHAPE_DISC,         /* x, y: the centre; size: radius */
    SHAPE_RING,         /* the same; x2: width of the line */
    SHAPE_DASHES,       /* from x, y to x2, y2; size: width */
    SHAPE_ARROW,        /* from x, y with its tip at x2, y2; size: width of the shaft */
};

/* Scenes are compared byte by byte. */
struct shape {
    uint8_t kind, what;
    int16_t x, y, x2, y2;
    uint16_t size;
    struct paint color;
};
_Static_assert(sizeof(struct shape) == 6 * sizeof(int16_t) + sizeof(struct paint), "no padding");

/* Beside the marks: board, dark squares, last move, selection, check, letters and digits, pieces, targets. */
enum { SCENE_SHAPES_MAX = 2 * PICTURE_MARKS_MAX + 2 + 2 + 1 + 1 + 16 + SQUARE_COUNT + SQUARE_COUNT };

struct scene {
    unsigned size; /* pixels */
    enum picture_theme theme;
    const struct picture_style *style; /* of the theme */
    float outline, line;               /* widths of the lines of pieces, in units */
    const char *title, *desc;          /* in words; no character of them needs an escape in XML */
    size_t title_length, desc_length;
    unsigned count;
    struct shape shapes[SCENE_SHAPES_MAX];
};

struct scene *picture_scene(struct arena *arena, const struct picture *picture);

/* All that is seen and said. Scenes whose parts are the same bytes are the same picture. */
enum { SCENE_PARTS = 5 };
void scene_parts(const struct scene *scene, struct cache_part parts[SCENE_PARTS]);
/* A number of those bytes. */
uint64_t scene_hash(const struct scene *scene);

enum { ARROW_CORNERS = 7, DASH_UNITS = 9, DASH_GAP_UNITS = 9, GLOW_UNITS = 72 };
/* The polygon of a SHAPE_ARROW, in units. */
void shape_arrow_corners(const struct shape *arrow, struct point corners[ARROW_CORNERS]);

/* An SVG that stands alone: title, desc, defs, no script, nothing from elsewhere. Its ids begin with a name of the
 * picture, so that several may stand in one page. */
void picture_svg(struct writer *svg, const struct scene *scene);
/* A PNG with the same title and description, in the arena. False: memory is out. */
bool picture_png(const struct scene *scene, struct arena *arena, const char **bytes, size_t *length);
/* The pixels alone, in the arena: scene->size wide and high, all opaque. False: memory is out. */
bool picture_raster(const struct scene *scene, struct arena *arena, struct canvas *canvas);
