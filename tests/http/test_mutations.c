/* The real daemon and requests that were good before something happened to them: changed, doubled, cut, in pieces, many in
 * a row. None is answered with a 5xx, none twice or as another, those that nothing happened to are answered as ever, and
 * neither descriptors nor memory are kept.
 *
 * HTTP_MUTATIONS: how many; HTTP_SEED: makes the same changes again (the seed is printed). */
#include <errno.h>
#include <poll.h>
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
#include "tests/http/mutate.h"
#include "tests/http/valid.h"
#include "tests/http/wire.h"
#include "tests/support/daemon_fixture.h"

enum {
    SLOTS = 64,
    USUAL_MUTATIONS = 1500,
    IN_A_ROW_MAX = 4,
    CHANGES_MAX = 3,
    RENEWED_EVERY = 200,
    ANSWERS_SIZE = 1 << 20,
    STREAM_MS = 700,     /* then the client of a stream of events leaves */
    ROOM_KIB = 16384,    /* for what a daemon makes at first; each connection has one more for its games */
    PATIENCE_MS = 15000, /* the daemon's own deadlines are much shorter */
};

/* A connection on which requests are on their way. */
struct slot {
    struct http_client client;
    unsigned number;
    unsigned requests; /* written */
    bool is_changed;   /* something happened to one of them */
    bool is_over;      /* all was sent, and the sending side ended */
    int64_t begun_ms;
    const char *changes[IN_A_ROW_MAX * CHANGES_MAX];
    size_t change_count, sent, received;
    struct mutate_text text;
    char answers[ANSWERS_SIZE];
};

static struct slot slots[SLOTS];
static struct valid_names names;
static struct mutate_random splits;
static uint64_t seed;
static struct {
    unsigned connections, requests, answers, unanswered, streams;
    unsigned statuses[6];
    unsigned twice, hidden, other_versions, long_chunks; /* what is known of the library */
} sum;

/* ---- making ------------------------------------------------------------------------------------------------ */

static void add_request(struct slot *slot, struct mutate_random *random)
{
    char bytes[VALID_SIZE], id[32];
    const struct valid_request *request =
        &valid_requests[mutate_below(random, (unsigned)valid_request_count)];
    (void)snprintf(id, sizeof id, "r%u.%u", slot->number, slot->requests++);
    size_t begin = slot->text.length, length = valid_write(request, &names, id, bytes);
    if (begin + length > MUTATE_TEXT_SIZE)
        return;
    memcpy(slot->text.bytes + begin, bytes, length);
    slot->text.length += length;
    if (!slot->is_changed)
        return;
    for (unsigned i = mutate_below(random, CHANGES_MAX + 1); i > 0; i--)
        slot->changes[slot->change_count++] = mutate(&slot->text, begin, random);
}

static void begin(struct slot *slot, unsigned number)
{
    struct mutate_random random = {seed + number * UINT64_C(0x100000001b3)};
    slot->number = number;
    slot->requests = 0;
    slot->is_over = false;
    slot->change_count = slot->sent = slot->received = slot->text.length = 0;
    slot->is_changed = mutate_below(&random, 16) != 0;
    unsigned in_a_row = mutate_below(&random, 2) ? 1 : 1 + mutate_below(&random, IN_A_ROW_MAX);
    for (unsigned i = 0; i < in_a_row; i++)
        add_request(slot, &random);
    slot->begun_ms = health_now_ms();
    assert_true(http_client_open(&slot->client, "127.0.0.1", daemon_process.port));
}

/* ---- judging ----------------------------------------------------------------------------------------------- */

static void print_bytes(const char *label, const char *bytes, size_t length)
{
    print_error("%s, %zu bytes: ", label, length);
    for (size_t i = 0; i < length && i < 6000; i++)
        if (bytes[i] >= ' ' && bytes[i] <= '~' && bytes[i] != '\\')
            print_error("%c", bytes[i]);
        else if (bytes[i] == '\n')
            print_error("\\n\n");
        else
            print_error("\\x%02x", (unsigned char)bytes[i]);
    print_error("\n");
}

static void complain(const struct slot *slot, const char *fault)
{
    print_error("HTTP_SEED=%llu, number %u:", (unsigned long long)seed, slot->number);
    for (size_t i = 0; i < slot->change_count; i++)
        print_error(" [%s]", slot->changes[i]);
    print_error("\n");
    print_bytes("sent", slot->text.bytes, slot->text.length);
    print_bytes("answered", slot->answers, slot->received);
    fail_msg("%s", fault);
}

/* No fault of the service: what the library is known to answer by itself. */
static bool is_known(const struct wire_request *request, const struct wire_answer *answer)
{
    if (answer->status == 505 && request->known & WIRE_OTHER_VERSION)
        return ++sum.other_versions;
    if (answer->status == 500 && request->known & WIRE_LONG_CHUNK && *answer->id == '\0')
        return ++sum.long_chunks;
    return false;
}

