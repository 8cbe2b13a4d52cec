#include "api/act.h"

#include <string.h>

#include "api/act_refuse.h"
#include "api/answers.h"
#include "api/color_input.h"
#include "api/etag.h"
#include "api/fields.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/retry.h"
#include "api/view_game.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

enum api_result games_fault(struct exchange *exchange, enum games_status status)
{
    switch (status) {
    case GAMES_COLD:
        return API_BLOCKS;
    case GAMES_NOT_FOUND:
        return problem_reply(exchange, PROBLEM_GAME_NOT_FOUND, "There is no game of that id.");
    case GAMES_UNAVAILABLE:
        return problem_reply(exchange, PROBLEM_STORAGE_UNAVAILABLE,
                             "The games cannot be read at the moment.");
    case GAMES_DAMAGED:
        return problem_reply(exchange, PROBLEM_INTERNAL,
                             "What is stored of this game does not add up; tell the operator.");
    case GAMES_OK:
    case GAMES_PENDING:
        break;
    }
    return API_DONE;
}

struct reader {
    struct exchange *exchange;
    void (*view)(void *context, const struct game *game);
    void *context;
    bool hidden;
};

static void read_if_allowed(void *context, const struct game *game)
{
    struct reader *reader = context;
    reader->hidden = !game_may_read(game, &reader->exchange->caller);
    if (!reader->hidden)
        reader->view(reader->context, game);
}

enum games_status game_view(struct exchange *exchange, void (*view)(void *context, const struct game *game),
                            void *context)
{
    struct reader reader = {.exchange = exchange, .view = view, .context = context};
    enum games_status status = games_view(exchange->api->games, exchange->path.id,
                                          exchange->request->may_block, read_if_allowed, &reader);
    return reader.hidden ? GAMES_NOT_FOUND : status;
}

static void view_nothing(void *context, const struct game *game)
{
    (void)context;
    (void)game;
}

enum games_status game_is_there(struct exchange *exchange, const char *id)
{
    return games_view(exchange->api->games, id, exchange->request->may_block, view_nothing, NULL);
}

struct conditional {
    struct exchange *exchange;
    game_reader read;
    bool is_kept;
    struct answer_key key; /* of the answer that `read` has written; count 0: it is not to be kept */
};

static void read_or_find(struct conditional *conditional, const struct game *game)
{
    struct exchange *exchange = conditional->exchange;
    answer_key_of(exchange, game, &conditional->key);
    if (answer_find(exchange, &conditional->key, game))
        conditional->key.count = 0;
    else
        conditional->read(exchange, game);
}

/* A precondition counts only where the request would succeed without it (RFC 9110 13.2.1): what asks for a
 * ply that was not played is answered by `read`. */
static void read_if_changed(void *context, const struct game *game)
{
    struct conditional *conditional = context;
    struct exchange *exchange = conditional->exchange;
    bool there = query_integer(exchange, QUERY_PLY, 0) <= game->head.ply;
    if (there && etag_is_current(exchange, etag_of(exchange, game)))
        game_not_modified(exchange, game);
    else if (conditional->is_kept)
        read_or_find(conditional, game);
    else
        conditional->read(exchange, game);
}

/* What is to be kept is copied when the lock of the game is free again. */
static enum api_result get(struct conditional *conditional)
{
    struct exchange *exchange = conditional->exchange;
    enum api_result result = games_fault(exchange, game_view(exchange, read_if_changed, conditional));
    if (conditional->key.count)
        answer_keep(exchange, &conditional->key);
    return result;
}

enum api_result game_get(struct exchange *exchange, game_reader read)
{
    struct conditional conditional = {.exchange = exchange, .read = read};
    return get(&conditional);
}

enum api_result game_get_kept(struct exchange *exchange, game_reader read)
{
    struct conditional conditional = {.exchange = exchange, .read = read, .is_kept = true};
    return get(&conditional);
}

