#include "api/header_field.h"

#include <strings.h>

static const char *const NAMES[HEADER_FIELD_COUNT] = {
    [HEADER_ACCEPT] = "Accept",
    [HEADER_ACCEPT_ENCODING] = "Accept-Encoding",
    [HEADER_AUTHORIZATION] = "Authorization",
    [HEADER_CONTENT_ENCODING] = "Content-Encoding",
    [HEADER_CONTENT_LENGTH] = "Content-Length",
    [HEADER_CONTENT_TYPE] = "Content-Type",
    [HEADER_FORWARDED] = "Forwarded",
    [HEADER_HOST] = "Host",
    [HEADER_IDEMPOTENCY_KEY] = "Idempotency-Key",
    [HEADER_IF_MATCH] = "If-Match",
    [HEADER_IF_NONE_MATCH] = "If-None-Match",
    [HEADER_LAST_EVENT_ID] = "Last-Event-ID",
    [HEADER_ORIGIN] = "Origin",
    [HEADER_PREFER] = "Prefer",
    [HEADER_TRACEPARENT] = "traceparent",
    [HEADER_TRANSFER_ENCODING] = "Transfer-Encoding",
    [HEADER_X_FORWARDED_FOR] = "X-Forwarded-For",
    [HEADER_X_REQUEST_ID] = "X-Request-Id",
};

enum { LENGTHS = sizeof "Transfer-Encoding", SAME_LENGTH_MAX = 4 };

/* The fields whose names have that many bytes; HEADER_OTHER ends the list. */
static const unsigned char OF_LENGTH[LENGTHS][SAME_LENGTH_MAX] = {
    [4] = {HEADER_HOST},
    [6] = {HEADER_ACCEPT, HEADER_ORIGIN, HEADER_PREFER},
    [8] = {HEADER_IF_MATCH},
    [9] = {HEADER_FORWARDED},
    [11] = {HEADER_TRACEPARENT},
    [12] = {HEADER_CONTENT_TYPE, HEADER_X_REQUEST_ID},
    [13] = {HEADER_AUTHORIZATION, HEADER_IF_NONE_MATCH, HEADER_LAST_EVENT_ID},
    [14] = {HEADER_CONTENT_LENGTH},
    [15] = {HEADER_ACCEPT_ENCODING, HEADER_IDEMPOTENCY_KEY, HEADER_X_FORWARDED_FOR},
    [16] = {HEADER_CONTENT_ENCODING},
    [17] = {HEADER_TRANSFER_ENCODING},
};

const char *header_field_name(enum header_field field)
{
    return NAMES[field];
}

enum header_field header_field_of(const char *name, size_t length)
{
    const unsigned char *field = OF_LENGTH[length < LENGTHS ? length : 0];
    while (*field != HEADER_OTHER && strncasecmp(NAMES[*field], name, length) != 0)
        field++;
    return (enum header_field) * field;
}
