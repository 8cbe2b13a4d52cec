/* The inputs kept in tests/fuzz/corpus, each whole and cut after each of its first bytes, through the targets that
 * libFuzzer runs. What a fuzzer once found stays there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <dirent.h>

#include "tests/fuzz/fuzz.h"

enum { INPUT_MAX = 1 << 20, CUTS_MAX = 256, FILES_MIN = 10 };

/* A copy of its own size, so that a sanitizer sees a byte too many. */
static void run(fuzz_target *target, const uint8_t *bytes, size_t length)
{
    uint8_t *copy = malloc(length ? length : 1);
    assert_non_null(copy);
    memcpy(copy, bytes, length);
    target(copy, length);
    free(copy);
}

/* A request that is cut costs a transaction. */
static size_t cuts_of(fuzz_target *target)
{
    return target == fuzz_api ? CUTS_MAX / 32 : CUTS_MAX;
}

static void run_file(fuzz_target *target, const char *path)
{
    static uint8_t bytes[INPUT_MAX];
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, sizeof bytes, file);
    assert_int_equal(fclose(file), 0);
    assert_true(length < sizeof bytes);
    for (size_t cut = 0; cut < length && cut < cuts_of(target); cut++)
        run(target, bytes, cut);
    run(target, bytes, length);
}

struct folder {
    const char *name; /* below tests/fuzz/corpus */
    fuzz_target *target;
};

static void inputs_hold(void **state)
{
    const struct folder *folder = *state;
    const struct dirent *entry;
    unsigned files = 0;
    char path[512];
    (void)snprintf(path, sizeof path, "tests/fuzz/corpus/%s", folder->name);
    DIR *dir = opendir(path);
    assert_non_null(dir);
    while ((entry = readdir(dir)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        (void)snprintf(path, sizeof path, "tests/fuzz/corpus/%s/%s", folder->name, entry->d_name);
        printf("%s\n", path);
        run_file(folder->target, path);
        files++;
    }
    closedir(dir);
    assert_true(files >= FILES_MIN);
}

#define FOLDER(target)                                                                                       \
    {                                                                                                        \
#target, inputs_hold, NULL, NULL, &(struct folder)                                                   \
        {                                                                                                    \
#target, fuzz_##target                                                                           \
        }                                                                                                    \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER(fen),   FOLDER(san),    FOLDER(pgn),    FOLDER(clock),  FOLDER(json), FOLDER(fields),
        FOLDER(route), FOLDER(accept), FOLDER(client), FOLDER(stored), FOLDER(uci),  FOLDER(options),
        FOLDER(token), FOLDER(cursor), FOLDER(head),   FOLDER(api),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
