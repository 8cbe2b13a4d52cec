/* Clocks of games: what they show and when, flags, given time, and what moves record. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define FIVE_AND_THREE "{\"clock\":\"300+3\"}"
/* The time at which a client begins: 2026-01-02T03:04:05.678Z. */
#define BEGIN_MS INT64_C(1767323045678)

/* The move is played after so much thought. */
static const struct answer *think(struct client *client, const char *id, const char *played, int64_t spent_ms)
{
    char body[64];
    (void)snprintf(body, sizeof body, "{\"move\":\"%s\"}", played);
    client_advance(client, spent_ms);
    const struct answer *answer = match_post(client, id, "/moves", body);
    assert_status(answer, 201);
    return answer;
}

static void assert_clock(const struct answer *answer, const char *white, const char *black,
                         const char *running)
{
    assert_json(answer, "clock.white_ms", white);
    assert_json(answer, "clock.black_ms", black);
    assert_json(answer, "clock.running", running);
}

/* ---- what a game shows --------------------------------------------------------------------------------- */

static void a_clock_has_all_its_members(void **state)
{
    static const struct member CLOCK[] = {
        {"words", NULL},
        {"mode", "\"increment\""},
        {"stages", "[{\"moves\":null,\"time_ms\":300000,\"increment_ms\":3000}]"},
        {"delay_ms", "0"},
        {"bank_ms", "0"},
        {"start", "\"first_move\""},
        {"running", "null"},
        {"white_ms", "300000"},
        {"black_ms", "300000"},
        {"white_stage", "0"},
        {"black_stage", "0"},
        {"as_of", "\"2026-01-02T03:04:05.678Z\""},
        {"flag_at", "null"},
    };
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    ASSERT_MEMBERS(match_get(*state, id, ""), "clock", CLOCK);
    ASSERT_MEMBERS(match_get(*state, id, "/status"), "clock", CLOCK);
    assert_string_equal(answer_text(match_get(*state, id, ""), "links.clock"), match_path(id, "/clock"));
}

/* 6.2: White's first move is untimed and earns nothing; from then on the clock of the side to move runs. */
static void clocks_start_with_the_first_move(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    const struct answer *answer = think(*state, id, "e4", 60000);
    assert_json(answer, "game.clock.white_ms", "300000");
    assert_json(answer, "game.clock.running", "\"black\"");
    assert_json(answer, "game.clock.as_of", "\"2026-01-02T03:05:05.678Z\"");
    assert_json(answer, "game.clock.flag_at", "\"2026-01-02T03:10:05.678Z\"");
    assert_json(answer, "move.clock_ms", "300000");
    assert_json(answer, "move.spent_ms", "0");
    answer = think(*state, id, "e5", 5000);
    assert_json(answer, "move.clock_ms", "298000");
    assert_json(answer, "move.spent_ms", "5000");
    assert_json(answer, "game.clock.black_ms", "298000");
    assert_json(answer, "game.clock.running", "\"white\"");
    assert_clock(match_get(*state, id, ""), "300000", "298000", "\"white\"");
}

static void an_immediate_clock_runs_from_the_creation(void **state)
{
    const char *id = match_new_json(
        *state, "{\"clock\":{\"initial_ms\":300000,\"increment_ms\":3000,\"start\":\"immediate\"}}");
    const struct answer *game = match_get(*state, id, "");
    assert_clock(game, "300000", "300000", "\"white\"");
    assert_json(game, "clock.flag_at", "\"2026-01-02T03:09:05.678Z\"");
    assert_json(think(*state, id, "e4", 10000), "game.clock.white_ms", "293000");
}

/* The entity tag is strong: what a client has stays what the game shows until its version rises. */
static void a_game_shows_the_same_until_its_version_rises(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    const struct answer *before = match_get(*state, id, "");
    client_advance(*state, 30000);
    assert_string_equal(match_get(*state, id, "")->body, before->body);
    client_forget(*state);
    assert_string_equal(match_get(*state, id, "")->body, before->body);
}

