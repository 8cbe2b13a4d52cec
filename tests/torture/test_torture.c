/* kill -9 or a power cut at any moment: what was acknowledged is there after the restart, and the games go on.
 *
 * A round does something to a store and kills the daemon meanwhile: by a signal from outside at a random number of
 * acknowledged actions, or in the middle of a call that writes (faults.h), which hits a checkpoint or a start as surely
 * as one wants; one time in two with the loss of all that was not synced. Then it is started again and held against all
 * that it has acknowledged; SQLite checks the file.
 * TORTURE_ROUNDS is their number; the seed is printed, TEST_SEED repeats it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/chance.h"
#include "tests/support/daemon_shell.h"
#include "tests/support/storage_sql.h"
#include "tests/torture/load.h"
#include "tests/torture/old_store.h"
#include "tests/torture/scene.h"

#define STORE "arbiter.db"

enum {
    ROUNDS_OF_A_STORE = 16, /* then a new one is begun */
    CALLS_OF_A_START = 40,  /* that touch the disk, about */
    CALLS_OF_CHECKPOINT = 60,
    IMPORTED_GAMES = 300,
    IMPORTED_PLIES = 6
};

static struct load load;
static uint64_t first_seed, seed;
static unsigned actions_most;
static bool small; /* under a sanitizer */
static struct {
    uint64_t acknowledged, killed, survived;
} sum;

static void begin_chance(void)
{
    small = getenv("TEST_POSITIONS") != NULL;
    first_seed = seed = chance_seed();
}

static unsigned below(unsigned end)
{
    return chance_below(&seed, end);
}

/* The process alone ends, or the machine. */
static void arm_kill(unsigned number, unsigned files, unsigned operations)
{
    faults_arm(&(struct fault){.kind = below(2) ? FAULT_KILL : FAULT_POWER,
                               .first = number,
                               .last = number,
                               .files = files,
                               .operations = operations});
}

/* ---- a store under load ---- */

static void check_store_of(const char *name)
{
    const char *wrong = load_check(&load, daemon_process.port);
    if (wrong)
        fail_msg("TEST_SEED=%llu: %s", (unsigned long long)first_seed, wrong);
    scene_assert_whole(name);
}

static void check_store(void)
{
    check_store_of(STORE);
}

static void end_load(void)
{
    const char *fault = load_join(&load);
    sum.acknowledged += load.acknowledged;
    if (fault)
        fail_msg("%s", fault);
}

/* The daemon runs, and is killed while they go on. */
static void kill_under_load(void)
{
    load_start(&load, daemon_process.port);
    load_await(&load, 1 + below(actions_most));
    const struct timespec moment = {.tv_nsec = below(3000000)}; /* no wait: where in an action it dies */
    (void)nanosleep(&moment, NULL);
    scene_kill();
    sum.killed++;
    end_load();
}

static void under_load(void)
{
    kill_under_load();
}

/* The end of a daemon that a fault of the disk was to kill, but that may never have come to that call. */
static void count_end(int code)
{
    assert_true(code == 0 || code == 128 + SIGKILL);
    sum.killed += code != 0;
    sum.survived += code == 0;
}

/* The last checkpoint is that of the end, if there was none before. */
static void in_a_checkpoint(void)
{
    arm_kill(1 + below(CALLS_OF_CHECKPOINT), FAULT_FILE_STORE, FAULT_WRITE | FAULT_SYNC | FAULT_TRUNCATE);
    load_start(&load, daemon_process.port);
    load_await(&load, 1 + below(actions_most));
    count_end(daemon_process_stop(&daemon_process));
    end_load();
    faults_heal();
}

static void in_a_write_to_the_log(void)
{
    arm_kill(1 + below(actions_most * 4), FAULT_FILE_LOG, FAULT_CALLS);
    load_start(&load, daemon_process.port);
    load_await(&load, actions_most);
    count_end(daemon_process_stop(&daemon_process));
    end_load();
    faults_heal();
}

