#include "api/view_decision.h"

#include "rules/notation.h"

struct decision_view decision_view_of(const struct position *position, const struct winnable_result *result)
{
    return (struct decision_view){
        .position = position,
        .verdict = result->verdict,
        .method = result->method,
        .nodes = result->nodes,
        .line = result->line,
        .length = result->length,
    };
}

const char *view_method_name(enum winnable_method method)
{
    return method == WINNABLE_NONE ? NULL : winnable_method_name(method);
}

void view_decision(struct writer *json, const struct decision_view *view)
{
    json_string(json, "winnable", winnable_verdict_name(view->verdict));
    json_string(json, "method", view_method_name(view->method));
    json_int(json, "nodes", view->nodes);
    json_array_begin(json, "line");
    struct position position = *view->position;
    for (unsigned i = 0; i < view->length; i++) {
        struct position before = position;
        char san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE];
        notation_format_san(&before, view->line[i], san);
        notation_format_uci(&before, view->line[i], uci);
        json_object_begin(json, NULL);
        json_string(json, "san", san);
        json_string(json, "uci", uci);
        json_object_end(json);
        position_play(&before, view->line[i], &position);
    }
    json_array_end(json);
}

void view_decision_line(struct writer *text, const struct decision_view *view)
{
    const char *method = view_method_name(view->method);
    writer_text(text, winnable_verdict_name(view->verdict));
    if (method)
        writer_printf(text, ": %s", method);
    struct position position = *view->position;
    for (unsigned i = 0; i < view->length; i++) {
        struct position before = position;
        char san[NOTATION_SAN_SIZE];
        notation_format_san(&before, view->line[i], san);
        writer_printf(text, "%s%s", i ? " " : ": ", san);
        position_play(&before, view->line[i], &position);
    }
    writer_char(text, '\n');
}