static void stages_and_their_time_come_with_the_moves(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"2/60:30\"}");
    think(*state, id, "e4", 0);
    think(*state, id, "e5", 1000);
    think(*state, id, "Nf3", 2000);
    const struct answer *game = match_get(*state, id, "");
    assert_clock(game, "88000", "59000", "\"black\""); /* two moves made: 60 - 2 + 30 */
    assert_json(game, "clock.white_stage", "1");
    assert_json(game, "clock.black_stage", "0");
}

static void a_delay_is_part_of_the_time_to_the_flag(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"60d5\"}");
    think(*state, id, "e4", 0);
    assert_json(match_get(*state, id, ""), "clock.flag_at", "\"2026-01-02T03:05:10.678Z\"");
    client_advance(*state, 4000);
    assert_json(match_get(*state, id, "/clock"), "clock.black_ms", "60000");
    client_advance(*state, 4000);
    assert_json(match_get(*state, id, "/clock"), "clock.black_ms", "57000");
    assert_json(think(*state, id, "e5", 0), "game.clock.black_ms", "57000");
}

/* ---- GET clock ----------------------------------------------------------------------------------------- */

static void the_clock_is_told_as_it_stands_now(void **state)
{
    static const struct member TOP[] = {{"clock", NULL}, {"server_time", "\"2026-01-02T03:04:17.678Z\""}};
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    client_advance(*state, 12000);
    const struct answer *answer = match_get(*state, id, "/clock");
    assert_status(answer, 200);
    ASSERT_MEMBERS(answer, "", TOP);
    assert_clock(answer, "300000", "288000", "\"black\"");
    assert_json(answer, "clock.as_of", "\"2026-01-02T03:04:17.678Z\"");
    assert_json(answer, "clock.flag_at", "\"2026-01-02T03:09:05.678Z\"");
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
    assert_string_equal(answer_header(answer, "ETag"), "");
    assert_string_equal(match_text(*state, id, "/clock"),
                        "white 300.000 s, black 288.000 s, running: black\n");
    assert_status(match_ask_with(*state, "GET", match_path(id, "/clock"), "If-None-Match", "*"), 200);
    client_advance(*state, 300000);
    assert_json(match_get(*state, id, "/clock"), "clock.black_ms", "0");
}

static void a_game_that_stands_has_clocks_that_stand(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    client_advance(*state, 12000);
    assert_string_equal(match_text(*state, id, "/clock"), "white 300.000 s, black 300.000 s, stopped\n");
    think(*state, id, "e4", 0);
    think(*state, id, "e5", 1500);
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    client_advance(*state, 12000);
    const struct answer *answer = match_get(*state, id, "/clock");
    assert_clock(answer, "300000", "301500", "null");
    assert_json(answer, "clock.flag_at", "null");
}

static void an_untimed_game_has_no_clock(void **state)
{
    static const struct {
        const char *method, *rest, *json;
    } rows[] = {
        {"GET", "/clock", NULL},
        {"POST", "/flag", NULL},
        {"POST", "/clock/add", "{\"color\":\"white\",\"ms\":1}"},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct answer *answer =
            match_send(*state, rows[i].method, match_path(id, rows[i].rest), rows[i].json);
        assert_problem(answer, 409, "no-clock");
        assert_json(answer, "game.version", "1");
    }
    assert_problem(client_get(*state, "/v1/games/abcdefghjkmn/clock"), 404, "game-not-found");
}

/* ---- the time that counts ------------------------------------------------------------------------------ */

static void a_step_of_the_wall_clock_changes_nothing(void **state)
{
    static const int64_t steps[] = {BEGIN_MS + 86400000, BEGIN_MS - 86400000};
    for (size_t i = 0; i < 2; i++) {
        client_set_time(*state, BEGIN_MS);
        const char *id = match_new_json(*state, FIVE_AND_THREE);
        think(*state, id, "e4", 0);
        client_advance(*state, 2000);
        client_set_time(*state, steps[i]);
        client_tick(*state);
        assert_json(match_get(*state, id, "/clock"), "clock.black_ms", "298000");
        assert_problem(match_ask(*state, "POST", match_path(id, "/flag")), 409, "clock-running");
        assert_json(think(*state, id, "e5", 1000), "game.clock.black_ms", "300000");
    }
}

