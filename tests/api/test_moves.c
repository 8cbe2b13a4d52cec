/* Playing moves: the answer, the idempotent ways, several at once, what is refused and what it says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define AFTER_E4 "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"

/* ---- the answer ---- */

static void a_move_answers_with_move_game_and_time(void **state)
{
    static const struct member MOVE[] = {
        {"ply", "1"},
        {"number", "1"},
        {"color", "\"white\""},
        {"san", "\"e4\""},
        {"uci", "\"e2e4\""},
        {"from", "\"e2\""},
        {"to", "\"e4\""},
        {"piece", "\"pawn\""},
        {"captured", "null"},
        {"captured_square", "null"},
        {"promotion", "null"},
        {"castling", "null"},
        {"rook", "null"},
        {"en_passant", "false"},
        {"gives_check", "false"},
        {"gives_mate", "false"},
        {"zeroing", "true"},
        {"fen", "\"" AFTER_E4 "\""},
        {"position_key", NULL},
        {"repetition_count", "1"},
        {"clock_ms", "null"},
        {"spent_ms", "null"},
        {"played_at", "\"2026-01-02T03:04:06.000Z\""},
        {"comment", "null"},
    };
    static const struct member TOP[] = {
        {"move", NULL}, {"game", NULL}, {"server_time", "\"2026-01-02T03:04:06.000Z\""}};
    const char *id = match_new(*state);
    client_set_time(*state, 1767323046000);
    const struct answer *answer = client_curl(*state, match_path(id, "/moves"), "e4");
    assert_status(answer, 201);
    ASSERT_MEMBERS(answer, "", TOP);
    ASSERT_MEMBERS(answer, "move", MOVE);
    assert_string_equal(answer_header(answer, "Location"), match_path(id, "/moves/1"));
    assert_string_equal(answer_header(answer, "ETag"), "\"v2\"");
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
    assert_json(answer, "game.version", "2");
    assert_json(answer, "game.fen", "\"" AFTER_E4 "\"");
    assert_json(answer, "game.turn", "\"black\"");
    assert_json(answer, "game.updated_at", "\"2026-01-02T03:04:06.000Z\"");
    char *json = cJSON_PrintUnformatted(answer_at(answer, "move"));
    assert_json(answer, "game.last_move", json);
    assert_json(match_get(*state, id, "/moves/1"), "", json);
    assert_json(match_get(*state, id, "/moves"), "data.0", json);
    client_forget(*state);
    assert_json(match_get(*state, id, ""), "last_move", json);
    assert_json(match_get(*state, id, "/moves/1"), "", json);
    cJSON_free(json);
    assert_string_equal(answer_text(match_get(*state, id, "/position"), "position_key"),
                        answer_text(answer, "move.position_key"));
}

