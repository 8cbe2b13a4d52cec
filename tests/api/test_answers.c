/* api/answers: reads of games that were rendered before; and what is rendered, held against the rules. */
#include "api/answers.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/notation.h"
#include "tests/api/match.h"
#include "tests/support/chance.h"

static const char *const KEPT[] = {"",
                                   "/legal-moves",
                                   "/legal-moves?group=dests",
                                   "/legal-moves?ply=1",
                                   "/legal-moves.txt",
                                   "/position",
                                   "/board",
                                   "/board.json",
                                   "/draw",
                                   "/repetitions"};
enum { KEPT_COUNT = sizeof KEPT / sizeof KEPT[0] };

/* An answer lives until the client closes, and holds what it has: memory that is the same was not rendered again. */
static void a_read_is_rendered_twice_at_the_most_and_never_copied(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5 Nf3");
    for (int i = 0; i < KEPT_COUNT; i++) {
        const struct answer *once = match_get(*state, id, KEPT[i]), *first = match_get(*state, id, KEPT[i]);
        const struct answer *second = match_get(*state, id, KEPT[i]), *third = match_get(*state, id, KEPT[i]);
        assert_string_equal(once->body, first->body);
        assert_null(once->response.slot); /* its body is nobody's but its own */
        assert_status(first, 200);
        assert_string_equal(second->body, first->body);
        assert_string_equal(third->body, first->body);
        assert_ptr_equal(third->response.body, second->response.body);
        assert_null(first->response.slot);
        assert_non_null(second->response.slot);
        assert_ptr_equal(third->response.slot, second->response.slot);
        static const char *const FIELDS[] = {"ETag", "Cache-Control", "Content-Type", "Vary"};
        for (size_t j = 0; j < sizeof FIELDS / sizeof FIELDS[0]; j++)
            assert_string_equal(answer_header(second, FIELDS[j]), answer_header(first, FIELDS[j]));
    }
}

static void every_change_of_a_game_makes_another_answer(void **state)
{
    static const struct {
        const char *method, *rest, *json;
    } CHANGES[] = {
        {"POST", "/moves", "{\"move\":\"e4\"}"},
        {"POST", "/draw/offer", "{\"color\":\"white\"}"},
        {"POST", "/draw/decline", "{\"color\":\"black\"}"},
        {"PATCH", "", "{\"white\":{\"name\":\"Anna\"}}"},
        {"PATCH", "", "{\"metadata\":{\"round\":3}}"},
        {"POST", "/undo", "{}"},
        {"POST", "/moves", "{\"moves\":[\"d4\",\"d5\"]}"},
        {"POST", "/resign", "{\"color\":\"black\"}"},
    };
    const char *id = match_new(*state);
    int64_t version = answer_integer(match_get(*state, id, ""), "version");
    for (size_t i = 0; i < sizeof CHANGES / sizeof CHANGES[0]; i++) {
        const struct answer *before = match_get(*state, id, "");
        assert_status(match_get(*state, id, ""), 200);
        const struct response_slot *slot = match_get(*state, id, "")->response.slot;
        assert_non_null(slot);
        const struct answer *change =
            match_send(*state, CHANGES[i].method, match_path(id, CHANGES[i].rest), CHANGES[i].json);
        assert_in_range(change->status, 200, 201);
        const struct answer *after = match_get(*state, id, "");
        assert_true(answer_integer(after, "version") > version);
        assert_string_not_equal(after->body, before->body);
        assert_status(match_get(*state, id, ""), 200);
        assert_ptr_not_equal(match_get(*state, id, "")->response.slot, slot);
        assert_string_not_equal(answer_header(after, "ETag"), answer_header(before, "ETag"));
        version = answer_integer(after, "version");
    }
    assert_string_equal(answer_text(match_get(*state, id, ""), "result"), "1-0");
    assert_int_equal(answer_integer(match_get(*state, id, "/legal-moves"), "count"), 0);
}

