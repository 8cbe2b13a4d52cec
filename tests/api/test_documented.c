/* What openapi.yaml promises of single operations beside their usual way: the other bodies that say the same, answers
 * as text, and parameters that change little. The expected values are those of API.md and the Laws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

/* ---- bodies that say a color ----------------------------------------------------------------------------- */

static const struct {
    const char *type, *white, *black;
} BODIES[] = {
    {"application/json", "{\"color\":\"white\"}", "{\"color\":\"black\"}"},
    {"application/x-www-form-urlencoded", "color=white", "color=black"},
    {"text/plain", "white", "black"},
};

static const struct {
    const char *method, *rest;
    const char *first; /* what White does before; NULL: nothing */
    bool is_black;     /* who does it */
    unsigned status;
} ACTIONS[] = {
    {"POST", "/draw/offer", NULL, false, 201},
    {"POST", "/draw/accept", "/draw/offer", true, 200},
    {"POST", "/draw/decline", "/draw/offer", true, 200},
    {"POST", "/takeback", NULL, false, 201},
    {"DELETE", "/takeback", "/takeback", false, 200},
    {"POST", "/takeback/accept", "/takeback", true, 200},
    {"POST", "/takeback/decline", "/takeback", true, 200},
    {"POST", "/illegal-move", NULL, true, 200},
    {"POST", "/resign", NULL, true, 200},
};

static const struct answer *send(struct client *client, const char *method, const char *target,
                                 const char *type, const char *body)
{
    const struct call call = {
        .method = method,
        .target = target,
        .body = body,
        .headers = {{"Accept", "*/*"}, {"Content-Type", type}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    return client_send(client, &call);
}

static void a_color_may_be_said_in_each_kind_of_body(void **state)
{
    for (size_t a = 0; a < sizeof ACTIONS / sizeof ACTIONS[0]; a++) {
        for (size_t b = 0; b < sizeof BODIES / sizeof BODIES[0]; b++) {
            print_message("%s %s, %s\n", ACTIONS[a].method, ACTIONS[a].rest, BODIES[b].type);
            const char *id = match_new(*state);
            match_play(*state, id, "e4 e5");
            if (ACTIONS[a].first)
                assert_status(match_post(*state, id, ACTIONS[a].first, "{\"color\":\"white\"}"), 201);
            const struct answer *answer =
                send(*state, ACTIONS[a].method, match_path(id, ACTIONS[a].rest), BODIES[b].type,
                     ACTIONS[a].is_black ? BODIES[b].black : BODIES[b].white);
            assert_status(answer, ACTIONS[a].status);
            assert_string_equal(answer_text(answer, "game.id"), id);
        }
    }
}

static void a_form_may_do_what_json_does(void **state)
{
    static const char FORM[] = "application/x-www-form-urlencoded";
    const char *id = match_new(*state);
    const struct answer *answer = send(*state, "PATCH", match_path(id, ""), FORM, "white.name=Anna");
    assert_status(answer, 200);
    assert_string_equal(answer_text(answer, "white.name"), "Anna");
    answer = send(*state, "PUT", match_path(id, "/moves/1"), FORM, "from=e2&to=e4");
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "move.san"), "e4");
    answer = send(*state, "POST", "/v1/positions/validate", FORM, "fen=8/8/8/8/8/8/8/8+w+-+-+0+1");
    assert_status(answer, 200);
    assert_false(answer_bool(answer, "valid"));
    answer = send(*state, "POST", "/v1/pgn/validate", "text/plain", "1. e4 e5 *\n");
    assert_status(answer, 200);
    assert_int_equal(answer_integer(answer, "games.0.plies"), 2);
}

static void a_put_takes_the_members_of_a_post(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer =
        match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"san\":\"e4\",\"notation\":\"strict\"}");
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "move.uci"), "e2e4");
    id = match_new_fen(*state, "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    answer = match_send(*state, "PUT", match_path(id, "/moves/1"),
                        "{\"from\":\"e7\",\"to\":\"e8\",\"promotion\":\"n\"}");
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "move.san"), "e8=N+");
}

