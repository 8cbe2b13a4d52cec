/* header_field: the header fields of requests that anything here looks at, as numbers.
 *
 * Layer: api (service gathers them). Pure. Source: RFC 9110 5.1: names are told apart without regard to case. */
#pragma once

#include <stddef.h>

enum header_field {
    HEADER_OTHER, /* nobody looks at it */
    HEADER_ACCEPT,
    HEADER_ACCEPT_ENCODING,
    HEADER_AUTHORIZATION,
    HEADER_CONTENT_ENCODING,
    HEADER_CONTENT_LENGTH,
    HEADER_CONTENT_TYPE,
    HEADER_FORWARDED,
    HEADER_HOST,
    HEADER_IDEMPOTENCY_KEY,
    HEADER_IF_MATCH,
    HEADER_IF_NONE_MATCH,
    HEADER_LAST_EVENT_ID,
    HEADER_ORIGIN,
    HEADER_PREFER,
    HEADER_TRACEPARENT,
    HEADER_TRANSFER_ENCODING,
    HEADER_X_FORWARDED_FOR,
    HEADER_X_REQUEST_ID,
    HEADER_FIELD_COUNT
};

/* The field of that name, which has `length` bytes. */
enum header_field header_field_of(const char *name, size_t length);
/* "Accept". Static. NULL for HEADER_OTHER. */
const char *header_field_name(enum header_field field);
