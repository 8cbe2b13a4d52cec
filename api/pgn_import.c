/* importPgn: its answer is sent while the games are stored, a line a game, each when its game is durable.
 *
 * The text is read piece by piece on a pool thread (api/long_answer.h). */
#include "api/credentials.h"
#include "api/handlers.h"
#include "api/long_answer.h"
#include "api/pgn_input.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/retry.h"

enum {
    /* Others play meanwhile: a move waits for a commit of some thousand rows, not of twenty thousand. */
    GAMES_AT_ONCE = 16,
    /* Read between two looks at the pipe. The shortest game has two bytes, and a line of faults some hundred. */
    PIECE_BYTES = 1024,
    END_BYTES = 512, /* of the last line */
};

struct import_run {
    struct exchange *exchange;
    struct import *import;
    struct text_span rest; /* of the text */
    struct long_answer answer;
    struct arena line_memory;
    struct writer line; /* that is being written */
    uint64_t imported, refused;
    bool is_sent; /* the head is, or will be: nothing but lines can be said any more */
    bool is_over, has_lost_a_line;
    enum import_status status;
    const char *stopped_by; /* IMPORT_STOPPED: why */
};

/* ---- lines --------------------------------------------------------------------------------------------------- */

static struct writer *begin_line(struct import_run *run)
{
    run->line.length = 0;
    run->line.comma = false;
    json_object_begin(&run->line, NULL);
    return &run->line;
}

static void end_line(struct import_run *run)
{
    struct writer *out = &run->line;
    json_object_end(out);
    json_line_end(out);
    run->has_lost_a_line |= out->failed || !long_answer_put(&run->answer, out->data, out->length);
}

/* {index, id}, with what is to be warned of; or {index, faults[]}; or, where the store has failed, {index, code}. */
static bool take_game(void *context, const struct import_game *game)
{
    struct import_run *run = context;
    struct writer *out = begin_line(run);
    json_int(out, "index", game->place.index);
    if (game->outcome == IMPORT_GAME_CREATED)
        json_string(out, "id", game->id);
    if (game->fault_count > 0)
        view_pgn_faults(out, "faults", game->faults, game->fault_count);
    if (game->outcome == IMPORT_GAME_NOT_STORED)
        json_string(out, "code", problem_kind(PROBLEM_STORAGE_UNAVAILABLE)->slug);
    end_line(run);
    run->imported += game->outcome == IMPORT_GAME_CREATED;
    run->refused += game->outcome == IMPORT_GAME_REFUSED;
    return !run->has_lost_a_line;
}

static void take_fault(void *context, const struct pgn_fault *fault)
{
    struct import_run *run = context;
    struct writer *out = begin_line(run);
    json_null(out, "index");
    view_pgn_faults(out, "faults", fault, 1);
    end_line(run);
    run->refused++;
}

/* Why it has ended before the end of the text, and where. */
static void tell_end(struct import_run *run)
{
    struct writer *out = begin_line(run);
    json_bool(out, "done", run->status == IMPORT_DONE);
    json_int(out, "imported", (int64_t)run->imported);
    json_int(out, "refused", (int64_t)run->refused);
    if (run->status != IMPORT_DONE) {
        struct pgn_place next = import_next(run->import);
        json_string(out, "detail",
                    run->status == IMPORT_STOPPED && run->stopped_by ? run->stopped_by
                                                                     : import_status_text(run->status));
        json_object_begin(out, "next");
        json_int(out, "index", next.index);
        json_int(out, "line", next.line);
        json_object_end(out);
    }
    end_line(run);
}

/* ---- the import ---------------------------------------------------------------------------------------------- */

/* Nothing was imported, and nobody has been told anything: the request has failed as a whole. */
static bool has_failed(const struct import_run *run)
{
    return run->imported == 0 && run->status > IMPORT_TOO_MANY && !run->is_sent;
}

/* A repeat of a request that has come to its end changes nothing, and is told the same. */
static void note_whole(struct import_run *run)
{
    const struct retry *retry = run->exchange->retry;
    if (retry && !retry->is_whole && (run->status == IMPORT_DONE || run->status == IMPORT_TOO_MANY))
        retry_mark_whole(run->exchange);
}

