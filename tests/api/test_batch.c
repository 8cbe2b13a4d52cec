/* POST /v1/positions/batch. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define NDJSON "application/x-ndjson"

static const struct answer *send(struct client *client, const char *body)
{
    const struct answer *answer = client_post(client, "/v1/positions/batch", NDJSON, body);
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Content-Type"), NDJSON);
    return answer;
}

/* The n-th line of an answer, from 0; the caller deletes it. NULL: there are fewer. */
static cJSON *line_of(const struct answer *answer, int n)
{
    const char *at = answer->body;
    for (; n > 0 && *at; n--)
        at = strchr(at, '\n') + 1;
    if (!*at)
        return NULL;
    cJSON *line = cJSON_ParseWithLength(at, strcspn(at, "\n"));
    assert_non_null(line);
    return line;
}

static void check_problem(const struct answer *answer, int n, int status, const char *code)
{
    cJSON *line = line_of(answer, n);
    assert_non_null(line);
    const cJSON *problem = cJSON_GetObjectItemCaseSensitive(line, "problem");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(line, "status")->valueint, status);
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(problem, "code")->valuestring, code);
    assert_null(cJSON_GetObjectItemCaseSensitive(line, "result"));
    cJSON_Delete(line);
}

static int status_of(const struct answer *answer, int n)
{
    cJSON *line = line_of(answer, n);
    assert_non_null(line);
    int status = cJSON_GetObjectItemCaseSensitive(line, "status")->valueint;
    cJSON_Delete(line);
    return status;
}

/* ---- the same as the routes ---- */

#define KIWIPETE "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
#define KIWIPATH "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq_-_0_1"

static const struct {
    const char *line, *method, *target, *body;
} SAME[] = {
    {"{\"op\":\"position\"}", "GET", "/v1/positions", NULL},
    {"{\"op\":\"position\",\"fen\":\"" KIWIPETE "\"}", "GET", "/v1/positions?fen=" KIWIPATH, NULL},
    {"{\"op\":\"position\",\"moves\":[\"e4\",\"c5\"],\"fen_ep\":\"always\"}", "GET",
     "/v1/positions?moves=e4,c5&fen_ep=always", NULL},
    {"{\"op\":\"position\",\"moves\":\"e4 e5 Ke3\"}", "GET", "/v1/positions?moves=e4,e5,Ke3", NULL},
    {"{\"op\":\"position\",\"fen\":\"8/8\"}", "GET", "/v1/positions?fen=8/8", NULL},
    {"{\"op\":\"position\",\"fen\":null,\"fem\":\"8/8\"}", "GET", "/v1/positions?fem=8/8", NULL},
    {"{\"op\":\"legal-moves\",\"from\":\"e2\"}", "GET", "/v1/positions/legal-moves?from=e2", NULL},
    {"{\"op\":\"legal-moves\",\"fen\":\"" KIWIPETE "\",\"group\":\"dests\",\"variant\":\"chess960\"}", "GET",
     "/v1/positions/legal-moves?group=dests&variant=chess960&fen=" KIWIPATH, NULL},
    {"{\"op\":\"legal-moves\",\"from\":\"e9\"}", "GET", "/v1/positions/legal-moves?from=e9", NULL},
    {"{\"op\":\"line\",\"moves\":[\"e4\",\"e5\",\"Ke3\"]}", "POST", "/v1/positions/line",
     "{\"moves\":[\"e4\",\"e5\",\"Ke3\"]}"},
    {"{\"op\":\"line\",\"moves\":[\"e4\"],\"fen_ep\":\"always\"}", "POST", "/v1/positions/line?fen_ep=always",
     "{\"moves\":[\"e4\"]}"},
    {"{\"op\":\"line\",\"moves\":\"e4\"}", "POST", "/v1/positions/line", "{\"moves\":\"e4\"}"},
    {"{\"op\":\"line\",\"moves\":null}", "POST", "/v1/positions/line", "{\"moves\":null}"},
    {"{\"op\":\"validate\",\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}", "POST", "/v1/positions/validate",
     "{\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}"},
    {"{\"op\":\"validate\"}", "POST", "/v1/positions/validate", "{}"},
    {"{\"op\":\"winnable\",\"fen\":\"7k/8/8/8/8/8/R7/K7 b - - 0 1\",\"color\":\"white\"}", "POST",
     "/v1/positions/winnable", "{\"fen\":\"7k/8/8/8/8/8/R7/K7 b - - 0 1\",\"color\":\"white\"}"},
    {"{\"op\":\"winnable\",\"fen\":\"7k/8/8/8/8/8/R7/K7 b\",\"colour\":\"white\"}", "POST",
     "/v1/positions/winnable", "{\"fen\":\"7k/8/8/8/8/8/R7/K7 b\",\"colour\":\"white\"}"},
    {"{\"op\":\"winnable\",\"fen_ep\":\"always\"}", "POST", "/v1/positions/winnable",
     "{\"fen_ep\":\"always\"}"},
    {"{\"op\":\"perft\",\"depth\":3,\"divide\":true}", "GET", "/v1/positions/perft?depth=3&divide=true",
     NULL},
    {"{\"op\":\"perft\",\"fen\":\"" KIWIPETE "\",\"depth\":2}", "GET",
     "/v1/positions/perft?depth=2&fen=" KIWIPATH, NULL},
    {"{\"op\":\"perft\",\"depth\":15}", "GET", "/v1/positions/perft?depth=15", NULL},
    {"{\"op\":\"perft\"}", "GET", "/v1/positions/perft", NULL},
};

