#include "tests/torture/scene.h"

#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

int scene_set(void **state)
{
    (void)unsetenv("TEST_RECORD"); /* what is asked here is asked often */
    if (daemon_set_up(state) != 0 || !faults_begin(&daemon_process))
        return -1;
    faults_arm(&(struct fault){0});
    return 0;
}

int scene_clear(void **state)
{
    int code = daemon_tear_down(state);
    faults_end();
    return code;
}

const char *scene_path(const char *name)
{
    static char paths[4][SCENE_PATH_SIZE];
    static unsigned turn;
    char *path = paths[turn++ % 4];
    (void)snprintf(path, SCENE_PATH_SIZE, "%s/%s", daemon_process.folder, name);
    return path;
}

static unsigned for_each(const char *beginning, bool removes)
{
    unsigned count = 0;
    DIR *folder = opendir(daemon_process.folder);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (*entry->d_name == '.' || strncmp(entry->d_name, beginning, strlen(beginning)) != 0)
            continue;
        count++;
        if (removes)
            assert_int_equal(unlinkat(dirfd(folder), entry->d_name, 0), 0);
    }
    assert_int_equal(closedir(folder), 0);
    return count;
}

void scene_remove(const char *name)
{
    (void)for_each(name, true);
}

unsigned scene_count(const char *beginning)
{
    return for_each(beginning, false);
}

void scene_copy(const char *from, const char *to)
{
    char block[65536];
    ssize_t size = 0;
    int source = open(scene_path(from), O_RDONLY | O_CLOEXEC);
    int target = open(scene_path(to), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(source >= 0 && target >= 0);
    while ((size = read(source, block, sizeof block)) > 0)
        assert_int_equal(write(target, block, (size_t)size), size);
    assert_int_equal(size, 0);
    assert_int_equal(close(source) | close(target), 0);
}

unsigned scene_number(const char *variable, unsigned usual)
{
    const char *given = getenv(variable);
    return given && *given ? (unsigned)strtoul(given, NULL, 10) : usual;
}

static void spawn(const char *name)
{
    char url[SCENE_PATH_SIZE + 16];
    (void)snprintf(url, sizeof url, "sqlite:%s", scene_path(name));
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--log-level", "warn", "--db", url, NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
}

bool scene_try_start(const char *name, int *code)
{
    spawn(name);
    if (daemon_process_wait_ready(&daemon_process))
        return true;
    *code = daemon_process_wait(&daemon_process);
    return false;
}

void scene_start(const char *name)
{
    int code = 0;
    if (!scene_try_start(name, &code))
        fail_msg("the daemon did not start, exit code %d: %s", code, daemon_process.pending);
}

void scene_kill(void)
{
    daemon_process_signal(&daemon_process, SIGKILL);
    assert_int_equal(daemon_process_wait(&daemon_process), 128 + SIGKILL);
}

void scene_stop(void)
{
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

int scene_run(const char *const *arguments)
{
    struct daemon_process tool = {.output = -1};
    char line[DAEMON_LINE_SIZE] = "";
    memcpy(tool.folder, daemon_process.folder, sizeof tool.folder);
    assert_true(daemon_process_start(&tool, arguments));
    while (daemon_process_read_line(&tool, line)) {
    }
    int code = daemon_process_wait(&tool);
    if (code != 0 && code != 128 + SIGKILL)
        print_message("arbiterd %s: %d: %s\n", arguments[0], code, line);
    daemon_process_finish(&tool); /* the folder is not its own */
    return code;
}

static void assert_says(sqlite3 *db, const char *sql, const char *wanted)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    int code = sqlite3_step(statement);
    const char *said = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if ((wanted == NULL) != (said == NULL) || (said && strcmp(said, wanted) != 0))
        fail_msg("%s says %s (%s)", sql, said ? said : "nothing", sqlite3_errmsg(db));
    (void)sqlite3_finalize(statement);
}

void scene_assert_whole(const char *name)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open_v2(scene_path(name), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_says(db, "PRAGMA integrity_check", "ok");
    assert_says(db, "PRAGMA foreign_key_check", NULL);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    char url[SCENE_PATH_SIZE + 16];
    (void)snprintf(url, sizeof url, "sqlite:%s", scene_path(name));
    const char *const check[] = {"check", "--db", url, NULL};
    assert_int_equal(scene_run(check), 0);
}

static unsigned ask(const char *method, const char *target, const char *body, struct http_reply *reply)
{
    struct http_client client;
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    if (!http_client_ask(&client, method, target, "Content-Type: application/json\r\n", body, reply))
        fail_msg("%s %s was not answered", method, target);
    http_client_close(&client);
    return reply->status;
}

char *scene_get(const char *target)
{
    struct http_reply reply;
    if (ask("GET", target, NULL, &reply) != 200)
        fail_msg("GET %s: %u %s", target, reply.status, reply.body);
    char *body = strdup(reply.body);
    http_reply_finish(&reply);
    return body;
}

unsigned scene_ask(const char *method, const char *target, const char *body)
{
    struct http_reply reply;
    unsigned status = ask(method, target, body, &reply);
    http_reply_finish(&reply);
    return status;
}
