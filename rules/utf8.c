#include "rules/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { HIGH = 0x80 };

/* The first byte decides how many follow, and which the second may be. */
static const struct {
    uint8_t first, last;
    uint8_t size;
    uint8_t second_min, second_max;
} heads[] = {
    {0xC2, 0xDF, 2, 0x80, 0xBF}, {0xE0, 0xE0, 3, 0xA0, 0xBF}, {0xE1, 0xEC, 3, 0x80, 0xBF},
    {0xED, 0xED, 3, 0x80, 0x9F}, {0xEE, 0xEF, 3, 0x80, 0xBF}, {0xF0, 0xF0, 4, 0x90, 0xBF},
    {0xF1, 0xF3, 4, 0x80, 0xBF}, {0xF4, 0xF4, 4, 0x80, 0x8F},
};

static size_t size_beyond_ascii(const unsigned char *bytes, size_t left)
{
    for (size_t i = 0; i < sizeof heads / sizeof heads[0]; i++) {
        if (bytes[0] < heads[i].first || bytes[0] > heads[i].last)
            continue;
        size_t size = heads[i].size;
        if (size > left || bytes[1] < heads[i].second_min || bytes[1] > heads[i].second_max)
            return 0;
        for (size_t n = 2; n < size; n++)
            if ((bytes[n] & 0xC0) != 0x80)
                return 0;
        return size;
    }
    return 0;
}

size_t utf8_character_size(const char *at, size_t left)
{
    const unsigned char *bytes = (const unsigned char *)at;
    return bytes[0] < HIGH ? 1 : size_beyond_ascii(bytes, left);
}

/* Eight bytes of ASCII. */
static bool is_ascii(const char *text)
{
    uint64_t word;
    memcpy(&word, text, sizeof word);
    return (word & UINT64_C(0x8080808080808080)) == 0;
}

size_t utf8_valid(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length) {
        size_t step =
            length - at >= 8 && is_ascii(text + at) ? 8 : utf8_character_size(text + at, length - at);
        if (step == 0)
            break;
        at += step;
    }
    return at;
}
