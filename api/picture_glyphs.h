/* picture_glyphs: the letters a to h and the digits 1 to 8 as lines, for coordinates.
 *
 * Layer: api. Static. Path texts as in api/picture_outline.h, drawn with round ends and a width of GLYPH_LINE; digits
 * and tall letters are GLYPH_HEIGHT units high, the others stand on the same line, and g hangs below it. */
#pragma once

enum { GLYPH_HEIGHT = 100, GLYPH_WIDTH = 60, GLYPH_LINE = 15 };

/* NULL for any other character. */
const char *picture_glyph(char c);
