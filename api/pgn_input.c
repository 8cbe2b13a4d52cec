#include "api/pgn_input.h"

#include <string.h>

#include "api/problem.h"
#include "api/rules_input.h"
#include "api/setup_input.h"
#include "api/visibility_input.h"

static const char LINES_LOST[] = " The ends of lines are lost: curl keeps them with --data-binary @game.pgn.";

struct import_settings pgn_input_settings(const struct exchange *exchange)
{
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.dead = (uint8_t)query_integer(exchange, QUERY_DEAD_POSITION, rules.dead);
    rules.fivefold = query_bool(exchange, QUERY_FIVEFOLD, rules.fivefold);
    rules.seventyfive = query_bool(exchange, QUERY_SEVENTYFIVE, rules.seventyfive);
    return (struct import_settings){
        .chess960 = query_integer(exchange, QUERY_VARIANT, VARIANT_STANDARD) == VARIANT_CHESS960,
        .games_max = (uint64_t)exchange->api->settings.limits.pgn_games,
        .rules = rules,
        .access = access_default(exchange),
        .visibility =
            (enum game_visibility)query_integer(exchange, QUERY_VISIBILITY, visibility_default(exchange)),
    };
}

struct text_span pgn_input_body(const struct exchange *exchange)
{
    return (struct text_span){exchange->request->body, exchange->request->body_length};
}

bool pgn_input_is_glued(const struct exchange *exchange)
{
    struct text_span body = pgn_input_body(exchange);
    return exchange->body.kind == BODY_PGN && exchange->body.form_typed && body.length > 0 &&
           !memchr(body.text, '\n', body.length) && !memchr(body.text, '\r', body.length);
}

/* Behind the tag or the braces that begin at `at`; what is not closed goes to the end. */
static size_t skip_enclosed(struct text_span text, size_t at)
{
    char close = text.text[at] == '[' ? ']' : '}';
    bool quoted = false;
    for (at++; at < text.length; at++) {
        char c = text.text[at];
        if (close == ']' && quoted && c == '\\')
            at++;
        else if (close == ']' && c == '"')
            quoted = !quoted;
        else if (c == close && !quoted)
            return at + 1;
    }
    return text.length;
}

/* The first comment to the end of the line; the length where there is none. */
static size_t find_line_comment(struct text_span text)
{
    size_t at = 0;
    while (at < text.length && text.text[at] != ';')
        at = text.text[at] == '[' || text.text[at] == '{' ? skip_enclosed(text, at) : at + 1;
    return at;
}

bool pgn_input_check_lines(struct exchange *exchange)
{
    struct text_span body = pgn_input_body(exchange);
    if (!pgn_input_is_glued(exchange))
        return true;
    size_t at = find_line_comment(body);
    if (at >= body.length)
        return true;
    problem_replyf(exchange, PROBLEM_INVALID_PGN,
                   "Line 1, column %zu: this comment takes all that follows.%s", at + 1, LINES_LOST);
    return false;
}

const char *pgn_input_detail(const struct exchange *exchange, const struct pgn_fault *fault)
{
    const char *hint = pgn_input_is_glued(exchange) ? LINES_LOST : "";
    return arena_printf(exchange->arena, "Line %u, column %u: %s%s", fault->line, fault->column,
                        fault->detail, hint);
}

const struct pgn_fault *pgn_input_worst(const struct pgn_fault *faults, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (faults[i].severity == PGN_ERROR)
            return &faults[i];
    return &faults[0];
}

void view_pgn_faults(struct writer *json, const char *key, const struct pgn_fault *faults, size_t count)
{
    json_array_begin(json, key);
    for (size_t i = 0; i < count; i++) {
        json_object_begin(json, NULL);
        json_string(json, "code", pgn_fault_code_name(faults[i].code));
        json_string(json, "severity", pgn_severity_name(faults[i].severity));
        json_int(json, "line", faults[i].line);
        json_int(json, "column", faults[i].column);
        json_int(json, "ply", faults[i].ply);
        json_string(json, "token", faults[i].token);
        json_string(json, "detail", faults[i].detail);
        json_object_end(json);
    }
    json_array_end(json);
}