static void every_kind_of_move_says_what_it_is(void **state)
{
    static const struct {
        const char *label, *fen, *move, *members;
    } rows[] = {
        {"capture", "4k3/8/8/3p4/4P3/8/8/4K3 w - - 7 20", "exd5",
         "20 white exd5 e4d5 e4 d5 pawn pawn d5 - - - n n n z"},
        {"quiet move of a piece, Black", "4k3/8/8/8/8/8/8/R3K3 b Q - 7 20", "Kd7",
         "20 black Kd7 e8d7 e8 d7 king - - - - - n n n -"},
        {"check", "4k3/8/8/8/8/8/8/R3K3 w Q - 7 20", "Ra8",
         "20 white Ra8+ a1a8 a1 a8 rook - - - - - n y n -"},
        {"mate", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 7 20", "Ra8",
         "20 white Ra8# a1a8 a1 a8 rook - - - - - n y y -"},
        {"en passant", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 20", "exd6",
         "20 white exd6 e5d6 e5 d6 pawn pawn d5 - - - y n n z"},
        {"promotion", "7k/P7/8/8/8/8/8/4K3 w - - 3 20", "a8=N",
         "20 white a8=N a7a8n a7 a8 pawn - - knight - - n n n z"},
        {"promotion with capture and check", "1r5k/P7/8/8/8/8/8/4K3 w - - 3 20", "axb8=Q",
         "20 white axb8=Q+ a7b8q a7 b8 pawn rook b8 queen - - n y n z"},
        {"castling kingside", "4k3/8/8/8/8/8/8/4K2R w K - 3 20", "O-O",
         "20 white O-O e1g1 e1 g1 king - - - kingside h1>f1 n n n -"},
        {"castling queenside with check, Black", "r3k3/8/8/8/8/8/8/3K4 b q - 3 20", "O-O-O",
         "20 black O-O-O+ e8c8 e8 c8 king - - - queenside a8>d8 n y n -"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char got[256];
        const char *id = match_new_fen(*state, rows[i].fen);
        const struct answer *a = client_curl(*state, match_path(id, "/moves"), rows[i].move);
        assert_status(a, 201);
#define TEXT(name)      (answer_is_null(a, "move." name) ? "-" : answer_text(a, "move." name))
#define FLAG(name, yes) (answer_bool(a, "move." name) ? yes : "n")
        (void)snprintf(
            got, sizeof got, "%d %s %s %s %s %s %s %s %s %s %s %s%s%s %s %s %s %s",
            (int)answer_integer(a, "move.number"), TEXT("color"), TEXT("san"), TEXT("uci"), TEXT("from"),
            TEXT("to"), TEXT("piece"), TEXT("captured"), TEXT("captured_square"), TEXT("promotion"),
            TEXT("castling"), answer_is_null(a, "move.rook") ? "-" : TEXT("rook.from"),
            answer_is_null(a, "move.rook") ? "" : ">", answer_is_null(a, "move.rook") ? "" : TEXT("rook.to"),
            FLAG("en_passant", "y"), FLAG("gives_check", "y"), FLAG("gives_mate", "y"),
            answer_bool(a, "move.zeroing") ? "z" : "-");
        if (strcmp(got, rows[i].members) != 0)
            fail_msg("%s: expected %s, got %s", rows[i].label, rows[i].members, got);
    }
}

static void text_is_the_san_and_how_the_game_ended(void **state)
{
    const char *id = match_new(*state);
    assert_string_equal(client_curl(*state, match_path(id, "/moves.txt"), "f2f3")->body, "f3\n");
    match_play(*state, id, "e5 g4");
    const struct answer *answer = client_curl(*state, match_path(id, "/moves.txt"), "Qh4");
    assert_status(answer, 201);
    assert_string_equal(answer->body, "Qh4#\n0-1 checkmate\n");
    assert_string_equal(answer_header(answer, "ETag"), "\"v5.txt\"");
    assert_string_equal(answer_header(answer, "Location"), match_path(id, "/moves/4"));
    assert_string_equal(
        client_post(*state, match_path(match_new(*state), "/moves.txt"), NULL, "{\"moves\":[\"e4\",\"e5\"]}")
            ->body,
        "e4\ne5\n");
}

static void prefer_minimal_gives_the_small_answer(void **state)
{
    static const struct member MEMBERS[] = {
        {"ply", "1"}, {"version", "2"}, {"status", "\"active\""}, {"server_time", NULL}};
    static const char *const fields[] = {"return=minimal",
                                         "respond-async, return=minimal",
                                         "return=minimal; foo",
                                         "wait=10 , return=minimal",
                                         "return=\"minimal\"",
                                         "Return = minimal",
                                         "a=\"x,;\\\"\",return=minimal",
                                         "return=minimal, return=representation"};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        const struct answer *answer = match_send_with(*state, "POST", match_path(match_new(*state), "/moves"),
                                                      "{\"move\":\"e4\"}", "Prefer", fields[i]);
        assert_status(answer, 201);
        ASSERT_MEMBERS(answer, "", MEMBERS);
        assert_string_equal(answer_header(answer, "Preference-Applied"), "return=minimal");
        assert_string_equal(answer_header(answer, "ETag"), "\"v2\"");
    }
    static const char *const others[] = {"return=representation",
                                         "return",
                                         "return=",
                                         "a=\"b, return=minimal\"",
                                         "return=representation, return=minimal",
                                         "\"",
                                         ",;="};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        const struct answer *answer = match_send_with(*state, "POST", match_path(match_new(*state), "/moves"),
                                                      "{\"move\":\"e4\"}", "Prefer", others[i]);
        assert_true(answer_has(answer, "game"));
        assert_string_equal(answer_header(answer, "Preference-Applied"), "");
    }
}

