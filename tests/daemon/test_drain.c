/* The real daemon ends while it has much to do, and another one takes its socket over: whoever has sent a request is
 * answered, and nobody is refused a connection.
 *
 * A client cannot know that a connection is about to be ended, so the daemon lingers for a moment where a request is likely
 * to be on its way (LINGER_MS in service/http_server.c). A request that came later than that may stay unanswered; a client
 * notes how long it took, and excuses no other.
 *
 * Asserts in threads would not be seen, so the threads note what went wrong, and the test fails after them.
 */
#include <netinet/in.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/monotonic.h"
#include "tests/support/daemon_fixture.h"
#include "tests/support/http_watch.h"

enum {
    CLIENTS = 12,
    STREAMS = 6,
    WARM = 200,     /* answers of all clients before something happens */
    PROMPT_MS = 90, /* a little less than the daemon lingers: its clock is coarse */
    SOON_MS = 5000,
    TEXT_SIZE = 256,
    QUEUE = 1024,
};

struct client {
    pthread_t thread;
    struct http_client connection;
    char game[16];
    unsigned number;
    unsigned played;       /* moves that were acknowledged */
    unsigned excused;      /* requests without an answer that came too late */
    int64_t longest_ms;    /* for an answer */
    char fault[TEXT_SIZE]; /* what must not happen; "": nothing has */
    int64_t opened_ms;     /* its connection, by ask_until_told_to_stop */
};

static struct client clients[CLIENTS];
static unsigned port;
static atomic_uint answers;
static atomic_bool over;

static bool faulty(struct client *client, const char *what, unsigned status)
{
    (void)snprintf(client->fault, sizeof client->fault, "%s (%u)", what, status);
    return false;
}

static bool plays(const struct client *client)
{
    return client->number % 2 == 0;
}

/* A reader is on a network that takes its time. */
static void come_from_afar(const struct client *client)
{
    const struct timespec way = {.tv_nsec = (long)client->number * 3000000};
    if (!plays(client))
        (void)nanosleep(&way, NULL);
}

/* Half of them play, each in a game of its own; the others read the same games. */
static void write_request(const struct client *client, const char *connection, char text[TEXT_SIZE])
{
    static const char *const MOVES[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    (void)snprintf(
        text, TEXT_SIZE,
        "%s /v1/games/%s%s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\nConnection: %s\r\nContent-Length: %d\r\n\r\n%s",
        plays(client) ? "POST" : "GET", client->game, plays(client) ? "/moves.txt" : "", port, connection,
        plays(client) ? 3 : 0, plays(client) ? MOVES[client->played % 4] : "");
}

/* False: it has not been answered as it should, or too late to be. */
static bool read_answer(struct client *client, int64_t since_ms, int64_t sent_ms, struct http_reply *reply)
{
    if (!http_client_read(&client->connection, false, reply)) {
        bool is_late = sent_ms - since_ms >= PROMPT_MS;
        client->excused += is_late;
        return is_late ? false : faulty(client, "no answer", 0);
    }
    int64_t took_ms = monotonic_ms() - sent_ms;
    client->longest_ms = took_ms > client->longest_ms ? took_ms : client->longest_ms;
    client->played += plays(client) && reply->status == 201;
    atomic_fetch_add(&answers, 1);
    return reply->status == (plays(client) ? 201 : 200) || faulty(client, "another answer", reply->status);
}

static bool says_close(const struct http_reply *reply)
{
    char value[16];
    return http_reply_field(reply, "Connection", value, sizeof value) && strcmp(value, "close") == 0;
}

/* ---- the end under load ----------------------------------------------------------------------------------------- */

/* One request after the other on one connection. */
static void *ask_until_told_to_stop(void *argument)
{
    struct client *client = argument;
    char text[TEXT_SIZE];
    bool goes_on = true;
    for (int64_t since_ms = client->opened_ms, sent_ms; goes_on; since_ms = sent_ms) {
        struct http_reply reply = {0};
        write_request(client, "keep-alive", text);
        come_from_afar(client);
        int64_t begun_ms = monotonic_ms();
        bool sent = http_client_send_text(&client->connection, text);
        sent_ms = begun_ms;
        goes_on = read_answer(client, since_ms, sent ? monotonic_ms() : INT64_MAX, &reply);
        if (goes_on && says_close(&reply)) {
            goes_on = false;
            if (!http_client_is_closed(&client->connection))
                (void)faulty(client, "the connection stays open", 0);
        }
        http_reply_finish(&reply);
    }
    return NULL;
}

static void create_game(struct client *client)
{
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "POST", "/v1/games.txt", NULL,
                                "{\"rules\":{\"fivefold\":false,\"seventyfive\":false}}", &daemon_reply));
    assert_int_equal(daemon_reply.status, 201);
    (void)snprintf(client->game, sizeof client->game, "%.12s", daemon_reply.body);
}