/* To e4 a pawn has one way from the first position, and no other piece has any. */
static void a_line_of_a_batch_takes_what_its_route_takes(void **state)
{
    const struct answer *answer =
        client_post(*state, "/v1/positions/batch", "application/x-ndjson",
                    "{\"id\":1,\"op\":\"legal-moves\",\"to\":\"e4\",\"piece\":\"pawn\"}\n");
    assert_status(answer, 200);
    assert_non_null(strstr(answer->body, "\"uci\":\"e2e4\""));
    assert_non_null(strstr(answer->body, "\"count\":1"));
}

static void a_new_name_is_told(void **state)
{
    const char *id = match_new(*state);
    assert_status(match_send(*state, "PATCH", match_path(id, ""), "{\"black\":{\"name\":\"Ben\"}}"), 200);
    const struct answer *answer =
        client_get_as(*state, match_path(id, "/events?after=1"), "application/json");
    assert_status(answer, 200);
    assert_string_equal(answer_text(answer, "data.0.type"), "game.updated");
    assert_true(answer_has(answer, "data.0.data.changed.black"));
}

/* ---- answers as text ------------------------------------------------------------------------------------- */

static const struct answer *text_of(struct client *client, const char *target)
{
    const struct answer *answer = client_get_as(client, target, "text/plain");
    assert_status(answer, 200);
    assert_int_equal(strncmp(answer_header(answer, "Content-Type"), "text/plain", 10), 0);
    return answer;
}

static void the_first_line_of_a_text_is_the_fact(void **state)
{
    assert_non_null(strstr(text_of(*state, "/v1/problems")->body, "game-over"));
    assert_int_equal(strncmp(text_of(*state, "/v1/problems/game-over")->body, "game-over", 9), 0);
    assert_int_equal(strncmp(text_of(*state, "/v1/chess960/518")->body, START_FEN "\n", sizeof START_FEN), 0);
    assert_string_equal(text_of(*state, "/readyz")->body, "ready\n");
    assert_int_equal(strncmp(text_of(*state, "/openapi.yaml")->body, "openapi: 3.1.", 13), 0);
}

static void a_repeat_as_text_says_the_same_as_the_first_time(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5");
    const char *offer = match_path(id, "/draw/offer.txt");
    const struct answer *first = match_ask(*state, "POST", offer), *second = match_ask(*state, "POST", offer);
    assert_status(first, 201);
    assert_status(second, 200);
    assert_string_equal(second->body, first->body);
    first = send(*state, "PUT", match_path(id, "/moves/3.txt"), "text/plain", "Nf3");
    assert_status(first, 201);
    second = send(*state, "PUT", match_path(id, "/moves/3.txt"), "text/plain", "Nf3");
    assert_status(second, 200);
    assert_string_equal(first->body, "Nf3\n");
    assert_string_equal(second->body, "Nf3\n");
    assert_status(match_post(*state, id, "/takeback", "{\"color\":\"white\"}"), 201);
    assert_status(match_ask(*state, "DELETE", match_path(id, "/takeback.txt")), 200);
}

static void a_put_may_be_answered_shortly_too(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = match_send_with(*state, "PUT", match_path(id, "/moves/1"),
                                                  "{\"move\":\"e4\"}", "Prefer", "return=minimal");
    assert_status(answer, 201);
    assert_string_equal(answer_header(answer, "Preference-Applied"), "return=minimal");
    assert_int_equal(answer_integer(answer, "ply"), 1);
    assert_false(answer_has(answer, "game"));
}

