/* validatePgn.
 *
 * What is read within a turn is answered as a whole; else the answer is sent while the games are read
 * (api/long_answer.h). */
#include "api/handlers.h"
#include "api/long_answer.h"
#include "api/pgn_input.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/view_position.h"
#include "games/pgn_intake.h"

enum { PIECE_BYTES = 1024 }; /* read between two looks at the time */

struct check {
    struct exchange *exchange;
    struct import *import;
    struct text_span rest; /* of the text */
    struct long_answer answer;
    struct writer out; /* what has not been put there yet */
    unsigned games, good;
    bool is_sent; /* the head is, or will be: no problem can be told any more */
    bool is_over;
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
    check->games++;
    check->good += game->outcome == IMPORT_GAME_GOOD;
    if (check->exchange->format == FORMAT_TEXT)
        view_text(&check->out, game->faults, game->fault_count);
    else
        view_json(&check->out, game);
    return !check->out.failed;
}

static void take_fault(void *context, const struct pgn_fault *fault)
{
    struct check *check = context;
    check->has_text_fault = true;
    check->text_fault = *fault;
    check->text_fault.token = "";
}

/* ---- the answer ---------------------------------------------------------------------------------------------- */

static void begin_answer(struct check *check)
{
    struct writer *out = &check->out;
    writer_init(out, check->exchange->arena, PIECE_BYTES);
    if (check->exchange->format == FORMAT_TEXT)
        return;
    json_object_begin(out, NULL);
    json_array_begin(out, "games");
}

static void end_answer(struct check *check)
{
    struct writer *out = &check->out;
    if (check->exchange->format == FORMAT_TEXT) {
        view_text(out, &check->text_fault, check->has_text_fault);
        writer_printf(out, "%u of %u games are good\n", check->good, check->games);
        return;
    }
    json_array_end(out);
    view_pgn_faults(out, "faults", &check->text_fault, check->has_text_fault);
    json_object_end(out);
    writer_char(out, '\n');
}

static void read_piece(struct check *check)
{
    size_t length = check->rest.length < PIECE_BYTES ? check->rest.length : PIECE_BYTES;
    const char *piece = check->rest.text;
    check->rest = (struct text_span){piece + length, check->rest.length - length};
    check->status = length ? import_read(check->import, piece, length) : import_end(check->import);
    check->is_over = check->status != IMPORT_GOES_ON;
    if (check->status == IMPORT_DONE)
        end_answer(check);
}

/* What was cut short has no end, so that it is not taken for the whole. */
static void hand_on(struct check *check)
{
    struct writer *out = &check->out;
    check->is_over |= out->failed || !long_answer_put(&check->answer, out->data, out->length);
    out->length = 0;
    if (check->is_over)
        long_answer_end(&check->answer);
}

static void read_for_a_turn(struct check *check)
{
    while (!check->is_over && !long_answer_turn_is_over(&check->answer)) {
        read_piece(check);
        if (check->is_sent)
            hand_on(check);
        else if (check->out.length >= LONG_ANSWER_WAITING_BYTES)
            return;
    }
}

/* Between two games. */
static bool stops(void *context)
{
    struct check *check = context;
    return long_answer_stopped_by(&check->answer) != NULL;
}

/* ---- as a stream --------------------------------------------------------------------------------------------- */

/* To a client who has ended his side a line end, which says nothing in either form: what is written tells whether he has
 * left. */
static size_t read_answer(void *context, enum stream_why why, char *buffer, size_t size, bool *is_end)
{
    struct check *check = context;
    size_t length = long_answer_take(&check->answer, buffer, size, is_end);
    if (length > 0 || *is_end || why != STREAM_QUIET)
        return length;
    buffer[0] = '\n';
    return 1;
}

static void go_on(void *context)
{
    struct check *check = context;
    long_answer_begin_turn(&check->answer);
    read_for_a_turn(check);
    long_answer_begin_rest(&check->answer);
}

static void finish(void *context)
{
    struct check *check = context;
    import_destroy(check->import);
    long_answer_finish(&check->answer);
}

static enum api_result send_while_it_is_read(struct check *check)
{
    const struct response_stream stream = {
        .context = check, .read = read_answer, .work = go_on, .close = finish};
    check->is_sent = reply_stream(check->exchange, &stream);
    if (check->is_sent)
        hand_on(check);
    else
        finish(check);
    return API_DONE;
}

/* ---- the operation ------------------------------------------------------------------------------------------- */

struct census {
    uint64_t most;
    bool is_over;
};

static bool count_game(void *context, const struct pgn_place *place)
{
    struct census *census = context;
    census->is_over = place->index >= census->most;
    return !census->is_over;
}

/* Asked before anything is told. False: no, or memory is out, and a problem was sent. */
static bool may_have_so_many(struct exchange *exchange)
{
    struct text_span body = pgn_input_body(exchange);
    struct import_settings settings = pgn_input_settings(exchange);
    struct census census = {.most = settings.games_max};
    if (body.length <= census.most)
        return true;
    struct pgn_reader *reader = arena_alloc(exchange->arena, sizeof *reader);
    if (!reader)
        return problem_no_memory(exchange);
    const struct pgn_handler handler = {.context = &census, .game_begin = count_game};
    const struct pgn_options options = {.chess960 = settings.chess960};
    pgn_reader_init(reader, &handler, &options);
    if (pgn_read(reader, body.text, body.length))
        (void)pgn_read_end(reader);
    if (census.is_over)
        problem_replyf(exchange, PROBLEM_PAYLOAD_TOO_LARGE,
                       "A PGN may have at most %llu games (limit `pgn_games`).",
                       (unsigned long long)census.most);
    return !census.is_over;
}

/* NULL: memory is out. */
static struct check *create_check(struct exchange *exchange)
{
    struct check *check = arena_zalloc(exchange->arena, sizeof *check);
    if (!check || !long_answer_init(&check->answer, exchange, 0))
        return NULL;
    struct import_settings settings = pgn_input_settings(exchange);
    const struct import_handler handler = {.context = check, .game = take_game, .fault = take_fault};
    settings.validate_only = true;
    settings.stops = stops;
    settings.stops_context = check;
    check->exchange = exchange;
    check->rest = pgn_input_body(exchange);
    check->import = import_create(exchange->api->games, &settings, &handler);
    if (check->import)
        return check;
    finish(check);
    return NULL;
}

static enum api_result answer_whole(struct check *check)
{
    struct exchange *exchange = check->exchange;
    struct writer out = check->out;
    bool is_stopped = check->status == IMPORT_STOPPED && !out.failed;
    bool is_whole = check->status == IMPORT_DONE && !out.failed;
    finish(check);
    if (is_stopped)
        return problem_reply(exchange, PROBLEM_SHUTTING_DOWN, "The service is shutting down.");
    if (!is_whole)
        return problem_out_of_memory(exchange);
    (void)reply_begin(exchange, 200);
    return reply_bytes(exchange, out.data, out.length);
}

enum api_result validate_pgn(struct exchange *exchange)
{
    if (!exchange->request->may_work)
        return API_WORKS;
    if (!may_have_so_many(exchange))
        return API_DONE;
    struct check *check = create_check(exchange);
    if (!check)
        return problem_out_of_memory(exchange);
    begin_answer(check);
    read_for_a_turn(check);
    return check->is_over ? answer_whole(check) : send_while_it_is_read(check);
}
