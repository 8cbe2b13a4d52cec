/* Requests that are sent again, and too many of them, with the real daemon: kill -9, many clients at once, limits of an
 * address, proxies. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/chance.h"
#include "tests/support/daemon_fixture.h"

enum { TARGET_SIZE = 96, FIELD_SIZE = 96, LINE_SIZE = 256, LOOKS_MAX = 20000 };

/* On the same store every time. */
static void start(const char *const *further)
{
    const char *arguments[16] = {"--listen", "127.0.0.1:0"};
    for (size_t count = 2; further && *further; count++)
        arguments[count] = *further++;
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
}

static void start_quietly(void)
{
    const char *const arguments[] = {"--log-level", "warn", NULL};
    start(arguments);
}

static void kill_hard(void)
{
    http_client_close(&daemon_client);
    daemon_process_signal(&daemon_process, SIGKILL);
    assert_int_equal(daemon_process_wait(&daemon_process), 128 + SIGKILL);
}

static unsigned ask(const char *method, const char *target, const char *fields, const char *body)
{
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, method, target, fields, body, &daemon_reply));
    return daemon_reply.status;
}

static const char *field(const char *name)
{
    static char values[4][FIELD_SIZE];
    static unsigned next;
    char *value = values[next++ % 4];
    if (!http_reply_field(&daemon_reply, name, value, FIELD_SIZE))
        *value = '\0';
    return value;
}

static bool is_replay(void)
{
    return strcmp(field("Idempotent-Replayed"), "true") == 0;
}

/* ---- the end of the process ------------------------------------------------------------------------------ */

