/* The history of a game: pages of moves in both orders, one move, comments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "storage/backend.h"
#include "tests/api/match.h"
#include "tests/support/storage_faulty.h"

#define ELEVEN "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1"

static const char *next_target(const struct answer *answer)
{
    static char target[256];
    const char *link = answer_header(answer, "Link");
    const char *end = strstr(link, ">; rel=\"next\"");
    target[0] = '\0';
    if (end)
        (void)snprintf(target, sizeof target, "%.*s", (int)(end - link - 1), link + 1);
    return target;
}

static void add_sans(const struct answer *page, char *sans, size_t size)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, answer_at(page, "data"))
    {
        size_t length = strlen(sans);
        (void)snprintf(sans + length, size - length, "%s%s", length ? " " : "",
                       cJSON_GetObjectItemCaseSensitive(item, "san")->valuestring);
    }
}

static void the_history_is_every_move_with_the_version(void **state)
{
    char sans[256] = "";
    const char *id = match_new(*state);
    match_play(*state, id, ELEVEN);
    const struct answer *answer = match_get(*state, id, "/moves");
    assert_status(answer, 200);
    add_sans(answer, sans, sizeof sans);
    assert_string_equal(sans, ELEVEN);
    assert_json(answer, "next_ply", "null");
    assert_json(answer, "version", "12");
    assert_string_equal(answer_header(answer, "ETag"), "\"v12\"");
    assert_string_equal(answer_header(answer, "Link"), "");
    assert_json(answer, "data.8.castling", "\"kingside\"");
    assert_json(answer, "data.8.uci", "\"e1g1\"");
    assert_json(answer, "data.8.rook", "{\"from\":\"h1\",\"to\":\"f1\"}");
    assert_json(answer, "data.8.number", "5");
    assert_json(answer, "data.9.color", "\"black\"");
}

static void the_next_page_comes_in_the_same_form(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, ELEVEN);
    const struct answer *answer = match_get(*state, id, "/moves.txt?limit=5");
    assert_string_equal(next_target(answer), match_path(id, "/moves.txt?from_ply=6&limit=5"));
    assert_string_equal(client_get(*state, next_target(answer))->body, "a6\nBa4\nNf6\nO-O\nBe7\n");
}

static void a_game_without_moves_has_an_empty_history(void **state)
{
    static const char *const targets[] = {"/moves", "/moves?order=desc", "/moves?from_ply=0",
                                          "/moves?from_ply=5&order=desc", "/moves?from_ply=20000"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++)
        assert_json(match_get(*state, id, targets[i]), "", "{\"data\":[],\"next_ply\":null,\"version\":1}");
}

static void pages_of_every_size_show_every_move_once(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, ELEVEN);
    for (int limit = 1; limit <= 12; limit++) {
        for (int order = 0; order < 2; order++) {
            char target[256], sans[256] = "", rest[64];
            int pages = 0;
            (void)snprintf(rest, sizeof rest, "/moves?limit=%d%s", limit, order ? "&order=desc" : "");
            (void)snprintf(target, sizeof target, "%s", match_path(id, rest));
            while (*target) {
                const struct answer *page = client_get(*state, target);
                assert_status(page, 200);
                add_sans(page, sans, sizeof sans);
                (void)snprintf(target, sizeof target, "%s", next_target(page));
                assert_int_equal(*target != '\0', !answer_is_null(page, "next_ply"));
                pages++;
            }
            assert_string_equal(sans, order ? "Re1 Be7 O-O Nf6 Ba4 a6 Bb5 Nc6 Nf3 e5 e4" : ELEVEN);
            assert_int_equal(pages, (11 + limit - 1) / limit);
        }
    }
}

static void a_page_begins_where_it_is_asked_to(void **state)
{
    static const struct {
        const char *query, *sans, *next;
    } rows[] = {
        {"from_ply=1&limit=2", "e4 e5", "3"},
        {"from_ply=10", "Be7 Re1", "null"},
        {"from_ply=11&limit=1", "Re1", "null"},
        {"from_ply=10&limit=1", "Be7", "11"},
        {"from_ply=12", "", "null"},
        {"from_ply=0&limit=1", "e4", "2"},
        {"from_ply=3&order=desc", "Nf3 e5 e4", "null"},
        {"from_ply=3&order=desc&limit=2", "Nf3 e5", "1"},
        {"from_ply=0&order=desc", "", "null"},
        {"from_ply=99&order=desc&limit=1", "Re1", "10"},
        {"order=asc&limit=500&from_ply=11", "Re1", "null"},
    };
    const char *id = match_new(*state);
    match_play(*state, id, ELEVEN);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char rest[64], sans[128] = "";
        (void)snprintf(rest, sizeof rest, "/moves?%s", rows[i].query);
        const struct answer *answer = match_get(*state, id, rest);
        add_sans(answer, sans, sizeof sans);
        print_message("%s\n", rows[i].query);
        assert_string_equal(sans, rows[i].sans);
        assert_json(answer, "next_ply", rows[i].next);
    }
}

static void pages_that_cannot_be_are_refused(void **state)
{
    static const char *const queries[] = {"limit=0",        "limit=501",  "from_ply=-1",
                                          "from_ply=20001", "from_ply=x", "order=down"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char rest[64];
        (void)snprintf(rest, sizeof rest, "/moves?%s", queries[i]);
        print_message("%s\n", queries[i]);
        assert_problem(match_get(*state, id, rest), 400, "invalid-parameter");
    }
    assert_problem(match_get(*state, id, "/moves?cursor=a"), 400, "unknown-field");
}

static void a_page_is_fifty_moves_where_nothing_is_said(void **state)
{
    char moves[1024] = "";
    const char *id = match_new_json(*state, "{\"rules\":{\"fivefold\":false}}");
    for (int i = 0; i < 13; i++)
        strcat(moves, "Nf3 Nf6 Ng1 Ng8 ");
    match_play(*state, id, moves);
    const struct answer *answer = match_get(*state, id, "/moves");
    assert_int_equal(answer_count(answer, "data"), 50);
    assert_json(answer, "next_ply", "51");
    assert_json(answer, "data.47.repetition_count", "13");
    answer = client_get(*state, next_target(answer));
    assert_int_equal(answer_count(answer, "data"), 2);
    assert_json(answer, "data.0.ply", "51");
    assert_json(answer, "data.0.repetition_count", "13");
}

static void text_is_one_san_a_line(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5 Nf3");
    assert_string_equal(match_text(*state, id, "/moves"), "e4\ne5\nNf3\n");
    assert_string_equal(match_text(*state, id, "/moves?order=desc&limit=2"), "Nf3\ne5\n");
    assert_string_equal(match_text(*state, id, "/moves/2"), "e5\n");
    assert_string_equal(match_get(*state, id, "/moves/3.txt")->body, "Nf3\n");
}

static void one_move_is_its_receipt(void **state)
{
    const char *id = match_new(*state);
    client_set_time(*state, 1767323050000);
    match_play(*state, id, "e4");
    client_set_time(*state, 1767323060000);
    match_play(*state, id, "e5");
    const struct answer *answer = match_get(*state, id, "/moves/1");
    assert_json(answer, "san", "\"e4\"");
    assert_json(answer, "played_at", "\"2026-01-02T03:04:10.000Z\"");
    assert_json(match_get(*state, id, "/moves/2"), "played_at", "\"2026-01-02T03:04:20.000Z\"");
    assert_string_equal(answer_header(answer, "ETag"), "\"v3\"");
}

static void plies_that_were_not_played_are_not_found(void **state)
{
    static const char *const plies[] = {"0", "2", "20000", "99999", "100000", "x", "-1", "1e0"};
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    for (size_t i = 0; i < sizeof plies / sizeof plies[0]; i++) {
        char rest[64];
        (void)snprintf(rest, sizeof rest, "/moves/%s", plies[i]);
        print_message("%s\n", rest);
        assert_problem(match_get(*state, id, rest), 404, "ply-not-found");
    }
    assert_json(match_get(*state, id, "/moves/2"), "game.ply", "1");
}

/* ---- comments ---- */

