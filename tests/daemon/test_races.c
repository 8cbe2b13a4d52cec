/* The real daemon and many clients who want the same thing at one and the same moment: each is told what became of it, and
 * the game is what its log says.
 *
 * Requests of one volley are sent while the daemon stands still, so that its network threads find all of them together.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

#include <cmocka.h>

#include "service/monotonic.h"
#include "tests/support/chance.h"
#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CLIENTS = 150, ROUNDS = 4, GAMES = 12 };
#else
enum { CLIENTS = 1000, ROUNDS = 12, GAMES = 40 };
#endif

enum {
    ID_SIZE = 13,
    TEXT_SIZE = 512,
    DESCRIPTORS = CLIENTS + 64,
    TIME_MS = 150, /* of a side, where flags fall */
};

/* One client, its request, and what it was told. */
struct shot {
    struct http_client client;
    char text[TEXT_SIZE];
    struct http_reply reply;
};

static struct shot shots[CLIENTS];
static size_t shot_count;
static uint64_t random_state;

/* ---- volleys ------------------------------------------------------------------------------------------------------ */

static struct shot *add_shot(const char *method, const char *target, const char *fields, const char *body)
{
    assert_true(shot_count < CLIENTS);
    struct shot *shot = &shots[shot_count++];
    int length = snprintf(
        shot->text, TEXT_SIZE, "%s %s HTTP/1.1\r\nHost: localhost\r\n%s%sContent-Length: %zu\r\n\r\n%s",
        method, target, fields, *body ? "Content-Type: application/json\r\n" : "", strlen(body), body);
    assert_in_range(length, 1, TEXT_SIZE - 1);
    return shot;
}

static void send_shots(void)
{
    for (size_t i = 0; i < shot_count; i++)
        assert_true(http_client_send_text(&shots[i].client, shots[i].text));
}

static void read_answers(void)
{
    for (size_t i = 0; i < shot_count; i++) {
        http_reply_finish(&shots[i].reply);
        assert_true(http_client_read(&shots[i].client, false, &shots[i].reply));
        if (shots[i].reply.status >= 500)
            fail_msg("%u: %s\nto: %s", shots[i].reply.status, shots[i].reply.body, shots[i].text);
    }
}

static void fire(void)
{
    int status = 0;
    daemon_process_signal(&daemon_process, SIGSTOP);
    assert_int_equal(waitpid(daemon_process.pid, &status, WUNTRACED), daemon_process.pid);
    assert_true(WIFSTOPPED(status));
    send_shots();
    daemon_process_signal(&daemon_process, SIGCONT);
    read_answers();
}

static size_t count_status(unsigned status)
{
    size_t count = 0;
    for (size_t i = 0; i < shot_count; i++)
        count += shots[i].reply.status == status;
    return count;
}

static bool is_replay(const struct http_reply *reply)
{
    char value[8];
    return http_reply_field(reply, "Idempotent-Replayed", value, sizeof value) && strcmp(value, "true") == 0;
}

/* ---- what the service tells afterwards ---------------------------------------------------------------------------- */

static unsigned ask(const char *method, const char *target, const char *body)
{
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, method, target, NULL, body, &daemon_reply));
    return daemon_reply.status;
}

static unsigned ask_of(const char *id, const char *what)
{
    char target[TEXT_SIZE];
    (void)snprintf(target, sizeof target, "/v1/games/%.12s%s", id, what);
    return ask("GET", target, NULL);
}

static void create_game(const char *body, char id[ID_SIZE])
{
    assert_int_equal(ask("POST", "/v1/games.txt", body), 201);
    (void)snprintf(id, ID_SIZE, "%.12s", daemon_reply.body);
}

/* The number behind `name`, which stands there. */
static unsigned long number(const char *name)
{
    const char *found = strstr(daemon_reply.body, name);
    if (!found)
        fail_msg("there is no %s in %s", name, daemon_reply.body);
    return found ? strtoul(found + strlen(name), NULL, 10) : 0;
}

