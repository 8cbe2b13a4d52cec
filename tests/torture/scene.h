/* The daemon that is tortured, its files, and looks at both. */
#pragma once

#include "tests/support/daemon_faults.h"
#include "tests/support/daemon_fixture.h"

/* Around each test, with a disk that can fail. */
int scene_set(void **state);
int scene_clear(void **state);
#define SCENE_TEST(name) cmocka_unit_test_setup_teardown(name, scene_set, scene_clear)

enum { SCENE_PATH_SIZE = DAEMON_PATH_SIZE + 64 };

/* A file of the folder, until the next call but three. */
const char *scene_path(const char *name);
/* Removes all files of the folder that begin with `name`. */
void scene_remove(const char *name);
void scene_copy(const char *from, const char *to);
/* How many files of the folder begin so. */
unsigned scene_count(const char *beginning);

/* A number from the environment, or this one. */
unsigned scene_number(const char *variable, unsigned usual);

/* The daemon on the store of that name. */
void scene_start(const char *name);
/* False: it has ended before it listened; `code` is how. */
bool scene_try_start(const char *name, int *code);
/* SIGKILL, and waits for the end. */
void scene_kill(void);
/* SIGTERM, and it ends well. */
void scene_stop(void);

/* Another command of the program, on STORE unless it says otherwise: `arguments` end in NULL. Its exit code. */
int scene_run(const char *const *arguments);

/* SQLite and `arbiterd check` find nothing wrong with the file, whether somebody serves it or not. */
void scene_assert_whole(const char *name);

/* The body of a 200, for free(). */
char *scene_get(const char *target);
/* The status of a request with a body of JSON, or none. */
unsigned scene_ask(const char *method, const char *target, const char *body);
