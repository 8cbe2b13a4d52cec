/* Names, metadata, visibility; removal; lists and records of moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/games_club.h"
#include "tests/support/games_seated.h"

/* ---- updates ------------------------------------------------------------------------------------------ */

static enum action_outcome set_white(struct club *club, const char *id, const char *name)
{
    struct action_update update = {.sets_white = true, .texts = {.white_name = name}};
    return club_update(club, id, &update);
}

static void an_update_changes_what_it_sets_and_makes_a_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(set_white(club, id, "Judit"), ACTION_DONE);
    struct action_update update = {.sets_black = true,
                                   .texts = {.white_name = "not set", .black_name = "Nona"}};
    assert_int_equal(club_update(club, id, &update), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.version, 3);
    assert_string_equal(game->texts->white_name, "Judit");
    assert_string_equal(game->texts->black_name, "Nona");
    assert_null(game->texts->metadata);
}

static void names_may_hold_anything_and_survive_a_reload(void **state)
{
    static const char *const names[] = {"Vera", "a\nend=checkmate", "back\\slash\\n", "Ве́ра Ме́нчик", "=",
                                        "\\"};
    struct club *club = *state;
    const char *id = club_create(club);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        assert_int_equal(set_white(club, id, names[i]), ACTION_DONE);
        club_forget(club);
        assert_string_equal(club_view(club, id)->texts->white_name, names[i]);
    }
}

static void a_name_can_be_cleared(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct action_update both = {
        .sets_white = true, .sets_metadata = true, .texts = {.white_name = "Judit", .metadata = "{\"a\":1}"}};
    assert_int_equal(club_update(club, id, &both), ACTION_DONE);
    assert_int_equal(set_white(club, id, NULL), ACTION_DONE);
    assert_null(club_view(club, id)->texts->white_name);
    assert_string_equal(club_view(club, id)->texts->metadata, "{\"a\":1}");
    struct action_update rest = {.sets_metadata = true};
    assert_int_equal(club_update(club, id, &rest), ACTION_DONE);
    assert_null(club_view(club, id)->texts);
    club_reopen(club);
    assert_null(club_view(club, id)->texts);
}

static void what_is_so_already_is_a_repeat_and_no_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(set_white(club, id, NULL), ACTION_REPLAYED);
    assert_int_equal(club_view(club, id)->head.version, 1);
}

static void visibility_can_change(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    for (int i = VISIBILITY_COUNT - 1; i >= 0; i--) {
        struct deed *deed = seated_deed(seated, ACTION_UPDATE, ROLE_CREATOR);
        deed->action.update =
            (struct action_update){.sets_visibility = true, .visibility = (enum game_visibility)i};
        assert_int_equal(club_do(club, deed), ACTION_DONE);
        club_forget(club);
        assert_int_equal(club_view(club, seated->id)->visibility, i);
    }
}

static void an_open_game_cannot_be_private(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct action_update update = {.sets_visibility = true, .visibility = VISIBILITY_PRIVATE};
    assert_int_equal(club_update(club, id, &update), ACTION_NEEDS_SEATS);
    update.visibility = VISIBILITY_UNLISTED;
    assert_int_equal(club_update(club, id, &update), ACTION_DONE);
}

static void a_game_that_is_over_can_be_updated(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4 Qh4");
    assert_int_equal(set_white(club, id, "late"), ACTION_DONE);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.end.termination, TERMINATION_CHECKMATE);
    assert_true(game->head.end.at_ms < game->head.updated_at_ms);
    club_reopen(club);
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_CHECKMATE);
}

static void an_update_obeys_the_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *deed = club_deed(club, ACTION_UPDATE, id);
    deed->action.update = (struct action_update){.sets_white = true, .texts = {.white_name = "x"}};
    deed_if_version(deed, 2);
    assert_int_equal(club_do(club, deed), ACTION_VERSION_MISMATCH);
    assert_null(club_view(club, id)->texts);
}

static void an_update_leaves_offer_comment_and_time_of_the_move(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "e4", "said"), ACTION_DONE);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, NULL), ACTION_DONE);
    const struct game *before = club_view(club, id);
    assert_int_equal(set_white(club, id, "Judit"), ACTION_DONE);
    const struct game *after = club_view(club, id);
    assert_int_equal(after->head.offer_by, before->head.offer_by);
    assert_string_equal(after->head.comment, "said");
    assert_true(after->head.move_at_ms == before->head.move_at_ms);
}

static void validate_only_shows_the_new_name_and_keeps_the_old(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(set_white(club, id, "old"), ACTION_DONE);
    struct deed *deed = club_deed(club, ACTION_UPDATE, id);
    deed->action.update = (struct action_update){.sets_white = true, .texts = {.white_name = "new"}};
    deed->action.validate_only = true;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_string_equal(deed->picture->game.texts->white_name, "new");
    assert_string_equal(club_view(club, id)->texts->white_name, "old");
}

