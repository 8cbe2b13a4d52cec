/* Where memory is out the answer says so, or is the same as ever: every allocation of a request is made to
 * fail once. The functions of api/arena.h are wrapped by the linker (see the Makefile), so that the nth
 * call gives NULL. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

/* ---- the arena that runs dry --------------------------------------------------------------------------- */

static bool counting;
static unsigned calls, failing; /* the call that fails, from 1; 0: none */

static bool fails(void)
{
    return counting && ++calls == failing;
}

enum api_result __real_api_handle(struct api *api, struct request *request, struct response *response);
enum api_result __wrap_api_handle(struct api *api, struct request *request, struct response *response);
enum api_result __wrap_api_handle(struct api *api, struct request *request, struct response *response)
{
    counting = true;
    enum api_result result = __real_api_handle(api, request, response);
    counting = false;
    return result;
}

void *__real_arena_alloc(struct arena *arena, size_t size);
void *__wrap_arena_alloc(struct arena *arena, size_t size);
void *__wrap_arena_alloc(struct arena *arena, size_t size)
{
    return fails() ? NULL : __real_arena_alloc(arena, size);
}

void *__real_arena_zalloc(struct arena *arena, size_t size);
void *__wrap_arena_zalloc(struct arena *arena, size_t size);
void *__wrap_arena_zalloc(struct arena *arena, size_t size)
{
    return fails() ? NULL : __real_arena_zalloc(arena, size);
}

void *__real_arena_grow(struct arena *arena, void *block, size_t old_size, size_t new_size);
void *__wrap_arena_grow(struct arena *arena, void *block, size_t old_size, size_t new_size);
void *__wrap_arena_grow(struct arena *arena, void *block, size_t old_size, size_t new_size)
{
    return fails() ? NULL : __real_arena_grow(arena, block, old_size, new_size);
}

char *__real_arena_copy(struct arena *arena, const char *text, size_t length);
char *__wrap_arena_copy(struct arena *arena, const char *text, size_t length);
char *__wrap_arena_copy(struct arena *arena, const char *text, size_t length)
{
    return fails() ? NULL : __real_arena_copy(arena, text, length);
}

bool __real_arena_hold(struct arena *arena, void (*release)(void *held), void *held);
bool __wrap_arena_hold(struct arena *arena, void (*release)(void *held), void *held);
bool __wrap_arena_hold(struct arena *arena, void (*release)(void *held), void *held)
{
    return !fails() && __real_arena_hold(arena, release, held);
}

char *__real_arena_vprintf(struct arena *arena, const char *format, va_list arguments);
__attribute__((format(printf, 2, 0))) char *__wrap_arena_vprintf(struct arena *arena, const char *format,
                                                                 va_list arguments);
char *__wrap_arena_vprintf(struct arena *arena, const char *format, va_list arguments)
{
    return fails() ? NULL : __real_arena_vprintf(arena, format, arguments);
}

__attribute__((format(printf, 2, 3))) char *__wrap_arena_printf(struct arena *arena, const char *format, ...);
char *__wrap_arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = fails() ? NULL : __real_arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

const char *__real_arena_join(struct arena *arena, const char *list, const char *word);
const char *__wrap_arena_join(struct arena *arena, const char *list, const char *word);
const char *__wrap_arena_join(struct arena *arena, const char *list, const char *word)
{
    return fails() ? NULL : __real_arena_join(arena, list, word);
}

/* ---- the law ------------------------------------------------------------------------------------------- */

static bool is_out_of_memory(const struct answer *answer)
{
    return answer->status == 500 && strstr(answer->body, "Memory is out.");
}

static bool is_same(const struct answer *a, const struct answer *b)
{
    if (a->status != b->status || strcmp(a->body, b->body) != 0 ||
        a->response.header_count != b->response.header_count)
        return false;
    for (size_t i = 0; i < a->response.header_count; i++) {
        const struct response_header *header = &a->response.headers[i];
        if (strcmp(answer_header(b, header->name), header->value) != 0)
            return false;
    }
    return true;
}

