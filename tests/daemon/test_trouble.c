/* A store in trouble while the daemon serves it, or before: reads go on, writes are refused with a time to come again, one
 * log line tells it, and it is well again by itself; a file that is not ours is left as it is. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <linux/capability.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/support/daemon_faults.h"
#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"

enum { REFUSED_WRITES = 60, RECOVERY_MS = 10000, PATH_SIZE = DAEMON_PATH_SIZE + 64, BULK = 30000 };

static char game[64]; /* the target of one that was made before the trouble */

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static const char *in_folder(const char *name)
{
    static char path[PATH_SIZE];
    (void)snprintf(path, sizeof path, "%s/%s", daemon_process.folder, name);
    return path;
}

static unsigned ask(const char *method, const char *target, const char *body)
{
    http_reply_finish(&daemon_reply);
    if (!http_client_ask(&daemon_client, method, target, "Content-Type: application/json\r\n", body,
                         &daemon_reply))
        fail_msg("%s %s was not answered", method, target);
    return daemon_reply.status;
}

/* Starts with one game. */
static void begin(void)
{
    static const char *const arguments[] = {"--log-level", "warn", NULL};
    if (!daemon_process_run(&daemon_process, arguments))
        fail_msg("the daemon did not start: %s", daemon_process.pending);
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    assert_int_equal(ask("POST", "/v1/games.txt", "{}"), 201);
    (void)snprintf(game, sizeof game, "/v1/games/%.12s", daemon_reply.body);
}

/* A write that the store cannot take. */
static void assert_refused(const char *slug)
{
    char after[16], code[64];
    unsigned status = ask("POST", "/v1/games", "{}");
    (void)snprintf(code, sizeof code, "\"code\":\"%s\"", slug);
    if (status != 503 || !strstr(daemon_reply.body, code))
        fail_msg("a write is answered by %u %s", status, daemon_reply.body);
    assert_true(http_reply_field(&daemon_reply, "Retry-After", after, sizeof after));
    assert_true(atoi(after) > 0);
}

static void assert_reads_go_on(void)
{
    assert_int_equal(ask("GET", game, NULL), 200);
    assert_int_equal(ask("GET", "/v1/games", NULL), 200);
    assert_int_equal(ask("GET", "/healthz", NULL), 200);
}

static void assert_full(void)
{
    for (int i = 0; i < REFUSED_WRITES; i++)
        assert_refused("storage-unavailable");
    assert_reads_go_on();
    assert_int_equal(ask("GET", "/readyz", NULL), 503);
}

static void assert_recovers(void)
{
    int64_t end_ms = now_ms() + RECOVERY_MS;
    while (ask("GET", "/readyz", NULL) != 200 || ask("POST", "/v1/games", "{}") != 201)
        assert_true(now_ms() < end_ms);
    assert_reads_go_on();
}

/* Ends the daemon, which has told the trouble and its end, once each. */
static void assert_told_once(void)
{
    unsigned faults = 0, recoveries = 0;
    char line[DAEMON_LINE_SIZE];
    daemon_process_signal(&daemon_process, SIGTERM);
    while (daemon_process_read_line(&daemon_process, line)) {
        faults += strstr(line, "the store takes no writes") != NULL;
        recoveries += strstr(line, "the store takes writes again") != NULL;
    }
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
    assert_int_equal(faults, 1);
    assert_int_equal(recoveries, 1);
}

/* ---- in play ------------------------------------------------------------------------------------------- */

static void on_a_full_disk_reads_go_on_and_writes_come_back_by_themselves(void **state)
{
    (void)state;
    assert_true(faults_begin(&daemon_process));
    begin();
    faults_arm(
        &(struct fault){.kind = FAULT_ENOSPC, .first = 1, .last = UINT32_MAX, .operations = FAULT_WRITE});
    assert_full();
    faults_heal();
    assert_recovers();
    assert_told_once();
    faults_end();
}

static void limit_file_sizes(rlim_t bytes)
{
    const struct rlimit limit = {.rlim_cur = bytes, .rlim_max = RLIM_INFINITY};
    assert_int_equal(prlimit(daemon_process.pid, RLIMIT_FSIZE, &limit, NULL), 0);
}

