/* Files: made in one step, opened by one process, brought forward. */
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/file_lock.h"
#include "storage/sqlite.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/storage_fixture.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static off_t size_of_store(void)
{
    struct stat file;
    assert_int_equal(stat(scene.path, &file), 0);
    return file.st_size;
}

static void a_store_that_was_killed_opens_with_all_it_had(void **state)
{
    (void)state;
    scene_make_killed();
    struct storage *storage = fixture_open(scene.url);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "filled000000", &none), STORAGE_OK);
    assert_int_equal(storage_load(storage, "filled000019", &none), STORAGE_OK);
    storage_close(storage);
}

static void a_new_file_is_whole_and_nothing_lies_beside_it_when_closed(void **state)
{
    (void)state;
    char error[STORAGE_ERROR_SIZE] = "x";
    assert_int_equal(scene_try_open(error), STORAGE_OPENED);
    assert_string_equal(error, "");
    assert_int_equal(size_of_store() % 4096, 0);
    assert_int_equal(unlink(scene.path), 0);
    assert_int_equal(rmdir(scene.folder), 0);
    assert_int_equal(mkdir(scene.folder, 0700), 0);
}

static void touch(const char *path)
{
    FILE *file = fopen(path, "wx");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

static void a_draft_that_a_killed_process_left_goes_and_others_stay(void **state)
{
    (void)state;
    static const struct draft {
        const char *name;
        bool stays;
    } drafts[] = {
        {"arbiter.db.new-0123abcd", false}, {"arbiter.db.new-ffffffff", true /* it is held */},
        {"arbiter.db.new-0123abc", true},   {"arbiter.db.new-0123abcde", true},
        {"arbiter.db.new-0123ABCD", true},  {"other.db.new-0123abcd", true},
    };
    char error[STORAGE_ERROR_SIZE];
    char *held = fixture_path(scene.folder, "arbiter.db.new-ffffffff");
    struct file_lock lock;
    for (size_t i = 0; i < LENGTH(drafts); i++) {
        char *path = fixture_path(scene.folder, drafts[i].name);
        touch(path);
        free(path);
    }
    assert_int_equal(file_lock_take(&lock, held, O_RDWR, error), STORAGE_OPENED);
    assert_int_equal(scene_try_open(error), STORAGE_OPENED);
    file_lock_drop(&lock);
    for (size_t i = 0; i < LENGTH(drafts); i++) {
        char *path = fixture_path(scene.folder, drafts[i].name);
        if ((access(path, F_OK) == 0) != drafts[i].stays)
            fail_msg("%s", drafts[i].name);
        (void)unlink(path);
        free(path);
    }
    free(held);
}

static void a_link_to_nowhere_is_not_followed(void **state)
{
    (void)state;
    char *nowhere = fixture_path(scene.folder, "nowhere.db");
    assert_int_equal(symlink(nowhere, scene.path), 0);
    uint64_t before = fixture_sum_of_folder(scene.folder);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_FAILED);
    scene_assert_contains(error, "File exists");
    assert_true(fixture_sum_of_folder(scene.folder) == before);
    free(nowhere);
}

struct opener {
    pthread_t thread;
    struct storage *storage;
    enum storage_open_status status;
    _Atomic pid_t task;
    _Atomic bool ended;
};

static void *open_in_thread(void *argument)
{
    struct opener *opener = argument;
    opener->task = gettid();
    const struct storage_options options = {0};
    char error[STORAGE_ERROR_SIZE];
    opener->status = storage_open(scene.url, &options, &opener->storage, error);
    opener->ended = true;
    return NULL;
}

static void of_many_who_make_a_file_at_once_one_gets_it(void **state)
{
    (void)state;
    struct opener openers[8] = {0};
    size_t opened = 0;
    for (size_t i = 0; i < LENGTH(openers); i++)
        assert_int_equal(pthread_create(&openers[i].thread, NULL, open_in_thread, &openers[i]), 0);
    for (size_t i = 0; i < LENGTH(openers); i++) {
        assert_int_equal(pthread_join(openers[i].thread, NULL), 0);
        opened += openers[i].status == STORAGE_OPENED;
        assert_true(openers[i].status == STORAGE_OPENED || openers[i].status == STORAGE_OPEN_LOCKED);
    }
    assert_int_equal(opened, 1);
    for (size_t i = 0; i < LENGTH(openers); i++)
        storage_close(openers[i].storage);
    assert_int_equal(unlink(scene.path), 0);
    assert_int_equal(rmdir(scene.folder), 0); /* no draft is left */
    assert_int_equal(mkdir(scene.folder, 0700), 0);
}

