/* picture_style: the colours of a board, a row a theme.
 *
 * Layer: api. Static. */
#pragma once

#include "api/picture_canvas.h"
#include "rules/board.h"

enum picture_theme { THEME_LIGHT, THEME_DARK, THEME_CONTRAST, THEME_COUNT };

/* Of arrows and marked squares. */
enum picture_hue { HUE_GREEN, HUE_RED, HUE_BLUE, HUE_YELLOW, HUE_COUNT };

struct piece_paint {
    struct paint body, outline, line;
};

struct picture_style {
    struct paint squares[2]; /* dark, light: by square_is_light */
    struct paint letters[2]; /* of coordinates: light, dark; the one is taken that stands out more */
    struct paint last_move, selected, check, target;
    struct paint arrows[HUE_COUNT], marks[HUE_COUNT];
    struct piece_paint pieces[COLOR_COUNT];
    float outline, line; /* widths, in hundredths of a square, where squares are large */
};

/* "light", "dark", "contrast"; NULL at the end. */
extern const char *const picture_theme_words[THEME_COUNT + 1];
const struct picture_style *picture_style(enum picture_theme theme);