/* What the log has to be recovered from is there, and the recovery is killed too, a few times. */
static void in_a_start(void)
{
    kill_under_load();
    for (int i = 0; i < 3; i++) {
        int code = 0;
        arm_kill(1 + below(CALLS_OF_A_START), FAULT_FILES, FAULT_CALLS);
        if (scene_try_start(STORE, &code))
            code = daemon_process_stop(&daemon_process);
        count_end(code);
        faults_heal();
    }
}

/* ---- import ---- */

static void write_pgn(const char *name, const char *player)
{
    FILE *file = fopen(scene_path(name), "w");
    assert_non_null(file);
    for (int i = 0; i < IMPORTED_GAMES; i++)
        (void)fprintf(file,
                      "[White \"%s\"]\n[Round \"%d\"]\n[Result \"*\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *\n\n",
                      player, i);
    assert_int_equal(fclose(file), 0);
}

static unsigned count_of(const char *text, const char *part)
{
    unsigned count = 0;
    for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
        count++;
    return count;
}

/* How many games of the player there are; each is whole. */
static unsigned imported_of(const char *player)
{
    char target[96];
    (void)snprintf(target, sizeof target, "/v1/games?limit=500&player=%s", player);
    char *list = scene_get(target);
    unsigned games = count_of(list, "\"metadata\":"),
             whole = count_of(list, ",\"turn\":\"white\",\"ply\":6,");
    free(list);
    assert_int_equal(games, whole);
    return games;
}

static int run_import(const char *name)
{
    const char *const arguments[] = {"import", scene_path(name), NULL};
    return scene_run(arguments);
}

static void in_an_import(void)
{
    static unsigned imports;
    char player[32];
    kill_under_load();
    (void)snprintf(player, sizeof player, "Import%u", imports++);
    write_pgn("import.pgn", player);
    arm_kill(1 + below(100), FAULT_FILES, FAULT_WRITE | FAULT_SYNC);
    int code = run_import("import.pgn");
    faults_heal();
    count_end(code);
    scene_start(STORE);
    unsigned before = imported_of(player);
    assert_true(code == 0 ? before == IMPORTED_GAMES : before <= IMPORTED_GAMES);
    scene_stop();
    assert_int_equal(run_import("import.pgn"), 0);
    scene_start(STORE);
    assert_int_equal(imported_of(player), before + IMPORTED_GAMES > 500 ? 500 : before + IMPORTED_GAMES);
    scene_kill();
}

/* ---- backup ---- */

static int run_backup(void)
{
    const char *const arguments[] = {"backup", scene_path("backup.db"), NULL};
    return scene_run(arguments);
}

/* Beside the daemon, under load: what the backup writes is the only file that is neither store nor log. The next backup has
 * all that was acknowledged. */
static void in_a_backup(void)
{
    load_start(&load, daemon_process.port);
    load_await(&load, 1 + below(actions_most));
    arm_kill(1 + below(30), FAULT_FILE_OTHER, FAULT_WRITE);
    count_end(run_backup());
    faults_heal();
    load_stop(&load);
    end_load();
    scene_remove("backup.db");
    assert_int_equal(run_backup(), 0);
    scene_kill();
    sum.killed++;
    scene_start("backup.db");
    check_store_of("backup.db");
    scene_kill();
    scene_remove("backup.db");
}

/* ---- files that come to be ---- */

/* Every how many calls of a start are tried. */
static unsigned stride_of(unsigned thorough, unsigned usual)
{
    return scene_number("TORTURE_ROUNDS", 0) ? thorough : small ? 3 * usual : usual;
}

/* Starts on `name`, killed at its nth call. False: it came to listen before. */
static bool is_killed_at(const char *name, unsigned number)
{
    int code = 0;
    arm_kill(number, FAULT_FILES, FAULT_CALLS);
    if (!scene_try_start(name, &code)) {
        assert_int_equal(code, 128 + SIGKILL);
        sum.killed++;
        faults_heal();
        return true;
    }
    faults_heal();
    scene_kill();
    return false;
}

/* Every call of a first start is its last; the next one makes a store. A draft that was never finished stays: nobody can
 * tell whose it is. */
