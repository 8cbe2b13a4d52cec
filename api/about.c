#include <string.h>

#include "api/access.h"
#include "api/documents.h"
#include "api/exchange.h"
#include "api/forwarded.h"
#include "api/handlers.h"
#include "api/json_check.h"
#include "api/move_input.h"
#include "api/long_answer.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/retry.h"
#include "api/route.h"
#include "api/setup_input.h"
#include "api/tickets.h"
#include "api/visibility_input.h"
#include "games/events.h"
#include "games/game.h"
#include "games/pgn_intake.h"
#include "rules/fen.h"
#include "rules/key.h"
#include "rules/notation.h"
#include "rules/pgn_read.h"
#include "rules/setup.h"
#include "rules/winnable.h"

enum api_result get_help(struct exchange *exchange)
{
    if (exchange->format == FORMAT_HTML && document_find("index.html"))
        return document_reply_page(exchange, "index.html");
    exchange->format = FORMAT_TEXT;
    const char *origin = exchange_origin(exchange);
    if (!origin)
        return problem_out_of_memory(exchange);
    struct writer *out = reply_begin(exchange, 200);
    writer_printf(out, "Arbiter %s: the Laws of Chess as an HTTP service.\n\n",
                  exchange->api->service.version);
    writer_printf(out, "  G=$(curl -sX POST %s/v1/games.txt)        a new game\n", origin);
    writer_printf(out, "  curl -d e4 %s/v1/games/$G/moves           play a move\n", origin);
    writer_printf(out, "  curl %s/v1/games/$G/board                 see the board\n", origin);
    writer_printf(out, "  curl %s/v1/games/$G/legal-moves.txt       what may be played\n", origin);
    writer_printf(out, "  curl %s/v1/games/$G.pgn                   the game as PGN\n\n", origin);
    writer_text(out,
                "A clock is given in seconds: -d clock=300+3 makes a new game of five minutes, plus three\n"
                "seconds a move.\n\n");
    writer_printf(out, "More lines like these: %s/docs  All there is: %s/v1  Description: %s/openapi.yaml\n",
                  origin, origin, origin);
    return reply_end(exchange);
}

/* The row that answers where no format is asked for. The others of a path lend it the formats of operations
 * that have a path of their own, which is what an index should name. */
static bool is_first_row(const struct route *row)
{
    return row == route_table || row[-1].method != row->method || strcmp(row[-1].path, row->path) != 0;
}

static void view_link(struct writer *json, const struct route *row)
{
    json_object_begin(json, row->operation);
    json_string(json, "method", route_method_name(row->method));
    json_string(json, "href", row->path);
    json_bool(json, "templated", strchr(row->path, '{') != NULL);
    json_object_end(json);
}

enum api_result get_index(struct exchange *exchange)
{
    struct writer *out = reply_begin(exchange, 200);
    reply_cache(exchange, REPLY_FIVE_MINUTES);
    json_object_begin(out, NULL);
    json_string(out, "name", "Arbiter");
    json_string(out, "version", exchange->api->service.version);
    json_string(out, "default_access", game_access_name(access_default(exchange)));
    json_string(out, "creators", exchange->api->settings.operators_create ? "operators" : "anyone");
    json_object_begin(out, "links");
    for (const struct route *row = route_table; row < route_table + route_count; row++) {
        if (is_first_row(row))
            view_link(out, row);
    }
    json_object_end(out);
    json_object_end(out);
    return reply_end(exchange);
}

