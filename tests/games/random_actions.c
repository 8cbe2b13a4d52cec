#include "tests/games/random_actions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rules/movegen.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* ---- numbers ------------------------------------------------------------------------------------------ */

struct random random_begin(uint64_t seed, uint64_t stream)
{
    struct random random = {.state = seed ^ (stream + 1) * UINT64_C(0xD1342543DE82EF95)};
    (void)random_next(&random);
    return random;
}

uint64_t random_next(struct random *random)
{
    return chance_next(&random->state);
}

unsigned random_below(struct random *random, unsigned n)
{
    return chance_below(&random->state, n);
}

bool random_chance(struct random *random, unsigned percent)
{
    return random_below(random, 100) < percent;
}

unsigned random_work(unsigned usual)
{
    const char *asked = getenv("TEST_GAMES");
    if (asked && *asked)
        return (unsigned)strtoul(asked, NULL, 10);
    return SANITIZED ? usual / 5 + 1 : usual;
}

/* ---- what somebody may want --------------------------------------------------------------------------- */

const char *random_text(struct random *random)
{
    static const char *const texts[] = {NULL,      "",      "plain", "two\nlines", "back\\slash\\n",
                                        "end=x\n", "größe", "\\",    "a=b",        "{\"k\":\"v\"}"};
    return texts[random_below(random, sizeof texts / sizeof texts[0])];
}

/* The move that takes back one's last one, where it is legal: games that repeat are rare otherwise. */
static move backward_move(const struct movelist *list, const struct game *game)
{
    if (game->head.ply < 2)
        return MOVE_NONE;
    move last = game->moves[game->head.ply - 2];
    for (unsigned i = 0; i < list->count; i++)
        if (move_from(list->moves[i]) == move_to(last) && move_to(list->moves[i]) == move_from(last))
            return list->moves[i];
    return MOVE_NONE;
}

/* A move after which the opponent has none. */
static move last_move(const struct movelist *list, const struct game *game)
{
    for (unsigned i = 0; i < list->count; i++) {
        struct position after;
        position_play(&game->head.position, list->moves[i], &after);
        if (movegen_count(&after) == 0)
            return list->moves[i];
    }
    return MOVE_NONE;
}

static move random_move(struct random *random, const struct game *game)
{
    struct movelist list;
    movegen_legal(&game->head.position, &list);
    if (list.count == 0)
        return MOVE_NONE;
    unsigned wish = random_below(random, 100);
    if (random->shuffles)
        wish /= 3;
    move wanted = wish < 40 ? backward_move(&list, game) : wish < 60 ? last_move(&list, game) : MOVE_NONE;
    return wanted != MOVE_NONE ? wanted : list.moves[random_below(random, list.count)];
}

enum { WORD_SIZE = 12 };

static void random_word(struct random *random, const struct game *game, char word[WORD_SIZE])
{
    static const char *const nonsense[] = {"e4", "Ke2", "0000", "a8=K", "%", "O-O", "e9"};
    move m = random_chance(random, 85) ? random_move(random, game) : MOVE_NONE;
    if (m == MOVE_NONE)
        snprintf(word, WORD_SIZE, "%s", nonsense[random_below(random, sizeof nonsense / sizeof nonsense[0])]);
    else if (random_chance(random, 50))
        notation_format_uci(&game->head.position, m, word);
    else
        notation_format_san(&game->head.position, m, word);
}