static void forms_queries_and_hosts_have_answers_of_their_own(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    for (int round = 0; round < 3; round++) {
        assert_int_equal(answer_integer(match_get(*state, id, "/legal-moves"), "count"), 20);
        assert_int_equal(answer_integer(match_get(*state, id, "/legal-moves?from=e7"), "count"), 2);
        assert_string_equal(match_text(*state, id, "/legal-moves?from=e7"),
                            match_get(*state, id, "/legal-moves.txt?from=e7")->body);
        static const char *const HOSTS[] = {"127.0.0.1:8080", "localhost:1234"};
        for (int i = 0; i < 2; i++) {
            char url[64];
            (void)snprintf(url, sizeof url, "http://%s/v1/games/%s", HOSTS[i], id);
            const struct answer *answer = match_ask_with(*state, "GET", match_path(id, ""), "Host", HOSTS[i]);
            assert_string_equal(answer_text(answer, "url"), url);
        }
        const struct answer *problem = match_get(*state, id, "/legal-moves?ply=2");
        assert_problem(problem, 404, "ply-not-found");
    }
}

static void what_is_kept_of_a_private_game_is_for_those_who_may_read_it(void **state)
{
    const struct answer *made =
        match_send(*state, "POST", "/v1/games", "{\"access\":\"seats\",\"visibility\":\"private\"}");
    assert_status(made, 201);
    const char *id = answer_text(made, "id");
    char bearer[128];
    (void)snprintf(bearer, sizeof bearer, "Bearer %s", answer_text(made, "tokens.white"));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < KEPT_COUNT; i++) {
            if (strstr(KEPT[i], "ply="))
                continue;
            assert_problem(match_get(*state, id, KEPT[i]), 404, "game-not-found");
            const struct answer *answer =
                match_ask_with(*state, "GET", match_path(id, KEPT[i]), "Authorization", bearer);
            assert_status(answer, 200);
            assert_string_equal(answer_header(answer, "Cache-Control"), "private, no-cache");
        }
        const struct answer *game =
            match_ask_with(*state, "GET", match_path(id, ""), "Authorization", bearer);
        assert_false(answer_has(game, "tokens"));
    }
}

static void what_is_kept_of_a_game_is_gone_with_it(void **state)
{
    const char *id = match_new(*state);
    for (int i = 0; i < 3; i++)
        assert_status(match_get(*state, id, ""), 200);
    assert_status(match_ask(*state, "DELETE", match_path(id, "")), 204);
    assert_problem(match_get(*state, id, ""), 404, "game-not-found");
}

/* From memory, and by a service that has rendered nothing yet, later. */
static void what_is_kept_is_what_would_be_rendered_now(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"300+3\",\"white\":{\"name\":\"Anna\"}}");
    const char *bodies[KEPT_COUNT];
    match_play(*state, id, "e4 e5");
    assert_status(match_post(*state, id, "/draw/offer", "{\"color\":\"black\"}"), 201);
    for (int i = 0; i < 2 * KEPT_COUNT; i++)
        bodies[i / 2] = match_get(*state, id, KEPT[i / 2])->body;
    client_advance(*state, 1500);
    for (int i = 0; i < KEPT_COUNT; i++)
        assert_string_equal(match_get(*state, id, KEPT[i])->body, bodies[i]);
    client_forget(*state);
    client_advance(*state, 1500);
    for (int i = 0; i < KEPT_COUNT; i++)
        assert_string_equal(match_get(*state, id, KEPT[i])->body, bodies[i]);
}

static void header_fields_are_those_of_the_request_that_is_answered(void **state)
{
    static const char ORIGIN[] = "http://127.0.0.1:8080";
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    for (int i = 0; i < KEPT_COUNT; i++) {
        const char *target = match_path(id, KEPT[i]);
        (void)match_ask_with(*state, "GET", target, "Origin", ORIGIN);
        const struct answer *plain = match_ask(*state, "GET", target);
        const struct answer *page = match_ask_with(*state, "GET", target, "Origin", ORIGIN);
        const struct answer *head = match_ask(*state, "HEAD", target);
        const char *tag = answer_header(plain, "ETag");
        assert_string_equal(answer_header(plain, "Access-Control-Allow-Origin"), "");
        assert_string_equal(answer_header(page, "Access-Control-Allow-Origin"), ORIGIN);
        assert_string_equal(answer_header(head, "ETag"), tag);
        assert_int_equal(head->response.length, plain->response.length);
        assert_status(match_ask_with(*state, "GET", target, "If-None-Match", tag), 304);
        assert_status(match_ask_with(*state, "GET", target, "If-None-Match", "\"v1\""), 200);
    }
}