static void a_limit_of_file_sizes_is_the_same(void **state)
{
    (void)state;
    struct rlimit own;
    if (getrlimit(RLIMIT_FSIZE, &own) != 0 || own.rlim_max != RLIM_INFINITY)
        skip();
    begin();
    limit_file_sizes(1);
    assert_full();
    limit_file_sizes(RLIM_INFINITY);
    assert_recovers();
    assert_told_once();
}

/* A disk of its own, in a view of the file system that only this process and the daemon have. */
static bool mount_small_disk(void)
{
    return unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
           mount("tmpfs", daemon_process.folder, "tmpfs", 0, "size=1m,mode=0700") == 0;
}

static void fill(void)
{
    static char block[4096];
    int fd = open(in_folder("ballast"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    while (write(fd, block, sizeof block) > 0) {
    }
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(close(fd), 0);
}

static void a_real_disk_that_is_full_is_the_same(void **state)
{
    (void)state;
    if (!mount_small_disk())
        skip(); /* it takes the right to mount */
    begin();
    fill();
    static char bulky[BULK + 64];
    (void)snprintf(bulky, sizeof bulky, "{\"metadata\":{\"bulk\":\"%0*d\"}}", 4000, 1);
    while (ask("POST", "/v1/games", bulky) == 201) { /* the log has some room still */
    }
    while (ask("POST", "/v1/games", "{}") == 201) { /* which is not enough for that one, but for less */
    }
    assert_full();
    assert_int_equal(unlink(in_folder("ballast")), 0);
    assert_recovers();
    assert_told_once();
    assert_int_equal(umount2(daemon_process.folder, MNT_DETACH), 0);
}

static void run_sql(sqlite3 *db, const char *sql)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static void send_create(struct http_client *client)
{
    assert_true(http_client_send_text(client,
                                      "POST /v1/games HTTP/1.1\r\nHost: localhost\r\n"
                                      "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"));
}

/* TROUBLE_LOCKED_MS: how long; more than five seconds, and writes are told to come again. */
static void a_store_that_another_program_holds_makes_writes_wait(void **state)
{
    (void)state;
    const char *given = getenv("TROUBLE_LOCKED_MS");
    int64_t held_ms = given ? atol(given) : 2000, begun_ms = 0;
    sqlite3 *db = NULL;
    struct http_client writer;
    begin();
    assert_int_equal(sqlite3_open(in_folder("arbiter.db"), &db), SQLITE_OK);
    run_sql(db, "BEGIN IMMEDIATE");
    begun_ms = now_ms();
    for (; now_ms() - begun_ms < held_ms - 1000; assert_reads_go_on()) {
        if (held_ms < 10000)
            continue;
        assert_refused("storage-busy");
        assert_int_equal(ask("GET", "/readyz", NULL), 503);
    }
    assert_true(http_client_open(&writer, "127.0.0.1", daemon_process.port));
    send_create(&writer);
    while (now_ms() - begun_ms < held_ms)
        assert_reads_go_on();
    run_sql(db, "ROLLBACK");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    http_reply_finish(&daemon_reply);
    assert_true(http_client_read(&writer, false, &daemon_reply));
    assert_int_equal(daemon_reply.status, 201);
    http_client_close(&writer);
    assert_recovers();
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* ---- before it is served ------------------------------------------------------------------------------- */

/* Every file of the folder with its rights, owner, size, time and contents. (Of `ls` the columns would widen
   with what stands beside the folder.) */
#define FOLDER_STATE                                                                                         \
    "(cd $F && find . -mindepth 1 -printf '%p %M %n %U:%G %s %T@\\n' | sort && find . -type f -exec "        \
    "sha256sum {} + | sort)"

/* What `command` says of the store, and its exit code. The folder is as it was. */
static void assert_leaves(const char *command, int code, const char *sentence)
{
    char script[512];
    shell_assert_exit(FOLDER_STATE " >$F.before 2>&1", 0);
    (void)snprintf(script, sizeof script, "\"$A\" %s --db $DB 2>&1 >/dev/null", command);
    shell_assert_exit(script, code);
    shell_assert_told(sentence);
    shell_assert_exit(FOLDER_STATE " >$F.after 2>&1; diff $F.before $F.after; CODE=$?; "
                                   "rm -f $F.before $F.after; exit $CODE",
                      0);
}

/* Every command that opens a store. */
static const char *const COMMANDS[] = {
    "serve --listen 127.0.0.1:0", "serve --dry-run", "import /dev/null", "export --all",
    "token earnedgame22 white",
};

/* Those for which a file that can only be read is not enough. */
static const char *const WRITERS[] = {
    "serve --listen 127.0.0.1:0",
    "serve --dry-run",
    "import /dev/null",
    "token earnedgame22 white",
};

static void every_command_leaves(int code, const char *sentence)
{
    for (size_t i = 0; i < sizeof COMMANDS / sizeof COMMANDS[0]; i++)
        assert_leaves(COMMANDS[i], code, sentence);
}

static void make_file(const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(in_folder("arbiter.db"), &db), SQLITE_OK);
    run_sql(db, sql);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void an_empty_file_is_left_alone(void **state)
{
    (void)state;
    shell_assert_exit(": >$F/arbiter.db", 0);
    every_command_leaves(3, "is empty: delete it to begin a new store there, or restore it from a backup.");
}

static void the_database_of_another_program_is_left_alone(void **state)
{
    (void)state;
    make_file("PRAGMA application_id=7; CREATE TABLE diary(day TEXT); INSERT INTO diary VALUES('Monday')");
    every_command_leaves(3, "is the database of another program (application id 7): name another file.");
}

static void a_file_that_is_no_database_is_left_alone(void **state)
{
    (void)state;
    shell_assert_exit("yes 'a diary, and no database' | head -c 100000 >$F/arbiter.db", 0);
    every_command_leaves(3, "is no database, or its header is damaged");
}

static void a_store_of_a_newer_release_is_left_alone(void **state)
{
    (void)state;
    begin();
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    make_file("PRAGMA user_version=1000");
    every_command_leaves(3, "was written by a newer Arbiter (schema 1000");
}

static void a_store_that_may_not_be_written_is_left_alone(void **state)
{
    (void)state;
    begin();
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_int_equal(chmod(in_folder("arbiter.db"), 0400), 0);
    for (size_t i = 0; i < sizeof WRITERS / sizeof WRITERS[0]; i++)
        assert_leaves(WRITERS[i], 1, "arbiter.db cannot be opened: Permission denied.");
    assert_leaves("export --all", 0, "");
    assert_leaves("check", 0, "");
    assert_int_equal(chmod(in_folder("arbiter.db"), 0600), 0);
}

static void in_a_folder_that_may_not_be_written_nothing_is_made(void **state)
{
    (void)state;
    assert_int_equal(chmod(daemon_process.folder, 0500), 0);
    assert_leaves(COMMANDS[0], 1, "arbiter.db cannot be made: Permission denied.");
    assert_int_equal(chmod(daemon_process.folder, 0700), 0);
}

/* SQLite needs a log beside it. */
static void a_store_in_a_folder_that_may_not_be_written_is_left_alone(void **state)
{
    (void)state;
    begin();
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_int_equal(chmod(daemon_process.folder, 0500), 0);
    assert_leaves(COMMANDS[0], 1, "arbiter.db cannot be opened: ");
    assert_int_equal(chmod(daemon_process.folder, 0700), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(on_a_full_disk_reads_go_on_and_writes_come_back_by_themselves),
        DAEMON_TEST(a_limit_of_file_sizes_is_the_same),
        DAEMON_TEST(a_store_that_another_program_holds_makes_writes_wait),
        DAEMON_TEST(an_empty_file_is_left_alone),
        DAEMON_TEST(the_database_of_another_program_is_left_alone),
        DAEMON_TEST(a_file_that_is_no_database_is_left_alone),
        DAEMON_TEST(a_store_of_a_newer_release_is_left_alone),
        DAEMON_TEST(a_store_that_may_not_be_written_is_left_alone),
        DAEMON_TEST(in_a_folder_that_may_not_be_written_nothing_is_made),
        DAEMON_TEST(a_store_in_a_folder_that_may_not_be_written_is_left_alone),
        DAEMON_TEST(a_real_disk_that_is_full_is_the_same),
    };
    /* To the superuser modes say nothing, unless what he starts is without these; to others the call says no. */
    (void)prctl(PR_CAPBSET_DROP, CAP_DAC_OVERRIDE, 0, 0, 0);
    (void)prctl(PR_CAPBSET_DROP, CAP_DAC_READ_SEARCH, 0, 0, 0);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