/* ---- idempotency by ply ---- */

static void a_put_is_201_once_and_200_for_ever_after(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer =
        match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"move\":\"e4\",\"comment\":\"best\"}");
    assert_status(answer, 201);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "");
    char *json = cJSON_PrintUnformatted(answer_at(answer, "move"));
    static const char *const later[] = {"", "e5", "Nf3 Nc6", "!"};
    int versions[] = {2, 3, 5, 6};
    for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
        client_set_time(*state, 1767323045678 + (int64_t)i * 1000);
        if (later[i][0] == '!')
            assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
        else if (*later[i])
            match_play(*state, id, later[i]);
        for (int cold = 0; cold < 2; cold++) {
            answer = match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"uci\":\"e2e4\"}");
            assert_status(answer, 200);
            assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
            assert_string_equal(answer_header(answer, "Location"), match_path(id, "/moves/1"));
            assert_json(answer, "move", json);
            assert_int_equal(answer_integer(answer, "game.version"), versions[i]);
            client_forget(*state);
        }
    }
    cJSON_free(json);
}

static void a_ply_in_a_post_does_the_same(void **state)
{
    const char *id = match_new(*state);
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"e4\",\"ply\":1}"), 201);
    const struct answer *answer = match_post(*state, id, "/moves", "{\"move\":\"e4\",\"ply\":1}");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_status(client_curl(*state, match_path(id, "/moves"), "move=e5&ply=2"), 201);
    answer = client_curl(*state, match_path(id, "/moves.txt"), "move=e4&ply=1");
    assert_status(answer, 200);
    assert_string_equal(answer->body, "e4\n");
    assert_match_at(*state, id, 3, 2);
}

static void another_move_at_a_played_ply_is_a_conflict_that_shows_what_was_played(void **state)
{
    static const char *const moves[] = {"{\"move\":\"d4\"}", "{\"move\":\"e5\"}", "{\"move\":\"O-O\"}"};
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\",\"e5\"]}");
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        const struct answer *answer = match_send(*state, "PUT", match_path(id, "/moves/1"), moves[i]);
        assert_problem(answer, 409, "ply-conflict");
        assert_json(answer, "expected_ply", "3");
        assert_json(answer, "move", "{\"ply\":1,\"san\":\"e4\",\"uci\":\"e2e4\"}");
        assert_json(answer, "game.ply", "2");
    }
    assert_problem(match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"move\":\"?!\"}"), 400,
                   "unparseable-move");
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    assert_problem(match_send(*state, "PUT", match_path(id, "/moves/2"), "{\"move\":\"c5\"}"), 409,
                   "ply-conflict");
    assert_match_at(*state, id, 4, 2);
}

static void a_ply_ahead_of_the_game_is_a_conflict_that_names_the_next(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\"]}");
    static const char *const plies[] = {"/moves/3", "/moves/20000"};
    for (size_t i = 0; i < 2; i++) {
        const struct answer *answer =
            match_send(*state, "PUT", match_path(id, plies[i]), "{\"move\":\"e5\"}");
        assert_problem(answer, 409, "ply-conflict");
        assert_json(answer, "expected_ply", "2");
        assert_false(answer_has(answer, "move"));
    }
    const struct answer *answer = match_post(*state, id, "/moves", "{\"move\":\"e5\",\"ply\":7}");
    assert_problem(answer, 409, "ply-conflict");
    assert_json(answer, "expected_ply", "2");
    assert_match_at(*state, id, 2, 1);
}