/* What no setting changes. X(name, value, unit, sentence). */
#define FIXED_LIMITS(X)                                                                                      \
    X(fen_bytes, FEN_TEXT_MAX, "bytes", "The longest FEN.")                                                  \
    X(fen_field_bytes, SETUP_TEXT_MAX, "bytes",                                                              \
      "The longest text of a field `fen` whose faults are told one by one, in playLine and "                 \
      "validatePosition.")                                                                                   \
    X(fen_faults, SETUP_FAULTS_MAX, "faults", "The most faults of a FEN that are told.")                     \
    X(move_bytes, MOVE_TEXT_MAX, "bytes", "The longest text of a field `move`, `san` or `uci`.")             \
    X(move_notation_bytes, NOTATION_TEXT_MAX, "bytes", "The longest such text that can be a move.")          \
    X(idempotency_key_bytes, RETRY_KEY_MAX, "bytes", "The longest Idempotency-Key.")                         \
    X(origin_bytes, ACCESS_ORIGIN_MAX, "bytes", "The longest Origin that is allowed.")                       \
    X(json_number_bytes, JSON_NUMBER_MAX, "bytes", "The longest number of a JSON body.")                     \
    X(form_fields, BODY_PAIRS_MAX, "fields", "The most fields of a form.")                                   \
    X(ply_number, GAME_PLIES_LIMIT, "plies",                                                                 \
      "The greatest number of a half-move that is read; a game itself goes to `plies`.")                     \
    X(pgn_tags, PGN_INTAKE_TAGS_MAX, "tags",                                                                 \
      "The most tags of a game in a PGN, beside those that its PGN has here in any case.")                   \
    X(pgn_tag_name_bytes, PGN_TAG_NAME_MAX, "bytes", "The longest name of a tag in a PGN.")                  \
    X(pgn_tag_value_bytes, PGN_TAG_VALUE_MAX, "bytes",                                                       \
      "The longest value of a tag in a PGN, the names of the players among them.")                           \
    X(pgn_comment_bytes, PGN_COMMENT_MAX, "bytes",                                                           \
      "The longest comment in a PGN; those before the first move together.")                                 \
    X(pgn_token_bytes, PGN_TOKEN_MAX, "bytes", "The longest word of the movetext of a PGN.")                 \
    X(pgn_texts_bytes, PGN_INTAKE_TEXT_MAX, "bytes",                                                         \
      "The most text that a game of a PGN may bring in its tags and comments.")                              \
    X(pgn_warnings, PGN_WARNINGS_MAX, "warnings", "The most warnings of a game of a PGN that are told.")     \
    X(pgn_tag_errors, PGN_ERRORS_MAX, "errors",                                                              \
      "The most errors in the tags of a game of a PGN that are told.")                                       \
    X(pgn_import_patience_ms, LONG_ANSWER_PATIENCE_MS, "milliseconds",                                       \
      "How long an import or a validation of PGN waits in all for a client that does not read.")             \
    X(clock_text_bytes, TIME_CONTROL_TEXT_MAX, "bytes", "The longest text of a field `clock`.")              \
    X(clock_time_ms, TIME_MS_MAX, "milliseconds",                                                            \
      "The longest single time of a clock: of a stage, an increment, a delay, a bank.")                      \
    X(clock_stages, TIME_STAGES_MAX, "stages", "The most stages of a clock.")                                \
    X(clock_stage_moves, TIME_STAGE_MOVES_MAX, "moves", "The most moves of a stage of a clock.")             \
    X(clock_shown_ms, CLOCK_MS_MAX, "milliseconds", "The most that a clock shows: more is not given.")       \
    X(move_limit, GAME_MOVE_LIMIT_MAX, "moves", "The greatest `move_limit` of the rules of a game.")         \
    X(draw_offers_from_move, GAME_DRAW_OFFERS_FROM_MOVE_MAX, "moves",                                        \
      "The greatest `draw_offers_from_move` of the rules of a game.")                                        \
    X(abandon_after_ms, TIME_MS_MAX, "milliseconds",                                                         \
      "The greatest `abandon_after_ms` of the rules of a game.")                                             \
    X(claim_penalty_ms, TIME_MS_MAX, "milliseconds",                                                         \
      "The greatest `claim_penalty_ms` of the rules of a game.")                                             \
    X(winnable_plies, WINNABLE_LINE_MAX, "plies",                                                            \
      "The longest line to a mate that answers the question who can still win.")                             \
    X(ticket_life_ms, TICKET_LIFE_MS, "milliseconds", "How long a ticket for an event stream is good.")      \
    X(ticket_bytes, TICKET_TEXT_MAX, "bytes", "The longest text of a parameter `ticket`.")                   \
    X(forwarded_hops, FORWARDED_HOPS_MAX, "addresses",                                                       \
      "Of a longer Forwarded or X-Forwarded-For so many are read, the last ones.")                           \
    X(events_replayed_plies, EVENTS_REPLAYED_PLIES, "plies",                                                 \
      "How many half-moves are played again for a cursor because moves were taken back; a snapshot stands "  \
      "for more.")                                                                                           \
    X(position_nodes, WINNABLE_NODES_SMALL, "nodes",                                                         \
      "As `winnable_nodes`, for each side, where GET /v1/positions asks it.")

struct limit_row {
    const char *name, *unit, *sentence;
    size_t at; /* in struct api_limits, where the limit is a setting */
    bool is_fixed;
    int64_t value; /* where it is fixed */
};