static size_t occurrences(const char *text)
{
    size_t count = 0;
    for (const char *at = daemon_reply.body; (at = strstr(at, text)); at++)
        count++;
    return count;
}

/* The game, its moves and its events tell the same, with that version. */
static void assert_tells_the_same(const char *id, unsigned long version)
{
    assert_int_equal(ask_of(id, ""), 200);
    unsigned long told = number("\"version\":"), ply = number("\"ply\":");
    if (told != version)
        fail_msg("version %lu, and not %lu: %s", told, version, daemon_reply.body);
    assert_int_equal(ask_of(id, "/moves"), 200);
    assert_int_equal(number("\"version\":"), version);
    assert_int_equal(occurrences("\"san\":"), ply);
    assert_int_equal(ask_of(id, "/events.json?after=0"), 200);
    assert_int_equal(occurrences("{\"id\":"), version);
}

/* ---- one ply ------------------------------------------------------------------------------------------------------ */

static const char *const FIRST_MOVES[] = {"a3", "a4", "b3", "b4", "c3", "c4", "d3",  "d4",  "e3",  "e4",
                                          "f3", "f4", "g3", "g4", "h3", "h4", "Na3", "Nc3", "Nf3", "Nh3"};
enum { FIRST_MOVE_COUNT = sizeof FIRST_MOVES / sizeof *FIRST_MOVES };

/* How the others are told: with a ply whoever wanted the very move is told that it is there. */
static void assert_one_has_played(const char *id, bool by_ply, unsigned other, const char *code)
{
    assert_int_equal(count_status(201), 1);
    assert_tells_the_same(id, 2);
    assert_int_equal(ask_of(id, "/moves/1.txt"), 200);
    for (size_t i = 0; i < shot_count; i++) {
        const struct http_reply *reply = &shots[i].reply;
        if (reply->status == 201)
            continue;
        if (by_ply && reply->status == 200)
            assert_true(is_replay(reply));
        else if (reply->status != other || !strstr(reply->body, code))
            fail_msg("%u: %s", reply->status, reply->body);
    }
    size_t same = count_status(200);
    assert_int_equal(same + 1, by_ply ? CLIENTS / FIRST_MOVE_COUNT : 1);
}

static void of_all_who_name_the_ply_one_plays_it(void **state)
{
    static const char *const METHODS[] = {"POST", "PUT"};
    (void)state;
    for (size_t m = 0; m < 2; m++) {
        char id[ID_SIZE], target[TEXT_SIZE], body[64];
        create_game("", id);
        (void)snprintf(target, sizeof target, "/v1/games/%s/moves%s", id, m ? "/1" : "");
        shot_count = 0;
        for (unsigned i = 0; i < CLIENTS / FIRST_MOVE_COUNT * FIRST_MOVE_COUNT; i++) {
            (void)snprintf(body, sizeof body, "{\"move\":\"%s\"%s}", FIRST_MOVES[i % FIRST_MOVE_COUNT],
                           m ? "" : ",\"ply\":1");
            (void)add_shot(METHODS[m], target, "", body);
        }
        fire();
        assert_one_has_played(id, true, 409, "\"code\":\"ply-conflict\"");
    }
}

static void of_all_who_name_the_version_one_plays(void **state)
{
    (void)state;
    char id[ID_SIZE], target[TEXT_SIZE];
    create_game("", id);
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves", id);
    shot_count = 0;
    for (unsigned i = 0; i < CLIENTS; i++)
        (void)add_shot("POST", target, "If-Match: \"v1\"\r\n", "{\"move\":\"e4\"}");
    fire();
    assert_one_has_played(id, false, 412, "\"code\":\"version-mismatch\"");
}

static void of_all_who_name_nothing_one_plays(void **state)
{
    (void)state;
    char id[ID_SIZE], target[TEXT_SIZE];
    create_game("", id);
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves", id);
    shot_count = 0;
    for (unsigned i = 0; i < CLIENTS; i++)
        (void)add_shot("POST", target, "", "{\"move\":\"e4\"}");
    fire();
    assert_one_has_played(id, false, 422, "\"code\":\"illegal-move\"");
}