static void plies_that_no_game_has_are_not_found_in_a_path(void **state)
{
    const char *id = match_new(*state);
    static const char *const plies[] = {"/moves/0", "/moves/20001", "/moves/one", "/moves/-1", "/moves/1.5"};
    for (size_t i = 0; i < sizeof plies / sizeof plies[0]; i++) {
        print_message("%s\n", plies[i]);
        assert_problem(match_send(*state, "PUT", match_path(id, plies[i]), "{\"move\":\"e4\"}"), 404,
                       "ply-not-found");
    }
    const struct answer *answer =
        match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"move\":\"e4\",\"ply\":2}");
    assert_problem(answer, 400, "invalid-parameter");
    assert_json(answer, "pointer", "\"/ply\"");
    assert_status(match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"move\":\"e4\",\"ply\":1}"), 201);
}

/* ---- several ---- */

static void several_moves_are_one_request_and_a_version_each(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = match_post(*state, id, "/moves", "{\"moves\":[\"e4\",\"e5\",\"g1f3\"]}");
    assert_status(answer, 201);
    assert_int_equal(answer_count(answer, "moves"), 3);
    assert_json(answer, "moves.0.san", "\"e4\"");
    assert_json(answer, "moves.2.san", "\"Nf3\"");
    assert_json(answer, "moves.2.ply", "3");
    assert_false(answer_has(answer, "move"));
    assert_json(answer, "game.version", "4");
    assert_string_equal(answer_header(answer, "Location"), match_path(id, "/moves/3"));
    assert_string_equal(answer_header(answer, "ETag"), "\"v4\"");
    answer = client_curl(*state, match_path(id, "/moves"), "moves=Nc6+Bb5,a6");
    assert_status(answer, 201);
    assert_json(answer, "game.ply", "6");
    for (int i = 0; i < 3; i++) {
        char path[64], target[64];
        (void)snprintf(path, sizeof path, "moves.%d", i);
        (void)snprintf(target, sizeof target, "/moves/%d", i + 4);
        char *json = cJSON_PrintUnformatted(answer_at(answer, path));
        assert_json(match_get(*state, id, target), "", json);
        cJSON_free(json);
    }
}

static void several_moves_are_all_played_or_none(void **state)
{
    static const struct {
        const char *moves, *code, *index, *pointer;
        unsigned status;
    } rows[] = {
        {"{\"moves\":[\"e4\",\"e5\",\"Ke3\",\"d5\"]}", "illegal-move", "2", "\"/moves/2\"", 422},
        {"{\"moves\":[\"e4\",\"e5\",\"\"]}", "unparseable-move", "2", "\"/moves/2\"", 400},
        {"{\"moves\":[\"xx\"]}", "unparseable-move", "0", "\"/moves/0\"", 400},
        {"{\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\",\"a3\"]}", "game-over", "4", "\"/moves/4\"", 409},
        {"{\"moves\":[\"Nf3\",\"Nf6\",\"Nd4\",\"Nd5\",\"Nc3\",\"Nc6\",\"Nb5\"]}", "ambiguous-move", "6",
         "\"/moves/6\"", 422},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].moves);
        const struct answer *answer = match_post(*state, id, "/moves", rows[i].moves);
        assert_problem(answer, rows[i].status, rows[i].code);
        assert_json(answer, "index", rows[i].index);
        assert_json(answer, "pointer", rows[i].pointer);
        assert_json(answer, "game.ply", "0");
        assert_match_at(*state, id, 1, 0);
    }
}

static void several_moves_take_the_ply_of_the_first_and_are_replayed_whole(void **state)
{
    static const char BODY[] = "{\"moves\":[\"e4\",\"e5\"],\"ply\":1}";
    const char *id = match_new(*state);
    assert_status(match_post(*state, id, "/moves", BODY), 201);
    assert_problem(match_post(*state, id, "/moves", "{\"moves\":[\"Nf3\"],\"ply\":4}"), 409, "ply-conflict");
    assert_status(match_post(*state, id, "/moves", "{\"moves\":[\"Nf3\",\"Nc6\"],\"ply\":3}"), 201);
    const struct answer *answer = match_post(*state, id, "/moves", BODY);
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_json(answer, "moves.0.san", "\"e4\"");
    assert_json(answer, "moves.1.san", "\"e5\"");
    assert_json(answer, "moves.1.ply", "2");
    assert_json(answer, "game.ply", "4");
    assert_match_at(*state, id, 5, 4);
}

