/* picture_outline: path texts as polygons.
 *
 * Layer: api. Pure; no heap. A path text is what SVG takes as `d`, in absolute units and with these letters:
 *   M x y   begins a ring      L x y   a straight line
 *   C x y x y x y   a cubic Bezier curve      Z   closes the ring
 * The texts are ours (api/picture_pieces.h, api/picture_glyphs.h), so a fault in one is a bug. */
#pragma once

#include <stdbool.h>

struct point {
    float x, y;
};

enum { OUTLINE_POINTS_MAX = 1024, OUTLINE_RINGS_MAX = 16 };

struct ring {
    unsigned first, count; /* points */
    bool closed;
};

struct outline {
    struct point points[OUTLINE_POINTS_MAX];
    struct ring rings[OUTLINE_RINGS_MAX];
    unsigned point_count, ring_count;
};

/* Where the units of a shape come to lie: pixel = unit * scale + offset. */
struct placing {
    float scale;
    struct point offset;
};

static inline struct point point_placed(struct point unit, const struct placing *placing)
{
    return (struct point){unit.x * placing->scale + placing->offset.x,
                          unit.y * placing->scale + placing->offset.y};
}

/* Appends the rings of a path text, in pixels; the outline is zeroed at first. */
void outline_add_path(struct outline *outline, const char *path, const struct placing *placing);
/* One ring of points that are in pixels already. */
void outline_add_ring(struct outline *outline, const struct point *points, unsigned count, bool closed);
void outline_add_circle(struct outline *outline, struct point center, float radius);
