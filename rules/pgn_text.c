#include "rules/pgn_text.h"

#include <stdint.h>
#include <string.h>

#include "rules/utf8.h"

enum { HIGH = 0x80, C1_END = 0xA0, CHARACTER_MAX = 4 };

/* Where Windows-1252 leaves ISO 8859-1; its five holes are U+FFFD. */
static const uint16_t windows_1252[C1_END - HIGH] = {
    0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0xFFFD, 0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0xFFFD, 0x017E, 0x0178,
};

static size_t encode(unsigned char byte, char out[CHARACTER_MAX])
{
    unsigned code = byte < C1_END ? windows_1252[byte - HIGH] : byte;
    if (code < 0x800) {
        out[0] = (char)(0xC0 | code >> 6);
        out[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    out[0] = (char)(0xE0 | code >> 12);
    out[1] = (char)(0x80 | (code >> 6 & 0x3F));
    out[2] = (char)(0x80 | (code & 0x3F));
    return 3;
}

/* Takes the character at `text`; *size is what it takes of it. Returns the length of `out`. */
static size_t take(const unsigned char *text, size_t length, char out[CHARACTER_MAX], size_t *size)
{
    *size = 1;
    if (text[0] < HIGH) {
        out[0] = ' ';
        if (text[0] >= ' ' && text[0] != 0x7F)
            memcpy(out, text, 1);
        return 1;
    }
    size_t whole = utf8_character_size((const char *)text, length);
    if (whole == 0)
        return encode(text[0], out);
    *size = whole;
    if (pgn_text_control((const char *)text, whole)) {
        out[0] = ' ';
        return 1;
    }
    memcpy(out, text, whole);
    return whole;
}

size_t pgn_text_copy(const char *from, size_t length, char *to, size_t size, bool *converted)
{
    const unsigned char *text = (const unsigned char *)from;
    size_t written = 0;
    for (size_t at = 0, taken; at < length; at += taken) {
        char out[CHARACTER_MAX];
        if (text[at] >= ' ' && text[at] < 0x7F && written + 1 < size) {
            to[written++] = from[at];
            taken = 1;
            continue;
        }
        size_t n = take(text + at, length - at, out, &taken);
        if (taken == 1 && n > 1)
            *converted = true;
        if (written + n >= size) {
            to[written] = '\0';
            return size;
        }
        memcpy(to + written, out, n);
        written += n;
    }
    to[written] = '\0';
    return written;
}

/* Behind 0xE2. */
static bool turns_direction(unsigned char second, unsigned char third)
{
    return (second == 0x80 && third >= 0xAA && third <= 0xAE) ||
           (second == 0x81 && third >= 0xA6 && third <= 0xA9);
}

size_t pgn_text_control(const char *at, size_t left)
{
    const unsigned char *bytes = (const unsigned char *)at;
    if (left && (bytes[0] < ' ' || bytes[0] == 0x7F))
        return 1;
    if (left > 1 && bytes[0] == 0xC2 && bytes[1] >= HIGH && bytes[1] < C1_END)
        return 2;
    return left > 2 && bytes[0] == 0xE2 && turns_direction(bytes[1], bytes[2]) ? 3 : 0;
}

size_t pgn_text_squeeze(char *text, size_t length)
{
    size_t written = 0;
    for (size_t at = 0; at < length; at++)
        if (text[at] != ' ')
            text[written++] = text[at];
        else if (written > 0 && text[written - 1] != ' ')
            text[written++] = ' ';
    if (written > 0 && text[written - 1] == ' ')
        written--;
    text[written] = '\0';
    return written;
}