/* ---- one key ------------------------------------------------------------------------------------------------------ */

/* The answer of the one who acted; whoever came while he was served is told to come again. */
static const char *find_act(void)
{
    const char *body = NULL;
    for (size_t i = 0; i < shot_count; i++) {
        const struct http_reply *reply = &shots[i].reply;
        if (reply->status == 409) {
            assert_non_null(strstr(reply->body, "\"code\":\"idempotency-in-progress\""));
        } else if (!is_replay(reply)) {
            assert_int_equal(reply->status, 201);
            assert_null(body);
            body = reply->body;
        }
    }
    assert_non_null(body);
    return body;
}

static void assert_all_told_the_same(const char *body)
{
    for (size_t i = 0; i < shot_count; i++) {
        assert_int_equal(shots[i].reply.status, 201);
        assert_true(is_replay(&shots[i].reply));
        assert_string_equal(shots[i].reply.body, body);
    }
}

/* Seats: the answer has tokens, which are told only once, and to everybody who has the key. */
static void with_one_key_all_are_told_of_the_same_game(void **state)
{
    enum { SENDERS = 100 };
    (void)state;
    assert_int_equal(ask("GET", "/v1/games.txt?limit=500", NULL), 200);
    size_t before = occurrences("\n");
    shot_count = 0;
    for (unsigned i = 0; i < SENDERS; i++)
        (void)add_shot("POST", "/v1/games", "Idempotency-Key: one\r\n",
                       "{\"access\":\"seats\",\"visibility\":\"public\"}");
    fire();
    char *body = strdup(find_act());
    assert_non_null(body);
    for (int round = 0; round < ROUNDS; round++) {
        fire(); /* he is answered: now nobody has to wait, however many repeats are looked up */
        assert_all_told_the_same(body);
    }
    assert_int_equal(ask("GET", "/v1/games.txt?limit=500", NULL), 200);
    assert_int_equal(occurrences("\n"), before + 1);
    free(body);
}

/* ---- everything against everything -------------------------------------------------------------------------------- */

struct deed {
    const char *method, *path, *body;
};

/* On a game with two moves. Each changes the game at most once, and says so with 200 or 201. */
static const struct deed DEEDS[] = {
    {"POST", "/moves", "{\"move\":\"Nf3\",\"ply\":3}"},
    {"POST", "/moves", "{\"move\":\"d4\",\"ply\":3}"},
    {"POST", "/resign", "{\"color\":\"white\"}"},
    {"POST", "/resign", "{\"color\":\"black\"}"},
    {"POST", "/takeback", "{\"color\":\"black\"}"},
    {"POST", "/draw/offer", "{\"color\":\"white\"}"},
    {"POST", "/draw/accept", "{\"color\":\"black\"}"},
    {"POST", "/flag", ""},
    {"POST", "/undo", ""},
    {"POST", "/adjudicate", "{\"result\":\"1-0\"}"},
    {"DELETE", "", ""},
};
enum { DEED_COUNT = sizeof DEEDS / sizeof *DEEDS, REMOVAL = DEED_COUNT - 1 };

struct duel {
    char id[ID_SIZE];
    struct shot *first, *second, *removal; /* the last one NULL: there is none */
    char *told;                            /* before a restart; NULL: it is removed */
};

static struct duel duels[ROUNDS * GAMES];
static size_t duel_count;

static struct shot *add_deed(const char *id, const struct deed *deed)
{
    char target[TEXT_SIZE];
    (void)snprintf(target, sizeof target, "/v1/games/%.12s%s", id, deed->path);
    return add_shot(deed->method, target, "", deed->body);
}