/* Taking back reads the log, so the request has to wait for a thread that may; the clocks go on from its receipt. */
static void the_time_of_receipt_is_that_of_the_first_call(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    think(*state, id, "e5", 0);
    client_set_pool_wait(*state, 2000);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/undo"));
    assert_status(answer, 200);
    assert_true(answer->blocked);
    assert_json(match_get(*state, id, "/clock"), "clock.black_ms", "298000");
}

/* ---- flags --------------------------------------------------------------------------------------------- */

static void a_flag_that_has_not_fallen_is_told_how_long_it_stands(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    client_advance(*state, 299999);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/flag"));
    assert_problem(answer, 409, "clock-running");
    assert_json(answer, "remaining_ms", "1");
    assert_json(answer, "game.ply", "1");
    assert_match_at(*state, id, 2, 1);
    assert_problem(match_post(*state, id, "/flag", "{\"color\":\"white\"}"), 400, "unknown-field");
}

static const char *play_into_time_trouble(struct client *client)
{
    const char *id = match_new_json(client, FIVE_AND_THREE);
    think(client, id, "e4", 0);
    client_advance(client, 300000);
    return id;
}

static void a_fallen_flag_loses(void **state)
{
    static const struct member DECISION[] = {
        {"flagged", "\"black\""}, {"winnable", "\"yes\""}, {"method", NULL}, {"nodes", NULL}, {"line", NULL}};
    const char *id = play_into_time_trouble(*state);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/flag"));
    assert_status(answer, 200);
    assert_json(answer, "game.status", "\"ended\"");
    assert_json(answer, "game.result", "\"1-0\"");
    assert_json(answer, "game.termination", "\"timeout\"");
    assert_json(answer, "game.termination_detail.article", "\"6.9\"");
    assert_json(answer, "game.termination_detail.by", "\"black\"");
    ASSERT_MEMBERS(answer, "game.termination_detail.decision", DECISION);
    assert_true(answer_count(answer, "game.termination_detail.decision.line") > 0);
    assert_json(answer, "game.clock.black_ms", "0");
    assert_json(answer, "game.clock.running", "null");
    answer = match_ask(*state, "POST", match_path(id, "/flag.txt"));
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_string_equal(answer->body, "1-0 timeout\n");
}

/* 6.9: the opponent has a bare king. */
static void a_fallen_flag_draws_against_who_cannot_mate(void **state)
{
    static const struct member DECISION[] = {{"flagged", "\"white\""},
                                             {"winnable", "\"no\""},
                                             {"method", "\"material\""},
                                             {"nodes", NULL},
                                             {"line", "[]"}};
    const char *id = match_new_json(
        *state,
        "{\"fen\":\"7k/8/8/8/8/8/R7/K7 w - - 0 1\",\"clock\":{\"initial_ms\":1000,\"start\":\"immediate\"}}");
    client_advance(*state, 1000);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/flag"));
    assert_status(answer, 200);
    assert_json(answer, "game.result", "\"1/2-1/2\"");
    assert_json(answer, "game.termination", "\"timeout_unwinnable\"");
    assert_json(answer, "game.termination_detail.by", "\"white\"");
    assert_json(answer, "game.termination_detail.material", "true");
    ASSERT_MEMBERS(answer, "game.termination_detail.decision", DECISION);
    client_forget(*state);
    ASSERT_MEMBERS(match_get(*state, id, ""), "termination_detail.decision", DECISION);
}

static void a_flag_falls_by_the_timer_and_before_a_late_move(void **state)
{
    const char *id = play_into_time_trouble(*state);
    client_tick(*state);
    while (strcmp(answer_text(match_get(*state, id, ""), "status"), "active") == 0) {
    }
    assert_json(match_get(*state, id, ""), "termination", "\"timeout\"");
    id = play_into_time_trouble(*state);
    const struct answer *answer = match_post(*state, id, "/moves", "{\"move\":\"e5\"}");
    assert_problem(answer, 409, "game-over");
    assert_json(answer, "game.termination", "\"timeout\"");
    assert_match_at(*state, id, 3, 1);
}

