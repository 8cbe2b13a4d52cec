/* setup_input: a position that a client names by FEN and variant.
 *
 * Layer: api. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/writer.h"
#include "rules/setup.h"

struct exchange;
struct field_word;

/* Bytes of a field `fen` whose faults are told; no FEN that is read is as long (FEN_TEXT_MAX). */
enum { SETUP_TEXT_MAX = 4096 };

/* The values of `variant`, in a body as in the query. */
enum setup_variant { VARIANT_STANDARD, VARIANT_CHESS960 };
extern const char *const setup_variant_words[];

/* `?variant=` says what the body could say: the field becomes given where either has it. False: they say
 * different things, and the response is a problem. */
bool setup_input_take_variant(struct exchange *exchange, struct field_word *variant);

/* Reads a FEN (NULL: the usual first position). False: the response is invalid-fen (400) or illegal-position
 * (422) with all faults[]; `pointer` or `parameter` says where the FEN came from, the other is NULL. */
bool setup_input_read(struct exchange *exchange, const char *fen, size_t length, bool chess960,
                      const char *pointer, const char *parameter, struct position *position);

/* The position of the query parameters fen and variant. */
bool setup_input_query(struct exchange *exchange, struct position *position);

/* [{code, field, offset, detail}] */
void view_setup_faults(struct writer *json, const char *key, const struct setup_report *report);