static bool is_sent_twice(const struct wire_request *request, const struct wire_answer *answer,
                          const char *bytes, size_t length)
{
    static const unsigned REFUSALS[] = {400, 413, 414, 431};
    bool refuses = false;
    for (size_t i = 0; i < sizeof REFUSALS / sizeof REFUSALS[0]; i++)
        refuses |= answer->status == REFUSALS[i];
    return request->known & WIRE_ANSWERS_TWICE && *answer->id == '\0' && refuses &&
           length >= 2 * answer->head_length &&
           memcmp(bytes, bytes + answer->head_length, answer->head_length) == 0;
}

/* Where the requests and the answers have been read to. */
struct reading {
    struct slot *slot;
    size_t requests, answers;
    unsigned count; /* of answers that are no 1xx */
    bool is_last;   /* nothing behind this request may be answered */
};

/* An answer of the service tells the id of the request that it answers. */
static void judge_id(const struct slot *slot, const struct wire_request *request,
                     const struct wire_answer *answer)
{
    if (*answer->id && *request->id && strcmp(answer->id, request->id) != 0)
        complain(slot, "the answer to another request");
    if (!*answer->id && !slot->is_changed)
        complain(slot, "an answer to a good request that is not the service's");
}

/* One final answer. False: there is none. */
static bool take_answer(struct reading *reading, const struct wire_request *request)
{
    struct slot *slot = reading->slot;
    struct wire_answer answer;
    enum wire_form form;
    do {
        const char *bytes = slot->answers + reading->answers;
        size_t left = slot->received - reading->answers;
        if (left == 0)
            return false;
        form = wire_read_answer(bytes, left, request->is_head, &answer);
        if (form != WIRE_FAULTY && is_sent_twice(request, &answer, bytes, left)) {
            sum.twice++;
            reading->answers += answer.head_length;
            bytes += answer.head_length;
            left -= answer.head_length;
        }
        if (answer.closes &&
            *answer.id == '\0') /* the library has not read the method, and sends a body to all */
            form = wire_read_answer(bytes, left, false, &answer);
        if (form == WIRE_FAULTY || answer.head_length == 0)
            complain(slot, "what came is no answer");
        reading->answers += form == WIRE_CUT ? left : answer.length;
    } while (answer.status < 200);
    if (answer.status >= 500 && !is_known(request, &answer))
        complain(slot, "a 5xx");
    if (form == WIRE_CUT && !request->may_stream && !slot->is_changed)
        complain(slot, "an answer was cut");
    judge_id(slot, request, &answer);
    reading->count++;
    sum.statuses[answer.status / 100 % 6]++;
    reading->is_last |= answer.closes || form == WIRE_CUT;
    return true;
}

static void judge(struct slot *slot)
{
    struct reading reading = {.slot = slot};
    struct wire_request request;
    while (!reading.is_last && reading.requests < slot->text.length) {
        enum wire_form form = wire_read_request(slot->text.bytes + reading.requests,
                                                slot->text.length - reading.requests, &request);
        reading.is_last = form != WIRE_WHOLE;
        reading.requests += request.length;
        if (!take_answer(&reading, &request))
            break;
        if (request.known & WIRE_ENDS_HEAD) { /* what follows is a request to the library: not counted */
            sum.hidden++;
            reading.answers = slot->received;
        }
    }
    if (reading.answers < slot->received)
        complain(slot, "an answer too many");
    if (!slot->is_changed && reading.count != slot->requests)
        complain(slot, "a good request has no answer");
    sum.connections++;
    sum.requests += slot->requests;
    sum.answers += reading.count;
    sum.unanswered += reading.count == 0;
}

/* ---- sending and receiving --------------------------------------------------------------------------------- */

static void end(struct slot *slot)
{
    const char *last = slot->change_count ? slot->changes[slot->change_count - 1] : "nothing";
    http_client_close(&slot->client);
    judge(slot);
    health_assert(last);
}

/* The next piece: a byte, a line, or all that there is. */
static void send_piece(struct slot *slot)
{
    static const unsigned MOST[] = {1, 20, 200, MUTATE_TEXT_SIZE};
    size_t left = slot->text.length - slot->sent;
    size_t piece = 1 + mutate_below(&splits, MOST[mutate_below(&splits, 4)]);
    if (left) {
        ssize_t sent = send(slot->client.fd, slot->text.bytes + slot->sent, piece < left ? piece : left,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent > 0)
            slot->sent += (size_t)sent;
        else if (sent < 0 && errno != EAGAIN)
            slot->sent = slot->text.length; /* refused, and closed */
    }
    if (slot->sent == slot->text.length) {
        http_client_half_close(&slot->client);
        slot->is_over = true;
    }
}

/* False: nothing more comes. */
static bool receive(struct slot *slot)
{
    assert_true(slot->received < ANSWERS_SIZE);
    ssize_t got =
        recv(slot->client.fd, slot->answers + slot->received, ANSWERS_SIZE - slot->received, MSG_DONTWAIT);
    if (got > 0)
        slot->received += (size_t)got;
    return got > 0 || (got < 0 && errno == EAGAIN);
}