static void a_comment_is_kept_with_its_move(void **state)
{
    const char *id = match_new(*state);
    static const char SENT[] =
        "{\"move\":\"e4\",\"comment\":\"a {brace} and\\na line, \\\"quoted\\\" \\u265f\"}";
    static const char KEPT[] = "\"a {brace} and\\na line, \\\"quoted\\\" \xE2\x99\x9F\"";
    const struct answer *answer = match_post(*state, id, "/moves", SENT);
    assert_status(answer, 201);
    assert_json(answer, "move.comment", KEPT);
    match_play(*state, id, "e5");
    for (int cold = 0; cold < 2; cold++) {
        assert_json(match_get(*state, id, "/moves/1"), "comment", KEPT);
        assert_json(match_get(*state, id, "/moves"), "data.0.comment", KEPT);
        assert_json(match_get(*state, id, "/moves"), "data.1.comment", "null");
        assert_json(match_get(*state, id, ""), "last_move.comment", "null");
        answer = match_send(*state, "PUT", match_path(id, "/moves/1"), "{\"move\":\"e4\"}");
        assert_status(answer, 200);
        assert_json(answer, "move.comment", KEPT);
        client_forget(*state);
    }
    const char *pgn = match_get(*state, id, ".pgn")->body;
    assert_non_null(strstr(pgn, "1. e4 { a {brace) and a line, \"quoted\" \xE2\x99\x9F } 1... e5 *"));
}

