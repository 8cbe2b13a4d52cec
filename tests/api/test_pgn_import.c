/* POST /v1/pgn/import, and what POST /v1/pgn/validate says beside the cases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/game.h"
#include "tests/api/match.h"
#include "tests/support/storage_faulty.h"

#define PGN "application/vnd.chess-pgn"

static const char three_games[] = "[White \"A\"]\n\n1. e4 e5 1-0\n\n"
                                  "[White \"B\"]\n\n1. d4 d4 0-1\n\n"
                                  "[White \"C\"]\n\n1. c4 {x} *\n";

static const struct answer *import(struct client *client, const char *query, const char *pgn)
{
    char target[256];
    (void)snprintf(target, sizeof target, "/v1/pgn/import%s", query);
    return client_post(client, target, PGN, pgn);
}

/* The nth line of NDJSON; the caller's to delete. */
static cJSON *line_of(const struct answer *answer, unsigned n)
{
    const char *at = answer->body;
    for (; n > 0; n--) {
        at = strchr(at, '\n');
        assert_non_null(at);
        at++;
    }
    cJSON *line = cJSON_ParseWithLength(at, strcspn(at, "\n"));
    if (!line)
        fail_msg("no JSON: %s", at);
    return line;
}

static unsigned count_lines(const struct answer *answer)
{
    unsigned lines = 0;
    for (const char *at = answer->body; *at; at++)
        lines += *at == '\n';
    return lines;
}

static double number(const cJSON *object, const char *name)
{
    return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static const char *text(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static void assert_end(const struct answer *answer, bool done, unsigned imported, unsigned refused)
{
    assert_status(answer, 200);
    cJSON *end = line_of(answer, count_lines(answer) - 1);
    assert_int_equal(cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(end, "done")), done);
    assert_int_equal(number(end, "imported"), imported);
    assert_int_equal(number(end, "refused"), refused);
    cJSON_Delete(end);
}

/* ---- the import -------------------------------------------------------------------------------------- */

static void every_good_game_has_an_id_and_every_other_its_faults(void **state)
{
    const struct answer *answer = import(*state, "", three_games);
    assert_string_equal(answer_header(answer, "Content-Type"), "application/x-ndjson");
    assert_true(answer->blocked); /* never on a network thread */
    assert_int_equal(count_lines(answer), 4);
    assert_end(answer, true, 2, 1);
    cJSON *line = line_of(answer, 0);
    assert_int_equal(number(line, "index"), 0);
    const struct answer *game = match_get(*state, text(line, "id"), "");
    assert_string_equal(answer_text(game, "white.name"), "A");
    assert_string_equal(answer_text(game, "result"), "1-0");
    assert_string_equal(answer_text(game, "termination"), "recorded");
    cJSON_Delete(line);
    line = line_of(answer, 1);
    assert_int_equal(number(line, "index"), 1);
    assert_null(text(line, "id"));
    const cJSON *fault = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(line, "faults"), 0);
    assert_string_equal(text(fault, "code"), "illegal_move");
    assert_int_equal(number(fault, "line"), 7);
    assert_int_equal(number(fault, "ply"), 2);
    cJSON_Delete(line);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 2);
}

static void what_is_warned_of_stands_beside_the_id(void **state)
{
    const struct answer *answer = import(*state, "", "[Result \"1-0\"]\n\n1. e4 e5 0-1\n");
    assert_end(answer, true, 1, 0);
    cJSON *line = line_of(answer, 0);
    assert_non_null(text(line, "id"));
    const cJSON *fault = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(line, "faults"), 0);
    assert_string_equal(text(fault, "severity"), "warning");
    cJSON_Delete(line);
}

static void a_text_without_a_game_is_refused_as_a_whole(void **state)
{
    const struct answer *answer = import(*state, "", " \n");
    assert_int_equal(count_lines(answer), 2);
    assert_end(answer, true, 0, 1);
    cJSON *line = line_of(answer, 0);
    assert_true(cJSON_IsNull(cJSON_GetObjectItemCaseSensitive(line, "index")));
    cJSON_Delete(line);
}