static void fill_move(struct random *random, struct deed *deed, const struct game *game)
{
    char word[WORD_SIZE];
    random_word(random, game, word);
    deed_set_moves(deed, word);
    unsigned aim = random_below(random, 10);
    if (aim < 3)
        deed->action.ply = game->head.ply + 1U;
    if (aim == 3)
        deed->action.ply = random_below(random, game->head.ply + 3U);
    if (aim == 4 && game->head.ply) { /* the last move once more */
        deed->action.ply = game->head.ply;
        struct attempt again = {.from = move_from(game->moves[game->head.ply - 1]),
                                .to = move_to(game->moves[game->head.ply - 1]),
                                .from_file = ATTEMPT_NOT_SAID,
                                .from_rank = ATTEMPT_NOT_SAID,
                                .promotion = move_promotion(game->moves[game->head.ply - 1])};
        deed->inputs[0].text = NULL;
        deed->inputs[0].attempt = again;
    }
    if (aim == 5) {
        deed_set_moves(deed, random_chance(random, 50) ? "Nf3 Nf6 Ng1 Ng8" : "Kd2 Kd7 Ke1 Ke8");
        deed->action.ply = random_chance(random, 50) ? game->head.ply + 1U : 0;
    }
    if (random_chance(random, 30))
        deed->inputs[deed->input_count - 1].comment = random_text(random);
    if (random_chance(random, 15))
        deed->inputs[random_below(random, (unsigned)deed->input_count)].draw_offer = true;
}

static void fill_claim(struct random *random, struct deed *deed, const struct game *game)
{
    deed->action.claim.reason = (enum claim_reason)random_below(random, CLAIM_REASON_COUNT);
    char word[WORD_SIZE];
    random_word(random, game, word);
    if (random_chance(random, 50))
        deed_set_moves(deed, word);
}

static void fill_update(struct random *random, struct deed *deed)
{
    unsigned sets = random_below(random, 16);
    deed->action.update = (struct action_update){
        .sets_white = sets & 1,
        .sets_black = sets >> 1 & 1,
        .sets_metadata = sets >> 2 & 1,
        .sets_visibility = sets >> 3 & 1,
        .texts = {.white_name = random_text(random),
                  .black_name = random_text(random),
                  .metadata = random_text(random)},
        .visibility = (enum game_visibility)random_below(random, VISIBILITY_COUNT),
    };
}

static enum game_seat random_seat(struct random *random)
{
    return (enum game_seat)random_below(random, SEAT_COUNT);
}

static void fill_takeback(struct random *random, struct deed *deed, const struct game *game)
{
    deed->action.takeback = (struct action_takeback){
        .seat = random_seat(random),
        .has_ply = random_chance(random, 30),
        .to_ply = random_below(random, game->head.ply + 2U),
    };
}

static void fill_adjudication(struct random *random, struct deed *deed)
{
    enum game_result result = (enum game_result)(RESULT_WHITE_WINS + random_below(random, RESULT_COUNT - 1));
    deed->action.adjudicate = (struct action_adjudicate){.result = result, .comment = random_text(random)};
}

static void fill_time(struct random *random, struct deed *deed)
{
    bool much = random_chance(random, 10);
    deed->action.add_time = (struct action_add_time){
        .seat = random_chance(random, 50) ? SEAT_WHITE : SEAT_BLACK,
        .ms = 1 + random_below(random, much ? TIME_MS_MAX : 5000),
    };
}

/* Nobody leaves a seat that has no colour. */
static void fill_place(struct random *random, struct deed *deed)
{
    bool leaves = deed->action.kind == ACTION_LEAVE_SEAT;
    deed->action.place = (struct action_place){
        .seat = leaves ? (random_chance(random, 50) ? SEAT_WHITE : SEAT_BLACK) : random_seat(random),
        .sets_name = random_chance(random, 50),
        .name = random_text(random),
    };
}

/* Mostly who may: the side to move, or the creator; then anybody. */
static void fill_caller(struct random *random, struct deed *deed, const struct game *game)
{
    struct caller *caller = &deed->action.caller;
    enum game_role role = game_turn(game) == SEAT_WHITE ? ROLE_WHITE : ROLE_BLACK;
    if (!game->seats)
        return;
    if (random_chance(random, 30))
        role = (enum game_role)random_below(random, ROLE_COUNT);
    caller->is_operator = role == ROLE_OPERATOR;
    caller->has_token = role != ROLE_NONE || random_chance(random, 50);
    if (role >= ROLE_WHITE && role <= ROLE_CREATOR)
        memcpy(caller->digest, game->seats->digests[role - ROLE_WHITE], sizeof caller->digest);
}

