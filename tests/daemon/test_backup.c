/* The real `arbiterd backup` and `arbiterd check`, beside a running daemon and alone. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/support/daemon_faults.h"
#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"

enum { SCRIPT_SIZE = 4096 };

static int run(const char *commands)
{
    char script[SCRIPT_SIZE];
    (void)snprintf(script, sizeof script, SHELL_BOTH "%s", commands);
    return shell_run(script);
}

/* A store of games; each takes four lines of the PGN. */
static void fill(const char *lines)
{
    char script[SCRIPT_SIZE / 2];
    (void)snprintf(script, sizeof script,
                   "yes '[Result \"1-0\"]\n\n1. e4 {x} e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O 1-0\n' |"
                   " head -n %s >$F/g.pgn && \"$A\" import --db $DB $F/g.pgn",
                   lines);
    assert_int_equal(run(script), 0);
}

/* ---- under load ---------------------------------------------------------------------------------------- */

enum { GAMES_MAX = 400, PLIES = 16, ID_SIZE = 13 };

/* What the daemon has acknowledged. */
static struct played {
    char id[ID_SIZE];
    unsigned plies;
} played[GAMES_MAX];
static size_t played_count;
static bool play_failed;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of the three */
static atomic_bool is_over;

static bool ask(struct http_client *client, const char *target, const char *body, struct http_reply *reply)
{
    *reply = (struct http_reply){0};
    return http_client_ask(client, "POST", target, NULL, body, reply) && reply->status == 201;
}

