/* A disk that fails: for every call that touches it, in every way. A short script is run against a daemon whose nth call
 * fails, once or from then on: it answers what it can, says 503 to the rest, never dies, is well again once the disk is,
 * and has all that it acknowledged after the next start.
 *
 * TORTURE_STRIDE 1 takes every n; without it some are taken, others each time. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/torture/load.h"
#include "tests/torture/scene.h"

#define STORE "arbiter.db"

enum { USUAL_STRIDE = 97, STRIDE_UNDER_SANITIZER = 331, RECOVERY_MS = 10000 };

static struct load load;
static struct load_client *const client = &load.clients[0];
static const char *label; /* what fails just now */
static struct {
    unsigned runs, unstarted, refused, acknowledged, met;
} sum;

/* ---- the script ---- */

static void assert_answered(bool answered)
{
    if (!answered) {
        http_client_close(&client->http);
        fail_msg("%s: the daemon is gone (%d)", label, daemon_process_wait(&daemon_process));
    }
    if (*client->fault)
        fail_msg("%s: %s", label, client->fault);
}

/* Reads go on, and show what was acknowledged. */
static void assert_all_there(void)
{
    const char *wrong = ledger_check(&client->ledger, &client->http);
    if (wrong)
        fail_msg("%s: %s", label, wrong);
}

static struct ledger_game *new_game(const char *body, bool keyed)
{
    size_t before = client->ledger.game_count;
    assert_answered(load_make(client, body, keyed));
    return client->ledger.game_count > before ? &client->ledger.games[before] : NULL;
}

static void run_script(void)
{
    static const struct load_call CALLS[] = {
        {.method = "POST", .rest = "/moves", .body = "{\"move\":\"e4\"}"},
        {.method = "POST", .rest = "/moves", .body = "{\"move\":\"e5\"}", .keyed = true},
        {.method = "PATCH", .rest = "", .body = "{\"metadata\":{\"round\":1}}"},
        {.method = "POST", .rest = "/undo", .body = "{}"},
        {.method = "POST", .rest = "/resign", .body = "{}"},
    };
    struct ledger_game *const games[] = {new_game("{}", false), new_game("{}", true)};
    for (size_t i = 0; i < sizeof CALLS / sizeof CALLS[0]; i++) {
        for (size_t g = 0; g < 2; g++)
            if (games[g])
                assert_answered(load_act(client, games[g], &CALLS[i]));
        assert_all_there();
    }
    const struct load_call deletion = {.method = "DELETE", .rest = ""};
    if (games[1])
        assert_answered(load_act(client, games[1], &deletion));
    assert_all_there();
}

/* ---- the daemon around it ---- */

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static void assert_recovers(void)
{
    int64_t end_ms = now_ms() + RECOVERY_MS;
    while (scene_ask("GET", "/readyz", NULL) != 200 || scene_ask("POST", "/v1/games", "{}") != 201)
        if (now_ms() > end_ms)
            fail_msg("%s: the disk is well again, and the daemon is not", label);
}

static void open_client(void)
{
    assert_true(http_client_open(&client->http, "127.0.0.1", daemon_process.port));
}

/* Start, script, stop. */
static void run_on_failing_disk(const struct fault *fault, bool heals)
{
    int code = 0;
    scene_remove(STORE);
    load_begin(&load, 1);
    faults_arm(fault);
    if (!scene_try_start(STORE, &code)) {
        if (code != 1)
            fail_msg("%s: a start that fails is exit code 1, not %d", label, code);
        sum.unstarted++;
        return;
    }
    open_client();
    run_script();
    if (heals)
        faults_heal();
    if (heals || fault->last == fault->first)
        assert_recovers();
    http_client_close(&client->http);
    code = daemon_process_stop(&daemon_process);
    if (code != 0)
        fail_msg("%s: it ended with %d", label, code);
}

/* Where a write reached the log and its sync failed, nothing is acknowledged and the write is taken back with the first
 * thing that the disk takes. A disk that takes nothing until the daemon ends leaves it to the next start. */
static void allow_for_what_could_not_be_taken_back(void)
{
    for (size_t i = 0; load.unavailable && i < client->ledger.game_count; i++)
        if (!client->ledger.games[i].deleted)
            ledger_begin(&client->ledger.games[i], LEDGER_EITHER);
}

static void assert_next_start_has_it(void)
{
    faults_heal();
    scene_start(STORE);
    open_client();
    assert_all_there();
    http_client_close(&client->http);
    scene_assert_whole(STORE);
    scene_stop();
    sum.runs++;
    sum.refused += load.unavailable;
    sum.acknowledged += load.acknowledged;
    load_end(&load);
}

static void run_fault(const struct fault *fault, bool heals)
{
    run_on_failing_disk(fault, heals);
    sum.met += faults_met();
    if (fault->last != fault->first && !heals)
        allow_for_what_could_not_be_taken_back();
    assert_next_start_has_it();
}

static unsigned stride(void)
{
    bool small = getenv("TEST_POSITIONS") != NULL; /* under a sanitizer */
    return scene_number("TORTURE_STRIDE", small ? STRIDE_UNDER_SANITIZER : USUAL_STRIDE);
}

/* One of the first calls, another each time, that comes whatever a run does in the meantime. */
static uint32_t first_of(uint32_t calls)
{
    uint32_t certain = calls - calls / 8;
    return 1 + (uint32_t)time(NULL) % (stride() < certain ? stride() : certain);
}

static void every_call_fails(enum fault_kind kind, const char *name)
{
    static char text[128];
    label = name;
    const struct fault none = {.kind = kind};
    run_on_failing_disk(&none, false);
    uint32_t calls = faults_calls();
    assert_next_start_has_it();
    assert_int_equal(load.unavailable, 0);
    assert_true(calls > 50);
    unsigned met = sum.met;
    for (uint32_t n = first_of(calls); n <= calls; n += stride()) {
        const struct fault once = {.kind = kind, .first = n, .last = n};
        const struct fault on = {.kind = kind, .first = n, .last = UINT32_MAX};
        (void)snprintf(text, sizeof text, "%s at call %u of %u", name, n, calls);
        label = text;
        run_fault(&once, false);
        (void)snprintf(text, sizeof text, "%s from call %u of %u on", name, n, calls);
        run_fault(&on, n % 2 == 0);
    }
    assert_true(sum.met > met);
}

static void no_call_to_the_disk_can_do_harm(void **state)
{
    (void)state;
    every_call_fails(FAULT_EIO, "EIO");
    every_call_fails(FAULT_ENOSPC, "ENOSPC");
    every_call_fails(FAULT_SHORT, "a short write");
    print_message("%u runs: %u actions acknowledged and none lost, %u refused by 503; %u starts failed\n",
                  sum.runs, sum.acknowledged, sum.refused, sum.unstarted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(no_call_to_the_disk_can_do_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
