/* A folder with the file of one SQLite store, for the tests of that backend. */
#pragma once

#include "storage/storage.h"

/* Of the running test. */
extern struct scene {
    char *folder, *path, *url;
} scene;

/* Around each test: nothing is opened or made but the folder. */
int scene_set(void **state);
int scene_clear(void **state);
#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, scene_set, scene_clear)

/* Opens and closes. */
enum storage_open_status scene_try_open(char error[STORAGE_ERROR_SIZE]);
enum storage_open_status scene_try_open_as(const struct storage_options *options,
                                           char error[STORAGE_ERROR_SIZE]);

/* Fails the test unless `text` has `part` in it. */
void scene_assert_contains(const char *text, const char *part);

/* A closed store of twenty games, filled000000 to filled000019, of 60 moves each. */
void scene_make_store(void);

/* The same as a killed process leaves it: all of it is in the log. */
void scene_make_killed(void);

/* A store of an earlier schema with these rows (SQL), as a release of that time left it. */
enum scene_way_out { SCENE_CLOSED, SCENE_KILLED };
void scene_make_version(int version, const char *rows, enum scene_way_out way_out);

/* Writes into a file, which is made if there is none. */
void scene_write_bytes(const char *name, const void *bytes, size_t size, long at);
