#include "api/picture_style.h"

#include <stddef.h>

const char *const picture_theme_words[THEME_COUNT + 1] = {
    [THEME_LIGHT] = "light", [THEME_DARK] = "dark", [THEME_CONTRAST] = "contrast"};

#define RGBA(hex, opacity)                                                                                   \
    {                                                                                                        \
        (hex) >> 16 & 0xFF, (hex) >> 8 & 0xFF, (hex)&0xFF, opacity                                           \
    }
#define RGB(hex) RGBA(hex, 0xFF)
/* Dark enough for light boards, and bright enough for dark ones. */
#define DEEP(opacity)                                                                                        \
    {                                                                                                        \
        RGBA(0x15803D, opacity), RGBA(0xC2261D, opacity), RGBA(0x1D5FC2, opacity), RGBA(0xE8A200, opacity)   \
    }
#define BRIGHT(opacity)                                                                                      \
    {                                                                                                        \
        RGBA(0x3DDC84, opacity), RGBA(0xFF6457, opacity), RGBA(0x63B3FF, opacity), RGBA(0xFFD34D, opacity)   \
    }

static const struct picture_style STYLES[THEME_COUNT] =
    {
        [THEME_LIGHT] =
            {
                .squares = {RGB(0xB58B63), RGB(0xF1E2C9)},
                .letters = {RGB(0xFFFFFF), RGB(0x6B4420)},
                .last_move = RGBA(0xD9C200, 0x80),
                .selected = RGBA(0x2F8F4E, 0x90),
                .check = RGBA(0xE01010, 0xE6),
                .target = RGBA(0x14652F, 0xA0),
                .arrows = DEEP(0xC8),
                .marks = DEEP(0xA0),
                .pieces = {{RGB(0xFFFDF8), RGB(0x2A2420), RGB(0x2A2420)},
                           {RGB(0x37302B), RGB(0x14110F), RGB(0xEFE6DA)}},
                .outline = 3.2F,
                .line = 2.8F,
            },
        [THEME_DARK] =
            {
                .squares = {RGB(0x5F6C7B), RGB(0x98A4B1)},
                .letters = {RGB(0xF0F4F8), RGB(0x242D37)},
                .last_move = RGBA(0xC9B84A, 0x80),
                .selected = RGBA(0x2F9E62, 0xA0),
                .check = RGBA(0xFF2A2A, 0xE6),
                .target = RGBA(0x06281A, 0xD8),
                .arrows = BRIGHT(0xC8),
                .marks = BRIGHT(0x98),
                .pieces = {{RGB(0xF4F2EE), RGB(0x1B1F24), RGB(0x1B1F24)},
                           {RGB(0x23272C), RGB(0x0B0D0F), RGB(0xD5DBE1)}},
                .outline = 3.2F,
                .line = 2.8F,
            },
        [THEME_CONTRAST] =
            {
                .squares = {RGB(0x9AA0A6), RGB(0xFFFFFF)},
                .letters = {RGB(0x000000), RGB(0x000000)},
                .last_move = RGBA(0xFFD400, 0xFF),
                .selected = RGBA(0x00C2FF, 0xFF),
                .check = RGBA(0xFF0000, 0xFF),
                .target = RGBA(0xB0006E, 0xF0),
                .arrows = DEEP(0xD8),
                .marks = BRIGHT(0xFF),
                .pieces = {{RGB(0xFFFFFF), RGB(0x000000), RGB(0x000000)},
                           {RGB(0x000000), RGB(0x000000), RGB(0xFFFFFF)}},
                .outline = 4.6F,
                .line = 4.0F,
            },
};

const struct picture_style *picture_style(enum picture_theme theme)
{
    return &STYLES[theme];
}