static void a_comment_of_the_last_move_stands_in_the_game(void **state)
{
    const char *id = match_new(*state);
    assert_status(client_curl(*state, match_path(id, "/moves"), "move=e4&comment=the+best+%26+only"), 201);
    for (int cold = 0; cold < 2; cold++) {
        assert_json(match_get(*state, id, ""), "last_move.comment", "\"the best & only\"");
        client_forget(*state);
    }
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"e5\",\"comment\":null}"), 201);
    assert_json(match_get(*state, id, ""), "last_move.comment", "null");
}

static void a_comment_has_five_hundred_and_twelve_bytes_at_most(void **state)
{
    for (int bytes = 512; bytes <= 513; bytes++) {
        char body[640];
        int put = snprintf(body, sizeof body, "{\"move\":\"e4\",\"comment\":\"");
        memset(body + put, 'c', (size_t)bytes);
        (void)snprintf(body + put + bytes, 8, "\"}");
        const struct answer *answer = match_post(*state, match_new(*state), "/moves", body);
        if (bytes == 512) {
            assert_status(answer, 201);
            assert_int_equal(strlen(answer_text(answer, "move.comment")), 512);
        } else {
            assert_problem(answer, 400, "invalid-parameter");
            assert_json(answer, "pointer", "\"/comment\"");
        }
    }
}

/* ---- a store that fails ---- */

static struct storage *faulty;

static struct storage *wrap(struct storage *storage)
{
    return faulty = faulty_wrap(storage);
}

static void a_history_that_cannot_be_read_is_503(void **state)
{
    (void)state;
    static const char *const targets[] = {"/moves", "/moves/1", ".pgn"};
    struct client *client = client_open(&(struct client_options){.wrap = wrap});
    const char *id = match_new_json(client, "{\"moves\":[\"e4\",\"e5\"]}");
    for (size_t i = 0; i < 3; i++) {
        faulty_fail(faulty, FAULTY_MOVES, 1, STORAGE_UNAVAILABLE);
        const struct answer *answer = match_get(client, id, targets[i]);
        assert_problem(answer, 503, "storage-unavailable");
        assert_string_not_equal(answer_header(answer, "Retry-After"), "");
        assert_status(match_get(client, id, targets[i]), 200);
    }
    client_close(client);
}

/* ---- a game that changes while its log is read ---- */

/* What happens before each reading of the moves. */
static struct {
    struct client *client;
    const char *id;
    void (*act)(void); /* NULL: nothing */
    int acts;          /* that were done */
    const struct storage_ops *ops;
} race;

static enum storage_status moves_after_act(struct storage *storage, int64_t key,
                                           const struct storage_span *span, const struct storage_rows *rows)
{
    void (*act)(void) = race.act;
    race.act = NULL; /* an undo reads moves too */
    if (act) {
        race.acts++;
        act();
    }
    race.act = act;
    return race.ops->moves(storage, key, span, rows);
}

