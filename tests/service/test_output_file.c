/* A file that is replaced whole or not at all. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "service/output_file.h"

enum { PATH_SIZE = 320 };

static char folder[] = "/tmp/arbiter-output-XXXXXX";

static const char *in_folder(const char *name)
{
    static char paths[4][PATH_SIZE];
    static unsigned next;
    char *path = paths[next++ % 4];
    (void)snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect_file(const char *path, const char *text)
{
    char read[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_true(fread(read, 1, sizeof read - 1, file) < sizeof read - 1);
    assert_int_equal(fclose(file), 0);
    assert_string_equal(read, text);
}

static unsigned files_in_folder(void)
{
    unsigned count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += entry->d_name[0] != '.';
    assert_int_equal(closedir(dir), 0);
    return count;
}

static void put(const char *path, const char *text, bool whole)
{
    struct output_file file;
    assert_true(output_file_open(&file, path));
    assert_true(fputs(text, file.stream) >= 0);
    assert_true(output_file_close(&file, whole));
}

static void a_new_file_is_there_when_it_is_whole(void **state)
{
    (void)state;
    const char *path = in_folder("new");
    struct output_file file;
    assert_true(output_file_open(&file, path));
    assert_int_equal(access(path, F_OK), -1);
    assert_true(fputs("text", file.stream) >= 0);
    assert_true(output_file_close(&file, true));
    expect_file(path, "text");
    assert_int_equal(files_in_folder(), 1);
}

static void what_is_not_whole_leaves_the_old_file_and_nothing_beside(void **state)
{
    (void)state;
    const char *path = in_folder("old");
    write_file(path, "old");
    put(path, "half", false);
    expect_file(path, "old");
    put(in_folder("none"), "half", false);
    assert_int_equal(files_in_folder(), 1);
}

static void a_replaced_file_keeps_its_mode(void **state)
{
    (void)state;
    struct stat status;
    const char *path = in_folder("secret");
    write_file(path, "old");
    assert_int_equal(chmod(path, 0600), 0);
    put(path, "new", true);
    expect_file(path, "new");
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_mode & 07777, 0600);
}

static void a_link_stays_a_link(void **state)
{
    (void)state;
    struct stat status;
    const char *link = in_folder("link");
    write_file(in_folder("target"), "old");
    assert_int_equal(symlink("target", link), 0);
    put(link, "new", true);
    assert_int_equal(lstat(link, &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    expect_file(in_folder("target"), "new");
}

static void a_pipe_is_written_to_and_not_replaced(void **state)
{
    (void)state;
    struct stat status;
    char read_back[8] = "";
    const char *path = in_folder("pipe");
    assert_int_equal(mkfifo(path, 0600), 0);
    int reader = open(path, O_RDONLY | O_NONBLOCK);
    assert_true(reader >= 0);
    put(path, "text", true);
    assert_int_equal(read(reader, read_back, sizeof read_back), 4);
    assert_string_equal(read_back, "text");
    assert_int_equal(close(reader), 0);
    assert_int_equal(lstat(path, &status), 0);
    assert_true(S_ISFIFO(status.st_mode));
}

static void a_folder_that_is_not_there_is_told(void **state)
{
    (void)state;
    struct output_file file;
    assert_false(output_file_open(&file, in_folder("no/such")));
    assert_false(output_file_open(&file, folder));
}

static int begin(void **state)
{
    (void)state;
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    return mkdtemp(folder) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    DIR *dir = opendir(folder);
    for (const struct dirent *entry; dir && (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            (void)unlink(in_folder(entry->d_name));
    (void)closedir(dir);
    return rmdir(folder);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_new_file_is_there_when_it_is_whole),
        TEST(what_is_not_whole_leaves_the_old_file_and_nothing_beside),
        TEST(a_replaced_file_keeps_its_mode),
        TEST(a_link_stays_a_link),
        TEST(a_pipe_is_written_to_and_not_replaced),
        TEST(a_folder_that_is_not_there_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
