/* Stores that are only read, by those who could write beside them and by those who could not: nothing is changed, nothing
 * is left, and what cannot be read is told with its cause. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "storage/file_lock.h"
#include "storage/sqlite.h"
#include "tests/storage/sqlite_scene.h"

enum { GAMES = 20, SOMEBODY_ELSE = 65534, NAME_SIZE = 512 };

static const struct storage_options reading = {.read_only = true};
static const struct storage_options checking = {.read_only = true, .even_damaged = true};

static bool count_game(void *context, const struct storage_game *row)
{
    (void)row;
    ++*(int *)context;
    return true;
}

static bool goes_on(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    (void)context;
    (void)done_bytes;
    (void)total_bytes;
    return true;
}

static void count_finding(void *context, const struct storage_finding *finding)
{
    (void)finding;
    ++*(int *)context;
}

static bool reads_all(const char *url, const struct storage_options *options)
{
    char error[STORAGE_ERROR_SIZE] = "";
    struct storage *storage = NULL;
    int games = 0, findings = 0;
    const struct storage_rows rows = {.context = &games, .game = count_game};
    const struct storage_work work = {.goes_on = goes_on};
    if (storage_open(url, options, &storage, error) != STORAGE_OPENED) {
        (void)fprintf(stderr, "%s\n", error);
        return false;
    }
    bool good = storage_all(storage, 0, 0, &rows) == STORAGE_OK &&
                storage_inspect(storage, &work, &findings, count_finding) == STORAGE_OK;
    storage_close(storage);
    return good && games == GAMES && findings == 0;
}

static bool is_beside(const char *suffix)
{
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%s%s", scene.path, suffix);
    return access(name, F_OK) == 0;
}

/* `try` in a process that may read what is in the folder, and may write none of it. */
static void assert_for_others(bool (*try)(void))
{
    int how = 0;
    assert_int_equal(chmod(scene.path, 0444), 0);
    assert_int_equal(chmod(scene.folder, 0555), 0);
    pid_t other = fork();
    if (other == 0) {
        bool became = geteuid() != 0 || (setgid(SOMEBODY_ELSE) == 0 && setuid(SOMEBODY_ELSE) == 0);
        _exit(became && try() ? 0 : 1);
    }
    assert_int_equal(waitpid(other, &how, 0), other);
    assert_int_equal(chmod(scene.folder, 0755), 0);
    assert_int_equal(how, 0);
}

static bool reads_in_every_way(void)
{
    return reads_all(scene.url, &reading) && reads_all(scene.url, &checking);
}

static void a_store_is_read_where_nothing_can_be_written(void **state)
{
    (void)state;
    scene_make_store();
    assert_for_others(reads_in_every_way);
}

static void remove_beside(const char *suffix)
{
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%s%s", scene.path, suffix);
    assert_int_equal(unlink(name), 0);
}

static void let_all_read(const char *suffix)
{
    char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%s%s", scene.path, suffix);
    assert_int_equal(chmod(name, 0444), 0);
}

static void a_log_is_read_where_nothing_can_be_written(void **state)
{
    (void)state;
    scene_make_killed();
    let_all_read("-wal");
    let_all_read("-shm");
    assert_for_others(reads_in_every_way);
    remove_beside("-shm");
    assert_for_others(reads_in_every_way);
    assert_false(is_beside("-shm"));
}

static bool tells_of_the_log(void)
{
    char error[STORAGE_ERROR_SIZE];
    return scene_try_open_as(&checking, error) == STORAGE_OPEN_FAILED && strstr(error, "its log ") &&
           scene_try_open_as(&reading, error) == STORAGE_OPEN_FAILED && strstr(error, "its log ");
}

static void a_log_that_may_not_be_read_is_told(void **state)
{
    (void)state;
    scene_make_killed();
    assert_for_others(tells_of_the_log);
}

/* As on a disk that is full: no file grows. */
static void assert_read_on_a_full_disk(void)
{
    int how = 0;
    pid_t other = fork();
    if (other == 0) {
        const struct rlimit none = {0};
        bool is_full = signal(SIGXFSZ, SIG_IGN) != SIG_ERR && setrlimit(RLIMIT_FSIZE, &none) == 0;
        _exit(is_full && reads_in_every_way() ? 0 : 1);
    }
    assert_int_equal(waitpid(other, &how, 0), other);
    assert_int_equal(how, 0);
}

static void a_store_is_read_on_a_full_disk(void **state)
{
    (void)state;
    scene_make_store();
    assert_read_on_a_full_disk();
    assert_false(is_beside("-wal"));
    assert_false(is_beside("-shm"));
}

static void a_log_is_read_on_a_full_disk(void **state)
{
    (void)state;
    scene_make_killed();
    assert_read_on_a_full_disk();
    remove_beside("-shm");
    assert_read_on_a_full_disk();
    assert_false(is_beside("-shm"));
}

