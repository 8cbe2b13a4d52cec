/* case_record: one case of tests/data/rules.jsonl, what it says and what came of it.
 *
 * Tests only. Comparisons show the case, the question, the board, expected and actual where they differ; they do
 * not fail the test themselves. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "rules/position.h"

enum record_outcome { RECORD_OK, RECORD_FAILED, RECORD_SKIPPED };

struct record {
    const char *id;
    const cJSON *input, *expect;
};

/* Members of an object: NULL, false and 0 where there is none. */
const char *record_text(const cJSON *object, const char *name);
bool record_flag(const cJSON *object, const char *name);
uint64_t record_number(const cJSON *object, const char *name);

/* `position` may be NULL where there is none. */
enum record_outcome record_compare(const struct record *c, const struct position *position,
                                   const char *question, const char *expected, const char *actual);
enum record_outcome record_compare_numbers(const struct record *c, const struct position *position,
                                           const char *question, uint64_t expected, uint64_t actual);
/* With the member of `expect` of that name. */
enum record_outcome record_compare_flags(const struct record *c, const struct position *position,
                                         const char *name, bool actual);
enum record_outcome record_worse(enum record_outcome a, enum record_outcome b);

/* The position of the member of `input` of that name, in Chess960 where the case says so; false: refused, and
 * shown. */
bool record_position(const struct record *c, const char *name, struct position *position);
