/* POST /v1/games with a PGN. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <malloc.h>

#include "tests/api/match.h"

#define PGN  "application/vnd.chess-pgn"
#define JSON "application/json"

static const char italian[] = "[Event \"Club\"]\n[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n"
                              "{first} 1. e4 {good [%clk 0:02:00]} e5 2. Nf3 Nc6 3. Bc4 1-0\n";

static const struct answer *create(struct client *client, const char *type, const char *body)
{
    return client_post(client, "/v1/games", type, body);
}

static const char *pgn_of(struct client *client, const struct answer *answer)
{
    assert_status(answer, 201);
    return match_get(client, answer_text(answer, "id"), ".pgn")->body;
}

static void a_game_goes_on_from_the_last_position(void **state)
{
    const struct answer *answer = create(*state, PGN, italian);
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "status"),
                        "active"); /* the board shows no end: it goes on live */
    assert_string_equal(answer_text(answer, "result"), "*");
    assert_int_equal(answer_integer(answer, "ply"), 5);
    assert_int_equal(answer_integer(answer, "version"), 6);
    assert_string_equal(answer_text(answer, "white.name"), "Ann");
    assert_string_equal(answer_text(answer, "black.name"), "Bob");
    assert_string_equal(answer_text(answer, "last_move.san"), "Bc4");
    const char *pgn = pgn_of(*state, answer);
    assert_non_null(strstr(pgn, "[Event \"Club\"]"));
    assert_non_null(strstr(pgn, "\n\n{ first } 1. e4 { [%clk 0:02:00] good } 1... e5 2. Nf3 Nc6 3. Bc4 *\n"));
    assert_status(match_play(*state, answer_text(answer, "id"), "Bc5"), 201);
}

static void its_type_has_two_names_and_may_be_missing(void **state)
{
    assert_status(create(*state, PGN, "1. e4 e5 *"), 201);
    assert_status(create(*state, "application/x-chess-pgn", "1. e4 e5 *"), 201);
    assert_status(create(*state, NULL, "[Event \"x\"]\n\n1. e4 e5 *"), 201);
    assert_status(create(*state, NULL, "\xEF\xBB\xBF[Event \"x\"]\n\n1. e4 e5 *"), 201);
    assert_int_equal(answer_integer(create(*state, NULL, "1. e4 e5 *"), "ply"), 2);
    assert_status(create(*state, NULL, "e4 e5 *"), 400); /* bare text is a FEN */
}

static void a_game_may_come_as_a_member(void **state)
{
    const struct answer *answer = create(
        *state, JSON,
        "{\"pgn\": \"[White \\\"Ann\\\"]\\n\\n1. e4 e5 *\", \"clock\": \"300+3\", \"black\": {\"name\": "
        "\"Cyd\"},"
        " \"white\": {\"name\": \"Dee\"}, \"rules\": {\"takeback\": \"free\"}, \"metadata\": {\"a\": 1}}");
    assert_status(answer, 201);
    assert_int_equal(answer_integer(answer, "ply"), 2);
    assert_string_equal(answer_text(answer, "white.name"), "Dee"); /* said besides, it counts */
    assert_string_equal(answer_text(answer, "black.name"), "Cyd");
    assert_string_equal(answer_text(answer, "rules.takeback"), "free");
    assert_int_equal(answer_integer(answer, "clock.white_ms"), 300000); /* White's first move is untimed */
    static const char *const others[] = {"\"fen\": \"4k3/8/8/8/8/8/8/4K2R w - - 0 1\"", "\"moves\": [\"e4\"]",
                                         "\"chess960_number\": 3"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char json[256];
        (void)snprintf(json, sizeof json, "{\"pgn\": \"1. e4 *\", %s}", others[i]);
        const struct answer *refused = create(*state, JSON, json);
        assert_problem(refused, 400, "invalid-parameter");
        assert_string_equal(answer_text(refused, "pointer"), "/pgn");
    }
}

/* A PGN may have a mebibyte to be read and judged. */
static void a_pgn_is_never_read_in_the_threads_of_the_network(void **state)
{
    assert_true(create(*state, PGN, italian)->blocked);
    assert_true(create(*state, JSON, "{\"pgn\": \"1. e4 *\"}")->blocked);
    assert_true(create(*state, JSON, "{\"pgn\": \"1. e5 *\", \"validate_only\": true}")->blocked);
    assert_false(create(*state, JSON, "{\"moves\": [\"e4\"]}")->blocked);
}

static void validation_creates_nothing(void **state)
{
    const struct answer *answer = client_post(*state, "/v1/games?validate_only=true", PGN, italian);
    assert_status(answer, 200);
    assert_int_equal(answer_integer(answer, "ply"), 5);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 0);
}