static struct storage *wrap_race(struct storage *storage)
{
    static struct storage_ops ops;
    race.ops = storage->ops;
    ops = *storage->ops;
    ops.moves = moves_after_act;
    storage->ops = &ops;
    return storage;
}

static void take_back_two(void)
{
    assert_status(match_send(race.client, "POST", match_path(race.id, "/undo"), "{\"plies\":2}"), 200);
}

static void take_back_and_play_another(void)
{
    take_back_two();
    assert_status(match_play(race.client, race.id, "d4 d5"), 201);
}

static void remove_it(void)
{
    assert_status(match_ask(race.client, "DELETE", match_path(race.id, "")), 204);
}

static void begin_race(void (*act)(void))
{
    race.client = client_open(&(struct client_options){.wrap = wrap_race});
    race.id = match_new(race.client);
    const char *first = "{\"move\":\"e4\",\"comment\":\"first\"}";
    assert_status(match_send(race.client, "POST", match_path(race.id, "/moves"), first), 201);
    match_play(race.client, race.id, "e5");
    race.acts = 0;
    race.act = act;
}

static void end_race(int acts)
{
    assert_int_equal(race.acts, acts); /* each was one look at the log: nothing was tried again */
    race.act = NULL;
    client_close(race.client);
}

/* However often that happens: the answer is the game as it was when it was looked at. */
static void a_history_is_that_of_its_version_whatever_is_taken_back_meanwhile(void **state)
{
    static void (*const acts[])(void) = {take_back_two, take_back_and_play_another};
    (void)state;
    for (size_t i = 0; i < sizeof acts / sizeof *acts; i++) {
        begin_race(acts[i]);
        const struct answer *answer = match_get(race.client, race.id, "/moves");
        assert_status(answer, 200);
        assert_int_equal(answer_count(answer, "data"), 2);
        assert_json(answer, "data.0.san", "\"e4\"");
        assert_json(answer, "data.0.comment", "\"first\"");
        assert_json(answer, "data.1.san", "\"e5\"");
        assert_json(answer, "version", "3");
        assert_string_equal(answer_header(answer, "ETag"), "\"v3\"");
        end_race(1);

        begin_race(acts[i]);
        answer = match_get(race.client, race.id, "/moves/1");
        assert_status(answer, 200);
        assert_json(answer, "comment", "\"first\"");
        end_race(1);

        begin_race(acts[i]);
        assert_non_null(strstr(match_get(race.client, race.id, ".pgn")->body, "1. e4 { first } 1... e5 *"));
        end_race(1);
    }
}

static void a_history_of_a_game_that_is_removed_meanwhile_is_not_found(void **state)
{
    static const char *const targets[] = {"/moves", "/moves/1", ".pgn"};
    (void)state;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
        begin_race(remove_it);
        assert_problem(match_get(race.client, race.id, targets[i]), 404, "game-not-found");
        end_race(1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(the_history_is_every_move_with_the_version),
        CLIENT_TEST(a_game_without_moves_has_an_empty_history),
        CLIENT_TEST(the_next_page_comes_in_the_same_form),
        CLIENT_TEST(pages_of_every_size_show_every_move_once),
        CLIENT_TEST(a_page_begins_where_it_is_asked_to),
        CLIENT_TEST(pages_that_cannot_be_are_refused),
        CLIENT_TEST(a_page_is_fifty_moves_where_nothing_is_said),
        CLIENT_TEST(text_is_one_san_a_line),
        CLIENT_TEST(one_move_is_its_receipt),
        CLIENT_TEST(plies_that_were_not_played_are_not_found),
        CLIENT_TEST(a_comment_is_kept_with_its_move),
        CLIENT_TEST(a_comment_of_the_last_move_stands_in_the_game),
        CLIENT_TEST(a_comment_has_five_hundred_and_twelve_bytes_at_most),
        cmocka_unit_test(a_history_that_cannot_be_read_is_503),
        cmocka_unit_test(a_history_is_that_of_its_version_whatever_is_taken_back_meanwhile),
        cmocka_unit_test(a_history_of_a_game_that_is_removed_meanwhile_is_not_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
