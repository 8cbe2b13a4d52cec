/* problem: every error that a client can be told, in one table, and the answer that tells it.
 *
 *     return problem_reply(exchange, PROBLEM_GAME_OVER, "The game ended by checkmate.");
 *
 * Layer: api. RFC 9457 (problem+json), or one line "error: <slug>: <detail>" where only text is accepted. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "api/http.h"

struct exchange;
struct writer;

/* X(NAME, slug, status, title, sentence of /v1/problems/{slug}) in api/problem_table.h. */
#include "api/problem_table.h"

enum problem_code {
#define PROBLEM_ENUM(name, slug, status, title, sentence) PROBLEM_##name,
    PROBLEM_TABLE(PROBLEM_ENUM)
#undef PROBLEM_ENUM
        PROBLEM_COUNT
};

struct problem_kind {
    const char *slug;
    unsigned status;
    const char *title, *sentence;
};
const struct problem_kind *problem_kind(enum problem_code code);
/* PROBLEM_COUNT where there is no such slug. */
enum problem_code problem_find(const char *slug);

struct problem {
    enum problem_code code;
    const char *detail;    /* one sentence, living as long as the exchange; NULL: memory is out */
    const char *pointer;   /* JSON pointer of the member at fault ("/white/name"), or NULL */
    const char *parameter; /* query parameter at fault, or NULL */
    /* Appends further members to the open object, or NULL. Not called for the text form. */
    void (*members)(struct writer *json, const void *context);
    const void *context;
};

/* Replaces whatever the response has by the problem. Returns API_DONE, for `return`. */
enum api_result problem_send(struct exchange *exchange, const struct problem *problem);
/* The same without pointer and members. */
enum api_result problem_reply(struct exchange *exchange, enum problem_code code, const char *detail);
__attribute__((format(printf, 3, 4))) enum api_result
problem_replyf(struct exchange *exchange, enum problem_code code, const char *format, ...);
/* `invalid-parameter` with a JSON pointer, which is copied nowhere: static or in the arena. */
__attribute__((format(printf, 3, 4))) enum api_result
problem_field(struct exchange *exchange, const char *pointer, const char *format, ...);
/* The same with the name of a query parameter. */
__attribute__((format(printf, 3, 4))) enum api_result
problem_parameter(struct exchange *exchange, const char *parameter, const char *format, ...);
/* `too-expensive` with the member `limit`. `detail` as in struct problem; `parameter` likewise. */
enum api_result problem_too_expensive(struct exchange *exchange, const char *detail, const char *parameter,
                                      int64_t limit);
/* Memory is out: a static answer, no allocation. */
enum api_result problem_out_of_memory(struct exchange *exchange);
/* The same, for what reads a request: false. */
bool problem_no_memory(struct exchange *exchange);