static void a_fault_is_told_with_its_place(void **state)
{
    const struct answer *answer = create(*state, PGN, "[Event \"x\"]\n\n1. e4 e5\n2. Ke3 *\n");
    assert_problem(answer, 400, "invalid-pgn");
    assert_int_equal(answer_count(answer, "faults"), 1);
    assert_string_equal(answer_text(answer, "faults.0.code"), "illegal_move");
    assert_string_equal(answer_text(answer, "faults.0.severity"), "error");
    assert_int_equal(answer_integer(answer, "faults.0.line"), 4);
    assert_int_equal(answer_integer(answer, "faults.0.column"), 4);
    assert_int_equal(answer_integer(answer, "faults.0.ply"), 3);
    assert_string_equal(answer_text(answer, "faults.0.token"), "Ke3");
    assert_false(answer_has(answer, "pointer"));
    answer = create(*state, JSON, "{\"pgn\": \"1. e4 e4 *\"}");
    assert_problem(answer, 400, "invalid-pgn");
    assert_string_equal(answer_text(answer, "pointer"), "/pgn");
    answer = create(*state, PGN, "[Variant \"Atomic\"]\n\n1. e4 *\n");
    assert_string_equal(answer_text(answer, "faults.0.code"), "variant");
}

static void lines_before_the_game_count(void **state)
{
    const struct answer *answer = create(*state, PGN, "\n\n1. e4 Ke6 *\n");
    assert_int_equal(answer_integer(answer, "faults.0.line"), 3);
}

static void bytes_that_are_no_text_are_a_fault_of_the_pgn(void **state)
{
    const struct call call = {.method = "POST",
                              .target = "/v1/games",
                              .body = "[White \"A\0B\"]\n\n1. e4 *\n",
                              .body_length = 23,
                              .headers = {{"Content-Type", PGN}}};
    const struct answer *answer = client_send(*state, &call);
    assert_problem(answer, 400, "invalid-pgn");
    assert_string_equal(answer_text(answer, "faults.0.code"), "encoding");
    const struct answer *latin = create(*state, PGN, "[White \"J\xF6rg\"]\n\n1. e4 *\n");
    assert_status(latin, 201);
    assert_string_equal(answer_text(latin, "white.name"), "J\xC3\xB6rg");
}

static void several_games_are_for_the_import(void **state)
{
    const struct answer *answer = create(*state, PGN, "1. e4 *\n\n1. d4 *\n");
    assert_problem(answer, 400, "invalid-pgn");
    assert_non_null(strstr(answer_text(answer, "detail"), "/v1/pgn/import"));
}

static void moves_behind_an_automatic_end_are_a_fault_unless_the_rule_is_off(void **state)
{
    static const char dead[] = "[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 Kd7 *\n";
    const struct answer *answer = create(*state, PGN, dead);
    assert_problem(answer, 400, "invalid-pgn");
    assert_string_equal(answer_text(answer, "faults.0.code"), "moves_after_end");
    assert_int_equal(answer_integer(answer, "faults.0.ply"), 2);
    assert_string_equal(answer_text(answer, "faults.0.token"), "Kd7");
    answer = client_post(*state, "/v1/games?dead_position=off", PGN, dead);
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "rules.dead_position"), "off");
    answer = create(*state, JSON,
                    "{\"pgn\": \"[FEN \\\"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\\\"]\\n1. Kxe2 Kd7 *\","
                    " \"rules\": {\"dead_position\": \"off\"}}");
    assert_status(answer, 201);
    answer = client_post(*state, "/v1/games?dead_position=off", JSON,
                         "{\"rules\": {\"dead_position\": \"exact\"}}");
    assert_problem(answer, 400, "invalid-parameter");
    assert_string_equal(answer_text(answer, "pointer"), "/rules/dead_position");
    answer = client_post(*state, "/v1/games?fivefold=false&seventyfive=false", PGN, "1. e4 *");
    assert_false(answer_bool(answer, "rules.fivefold"));
    assert_false(answer_bool(answer, "rules.seventyfive"));
}

static void more_moves_than_a_game_may_have_are_a_fault(void **state)
{
    struct client *client = *state;
    const struct answer *answer = create(client, PGN, "1. Nf3 Nf6 2. Ng1 Ng8 *");
    assert_problem(answer, 400, "invalid-pgn");
    assert_int_equal(answer_integer(answer, "faults.0.ply"), 4);
}

static int setup_short(void **state)
{
    const struct client_options options = {.plies_limit = 3};
    *state = client_open(&options);
    return 0;
}

static void a_mate_is_an_end(void **state)
{
    const struct answer *answer = create(*state, PGN, "1. f3 e5 2. g4 Qh4# 0-1\n");
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "termination"), "checkmate");
    assert_string_equal(answer_text(answer, "result"), "0-1");
}

