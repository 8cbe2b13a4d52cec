/* The real daemon and a hundred clients that send byte by byte, stop in the middle, or do not read what they asked for: each
 * is cut at its deadline, others are served meanwhile, and afterwards no descriptor and no memory is kept.
 *
 * SLOW_ROUNDS: how often they all come. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <cmocka.h>

#include "tests/http/health.h"
#include "tests/support/daemon_fixture.h"

enum {
    DEADLINE_MS = 1000, /* of a request, and of a connection without one */
    LOOK_MS = 250,      /* the daemon looks for passed deadlines so often */
    LATE_MS = 2000,     /* and may be so late on a busy machine */
    CLIENTS = 100,
    DRIP_MS = 20,
    USUAL_ROUNDS = 2,
    ROOM_KIB = 4096, /* what the allocator may keep of a hundred connections and their bodies */
};

#define HOST "Host: localhost\r\n"
#define POST "POST /v1/games HTTP/1.1\r\n" HOST "Content-Type: application/json\r\n"

/* Sent at once, then byte by byte; the client reads nothing where `is_deaf`. */
struct manner {
    const char *label, *at_once, *dripped;
    bool is_deaf;
};

static char long_chunk[20000];

static const struct manner MANNERS[] = {
    {"silent", "", "", false},
    {"a request line byte by byte", "",
     "GET /v1?q=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    {"fields byte by byte", "GET /v1 HTTP/1.1\r\n",
     HOST "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false},
    {"empty lines", "",
     "\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r\n\r"
     "\n",
     false},
    {"a body byte by byte", POST "Content-Length: 9999\r\n\r\n",
     "{\"white\":                                             ", false},
    {"chunks byte by byte", POST "Transfer-Encoding: chunked\r\n\r\n",
     "1\r\n{\r\n1\r\n \r\n1\r\n \r\n1\r\n \r\n1\r\n \r\n1\r\n \r\n", false},
    {"a body that stops", POST "Content-Length: 60000\r\n\r\n{", "", false},
    {"a chunk without an end", POST "Transfer-Encoding: chunked\r\n\r\nffff\r\n{", "", false},
    {"a chunk's line that fills the buffer", long_chunk, "", false},
    {"answers that nobody reads", NULL, "", true},
};

enum { MANNER_COUNT = sizeof MANNERS / sizeof MANNERS[0] };

struct slow {
    struct http_client client;
    const struct manner *manner;
    size_t dripped;
    int64_t begun_ms;
    bool is_cut;
};

static struct slow slows[CLIENTS];

/* ---- clients ----------------------------------------------------------------------------------------------- */

/* Asks until the daemon takes no more, since its answers find no reader. */
static void ask_without_reading(const struct http_client *client)
{
    static const char REQUEST[] = "GET /openapi.json HTTP/1.1\r\n" HOST "\r\n";
    for (unsigned i = 0; i < 100; i++)
        if (send(client->fd, REQUEST, sizeof REQUEST - 1, MSG_NOSIGNAL | MSG_DONTWAIT) < 0)
            return;
}

static void begin(struct slow *slow, const struct manner *manner)
{
    *slow = (struct slow){.manner = manner, .begun_ms = health_now_ms()};
    assert_true(http_client_open(&slow->client, "127.0.0.1", daemon_process.port));
    if (manner->is_deaf)
        ask_without_reading(&slow->client);
    else
        assert_true(http_client_send_text(&slow->client, manner->at_once));
}

static void drip(struct slow *slow)
{
    const char *byte = slow->manner->dripped + slow->dripped;
    if (*byte && send(slow->client.fd, byte, 1, MSG_NOSIGNAL | MSG_DONTWAIT) == 1)
        slow->dripped++;
}

/* The server has ended it. */
static bool has_ended(const struct slow *slow)
{
    char bytes[4096];
    ssize_t got = recv(slow->client.fd, bytes, sizeof bytes, MSG_DONTWAIT);
    if (got > 0)
        fail_msg("%s: answered: %.*s", slow->manner->label, (int)got, bytes);
    return got == 0 || errno == ECONNRESET;
}

static void look_at(struct slow *slow)
{
    int64_t age_ms = health_now_ms() - slow->begun_ms;
    slow->is_cut = has_ended(slow);
    if (slow->is_cut && age_ms < DEADLINE_MS / 3)
        fail_msg("%s: cut after %lld ms", slow->manner->label, (long long)age_ms);
    if (!slow->is_cut && age_ms > 2 * (DEADLINE_MS + LOOK_MS) + LATE_MS)
        fail_msg("%s: still here after %lld ms", slow->manner->label, (long long)age_ms);
    if (slow->is_cut)
        http_client_close(&slow->client);
}

/* One step of all that can see their end. How many are left. */
static unsigned step_all(void)
{
    unsigned left = 0;
    for (unsigned i = 0; i < CLIENTS; i++) {
        struct slow *slow = &slows[i];
        if (slow->is_cut || slow->manner->is_deaf)
            continue;
        drip(slow);
        look_at(slow);
        left += !slow->is_cut;
    }
    return left;
}

/* Those who do not read do not see the end either: that they are cut is told by the descriptors of the daemon. */
static void run_all(unsigned descriptors)
{
    const struct timespec moment = {.tv_nsec = DRIP_MS * 1000000L};
    for (unsigned i = 0; i < CLIENTS; i++)
        begin(&slows[i], &MANNERS[i % MANNER_COUNT]);
    while (step_all()) {
        health_assert("slow clients");
        (void)nanosleep(&moment, NULL); /* the slowness itself */
    }
    health_wait_descriptors(descriptors);
    for (unsigned i = 0; i < CLIENTS; i++)
        http_client_close(&slows[i].client);
}

/* ---- tests ------------------------------------------------------------------------------------------------- */

static void slow_clients_are_cut_while_others_are_served(void **state)
{
    (void)state;
    const char *given = getenv("SLOW_ROUNDS");
    long rounds = given ? strtol(given, NULL, 10) : USUAL_ROUNDS, first_kib = 0;
    health_assert("the start");
    const unsigned descriptors = health_descriptors();
    for (long i = 0; i < rounds; i++) {
        run_all(descriptors);
        if (i == 0)
            first_kib = health_resident_kib();
    }
    long last_kib = health_resident_kib();
    print_message(
        "%ld rounds of %d: %ld KiB after the first, %ld KiB after the last, health at most %lld ms\n", rounds,
        CLIENTS, first_kib, last_kib, (long long)health_longest_ms());
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_true(last_kib <= first_kib + ROOM_KIB);
#endif
}

static int set_up(void **state)
{
    static const char BEGINNING[] = POST "Transfer-Encoding: chunked\r\n\r\n1;a=";
    static const char *const ARGUMENTS[] = {"--limit-request-ms", "1000", "--idle-timeout", "1s", NULL};
    memset(long_chunk, 'x', sizeof long_chunk - 1);
    memcpy(long_chunk, BEGINNING, sizeof BEGINNING - 1);
    return daemon_set_up(state) == 0 && daemon_process_run(&daemon_process, ARGUMENTS) ? 0 : -1;
}

static int tear_down(void **state)
{
    health_end();
    return daemon_tear_down_running(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_clients_are_cut_while_others_are_served),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