static void a_name_with_odd_characters_is_taken_as_it_is(void **state)
{
    (void)state;
    char *odd = fixture_path(scene.folder, "50% of #1?mode=memory&x .db");
    char *odd_url = NULL;
    assert_true(asprintf(&odd_url, "sqlite:%s", odd) > 0);
    storage_close(fixture_open(odd_url));
    storage_close(fixture_open(odd_url));
    assert_int_equal(access(odd, F_OK), 0);
    free(odd_url);
    free(odd);
}

static void a_relative_name_stays_where_it_was_opened(void **state)
{
    (void)state;
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(here >= 0);
    assert_int_equal(chdir(scene.folder), 0);
    struct storage *storage = fixture_open("sqlite:arbiter.db");
    assert_int_equal(fchdir(here), 0);
    assert_int_equal(close(here), 0);
    (void)fixture_create(storage, "relative2345");
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "relative2345", &none), STORAGE_OK);
    storage_close(storage);
    assert_int_equal(access(scene.path, F_OK), 0);
}

static void a_folder_is_no_file(void **state)
{
    (void)state;
    assert_int_equal(mkdir(scene.path, 0700), 0);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_FAILED);
    scene_assert_contains(error, "it is a folder");
}

static void a_pipe_is_no_file(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(scene.path, 0600), 0);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_FAILED);
    scene_assert_contains(error, "it is no file");
}

static void a_missing_folder_is_said(void **state)
{
    (void)state;
    struct storage *storage = NULL;
    const struct storage_options options = {0};
    char error[STORAGE_ERROR_SIZE];
    char *missing = NULL;
    assert_true(asprintf(&missing, "sqlite:%s/no/arbiter.db", scene.folder) > 0);
    assert_int_equal(storage_open(missing, &options, &storage, error), STORAGE_OPEN_FAILED);
    scene_assert_contains(error, "No such file or directory");
    assert_null(storage);
    free(missing);
}

static void missing_rights_are_said(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); /* root may do everything */
    scene_make_store();
    assert_int_equal(chmod(scene.path, 0), 0);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_FAILED);
    scene_assert_contains(error, "Permission denied");
}

static void a_missing_file_is_not_made_for_reading(void **state)
{
    (void)state;
    const struct storage_options read_only = {.read_only = true};
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open_as(&read_only, error), STORAGE_OPEN_FAILED);
    assert_int_not_equal(access(scene.path, F_OK), 0);
}

static void a_missing_file_is_not_made_where_it_must_exist(void **state)
{
    (void)state;
    const struct storage_options options = {.must_exist = true};
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open_as(&options, error), STORAGE_OPEN_FAILED);
    scene_assert_contains(error, "No such file");
    assert_int_not_equal(access(scene.path, F_OK), 0);
    assert_int_equal(scene_try_open(error), STORAGE_OPENED); /* which makes it */
    assert_int_equal(scene_try_open_as(&options, error), STORAGE_OPENED);
}

static void an_unknown_kind_of_storage_is_said(void **state)
{
    (void)state;
    static const char *const urls[] = {"", "arbiter.db", "mysql://x", "SQLITE:x", "sqlite:"};
    for (size_t i = 0; i < LENGTH(urls); i++) {
        struct storage *storage = NULL;
        const struct storage_options options = {0};
        char error[STORAGE_ERROR_SIZE];
        assert_int_equal(storage_open(urls[i], &options, &storage, error), STORAGE_OPEN_FAILED);
        assert_int_equal(error[strlen(error) - 1], '.');
    }
}

static void a_second_store_of_a_file_is_locked_out_in_this_process(void **state)
{
    (void)state;
    struct storage *first = fixture_open(scene.url);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_LOCKED);
    scene_assert_contains(error, "in use by another arbiterd");
    (void)fixture_create(first, "unharmed2345");
    storage_close(first);
    assert_int_equal(scene_try_open(error), STORAGE_OPENED);
}

