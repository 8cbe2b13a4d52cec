/* What a game with seats keeps: its time while it waits, and its seats and tokens over a restart. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/games_seated.h"

/* ---- time ---------------------------------------------------------------------------------------------- */

static struct seated *create_immediate(struct club *club, uint32_t abandon_after_ms)
{
    struct time_control control = {.stage_count = 1, .stages = {{.time_ms = 60000}}, .immediate = true};
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.control = &control;
    deed->action.create.rules.abandon_after_ms = abandon_after_ms;
    struct seated *seated = seated_create_with(club, deed);
    deed->action.create.control = NULL;
    return seated;
}

static void clocks_run_only_when_the_game_has_begun(void **state)
{
    struct club *club = *state;
    struct seated *seated = create_immediate(club, 0);
    club_advance(club, 300000);
    club_tick(club, seated->id);
    assert_int_equal(seated_status(seated), GAME_WAITING);
    seated_take_both(seated);
    club_advance(club, 59000);
    club_tick(club, seated->id);
    assert_int_equal(seated_status(seated), GAME_ACTIVE);
    club_advance(club, 1001);
    club_tick(club, seated->id);
    assert_int_equal(seated_status(seated), GAME_ENDED);
    assert_int_equal(club_view(club, seated->id)->head.end.termination, TERMINATION_TIMEOUT);
}

static void a_move_that_begins_the_game_has_taken_no_time(void **state)
{
    struct club *club = *state;
    struct seated *seated = create_immediate(club, 0);
    club_advance(club, 300000);
    assert_int_equal(seated_move(seated, ROLE_WHITE, "e4"), ACTION_DONE);
    assert_int_equal(club_view(club, seated->id)->clock->remaining_ms[COLOR_WHITE], 60000);
    club_advance(club, 7000);
    assert_int_equal(seated_move(seated, ROLE_BLACK, "e5"), ACTION_DONE);
    assert_int_equal(club_view(club, seated->id)->clock->remaining_ms[COLOR_BLACK], 53000);
}

static void nobody_abandons_a_game_that_waits(void **state)
{
    struct club *club = *state;
    struct seated *seated = create_immediate(club, 10000);
    club_advance(club, 50000);
    club_tick(club, seated->id);
    assert_int_equal(seated_status(seated), GAME_WAITING);
    seated_take_both(seated);
    club_advance(club, 10001);
    club_tick(club, seated->id);
    assert_int_equal(seated_status(seated), GAME_ABORTED);
    assert_int_equal(club_view(club, seated->id)->head.end.termination, TERMINATION_ABANDONMENT);
}

static void when_somebody_leaves_the_clock_stands_and_begins_anew(void **state)
{
    struct club *club = *state;
    struct seated *seated = create_immediate(club, 0);
    seated_take_both(seated);
    club_advance(club, 50000);
    assert_int_equal(seated_leave(seated, ROLE_BLACK, SEAT_BLACK), ACTION_DONE);
    club_advance(club, 50000);
    club_tick(club, seated->id);
    assert_int_equal(seated_status(seated), GAME_WAITING);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_BLACK, NULL), ACTION_DONE);
    club_advance(club, 59000);
    assert_int_equal(seated_move(seated, ROLE_WHITE, "e4"), ACTION_DONE);
    assert_int_equal(club_view(club, seated->id)->clock->remaining_ms[COLOR_WHITE], 1000);
}

/* ---- the store ----------------------------------------------------------------------------------------- */

static void a_restart_keeps_seats_and_tokens(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, "300+3", NULL);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_BLACK, "Boris"), ACTION_DONE);
    memcpy(seated->tokens[ROLE_BLACK], seated_made(seated, ROLE_BLACK), SECRET_TOKEN_SIZE);
    assert_int_equal(seated_renew(seated, ROLE_CREATOR, ROLE_SPECTATOR), ACTION_DONE);
    memcpy(seated->tokens[ROLE_SPECTATOR], seated_made(seated, ROLE_SPECTATOR), SECRET_TOKEN_SIZE);
    club_reopen(club);
    assert_int_equal(seated_status(seated), GAME_WAITING);
    assert_true(seated_sits(seated, SEAT_BLACK));
    assert_false(seated_sits(seated, SEAT_WHITE));
    assert_string_equal(seated_name(seated, SEAT_BLACK), "Boris");
    for (enum game_role role = ROLE_WHITE; role <= ROLE_CREATOR; role++)
        assert_int_equal(seated_role_by(seated, seated->tokens[role]), role);
    seated_play(seated, "e4 e5");
    club_reopen(club);
    assert_int_equal(seated_status(seated), GAME_ACTIVE);
    assert_true(seated_sits(seated, SEAT_WHITE));
    seated_play(seated, "Nf3");
}

static bool take_tokens(void *context, const struct storage_game *row)
{
    char **tokens = context;
    *tokens = row->tokens ? strdup(row->tokens) : NULL;
    return true;
}

static void the_store_has_digests_alone(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    char *tokens = NULL, digest[SECRET_HEX_SIZE];
    struct storage_rows rows = {.context = &tokens, .game = take_tokens};
    assert_int_equal(storage_load(club->storage, seated->id, &rows), STORAGE_OK);
    assert_non_null(tokens);
    for (enum game_role role = ROLE_WHITE; role <= ROLE_CREATOR; role++) {
        uint8_t bytes[SECRET_DIGEST_SIZE];
        secret_digest(seated->tokens[role], SECRET_TOKEN_LENGTH, bytes);
        secret_format_hex(bytes, digest);
        assert_non_null(strstr(tokens, digest));
        assert_null(strstr(tokens, seated->tokens[role]));
    }
    free(tokens);
}

static void digests_that_are_damaged_are_not_read(void **state)
{
    (void)state;
    struct game_seats seats, back;
    char token[SECRET_TOKEN_SIZE], text[SEATS_TEXT_SIZE];
    for (enum game_role role = ROLE_WHITE; role <= ROLE_CREATOR; role++)
        seats_issue(&seats, role, token);
    seats_format(&seats, text);
    assert_true(seats_parse(text, &back));
    assert_memory_equal(back.digests, seats.digests, sizeof back.digests);
    for (size_t i = 0; text[i]; i++) {
        char kept = text[i];
        text[i] = '!';
        assert_false(seats_parse(text, &back));
        text[i] = kept;
    }
    for (size_t length = strlen(text); length-- > 0;) {
        text[length] = '\0';
        assert_false(seats_parse(text, &back));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(clocks_run_only_when_the_game_has_begun),
        CLUB_TEST(a_move_that_begins_the_game_has_taken_no_time),
        CLUB_TEST(nobody_abandons_a_game_that_waits),
        CLUB_TEST(when_somebody_leaves_the_clock_stands_and_begins_anew),
        CLUB_TEST(a_restart_keeps_seats_and_tokens),
        CLUB_TEST(the_store_has_digests_alone),
        cmocka_unit_test(digests_that_are_damaged_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
