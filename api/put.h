/* put: values as text into room that the caller has reserved: nothing is checked here.
 *
 *     char *at = writer_reserve(writer, ENTRY_BYTES);
 *     at = put_literal(at, "\"from\":\"");
 *     at = put_square(at, from);
 *     writer_wrote(writer, at);
 *
 * Layer: api. Each returns where the next one writes; no NUL is written. */
#pragma once

#include <stdint.h>
#include <string.h>

#include "rules/board.h"

enum {
    PUT_INT_MAX = 20, /* 2^63 has 19 digits, and the sign */
    PUT_HEX_LENGTH = 16,
};

/* `text` is a literal: its length is known to the compiler. */
#define put_literal(at, text) ((char *)mempcpy((at), (text), sizeof(text) - 1))

static inline char *put_bytes(char *at, const char *bytes, size_t length)
{
    return mempcpy(at, bytes, length);
}

/* `s` is not SQUARE_NONE. */
static inline char *put_square(char *at, square s)
{
    at[0] = (char)('a' + square_file(s));
    at[1] = (char)('1' + square_rank(s));
    return at + 2;
}

static inline char *put_bool(char *at, bool value)
{
    return put_bytes(at, value ? "true" : "false", value ? 4 : 5);
}

/* "00" to "99". */
extern const char put_pairs[];
static inline char *put_pair(char *at, unsigned value)
{
    return put_bytes(at, put_pairs + (size_t)2 * value, 2);
}

char *put_uint(char *at, uint64_t value);
char *put_int(char *at, int64_t value);
/* 16 lower-case digits. */
char *put_hex(char *at, uint64_t value);