static void begin_duel(struct duel *duel)
{
    create_game("{\"moves\":[\"e4\",\"e5\"],\"rules\":{\"takeback\":\"free\"}}", duel->id);
    unsigned first = chance_below(&random_state, REMOVAL),
             second = (first + 1 + chance_below(&random_state, REMOVAL - 1)) % REMOVAL;
    duel->removal = NULL;
    if (chance_below(&random_state, 8) == 0)
        duel->removal = add_deed(duel->id, &DEEDS[REMOVAL]);
    duel->first = add_deed(duel->id, &DEEDS[first]);
    duel->second = add_deed(duel->id, &DEEDS[second]);
    if (!duel->removal && chance_below(&random_state, 8) == 0)
        duel->removal = add_deed(duel->id, &DEEDS[REMOVAL]);
}

static unsigned long is_done(const struct shot *shot)
{
    static const unsigned REFUSALS[] = {404, 409, 422};
    unsigned status = shot->reply.status;
    for (size_t i = 0; i < sizeof REFUSALS / sizeof *REFUSALS; i++)
        if (status == REFUSALS[i])
            return 0;
    if (status != 200 && status != 201)
        fail_msg("%u: %s\nto: %s", status, shot->reply.body, shot->text);
    return 1;
}

static void end_duel(struct duel *duel)
{
    unsigned long done = is_done(duel->first) + is_done(duel->second);
    if (!duel->removal) {
        assert_tells_the_same(duel->id, 3 + done);
        assert_int_equal(ask_of(duel->id, ""), 200);
        duel->told = strdup(daemon_reply.body);
        return;
    }
    assert_int_equal(duel->removal->reply.status, 204);
    assert_int_equal(ask_of(duel->id, ""), 404);
}

static void restart(void)
{
    http_client_close(&daemon_client);
    for (size_t i = 0; i < CLIENTS; i++)
        http_client_close(&shots[i].client);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    shell_assert_exit("\"$A\" check --db \"$DB\"", 0);
    assert_true(daemon_process_run(&daemon_process, NULL));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
}

/* Runs last: it ends the daemon that the others use. */
static void whatever_meets_a_game_at_one_moment_leaves_what_its_log_says(void **state)
{
    (void)state;
    for (duel_count = 0; duel_count < ROUNDS * GAMES;) {
        shot_count = 0;
        for (size_t i = 0; i < GAMES; i++)
            begin_duel(&duels[duel_count + i]);
        fire();
        for (size_t i = 0; i < GAMES; i++)
            end_duel(&duels[duel_count + i]);
        duel_count += GAMES;
    }
    restart();
    for (size_t i = 0; i < duel_count; i++) {
        assert_int_equal(ask_of(duels[i].id, ""), duels[i].told ? 200 : 404);
        if (duels[i].told)
            assert_string_equal(daemon_reply.body, duels[i].told);
        free(duels[i].told);
    }
}

/* ---- flags -------------------------------------------------------------------------------------------------------- */

static void await_the_end(const char *id)
{
    const struct timespec look = {.tv_nsec = 5000000};
    int64_t until_ms = monotonic_ms() + HTTP_CLIENT_TIMEOUT_S * 1000;
    while (ask_of(id, "/status") == 200 && !strstr(daemon_reply.body, "\"status\":\"ended\"") &&
           monotonic_ms() < until_ms)
        (void)nanosleep(&look, NULL);
}

/* Either the move came in time, and Black's flag falls, or White's did; and one flag only. */
static void assert_flag_or_move(const char *id, const struct shot *trio)
{
    unsigned long moved = trio[1].reply.status == 201;
    const char *code = moved ? "\"code\":\"clock-running\"" : "\"code\":\"game-over\"";
    assert_true(moved || (trio[1].reply.status == 409 && strstr(trio[1].reply.body, code)));
    for (size_t i = 0; i < 3; i += 2)
        assert_true(
            trio[i].reply.status == 200 ||
            (trio[i].reply.status == 409 && strstr(trio[i].reply.body, "\"code\":\"clock-running\"")));
    await_the_end(id);
    assert_tells_the_same(id, 1 + moved + 1);
    assert_int_equal(ask_of(id, ""), 200);
    assert_non_null(strstr(daemon_reply.body, "\"termination\":\"timeout\""));
    assert_non_null(strstr(daemon_reply.body, moved ? "\"winner\":\"white\"" : "\"winner\":\"black\""));
}