static void who_does_not_move_for_long_loses(void **state)
{
    const char *id = match_new_json(*state, "{\"rules\":{\"abandon_after_ms\":60000}}");
    match_play(*state, id, "e4 e5");
    client_advance(*state, 59999);
    assert_json(match_get(*state, id, ""), "status", "\"active\"");
    client_advance(*state, 1);
    const struct answer *answer = match_post(*state, id, "/moves", "{\"move\":\"Nf3\"}");
    assert_problem(answer, 409, "game-over");
    assert_json(answer, "game.termination", "\"abandonment\"");
    answer = match_get(*state, id, "");
    assert_json(answer, "result", "\"0-1\"");
    assert_json(answer, "termination_detail.by", "\"white\"");
    assert_json(answer, "termination_detail.decision.winnable", "\"yes\"");
}

/* ---- given time ---------------------------------------------------------------------------------------- */

static void time_is_given_to_a_side(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    client_advance(*state, 10000);
    const struct answer *answer = match_post(*state, id, "/clock/add", "{\"color\":\"black\",\"ms\":60000}");
    assert_status(answer, 200);
    assert_json(answer, "game.clock.black_ms", "360000");
    assert_json(answer, "game.version", "3");
    assert_json(match_get(*state, id, "/clock"), "clock.black_ms", "350000");
    answer = client_curl(*state, match_path(id, "/clock/add.txt"), "color=white&ms=1500");
    assert_string_equal(answer->body, "white 301.500 s, black 350.000 s, running: black\n");
    assert_json(think(*state, id, "e5", 0), "game.clock.black_ms", "353000");
}

static void time_is_given_in_whole_and_to_somebody(void **state)
{
    static const struct {
        const char *json, *pointer;
    } rows[] = {
        {"{\"ms\":1}", "/color"},
        {"{\"color\":\"white\"}", "/ms"},
        {"{\"color\":\"red\",\"ms\":1}", "/color"},
        {"{\"color\":\"white\",\"ms\":0}", "/ms"},
        {"{\"color\":\"white\",\"ms\":-1}", "/ms"},
        {"{\"color\":\"white\",\"ms\":2678400001}", "/ms"},
    };
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct answer *answer = match_post(*state, id, "/clock/add", rows[i].json);
        assert_problem(answer, 400, "invalid-parameter");
        assert_string_equal(answer_text(answer, "pointer"), rows[i].pointer);
    }
    assert_match_at(*state, id, 1, 0);
}

/* ---- moves taken back, forks, history ------------------------------------------------------------------ */

/* The clocks are as they were after the move that is now the last; the time to the flag counts from now. */
static void undo_sets_the_clocks_back(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    think(*state, id, "e5", 5000);
    think(*state, id, "Nf3", 7000);
    client_advance(*state, 8000);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/undo"));
    assert_json(answer, "game.clock.white_ms", "300000");
    assert_json(answer, "game.clock.black_ms", "298000");
    assert_json(answer, "game.clock.running", "\"white\"");
    assert_json(answer, "game.clock.as_of", "\"2026-01-02T03:04:25.678Z\"");
    assert_json(answer, "game.clock.flag_at", "\"2026-01-02T03:09:25.678Z\"");
    assert_json(answer, "game.last_move.clock_ms", "298000");
    const char *before = match_get(*state, id, "")->body;
    client_forget(*state);
    assert_string_equal(match_get(*state, id, "")->body, before);
}

static void a_fork_has_the_control_and_a_fresh_clock(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    think(*state, id, "e5", 60000);
    const struct answer *fork = match_ask(*state, "POST", match_path(id, "/fork"));
    assert_status(fork, 201);
    assert_json(fork, "ply", "2");
    assert_json(fork, "clock.stages", "[{\"moves\":null,\"time_ms\":300000,\"increment_ms\":3000}]");
    assert_json(fork, "clock.white_ms", "300000");
    assert_json(fork, "clock.running", "\"white\"");
    assert_json(fork, "last_move.spent_ms", "0");
}