static void a_line_is_answered_as_its_route_answers(void **state)
{
    for (size_t i = 0; i < sizeof SAME / sizeof SAME[0]; i++) {
        print_message("%s\n", SAME[i].line);
        const struct answer *alone =
            SAME[i].body ? client_post(*state, SAME[i].target, "application/json", SAME[i].body)
                         : client_get(*state, SAME[i].target);
        cJSON *line = line_of(send(*state, SAME[i].line), 0);
        assert_int_equal(cJSON_GetObjectItemCaseSensitive(line, "status")->valueint, alone->status);
        const cJSON *part =
            cJSON_GetObjectItemCaseSensitive(line, alone->status < 400 ? "result" : "problem");
        char *together = cJSON_PrintUnformatted(part), *single = cJSON_PrintUnformatted(alone->json);
        assert_string_equal(together, single);
        assert_int_equal(cJSON_GetArraySize(line), 3);
        cJSON_free(together);
        cJSON_free(single);
        cJSON_Delete(line);
    }
}

/* ---- order and ids ---- */

static void answers_come_in_order_with_their_ids(void **state)
{
    const struct answer *answer = send(*state, "{\"id\":\"a\\u00e9\\n\",\"op\":\"perft\",\"depth\":1}\n"
                                               "\n"
                                               "  {\"op\":\"perft\",\"id\":7,\"depth\":2}\r\n"
                                               "{\"id\":null,\"op\":\"perft\",\"depth\":0}\n"
                                               "{\"id\":-1.5e3,\"op\":\"perft\",\"depth\":9}\n"
                                               "{\"op\":\"perft\",\"depth\":1}");
    static const char BEGIN[] =
        "{\"id\":\"a\\u00e9\\n\",\"status\":200,\"result\":{\"fen\":\"" START_FEN
        "\",\"depth\":1,\"nodes\":20}}\n"
        "{\"id\":7,\"status\":200,\"result\":{\"fen\":\"" START_FEN "\",\"depth\":2,\"nodes\":400}}\n"
        "{\"id\":null,\"status\":200,\"result\":{\"fen\":\"" START_FEN "\",\"depth\":0,\"nodes\":1}}\n"
        "{\"id\":-1.5e3,\"status\":422,\"problem\":{";
    assert_int_equal(strncmp(answer->body, BEGIN, sizeof BEGIN - 1), 0);
    check_problem(answer, 3, 422, "too-expensive");
    assert_int_equal(status_of(answer, 4), 200);
    assert_null(line_of(answer, 5));
}

