/* load_answer: as much of HTTP and JSON as a load generator has to read. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct answer {
    unsigned status;
    const char *body; /* within the bytes that were read */
    size_t body_length;
};

enum answer_reading { ANSWER_GOES_ON, ANSWER_WHOLE, ANSWER_BROKEN };

/* Whether these bytes are a whole answer. It must have a Content-Length; anything behind it is broken, as nothing was
 * asked for. */
enum answer_reading answer_read(const char *bytes, size_t length, struct answer *answer);

/* The text of the first `member` ("\"fen\":") of a body, without its quotes; NULL: it has none. */
const char *answer_text(const struct answer *answer, const char *member, size_t *length);
/* The number of the first such member; -1: it has none. */
long answer_number(const struct answer *answer, const char *member);