static void an_answer_that_nobody_read_is_given_again_after_a_kill(void **state)
{
    (void)state;
    char id[16] = "", text[LINE_SIZE];
    start_quietly();
    struct http_client other = {.fd = -1};
    assert_true(http_client_open(&other, "127.0.0.1", daemon_process.port));
    (void)snprintf(text, sizeof text,
                   "POST /v1/games.txt HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nIdempotency-Key: once\r\n"
                   "Content-Length: 0\r\n\r\n",
                   daemon_process.port);
    assert_true(http_client_send_text(&other, text));
    /* Until the commit is there, whatever has become of the answer. */
    for (int looks = 0; !*id && looks < LOOKS_MAX; looks++) {
        assert_int_equal(ask("GET", "/v1/games", NULL, NULL), 200);
        const char *found = strstr(daemon_reply.body, "\"id\":\"");
        if (found)
            (void)sscanf(found, "\"id\":\"%12[a-z2-9]", id);
    }
    kill_hard();
    http_client_close(&other);
    start_quietly();
    assert_int_equal(ask("POST", "/v1/games.txt", "Idempotency-Key: once\r\n", ""), 201);
    assert_true(is_replay());
    assert_int_equal(daemon_reply.body_length, 13);
    assert_memory_equal(daemon_reply.body, id, 12);
    (void)snprintf(text, sizeof text, "/v1/games/%s", id);
    assert_string_equal(field("Location"), text);
    assert_int_equal(ask("GET", "/v1/games.txt", NULL, NULL), 200);
    assert_null(strchr(strchr(daemon_reply.body, '\n') + 1, '\n')); /* one line, one game */
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* A client that plays back and forth, each move with a key of its own, and says how far it has come. */
struct player {
    struct http_client client;
    char target[TARGET_SIZE];
    unsigned acknowledged; /* moves; guarded by `mutex` */
    unsigned replays;
    unsigned refused; /* the status of an answer that should not have come */
    bool gone;
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* False: the daemon is gone, or has refused. */
static bool play_next(struct player *player)
{
    static const char *const MOVES[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    char fields[FIELD_SIZE];
    struct http_reply answer = {0};
    unsigned ply = player->acknowledged + 1;
    (void)snprintf(fields, sizeof fields, "Idempotency-Key: move-%u\r\n", ply);
    if (!http_client_ask(&player->client, "POST", player->target, fields, MOVES[(ply - 1) % 4], &answer))
        return false;
    char value[8];
    bool played = answer.status == 201;
    pthread_mutex_lock(&mutex);
    player->acknowledged += played;
    player->replays += http_reply_field(&answer, "Idempotent-Replayed", value, sizeof value);
    player->refused = played ? 0 : answer.status;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    http_reply_finish(&answer);
    return played;
}

static void *play_until_gone(void *argument)
{
    struct player *player = argument;
    while (play_next(player))
        ;
    pthread_mutex_lock(&mutex);
    player->gone = true;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

static void play_and_kill(struct player *player, unsigned moves)
{
    pthread_t thread;
    unsigned before = player->acknowledged;
    player->gone = false;
    assert_true(http_client_open(&player->client, "127.0.0.1", daemon_process.port));
    assert_int_equal(pthread_create(&thread, NULL, play_until_gone, player), 0);
    pthread_mutex_lock(&mutex);
    while (player->acknowledged < before + moves && !player->gone)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    kill_hard();
    assert_int_equal(pthread_join(thread, NULL), 0);
    http_client_close(&player->client);
    assert_int_equal(player->refused, 0);
}

static void every_move_is_played_once_however_often_the_daemon_is_killed(void **state)
{
    (void)state;
    bool small = getenv("TEST_POSITIONS") != NULL; /* under a sanitizer */
    uint64_t chance = chance_seed();
    struct player player = {.client = {.fd = -1}};
    start_quietly();
    assert_int_equal(
        ask("POST", "/v1/games.txt", NULL, "{\"rules\":{\"fivefold\":false,\"seventyfive\":false}}"), 201);
    (void)snprintf(player.target, sizeof player.target, "/v1/games/%.12s/moves.txt", daemon_reply.body);
    for (int round = 0; round < (small ? 4 : 12); round++) {
        play_and_kill(&player, 1 + chance_below(&chance, small ? 10 : 60));
        start_quietly();
        /* The move on its way is sent again: whether it was played or not, it is now, once. */
        assert_true(http_client_open(&player.client, "127.0.0.1", daemon_process.port));
        assert_true(play_next(&player));
        http_client_close(&player.client);
        char target[TARGET_SIZE], wanted[32];
        (void)snprintf(target, sizeof target, "/v1/games/%.12s", player.target + sizeof "/v1/games/" - 1);
        (void)snprintf(wanted, sizeof wanted, "\"ply\":%u,", player.acknowledged);
        assert_int_equal(ask("GET", target, NULL, NULL), 200);
        if (!strstr(daemon_reply.body, wanted))
            fail_msg("not %s in %s", wanted, daemon_reply.body);
    }
    print_message("%u moves, %u of them told again\n", player.acknowledged, player.replays);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

enum { IMPORTED = 900, GAME_TEXT = 96 };

static size_t games_there(void)
{
    size_t count = 0;
    assert_int_equal(ask("GET", "/v1/games.txt?limit=1000", NULL, NULL), 200);
    for (const char *at = daemon_reply.body; (at = strchr(at, '\n')); at++)
        count++;
    return daemon_reply.body_length > 1 ? count : 0;
}

static void send_import(struct http_client *importer, const char *body)
{
    char head[LINE_SIZE];
    (void)snprintf(head, sizeof head,
                   "POST /v1/pgn/import HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nIdempotency-Key: file\r\n"
                   "Content-Type: application/vnd.chess-pgn\r\nContent-Length: %zu\r\n\r\n",
                   daemon_process.port, strlen(body));
    assert_true(http_client_send_text(importer, head));
    assert_true(http_client_send_text(importer, body));
}

static void an_import_that_is_killed_halfway_makes_each_game_once(void **state)
{
    (void)state;
    static char body[IMPORTED * GAME_TEXT];
    const char *const arguments[] = {"--log-level", "warn", "--limit-page-maximum", "1000", NULL};
    size_t length = 0;
    for (int i = 0; i < IMPORTED; i++)
        length += (size_t)snprintf(body + length, sizeof body - length,
                                   "[White \"P%d\"]\n\n1. e4 e5 2. Nf3 *\n\n", i);
    for (int round = 0; round < 2; round++) {
        struct http_client importer = {.fd = -1};
        start(arguments);
        size_t before = games_there();
        assert_true(http_client_open(&importer, "127.0.0.1", daemon_process.port));
        send_import(&importer, body);
        for (int looks = 0; before < IMPORTED && looks < LOOKS_MAX && games_there() == before; looks++)
            ;
        kill_hard();
        http_client_close(&importer);
    }
    struct http_client importer = {.fd = -1};
    struct http_reply answer = {0};
    start(arguments);
    print_message("%zu games before the last repeat\n", games_there());
    assert_true(http_client_open(&importer, "127.0.0.1", daemon_process.port));
    send_import(&importer, body);
    assert_true(http_client_read(&importer, false, &answer));
    assert_int_equal(answer.status, 200);
    assert_non_null(strstr(answer.body, "{\"done\":true,\"imported\":900,\"refused\":0}"));
    http_reply_finish(&answer);
    http_client_close(&importer);
    assert_int_equal(games_there(), IMPORTED);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* ---- many at once ----------------------------------------------------------------------------------------- */

struct sender {
    struct http_client client;
    unsigned status;
    bool replay;
};

static void *send_move(void *argument)
{
    struct sender *sender = argument;
    struct http_reply answer = {0};
    char target[TARGET_SIZE], value[8];
    (void)snprintf(target, sizeof target, "/v1/games/%.12s/moves", daemon_reply.body);
    if (http_client_ask(&sender->client, "POST", target, "Idempotency-Key: same\r\n", "e4", &answer)) {
        sender->status = answer.status;
        sender->replay = http_reply_field(&answer, "Idempotent-Replayed", value, sizeof value);
    }
    http_reply_finish(&answer);
    return NULL;
}

static void of_a_hundred_clients_one_moves_and_the_others_are_told(void **state)
{
    (void)state;
    enum { CLIENTS = 100 };
    static struct sender senders[CLIENTS];
    pthread_t threads[CLIENTS];
    unsigned moved = 0;
    start_quietly();
    assert_int_equal(ask("POST", "/v1/games.txt", NULL, ""), 201);
    for (size_t i = 0; i < CLIENTS; i++) {
        senders[i] = (struct sender){.client = {.fd = -1}};
        assert_true(http_client_open(&senders[i].client, "127.0.0.1", daemon_process.port));
    }
    for (size_t i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, send_move, &senders[i]), 0);
    for (size_t i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (size_t i = 0; i < CLIENTS; i++) {
        http_client_close(&senders[i].client);
        if (senders[i].status != 409)
            assert_int_equal(senders[i].status, 201);
        moved += senders[i].status == 201 && !senders[i].replay;
    }
    assert_int_equal(moved, 1);
    char target[TARGET_SIZE];
    (void)snprintf(target, sizeof target, "/v1/games/%.12s/status", daemon_reply.body);
    assert_int_equal(ask("GET", target, NULL, NULL), 200);
    assert_non_null(strstr(daemon_reply.body, "\"version\":2"));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* ---- limits ----------------------------------------------------------------------------------------------- */

static void nothing_is_limited_over_loopback_by_default(void **state)
{
    (void)state;
    const char *const arguments[] = {"--limit-rate-reads", "1", NULL};
    start(arguments);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(ask("GET", "/version", "X-Forwarded-For: 192.0.2.1\r\n", NULL), 200);
        assert_string_equal(field("RateLimit"), "");
    }
    assert_int_equal(ask("GET", "/v1/limits.txt", NULL, NULL), 200);
    assert_non_null(strstr(daemon_reply.body, "rate_reads"));
    assert_non_null(strstr(daemon_reply.body, "idempotency_ms"));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void an_address_that_asks_too_often_is_told_to_wait(void **state)
{
    (void)state;
    const char *const arguments[] = {"--rate-limits", "on", "--limit-rate-reads", "2", NULL};
    start(arguments);
    assert_int_equal(ask("GET", "/version", NULL, NULL), 200);
    assert_string_equal(field("RateLimit-Policy"), "\"reads\";q=2;w=60");
    assert_string_equal(field("RateLimit"), "\"reads\";r=1;t=30");
    assert_int_equal(ask("GET", "/version", NULL, NULL), 200);
    assert_int_equal(ask("GET", "/version", NULL, NULL), 429);
    assert_string_equal(field("RateLimit-Policy"), "\"reads\";q=2;w=60");
    assert_int_equal(strncmp(field("RateLimit"), "\"reads\";r=0;t=", 14), 0);
    int wait_s = atoi(field("Retry-After"));
    assert_in_range(wait_s, 1, 30);
    assert_non_null(strstr(daemon_reply.body, "\"code\":\"rate-limited\""));
    assert_int_equal(ask("GET", "/healthz", NULL, NULL), 200);
    assert_int_equal(ask("POST", "/v1/games", NULL, ""), 201); /* a bucket of its own */
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void assert_logged_client(const char *wanted)
{
    char line[DAEMON_LINE_SIZE];
    assert_true(daemon_process_wait_line(&daemon_process, "\"route\":\"/version\"", line));
    if (!strstr(line, wanted))
        fail_msg("not %s in %s", wanted, line);
}

static void a_trusted_proxy_names_the_client_that_is_limited_and_logged(void **state)
{
    (void)state;
    const char *const arguments[] = {
        "--trusted-proxy", "127.0.0.0/8", "--trusted-proxy", "10.0.0.0/8", "--limit-rate-reads", "1", NULL};
    start(arguments);
    /* Two fields of a name are one list; the invention of the client stands first. */
    assert_int_equal(ask("GET", "/version",
                         "X-Forwarded-For: 203.0.113.9\r\nX-Forwarded-For: 192.0.2.1, 10.1.1.1\r\n", NULL),
                     200);
    assert_logged_client("\"client\":\"192.0.2.1\"");
    assert_int_equal(ask("GET", "/version", "Forwarded: for=192.0.2.1\r\n", NULL), 429);
    assert_logged_client("\"client\":\"192.0.2.1\"");
    assert_int_equal(ask("GET", "/version", "Forwarded: for=\"[2001:db8::1]:4711\"\r\n", NULL), 200);
    assert_logged_client("\"client\":\"2001:db8::1\"");
    assert_int_equal(ask("GET", "/version", "Forwarded: for=\"[2001:db8::ffff]\"\r\n", NULL),
                     429); /* one /64 */
    assert_logged_client("\"client\":\"2001:db8::ffff\"");
    assert_int_equal(ask("GET", "/version", "Forwarded: for=\"\r\n", NULL), 200); /* malformed: the peer */
    assert_logged_client("\"client\":\"127.0.0.1\"");
    assert_int_equal(ask("GET", "/version", NULL, NULL),
                     429); /* who is limited, as anybody may be behind a proxy */
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void whoever_is_not_trusted_names_nobody(void **state)
{
    (void)state;
    const char *const arguments[] = {
        "--trusted-proxy", "10.0.0.0/8", "--rate-limits", "on", "--limit-rate-reads", "1", NULL};
    start(arguments);
    assert_int_equal(ask("GET", "/version", "X-Forwarded-For: 192.0.2.1\r\n", NULL), 200);
    assert_logged_client("\"client\":\"127.0.0.1\"");
    assert_int_equal(ask("GET", "/version", "X-Forwarded-For: 192.0.2.2\r\n", NULL), 429);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void settings_that_name_no_network_are_refused(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    const char *const arguments[] = {"--trusted-proxy", "10.0.0.0/40", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_line(&daemon_process, "--trusted-proxy", line));
    assert_non_null(strstr(line, "ADDRESS/BITS"));
    assert_int_equal(daemon_process_wait(&daemon_process), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(an_answer_that_nobody_read_is_given_again_after_a_kill),
        DAEMON_TEST(every_move_is_played_once_however_often_the_daemon_is_killed),
        DAEMON_TEST(an_import_that_is_killed_halfway_makes_each_game_once),
        DAEMON_TEST(of_a_hundred_clients_one_moves_and_the_others_are_told),
        DAEMON_TEST(nothing_is_limited_over_loopback_by_default),
        DAEMON_TEST(an_address_that_asks_too_often_is_told_to_wait),
        DAEMON_TEST(a_trusted_proxy_names_the_client_that_is_limited_and_logged),
        DAEMON_TEST(whoever_is_not_trusted_names_nobody),
        DAEMON_TEST(settings_that_name_no_network_are_refused),
    };
    return cmocka_run_group_tests_name("the daemon: retries and limits", tests, NULL, NULL);
}