static void a_running_clock_is_read_anew(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"300+3\"}");
    match_play(*state, id, "e4 e5");
    (void)match_get(*state, id, "");
    int64_t shown = answer_integer(match_get(*state, id, "/clock"), "clock.white_ms");
    for (int i = 1; i < 4; i++) {
        client_advance(*state, 1500);
        assert_int_equal(answer_integer(match_get(*state, id, "/clock"), "clock.white_ms"),
                         shown - INT64_C(1500) * i);
    }
}

static int setup_without(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.answer_cache_bytes = 0;
    *state = client_open(&options);
    return 0;
}

static void without_a_budget_every_read_is_rendered(void **state)
{
    const char *id = match_new(*state);
    for (int i = 0; i < KEPT_COUNT; i++) {
        if (strstr(KEPT[i], "ply="))
            continue;
        (void)match_get(*state, id, KEPT[i]);
        const struct answer *first = match_get(*state, id, KEPT[i]), *second = match_get(*state, id, KEPT[i]);
        assert_string_equal(second->body, first->body);
        assert_null(second->response.slot);
        assert_ptr_not_equal(second->response.body, first->response.body);
    }
}

enum { SMALL_BUDGET = 20000 };

static int setup_small(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.answer_cache_bytes = SMALL_BUDGET;
    *state = client_open(&options);
    return 0;
}

static void beyond_the_budget_the_oldest_answer_is_rendered_again(void **state)
{
    const char *id = match_new(*state);
    for (int i = 0; i < 2; i++)
        (void)match_get(*state, id, "");
    const struct answer *kept = match_get(*state, id, "");
    assert_non_null(kept->response.slot);
    for (int i = 0; i < 4 * SMALL_BUDGET / 2000; i++) { /* a Game is longer than 2000 bytes */
        const char *other = match_new(*state);
        for (int j = 0; j < 2; j++)
            (void)match_get(*state, other, "");
    }
    const struct answer *again = match_get(*state, id, "");
    assert_string_equal(again->body, kept->body);
    assert_null(again->response.slot);
}

/* ---- what is rendered ---------------------------------------------------------------------------------- */

static void assert_square(const struct answer *answer, const char *path, square s)
{
    char name[3];
    if (s == SQUARE_NONE) {
        assert_true(answer_is_null(answer, path));
        return;
    }
    fen_format_square(s, name);
    assert_string_equal(answer_text(answer, path), name);
}

static void assert_piece(const struct answer *answer, const char *path, enum piece_type type)
{
    if (type == PIECE_NONE)
        assert_true(answer_is_null(answer, path));
    else
        assert_string_equal(answer_text(answer, path), fen_piece_name(type));
}

/* `at`: the path of a Move object or of an entry of legal-moves. */
static void assert_move(const struct answer *answer, const char *at, const struct position *position, move m)
{
    char path[64], san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE];
    struct move_facts facts = position_move_facts(position, m);
    struct position after;
    position_play(position, m, &after);
    bool check = position_is_check(&after), mate = check && movegen_count(&after) == 0;
    notation_format_san(position, m, san);
    notation_format_uci(position, m, uci);
#define PATH(member) ((void)snprintf(path, sizeof path, "%s%s" member, at, *at ? "." : ""), path)
    assert_string_equal(answer_text(answer, PATH("san")), san);
    assert_string_equal(answer_text(answer, PATH("uci")), uci);
    assert_square(answer, PATH("from"), facts.from);
    assert_square(answer, PATH("to"), facts.to);
    assert_piece(answer, PATH("piece"), facts.piece);
    assert_piece(answer, PATH("captured"), facts.captured);
    assert_square(answer, PATH("captured_square"), facts.captured_square);
    assert_piece(answer, PATH("promotion"), facts.promotion);
    assert_int_equal(answer_bool(answer, PATH("en_passant")), facts.en_passant);
    assert_int_equal(answer_bool(answer, PATH("gives_check")), check);
    assert_int_equal(answer_bool(answer, PATH("gives_mate")), mate);
    if (facts.castling) {
        assert_string_equal(answer_text(answer, PATH("castling")),
                            facts.side == CASTLING_KINGSIDE ? "kingside" : "queenside");
        assert_square(answer, PATH("rook.from"), facts.rook_from);
        assert_square(answer, PATH("rook.to"), facts.rook_to);
    } else {
        assert_true(answer_is_null(answer, PATH("castling")));
        assert_true(answer_is_null(answer, PATH("rook")));
    }
#undef PATH
}