static void a_move_meets_a_flag_that_falls(void **state)
{
    static char ids[GAMES][ID_SIZE];
    static const struct deed FLAG = {"POST", "/flag", ""}, MOVE = {"POST", "/moves", "{\"move\":\"e4\"}"};
    char body[128];
    (void)state;
    (void)snprintf(body, sizeof body, "{\"clock\":{\"initial_ms\":%d,\"start\":\"immediate\"}}", TIME_MS);
    size_t moved = 0;
    for (size_t round = 0; round < ROUNDS / 4; round++) {
        int64_t begun_ms = monotonic_ms();
        shot_count = 0;
        for (size_t i = 0; i < GAMES; i++) {
            create_game(body, ids[i]);
            (void)add_deed(ids[i], &FLAG);
            (void)add_deed(ids[i], &MOVE);
            (void)add_deed(ids[i], &FLAG);
        }
        /* When the flags of half of them have fallen: the moment itself is what counts. */
        int64_t wait_ms = (monotonic_ms() - begun_ms) / 2 + TIME_MS - (monotonic_ms() - begun_ms);
        const struct timespec wait = {.tv_nsec = wait_ms > 0 ? wait_ms * 1000000 : 0};
        (void)nanosleep(&wait, NULL);
        send_shots();
        read_answers();
        moved += count_status(201);
        for (size_t i = 0; i < GAMES; i++)
            assert_flag_or_move(ids[i], &shots[3 * i]);
    }
    print_message("%zu of %d moves came in time\n", moved, ROUNDS / 4 * GAMES);
}

/* Each offer and each answer to one asks anew who may watch, while others begin to. */
static void whoever_asks_for_events_meets_who_makes_them(void **state)
{
    static const struct deed MET[] = {
        {"GET", "/events.json?after=1", ""}, {"POST", "/draw/offer", ""}, {"POST", "/draw/decline", ""}};
    (void)state;
    create_game("{\"moves\":[\"e4\",\"e5\"]}", duels->id);
    for (int round = 0; round < ROUNDS; round++) {
        for (shot_count = 0; shot_count < 3 * GAMES;)
            (void)add_deed(duels->id, &MET[shot_count % 3]);
        fire(); /* which fails where the daemon ends */
    }
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

static int set_up(void **state)
{
    struct rlimit limit;
    random_state = chance_seed();
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_max < DESCRIPTORS)
        return -1;
    limit.rlim_cur = limit.rlim_max;
    const char *const arguments[] = {"--threads", "4", "--log-level", "warn", NULL};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0 || daemon_set_up(state) != 0 ||
        !daemon_process_run(&daemon_process, arguments))
        return -1;
    for (size_t i = 0; i < CLIENTS; i++)
        if (!http_client_open(&shots[i].client, "127.0.0.1", daemon_process.port))
            return -1;
    return http_client_open(&daemon_client, "127.0.0.1", daemon_process.port) ? 0 : -1;
}

static int tear_down(void **state)
{
    for (size_t i = 0; i < CLIENTS; i++) {
        http_reply_finish(&shots[i].reply);
        http_client_close(&shots[i].client);
    }
    return daemon_tear_down_running(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_all_who_name_the_ply_one_plays_it),
        cmocka_unit_test(of_all_who_name_the_version_one_plays),
        cmocka_unit_test(of_all_who_name_nothing_one_plays),
        cmocka_unit_test(with_one_key_all_are_told_of_the_same_game),
        cmocka_unit_test(a_move_meets_a_flag_that_falls),
        cmocka_unit_test(whoever_asks_for_events_meets_who_makes_them),
        cmocka_unit_test(whatever_meets_a_game_at_one_moment_leaves_what_its_log_says),
    };
    return cmocka_run_group_tests_name("the daemon: races", tests, set_up, tear_down);
}