static void a_bad_line_is_a_problem_and_the_rest_goes_on(void **state)
{
    const struct answer *answer = send(*state, "{\"op\":\"perft\",\"depth\":1}\n"
                                               "{\"op\":\"perft\",\"depth\":1\n"
                                               "[]\n"
                                               "nonsense\n"
                                               "{\"op\":\"perft\",\"op\":\"line\"}\n"
                                               "{\"op\":\"fly\"}\n"
                                               "{\"op\":1}\n"
                                               "{}\n"
                                               "{\"id\":[1],\"op\":\"perft\",\"depth\":1}\n"
                                               "{\"id\":true,\"op\":\"perft\",\"depth\":1}\n"
                                               "{\"op\":\"position\",\"fen\":\"\xFF\"}\n"
                                               "{\"op\":\"perft\",\"depth\":1}\n");
    assert_int_equal(status_of(answer, 0), 200);
    static const char *const CODES[] = {"malformed-request", "malformed-request", "malformed-request",
                                        "malformed-request", "invalid-parameter", "invalid-parameter",
                                        "invalid-parameter", "invalid-parameter", "invalid-parameter",
                                        "malformed-request"};
    for (int i = 0; i < 10; i++)
        check_problem(answer, 1 + i, 400, CODES[i]);
    assert_int_equal(status_of(answer, 11), 200);
    cJSON *line = line_of(answer, 5);
    const cJSON *problem = cJSON_GetObjectItemCaseSensitive(line, "problem");
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(problem, "pointer")->valuestring, "/op");
    assert_string_equal(cJSON_GetObjectItemCaseSensitive(problem, "detail")->valuestring,
                        "op must be one of: position, legal-moves, line, validate, winnable, perft.");
    cJSON_Delete(line);
}

/* ---- bodies ---- */

static void lines_come_as_ndjson_or_as_curl_sends_them(void **state)
{
    static const char *const GOOD[] = {NDJSON, "application/jsonl", NULL, "text/plain",
                                       "application/x-www-form-urlencoded"};
    static const char *const BAD[] = {"application/json", "application/vnd.chess-pgn", "application/xml"};
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++)
        assert_status(client_post(*state, "/v1/positions/batch", GOOD[i], "{\"op\":\"perft\",\"depth\":1}"),
                      200);
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++)
        assert_problem(client_post(*state, "/v1/positions/batch", BAD[i], "{\"op\":\"perft\"}"), 415,
                       "unsupported-media-type");
    assert_problem(client_act(*state, "/v1/positions/batch"), 400, "malformed-request");
    assert_problem(client_post(*state, "/v1/positions/batch", NDJSON, " \n\n "), 400, "malformed-request");
    assert_problem(client_get(*state, "/v1/positions/batch"), 405, "method-not-allowed");
}

/* ---- limits ---- */

static int setup_small(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.batch_lines = 3;
    options.limits.batch_bytes = 1024;
    options.limits.body_bytes = 1024;
    options.limits.json_depth = 4;
    *state = client_open(&options);
    return 0;
}

static void a_batch_has_as_many_lines_and_bytes_as_it_may(void **state)
{
    send(*state, "{\"op\":\"perft\",\"depth\":1}\n{}\n\n{}\n");
    assert_problem(client_post(*state, "/v1/positions/batch", NDJSON, "{}\n{}\n{}\n{}"), 413,
                   "payload-too-large");
    char body[1026];
    memset(body, ' ', sizeof body);
    memcpy(body, "{}", 2);
    body[1024] = '\0';
    send(*state, body);
    body[1024] = ' ';
    body[1025] = '\0';
    assert_problem(client_post(*state, "/v1/positions/batch", NDJSON, body), 413, "payload-too-large");
    check_problem(send(*state, "{\"op\":\"line\",\"moves\":[[[[1]]]]}"), 0, 400, "malformed-request");
}

