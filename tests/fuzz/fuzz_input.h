/* fuzz_input: an input as its lines.
 *
 * Tests only. */
#pragma once

#include "api/text.h"
#include "rules/position.h"

/* The next line of what is left, without its end; of no length where nothing is left. */
struct text_span fuzz_take_line(struct text_span *left);
/* A copy with a NUL behind it, in memory of its own size, so that a sanitizer sees a byte too many; what follows a NUL
 * byte is left out, as whoever hands on a NUL-terminated text leaves it out. For free(). */
char *fuzz_copy(struct text_span span);
/* The position of a FEN, before which "960 " asks for Chess960; the first one of the game where it is none. */
struct position fuzz_read_position(struct text_span line);
/* Memory for a test that has nothing to say where there is none. For free(). */
void *fuzz_allocate(size_t size);
