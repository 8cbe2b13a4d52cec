/* validatePgn. */
#include "api/handlers.h"
#include "api/pgn_input.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/view_position.h"
#include "games/pgn_intake.h"

struct check {
    struct exchange *exchange;
    unsigned games, good;
    enum import_status status;
    struct pgn_fault text_fault; /* of the text as a whole */
    bool has_text_fault;
};

static void view_tags(struct writer *json, const struct import_game *game)
{
    json_object_begin(json, "tags");
    for (size_t i = 0; i < game->tag_count; i++)
        json_string_named(json, game->tags[i].name, game->tags[i].value);
    json_object_end(json);
}

static void view_json(struct writer *json, const struct import_game *game)
{
    json_object_begin(json, NULL);
    json_int(json, "plies", game->plies);
    if (game->final)
        view_fen(json, "fen", game->final, FEN_EN_PASSANT_LEGAL);
    else
        json_null(json, "fen");
    json_string(json, "result", game_result_name(game->result));
    json_string(json, "termination", game_termination_name(game->termination));
    view_tags(json, game);
    view_pgn_faults(json, "faults", game->faults, game->fault_count);
    json_object_end(json);
}

/* One fault a line, as compilers write it. */
static void view_text(struct writer *text, const struct pgn_fault *faults, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct pgn_fault *fault = &faults[i];
        writer_printf(text, "%u:%u: %s: %s: %s", fault->line, fault->column,
                      pgn_severity_name(fault->severity), pgn_fault_code_name(fault->code), fault->detail);
        if (*fault->token) {
            writer_text(text, " (");
            writer_line(text, fault->token);
            writer_char(text, ')');
        }
        writer_char(text, '\n');
    }
}

static bool take_game(void *context, const struct import_game *game)
{
    struct check *check = context;
    struct exchange *exchange = check->exchange;
    check->games++;
    check->good += game->outcome == IMPORT_GAME_GOOD;
    if (exchange->format == FORMAT_TEXT)
        view_text(&exchange->out, game->faults, game->fault_count);
    else
        view_json(&exchange->out, game);
    return true;
}

static void take_fault(void *context, const struct pgn_fault *fault)
{
    struct check *check = context;
    check->has_text_fault = true;
    check->text_fault = *fault;
    check->text_fault.token = "";
}

static void read_games(struct check *check)
{
    struct exchange *exchange = check->exchange;
    struct text_span body = pgn_input_body(exchange);
    struct import_settings settings = pgn_input_settings(exchange);
    const struct import_handler handler = {.context = check, .game = take_game, .fault = take_fault};
    settings.validate_only = true;
    struct import *import = import_create(exchange->api->games, &settings, &handler);
    check->status = import ? import_read(import, body.text, body.length) : IMPORT_NO_MEMORY;
    if (check->status == IMPORT_GOES_ON)
        check->status = import_end(import);
    import_destroy(import);
}

static void end_answer(struct check *check)
{
    struct writer *out = &check->exchange->out;
    if (check->exchange->format == FORMAT_TEXT) {
        view_text(out, &check->text_fault, check->has_text_fault);
        writer_printf(out, "%u of %u games are good\n", check->good, check->games);
        return;
    }
    json_array_end(out);
    view_pgn_faults(out, "faults", &check->text_fault, check->has_text_fault);
    json_object_end(out);
}

enum api_result validate_pgn(struct exchange *exchange)
{
    struct check check = {.exchange = exchange};
    if (!exchange->request->may_work)
        return API_WORKS;
    struct writer *out = reply_begin(exchange, 200);
    if (exchange->format == FORMAT_JSON) {
        json_object_begin(out, NULL);
        json_array_begin(out, "games");
    }
    read_games(&check);
    if (check.status == IMPORT_NO_MEMORY)
        return problem_out_of_memory(exchange);
    if (check.status == IMPORT_TOO_MANY)
        return problem_replyf(exchange, PROBLEM_PAYLOAD_TOO_LARGE,
                              "A PGN may have at most %lld games (limit `pgn_games`).",
                              (long long)exchange->api->settings.limits.pgn_games);
    end_answer(&check);
    return reply_end(exchange);
}
