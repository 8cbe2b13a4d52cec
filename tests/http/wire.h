/* wire: HTTP/1.1 as bytes, read by rules of its own: which requests a text holds, and which answers.
 *
 * Written after RFC 9112, and not after what the daemon or its library take: what this reads as one request may be
 * answered once. Nothing is copied; texts need no NUL. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { WIRE_ID_SIZE = 65 };

enum wire_form {
    WIRE_WHOLE,
    WIRE_CUT,    /* more has to come */
    WIRE_FAULTY, /* nothing behind it can be told apart */
};

/* What the library is known to do with a head or body that is faulty (0.9.75). */
enum wire_known {
    WIRE_ENDS_HEAD = 1, /* a line that begins with ':' or NUL ends the head: the next one begins a request */
    WIRE_ANSWERS_TWICE =
        2,               /* a Content-Length that is no number or that blanks follow, or a head that fills the
                               buffer: the head of the refusal is sent twice */
    WIRE_LONG_CHUNK = 4, /* a chunk's size line that fills the buffer: 500 */
    WIRE_OTHER_VERSION = 8, /* not HTTP/1.x: 505, which RFC 9110 15.6.6 asks for */
};

struct wire_request {
    size_t length; /* of a whole one */
    bool is_head;
    bool may_stream;       /* of events: its answer may have no end */
    char id[WIRE_ID_SIZE]; /* of a whole one: X-Request-Id; "": there is none that has to be told again */
    unsigned known;        /* of a faulty one: enum wire_known, a set */
};

/* The request at the beginning of these bytes. */
enum wire_form wire_read_request(const char *bytes, size_t length, struct wire_request *request);

struct wire_answer {
    size_t length, head_length;
    unsigned status;
    char id[WIRE_ID_SIZE]; /* X-Request-Id; "": the library itself answers */
    bool closes;           /* it says that the connection ends with it */
    bool is_problem;       /* application/problem+json */
};

/* The answer at the beginning of these bytes; `to_head`: it has no body. One without a length or chunks lasts to the end:
 * `length` is then all there is. What is known is told of a cut one too, once its head is whole. */
enum wire_form wire_read_answer(const char *bytes, size_t length, bool to_head, struct wire_answer *answer);
