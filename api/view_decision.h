/* view_decision: whether a side can still mate, with the proof (API 4.4).
 *
 * Layer: api. */
#pragma once

#include "api/json.h"
#include "rules/winnable.h"

struct decision_view {
    const struct position *position; /* in which the line begins */
    enum winnable_verdict verdict;
    enum winnable_method method;
    uint32_t nodes;
    const move *line;
    unsigned length;
};

struct decision_view decision_view_of(const struct position *position, const struct winnable_result *result);

/* Members of the open object: winnable, method, nodes, line[{san, uci}]. */
void view_decision(struct writer *json, const struct decision_view *view);
/* "no: material", "yes: search: Kb1 Ka3 …", "undetermined", with the end of the line. */
void view_decision_line(struct writer *text, const struct decision_view *view);

/* "material"; NULL for WINNABLE_NONE. Static. */
const char *view_method_name(enum winnable_method method);