static int setup_no_time(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.batch_ms = 0;
    *state = client_open(&options);
    return 0;
}

static void lines_after_the_time_of_a_batch_are_too_expensive(void **state)
{
    const struct answer *answer =
        send(*state, "{\"id\":1,\"op\":\"perft\",\"depth\":1}\n{\"op\":\"perft\",\"depth\":1}");
    check_problem(answer, 0, 422, "too-expensive");
    check_problem(answer, 1, 422, "too-expensive");
    assert_int_equal(strncmp(answer->body, "{\"id\":1,\"status\":422,", 21), 0); /* it is known whose it is */
}

static int setup_little_room(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.batch_answer_bytes = 1024;
    *state = client_open(&options);
    return 0;
}

/* Twenty moves take more than the kilobyte, so the first line is the last that is answered. */
static void lines_after_the_room_of_a_batch_are_too_expensive(void **state)
{
    const struct answer *answer =
        send(*state, "{\"op\":\"legal-moves\"}\n{\"id\":2,\"op\":\"perft\",\"depth\":1}\n");
    assert_true(answer->length > 1024);
    assert_int_equal(status_of(answer, 0), 200);
    check_problem(answer, 1, 422, "too-expensive");
    cJSON *line = line_of(answer, 1);
    const cJSON *problem = cJSON_GetObjectItemCaseSensitive(line, "problem");
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(problem, "limit")->valueint, 1024);
    assert_int_equal(cJSON_GetObjectItemCaseSensitive(line, "id")->valueint, 2);
    cJSON_Delete(line);
}

static void a_service_that_ends_looks_at_no_further_line(void **state)
{
    client_set_draining(*state, true);
    check_problem(send(*state, "{\"op\":\"perft\",\"depth\":1}"), 0, 503, "shutting-down");
}

static void a_thousand_lines_are_a_thousand_answers(void **state)
{
    char *body = malloc(1000 * 80), *at = body;
    assert_non_null(body);
    for (int i = 0; i < 1000; i++)
        at += sprintf(at, "{\"id\":%d,\"op\":\"perft\",\"depth\":%d}\n", i, 1 + i % 2);
    const struct answer *answer = send(*state, body);
    assert_true(answer->blocked);
    const char *line = answer->body;
    for (int i = 0; i < 1000; i++) {
        char expected[160];
        int length = snprintf(expected, sizeof expected,
                              "{\"id\":%d,\"status\":200,\"result\":{\"fen\":\"" START_FEN
                              "\",\"depth\":%d,\"nodes\":%d}}\n",
                              i, 1 + i % 2, i % 2 ? 400 : 20);
        assert_int_equal(strncmp(line, expected, (size_t)length), 0);
        line += length;
    }
    assert_string_equal(line, "");
    free(body);
}

/* The least of some tries, in processor time, of a line with a list of so many elements. */
static clock_t time_of_list(struct client *client, size_t elements)
{
    static const char BEGIN[] = "{\"op\":\"position\",\"x_\":[1", END[] = "]}";
    char *body = malloc(sizeof BEGIN + 2 * elements + sizeof END), *at = body;
    assert_non_null(body);
    at = stpcpy(at, BEGIN);
    for (size_t i = 1; i < elements; i++)
        at = stpcpy(at, ",1");
    (void)stpcpy(at, END);
    clock_t least = 0;
    for (int i = 0; i < 3; i++) {
        clock_t begun = clock();
        assert_int_equal(status_of(send(client, body), 0), 200);
        clock_t taken = clock() - begun;
        least = i && least < taken ? least : taken;
    }
    free(body);
    return least;
}

