/* Walks through a game, and where its positions stood before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

static void a_walk_meets_every_position_with_its_move_and_count(void **state)
{
    static const unsigned repetitions[] = {1, 1, 1, 2, 2, 1, 1, 1, 1};
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nf3 e5 Ng1 Nf6 Nf3");
    const struct game *game = club_view(club, id);
    uint64_t keys[10];
    struct replay replay;
    replay_begin(&replay, game, keys);
    assert_int_equal(replay.repetition, 1);
    struct position usual = position_initial();
    assert_true(position_same(&replay.after, &usual));
    for (unsigned ply = 1; ply <= 9; ply++) {
        struct position before = replay.after;
        assert_true(replay_next(&replay));
        assert_int_equal(replay.ply, ply);
        assert_true(position_same(&replay.before, &before));
        assert_int_equal(replay.move, game->moves[ply - 1]);
        assert_int_equal(replay.repetition, repetitions[ply - 1]);
        assert_true(keys[ply] == replay.after.key);
    }
    assert_false(replay_next(&replay));
    assert_true(position_same(&replay.after, &game->head.position));
}

static void a_walk_through_a_game_without_moves_ends_at_once(void **state)
{
    struct club *club = *state;
    const struct game *game = club_view(club, club_create_fen(club, "4k3/8/8/8/8/8/4P3/4K3 b - - 7 20"));
    uint64_t key;
    struct replay replay;
    replay_begin(&replay, game, &key);
    assert_false(replay_next(&replay));
    assert_true(key == game->head.position.key);
}

static unsigned occurrences(const struct game *game, unsigned ply, uint16_t *plies, unsigned room)
{
    struct position position = game_position_at(game, ply);
    return replay_occurrences(game, &position, ply, plies, room);
}

static void occurrences_name_the_plies_up_to_the_one_asked_for(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    const struct game *game = club_view(club, id);
    uint16_t plies[3] = {99, 99, 99};
    assert_int_equal(occurrences(game, 8, plies, 3), 3);
    assert_int_equal(plies[0], 0);
    assert_int_equal(plies[1], 4);
    assert_int_equal(plies[2], 8);
    assert_int_equal(occurrences(game, 5, plies, 3), 2);
    assert_int_equal(plies[0], 1);
    assert_int_equal(plies[1], 5);
    assert_int_equal(occurrences(game, 0, plies, 3), 1);
}

static void occurrences_are_counted_beyond_the_room_for_them(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    const struct game *game = club_view(club, id);
    uint16_t plies[2] = {99, 99};
    assert_int_equal(occurrences(game, 8, plies, 1), 3);
    assert_int_equal(plies[0], 0);
    assert_int_equal(plies[1], 99);
    assert_int_equal(occurrences(game, 8, NULL, 0), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_walk_meets_every_position_with_its_move_and_count),
        CLUB_TEST(a_walk_through_a_game_without_moves_ends_at_once),
        CLUB_TEST(occurrences_name_the_plies_up_to_the_one_asked_for),
        CLUB_TEST(occurrences_are_counted_beyond_the_room_for_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