static void the_history_tells_the_clock_of_each_move(void **state)
{
    static const char *const clocks[] = {"300000", "298000", "296000"};
    static const char *const spent[] = {"0", "5000", "7000"};
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    think(*state, id, "e5", 5000);
    think(*state, id, "Nf3", 7000);
    for (int cold = 0; cold < 2; cold++) {
        const struct answer *list = match_get(*state, id, "/moves");
        for (int i = 0; i < 3; i++) {
            char path[32], rest[16];
            (void)snprintf(path, sizeof path, "data.%d.clock_ms", i);
            assert_json(list, path, clocks[i]);
            (void)snprintf(path, sizeof path, "data.%d.spent_ms", i);
            assert_json(list, path, spent[i]);
            (void)snprintf(rest, sizeof rest, "/moves/%d", i + 1);
            assert_json(match_get(*state, id, rest), "clock_ms", clocks[i]);
        }
        client_tick(*state);
        client_forget(*state);
    }
    const struct answer *again = match_send(*state, "PUT", match_path(id, "/moves/2"), "{\"move\":\"e5\"}");
    assert_status(again, 200);
    assert_json(again, "move.clock_ms", "298000");
    assert_json(again, "move.spent_ms", "5000");
}

static void several_moves_in_one_request_take_the_time_of_the_first(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    think(*state, id, "e4", 0);
    client_advance(*state, 4000);
    const struct answer *answer = match_play(*state, id, "e5 Nf3 Nc6");
    assert_json(answer, "game.clock.white_ms", "303000");
    assert_json(answer, "game.clock.black_ms", "302000");
    assert_json(answer, "moves.0.clock_ms", "299000");
    assert_json(answer, "moves.0.spent_ms", "4000");
    assert_json(answer, "moves.1.clock_ms", "303000");
    assert_json(answer, "moves.2.clock_ms", "302000");
    assert_json(answer, "moves.2.spent_ms", "0");
    assert_json(match_get(*state, id, "/moves/2"), "spent_ms", "4000");
    assert_json(match_get(*state, id, "/moves/3"), "clock_ms", "303000");
    assert_json(match_get(*state, id, "/moves/4"), "spent_ms", "0");
}

static void time_beyond_what_a_clock_shows_is_refused(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"60\"}");
    const char *path = match_path(id, "/clock/add");
    assert_status(client_curl(*state, path, "color=white&ms=2678400000"), 200);
    const struct answer *answer = client_curl(*state, path, "color=white&ms=2678400000");
    assert_problem(answer, 409, "not-allowed-by-rules");
    assert_json(answer, "rule", "\"clock_shown_ms\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(time_beyond_what_a_clock_shows_is_refused),
        CLIENT_TEST(a_clock_has_all_its_members),
        CLIENT_TEST(clocks_start_with_the_first_move),
        CLIENT_TEST(an_immediate_clock_runs_from_the_creation),
        CLIENT_TEST(a_game_shows_the_same_until_its_version_rises),
        CLIENT_TEST(stages_and_their_time_come_with_the_moves),
        CLIENT_TEST(a_delay_is_part_of_the_time_to_the_flag),
        CLIENT_TEST(the_clock_is_told_as_it_stands_now),
        CLIENT_TEST(a_game_that_stands_has_clocks_that_stand),
        CLIENT_TEST(an_untimed_game_has_no_clock),
        CLIENT_TEST(a_step_of_the_wall_clock_changes_nothing),
        CLIENT_TEST(the_time_of_receipt_is_that_of_the_first_call),
        CLIENT_TEST(a_flag_that_has_not_fallen_is_told_how_long_it_stands),
        CLIENT_TEST(a_fallen_flag_loses),
        CLIENT_TEST(a_fallen_flag_draws_against_who_cannot_mate),
        CLIENT_TEST(a_flag_falls_by_the_timer_and_before_a_late_move),
        CLIENT_TEST(who_does_not_move_for_long_loses),
        CLIENT_TEST(time_is_given_to_a_side),
        CLIENT_TEST(time_is_given_in_whole_and_to_somebody),
        CLIENT_TEST(undo_sets_the_clocks_back),
        CLIENT_TEST(a_fork_has_the_control_and_a_fresh_clock),
        CLIENT_TEST(the_history_tells_the_clock_of_each_move),
        CLIENT_TEST(several_moves_in_one_request_take_the_time_of_the_first),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