/* It once took the square of that: an hour for a line as long as a batch may be. */
static void a_list_that_is_ten_times_as_long_takes_some_ten_times_the_time(void **state)
{
    clock_t of_short = time_of_list(*state, 5000), of_long = time_of_list(*state, 50000);
    print_message("%ld %ld\n", (long)of_short, (long)of_long);
    assert_true(of_long < 40 * of_short);
}

/* RFC 8259 7: how a name is escaped makes no other name of it. */
static void names_are_read_as_they_are_meant(void **state)
{
    static const char *const LINES[] = {
        "{\"\\u006fp\":\"perft\",\"depth\":1,\"id\":5}",
        "{\"op\":\"perft\",\"d\\u0065pth\":1,\"i\\u0064\":5}",
        "{\"\\u006fp\":\"line\",\"fen\\u005fep\":\"always\",\"\\u0069d\":5,\"moves\":[\"e4\"]}",
    };
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        const struct answer *answer = send(*state, LINES[i]);
        assert_int_equal(strncmp(answer->body, "{\"id\":5,\"status\":200,", 21), 0);
    }
}

/* It changes nothing, so it is answered anew; but a key that cannot be one is refused here too. */
static void a_batch_may_have_an_idempotency_key(void **state)
{
    struct call call = {.method = "POST",
                        .target = "/v1/positions/batch",
                        .body = "{\"op\":\"perft\",\"depth\":1}",
                        .headers = {{"Content-Type", NDJSON}, {"Idempotency-Key", "a-key"}}};
    for (int i = 0; i < 2; i++) {
        const struct answer *answer = client_send(*state, &call);
        assert_status(answer, 200);
        assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "");
    }
    call.headers[1].value = "two words";
    assert_problem(client_send(*state, &call), 400, "invalid-parameter");
}

/* So that all of it together leaves a thread of the pool to those who only wait for a disk. */
static void whatever_may_take_long_is_told_from_what_only_blocks(void **state)
{
    static const char pgn[] = "1. e4 e5 *";
    assert_true(send(*state, "{\"op\":\"legal-moves\",\"fen\":\"" START_FEN "\"}")->worked);
    assert_true(client_get(*state, "/v1/positions/perft?depth=3")->worked);
    assert_true(client_post(*state, "/v1/positions/winnable", "text/plain", START_FEN)->worked);
    assert_true(client_post(*state, "/v1/pgn/validate", "application/vnd.chess-pgn", pgn)->worked);
    assert_true(client_post(*state, "/v1/pgn/import", "application/vnd.chess-pgn", pgn)->worked);
    assert_false(client_get(*state, "/v1/positions")->worked);
    assert_false(client_get(*state, "/v1/games")->worked);
    assert_false(client_post(*state, "/v1/games", "application/vnd.chess-pgn", pgn)->worked);
}

#define WITH(setup, test) cmocka_unit_test_setup_teardown(test, setup, client_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_line_is_answered_as_its_route_answers),
        CLIENT_TEST(answers_come_in_order_with_their_ids),
        CLIENT_TEST(a_bad_line_is_a_problem_and_the_rest_goes_on),
        CLIENT_TEST(lines_come_as_ndjson_or_as_curl_sends_them),
        WITH(setup_small, a_batch_has_as_many_lines_and_bytes_as_it_may),
        WITH(setup_no_time, lines_after_the_time_of_a_batch_are_too_expensive),
        WITH(setup_little_room, lines_after_the_room_of_a_batch_are_too_expensive),
        CLIENT_TEST(a_service_that_ends_looks_at_no_further_line),
        CLIENT_TEST(a_thousand_lines_are_a_thousand_answers),
        CLIENT_TEST(a_list_that_is_ten_times_as_long_takes_some_ten_times_the_time),
        CLIENT_TEST(a_batch_may_have_an_idempotency_key),
        CLIENT_TEST(names_are_read_as_they_are_meant),
        CLIENT_TEST(whatever_may_take_long_is_told_from_what_only_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