/* ---- removal ------------------------------------------------------------------------------------------ */

static void a_removed_game_is_not_found_by_anything(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    assert_int_equal(club_delete(club, id), ACTION_DONE);
    assert_int_equal(club_look(club, id, true), GAMES_NOT_FOUND);
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        struct deed *deed = club_deed(club, (enum action_kind)kind, id);
        if (kind == ACTION_MOVE)
            deed_set_moves(deed, "e4");
        assert_int_equal(club_do(club, deed), ACTION_OUTCOME_COUNT);
        assert_int_equal(deed->status, GAMES_NOT_FOUND);
    }
    club_reopen(club);
    assert_int_equal(club_look(club, id, true), GAMES_NOT_FOUND);
}

static void a_removal_obeys_the_version(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *wrong = club_deed(club, ACTION_DELETE, id);
    deed_if_version(wrong, 7);
    assert_int_equal(club_do(club, wrong), ACTION_VERSION_MISMATCH);
    struct deed *right = club_deed(club, ACTION_DELETE, id);
    deed_if_version(right, 1);
    assert_int_equal(club_do(club, right), ACTION_DONE);
}

static void validate_only_removes_nothing(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *deed = club_deed(club, ACTION_DELETE, id);
    deed->action.validate_only = true;
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    assert_int_equal(club_look(club, id, true), GAMES_OK);
}

static void one_removal_leaves_the_other_games(void **state)
{
    struct club *club = *state;
    const char *gone = club_create(club);
    const char *stays = club_create(club);
    club_play(club, stays, "e4 e5");
    assert_int_equal(club_delete(club, gone), ACTION_DONE);
    assert_int_equal(club_view(club, stays)->head.ply, 2);
    club_reopen(club);
    assert_int_equal(club_view(club, stays)->head.ply, 2);
}

/* ---- ids that are none -------------------------------------------------------------------------------- */

static void what_could_not_be_an_id_is_told_apart(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "abcdefghjkm",
                                      "abcdefghjkmnp",
                                      "abcdefghjkm1",
                                      "abcdefghjkmI",
                                      "abcdefghjkml",
                                      "ABCDEFGHJKMN",
                                      "abcdefghjk n"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(game_id_is_valid(bad[i], strlen(bad[i])));
    assert_true(game_id_is_valid("abcdefghjkmn", 12));
    assert_false(game_id_is_valid("abcdefghjkm\0", 12));
}

static void an_unknown_id_is_cold_first_and_then_not_found(void **state)
{
    struct club *club = *state;
    assert_int_equal(club_look(club, "abcdefghjkmn", false), GAMES_COLD);
    assert_int_equal(club_look(club, "abcdefghjkmn", true), GAMES_NOT_FOUND);
    assert_int_equal(club_look(club, "abcdefghjkmn", false), GAMES_COLD);
}

/* ---- lists and records -------------------------------------------------------------------------------- */

struct listing {
    char ids[8][GAME_ID_SIZE];
    unsigned count;
};

static void note_game(void *context, const struct game *game)
{
    struct listing *listing = context;
    memcpy(listing->ids[listing->count++], game->id, GAME_ID_SIZE);
}

static void a_list_shows_public_games_as_they_are(void **state)
{
    struct club *club = *state;
    const char *first = club_create(club);
    const char *hidden = club_create(club);
    const char *last = club_create(club);
    struct action_update update = {.sets_visibility = true, .visibility = VISIBILITY_UNLISTED};
    assert_int_equal(club_update(club, hidden, &update), ACTION_DONE);
    (void)seated_create_private(club);
    club_forget(club);
    struct listing listing = {0};
    struct storage_query query = {.limit = 8};
    int64_t next_key = 7;
    assert_int_equal(games_list(club->games, &query, note_game, &listing, &next_key), GAMES_OK);
    assert_int_equal(listing.count, 2);
    assert_string_equal(listing.ids[0], last); /* newest first */
    assert_string_equal(listing.ids[1], first);
    assert_true(next_key == 0);
}

static void a_list_goes_on_page_by_page_and_ends(void **state)
{
    struct club *club = *state;
    for (int i = 0; i < 6; i++)
        (void)club_create(club);
    struct listing listing = {0};
    struct storage_query query = {.limit = 2};
    for (unsigned seen = 2; seen <= 6; seen += 2) {
        assert_int_equal(games_list(club->games, &query, note_game, &listing, &query.after_key), GAMES_OK);
        assert_int_equal(listing.count, seen);
        assert_int_equal(query.after_key == 0, seen == 6);
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < i; j++)
            assert_string_not_equal(listing.ids[i], listing.ids[j]);
}