static void every_name_of_a_file_meets_the_same_lock(void **state)
{
    (void)state;
    struct storage *first = fixture_open(scene.url);
    free(scene.url);
    char *link_path = fixture_path(scene.folder, "alias.db");
    assert_true(asprintf(&scene.url, "sqlite:%s", link_path) > 0);
    assert_int_equal(symlink(scene.path, link_path), 0);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_LOCKED);
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(link(scene.path, link_path), 0);
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_LOCKED);
    free(link_path);
    storage_close(first);
}

/* A process that holds the store until it is killed. */
static pid_t hold_in_another_process(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct storage *storage = fixture_open(scene.url);
        (void)fixture_create(storage, "holder234567");
        if (write(ends[1], "x", 1) == 1)
            for (;;)
                (void)pause();
        _exit(1);
    }
    assert_int_equal(close(ends[1]), 0);
    char sign = 0;
    assert_int_equal(read(ends[0], &sign, 1), 1);
    assert_int_equal(close(ends[0]), 0);
    return child;
}

static void a_second_process_is_locked_out_until_the_first_is_killed(void **state)
{
    (void)state;
    pid_t holder = hold_in_another_process();
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_LOCKED);
    scene_assert_contains(error, scene.path);
    /* A look does not loosen it. */
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_LOCKED);
    const struct storage_options read_only = {.read_only = true};
    assert_int_equal(scene_try_open_as(&read_only, error), STORAGE_OPENED);
    assert_int_equal(kill(holder, SIGKILL), 0);
    int how = 0;
    assert_int_equal(waitpid(holder, &how, 0), holder);
    struct storage *storage = fixture_open(scene.url);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "holder234567", &none), STORAGE_OK);
    storage_close(storage);
}

static bool sleeps(pid_t task)
{
    char name[64], line[256] = "";
    (void)snprintf(name, sizeof name, "/proc/self/task/%d/stat", (int)task);
    FILE *file = fopen(name, "re");
    if (!file)
        return false;
    bool read = fgets(line, sizeof line, file) != NULL;
    const char *name_end = strrchr(line, ')');
    (void)fclose(file);
    return read && name_end && name_end[2] == 'S';
}

/* Whoever opens it to read holds the lock while he looks at it. */
static void a_file_that_somebody_just_looks_at_is_waited_for(void **state)
{
    (void)state;
    struct opener opener = {0};
    struct file_lock look;
    char error[STORAGE_ERROR_SIZE];
    scene_make_store();
    assert_int_equal(file_lock_take(&look, scene.path, O_RDWR, error), STORAGE_OPENED);
    assert_int_equal(pthread_create(&opener.thread, NULL, open_in_thread, &opener), 0);
    while (!sleeps(opener.task) && !opener.ended)
        (void)sched_yield();
    file_lock_drop(&look);
    assert_int_equal(pthread_join(opener.thread, NULL), 0);
    assert_int_equal(opener.status, STORAGE_OPENED);
    storage_close(opener.storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(a_store_that_was_killed_opens_with_all_it_had),
        SCENE_TEST(a_new_file_is_whole_and_nothing_lies_beside_it_when_closed),
        SCENE_TEST(a_draft_that_a_killed_process_left_goes_and_others_stay),
        SCENE_TEST(a_link_to_nowhere_is_not_followed),
        SCENE_TEST(of_many_who_make_a_file_at_once_one_gets_it),
        SCENE_TEST(a_name_with_odd_characters_is_taken_as_it_is),
        SCENE_TEST(a_relative_name_stays_where_it_was_opened),
        SCENE_TEST(a_folder_is_no_file),
        SCENE_TEST(a_pipe_is_no_file),
        SCENE_TEST(a_missing_folder_is_said),
        SCENE_TEST(missing_rights_are_said),
        SCENE_TEST(a_missing_file_is_not_made_for_reading),
        SCENE_TEST(a_missing_file_is_not_made_where_it_must_exist),
        SCENE_TEST(an_unknown_kind_of_storage_is_said),
        SCENE_TEST(a_second_store_of_a_file_is_locked_out_in_this_process),
        SCENE_TEST(every_name_of_a_file_meets_the_same_lock),
        SCENE_TEST(a_second_process_is_locked_out_until_the_first_is_killed),
        SCENE_TEST(a_file_that_somebody_just_looks_at_is_waited_for),
    };
    return cmocka_run_group_tests_name("sqlite: files", tests, NULL, NULL);
}