static void fill_kind(struct random *random, struct deed *deed, const struct game *game)
{
    switch (deed->action.kind) {
    case ACTION_MOVE:
        fill_move(random, deed, game);
        break;
    case ACTION_CLAIM:
        fill_claim(random, deed, game);
        break;
    case ACTION_UPDATE:
        fill_update(random, deed);
        break;
    case ACTION_UNDO:
        deed->action.undo_plies = random_below(random, random_chance(random, 80) ? 4 : game->head.ply + 3U);
        break;
    case ACTION_TAKEBACK:
        fill_takeback(random, deed, game);
        break;
    case ACTION_ADJUDICATE:
        fill_adjudication(random, deed);
        break;
    case ACTION_ADD_TIME:
        fill_time(random, deed);
        break;
    case ACTION_OFFER_DRAW:
    case ACTION_ACCEPT_DRAW:
    case ACTION_DECLINE_DRAW:
    case ACTION_RESIGN:
    case ACTION_ACCEPT_TAKEBACK:
    case ACTION_DECLINE_TAKEBACK:
    case ACTION_WITHDRAW_TAKEBACK:
    case ACTION_ILLEGAL_MOVE:
        deed->action.seat = random_seat(random);
        break;
    case ACTION_TAKE_SEAT:
    case ACTION_LEAVE_SEAT:
        fill_place(random, deed);
        break;
    case ACTION_RENEW_TOKEN:
        deed->action.renewed = (enum game_role)(ROLE_WHITE + random_below(random, GAME_TOKENS));
        break;
    case ACTION_CREATE:
    case ACTION_ABORT:
    case ACTION_FLAG:
    case ACTION_ABANDON:
    case ACTION_DELETE:
    case ACTION_KIND_COUNT:
        break;
    }
}

void random_fill(struct random *random, struct deed *deed, const struct game *game)
{
    fill_kind(random, deed, game);
    fill_caller(random, deed, game);
    if (random_chance(random, 15))
        deed_if_version(deed, game->head.version - (random_chance(random, 30) ? 1 : 0));
    deed->action.validate_only = random_chance(random, 5);
}

enum action_kind random_kind(struct random *random, bool removes)
{
    /* In a thousand; what is left are moves. */
    static const struct {
        enum action_kind kind;
        unsigned share;
    } shares[] = {
        {ACTION_UNDO, 50},
        {ACTION_CLAIM, 50},
        {ACTION_UPDATE, 40},
        {ACTION_OFFER_DRAW, 40},
        {ACTION_ACCEPT_DRAW, 12},
        {ACTION_DECLINE_DRAW, 15},
        {ACTION_TAKEBACK, 40},
        {ACTION_ACCEPT_TAKEBACK, 25},
        {ACTION_DECLINE_TAKEBACK, 10},
        {ACTION_WITHDRAW_TAKEBACK, 8},
        {ACTION_FLAG, 15},
        {ACTION_ADD_TIME, 20},
        {ACTION_ILLEGAL_MOVE, 8},
        {ACTION_ADJUDICATE, 4},
        {ACTION_RESIGN, 6},
        {ACTION_ABANDON, 5},
        {ACTION_ABORT, 4},
        {ACTION_TAKE_SEAT, 30},
        {ACTION_LEAVE_SEAT, 10},
        {ACTION_RENEW_TOKEN, 10},
    };
    unsigned n = random_below(random, 1000);
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        if (n < shares[i].share)
            return shares[i].kind;
        n -= shares[i].share;
    }
    return n < 3 && removes ? ACTION_DELETE : ACTION_MOVE;
}
