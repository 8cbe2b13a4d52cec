/* Who sits where, the tokens that say so, and what a game shows of itself: names, metadata, visibility. */
#include <string.h>

#include "games/judge.h"

static enum games_status refuse(struct action *action, enum action_outcome outcome, const char *rule)
{
    action->outcome = outcome;
    action->rule = rule;
    return GAMES_OK;
}

/* An open game has no seats. */
static enum games_status refuse_open(struct change *change)
{
    return judge_may(change) ? refuse(change->action, ACTION_FORBIDDEN_BY_RULES, "access") : GAMES_OK;
}

/* A row that ends nothing: the game may be over already, and its end is told once. */
static enum games_status add_row(struct change *change, enum row_kind kind, enum game_seat seat, int64_t now,
                                 const struct payload *payload)
{
    change_add_row(change, kind, seat, now, payload->text);
    return payload->failed ? GAMES_UNAVAILABLE : GAMES_OK;
}

static const char *text_or_empty(const char *text)
{
    return text ? text : "";
}

static struct game_texts texts_of(const struct game *game)
{
    return game->texts ? *game->texts : (struct game_texts){0};
}

/* Replaces the texts of the view. False: memory is out. */
static bool set_texts(struct change *change, const struct game_texts *texts)
{
    change->texts_new = game_texts_empty(texts) ? NULL : game_texts_copy(texts);
    change->view.texts = change->texts_new;
    return change->texts_new || game_texts_empty(texts);
}

static const char **name_of(struct game_texts *texts, enum game_seat seat)
{
    return seat == SEAT_WHITE ? &texts->white_name : &texts->black_name;
}

static bool set_name(struct change *change, enum game_seat seat, const char *name)
{
    struct game_texts texts = texts_of(&change->live->game);
    *name_of(&texts, seat) = name;
    return set_texts(change, &texts);
}

static bool is_named(const struct game *game, enum game_seat seat, const char *name)
{
    struct game_texts texts = texts_of(game);
    const char *present = *name_of(&texts, seat);
    return name && present ? strcmp(name, present) == 0 : name == present;
}

/* The seat that is asked for: one's own, one by its colour, or of the free ones any. SEAT_NONE: it is taken. */
static enum game_seat choose_seat(const struct game_seats *seats, const struct action *action)
{
    if (action->actor != SEAT_NONE)
        return action->actor;
    const bool *taken = seats->taken;
    enum game_seat seat = action->place.seat;
    if (seat == SEAT_NONE && !taken[COLOR_WHITE] && !taken[COLOR_BLACK])
        return secret_coin() ? SEAT_WHITE : SEAT_BLACK;
    if (seat == SEAT_NONE)
        seat = taken[COLOR_WHITE] ? SEAT_BLACK : SEAT_WHITE;
    return taken[game_color(seat)] ? SEAT_NONE : seat;
}

static enum games_status take_seat(struct change *change, struct games *games, enum game_seat seat)
{
    struct action *action = change->action;
    struct game *view = &change->view;
    struct game_seats *seats = &change->seats;
    int64_t now = judge_now_ms(change, games);
    enum game_role role = game_seat_role(seat);
    if (action->actor == SEAT_NONE)
        seats_issue(seats, role, action->tokens[role - ROLE_WHITE]);
    action->actor = seat;
    seats->taken[game_color(seat)] = true;
    bool starts = view->head.status == GAME_WAITING && seats->taken[COLOR_WHITE] && seats->taken[COLOR_BLACK];
    if (starts)
        advance_start(view, action->received_ms, now);
    struct payload payload = {0};
    payload_add(&payload, "starts", starts ? "1" : NULL);
    if (action->place.sets_name)
        payload_add(&payload, "name", text_or_empty(action->place.name));
    if (action->place.sets_name && !set_name(change, seat, action->place.name))
        payload.failed = true;
    return add_row(change, ROW_SEAT_TAKEN, seat, now, &payload);
}

enum games_status judge_take_seat(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    const struct action_place *place = &action->place;
    secret_forget(action->tokens, sizeof action->tokens);
    if (!game->seats)
        return refuse_open(change);
    if (action->caller.has_token && game_role_of(game, &action->caller) == ROLE_NONE)
        return refuse(action, ACTION_TOKEN_INVALID, NULL);
    if (action->actor && game_seat_is_taken(game, action->actor) &&
        (!place->sets_name || is_named(game, action->actor, place->name)))
        return refuse(action, ACTION_REPLAYED, NULL);
    if (!judge_may(change))
        return GAMES_OK;
    enum game_seat seat = choose_seat(game->seats, action);
    if (seat == SEAT_NONE)
        return refuse(action, ACTION_SEAT_TAKEN, NULL);
    return take_seat(change, games, seat);
}