static void rules_variant_and_visibility_are_asked_for_in_the_query(void **state)
{
    static const char dead[] = "[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 Kd7 *\n";
    assert_end(import(*state, "", dead), true, 0, 1);
    assert_end(import(*state, "?dead_position=off&visibility=unlisted", dead), true, 1, 0);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 0);
    const struct answer *answer =
        import(*state, "?variant=chess960&fivefold=false&seventyfive=false", "1. e4 *");
    cJSON *line = line_of(answer, 0);
    const struct answer *game = match_get(*state, text(line, "id"), "");
    assert_string_equal(answer_text(game, "variant"), "chess960");
    assert_false(answer_bool(game, "rules.fivefold"));
    assert_false(answer_bool(game, "rules.seventyfive"));
    cJSON_Delete(line);
    assert_problem(import(*state, "?visibility=private", "1. e4 *"), 400, "invalid-parameter");
}

static void bare_text_and_a_form_by_name_are_pgn_too(void **state)
{
    assert_end(client_post(*state, "/v1/pgn/import", NULL, "1. e4 e5 *"), true, 1, 0);
    assert_end(client_post(*state, "/v1/pgn/import", "text/plain", "1. e4 e5 *"), true, 1, 0);
    assert_end(client_curl(*state, "/v1/pgn/import", "1. e4 e5 2. d4 exd4 *"), true, 1, 0);
    assert_problem(client_post(*state, "/v1/pgn/import", "application/json", "{}"), 415,
                   "unsupported-media-type");
}

/* ---- out, in, and out again -------------------------------------------------------------------------- */

static char *without_id(const char *pgn)
{
    static const char tag[] = "[GameId \"";
    char *copy = strdup(pgn);
    assert_non_null(copy);
    char *at = strstr(copy, tag);
    assert_non_null(at);
    memset(at + sizeof tag - 1, 'x', GAME_ID_LENGTH);
    return copy;
}

static void a_game_that_comes_back_is_the_same_text(void **state)
{
    static const char *const games[] = {
        "[Event \"a \\\"b\\\" \\\\ c\"]\n[ECO \"C20\"]\n[TimeControl \"180+2\"]\n[Result \"1/2-1/2\"]\n\n"
        "{before} 1. e4 {one [%clk 0:03:00.5]} e5 {[%clk 0:02:59]} 2. Nf3 {two} {three} 1/2-1/2\n",
        "[Variant \"Chess960\"]\n[FEN \"bqnrnkrb/pppppppp/8/8/8/8/PPPPPPPP/BQNRNKRB w KQkq - 0 1\"]\n\n"
        "1. b3 c5 2. Nf3 d5 3. d4 b6 4. O-O Nf6 *\n",
        "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 30\"]\n\n30... Kd7 {so} 31. e4 0-1\n",
        "1. f3 e5 2. g4 Qh4# 0-1\n",
    };
    for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
        char *texts[2];
        const char *pgn = games[i];
        for (unsigned round = 0; round < 2; round++) {
            cJSON *line = line_of(import(*state, "", pgn), 0);
            const char *id = text(line, "id");
            assert_non_null(id);
            pgn = match_get(*state, id, ".pgn")->body;
            texts[round] = without_id(pgn);
            cJSON_Delete(line);
        }
        assert_string_equal(texts[0], texts[1]);
        free(texts[0]);
        free(texts[1]);
    }
}

static void a_live_game_with_clock_and_comments_comes_back_as_the_same_text(void **state)
{
    const char *id = match_new_json(*state, "{\"white\":{\"name\":\"Ann\"},\"clock\":\"300+3\"}");
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"e4\",\"comment\":\"a } b\"}"), 201);
    client_advance(*state, 1500);
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"c5\"}"), 201);
    client_advance(*state, 2500);
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"Nf3\",\"comment\":\"x\"}"), 201);
    assert_status(match_post(*state, id, "/resign", "{\"color\":\"black\"}"), 200);
    const char *pgn = match_get(*state, id, ".pgn")->body;
    assert_non_null(strstr(pgn, "[%clk "));
    cJSON *line = line_of(import(*state, "", pgn), 0);
    char *before = without_id(pgn);
    char *after = without_id(match_get(*state, text(line, "id"), ".pgn")->body);
    assert_string_equal(after, before);
    free(before);
    free(after);
    cJSON_Delete(line);
}