void game_headers(struct exchange *exchange, const struct game *game)
{
    etag_set(exchange, etag_of(exchange, game));
    bool reads = exchange->method == METHOD_GET || exchange->method == METHOD_HEAD;
    if (reads && game->visibility == VISIBILITY_PRIVATE)
        reply_cache(exchange, "private, no-cache");
    else if (reads && game_is_over(game))
        reply_cache(exchange, REPLY_FIVE_MINUTES);
}

enum api_result game_not_modified(struct exchange *exchange, const struct game *game)
{
    reply_empty(exchange, 304);
    game_headers(exchange, game);
    return exchange->out.failed ? problem_out_of_memory(exchange) : API_DONE;
}

static void brief_member(struct writer *json, const void *context)
{
    view_game_brief(json, context);
}

enum api_result game_problem(struct exchange *exchange, enum problem_code code, const char *detail,
                             const struct game *game)
{
    struct problem problem = {.code = code, .detail = detail, .members = brief_member, .context = game};
    return problem_send(exchange, &problem);
}

/* ---- acting -------------------------------------------------------------------------------------------- */

static void suspend(struct action *action)
{
    exchange_suspend(((struct act *)action->owner)->exchange);
}

static void render(struct action *action, const struct game *game)
{
    struct act *act = action->owner;
    bool stands = action->outcome == ACTION_DONE;
    if (stands || action->outcome == ACTION_REPLAYED)
        act->answer(act, game);
    else if (game && !(act->refuse && act->refuse(act, game)))
        act_refuse(act, game);
    if (!stands || action->validate_only || !act->exchange->retry)
        return;
    action->receipt = retry_receipt(act->exchange);
    action->is_withdrawn = !action->receipt;
}

/* In the writer's thread as a rule: the answer is there, unless the log refused. */
static void done(struct action *action)
{
    struct act *act = action->owner;
    struct exchange *exchange = act->exchange;
    if (action_outcome_is_fault(action->outcome))
        act_fault(exchange, action->outcome);
    action_finish(action);
    exchange_wake(exchange);
}

struct act *act_begin(struct exchange *exchange, enum action_kind kind)
{
    struct act *act = arena_zalloc(exchange->arena, sizeof *act);
    if (!act) {
        problem_out_of_memory(exchange);
        return NULL;
    }
    action_init(&act->action, kind);
    act->exchange = exchange;
    act->answer = act_answer_game;
    act->status = 200;
    act->action.owner = act;
    act->action.suspend = suspend;
    act->action.render = render;
    act->action.done = done;
    act->action.may_block = exchange->request->may_block;
    memcpy(act->action.id, exchange->path.id, sizeof act->action.id);
    if (!exchange->request->received_ms)
        exchange->request->received_ms = games_service_ms(exchange->api->games);
    act->action.received_ms = exchange->request->received_ms;
    act->action.caller = exchange->caller;
    if (etag_condition(exchange, &act->action))
        return act;
    problem_out_of_memory(exchange);
    return NULL;
}

enum api_result act_run(struct act *act)
{
    struct exchange *exchange = act->exchange;
    size_t moves = action_moves(&act->action);
    if (moves > ACT_MOVES_IN_TURN && !exchange->request->may_work)
        return API_WORKS;
    if (moves > GAMES_MOVES_AT_ONCE && !exchange->request->may_block)
        return API_BLOCKS;
    enum games_status status = games_act(exchange->api->games, &act->action);
    if (status == GAMES_PENDING)
        return API_PENDING; /* the exchange belongs to `done` now */
    action_finish(&act->action);
    return status == GAMES_OK ? API_DONE : games_fault(exchange, status);
}

enum api_result act_for_side(struct exchange *exchange, enum action_kind kind, unsigned status,
                             game_line line)
{
    enum game_seat seat;
    if (!color_input_read(exchange, &seat))
        return API_DONE;
    struct act *act = act_begin(exchange, kind);
    if (!act)
        return API_DONE;
    act->action.seat = seat;
    act->status = status;
    act->line = line;
    return act_run(act);
}

