/* picture_glyphs: the letters a to h and the digits 1 to 8 as lines, for coordinates.
 *
 * Layer: api. Static. Path texts as in api/picture_outline.h, drawn with round ends and a width of GLYPH_LINE. They lie
 * on a grid of such lines, four wide and seven high (small letters five), so that they are sharp where a line is a pixel;
 * g hangs two lines below the others. */
#pragma once

enum {
    GLYPH_LINE = 15,
    GLYPH_WIDTH = 4 * GLYPH_LINE,
    GLYPH_LINES = 7,
    GLYPH_HEIGHT = GLYPH_LINES * GLYPH_LINE,
    GLYPH_DROP = 2 * GLYPH_LINE
};

/* NULL for any other character. */
const char *picture_glyph(char c);