/* ---- limits and faults ------------------------------------------------------------------------------- */

static int setup_few(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.pgn_games = 2;
    options.limits.pgn_bytes = 1024;
    options.limits.pgn_import_bytes = 4096;
    *state = client_open(&options);
    return 0;
}

static void more_games_than_may_come_at_once_are_left(void **state)
{
    const struct answer *answer = import(*state, "", "1. e4 *\n1. d4 *\n\n1. c4 *\n");
    assert_int_equal(count_lines(answer), 3);
    assert_end(answer, false, 2, 0);
    cJSON *end = line_of(answer, 2);
    const cJSON *next = cJSON_GetObjectItemCaseSensitive(end, "next");
    assert_int_equal(number(next, "index"), 2);
    assert_int_equal(number(next, "line"), 4);
    cJSON_Delete(end);
    assert_end(import(*state, "", "1. e4 *\n1. d4 *\n"), true, 2, 0);
    assert_problem(client_post(*state, "/v1/pgn/validate", PGN, "*\n*\n*"), 413, "payload-too-large");
    assert_status(client_post(*state, "/v1/pgn/validate", PGN, "*\n*"), 200);
}

static void an_import_may_be_longer_than_a_game(void **state)
{
    char pgn[4098];
    memset(pgn, ' ', sizeof pgn);
    memcpy(pgn, "1. e4 *", 7);
    pgn[4096] = '\0';
    assert_end(import(*state, "", pgn), true, 1, 0);
    assert_status(client_post(*state, "/v1/pgn/validate", PGN, pgn), 200);
    assert_problem(client_post(*state, "/v1/games", PGN, pgn), 413, "payload-too-large");
    pgn[4096] = ' ';
    pgn[4097] = '\0';
    assert_problem(import(*state, "", pgn), 413, "payload-too-large");
    const struct answer *answer = client_post(*state, "/v1/pgn/validate", PGN, pgn);
    assert_problem(answer, 413, "payload-too-large");
    assert_non_null(strstr(answer_text(answer, "detail"), "4096 bytes long (limit `pgn_import_bytes`)"));
}

static struct storage *front;

static struct storage *wrap(struct storage *storage)
{
    return front = faulty_wrap(storage);
}

static int setup_faulty(void **state)
{
    const struct client_options options = {.wrap = wrap};
    *state = client_open(&options);
    return 0;
}

static void a_store_that_fails_at_once_is_a_problem(void **state)
{
    faulty_fail_always(front, FAULTY_WRITE, STORAGE_FULL);
    const struct answer *answer = import(*state, "", three_games);
    assert_problem(answer, 503, "storage-unavailable");
    assert_non_null(strstr(answer_text(answer, "detail"), "disk is full"));
    faulty_fail_always(front, FAULTY_WRITE, STORAGE_BUSY);
    assert_problem(import(*state, "", three_games), 503, "storage-busy");
    faulty_heal(front);
}

static void a_store_that_fails_later_leaves_the_ids_of_what_is_there(void **state)
{
    faulty_fail(front, FAULTY_WRITE, 2, STORAGE_FULL);
    const struct answer *answer = import(*state, "", "1. e4 *\n\n1. d4 *\n");
    assert_end(answer, false, 1, 0);
    cJSON *line = line_of(answer, 1);
    assert_string_equal(text(line, "code"), "storage-unavailable");
    cJSON_Delete(line);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 1);
}

static void a_service_that_ends_takes_no_more_games(void **state)
{
    client_set_draining(*state, true);
    assert_end(import(*state, "", "1. e4 *\n\n1. d4 *\n"), false, 0, 0);
}

/* ---- the client reads -------------------------------------------------------------------------------- */

enum { REFUSED = 1000 /* whose lines are twice as much as may wait */ };

