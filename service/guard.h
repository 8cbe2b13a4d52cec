/* guard: what a request head must be before anything reads meaning into it.
 *
 * libmicrohttpd 0.9.75 accepts heads that two parsers can understand differently (request smuggling: two
 * lengths, unknown codings, names with blanks …). Every such head is refused here, before a body is read, and
 * the connection ends with the refusal.
 *
 * Layer: service. Pure: no library, no allocation; texts belong to the caller.
 * Source: RFC 9112 (2.2, 3, 5, 6), RFC 9110 (5.5, 5.6.2, 7.2, 8.6). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/header_field.h"

struct guard_limits {
    size_t target_bytes, head_bytes, header_fields;
    uint64_t body_bytes;
};

/* A refusal: a slug of the problem table and one sentence. `code` NULL: nothing was found. */
struct guard_verdict {
    const char *code, *detail;
};

/* The fields of one head, as they are read. Begin with guard_begin. */
struct guard {
    const struct guard_limits *limits;
    struct guard_verdict verdict; /* the first fault */
    size_t fields, bytes;
    unsigned seen; /* bits of the fields that may stand once only */
    uint64_t content_length;
    bool has_content_length, is_chunked;
};

struct guard_request_line {
    const char *method, *target, *version; /* NUL-terminated; target as received */
    bool method_cut;                       /* a NUL byte or a further blank stood behind the method */
    bool target_cut;                       /* a NUL byte stood in the target */
};

void guard_begin(struct guard *guard, const struct guard_limits *limits,
                 const struct guard_request_line *line);
/* One field; the value may have blanks behind it. Returns which it is. */
enum header_field guard_field(struct guard *guard, const char *name, size_t name_length, const char *value,
                              size_t value_length);
/* After the last field: what is missing or contradicts. The verdict is guard->verdict. */
void guard_end(struct guard *guard, const struct guard_request_line *line);

/* How much of a value is left without the blanks behind it, which are no part of it (RFC 9112 5.1) and which the
 * library leaves there. */
size_t guard_value_length(const char *value, size_t length);

/* Is this "host", "host:port", "[v6]" or "[v6]:port" of allowed bytes? Empty is one too. */
bool guard_is_authority(const char *text, size_t length);
/* 1 to 64 of [A-Za-z0-9._-]: a request id that may be echoed and logged. */
bool guard_is_request_id(const char *text);
enum { GUARD_TRACEPARENT_SIZE = 56 }; /* with its NUL */
/* W3C Trace Context: "00-" 32 hex "-" 16 hex "-" 2 hex. */
bool guard_is_traceparent(const char *text);