static const struct limit_row LIMITS[] = {
#define SETTING_ROW(name, initial, minimum, maximum, unit, sentence)                                         \
    {#name, unit, sentence, offsetof(struct api_limits, name), false, 0},
#define FIXED_ROW(name, value, unit, sentence) {#name, unit, sentence, 0, true, value},
    API_LIMITS(SETTING_ROW) FIXED_LIMITS(FIXED_ROW)
#undef SETTING_ROW
#undef FIXED_ROW
};

static int64_t limit_value(const struct exchange *exchange, const struct limit_row *row)
{
    return row->is_fixed ? row->value : api_limit_at(&exchange->api->settings.limits, row->at);
}

static void view_limit(struct writer *out, const struct exchange *exchange, const struct limit_row *row)
{
    if (exchange->format == FORMAT_TEXT) {
        writer_printf(out, "%-22s %11lld %-12s  %s\n", row->name, (long long)limit_value(exchange, row),
                      row->unit, row->sentence);
        return;
    }
    json_object_begin(out, NULL);
    json_string(out, "name", row->name);
    json_int(out, "value", limit_value(exchange, row));
    json_string(out, "unit", row->unit);
    json_bool(out, "fixed", row->is_fixed);
    json_string(out, "sentence", row->sentence);
    json_object_end(out);
}

/* {data[], next_cursor}: the form of every list; these have one page. */
static void begin_list(struct exchange *exchange, struct writer *out)
{
    reply_cache(exchange, REPLY_FIVE_MINUTES);
    if (exchange->format == FORMAT_TEXT)
        return;
    json_object_begin(out, NULL);
    json_array_begin(out, "data");
}

static enum api_result end_list(struct exchange *exchange, struct writer *out)
{
    if (exchange->format == FORMAT_TEXT)
        return reply_end(exchange);
    json_array_end(out);
    json_null(out, "next_cursor");
    json_object_end(out);
    return reply_end(exchange);
}

enum api_result get_limits(struct exchange *exchange)
{
    struct writer *out = reply_begin(exchange, 200);
    begin_list(exchange, out);
    for (size_t i = 0; i < sizeof LIMITS / sizeof LIMITS[0]; i++)
        view_limit(out, exchange, &LIMITS[i]);
    return end_list(exchange, out);
}

static void view_problem_kind(struct writer *out, const struct exchange *exchange, enum problem_code code)
{
    const struct problem_kind *kind = problem_kind(code);
    char type[64] = "/v1/problems/";
    strncat(type, kind->slug, sizeof type - sizeof "/v1/problems/");
    if (exchange->format == FORMAT_TEXT) {
        writer_printf(out, "%-24s %u  %s\n", kind->slug, kind->status, kind->sentence);
        return;
    }
    json_object_begin(out, NULL);
    json_string(out, "type", type);
    json_string(out, "code", kind->slug);
    json_int(out, "status", kind->status);
    json_string(out, "title", kind->title);
    json_string(out, "sentence", kind->sentence);
    json_object_end(out);
}

enum api_result list_problems(struct exchange *exchange)
{
    struct writer *out = reply_begin(exchange, 200);
    begin_list(exchange, out);
    for (int code = 0; code < PROBLEM_COUNT; code++)
        view_problem_kind(out, exchange, (enum problem_code)code);
    return end_list(exchange, out);
}

enum api_result get_problem(struct exchange *exchange)
{
    enum problem_code code = problem_find(exchange->path.slug);
    if (code == PROBLEM_COUNT)
        return problem_reply(exchange, PROBLEM_NOT_FOUND,
                             "No problem has this name. GET /v1/problems lists them.");
    struct writer *out = reply_begin(exchange, 200);
    reply_cache(exchange, REPLY_FIVE_MINUTES);
    view_problem_kind(out, exchange, code);
    return reply_end(exchange);
}

enum api_result get_version(struct exchange *exchange)
{
    const struct api_service *service = &exchange->api->service;
    struct writer *out = reply_begin(exchange, 200);
    if (exchange->format == FORMAT_TEXT) {
        writer_printf(out, "arbiterd %s\n%s\n", service->version, service->build_info);
        return reply_end(exchange);
    }
    json_object_begin(out, NULL);
    json_string(out, "name", "arbiterd");
    json_string(out, "version", service->version);
    json_string(out, "api", "v1");
    json_string(out, "key_scheme", KEY_SCHEME);
    json_string(out, "build", service->build_info);
    json_object_end(out);
    return reply_end(exchange);
}