/* RFC 7240 3: what is 200 for it was there, or is to be checked only, follows the preference as what is 201. */
static void a_repeat_and_a_check_may_be_answered_shortly_too(void **state)
{
    static const struct {
        const char *method, *rest, *json;
    } rows[] = {
        {"PUT", "/moves/1", "{\"move\":\"e4\"}"},
        {"POST", "/moves", "{\"move\":\"e4\",\"ply\":1}"},
        {"POST", "/moves?validate_only=true", "{\"move\":\"e5\"}"},
    };
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct answer *answer = match_send_with(*state, rows[i].method, match_path(id, rows[i].rest),
                                                      rows[i].json, "Prefer", "return=minimal");
        assert_status(answer, 200);
        assert_string_equal(answer_header(answer, "Preference-Applied"), "return=minimal");
        assert_false(answer_has(answer, "game"));
    }
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

/* Behind 1.e4 a pawn has made a double step that nobody can take en passant. */
static void a_fen_may_have_the_square_of_every_double_step(void **state)
{
    static const char ALWAYS[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    static const char LEGAL[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    assert_string_equal(answer_text(match_get(*state, id, "/legal-moves?fen_ep=always"), "fen"), ALWAYS);
    assert_string_equal(answer_text(match_get(*state, id, "/legal-moves?fen_ep=legal"), "fen"), LEGAL);
    assert_string_equal(text_of(*state, match_path(id, ".fen?fen_ep=always"))->body,
                        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n");
    const struct answer *answer =
        client_get(*state, "/v1/positions/legal-moves?fen_ep=always&fen=rnbqkbnr/pppppppp/8/8/4P3/8/"
                           "PPPP1PPP/RNBQKBNR_b_KQkq_e3_0_1");
    assert_string_equal(answer_text(answer, "fen"), ALWAYS);
    answer = client_post(*state, "/v1/positions/line?fen_ep=always", "text/plain", "e4");
    assert_string_equal(answer_text(answer, "moves.0.fen"), ALWAYS);
    answer = client_post(*state, "/v1/positions/validate?fen_ep=always", "text/plain", ALWAYS);
    assert_string_equal(answer_text(answer, "fen"), ALWAYS);
}

/* The FEN fits both kinds of chess; in Chess960 UCI castles by king takes rook. */
static void a_position_may_be_said_to_be_one_of_chess960(void **state)
{
#define EITHER "4k3/8/8/8/8/8/8/4K2R_w_K_-_0_1"
    static const char FEN[] = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    static const char *const UCI[] = {"e1g1", "e1h1"};
    static const char *const QUERIES[] = {"?fen=" EITHER, "?variant=chess960&fen=" EITHER};
    for (int i = 0; i < 2; i++) {
        char target[128];
        (void)snprintf(target, sizeof target, "/v1/positions/line%s", QUERIES[i]);
        const struct answer *answer = client_post(*state, target, "text/plain", "O-O");
        assert_string_equal(answer_text(answer, "moves.0.uci"), UCI[i]);
    }
    assert_status(client_get(*state, "/v1/positions?variant=chess960&fen=" EITHER), 200);
    const struct answer *answer =
        client_get(*state, "/v1/positions/perft?depth=1&divide&variant=chess960&fen=" EITHER);
    assert_status(answer, 200);
    assert_non_null(strstr(answer->body, "e1h1"));
    answer = client_post(*state, "/v1/positions/validate?variant=chess960", "text/plain", FEN);
    assert_true(answer_bool(answer, "valid"));
    answer = match_send(*state, "POST", "/v1/positions/validate",
                        "{\"fen\":\"4k3/8/8/8/8/8/8/4K2R w K - 0 1\",\"variant\":\"chess960\"}");
    assert_true(answer_bool(answer, "valid"));
    answer = client_post(*state, "/v1/positions/winnable?variant=chess960", "text/plain", FEN);
    assert_string_equal(answer_text(answer, "winnable"), "yes");
}

/* King against king is dead: a move behind that is an error unless dead positions are played on. */
static void archives_of_other_sites_may_be_read_by_their_rules(void **state)
{
    static const char PGN[] = "[FEN \"8/8/8/4k3/8/8/8/4K3 w - - 0 1\"]\n[SetUp \"1\"]\n\n1. Kd1 *\n";
    static const char TYPE[] = "application/vnd.chess-pgn";
    const struct answer *answer = client_post(*state, "/v1/pgn/validate", TYPE, PGN);
    assert_string_equal(answer_text(answer, "games.0.faults.0.code"), "moves_after_end");
    answer = client_post(
        *state, "/v1/pgn/validate?dead_position=off&fivefold=false&seventyfive=false&variant=standard", TYPE,
        PGN);
    assert_int_equal(answer_integer(answer, "games.0.plies"), 1);
}

static void a_picture_of_a_game_shows_what_is_asked_for(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    const char *plain = match_get(*state, id, "/board.svg?size=160")->body;
    assert_non_null(strstr(plain, "width=\"160\""));
    static const char *const QUERIES[] = {"theme=dark", "check=false&arrows=e2e4", "squares=e4",
                                          "last_move=0"};
    for (size_t i = 0; i < sizeof QUERIES / sizeof QUERIES[0]; i++) {
        char rest[64];
        (void)snprintf(rest, sizeof rest, "/board.svg?size=160&%s", QUERIES[i]);
        const struct answer *answer = match_get(*state, id, rest);
        assert_status(answer, 200);
        assert_string_not_equal(answer->body, plain);
    }
}

/* ---- games with seats ------------------------------------------------------------------------------------ */

static const struct answer *send_as(struct client *client, const char *token, const char *method,
                                    const char *target, const char *type, const char *body)
{
    char value[64];
    (void)snprintf(value, sizeof value, "Bearer %s", token);
    const struct call call = {
        .method = method,
        .target = target,
        .body = body,
        .headers = {{"Authorization", value}, {"Accept", "*/*"}, {type ? "Content-Type" : NULL, type}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    return client_send(client, &call);
}

static void seats_and_tokens_may_be_asked_for_in_each_kind_of_body(void **state)
{
    static const char FORM[] = "application/x-www-form-urlencoded";
    const struct answer *game =
        client_post(*state, "/v1/games", "application/json", "{\"access\":\"seats\"}");
    const char *id = answer_text(game, "id"), *creator = answer_text(game, "tokens.creator");
    const struct answer *seat = send(*state, "POST", match_path(id, "/seats"), FORM, "color=black&name=Ben");
    assert_status(seat, 201);
    assert_string_equal(answer_text(seat, "color"), "black");
    const struct answer *left =
        send_as(*state, answer_text(seat, "token"), "DELETE", match_path(id, "/seats/black.txt"), NULL, NULL);
    assert_status(left, 200);
    assert_int_equal(strncmp(answer_header(left, "Content-Type"), "text/plain", 10), 0);
    const char *tokens = match_path(id, "/tokens");
    const struct answer *renewed = send_as(*state, creator, "POST", tokens, FORM, "role=spectator");
    assert_status(renewed, 201);
    assert_string_equal(answer_text(renewed, "role"), "spectator");
    renewed = send_as(*state, creator, "POST", tokens, "text/plain", "white");
    assert_status(renewed, 201);
    assert_int_equal(strncmp(answer_text(renewed, "token"), "cw_", 3), 0);
}

static void nothing_is_offered_before_the_game_has_begun(void **state)
{
    const struct answer *game =
        client_post(*state, "/v1/games", "application/json", "{\"access\":\"seats\"}");
    const char *id = answer_text(game, "id");
    assert_string_equal(answer_text(game, "status"), "waiting");
    assert_problem(
        send_as(*state, answer_text(game, "tokens.white"), "POST", match_path(id, "/draw/offer"), NULL, NULL),
        409, "game-not-started");
}

/* ---- pages ----------------------------------------------------------------------------------------------- */

static const struct answer *page(struct client *client, const char *target, const char *tag)
{
    const struct call call = {
        .method = "GET",
        .target = target,
        .headers = {{"Accept", "text/html,*/*;q=0.1"}, {tag ? "If-None-Match" : NULL, tag}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    return client_send(client, &call);
}

/* Where the daemon was built without the page the help has no tag. */
static void what_a_browser_has_is_not_sent_again(void **state)
{
    const struct answer *first = page(*state, "/", NULL);
    assert_status(first, 200);
    const char *tag = answer_header(first, "ETag"), *asset = strstr(first->body, "/assets/");
    assert_int_equal(*tag != '\0', asset != NULL);
    if (!asset)
        return;
    assert_status(page(*state, "/", tag), 304);
    char target[128];
    (void)snprintf(target, sizeof target, "%.*s", (int)strcspn(asset, "\"'"), asset);
    const struct answer *loaded = page(*state, target, NULL);
    assert_status(loaded, 200);
    assert_status(page(*state, target, answer_header(loaded, "ETag")), 304);
}

/* ---- events of several games ----------------------------------------------------------------------------- */

static void several_games_are_told_in_each_format(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5");
    char target[128], cursor[32];
    (void)snprintf(cursor, sizeof cursor, "%s:1", id);
    (void)snprintf(target, sizeof target, "/v1/events?game=%s&wait=0", id);
    const struct call call = {
        .method = "GET",
        .target = target,
        .headers = {{"Accept", "application/json"}, {"Last-Event-ID", cursor}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    const struct answer *polled = client_send(*state, &call);
    assert_status(polled, 200);
    assert_int_equal(answer_count(polled, "data"), 2);
    assert_string_equal(answer_text(polled, "data.1.type"), "move.played");
    (void)snprintf(target, sizeof target, "/v1/events.ndjson?game=%s&after=%s", id, cursor);
    const struct answer *lines = client_get(*state, target);
    assert_status(lines, 200);
    assert_string_equal(answer_header(lines, "Content-Type"), "application/x-ndjson");
    assert_non_null(strstr(lines->body, "\"type\":\"move.played\""));
}

/* ---- refusals ------------------------------------------------------------------------------------------- */

/* Read, and against a rule: 422. */
static void what_breaks_a_rule_is_unprocessable(void **state)
{
#define NO_KINGS "8/8/8/8/8/8/8/8_w_-_-_0_1"
    assert_problem(client_get(*state, "/v1/positions/legal-moves?fen=" NO_KINGS), 422, "illegal-position");
    assert_problem(client_post(*state, "/v1/positions/line?fen=" NO_KINGS, "text/plain", "e4"), 422,
                   "illegal-position");
    const char *id = match_new(*state);
    assert_problem(match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"move\":\"e5\"}"), 422,
                   "illegal-move");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_color_may_be_said_in_each_kind_of_body),
        CLIENT_TEST(a_form_may_do_what_json_does),
        CLIENT_TEST(a_put_takes_the_members_of_a_post),
        CLIENT_TEST(a_line_of_a_batch_takes_what_its_route_takes),
        CLIENT_TEST(a_new_name_is_told),
        CLIENT_TEST(the_first_line_of_a_text_is_the_fact),
        CLIENT_TEST(a_repeat_as_text_says_the_same_as_the_first_time),
        CLIENT_TEST(a_repeat_and_a_check_may_be_answered_shortly_too),
        CLIENT_TEST(a_put_may_be_answered_shortly_too),
        CLIENT_TEST(a_fen_may_have_the_square_of_every_double_step),
        CLIENT_TEST(a_position_may_be_said_to_be_one_of_chess960),
        CLIENT_TEST(archives_of_other_sites_may_be_read_by_their_rules),
        CLIENT_TEST(a_picture_of_a_game_shows_what_is_asked_for),
        CLIENT_TEST(seats_and_tokens_may_be_asked_for_in_each_kind_of_body),
        CLIENT_TEST(nothing_is_offered_before_the_game_has_begun),
        CLIENT_TEST(what_a_browser_has_is_not_sent_again),
        CLIENT_TEST(several_games_are_told_in_each_format),
        CLIENT_TEST(what_breaks_a_rule_is_unprocessable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
