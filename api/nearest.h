/* nearest: "did you mean": the known name that is closest to a mistyped one.
 *
 * Layer: api (service's options use it too). Pure; no allocation. */
#pragma once

#include <stddef.h>

/* The number of insertions, deletions, replacements and swaps of neighbours that turn `a` into `b`, as far as
 * 64 bytes of each go ('-' and '_' are the same letter). */
unsigned nearest_distance(const char *a, const char *b);

/* Of two names (either may be NULL) the one nearer to `typed`; NULL where it is too far to be meant: farther
 * than a third of the longer word, and than one letter. Folding a table of names with it gives the nearest of
 * all. */
const char *nearest_of(const char *typed, const char *best, const char *candidate);
