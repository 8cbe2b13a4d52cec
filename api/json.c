#include "api/json.h"

/* RFC 8259, 7. */
static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

/* A byte of a word is 0: its high bit is set in the result; bits above the first such byte may be wrong. */
static uint64_t zero_bytes(uint64_t word)
{
    return (word - UINT64_C(0x0101010101010101)) & ~word & UINT64_C(0x8080808080808080);
}

/* Not 0 where one of eight bytes is not plain. A byte below 0x20 has no bit of 0xe0. */
static uint64_t not_plain(const char *bytes)
{
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return zero_bytes(word & UINT64_C(0xe0e0e0e0e0e0e0e0)) | zero_bytes(word ^ UINT64_C(0x2222222222222222)) |
           zero_bytes(word ^ UINT64_C(0x5c5c5c5c5c5c5c5c));
}

/* The bytes from `text` on that need no escape. */
static size_t plain_length(const char *text, size_t length)
{
    size_t i = 0;
    while (length - i >= 8 && !not_plain(text + i))
        i += 8;
    while (i < length && is_plain((unsigned char)text[i]))
        i++;
    return i;
}

/* The short forms where there are some. */
static char *put_escape(char *at, unsigned char c)
{
    static const char SHORT[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    static const char HEX[] = "0123456789abcdef";
    *at++ = '\\';
    for (const char *pair = SHORT; *pair; pair += 2) {
        if ((unsigned char)*pair == c) {
            *at++ = pair[1];
            return at;
        }
    }
    at = put_literal(at, "u00");
    *at++ = HEX[c >> 4];
    *at++ = HEX[c & 15];
    return at;
}

static void write_escaped(struct writer *writer, const char *value, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t plain = plain_length(value + i, length - i);
        char *at = writer_reserve(writer, plain + sizeof "\\u0000");
        if (!at)
            return;
        at = put_bytes(at, value + i, plain);
        i += plain;
        if (i < length)
            at = put_escape(at, (unsigned char)value[i++]);
        writer_wrote(writer, at);
    }
}

static void write_plain(struct writer *writer, const char *value, size_t length)
{
    char *at = writer_reserve(writer, length + 2);
    if (!at)
        return;
    *at++ = '"';
    at = put_bytes(at, value, length);
    *at++ = '"';
    writer_wrote(writer, at);
}

void json_write_string_n(struct writer *writer, const char *value, size_t length)
{
    if (plain_length(value, length) == length) {
        write_plain(writer, value, length);
        return;
    }
    writer_char(writer, '"');
    write_escaped(writer, value, length);
    writer_char(writer, '"');
}

void json_write_string(struct writer *writer, const char *value)
{
    if (value)
        json_write_string_n(writer, value, strlen(value));
    else
        writer_bytes(writer, "null", 4);
}

void json_write_word(struct writer *writer, const char *word)
{
    if (word)
        write_plain(writer, word, strlen(word));
    else
        writer_bytes(writer, "null", 4);
}

void json_string_named(struct writer *writer, const char *name, const char *value)
{
    json_string(writer, NULL, name);
    writer_char(writer, ':');
    json_write_string(writer, value);
}

void json_line_end(struct writer *writer)
{
    writer_char(writer, '\n');
    writer->comma = false;
}

void json_hex64(struct writer *writer, const char *key, uint64_t value)
{
    char *at = json_begin(writer, key, PUT_HEX_LENGTH + 2);
    if (!at)
        return;
    *at++ = '"';
    at = put_hex(at, value);
    *at++ = '"';
    writer_wrote(writer, at);
}

void json_time(struct writer *writer, const char *key, int64_t unix_ms)
{
    char *at = json_begin(writer, key, TIMESTAMP_SIZE + 2);
    if (!at)
        return;
    *at++ = '"';
    timestamp_format(unix_ms, at);
    at[TIMESTAMP_LENGTH] = '"';
    writer_wrote(writer, at + TIMESTAMP_LENGTH + 1);
}

void json_raw(struct writer *writer, const char *key, const char *json, size_t length)
{
    char *at = json_begin(writer, key, length);
    if (at)
        writer_wrote(writer, put_bytes(at, json, length));
}

void json_repeat(struct writer *writer, const char *key, const struct json_place *place)
{
    char *at = json_begin(writer, key, place->length);
    if (at)
        writer_wrote(writer, put_bytes(at, writer->data + place->from, place->length));
}