static void create_clients(void)
{
    atomic_store(&answers, 0);
    atomic_store(&over, false);
    assert_true(http_client_open(&daemon_client, "127.0.0.1", port));
    for (unsigned i = 0; i < CLIENTS; i++) {
        clients[i] = (struct client){.number = i, .connection = {.fd = -1}};
        create_game(&clients[i]);
    }
    http_client_close(&daemon_client);
}

static void start_clients(void *(*run)(void *))
{
    for (unsigned i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&clients[i].thread, NULL, run, &clients[i]), 0);
}

/* Until so many answers have come. */
static void await_answers(unsigned wanted)
{
    const struct timespec look = {.tv_nsec = 2000000};
    int64_t until_ms = monotonic_ms() + HTTP_CLIENT_TIMEOUT_S * 1000;
    while (atomic_load(&answers) < wanted && monotonic_ms() < until_ms)
        (void)nanosleep(&look, NULL);
    assert_true(atomic_load(&answers) >= wanted);
}

static void end_clients(void)
{
    unsigned excused = 0;
    int64_t longest_ms = 0;
    for (unsigned i = 0; i < CLIENTS; i++) {
        assert_int_equal(pthread_join(clients[i].thread, NULL), 0);
        http_client_close(&clients[i].connection);
        excused += clients[i].excused;
        longest_ms = clients[i].longest_ms > longest_ms ? clients[i].longest_ms : longest_ms;
    }
    print_message("%u answers, the slowest after %lld ms; %u requests came too late\n", atomic_load(&answers),
                  (long long)longest_ms, excused);
    for (unsigned i = 0; i < CLIENTS; i++)
        if (*clients[i].fault)
            fail_msg("client %u: %s", i, clients[i].fault);
}

/* What was acknowledged, and no more. */
static void assert_games_are_as_told(void)
{
    assert_true(http_client_open(&daemon_client, "127.0.0.1", port));
    for (unsigned i = 0; i < CLIENTS; i++) {
        char target[TEXT_SIZE], exactly[32], one_more[32];
        (void)snprintf(target, sizeof target, "/v1/games/%s/status", clients[i].game);
        (void)snprintf(exactly, sizeof exactly, "\"version\":%u,", clients[i].played + 1);
        (void)snprintf(one_more, sizeof one_more, "\"version\":%u,",
                       clients[i].played + 1 + clients[i].excused);
        http_reply_finish(&daemon_reply);
        assert_true(http_client_ask(&daemon_client, "GET", target, NULL, NULL, &daemon_reply));
        if (!strstr(daemon_reply.body, exactly) && !strstr(daemon_reply.body, one_more))
            fail_msg("%u moves were acknowledged: %s", clients[i].played, daemon_reply.body);
    }
    http_client_close(&daemon_client);
}

static void open_streams(struct http_watch streams[STREAMS])
{
    static const char *const FORMS[] = {"/events", "/events.ndjson", "/events.json?wait=60&after=100000"};
    for (unsigned i = 0; i < STREAMS; i++) {
        char target[TEXT_SIZE];
        (void)snprintf(target, sizeof target, "/v1/games/%s%s", clients[i].game, FORMS[i % 3]);
        assert_true(http_watch_open(&streams[i], port, target, NULL));
        assert_int_equal(streams[i].status, 200);
    }
}

static void assert_streams_end_well(struct http_watch streams[STREAMS])
{
    for (unsigned i = 0; i < STREAMS; i++) {
        const char *rest = http_watch_rest(&streams[i]);
        assert_non_null(rest);
        if (i % 3 == 0) {
            assert_int_equal(strncmp(rest, "retry: 2000\n\n", 13), 0);
            assert_non_null(strstr(rest, "\n\n: the service is shutting down\n\n"));
        }
        http_watch_close(&streams[i]);
    }
}

static void stop(struct daemon_process *process)
{
    int64_t begun_ms = monotonic_ms();
    assert_int_equal(daemon_process_stop(process), 0);
    assert_in_range(monotonic_ms() - begun_ms, 0, SOON_MS);
}