static void in_the_making_of_a_store(void)
{
    unsigned stride = stride_of(1, 5);
    uint64_t before = sum.killed;
    scene_kill();
    for (unsigned number = 1 + below(stride); is_killed_at("new.db", number); number += stride) {
        scene_start("new.db");
        assert_int_equal(scene_ask("POST", "/v1/games", "{}"), 201);
        scene_assert_whole("new.db");
        scene_stop();
        assert_int_equal(scene_count("new.db"), 1); /* the draft is gone too */
        scene_remove("new.db");
    }
    assert_true(sum.killed > before);
    scene_remove("new.db");
}

/* The games as they are told, with their moves. */
static char *tell_old_games(void)
{
    char *list = scene_get("/v1/games?limit=500");
    assert_int_equal(count_of(list, "\"metadata\":"), OLD_STORE_GAMES);
    for (int key = 1; key <= OLD_STORE_GAMES; key += 7) {
        char target[64], id[OLD_STORE_ID_SIZE], *moves = NULL, *both = NULL;
        old_store_id(key, id);
        (void)snprintf(target, sizeof target, "/v1/games/%s/moves", id);
        moves = scene_get(target);
        assert_int_equal(count_of(moves, "\"san\":"), key % (OLD_STORE_PLIES + 1));
        assert_true(asprintf(&both, "%s%s", list, moves) > 0);
        free(moves);
        free(list);
        list = both;
    }
    return list;
}

/* As it was, or brought forward. */
static void assert_old_or_new(const char *path)
{
    bool is_old = storage_sql_number(path, "PRAGMA user_version") == OLD_STORE_VERSION;
    const char *games = is_old ? "SELECT count(DISTINCT game) FROM actions"
                               : "SELECT count(*) FROM heads JOIN actions USING(seq, game, version, ply)";
    assert_int_equal(storage_sql_number(path, games), OLD_STORE_GAMES);
    assert_int_equal(storage_sql_number(path, "SELECT count(*) FROM sqlite_schema WHERE name = 'moves'"),
                     is_old);
    assert_int_equal(storage_sql_number(path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"),
                     1);
}

/* "first.db" is one of an earlier schema. What its games are once it was brought forward, the caller's to free. */
static char *make_first_store(void)
{
    assert_true(old_store_make(scene_path("first.db")));
    scene_copy("first.db", "old.db");
    scene_start("old.db");
    char *wanted = tell_old_games();
    scene_stop();
    scene_remove("old.db");
    return wanted;
}

static void in_a_migration(void)
{
    unsigned stride = stride_of(3, 11);
    uint64_t before = sum.killed;
    scene_kill();
    char *wanted = make_first_store();
    scene_copy("first.db", "old.db");
    for (unsigned number = 1 + below(stride); is_killed_at("old.db", number); number += stride) {
        assert_old_or_new(scene_path("old.db"));
        scene_start("old.db");
        char *found = tell_old_games();
        assert_string_equal(found, wanted);
        free(found);
        scene_assert_whole("old.db");
        scene_stop();
        scene_remove("old.db");
        scene_copy("first.db", "old.db");
    }
    assert_true(sum.killed > before);
    free(wanted);
    scene_remove("old.db");
    scene_remove("first.db");
}

/* ---- rounds ---- */

/* Each begins with a daemon on STORE and ends without one. */
static const struct {
    const char *name;
    void (*run)(void);
} ROUNDS[] = {
    {"under load", under_load},
    {"in a checkpoint", in_a_checkpoint},
    {"in a write to the log", in_a_write_to_the_log},
    {"in a start", in_a_start},
    {"in an import", in_an_import},
    {"in a backup", in_a_backup},
    {"in the making of a store", in_the_making_of_a_store},
    {"in a migration", in_a_migration},
};
enum { KINDS = sizeof ROUNDS / sizeof ROUNDS[0] };

static void begin_store(void)
{
    scene_remove(STORE);
    load_begin(&load, chance_next(&seed));
    scene_start(STORE);
}

static void what_was_acknowledged_survives_kill_9(void **state)
{
    (void)state;
    unsigned rounds = scene_number("TORTURE_ROUNDS", KINDS);
    begin_chance();
    actions_most = small ? 60 : scene_number("TORTURE_ROUNDS", 0) ? 4000 : 500;
    begin_store();
    for (unsigned round = 0; round < rounds; round++) {
        ROUNDS[round % KINDS].run();
        scene_start(STORE);
        check_store();
        print_message("%u, %s: %llu actions acknowledged so far\n", round + 1, ROUNDS[round % KINDS].name,
                      (unsigned long long)sum.acknowledged);
        if (load_is_full(&load) || round % ROUNDS_OF_A_STORE == ROUNDS_OF_A_STORE - 1) {
            scene_stop();
            load_end(&load);
            begin_store();
        }
    }
    scene_stop(); /* a clean end changes nothing either */
    scene_start(STORE);
    check_store();
    scene_stop();
    load_end(&load);
    assert_true(sum.acknowledged > rounds && sum.killed > 0);
    print_message(
        "%u rounds: %llu acknowledged actions, none lost; %llu times killed, %llu times ended before\n",
        rounds, (unsigned long long)sum.acknowledged, (unsigned long long)sum.killed,
        (unsigned long long)sum.survived);
}

/* ---- a migration that is ended ---- */

static int listen_to_notices(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    assert_true(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path));
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (const struct sockaddr *)&address, sizeof address), 0);
    return fd;
}