static void several_moves_that_part_from_the_game_are_a_conflict(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\",\"e5\",\"Nf3\"]}");
    const struct answer *answer =
        match_post(*state, id, "/moves", "{\"moves\":[\"e4\",\"c5\",\"Nf3\"],\"ply\":1}");
    assert_problem(answer, 409, "ply-conflict");
    assert_json(answer, "move.ply", "2");
    assert_json(answer, "move.san", "\"e5\"");
    /* The first two were played, the third was not: all or nothing. */
    answer = match_post(*state, id, "/moves", "{\"moves\":[\"e5\",\"Nf3\",\"Nc6\"],\"ply\":2}");
    assert_problem(answer, 409, "ply-conflict");
    assert_json(answer, "expected_ply", "4");
    assert_match_at(*state, id, 4, 3);
}

static void an_empty_list_of_moves_is_refused(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = match_post(*state, id, "/moves", "{\"moves\":[]}");
    assert_problem(answer, 400, "invalid-parameter");
    assert_json(answer, "pointer", "\"/moves\"");
    assert_problem(match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"moves\":[\"e4\"]}"), 400,
                   "unknown-field");
}

/* ---- validate_only ---- */

static void validate_only_checks_and_changes_nothing(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"f3\",\"e5\",\"g4\"]}");
    const struct answer *answer = match_post(*state, id, "/moves?validate_only=true", "{\"move\":\"Qh4\"}");
    assert_status(answer, 200);
    assert_json(answer, "move.san", "\"Qh4#\"");
    assert_json(answer, "game.termination", "\"checkmate\"");
    assert_string_equal(answer_header(answer, "Location"), "");
    assert_string_equal(answer_header(answer, "ETag"), "");
    assert_match_at(*state, id, 4, 3);
    assert_problem(match_post(*state, id, "/moves?validate_only=true", "{\"move\":\"Qh5\"}"), 422,
                   "illegal-move");
    assert_problem(match_post(*state, id, "/moves?validate_only=1x", "{\"move\":\"Qh4\"}"), 400,
                   "invalid-parameter");
    assert_status(match_post(*state, id, "/moves?validate_only=true", "{\"moves\":[\"a5\",\"a3\"]}"), 200);
    assert_match_at(*state, id, 4, 3);
    assert_status(match_post(*state, id, "/moves?validate_only=false", "{\"move\":\"Qh4\"}"), 201);
    assert_problem(match_post(*state, id, "/moves?validate_only=true", "{\"move\":\"a3\"}"), 409,
                   "game-over");
    assert_match_at(*state, id, 5, 4);
    client_forget(*state);
    assert_match_at(*state, id, 5, 4);
}

/* After each it is asked whether the position is dead, which may take long. */
static void many_moves_are_never_judged_in_the_threads_of_the_network(void **state)
{
    static const char few[] = "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", many[] = "e4 e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3";
    char list[256], body[300];
    assert_false(match_play(*state, match_new(*state), few)->blocked);
    const char *id = match_new(*state);
    const struct answer *answer = match_play(*state, id, many);
    assert_true(answer->blocked);
    assert_int_equal(answer_count(answer, "moves"), 9);
    assert_false(match_play(*state, id, "d6")->blocked);
    answer = match_ask(*state, "POST", match_path(id, "/fork"));
    assert_status(answer, 201);
    assert_json(answer, "ply", "10");
    assert_true(answer->blocked);
    assert_false(match_ask(*state, "POST", match_path(id, "/fork?ply=8"))->blocked);
    match_moves_json(many, list, sizeof list);
    (void)snprintf(body, sizeof body, "{\"moves\":%s}", list);
    assert_true(match_post(*state, match_new(*state), "/moves?validate_only=true", body)->blocked);
    assert_true(match_send(*state, "POST", "/v1/games", body)->blocked);
    assert_true(match_send(*state, "POST", "/v1/games?validate_only=true", body)->blocked);
}