/* Where a line was lost for want of memory there is no last one: an answer without it was cut off. */
static void end(struct import_run *run)
{
    run->is_over = true;
    if (has_failed(run))
        return;
    note_whole(run);
    if (!run->has_lost_a_line)
        tell_end(run);
    long_answer_end(&run->answer);
}

static void read_piece(struct import_run *run)
{
    size_t length = run->rest.length < PIECE_BYTES ? run->rest.length : PIECE_BYTES;
    const char *piece = run->rest.text;
    run->rest = (struct text_span){piece + length, run->rest.length - length};
    run->status = length ? import_read(run->import, piece, length) : import_end(run->import);
    if (run->status != IMPORT_GOES_ON)
        end(run);
}

/* So that the store is asked before the status of the answer is decided. */
static bool has_begun(struct import_run *run)
{
    return run->imported > 0 || long_answer_has_much(&run->answer);
}

static void import_until(struct import_run *run, bool (*is_enough)(struct import_run *run))
{
    while (!run->is_over && !is_enough(run))
        read_piece(run);
    if (!run->is_over)
        import_await(run->import);
}

/* Between two games. */
static bool stops(void *context)
{
    struct import_run *run = context;
    run->stopped_by = long_answer_stopped_by(&run->answer);
    return run->stopped_by != NULL;
}

/* ---- as a stream --------------------------------------------------------------------------------------------- */

static size_t read_lines(void *context, enum stream_why why, char *buffer, size_t size, bool *is_end)
{
    struct import_run *run = context;
    (void)why;
    return long_answer_take(&run->answer, buffer, size, is_end);
}

static bool has_had_its_turn(struct import_run *run)
{
    return long_answer_turn_is_over(&run->answer);
}

static void go_on(void *context)
{
    struct import_run *run = context;
    long_answer_begin_turn(&run->answer);
    import_until(run, has_had_its_turn);
    long_answer_begin_rest(&run->answer);
}

static void finish(void *context)
{
    struct import_run *run = context;
    import_destroy(run->import);
    long_answer_finish(&run->answer);
    arena_finish(&run->line_memory);
    retry_end(run->exchange);
}

/* ---- the operation ------------------------------------------------------------------------------------------- */

static struct import *create_import(struct import_run *run)
{
    struct exchange *exchange = run->exchange;
    struct import_settings settings = pgn_input_settings(exchange);
    const struct import_handler handler = {.context = run, .game = take_game, .fault = take_fault};
    settings.games_at_once = GAMES_AT_ONCE;
    settings.stops = stops;
    settings.stops_context = run;
    if (exchange->retry) {
        settings.key = &exchange->retry->key;
        settings.is_repeat = exchange->retry->is_marked;
    }
    return import_create(exchange->api->games, &settings, &handler);
}

/* NULL: memory is out. */
static struct import_run *create_run(struct exchange *exchange)
{
    struct import_run *run = arena_zalloc(exchange->arena, sizeof *run);
    if (!run || !long_answer_init(&run->answer, exchange, END_BYTES))
        return NULL;
    run->exchange = exchange;
    run->rest = pgn_input_body(exchange);
    writer_init(&run->line, &run->line_memory, END_BYTES);
    run->import = create_import(run);
    if (run->import)
        return run;
    finish(run);
    return NULL;
}

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

/* The head is made first: were there no memory for it later, games would be there of which nobody is told. */
static enum api_result answer(struct exchange *exchange, struct import_run *run)
{
    const struct response_stream stream = {
        .context = run, .read = read_lines, .work = go_on, .close = finish};
    if (!reply_stream(exchange, &stream)) {
        finish(run);
        return API_DONE;
    }
    if (exchange->retry && exchange->retry->is_whole)
        reply_header(exchange, "Idempotent-Replayed", "true");
    import_until(run, has_begun);
    run->is_sent = !has_failed(run);
    if (run->is_sent)
        return API_DONE;
    enum import_status status = run->status;
    finish(run);
    return refuse(exchange, status);
}

enum api_result import_pgn(struct exchange *exchange)
{
    if (!credentials_may_create(exchange))
        return API_DONE;
    if (!exchange->request->may_work)
        return API_WORKS;
    if (exchange->retry && !exchange->retry->is_marked && !retry_mark(exchange))
        return API_DONE;
    struct import_run *run = create_run(exchange);
    return run ? answer(exchange, run) : problem_out_of_memory(exchange);
}