/* What is wrong beside a good PGN: one member may be read before it, another behind it. */
static void what_was_read_of_a_pgn_goes_with_its_request(void **state)
{
    enum { ROUNDS = 16, COMMENT = 30000 };
    (void)state;
    char json[COMMENT + 128];
    (void)snprintf(json, sizeof json, "{\"pgn\": \"1. e4 {%0*d} e5 *\", \"visibility\": \"private\"}",
                   COMMENT, 0);
    size_t held = 0;
    for (unsigned round = 0; round <= ROUNDS; round++) {
        struct client *client = client_open(NULL);
        assert_problem(create(client, JSON, json), 400, "invalid-parameter");
        client_close(client);
        if (round == 0) /* what is there from the first use on */
            held = mallinfo2().uordblks;
    }
    assert_true(mallinfo2().uordblks < held + ROUNDS * COMMENT / 2);
}

/* curl -d @game.pgn: without the ends of lines, and called a form. */
static void glued_lines_are_read_where_nothing_is_lost(void **state)
{
    const struct answer *answer =
        client_curl(*state, "/v1/games", "[Event \"x\"][White \"Ann\"]1. e4 e5 2. Nf3 *");
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "white.name"), "Ann");
    answer = client_curl(*state, "/v1/games", "[Event \"x\"]1. e4 e5 2. Nf3Nc6 3. Bb5 *");
    assert_problem(answer, 400, "invalid-pgn");
    assert_non_null(strstr(answer_text(answer, "detail"), "--data-binary @game.pgn"));
    answer = client_curl(*state, "/v1/games", "[Event \"x\"]\n1. e4 e5 2. Nf3Nc6 3. Bb5 *");
    assert_problem(answer, 400, "invalid-pgn");
    assert_null(strstr(answer_text(answer, "detail"), "--data-binary"));
}

/* In one line such a comment takes the rest of the game. */
static void a_comment_to_the_end_of_a_lost_line_is_refused(void **state)
{
    static const char *const targets[] = {"/v1/games", "/v1/pgn/validate", "/v1/pgn/import"};
    static const char glued[] = "[Event \"x\"]1. e4 ; the best2. e5 Nf3 *";
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        const struct answer *answer = client_curl(*state, targets[i], glued);
        assert_problem(answer, 400, "invalid-pgn");
        assert_non_null(strstr(answer_text(answer, "detail"), "column 18"));
        assert_non_null(strstr(answer_text(answer, "detail"), "--data-binary @game.pgn"));
    }
    assert_status(client_curl(*state, "/v1/games", "[Event \"x\"]\n1. e4 ; the best\n1... e5 2. Nf3 *"), 201);
    assert_status(create(*state, PGN, "[Event \"x\"] 1. e4 e5 ; the best"), 201);
    const struct answer *answer = client_curl(
        *state, "/v1/games", "[Event \"a;b\\\"];c\"][Site \"]\"]{d;e} 1. e4 {f;\" [g} e5 2. Nf3 *");
    assert_status(answer, 201);
    assert_int_equal(answer_integer(answer, "ply"), 3);
}

static void a_pgn_that_is_called_a_text_is_told_its_type(void **state)
{
    const struct answer *answer = create(*state, "text/plain", italian);
    assert_problem(answer, 400, "invalid-fen");
    assert_non_null(strstr(answer_text(answer, "detail"), "application/vnd.chess-pgn"));
    answer = create(*state, "text/plain", "1. e4 e5 *");
    assert_non_null(strstr(answer_text(answer, "detail"), "application/vnd.chess-pgn"));
}

static void bytes_of_other_encodings_are_called_no_text(void **state)
{
    static const struct call calls[] = {
        {.body = "\x1F\x8B\b\0\0\0\0\0", .body_length = 8}, /* gzip, RFC 1952 */
        {.body = "\xFF\xFE\0\0e\0\0\0", .body_length = 8},  /* UTF-32 */
        {.body = "\xFE\xFF\0e\0"
                 "4",
         .body_length = 6}, /* UTF-16 */
    };
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct call call = calls[i];
        call.method = "POST";
        call.target = "/v1/games";
        call.headers[0] = (struct response_header){"Content-Type", PGN};
        const struct answer *answer = client_send(*state, &call);
        assert_problem(answer, 400, "invalid-pgn");
        assert_non_null(strstr(answer_text(answer, "detail"), "his is no UTF-8 text"));
        assert_null(strstr(answer_text(answer, "detail"), "UTF-16"));
    }
}