/* Runs the call with each of its allocations failing in turn. */
static void fail_each_allocation(struct client *client, const struct call *call)
{
    failing = 0;
    const struct answer *usual = client_send(client, call);
    assert_false(is_out_of_memory(usual));
    do {
        calls = 0;
        failing++;
        const struct answer *answer = client_send(client, call);
        if (calls >= failing && !is_out_of_memory(answer) && !is_same(answer, usual))
            fail_msg("%s %s %s without allocation %u: %u %s\nand with it: %u %s", call->method, call->target,
                     call->body ? call->body : "", failing, answer->status, answer->body, usual->status,
                     usual->body);
    } while (calls >= failing);
    assert_true(failing > 1);
    failing = 0;
}

static struct call call_of(const char *method, const char *target, const char *type, const char *body)
{
    return (struct call){
        .method = method,
        .target = target,
        .body = body,
        .headers = {{"Accept", "*/*"}, {type ? "Content-Type" : NULL, type}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
}

/* ---- requests ------------------------------------------------------------------------------------------ */

#define JSON "application/json"
#define FORM "application/x-www-form-urlencoded"

#define LONG_NAME "long_name_long_name_long_name_long_name_long_name_long_name_long_name"

static const struct {
    const char *method, *target, *type, *body;
} loose[] = {
    {"GET", "/", NULL, NULL},
    {"GET", "/v1", NULL, NULL},
    {"GET", "/v1/limits", NULL, NULL},
    {"GET", "/v1/problems", NULL, NULL},
    {"GET", "/v1/problems/none", NULL, NULL},
    {"GET", "/version.txt", NULL, NULL},
    {"GET", "/openapi.json", NULL, NULL},
    {"GET", "/none", NULL, NULL},
    {"GET", "/%zz", NULL, NULL},
    {"GET", "/v1/games/%6eone", NULL, NULL},
    {"GET", "/v1/limits.pgn", NULL, NULL},
    {"DELETE", "/v1/limits", NULL, NULL},
    {"OPTIONS", "/v1/games", NULL, NULL},
    {"OPTIONS", "*", NULL, NULL},
    {"GET", "/v1/positions", NULL, NULL},
    {"GET", "/v1/positions?moves=e4,e5&fen_ep=always", NULL, NULL},
    {"GET", "/v1/positions?moves=e4,Ke3", NULL, NULL},
    {"GET", "/v1/positions?moves=e4,xx", NULL, NULL},
    {"GET", "/v1/positions?fen=8/8/8/8/8/8/8/8_w", NULL, NULL},
    {"GET", "/v1/positions?variant=none", NULL, NULL},
    {"GET", "/v1/positions?varyant=chess960", NULL, NULL},
    {"GET", "/v1/positions.txt", NULL, NULL},
    {"GET", "/v1/positions/legal-moves", NULL, NULL},
    {"GET", "/v1/positions/legal-moves?group=dests", NULL, NULL},
    {"GET", "/v1/positions/board?style=list&moves=e4", NULL, NULL},
    {"GET", "/v1/positions/board.json", NULL, NULL},
    {"GET", "/v1/positions/board.svg?moves=e4&targets=e7&arrows=e2e4&squares=e4&size=80", NULL, NULL},
    {"GET", "/v1/positions/board.svg?moves=Ke3", NULL, NULL},
    {"GET", "/v1/positions/board.svg?arrows=e2", NULL, NULL},
    {"GET", "/v1/positions/board.png?size=80&squares=e4,d5r", NULL, NULL},
    {"GET", "/v1/positions/perft?depth=3&divide=true", NULL, NULL},
    {"GET", "/v1/positions/perft?depth=7", NULL, NULL},
    {"GET", "/v1/chess960/518", NULL, NULL},
    {"POST", "/v1/positions/line", JSON, "{\"moves\":[\"e4\",\"e5\",\"Ke2\",\"Qe3\"]}"},
    {"POST", "/v1/positions/line.txt", NULL, "e4 e5 Ke3"},
    {"POST", "/v1/positions/line", FORM, "moves=e4+e5"},
    {"POST", "/v1/positions/validate", JSON, "{\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}"},
    {"POST", "/v1/positions/validate", JSON, "{\"variant\":1}"},
    {"POST", "/v1/positions/validate", JSON, "{\"variant\":\"x\"}"},
    {"POST", "/v1/positions/validate", JSON, "{\"f/~\":\"\"}"},
    {"POST", "/v1/positions/validate", FORM, "fenn=x"},
    {"POST", "/v1/positions/validate", FORM, "fen=%zz"},
    {"POST", "/v1/positions/validate", JSON, "[]"},
    {"POST", "/v1/positions/validate", "image/png", "x"},
    {"POST", "/v1/games?validate_only", JSON,
     "{\"white\":{\"name\":\"Anna\"},\"metadata\":{\"a\":[1,2]},\"moves\":[\"e4\",\"e5\"],"
     "\"rules\":{\"auto_claim\":[\"fifty_moves\"]}}"},
    {"POST", "/v1/games?validate_only", JSON, "{\"moves\":[\"e4\",\"Ke3\"]}"},
    {"POST", "/v1/games?validate_only", JSON, "{\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\",\"a3\"]}"},
    {"POST", "/v1/games?validate_only", JSON, "{\"moves\":[1]}"},
    {"POST", "/v1/games?validate_only", JSON, "{\"rules\":{\"auto_claim\":[\"x\"]}}"},
    {"POST", "/v1/games?validate_only", FORM, "white.name=Anna&metadata={\"a\":1}"},
    {"POST", "/v1/games.txt?validate_only", JSON, "{\"moves\":[\"e4\"]}"},
    {"POST", "/v1/games", JSON, "{\"visibility\":\"private\"}"},
    {"POST", "/v1/games", FORM, LONG_NAME "=1"},
    {"POST", "/v1/games", FORM, LONG_NAME "=1&" LONG_NAME "=2"},
    {"POST", "/v1/positions/line", JSON, "{\"moves\":[\"" LONG_NAME "\"]}"},
    {"GET", "/v1/games?cursor=x", NULL, NULL},
    {"POST", "/v1/games?validate_only", JSON,
     "{\"clock\":{\"stages\":[{\"moves\":40,\"time_ms\":1},{\"time_ms\":2}],\"start\":\"immediate\"}}"},
    {"POST", "/v1/games?validate_only", JSON, "{\"clock\":{\"stages\":[{\"time_ms\":1,\"moves\":2},{}]}}"},
    {"POST", "/v1/games?validate_only", FORM, "clock=300+3&rules.move_limit=9"},
    {"POST", "/v1/games?validate_only", FORM, "clock=5m"},
    {"POST", "/v1/positions/winnable", JSON, "{\"fen\":\"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"}"},
    {"POST", "/v1/positions/winnable.txt", NULL, "7k/8/8/8/8/8/R7/K7 b - - 0 1"},
    {"POST", "/v1/positions/winnable", NULL, "9/8"},
    {"POST", "/v1/positions/batch", NULL, ""},
};

static void requests_without_a_game_say_that_memory_is_out(void **state)
{
    for (size_t i = 0; i < sizeof loose / sizeof loose[0]; i++) {
        struct call call = call_of(loose[i].method, loose[i].target, loose[i].type, loose[i].body);
        fail_each_allocation(*state, &call);
    }
}

static const struct {
    const char *method, *rest, *body;
} of_game[] = {
    {"GET", "", NULL},
    {"GET", ".txt", NULL},
    {"GET", ".pgn", NULL},
    {"GET", ".pgn?comments=false", NULL},
    {"GET", "/fen?ply=1", NULL},
    {"GET", "/fen?ply=9", NULL},
    {"GET", "/status", NULL},
    {"GET", "/board?style=unicode", NULL},
    {"GET", "/board.json?ply=2", NULL},
    {"GET", "/board?style=list", NULL},
    {"GET", "/board.svg?targets=g1", NULL},
    {"GET", "/board.svg?ply=9", NULL},
    {"GET", "/board.png?size=80", NULL},
    {"GET", "/position?ply=1", NULL},
    {"GET", "/repetitions", NULL},
    {"GET", "/draw", NULL},
    {"GET", "/draw.txt", NULL},
    {"GET", "/legal-moves?ply=1", NULL},
    {"GET", "/moves", NULL},
    {"GET", "/moves?limit=1&order=desc", NULL},
    {"GET", "/moves.txt", NULL},
    {"GET", "/moves/1", NULL},
    {"GET", "/moves/9", NULL},
    {"POST", "/moves?validate_only", "{\"move\":\"Nf3\",\"comment\":\"why\"}"},
    {"POST", "/moves?validate_only", "{\"moves\":[\"Nf3\",\"Nc6\"]}"},
    {"POST", "/moves?validate_only", "{\"moves\":[\"Nf3\",\"Ke3\"]}"},
    {"POST", "/moves", "{\"move\":\"Nd2\"}"},
    {"POST", "/moves", "{\"from\":\"e1\",\"to\":\"e3\"}"},
    {"POST", "/moves", "{\"move\":\"a4\",\"ply\":1}"},
    {"POST", "/moves", "{\"move\":\"a4\",\"ply\":9}"},
    {"PUT", "/moves/1", "{\"move\":\"e4\"}"},
    {"POST", "/undo", "{\"plies\":9}"},
    {"PATCH", "", "{}"},
    {"POST", "/fork?ply=9", NULL},
    {"POST", "/moves?validate_only", "{\"move\":\"Nf3\",\"draw_offer\":true}"},
    {"GET", ".pgn?clocks=false", NULL},
    {"GET", "/events?after=6", NULL},
    {"GET", "/events?after=x", NULL},
    {"GET", "/events.json?after=6&wait=1", NULL},
    {"GET", "/clock", NULL},
    {"POST", "/flag", NULL},
    {"POST", "/clock/add", "{\"color\":\"white\",\"ms\":1}"},
    {"POST", "/draw/accept", NULL},
    {"POST", "/draw/decline.txt", "{\"color\":\"white\"}"},
    {"POST", "/takeback", "{\"to_ply\":9}"},
    {"POST", "/takeback/accept", NULL},
    {"DELETE", "/takeback", NULL},
    {"POST", "/adjudicate", "{\"result\":\"*\"}"},
};

static const char *make_game(struct client *client)
{
    const char *id = match_new_json(client, "{\"white\":{\"name\":\"Anna\"},\"black\":{\"name\":\"Ben\"},"
                                            "\"metadata\":{\"a\":1},\"moves\":[\"e4\",\"e5\"]}");
    assert_status(match_post(client, id, "/undo", "{\"plies\":2}"), 200);
    assert_status(match_post(client, id, "/moves", "{\"move\":\"e4\",\"comment\":\"best\"}"), 201);
    assert_status(match_post(client, id, "/moves", "{\"move\":\"e5\",\"comment\":\"too\"}"), 201);
    return id;
}

static void requests_of_a_game_say_that_memory_is_out(void **state)
{
    const char *id = make_game(*state);
    for (size_t i = 0; i < sizeof of_game / sizeof of_game[0]; i++) {
        struct call call = call_of(of_game[i].method, match_path(id, of_game[i].rest),
                                   of_game[i].body ? JSON : NULL, of_game[i].body);
        fail_each_allocation(*state, &call);
    }
    assert_match_at(*state, id, 6, 2);
}

static const struct {
    const char *method, *rest, *body;
} of_timed_game[] = {
    {"GET", "", NULL},
    {"GET", "/status", NULL},
    {"GET", "/clock", NULL},
    {"GET", "/clock.txt", NULL},
    {"GET", ".pgn", NULL},
    {"GET", "/moves", NULL},
    {"POST", "/flag", NULL},
    {"POST", "/draw/offer", "{\"color\":\"white\"}"},
    {"POST", "/takeback.txt", "{\"color\":\"white\"}"},
};

static void requests_of_a_timed_game_say_that_memory_is_out(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"40/7200:3600\",\"moves\":[\"e4\",\"e5\"]}");
    assert_status(match_ask(*state, "POST", match_path(id, "/draw/offer")), 201);
    assert_status(match_ask(*state, "POST", match_path(id, "/takeback")), 201);
    for (size_t i = 0; i < sizeof of_timed_game / sizeof of_timed_game[0]; i++) {
        struct call call = call_of(of_timed_game[i].method, match_path(id, of_timed_game[i].rest),
                                   of_timed_game[i].body ? JSON : NULL, of_timed_game[i].body);
        fail_each_allocation(*state, &call);
    }
    assert_match_at(*state, id, 5, 2);
}

static const struct {
    const char *method, *rest, *body;
} of_seats[] = {
    {"GET", "", NULL},
    {"GET", "/seats", NULL},
    {"GET", "/seats.txt", NULL},
    {"POST", "/seats", "{\"color\":\"white\"}"},
    {"POST", "/moves", "{\"move\":\"d4\"}"},
    {"POST", "/moves", "{\"moves\":[\"d4\",\"d5\"]}"},
    {"POST", "/moves", "{\"move\":\"e4\",\"ply\":1}"},
    {"POST", "/resign", "{\"color\":\"black\"}"},
    {"POST", "/undo", NULL},
    {"PATCH", "", "{\"visibility\":\"public\"}"},
    {"DELETE", "/seats/white", NULL},
    {"DELETE", "/seats/green", NULL},
    {"POST", "/tokens", "{\"role\":\"white\"}"},
};

/* By White, and by somebody without a token. */
static void requests_of_a_game_with_seats_say_that_memory_is_out(void **state)
{
    const struct answer *made = match_send(*state, "POST", "/v1/games", "{\"access\":\"seats\"}");
    const char *id = answer_text(made, "id");
    char bearer[64];
    (void)snprintf(bearer, sizeof bearer, "Bearer %.40s", answer_text(made, "tokens.white"));
    assert_status(match_send_with(*state, "POST", match_path(id, "/seats"), "{\"name\":\"Anna\"}",
                                  "Authorization", bearer),
                  200);
    assert_status(match_send_with(*state, "POST", match_path(id, "/moves"), "{\"move\":\"e4\"}",
                                  "Authorization", bearer),
                  201);
    for (size_t i = 0; i < 2 * sizeof of_seats / sizeof of_seats[0]; i++) {
        size_t row = i / 2;
        struct call call = call_of(of_seats[row].method, match_path(id, of_seats[row].rest),
                                   of_seats[row].body ? JSON : NULL, of_seats[row].body);
        if (i % 2)
            call.headers[2] = (struct response_header){"Authorization", bearer};
        fail_each_allocation(*state, &call);
    }
    assert_match_at(*state, id, 3, 1);
}

static void conditional_requests_say_that_memory_is_out(void **state)
{
    const char *id = make_game(*state);
    static const char *const targets[] = {"", "/moves", ".pgn", "/fen?ply=9"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct call call = call_of("GET", match_path(id, targets[i]), "text/plain", NULL);
        call.headers[2] = (struct response_header){"If-None-Match", "*"};
        fail_each_allocation(*state, &call);
    }
    struct call call = call_of("POST", match_path(id, "/resign"), NULL, NULL);
    call.headers[2] = (struct response_header){"If-Match", "\"v2\""};
    fail_each_allocation(*state, &call);
}

static void the_board_of_a_finished_game_says_that_memory_is_out(void **state)
{
    const char *id = make_game(*state);
    assert_status(match_post(*state, id, "/resign", "{}"), 200);
    struct call call = call_of("GET", match_path(id, "/board"), NULL, NULL);
    fail_each_allocation(*state, &call);
}

static void a_list_says_that_memory_is_out(void **state)
{
    make_game(*state);
    make_game(*state);
    struct call call = call_of("GET", "/v1/games?limit=1&player=Anna", NULL, NULL);
    fail_each_allocation(*state, &call);
}

/* The usual answer is made before anything fails, so that these are found, and held. */
static void answers_that_are_kept_say_that_memory_is_out(void **state)
{
    static const char *const targets[] = {"", "/legal-moves", "/board.png?size=80"};
    const char *id = make_game(*state);
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        struct call call = call_of("GET", match_path(id, targets[i]), NULL, NULL);
        fail_each_allocation(*state, &call);
    }
}

