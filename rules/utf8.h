/* utf8: which bytes are well-formed UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF.
 *
 * Layer: rules, the lowest that reads texts; all others use it too. Pure. Source: RFC 3629 4, which is table 3-7 of the
 * Unicode standard. */
#pragma once

#include <stddef.h>

/* Bytes of the character that begins at `at`, of which `left` bytes are there, at least 1; 0: there is none. */
size_t utf8_character_size(const char *at, size_t left);

/* The offset of the first byte that is not well-formed, or `length`. */
size_t utf8_valid(const char *text, size_t length);
