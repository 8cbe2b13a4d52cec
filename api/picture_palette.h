/* picture_palette: the 256 colours that say most of a picture.
 *
 * Layer: api. Pictures of boards have a few flat colours and many rare ones along edges: the frequent ones are kept
 * exactly, each rare one becomes the nearest of them. Memory: arena. */
#pragma once

#include <stdbool.h>

#include "api/picture_canvas.h"

enum { PALETTE_MAX = 256 };

struct palette_entry {
    uint32_t rgb, pixels;
    uint8_t index;
};

struct palette {
    unsigned count;
    uint32_t colors[PALETTE_MAX]; /* 0xRRGGBB, the most frequent first */
    struct palette_entry *table;  /* open addressing; pixels 0: free */
    unsigned distinct;
};

/* Of all pixels of an opaque canvas. False: memory is out. */
bool palette_make(struct palette *palette, struct arena *arena, const struct canvas *canvas);
/* One row as indices. */
void palette_row(const struct palette *palette, const struct paint *pixels, unsigned width, uint8_t *indices);
