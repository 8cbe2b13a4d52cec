/* What a game in memory costs: counted by the registry, and by the allocator. That a game at rest is the same game is
 * asked of every game that a test folds (club_stored). */
#include "games/rest.h"

#include <malloc.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/fold.h"
#include "tests/support/games_club.h"

/* A sanitizer's allocator has other sizes. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { SIZES_ARE_GLIBC = false };
#else
enum { SIZES_ARE_GLIBC = true };
#endif

enum { WORD_BEFORE = 8 };

/* What the allocator says of a block. */
static size_t block(void *at)
{
    return at ? malloc_usable_size(at) + WORD_BEFORE : 0;
}

static size_t owned(const struct game *game)
{
    return block(game->start) + block(game->texts) + block(game->clock) + block(game->seats) +
           block(game->head.comment) + block(game->head.end.comment) + block(game->head.end.decision);
}

struct cost {
    size_t awake, resting;
};

static struct cost cost_of(struct club *club, const char *id)
{
    struct cost cost;
    struct live *live = NULL;
    assert_int_equal(fold_load(club->storage, id, NULL, &live), GAMES_OK);
    struct game *game = &live->game;
    cost.awake = live_bytes(live);
    if (SIZES_ARE_GLIBC)
        assert_int_equal(cost.awake, block(live) + block(game->moves) + block(game->keys) + owned(game));
    struct rest *rest = rest_create(live);
    assert_non_null(rest);
    live_leave(live);
    struct game view = rest_view(rest);
    cost.resting = rest_bytes(rest);
    if (SIZES_ARE_GLIBC)
        assert_int_equal(cost.resting, block(rest) + owned(&view));
    rest_destroy(rest);
    return cost;
}

static const char ten_plies[] = "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7";
static const char eighty_plies[] =
    "d4 Nf6 c4 e6 Nc3 Bb4 e3 O-O Bd3 d5 Nf3 c5 O-O Nc6 a3 Bxc3 bxc3 dxc4 Bxc4 Qc7 Bd3 e5 Qc2 Re8 Nxe5 Nxe5 "
    "dxe5 Qxe5 f3 Bd7 a4 Rad8 e4 c4 Be2 Bc6 Be3 Qe7 Bd4 Nd7 Rfd1 Nb6 Rd2 Rd7 Rad1 Red8 Qb2 Na8 Bf1 f6 "
    "Qb4 Qf7 Qa5 b6 Qa6 Nc7 Qxc4 Qxc4 Bxc4 Kf8 Kf2 Ke7 Ke3 Ne6 Bxe6 Kxe6 a5 bxa5 Bc5 Rxd2 Rxd2 Rxd2 "
    "Kxd2 Bb5 Bxa7 Kd6 c4 Bxc4 Kc3 Kc6";

static void a_game_of_ten_plies_is_small(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, ten_plies);
    struct cost cost = cost_of(club, id);
    assert_in_range(cost.resting, 1, 320);
    assert_in_range(cost.awake, cost.resting, 640);
}

static void a_game_of_eighty_plies_is_not_much_larger(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, eighty_plies);
    assert_int_equal(club_view(club, id)->head.ply, 80);
    assert_in_range(cost_of(club, id).resting, 1, 560);
}

static void what_few_games_have_is_counted(void **state)
{
    struct club *club = *state;
    static const struct time_control control = {
        .immediate = true, .stage_count = 1, .stages = {{.time_ms = 60000, .increment_ms = 1000}}};
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.control = &control;
    deed->action.create.texts.white_name = "a name that is long enough to be seen in the sum";
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    const char *id = deed->action.id;
    size_t before = cost_of(club, id).resting;
    assert_true(before > sizeof(struct clock) + sizeof(struct game_texts));
    assert_int_equal(club_comment(club, id, "e4", "the best by test, as somebody has said of it"),
                     ACTION_DONE);
    assert_int_equal(club_resign(club, id, SEAT_BLACK), ACTION_DONE);
    assert_non_null(club_view(club, id)->head.end.decision);
    assert_true(cost_of(club, id).resting > before + sizeof(struct game_decision));
}

static void a_game_without_moves_rests_too(void **state)
{
    struct club *club = *state;
    struct cost cost = cost_of(club, club_create(club));
    assert_in_range(cost.resting, 1, cost.awake);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_game_of_ten_plies_is_small),
        CLUB_TEST(a_game_of_eighty_plies_is_not_much_larger),
        CLUB_TEST(what_few_games_have_is_counted),
        CLUB_TEST(a_game_without_moves_rests_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