static bool play_game(struct http_client *client)
{
    static const char *const moves[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    char target[64];
    struct http_reply reply;
    bool good = ask(client, "/v1/games.txt", "", &reply);
    (void)pthread_mutex_lock(&mutex);
    struct played *game = &played[played_count];
    if (good)
        (void)snprintf(game->id, ID_SIZE, "%s", reply.body);
    played_count += good;
    (void)pthread_mutex_unlock(&mutex);
    http_reply_finish(&reply);
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves.txt", game->id);
    for (unsigned ply = 0; good && ply < PLIES - 1; ply++) {
        good = ask(client, target, moves[ply % 4], &reply);
        http_reply_finish(&reply);
        (void)pthread_mutex_lock(&mutex);
        game->plies += good;
        (void)pthread_mutex_unlock(&mutex);
    }
    return good;
}

static void *play(void *unused)
{
    struct http_client client = {0};
    bool good = http_client_open(&client, "127.0.0.1", daemon_process.port);
    while (good && !is_over && played_count < GAMES_MAX)
        good = play_game(&client);
    http_client_close(&client);
    (void)pthread_mutex_lock(&mutex);
    play_failed = !good;
    (void)pthread_mutex_unlock(&mutex);
    return unused;
}

static void await_moves(unsigned wanted)
{
    for (unsigned moves = 0; moves < wanted;) {
        (void)pthread_mutex_lock(&mutex);
        assert_false(play_failed);
        moves = 0;
        for (size_t i = 0; i < played_count; i++)
            moves += played[i].plies;
        (void)pthread_mutex_unlock(&mutex);
    }
}

/* The games of the copy, told by a daemon that serves it. */
static void expect_in_copy(const struct played *known, size_t count)
{
    struct daemon_process other = {0};
    struct http_client client = {0};
    char db[DAEMON_PATH_SIZE + 32], target[64];
    (void)snprintf(db, sizeof db, "sqlite:%s/copy.db", daemon_process.folder);
    const char *const arguments[] = {"--db", db, NULL};
    assert_true(daemon_process_run(&other, arguments));
    assert_true(http_client_open(&client, "127.0.0.1", other.port));
    for (size_t i = 0; i < count; i++) {
        struct http_reply reply = {0};
        unsigned plies = 0;
        (void)snprintf(target, sizeof target, "/v1/games/%.12s/moves.txt", known[i].id);
        assert_true(http_client_ask(&client, "GET", target, NULL, NULL, &reply));
        assert_int_equal(reply.status, 200);
        for (const char *at = reply.body; *at; at++)
            plies += *at == '\n';
        if (plies < known[i].plies)
            fail_msg("game %s has %u plies in the copy, %u were acknowledged before", known[i].id, plies,
                     known[i].plies);
        http_reply_finish(&reply);
    }
    http_client_close(&client);
    assert_int_equal(daemon_process_stop(&other), 0);
    daemon_process_finish(&other);
}

static void a_copy_made_under_load_holds_what_was_acknowledged_before(void **state)
{
    (void)state;
    static struct played known[GAMES_MAX];
    pthread_t player;
    assert_true(daemon_process_run(&daemon_process, NULL));
    assert_int_equal(pthread_create(&player, NULL, play, NULL), 0);
    for (unsigned round = 1; round <= 3; round++) {
        await_moves(round * 40);
        (void)pthread_mutex_lock(&mutex);
        size_t count = played_count;
        memcpy(known, played, sizeof known);
        (void)pthread_mutex_unlock(&mutex);
        assert_int_equal(run("rm -f $F/copy.db*; \"$A\" backup --db $DB $F/copy.db && ls -l $F/copy.db*"), 0);
        shell_assert_told("copied to ");
        shell_assert_told("-rw-r-----");
        shell_assert_not_told(".draft");
        assert_int_equal(run("\"$A\" check --db sqlite:$F/copy.db && \"$A\" check --db $DB"), 0);
        shell_assert_told(" 0 findings, 0 damaged games");
        expect_in_copy(known, count);
    }
    is_over = true;
    (void)pthread_join(player, NULL);
    assert_false(play_failed);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* ---- files --------------------------------------------------------------------------------------------- */

static void what_is_there_is_never_touched(void **state)
{
    (void)state;
    fill("40");
    assert_int_equal(
        run("echo mine >$F/x; \"$A\" backup --db $DB $F/x; code=$?; cat $F/x; ls $F; exit $code"), 3);
    shell_assert_told("is there already");
    shell_assert_told("\nmine\n");
    shell_assert_not_told("draft");
    assert_int_equal(run("\"$A\" backup --db $DB $F/arbiter.db"), 3);
    assert_int_equal(run("\"$A\" backup --db $DB $F"), 3);
    assert_int_equal(run("ln -s nowhere $F/link; \"$A\" backup --db $DB $F/link"), 3);
    assert_int_equal(run("echo log >$F/y-wal; \"$A\" backup --db $DB $F/y"), 3);
    shell_assert_told("y-wal is there");
    assert_int_equal(run("mkdir $F/z.draft; \"$A\" backup --db $DB $F/z"), 3);
    assert_int_equal(run("\"$A\" backup --db $DB $F/none/x"), 1);
    assert_int_equal(run("\"$A\" backup --db sqlite:$F/none.db $F/n; code=$?; ls $F; exit $code"), 1);
    shell_assert_not_told("none.db\n");
}

/* Its draft is synced, then it gets its name, and then its folder is synced. */
static void a_backup_that_fails_leaves_no_file_of_its_name(void **state)
{
    (void)state;
    fill("40");
    assert_true(faults_begin(&daemon_process));
    unsigned failed = 0;
    for (uint32_t call = 1;; call++) {
        faults_arm(&(struct fault){.kind = FAULT_EIO,
                                   .first = call,
                                   .last = call,
                                   .files = FAULT_FILE_OTHER,
                                   .operations = FAULT_SYNC});
        int code = run("\"$A\" backup --db $DB $F/copy.db; code=$?; ls $F; exit $code");
        if (faults_met() == 0) {
            assert_int_equal(code, 0);
            break;
        }
        assert_int_equal(code, 1);
        shell_assert_told("copy.db cannot be written: ");
        shell_assert_not_told("\ncopy.db");
        failed++;
    }
    faults_end();
    assert_int_equal(failed, 2);
}

static void wrong_use_is_told(void **state)
{
    (void)state;
    static const char *const uses[] = {"backup",          "backup a b", "backup -",        "backup ''",
                                       "backup --json a", "check a",    "check --nonsense"};
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        char command[128];
        (void)snprintf(command, sizeof command, "\"$A\" %s", uses[i]);
        if (run(command) != 2)
            fail_msg("%s: %s", uses[i], shell_output);
        shell_assert_told("Try: arbiterd ");
    }
    assert_int_equal(run("\"$A\" --help && \"$A\" check --help && \"$A\" backup --help"), 0);
    shell_assert_told("  backup ");
    shell_assert_told("  check ");
    shell_assert_told("FILE.draft");
    assert_int_equal(run("\"$A\" check --db sqlite:$F/none.db"), 1);
}

/* Stopped while its draft is there, so that what follows meets it in its work; where it was faster, once more. */
#define STOPPED_BACKUP                                                                                       \
    "until \"$A\" backup --db $DB $F/copy.db & backup=$!\n"                                                  \
    "while [ ! -e $F/copy.db.draft ] && [ ! -e $F/copy.db ]; do kill -0 $backup || exit 99; done\n"          \
    "kill -STOP $backup; [ -e $F/copy.db.draft ]\n"                                                          \
    "do kill -CONT $backup; wait $backup; rm -f $F/copy.db; done\n"

static void a_killed_backup_leaves_no_file_and_the_next_one_takes_its_draft(void **state)
{
    (void)state;
    fill("16000");
    assert_int_equal(run(STOPPED_BACKUP "kill -9 $backup; wait $backup; ls $F"), 0);
    shell_assert_told("copy.db.draft\n");
    shell_assert_not_told("copy.db\n");
    assert_int_equal(run("\"$A\" backup --db $DB $F/copy.db && ls $F && \"$A\" check --db sqlite:$F/copy.db"),
                     0);
    shell_assert_told("copy.db\n");
    shell_assert_not_told("draft");
    shell_assert_told("checked 4000 games, 44000 rows");
}

static void a_backup_that_is_interrupted_takes_its_draft_away(void **state)
{
    (void)state;
    fill("16000");
    assert_int_equal(run(STOPPED_BACKUP
                         "kill -INT $backup; kill -CONT $backup; wait $backup; code=$?; ls $F\n"
                         "exit $code"),
                     128 + SIGINT);
    shell_assert_not_told("copy.db");
}

static void two_backups_do_not_write_one_file(void **state)
{
    (void)state;
    fill("16000");
    assert_int_equal(run(STOPPED_BACKUP
                         "\"$A\" backup --db $DB $F/copy.db; code=$?; kill -CONT $backup\n"
                         "wait $backup || exit 98; \"$A\" check --db sqlite:$F/copy.db || exit 97\n"
                         "exit $code"),
                     4);
    shell_assert_told("is being written by another arbiterd");
}

/* ---- damage -------------------------------------------------------------------------------------------- */

static void a_sound_store_has_no_findings(void **state)
{
    (void)state;
    fill("400");
    assert_int_equal(run("\"$A\" check --db $DB"), 0);
    shell_assert_told("checked 100 games, 1100 rows in ");
    assert_int_equal(run("\"$A\" check --json --db $DB"), 0);
    shell_assert_told("{\"games\":100,\"rows\":1100,\"findings\":0,\"damaged_games\":0,\"whole\":true}");
}

/* The file is cut in the middle: the service refuses it and leaves it alone, a backup is not made of it, and check
 * reads what there is. */
static void a_damaged_store_is_refused_and_looked_through(void **state)
{
    (void)state;
    fill("4000");
    assert_int_equal(
        run("size=$(stat -c %s $F/arbiter.db); truncate -s $((size / 8192 * 4096)) $F/arbiter.db\n"
            "cp $F/arbiter.db $F/kept"),
        0);
    assert_int_equal(
        run("\"$A\" serve --listen 127.0.0.1:0 --db $DB; code=$?; cmp $F/arbiter.db $F/kept; exit $code"), 3);
    shell_assert_told("is damaged");
    shell_assert_not_told("differ");
    assert_int_equal(run("\"$A\" backup --db $DB $F/copy.db; code=$?; ls $F; exit $code"), 3);
    shell_assert_not_told("copy.db\n");
    assert_int_equal(run("\"$A\" check --db $DB; code=$?; cmp $F/arbiter.db $F/kept; exit $code"), 3);
    shell_assert_told("store: file: found ");
    shell_assert_told(" findings");
    shell_assert_not_told("differ");
}

static void change_file(const char *sql)
{
    char path[DAEMON_PATH_SIZE + 32];
    sqlite3 *db = NULL;
    (void)snprintf(path, sizeof path, "%s/arbiter.db", daemon_process.folder);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* It would go into answers as it is. */
static void metadata_that_is_no_json_any_more_is_damage(void **state)
{
    char target[64];
    (void)state;
    assert_true(daemon_process_run(&daemon_process, NULL));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_ask(&daemon_client, "POST", "/v1/games.txt", NULL, "{\"metadata\":{\"a\":1}}",
                                &daemon_reply));
    assert_int_equal(daemon_reply.status, 201);
    (void)snprintf(target, sizeof target, "/v1/games/%.12s", daemon_reply.body);
    http_client_close(&daemon_client);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    change_file("UPDATE games SET metadata = '{\"a\":1'");
    assert_int_equal(run("\"$A\" check --db $DB"), 3);
    shell_assert_told(": metadata: expected a JSON object, found {\"a\":1");
    assert_true(daemon_process_run(&daemon_process, NULL));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "GET", target, NULL, NULL, &daemon_reply));
    assert_int_equal(daemon_reply.status, 500);
    assert_non_null(strstr(daemon_reply.body, "\"code\":\"internal\""));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void what_is_no_store_is_refused(void **state)
{
    (void)state;
    assert_int_equal(run("echo text >$F/t; \"$A\" check --db sqlite:$F/t; code=$?; cat $F/t; exit $code"), 3);
    shell_assert_told("\ntext\n");
    assert_int_equal(run(": >$F/e; \"$A\" check --db sqlite:$F/e"), 3);
    shell_assert_told("is empty");
}