/* All that the api says of a position of a game. */
static void assert_shown(struct client *client, const char *id, const struct position *position)
{
    struct movelist legal = {0};
    char fen[FEN_SIZE], path[32];
    movegen_legal(position, &legal);
    fen_format(position, FEN_EN_PASSANT_LEGAL, fen);
    const struct answer *game = match_get(client, id, ""), *moves = match_get(client, id, "/legal-moves");
    assert_string_equal(answer_text(game, "fen"), fen);
    assert_string_equal(answer_text(moves, "fen"), fen);
    assert_int_equal(answer_integer(game, "legal_move_count"), legal.count);
    assert_int_equal(answer_count(moves, "moves"), (int)legal.count);
    for (unsigned i = 0; i < legal.count; i++) {
        (void)snprintf(path, sizeof path, "moves.%u", i);
        assert_move(moves, path, position, legal.moves[i]);
    }
}

/* The k-th legal move is played, k as a fixed sequence has it. */
static void play_along(struct client *client, const char *id, struct position position, unsigned plies)
{
    uint64_t seed = 20261130;
    for (unsigned ply = 1; ply <= plies; ply++) {
        struct movelist legal = {0};
        char uci[NOTATION_UCI_SIZE], json[32];
        assert_shown(client, id, &position);
        if (movegen_legal(&position, &legal) == 0)
            return;
        move m = legal.moves[chance_below(&seed, legal.count)];
        notation_format_uci(&position, m, uci);
        (void)snprintf(json, sizeof json, "{\"uci\":\"%s\"}", uci);
        const struct answer *answer = match_post(client, id, "/moves", json);
        assert_status(answer, 201);
        assert_move(answer, "move", &position, m);
        assert_move(answer, "game.last_move", &position, m);
        assert_true(cJSON_Compare(answer_at(answer, "move"), answer_at(answer, "game.last_move"), true));
        assert_true(cJSON_Compare(answer_at(answer, "game"), answer_at(match_get(client, id, ""), ""), true));
        struct position before = position;
        position_play(&before, m, &position);
    }
}

/* Both castlings, promotions, captures in passing and by the way, checks and mates come up in these. */
static void games_and_moves_are_shown_as_the_rules_have_them(void **state)
{
    static const char *const FENS[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    };
    play_along(*state, match_new(*state), position_initial(), 30);
    for (size_t i = 0; i < sizeof FENS / sizeof FENS[0]; i++) {
        struct position position;
        struct setup_report report;
        assert_true(fen_parse(FENS[i], strlen(FENS[i]), false, &position, &report));
        play_along(*state, match_new_fen(*state, FENS[i]), position, 12);
    }
}

/* As many moves as a position can have, and as much to say of one: room is reserved for all at once. */
static void the_longest_answers_have_room(void **state)
{
    static const char *const FENS[] = {
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", /* 218 moves */
        "1n1qk1n1/P1P4P/8/8/8/8/8/R3K2R w KQ - 99 6000",        /* captures that promote, both castlings */
    };
    static const unsigned COUNTS[] = {218, 47};
    for (size_t i = 0; i < sizeof FENS / sizeof FENS[0]; i++) {
        struct position position;
        struct setup_report report;
        assert_true(fen_parse(FENS[i], strlen(FENS[i]), false, &position, &report));
        assert_int_equal(movegen_count(&position), COUNTS[i]);
        assert_shown(*state, match_new_fen(*state, FENS[i]), &position);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_read_is_rendered_twice_at_the_most_and_never_copied),
        CLIENT_TEST(every_change_of_a_game_makes_another_answer),
        CLIENT_TEST(forms_queries_and_hosts_have_answers_of_their_own),
        CLIENT_TEST(what_is_kept_of_a_private_game_is_for_those_who_may_read_it),
        CLIENT_TEST(what_is_kept_of_a_game_is_gone_with_it),
        CLIENT_TEST(what_is_kept_is_what_would_be_rendered_now),
        CLIENT_TEST(header_fields_are_those_of_the_request_that_is_answered),
        CLIENT_TEST(a_running_clock_is_read_anew),
        CLIENT_TEST(games_and_moves_are_shown_as_the_rules_have_them),
        CLIENT_TEST(the_longest_answers_have_room),
        cmocka_unit_test_setup_teardown(without_a_budget_every_read_is_rendered, setup_without,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(beyond_the_budget_the_oldest_answer_is_rendered_again, setup_small,
                                        client_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
