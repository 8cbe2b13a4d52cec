/* importPgn. */
#include "api/credentials.h"
#include "api/handlers.h"
#include "api/pgn_input.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/retry.h"

struct import_run {
    struct exchange *exchange;
    uint64_t imported, refused;
    uint64_t repeated; /* of those imported: by an earlier request with the same key */
    enum import_status status;
    struct pgn_place next;
};

/* {index, id}, with what is to be warned of; or {index, faults[]}; or, where the store has failed, {index, code}. */
static bool take_game(void *context, const struct import_game *game)
{
    struct import_run *run = context;
    struct writer *out = &run->exchange->out;
    json_object_begin(out, NULL);
    json_int(out, "index", game->place.index);
    if (game->outcome == IMPORT_GAME_CREATED)
        json_string(out, "id", game->id);
    if (game->fault_count > 0)
        view_pgn_faults(out, "faults", game->faults, game->fault_count);
    if (game->outcome == IMPORT_GAME_NOT_STORED)
        json_string(out, "code", problem_kind(PROBLEM_STORAGE_UNAVAILABLE)->slug);
    json_object_end(out);
    json_line_end(out);
    run->imported += game->outcome == IMPORT_GAME_CREATED;
    run->repeated += game->is_repeated;
    run->refused += game->outcome == IMPORT_GAME_REFUSED;
    return true;
}

static void take_fault(void *context, const struct pgn_fault *fault)
{
    struct import_run *run = context;
    struct writer *out = &run->exchange->out;
    json_object_begin(out, NULL);
    json_null(out, "index");
    view_pgn_faults(out, "faults", fault, 1);
    json_object_end(out);
    json_line_end(out);
    run->refused++;
}

/* Others play meanwhile: a move waits for a commit of some thousand rows, not of twenty thousand. */
enum { GAMES_AT_ONCE = 16 };

/* Between two games: the service is about to end. */
static bool stops(void *context)
{
    const struct import_run *run = context;
    const struct api *api = run->exchange->api;
    return !api->service.accepts_work(api->service.context);
}

static void run_import(struct import_run *run)
{
    struct exchange *exchange = run->exchange;
    struct text_span body = pgn_input_body(exchange);
    struct import_settings settings = pgn_input_settings(exchange);
    const struct import_handler handler = {.context = run, .game = take_game, .fault = take_fault};
    settings.games_at_once = GAMES_AT_ONCE;
    settings.stops = stops;
    settings.stops_context = run;
    if (exchange->retry) {
        settings.key = &exchange->retry->key;
        settings.is_repeat = exchange->retry->is_marked;
    }
    struct import *import = import_create(exchange->api->games, &settings, &handler);
    run->status = import ? import_read(import, body.text, body.length) : IMPORT_NO_MEMORY;
    if (run->status == IMPORT_GOES_ON)
        run->status = import_end(import);
    if (import)
        run->next = import_next(import);
    import_destroy(import);
}

/* Why it has ended before the end of the text, and where. */
static void view_end(struct writer *out, const struct import_run *run)
{
    json_object_begin(out, NULL);
    json_bool(out, "done", run->status == IMPORT_DONE);
    json_int(out, "imported", (int64_t)run->imported);
    json_int(out, "refused", (int64_t)run->refused);
    if (run->status != IMPORT_DONE) {
        json_string(out, "detail",
                    run->status == IMPORT_STOPPED ? "the service is shutting down"
                                                  : import_status_text(run->status));
        json_object_begin(out, "next");
        json_int(out, "index", run->next.index);
        json_int(out, "line", run->next.line);
        json_object_end(out);
    }
    json_object_end(out);
}

/* Where nothing was imported the request has failed as a whole. */
static enum api_result refuse(struct exchange *exchange, enum import_status status)
{
    if (status == IMPORT_NO_MEMORY)
        return problem_out_of_memory(exchange);
    if (status == IMPORT_KEY_REUSED)
        return problem_reply(exchange, PROBLEM_IDEMPOTENCY_KEY_REUSED,
                             "This Idempotency-Key was sent with another file: use a new key for a new one.");
    return problem_replyf(exchange,
                          status == IMPORT_STORE_BUSY ? PROBLEM_STORAGE_BUSY : PROBLEM_STORAGE_UNAVAILABLE,
                          "No game was imported: %s.", import_status_text(status));
}

enum api_result import_pgn(struct exchange *exchange)
{
    struct import_run run = {.exchange = exchange};
    if (!credentials_may_create(exchange))
        return API_DONE;
    if (!exchange->request->may_block)
        return API_BLOCKS;
    if (exchange->retry && !exchange->retry->is_marked && !retry_mark(exchange))
        return API_DONE;
    struct writer *out = reply_begin(exchange, 200);
    run_import(&run);
    if (run.imported == 0 && run.status > IMPORT_TOO_MANY)
        return refuse(exchange, run.status);
    view_end(out, &run);
    if (run.repeated > 0 && run.repeated == run.imported)
        reply_header(exchange, "Idempotent-Replayed", "true");
    return reply_end(exchange);
}