static void a_list_of_ended_games_follows_the_ends(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    (void)club_create(club);
    struct storage_query query = {.limit = 8, .status = "ended"};
    int64_t next_key = 0;
    static const unsigned counts[] = {0, 1, 0};
    for (unsigned i = 0; i < 3; i++) {
        if (i == 1)
            club_play(club, id, "f3 e5 g4 Qh4");
        if (i == 2)
            assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
        struct listing listing = {0};
        assert_int_equal(games_list(club->games, &query, note_game, &listing, &next_key), GAMES_OK);
        assert_int_equal(listing.count, counts[i]);
    }
}

struct records {
    struct move_record rows[8];
    unsigned count, with_comment;
};

static bool note_record(void *context, const struct move_record *record)
{
    struct records *records = context;
    records->with_comment += record->comment != NULL;
    records->rows[records->count++] = *record;
    return true;
}

static void records_are_those_of_the_moves_in_force(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "d4 d5");
    assert_int_equal(club_undo(club, id, 2), ACTION_DONE);
    assert_int_equal(club_comment(club, id, "e4", "instead"), ACTION_DONE);
    club_play(club, id, "e5 Nf3");
    const struct game *game = club_view(club, id);
    struct records records = {0};
    assert_int_equal(games_move_records(club->games, game, 1, 2, note_record, &records), GAMES_OK);
    assert_int_equal(records.count, 2);
    assert_int_equal(records.with_comment, 1);
    assert_int_equal(records.rows[0].ply, 1);
    assert_int_equal(records.rows[0].version, 5);
    assert_int_equal(records.rows[1].version, 6);
    assert_true(records.rows[0].at_ms < records.rows[1].at_ms);
    assert_int_equal(games_move_records(club->games, game, 3, 8, note_record, &records), GAMES_OK);
    assert_int_equal(records.count, 3);
    assert_true(records.rows[2].at_ms == game->head.move_at_ms);
}

static void records_are_those_of_the_view_whatever_was_taken_back_since(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "e4", "first"), ACTION_DONE);
    club_play(club, id, "e5");
    const struct game *old = club_view(club, id);
    assert_int_equal(club_undo(club, id, 2), ACTION_DONE);
    for (int round = 0; round < 2; round++) {
        struct records records = {0};
        if (round == 1)
            club_play(club, id, "d4 d5 c4");
        assert_int_equal(games_move_records(club->games, old, 1, 2, note_record, &records), GAMES_OK);
        assert_int_equal(records.count, 2);
        assert_int_equal(records.with_comment, 1);
        assert_int_equal(records.rows[0].version, 2);
        assert_int_equal(records.rows[1].version, 3);
    }
}

static void records_of_a_game_that_was_removed_are_not_found(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    const struct game *old = club_view(club, id);
    assert_int_equal(club_delete(club, id), ACTION_DONE);
    struct records records = {0};
    assert_int_equal(games_move_records(club->games, old, 1, 2, note_record, &records), GAMES_NOT_FOUND);
    assert_int_equal(records.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(an_update_changes_what_it_sets_and_makes_a_version),
        CLUB_TEST(names_may_hold_anything_and_survive_a_reload),
        CLUB_TEST(a_name_can_be_cleared),
        CLUB_TEST(what_is_so_already_is_a_repeat_and_no_version),
        CLUB_TEST(visibility_can_change),
        CLUB_TEST(an_open_game_cannot_be_private),
        CLUB_TEST(a_game_that_is_over_can_be_updated),
        CLUB_TEST(an_update_obeys_the_version),
        CLUB_TEST(an_update_leaves_offer_comment_and_time_of_the_move),
        CLUB_TEST(validate_only_shows_the_new_name_and_keeps_the_old),
        CLUB_TEST(a_removed_game_is_not_found_by_anything),
        CLUB_TEST(a_removal_obeys_the_version),
        CLUB_TEST(validate_only_removes_nothing),
        CLUB_TEST(one_removal_leaves_the_other_games),
        cmocka_unit_test(what_could_not_be_an_id_is_told_apart),
        CLUB_TEST(an_unknown_id_is_cold_first_and_then_not_found),
        CLUB_TEST(a_list_shows_public_games_as_they_are),
        CLUB_TEST(a_list_goes_on_page_by_page_and_ends),
        CLUB_TEST(a_list_of_ended_games_follows_the_ends),
        CLUB_TEST(records_are_those_of_the_moves_in_force),
        CLUB_TEST(records_are_those_of_the_view_whatever_was_taken_back_since),
        CLUB_TEST(records_of_a_game_that_was_removed_are_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