/* It may take minutes, for which no service manager waits that is not asked to. The signal is pending when the daemon
 * begins. */
static void a_start_that_brings_a_store_forward_asks_for_time_and_can_be_ended(void **state)
{
    (void)state;
    char notice[256] = "";
    assert_true(old_store_make(scene_path("arbiter.db")));
    int fd = listen_to_notices(scene_path("notify"));
    shell_assert_exit(
        "export NOTIFY_SOCKET=$F/notify\n" SHELL_BOTH
        "exec env --block-signal=TERM sh -c 'kill -TERM $$; exec \"$A\" --listen 127.0.0.1:0 --db $DB'",
        128 + SIGTERM);
    shell_assert_told("is as it was");
    assert_true(recv(fd, notice, sizeof notice - 1, MSG_DONTWAIT) > 0);
    assert_memory_equal(notice, "EXTEND_TIMEOUT_USEC=", strlen("EXTEND_TIMEOUT_USEC="));
    assert_int_equal(close(fd), 0);
    assert_int_equal(storage_sql_number(scene_path("arbiter.db"), "PRAGMA user_version"), OLD_STORE_VERSION);
    scene_start("arbiter.db");
    free(tell_old_games());
    scene_stop();
}

/* A start whose nth call to the disk fails, which was to bring the store forward. False: there was no such call. */
static bool fails_at(enum fault_kind kind, unsigned number, const char *wanted)
{
    int code = 0;
    scene_copy("first.db", "old.db");
    faults_arm(&(struct fault){.kind = kind, .first = number, .last = number});
    bool started = scene_try_start("old.db", &code);
    bool met = faults_met() > 0;
    faults_heal();
    if (started)
        scene_stop();
    else
        assert_int_equal(code, 1);
    assert_old_or_new(scene_path("old.db"));
    scene_start("old.db");
    char *found = tell_old_games();
    assert_string_equal(found, wanted);
    free(found);
    scene_stop();
    scene_remove("old.db");
    return met;
}

static void a_disk_that_fails_while_a_store_is_brought_forward_does_no_harm(void **state)
{
    (void)state;
    unsigned failed = 0;
    begin_chance();
    unsigned stride = stride_of(3, 25);
    char *wanted = make_first_store();
    for (enum fault_kind kind = FAULT_EIO; kind <= FAULT_SHORT; kind++)
        for (unsigned number = 1 + below(stride); fails_at(kind, number, wanted); number += stride)
            failed++;
    assert_true(failed > 1); /* a start makes more calls than the longest stride */
    free(wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(a_disk_that_fails_while_a_store_is_brought_forward_does_no_harm),
        SCENE_TEST(a_start_that_brings_a_store_forward_asks_for_time_and_can_be_ended),
        SCENE_TEST(what_was_acknowledged_survives_kill_9),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
