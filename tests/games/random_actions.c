#include "tests/games/random_actions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rules/chess960.h"
#include "rules/fen.h"
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

uint64_t random_seed(void)
{
    const char *asked = getenv("ARBITER_TEST_SEED");
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t seed =
        asked ? strtoull(asked, NULL, 10) : (uint64_t)now.tv_sec * 1000003U ^ (uint64_t)now.tv_nsec;
    printf("ARBITER_TEST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

struct random random_begin(uint64_t seed, uint64_t stream)
{
    struct random random = {seed ^ (stream + 1) * UINT64_C(0xD1342543DE82EF95)};
    (void)random_next(&random);
    return random;
}

uint64_t random_next(struct random *random) /* SplitMix64 */
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

unsigned random_below(struct random *random, unsigned n)
{
    return (unsigned)(random_next(random) % n);
}

bool random_chance(struct random *random, unsigned percent)
{
    return random_below(random, 100) < percent;
}

unsigned random_work(unsigned usual)
{
    const char *asked = getenv("ARBITER_TEST_GAMES");
    if (asked && *asked)
        return (unsigned)strtoul(asked, NULL, 10);
    return SANITIZED ? usual / 5 + 1 : usual;
}

/* ---- games -------------------------------------------------------------------------------------------- */

static const char *const starts[] = {
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "4k3/8/8/8/8/8/8/R3K3 w - - 96 80",
    "4k3/8/8/8/8/8/8/R3K3 w - - 146 120",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 147 120",
    "8/8/8/4k3/3P4/8/8/4K3 b - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "4k3/1p1p1p1p/8/P1P1P1P1/8/8/8/4K3 b - - 5 9",
    "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1",
    "8/8/4k3/8/8/3KN3/8/8 w - - 0 1",
    "k7/8/1K6/8/8/8/8/7R w - - 99 99",
};

static struct game_rules random_rules(struct random *random)
{
    struct game_rules rules = game_rules_default(random_chance(random, 30) ? PROFILE_ONLINE : PROFILE_FIDE);
    if (random_chance(random, 30)) {
        rules.fivefold = random_chance(random, 50);
        rules.seventyfive = random_chance(random, 50);
        rules.failed_claim = (uint8_t)random_below(random, FAILED_CLAIM_COUNT);
        rules.auto_claim = (uint8_t)(random_below(random, 4) << CLAIM_THREEFOLD);
        rules.dead = random_chance(random, 50) ? ENDING_DEAD_OFF : ENDING_DEAD_MATERIAL;
    }
    return rules;
}

static const char *random_text(struct random *random)
{
    static const char *const texts[] = {NULL,      "",      "plain", "two\nlines", "back\\slash\\n",
                                        "end=x\n", "größe", "\\",    "a=b",        "{\"k\":\"v\"}"};
    return texts[random_below(random, sizeof texts / sizeof texts[0])];
}

void random_create(struct random *random, struct deed *deed, struct position *start)
{
    struct action_create *create = &deed->action.create;
    unsigned kind = random_below(random, 5);
    struct setup_report report = {0};
    if (kind == 0) {
        *start = chess960_position(random_below(random, CHESS960_COUNT));
        create->start = start;
    } else if (kind <= 2) {
        const char *fen = starts[random_below(random, sizeof starts / sizeof starts[0])];
        if (fen_parse(fen, strlen(fen), false, start, &report))
            create->start = start;
    }
    create->rules = random_rules(random);
    create->visibility = (enum game_visibility)random_below(random, VISIBILITY_COUNT);
    create->texts = (struct game_texts){.white_name = random_text(random),
                                        .black_name = random_text(random),
                                        .metadata = random_text(random)};
    if (kind == 3)
        deed_set_moves(deed, random_chance(random, 50) ? "Nf3 Nf6 Ng1 Ng8" : "f3 e5 g4");
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

void random_fill(struct random *random, struct deed *deed, const struct game *game)
{
    if (deed->action.kind == ACTION_MOVE)
        fill_move(random, deed, game);
    if (deed->action.kind == ACTION_CLAIM)
        fill_claim(random, deed, game);
    if (deed->action.kind == ACTION_UPDATE)
        fill_update(random, deed);
    if (deed->action.kind == ACTION_UNDO)
        deed->action.undo_plies = random_below(random, random_chance(random, 80) ? 4 : game->head.ply + 3U);
    if (deed->action.kind == ACTION_RESIGN)
        deed->action.seat = (enum game_seat)random_below(random, SEAT_COUNT);
    if (random_chance(random, 15))
        deed_if_version(deed, game->head.version - (random_chance(random, 30) ? 1 : 0));
    deed->action.validate_only = random_chance(random, 5);
}

enum action_kind random_kind(struct random *random, bool removes)
{
    unsigned n = random_below(random, 1000);
    if (n < 780)
        return ACTION_MOVE;
    if (n < 860)
        return ACTION_UNDO;
    if (n < 920)
        return ACTION_CLAIM;
    if (n < 980)
        return ACTION_UPDATE;
    if (n < 988)
        return ACTION_RESIGN;
    return n < 996 || !removes ? ACTION_ABORT : ACTION_DELETE;
}