/* 6.6: White's clock runs from the start of the game until he moves, and he neither stops it nor sets it back by leaving and
 * coming again. Whoever is not White may let the game wait for another player. */
static bool may_be_left(const struct game *game, const struct action *action)
{
    return game->head.ply == 0 && (action->actor == SEAT_NONE || action->actor != game_running(game));
}

enum games_status judge_leave_seat(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct game *game = &change->live->game;
    enum game_seat seat = action->place.seat;
    char nobodys[SECRET_TOKEN_SIZE];
    if (!game->seats)
        return refuse_open(change);
    if (!game_seat_is_taken(game, seat))
        return refuse(action, ACTION_REPLAYED, NULL);
    if (!judge_may(change))
        return GAMES_OK;
    if (!may_be_left(game, action))
        return refuse(action, ACTION_FORBIDDEN_BY_RULES, "seats");
    change->seats.taken[game_color(seat)] = false;
    seats_issue(&change->seats, game_seat_role(seat), nobodys);
    secret_forget(nobodys, sizeof nobodys);
    advance_wait(&change->view.head);
    struct payload payload = {.failed = !set_name(change, seat, NULL)};
    return add_row(change, ROW_SEAT_LEFT, seat, judge_now_ms(change, games), &payload);
}

enum games_status judge_renew_token(struct change *change, struct games *games)
{
    struct action *action = change->action;
    enum game_role role = action->renewed;
    if (!change->live->game.seats)
        return refuse_open(change);
    if (!judge_may(change))
        return GAMES_OK;
    seats_issue(&change->seats, role, action->tokens[role - ROLE_WHITE]);
    struct payload payload = {0};
    payload_add(&payload, "role", game_role_words[role]);
    return add_row(change, ROW_TOKEN_RENEWED, game_role_seat(role), judge_now_ms(change, games), &payload);
}

static void add_update(struct payload *payload, const struct action_update *update)
{
    if (update->sets_white)
        payload_add(payload, "white", text_or_empty(update->texts.white_name));
    if (update->sets_black)
        payload_add(payload, "black", text_or_empty(update->texts.black_name));
    if (update->sets_metadata)
        payload_add(payload, "metadata", text_or_empty(update->texts.metadata));
    if (update->sets_visibility)
        payload_add(payload, "visibility", game_visibility_name(update->visibility));
}

static bool update_texts(struct change *change, const struct action_update *update)
{
    struct game_texts texts = texts_of(&change->live->game);
    if (update->sets_white)
        texts.white_name = update->texts.white_name;
    if (update->sets_black)
        texts.black_name = update->texts.black_name;
    if (update->sets_metadata)
        texts.metadata = update->texts.metadata;
    return set_texts(change, &texts);
}

/* Nothing and an empty text are the same. */
static bool is_same(const char *a, const char *b)
{
    return strcmp(text_or_empty(a), text_or_empty(b)) == 0;
}

static bool is_so_already(const struct game *game, const struct action_update *update)
{
    const struct game_texts texts = texts_of(game);
    return (!update->sets_white || is_same(texts.white_name, update->texts.white_name)) &&
           (!update->sets_black || is_same(texts.black_name, update->texts.black_name)) &&
           (!update->sets_metadata || is_same(texts.metadata, update->texts.metadata)) &&
           (!update->sets_visibility || game->visibility == (uint8_t)update->visibility);
}

enum games_status judge_update(struct change *change, struct games *games)
{
    struct action *action = change->action;
    const struct action_update *update = &action->update;
    if (!judge_may(change))
        return GAMES_OK;
    if (update->sets_visibility && update->visibility == VISIBILITY_PRIVATE && !change->live->game.seats)
        return refuse(action, ACTION_NEEDS_SEATS, NULL);
    if (is_so_already(&change->live->game, update))
        return refuse(action, ACTION_REPLAYED, NULL);
    if (update->sets_visibility)
        change->view.visibility = (uint8_t)update->visibility;
    struct payload payload = {0};
    add_update(&payload, update);
    if ((update->sets_white || update->sets_black || update->sets_metadata) && !update_texts(change, update))
        payload.failed = true;
    return add_row(change, ROW_UPDATED, SEAT_NONE, judge_now_ms(change, games), &payload);
}