/* Long work is done by some of the threads of the pool only. */
static void very_many_moves_are_long_work(void **state)
{
    enum { ROUNDS = 51 };
    char moves[ROUNDS * 16 + 1] = "", list[ROUNDS * 32], body[ROUNDS * 32 + 128];
    static const char rules[] = "\"rules\":{\"fivefold\":false,\"seventyfive\":false}";
    for (int i = 0; i < ROUNDS; i++)
        memcpy(moves + 16 * i, "Nf3 Nf6 Ng1 Ng8 ", 17);
    match_moves_json(moves, list, sizeof list); /* 204 half-moves */
    (void)snprintf(body, sizeof body, "{\"moves\":%s,%s}", list, rules);
    const struct answer *answer = match_send(*state, "POST", "/v1/games", body);
    assert_status(answer, 201);
    assert_true(answer->worked);
    const char *id = answer_text(answer, "id");
    assert_true(match_ask(*state, "POST", match_path(id, "/fork"))->worked);
    answer = match_ask(*state, "POST", match_path(id, "/fork?ply=200"));
    assert_true(answer->blocked && !answer->worked);
    (void)snprintf(body, sizeof body, "{\"moves\":%s}", list);
    answer = match_post(*state, answer_text(answer, "id"), "/moves", body);
    assert_status(answer, 201);
    assert_true(answer->worked);
    (void)snprintf(body, sizeof body, "%s *", moves);
    answer =
        client_post(*state, "/v1/games?fivefold=false&seventyfive=false", "application/vnd.chess-pgn", body);
    assert_status(answer, 201);
    assert_true(answer->worked);
}

/* ---- a game that is over ---- */

static void an_ended_game_refuses_moves_and_shows_itself(void **state)
{
    static const struct member GAME[] = {
        {"id", NULL},          {"version", "5"},
        {"ply", "4"},          {"status", "\"ended\""},
        {"result", "\"0-1\""}, {"termination", "\"checkmate\""},
        {"turn", "\"white\""}, {"fen", "\"rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3\""},
    };
    const char *id = match_new_json(*state, "{\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\"]}");
    const struct answer *answer = client_curl(*state, match_path(id, "/moves"), "a3");
    assert_problem(answer, 409, "game-over");
    ASSERT_MEMBERS(answer, "game", GAME);
    assert_string_equal(answer_text(answer, "game.id"), id);
    assert_non_null(strstr(answer_text(answer, "detail"), "checkmate"));
    assert_problem(match_send(*state, "PUT", match_path(id, "/moves/5"), "{\"move\":\"a3\"}"), 409,
                   "game-over");
    answer = client_post(*state, match_path(id, "/moves.txt"), "text/plain", "a3");
    assert_int_equal(strncmp(answer->body, "error: game-over: ", 18), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_move_answers_with_move_game_and_time),
        CLIENT_TEST(every_kind_of_move_says_what_it_is),
        CLIENT_TEST(text_is_the_san_and_how_the_game_ended),
        CLIENT_TEST(prefer_minimal_gives_the_small_answer),
        CLIENT_TEST(a_put_is_201_once_and_200_for_ever_after),
        CLIENT_TEST(a_ply_in_a_post_does_the_same),
        CLIENT_TEST(another_move_at_a_played_ply_is_a_conflict_that_shows_what_was_played),
        CLIENT_TEST(a_ply_ahead_of_the_game_is_a_conflict_that_names_the_next),
        CLIENT_TEST(plies_that_no_game_has_are_not_found_in_a_path),
        CLIENT_TEST(several_moves_are_one_request_and_a_version_each),
        CLIENT_TEST(several_moves_are_all_played_or_none),
        CLIENT_TEST(several_moves_take_the_ply_of_the_first_and_are_replayed_whole),
        CLIENT_TEST(several_moves_that_part_from_the_game_are_a_conflict),
        CLIENT_TEST(an_empty_list_of_moves_is_refused),
        CLIENT_TEST(validate_only_checks_and_changes_nothing),
        CLIENT_TEST(many_moves_are_never_judged_in_the_threads_of_the_network),
        CLIENT_TEST(very_many_moves_are_long_work),
        CLIENT_TEST(an_ended_game_refuses_moves_and_shows_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