static struct storage *others; /* opened to read, by whoever could not write */

static bool keeps_writers_away(void)
{
    char error[STORAGE_ERROR_SIZE];
    struct file_lock lock;
    if (storage_open(scene.url, &checking, &others, error) != STORAGE_OPENED)
        return false;
    pid_t writer = fork(); /* a lock of the same process would be told without asking the system */
    if (writer == 0) {
        struct flock byte = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)1 << 62, .l_len = 1};
        int fd = open(scene.path, O_RDONLY | O_CLOEXEC);
        _exit(fd >= 0 && fcntl(fd, F_OFD_GETLK, &byte) == 0 && byte.l_type == F_RDLCK ? 0 : 1);
    }
    int how = 1;
    bool told = waitpid(writer, &how, 0) == writer && how == 0;
    storage_close(others);
    bool is_free = file_lock_take(&lock, scene.path, O_RDONLY, error) == STORAGE_OPENED;
    if (is_free)
        file_lock_drop(&lock);
    return told && is_free;
}

/* Without shared memory nothing else would tell a reader that the file changes. */
static void a_file_that_is_read_alone_is_not_opened_to_write(void **state)
{
    (void)state;
    scene_make_store();
    assert_for_others(keeps_writers_away);
}

static void reading_leaves_nothing_beside_the_file(void **state)
{
    (void)state;
    scene_make_store();
    assert_true(reads_in_every_way());
    assert_false(is_beside("-wal"));
    assert_false(is_beside("-shm"));
}

static void a_log_that_was_there_stays_as_it_is(void **state)
{
    (void)state;
    struct stat before, after;
    char name[NAME_SIZE];
    scene_make_killed();
    (void)snprintf(name, sizeof name, "%s-wal", scene.path);
    assert_int_equal(stat(name, &before), 0);
    assert_true(reads_in_every_way());
    assert_int_equal(stat(name, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
    remove_beside("-shm");
    assert_true(reads_in_every_way());
    assert_false(is_beside("-shm"));
    assert_int_equal(stat(name, &after), 0);
    assert_int_equal(before.st_size, after.st_size);
}

/* One that was made ready and not written to yet: to tidy it away would be nothing but to remove it. */
static void a_log_with_nothing_in_it_stays_too(void **state)
{
    (void)state;
    static const char zeros[4096];
    char name[NAME_SIZE];
    struct stat after;
    scene_make_store();
    (void)snprintf(name, sizeof name, "%s-wal", scene.path);
    scene_write_bytes(name, zeros, sizeof zeros, 0);
    assert_true(reads_in_every_way());
    assert_int_equal(stat(name, &after), 0);
    assert_int_equal(after.st_size, sizeof zeros);
    assert_false(is_beside("-shm"));
}

/* Bytes 18 and 19 of the header: 1 is a rollback journal, 2 is a write-ahead log. */
static void a_copy_is_a_file_that_needs_nothing_beside_it(void **state)
{
    (void)state;
    char copy[NAME_SIZE], url[NAME_SIZE + 8], error[STORAGE_ERROR_SIZE], header[20] = "";
    const struct storage_work work = {.goes_on = goes_on};
    struct storage *storage = NULL;
    scene_make_store();
    (void)snprintf(copy, sizeof copy, "%s/copy", scene.folder);
    (void)snprintf(url, sizeof url, "sqlite:%s", copy);
    assert_int_equal(storage_open(scene.url, &reading, &storage, error), STORAGE_OPENED);
    assert_int_equal(storage_copy(storage, copy, &work, error), STORAGE_COPIED);
    storage_close(storage);
    int fd = open(copy, O_RDONLY | O_CLOEXEC);
    assert_int_equal(read(fd, header, sizeof header), sizeof header);
    (void)close(fd);
    assert_int_equal(header[18], 1);
    assert_int_equal(header[19], 1);
    const struct storage_options serving = {.must_exist = true};
    assert_true(reads_all(url, &checking));
    assert_true(reads_all(url, &serving));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(a_store_is_read_where_nothing_can_be_written),
        SCENE_TEST(a_log_is_read_where_nothing_can_be_written),
        SCENE_TEST(a_log_that_may_not_be_read_is_told),
        SCENE_TEST(a_store_is_read_on_a_full_disk),
        SCENE_TEST(a_log_is_read_on_a_full_disk),
        SCENE_TEST(a_file_that_is_read_alone_is_not_opened_to_write),
        SCENE_TEST(reading_leaves_nothing_beside_the_file),
        SCENE_TEST(a_log_that_was_there_stays_as_it_is),
        SCENE_TEST(a_log_with_nothing_in_it_stays_too),
        SCENE_TEST(a_copy_is_a_file_that_needs_nothing_beside_it),
    };
    return cmocka_run_group_tests_name("sqlite: reading", tests, NULL, NULL);
}
