/* scalar: single values as text: what a query parameter, a form field or a JSON number says.
 *
 * Layer: api. Pure. Each returns false, and writes nothing, where the text is not exactly such a value. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/arena.h"
#include "rules/board.h"

/* Decimal, "-" allowed, no leading zeros, at most 15 digits: no fraction, no exponent, nothing rounded. */
bool scalar_integer(const char *text, size_t length, int64_t *value);
/* "true", "false", "1", "0"; empty is true: "?validate_only". */
bool scalar_bool(const char *text, size_t length, bool *value);
/* The index in a list of words that ends with NULL. An empty text is no word. */
bool scalar_word(const char *text, size_t length, const char *const *words, int *value);
/* Such a list for people, "a, b, c", without the empty words that hold a place. NULL: memory is out. */
const char *scalar_words(struct arena *arena, const char *const *words);
/* "e4"; upper case is read too. */
bool scalar_square(const char *text, size_t length, square *value);
/* An RFC 3339 time with zone, or a date (its first moment in UTC), as Unix ms; digits beyond ms are dropped.
 * A blank stands for the "+" of a zone, which it is when nobody escaped it in a query. Years 1 to 9999. */
bool scalar_time(const char *text, size_t length, int64_t *unix_ms);