/* ---- progress ------------------------------------------------------------------------------------------ */

static void sigusr1_tells_how_far_it_has_come(void **state)
{
    (void)state;
    assert_int_equal(
        run("yes '1. e4 e5 *\n' | head -n 400000 >$F/many.pgn\n"
            "\"$A\" import --db $DB $F/many.pgn 2>$F/told & import=$!\n"
            "while [ ! -s $F/arbiter.db-wal ]; do kill -0 $import || exit 99; done\n"
            "while ! grep -q ' MB/s, [0-9]* games/s, ' $F/told; do kill -USR1 $import || exit 98; done\n"
            "kill -INT $import; wait $import"),
        128 + SIGINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(a_copy_made_under_load_holds_what_was_acknowledged_before),
        DAEMON_TEST(what_is_there_is_never_touched),
        DAEMON_TEST(a_backup_that_fails_leaves_no_file_of_its_name),
        DAEMON_TEST(wrong_use_is_told),
        DAEMON_TEST(a_killed_backup_leaves_no_file_and_the_next_one_takes_its_draft),
        DAEMON_TEST(a_backup_that_is_interrupted_takes_its_draft_away),
        DAEMON_TEST(two_backups_do_not_write_one_file),
        DAEMON_TEST(a_sound_store_has_no_findings),
        DAEMON_TEST(a_damaged_store_is_refused_and_looked_through),
        DAEMON_TEST(metadata_that_is_no_json_any_more_is_damage),
        DAEMON_TEST(what_is_no_store_is_refused),
        DAEMON_TEST(sigusr1_tells_how_far_it_has_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