static void an_end_under_load_answers_whatever_was_sent(void **state)
{
    (void)state;
    static struct http_watch streams[STREAMS];
    const char *const quiet[] = {"--log-level", "warn", NULL};
    assert_true(daemon_process_run(&daemon_process, quiet));
    port = daemon_process.port;
    create_clients();
    open_streams(streams);
    for (unsigned i = 0; i < CLIENTS; i++) {
        clients[i].opened_ms = monotonic_ms();
        assert_true(http_client_open(&clients[i].connection, "127.0.0.1", port));
    }
    start_clients(ask_until_told_to_stop);
    await_answers(WARM);
    stop(&daemon_process);
    end_clients();
    assert_streams_end_well(streams);
    assert_true(daemon_process_run(&daemon_process, quiet));
    port = daemon_process.port;
    assert_games_are_as_told();
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* ---- one socket, one daemon after the other ------------------------------------------------------------------------ */

/* Each request on a connection of its own. */
static void *come_and_go(void *argument)
{
    struct client *client = argument;
    char text[TEXT_SIZE];
    while (!atomic_load(&over) && !*client->fault) {
        struct http_reply reply = {0};
        int64_t since_ms = monotonic_ms();
        write_request(client, "close", text);
        if (!http_client_open(&client->connection, "127.0.0.1", port)) {
            (void)faulty(client, "refused", 0);
            break;
        }
        come_from_afar(client);
        bool sent = http_client_send_text(&client->connection, text);
        (void)read_answer(client, since_ms, sent ? monotonic_ms() : INT64_MAX, &reply);
        http_reply_finish(&reply);
        http_client_close(&client->connection);
    }
    return NULL;
}

static int listen_on_a_free_port(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    assert_int_equal(listen(fd, QUEUE), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *)&address, &size), 0);
    port = ntohs(address.sin_port);
    return fd;
}

static void start_on(struct daemon_process *process, int fd, const char *folder, const char *drain_timeout)
{
    char database[DAEMON_PATH_SIZE + 64];
    (void)snprintf(database, sizeof database, "sqlite:%s/arbiter.db", folder);
    const char *const arguments[] = {"--db", database, "--drain-timeout", drain_timeout, "--log-level",
                                     "warn", NULL};
    process->handed_over = fd;
    assert_true(daemon_process_start(process, arguments));
}

static void await_waiting(struct daemon_process *process)
{
    char line[DAEMON_LINE_SIZE];
    assert_true(daemon_process_wait_line(process, "another arbiterd has the store", line));
}

static void a_daemon_takes_a_socket_over_while_clients_come(void **state)
{
    (void)state;
    enum { ROUNDS = 4 };
    struct daemon_process daemons[2] = {{.output = -1}, {.output = -1}};
    int fd = listen_on_a_free_port();
    start_on(&daemons[0], fd, daemon_process.folder, "10s");
    assert_true(daemon_process_wait_ready(&daemons[0]));
    create_clients();
    start_clients(come_and_go);
    for (unsigned round = 0; round < ROUNDS; round++) {
        struct daemon_process *first = &daemons[round % 2], *second = &daemons[(round + 1) % 2];
        bool is_there_before = round % 2 == 0; /* else as a service manager does it: one after the other */
        await_answers((round + 1) * WARM);
        if (is_there_before) {
            start_on(second, fd, daemon_process.folder, "10s");
            await_waiting(second);
        }
        stop(first);
        if (!is_there_before)
            start_on(second, fd, daemon_process.folder, "10s");
        assert_true(daemon_process_wait_ready(second));
    }
    await_answers((ROUNDS + 1) * WARM);
    atomic_store(&over, true);
    end_clients();
    assert_games_are_as_told();
    stop(&daemons[ROUNDS % 2]);
    daemon_process_finish(&daemons[0]);
    daemon_process_finish(&daemons[1]);
    (void)close(fd);
}

/* It holds a store as long as the tests run. */
static struct daemon_process holder = {.output = -1};
static struct daemon_process patient = {.output = -1};
static int waiting_socket;

static void whoever_waits_for_a_store_ends_when_told(void **state)
{
    (void)state;
    struct daemon_process waiting = {.output = -1};
    char line[DAEMON_LINE_SIZE];
    start_on(&waiting, waiting_socket, holder.folder, "1h");
    await_waiting(&waiting);
    daemon_process_signal(&waiting, SIGTERM);
    assert_true(daemon_process_wait_line(&waiting, "is in use by another arbiterd", line));
    assert_int_equal(daemon_process_wait(&waiting), 128 + SIGTERM);
    daemon_process_finish(&waiting);
}

static void whoever_waits_for_a_store_gives_up_in_time(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    await_waiting(&patient);
    assert_true(daemon_process_wait_line(&patient, "is in use by another arbiterd", line));
    assert_int_equal(daemon_process_wait(&patient), 4);
}

/* The patient one waits while the other tests run. */
static int set_up(void **state)
{
    (void)state;
    if (!daemon_process_run(&holder, NULL))
        return -1;
    waiting_socket = listen_on_a_free_port();
    start_on(&patient, waiting_socket, holder.folder, "1ms");
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    int code = daemon_process_stop(&holder);
    daemon_process_finish(&holder);
    daemon_process_finish(&patient);
    (void)close(waiting_socket);
    return code;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(an_end_under_load_answers_whatever_was_sent),
        DAEMON_TEST(a_daemon_takes_a_socket_over_while_clients_come),
        DAEMON_TEST(whoever_waits_for_a_store_ends_when_told),
        DAEMON_TEST(whoever_waits_for_a_store_gives_up_in_time),
    };
    return cmocka_run_group_tests_name("the daemon: its end, and the next one", tests, set_up, tear_down);
}
