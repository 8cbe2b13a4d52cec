/* cors: the header fields that let web pages of allowed origins read answers (API 10).
 *
 * Layer: api. No credentials. Source: the Fetch standard, CORS protocol. */
#pragma once

struct exchange;

/* On every answer to an allowed Origin, errors too. */
void cors_add(struct exchange *exchange);
/* The whole answer to OPTIONS: 204 with Allow; for an allowed Origin what a preflight asks too. `methods`:
 * "GET, HEAD, OPTIONS", in the arena or static. */
void cors_answer_options(struct exchange *exchange, const char *methods);