/* Bad games, and then a good one. Nothing of the answer is read. */
static struct answer *import_unread(struct client *client)
{
    static char pgn[REFUSED * 4 + 16];
    for (size_t i = 0; i < REFUSED; i++)
        (void)snprintf(pgn + 4 * i, sizeof pgn - 4 * i, "x *\n");
    (void)snprintf(pgn + (size_t)4 * REFUSED, sizeof pgn - (size_t)4 * REFUSED, "1. e4 *\n");
    const struct call call = {.method = "POST",
                              .target = "/v1/pgn/import",
                              .headers = {{"Content-Type", PGN}},
                              .body = pgn,
                              .scope = REQUEST_SCOPE_LOOPBACK,
                              .unread = true};
    union {
        const struct answer *sent;
        struct answer *read_on;
    } answer = {client_send(client, &call)};
    assert_status(answer.sent, 200);
    return answer.read_on;
}

static void work(const struct answer *answer)
{
    answer->response.stream.work(answer->response.stream.context);
}

static void an_import_rests_while_its_client_does_not_read(void **state)
{
    struct answer *answer = import_unread(*state);
    for (unsigned i = 0; i < 3; i++)
        work(answer);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 0);
    (void)answer_listen(answer, STREAM_WANTED);
    assert_false(answer->is_open);
    assert_int_equal(count_lines(answer), REFUSED + 2);
    assert_end(answer, true, 1, REFUSED);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 1);
}

static void an_import_ends_that_its_client_lets_rest_too_long(void **state)
{
    struct answer *answer = import_unread(*state);
    work(answer);
    client_advance(*state, 60001);
    (void)answer_listen(answer, STREAM_WANTED);
    assert_false(answer->is_open);
    assert_non_null(strstr(answer->body, "\"detail\":\"the client reads too slowly\""));
    cJSON *end = line_of(answer, count_lines(answer) - 1);
    unsigned refused = (unsigned)number(end, "refused");
    assert_int_equal(number(cJSON_GetObjectItemCaseSensitive(end, "next"), "index"), refused);
    assert_true(refused > 0 && refused < REFUSED);
    cJSON_Delete(end);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 0);
}

/* Where the pool is full the stream is read again and again, until there is room. */
static void time_that_an_import_waits_for_a_thread_is_not_its_clients(void **state)
{
    struct answer *answer = import_unread(*state);
    const struct response_stream *stream = &answer->response.stream;
    static char read[1 << 20];
    bool end = false;
    work(answer);
    assert_in_range(stream->read(stream->context, STREAM_WANTED, read, sizeof read, &end), 1,
                    sizeof read - 1);
    client_advance(*state, 60001);
    assert_int_equal(stream->read(stream->context, STREAM_WANTED, read, sizeof read, &end), 0);
    (void)answer_listen(answer, STREAM_WANTED);
    assert_false(answer->is_open);
    assert_end(answer, true, 1, REFUSED);
}

static void an_import_whose_client_leaves_is_forgotten(void **state)
{
    struct answer *answer = import_unread(*state);
    work(answer);
    answer_leave(answer);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 0);
}

/* Until then nobody has been told anything. */
static void a_store_that_fails_after_refused_games_is_a_problem_still(void **state)
{
    faulty_fail_always(front, FAULTY_WRITE, STORAGE_FULL);
    assert_problem(import(*state, "", "x *\nx *\n1. e4 *\n"), 503, "storage-unavailable");
    struct answer *answer = import_unread(*state); /* the answer has begun with what was refused */
    (void)answer_listen(answer, STREAM_WANTED);
    assert_end(answer, false, 0, REFUSED);
    cJSON *line = line_of(answer, REFUSED);
    assert_string_equal(text(line, "code"), "storage-unavailable");
    cJSON_Delete(line);
    faulty_heal(front);
}

/* ---- validation -------------------------------------------------------------------------------------- */

static void validation_tells_what_each_game_would_be(void **state)
{
    const struct answer *answer = client_post(*state, "/v1/pgn/validate", PGN, three_games);
    assert_status(answer, 200);
    assert_int_equal(answer_count(answer, "games"), 3);
    assert_string_equal(answer_text(answer, "games.0.termination"), "recorded");
    assert_string_equal(answer_text(answer, "games.0.tags.White"), "A");
    assert_true(answer_is_null(answer, "games.1.termination"));
    assert_int_equal(answer_integer(answer, "games.1.plies"), 1);
    assert_true(answer_is_null(answer, "games.2.termination"));
    assert_int_equal(answer_count(answer, "faults"), 0);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 0);
    answer = client_post(*state, "/v1/pgn/validate", PGN, "[A\"b \"x\"]\n\n1. f3 e5 2. g4 Qh4 *\n");
    assert_status(answer, 200); /* whatever the name of a tag holds, it is JSON */
}

