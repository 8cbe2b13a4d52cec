#include "tests/rules/case_record.h"

#include <stdio.h>
#include <string.h>

#include "rules/fen.h"
#include "tests/rules/board_print.h"

const char *record_text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

bool record_flag(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, name));
}

uint64_t record_number(const cJSON *object, const char *name)
{
    return (uint64_t)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

enum record_outcome record_compare(const struct record *c, const struct position *position,
                                   const char *question, const char *expected, const char *actual)
{
    if (strcmp(expected, actual) == 0)
        return RECORD_OK;
    board_print_failure(position, expected, actual, "%s: %s", c->id, question);
    return RECORD_FAILED;
}

enum record_outcome record_compare_numbers(const struct record *c, const struct position *position,
                                           const char *question, uint64_t expected, uint64_t actual)
{
    char texts[2][24];
    (void)snprintf(texts[0], sizeof texts[0], "%llu", (unsigned long long)expected);
    (void)snprintf(texts[1], sizeof texts[1], "%llu", (unsigned long long)actual);
    return record_compare(c, position, question, texts[0], texts[1]);
}

enum record_outcome record_compare_flags(const struct record *c, const struct position *position,
                                         const char *name, bool actual)
{
    return record_compare(c, position, name, record_flag(c->expect, name) ? "true" : "false",
                          actual ? "true" : "false");
}

enum record_outcome record_worse(enum record_outcome a, enum record_outcome b)
{
    return a == RECORD_FAILED || b == RECORD_FAILED ? RECORD_FAILED : a;
}

bool record_position(const struct record *c, const char *name, struct position *position)
{
    const char *fen = record_text(c->input, name);
    struct setup_report report;
    if (fen_parse(fen, strlen(fen), record_flag(c->input, "chess960"), position, &report))
        return true;
    record_compare(c, NULL, "FEN", fen, "refused");
    return false;
}
