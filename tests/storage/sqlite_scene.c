#include "tests/storage/sqlite_scene.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/sqlite.h"
#include "tests/support/storage_fixture.h"

struct scene scene;

int scene_set(void **state)
{
    (void)state;
    scene.folder = fixture_make_folder();
    scene.path = fixture_path(scene.folder, "arbiter.db");
    assert_true(asprintf(&scene.url, "sqlite:%s", scene.path) > 0);
    return 0;
}

int scene_clear(void **state)
{
    (void)state;
    free(scene.url);
    free(scene.path);
    fixture_remove_folder(scene.folder);
    return 0;
}

enum storage_open_status scene_try_open_as(const struct storage_options *options,
                                           char error[STORAGE_ERROR_SIZE])
{
    struct storage *storage = NULL;
    enum storage_open_status status = storage_open(scene.url, options, &storage, error);
    storage_close(storage);
    return status;
}

enum storage_open_status scene_try_open(char error[STORAGE_ERROR_SIZE])
{
    const struct storage_options options = {0};
    return scene_try_open_as(&options, error);
}

void scene_assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' does not say '%s'", text, part);
}

static void fill_store(struct storage *storage)
{
    for (unsigned game = 0; game < 20; game++) {
        char id[STORAGE_ID_LENGTH + 1];
        (void)snprintf(id, sizeof id, "filled%06u", game % 1000000);
        struct storage_action actions[60];
        struct storage_write write =
            fixture_moves(fixture_create(storage, id), actions, sizeof actions / sizeof actions[0], 1);
        assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    }
}

void scene_make_store(void)
{
    struct storage *storage = fixture_open(scene.url);
    fill_store(storage);
    storage_close(storage);
}

void scene_make_killed(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        fill_store(fixture_open(scene.url));
        (void)kill(getpid(), SIGKILL);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
}

void scene_make_version(int version, const char *rows, enum scene_way_out way_out)
{
    const struct sqlite_schema schema = {sqlite_schema.migrations, version};
    sqlite3_int64 size = 0;
    unsigned char *image = sqlite_schema_image(&schema, &size);
    assert_non_null(image);
    scene_write_bytes(scene.path, image, (size_t)size, 0);
    sqlite3_free(image);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(scene.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA journal_mode=WAL", NULL, NULL, NULL), SQLITE_OK);
    if (sqlite3_exec(db, rows, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(db));
    if (way_out == SCENE_KILLED)
        assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

void scene_write_bytes(const char *name, const void *bytes, size_t size, long at)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, size, at), size);
    assert_int_equal(close(fd), 0);
}