/* Only a body that curl may have glued is told so. */
static void a_member_has_lost_no_lines(void **state)
{
    static const char *const bodies[] = {"{\"pgn\": \"\"}", "{\"pgn\": \"1. e4 e4 *\"}", "pgn=1.+e4+e4+*"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const struct answer *answer = client_curl(*state, "/v1/games", bodies[i]);
        assert_problem(answer, 400, "invalid-pgn");
        assert_null(strstr(answer_text(answer, "detail"), "--data-binary"));
    }
}

static void chess960_is_meant_where_it_is_said(void **state)
{
    const struct answer *answer = client_post(*state, "/v1/games?variant=chess960", PGN, "1. e4 *");
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "variant"), "chess960");
}

static void as_text_the_answer_is_the_id(void **state)
{
    const struct answer *answer = client_post(*state, "/v1/games.txt", PGN, "1. e4 *");
    assert_status(answer, 201);
    assert_int_equal(answer->length, 13);
    answer = client_post(*state, "/v1/games.txt", PGN, "1. e5 *");
    assert_int_equal(answer->status, 400);
    assert_int_equal(strncmp(answer->body, "error: invalid-pgn: Line 1, column 4: ", 38), 0);
}

/* Rows of the table of limits: the longest PGN that is read, and one byte more. */
static void a_pgn_has_a_limit_of_its_own(void **state)
{
    enum { LIMIT = 1 << 20 };
    char *pgn = malloc(LIMIT + 2);
    assert_non_null(pgn);
    memset(pgn, ' ', LIMIT + 1);
    memcpy(pgn, "1. e4 ", 6);
    pgn[LIMIT - 1] = '*';
    pgn[LIMIT] = '\0';
    assert_status(create(*state, PGN, pgn), 201);
    memcpy(pgn + LIMIT, " ", 2);
    assert_problem(create(*state, PGN, pgn), 413, "payload-too-large");
    free(pgn);
}

/* The same PGN as a member: the body around it counts. */
static void fields_may_be_as_long_as_a_pgn(void **state)
{
    enum { LIMIT = 1 << 20 };
    static const char before[] = "{\"pgn\": \"1. e4 ", after[] = "*\"}";
    char *json = malloc(LIMIT + 2);
    assert_non_null(json);
    memset(json, ' ', LIMIT + 1);
    memcpy(json, before, strlen(before));
    memcpy(json + LIMIT - strlen(after), after, sizeof after);
    const struct answer *answer = create(*state, JSON, json);
    assert_status(answer, 201);
    assert_true(answer->blocked);
    memcpy(json + LIMIT, " ", 2);
    answer = create(*state, JSON, json);
    assert_problem(answer, 413, "payload-too-large");
    assert_non_null(strstr(answer_text(answer, "detail"), "1048576 bytes long (limit `pgn_bytes`)"));
    answer = client_post(*state, "/v1/positions/line", JSON, json);
    assert_problem(answer, 413, "payload-too-large");
    assert_non_null(strstr(answer_text(answer, "detail"), "65536 bytes long (limit `body_bytes`)"));
    json[0] = ' ';
    answer = create(*state, "text/plain", json);
    assert_non_null(strstr(answer_text(answer, "detail"), "65536 bytes long (limit `body_bytes`)"));
    free(json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_game_goes_on_from_the_last_position),
        CLIENT_TEST(its_type_has_two_names_and_may_be_missing),
        CLIENT_TEST(a_game_may_come_as_a_member),
        CLIENT_TEST(a_pgn_is_never_read_in_the_threads_of_the_network),
        CLIENT_TEST(validation_creates_nothing),
        CLIENT_TEST(a_fault_is_told_with_its_place),
        CLIENT_TEST(lines_before_the_game_count),
        CLIENT_TEST(bytes_that_are_no_text_are_a_fault_of_the_pgn),
        CLIENT_TEST(several_games_are_for_the_import),
        CLIENT_TEST(moves_behind_an_automatic_end_are_a_fault_unless_the_rule_is_off),
        cmocka_unit_test_setup_teardown(more_moves_than_a_game_may_have_are_a_fault, setup_short,
                                        client_teardown),
        CLIENT_TEST(a_mate_is_an_end),
        cmocka_unit_test(what_was_read_of_a_pgn_goes_with_its_request),
        CLIENT_TEST(glued_lines_are_read_where_nothing_is_lost),
        CLIENT_TEST(a_comment_to_the_end_of_a_lost_line_is_refused),
        CLIENT_TEST(a_pgn_that_is_called_a_text_is_told_its_type),
        CLIENT_TEST(bytes_of_other_encodings_are_called_no_text),
        CLIENT_TEST(a_member_has_lost_no_lines),
        CLIENT_TEST(chess960_is_meant_where_it_is_said),
        CLIENT_TEST(as_text_the_answer_is_the_id),
        CLIENT_TEST(a_pgn_has_a_limit_of_its_own),
        CLIENT_TEST(fields_may_be_as_long_as_a_pgn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