enum api_result act_without_input(struct exchange *exchange, enum action_kind kind)
{
    if (!fields_read(exchange, NULL, 0, NULL))
        return API_DONE;
    struct act *act = act_begin(exchange, kind);
    return act ? act_run(act) : API_DONE;
}

void act_answer_end(struct act *act)
{
    struct writer *json = &act->exchange->out;
    json_time(json, "server_time", games_now_ms(act->exchange->api->games));
    json_object_end(json);
}

/* The id, and a line a token. */
static void write_created(struct writer *text, const struct act *act, const struct game *game)
{
    writer_printf(text, "%s\n", game->id);
    for (unsigned i = 0; game->seats && i < GAME_TOKENS; i++)
        writer_printf(text, "%s %s\n", game_role_words[ROLE_WHITE + i], act->action.tokens[i]);
}

static void locate(struct exchange *exchange, const struct game *game)
{
    char *path = arena_alloc(exchange->arena, GAME_PATH_LENGTH + 1);
    if (!path) {
        exchange->out.failed = true;
        return;
    }
    *put_game_path(path, game) = '\0';
    reply_header(exchange, "Location", path);
}

void act_answer_created(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    struct writer *out = reply_begin(exchange, 201);
    if (game->seats)
        arena_wipe_at_end(exchange->arena);
    locate(exchange, game);
    game_headers(exchange, game);
    if (exchange->format == FORMAT_TEXT)
        write_created(out, act, game);
    else
        view_game_created(out, exchange, game, &act->action);
    reply_end(exchange);
}

void act_answer_game(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    bool replayed = act->action.outcome == ACTION_REPLAYED;
    struct writer *out = reply_begin(exchange, replayed ? 200 : act->status);
    game_headers(exchange, game);
    if (replayed)
        reply_header(exchange, "Idempotent-Replayed", "true");
    if (exchange->format != FORMAT_TEXT) {
        json_object_begin(out, NULL);
        view_game(out, "game", exchange, game);
        act_answer_end(act);
    } else if (act->line && !game_is_over(game)) {
        act->line(out, game);
    } else {
        view_result_line(out, game);
    }
    reply_end(exchange);
}

/* Up to one of the stops that does not stand in quotes. */
static size_t span_unquoted(const char *text, const char *stops)
{
    bool quoted = false;
    size_t length = 0;
    for (; text[length] && (quoted || !strchr(stops, text[length])); length++) {
        if (quoted && text[length] == '\\' && text[length + 1])
            length++;
        else if (text[length] == '"')
            quoted = !quoted;
    }
    return length;
}

/* name [= value], where the value may stand in quotes (RFC 7240 2). */
static bool read_preference(struct text_span preference, const char *name, struct text_span *value)
{
    const char *equals = memchr(preference.text, '=', preference.length);
    struct text_span word = {preference.text,
                             equals ? (size_t)(equals - preference.text) : preference.length};
    text_trim(&word.text, &word.length);
    if (!text_is_nocase(word, name))
        return false;
    *value = (struct text_span){preference.text + preference.length, 0};
    if (equals)
        *value = (struct text_span){equals + 1, (size_t)(value->text - equals - 1)};
    text_trim(&value->text, &value->length);
    if (value->length >= 2 && value->text[0] == '"' && value->text[value->length - 1] == '"')
        *value = (struct text_span){value->text + 1, value->length - 2};
    return true;
}

/* Of several the first counts. */
bool act_wants_minimal(const struct exchange *exchange)
{
    const char *list = exchange_header(exchange, HEADER_PREFER);
    while (list && *list) {
        struct text_span value;
        if (read_preference((struct text_span){list, span_unquoted(list, ",;")}, "return", &value))
            return text_is(value, "minimal");
        list += span_unquoted(list, ",");
        list += *list == ',';
    }
    return false;
}