static void as_text_validation_reads_like_a_compiler(void **state)
{
    const struct answer *answer = client_post(*state, "/v1/pgn/validate.txt", PGN, three_games);
    assert_status(answer, 200);
    assert_int_equal(strncmp(answer->body, "7:7: error: illegal_move: ", 26), 0);
    assert_non_null(strstr(answer->body, " (d4)\n2 of 3 games are good\n"));
}

/* By its length: the time of the tests stands still. */
static void a_long_validation_is_sent_while_it_is_made(void **state)
{
    enum { GAMES = 2000, GAME_BYTES = 11 };
    static char pgn[GAMES * GAME_BYTES + 1];
    for (size_t i = 0; i < GAMES; i++)
        memcpy(pgn + i * GAME_BYTES, "1. e4 e5 *\n", GAME_BYTES + 1);
    const struct answer *answer = client_post(*state, "/v1/pgn/validate", PGN, pgn);
    assert_status(answer, 200);
    assert_non_null(answer->response.stream.work);
    assert_int_equal(answer_count(answer, "games"), GAMES);
    assert_int_equal(answer_integer(answer, "games.1999.plies"), 2);
    assert_int_equal(answer_count(answer, "faults"), 0);
    answer = client_post(*state, "/v1/pgn/validate", PGN, three_games);
    assert_null(answer->response.stream.work);
}

static void a_validation_that_may_not_begin_is_told_so(void **state)
{
    client_set_draining(*state, true);
    assert_problem(client_post(*state, "/v1/pgn/validate", PGN, three_games), 503, "shutting-down");
}

static void validation_needs_no_store(void **state)
{
    faulty_fail_always(front, FAULTY_WRITE, STORAGE_FULL);
    assert_status(client_post(*state, "/v1/pgn/validate", PGN, three_games), 200);
    faulty_heal(front);
    assert_int_equal(faulty_calls(front, FAULTY_WRITE), 0);
}

#define WITH(setup, test) cmocka_unit_test_setup_teardown(test, setup, client_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(every_good_game_has_an_id_and_every_other_its_faults),
        CLIENT_TEST(what_is_warned_of_stands_beside_the_id),
        CLIENT_TEST(a_text_without_a_game_is_refused_as_a_whole),
        CLIENT_TEST(rules_variant_and_visibility_are_asked_for_in_the_query),
        CLIENT_TEST(bare_text_and_a_form_by_name_are_pgn_too),
        CLIENT_TEST(a_game_that_comes_back_is_the_same_text),
        CLIENT_TEST(a_live_game_with_clock_and_comments_comes_back_as_the_same_text),
        WITH(setup_few, more_games_than_may_come_at_once_are_left),
        WITH(setup_few, an_import_may_be_longer_than_a_game),
        WITH(setup_faulty, a_store_that_fails_at_once_is_a_problem),
        WITH(setup_faulty, a_store_that_fails_later_leaves_the_ids_of_what_is_there),
        CLIENT_TEST(a_service_that_ends_takes_no_more_games),
        CLIENT_TEST(an_import_rests_while_its_client_does_not_read),
        CLIENT_TEST(an_import_ends_that_its_client_lets_rest_too_long),
        CLIENT_TEST(time_that_an_import_waits_for_a_thread_is_not_its_clients),
        CLIENT_TEST(an_import_whose_client_leaves_is_forgotten),
        WITH(setup_faulty, a_store_that_fails_after_refused_games_is_a_problem_still),
        CLIENT_TEST(validation_tells_what_each_game_would_be),
        CLIENT_TEST(as_text_validation_reads_like_a_compiler),
        CLIENT_TEST(a_long_validation_is_sent_while_it_is_made),
        CLIENT_TEST(a_validation_that_may_not_begin_is_told_so),
        WITH(setup_faulty, validation_needs_no_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