/* Each try that succeeds makes a game, so their ids differ; nothing of the game may be lost. */
static void a_fork_is_whole_or_is_not_made(void **state)
{
    const char *id = make_game(*state);
    struct call call = call_of("POST", match_path(id, "/fork"), NULL, NULL);
    failing = 0;
    do {
        calls = 0;
        failing++;
        const struct answer *answer = client_send(*state, &call);
        if (is_out_of_memory(answer))
            continue;
        assert_status(answer, 201);
        assert_json(answer, "white.name", "\"Anna\"");
        assert_json(answer, "black.name", "\"Ben\"");
        assert_json(answer, "metadata", "{\"a\":1}");
        assert_json(answer, "ply", "2");
        assert_string_not_equal(answer_header(answer, "Location"), "");
    } while (calls >= failing);
    failing = 0;
}

/* What has no answer to keep is not done: a repeat would do it again. */
static void a_request_with_a_key_is_done_once_or_not_at_all(void **state)
{
    static const char *const MOVES[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    const char *id = match_new_json(*state, "{\"rules\":{\"fivefold\":false,\"seventyfive\":false}}");
    unsigned refused = 0;
    int ply = 0;
    failing = 0;
    do {
        char key[16];
        (void)snprintf(key, sizeof key, "key-%d", ply);
        struct call call = call_of("POST", match_path(id, "/moves"), "text/plain", MOVES[ply % 4]);
        call.headers[2] = (struct response_header){"Idempotency-Key", key};
        calls = 0;
        failing++;
        const struct answer *answer = client_send(*state, &call);
        bool out = is_out_of_memory(answer);
        refused += out;
        unsigned made = calls;
        failing = made >= failing ? failing : 0;
        assert_match_at(*state, id, ply + 1 + !out, ply + !out);
        unsigned kept = failing;
        failing = 0;
        const struct answer *again = client_send(*state, &call);
        failing = kept;
        assert_status(again, 201);
        assert_int_equal(*answer_header(again, "Idempotent-Replayed") != '\0', !out);
        ply++;
        assert_match_at(*state, id, ply + 1, ply);
    } while (failing);
    assert_true(refused > 5);
}

/* Nothing is kept: what was rendered before allocates next to nothing that could fail. */
static int set_up_without_caches(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.answer_cache_bytes = options.limits.picture_cache_bytes = 0;
    *state = client_open(&options);
    return 0;
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, set_up_without_caches, client_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(requests_without_a_game_say_that_memory_is_out),
        TEST(requests_of_a_game_say_that_memory_is_out),
        TEST(requests_of_a_timed_game_say_that_memory_is_out),
        TEST(requests_of_a_game_with_seats_say_that_memory_is_out),
        TEST(conditional_requests_say_that_memory_is_out),
        TEST(the_board_of_a_finished_game_says_that_memory_is_out),
        TEST(a_list_says_that_memory_is_out),
        CLIENT_TEST(answers_that_are_kept_say_that_memory_is_out),
        TEST(a_fork_is_whole_or_is_not_made),
        TEST(a_request_with_a_key_is_done_once_or_not_at_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
