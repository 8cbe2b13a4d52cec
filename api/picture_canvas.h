/* picture_canvas: pixels, and shapes painted on them with smooth edges.
 *
 * Layer: api. Coverage is exact: for each pixel the area of it that the shape covers (a polygon's edges are summed
 * up with their signs, row by row), so holes are rings that run the other way round. Memory: the caller's arena.
 * Shapes may reach beyond the canvas; what does is not painted. */
#pragma once

#include <stdint.h>

#include "api/arena.h"
#include "api/picture_outline.h"

/* Red, green, blue, opacity. */
struct paint {
    uint8_t r, g, b, a;
};

struct canvas {
    unsigned width, height;
    struct paint *pixels; /* rows from above; each colour multiplied by its opacity */
    float *cover;         /* (width + 1) * height: the shape that is being painted; all zero between calls */
};

/* Pixels: from left and top to before right and bottom. */
struct area {
    unsigned left, top, right, bottom;
};

/* All clear. False: memory is out. */
bool canvas_init(struct canvas *canvas, struct arena *arena, unsigned width, unsigned height);

void canvas_fill(struct canvas *canvas, const struct outline *outline, struct paint color);
/* Along the lines of the outline; joins and ends are round. */
void canvas_stroke(struct canvas *canvas, const struct outline *outline, float width, struct paint color);
/* Whole pixels, without smoothing. */
void canvas_rectangle(struct canvas *canvas, struct area area, struct paint color);
/* The same, but it is `color` in the middle and fades towards `radius`. */
void canvas_glow(struct canvas *canvas, struct area area, float radius, struct paint color);
/* Another canvas upon this one. */
void canvas_draw(struct canvas *canvas, const struct canvas *other, unsigned left, unsigned top);