/* Streams have no end; the client leaves. Anything else that stays is a fault. */
static bool is_left(const struct slot *slot)
{
    int64_t age_ms = health_now_ms() - slot->begun_ms;
    bool may_stream = memmem(slot->text.bytes, slot->text.length, "events", 6) != NULL;
    if (may_stream && age_ms > STREAM_MS)
        return ++sum.streams;
    if (age_ms > PATIENCE_MS)
        complain(slot, "the connection does not end");
    return false;
}

static void serve(struct slot *slot, short events)
{
    if (events & POLLOUT && !slot->is_over)
        send_piece(slot);
    if ((events & (POLLIN | POLLHUP | POLLERR) && !receive(slot)) || is_left(slot))
        end(slot);
}

static void renew(void)
{
    struct http_client client;
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(valid_renew(&names, &client));
    http_client_close(&client);
}

static void run(unsigned total)
{
    struct pollfd polled[SLOTS];
    unsigned begun = 0;
    for (;;) {
        unsigned open = 0;
        for (size_t i = 0; i < SLOTS; i++) {
            struct slot *slot = &slots[i];
            if (slot->client.fd < 0 && begun < total) {
                if (begun % RENEWED_EVERY == 0)
                    renew();
                begin(slot, begun++);
            }
            polled[i] = (struct pollfd){.fd = slot->client.fd,
                                        .events = (short)(POLLIN | (slot->is_over ? 0 : POLLOUT))};
            open += slot->client.fd >= 0;
        }
        if (open == 0)
            return;
        assert_true(poll(polled, SLOTS, 50) >= 0);
        for (size_t i = 0; i < SLOTS; i++)
            if (slots[i].client.fd >= 0)
                serve(&slots[i], polled[i].revents);
    }
}

/* ---- tests ------------------------------------------------------------------------------------------------- */

static unsigned long long number(const char *variable, unsigned long long usual)
{
    const char *text = getenv(variable);
    return text ? strtoull(text, NULL, 10) : usual;
}

static void every_operation_has_a_good_request(void **state)
{
    (void)state;
    static const char MARK[] = "\"operationId\":\"";
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_ask(&daemon_client, "GET", "/openapi.json", NULL, NULL, &daemon_reply));
    unsigned count = 0;
    for (const char *at = strstr(daemon_reply.body, MARK); at; at = strstr(at, MARK), count++) {
        at += sizeof MARK - 1;
        size_t length = strcspn(at, "\""), row = 0;
        while (row < valid_request_count && (strlen(valid_requests[row].operation) != length ||
                                             memcmp(valid_requests[row].operation, at, length) != 0))
            row++;
        if (row == valid_request_count)
            fail_msg("no request for %.*s", (int)length, at);
    }
    assert_true(count > 50);
}

static void changed_requests_are_answered_once_and_without_a_fault(void **state)
{
    (void)state;
    unsigned total = (unsigned)number("HTTP_MUTATIONS", USUAL_MUTATIONS);
    seed = number("HTTP_SEED", (unsigned long long)time(NULL));
    splits.state = seed;
    print_message("HTTP_SEED=%llu\n", (unsigned long long)seed);
    for (size_t i = 0; i < SLOTS; i++)
        slots[i].client.fd = -1;
    health_assert("the start");
    const unsigned descriptors = health_descriptors();
    const long before_kib = health_resident_kib();
    run(total);
    health_wait_descriptors(descriptors);
    health_wait_none_in_flight("mutations");
    const long grown_kib = health_resident_kib() - before_kib;
    print_message(
        "%u connections, %u requests, %u answers (2xx %u, 3xx %u, 4xx %u, 5xx %u), %u closed without one, "
        "%u streams left\n",
        sum.connections, sum.requests, sum.answers, sum.statuses[2], sum.statuses[3], sum.statuses[4],
        sum.statuses[5], sum.unanswered, sum.streams);
    print_message("%ld KiB more in memory; known of the library: %u heads twice, %u heads ended early, %u "
                  "other versions, %u long chunks; "
                  "health at most %lld ms, %u times late\n",
                  grown_kib, sum.twice, sum.hidden, sum.other_versions, sum.long_chunks,
                  (long long)health_longest_ms(), health_late());
    assert_int_equal(sum.connections, total);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_true(grown_kib < ROOM_KIB + (long)total);
#endif
    assert_true(sum.statuses[2] > total / 20 && sum.statuses[4] > total / 20);
}

static int set_up(void **state)
{
    static const char *const ARGUMENTS[] = {
        "--limit-request-ms", "2000", "--idle-timeout", "1s", "--log-level", "error", NULL};
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
        cmocka_unit_test(every_operation_has_a_good_request),
        cmocka_unit_test(changed_requests_are_answered_once_and_without_a_fault),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
