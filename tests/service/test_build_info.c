/* service/build_info: the libraries that a report of a fault should name. */
#include "service/build_info.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "storage/storage.h"

static void libraries_and_compiler_are_named(void **state)
{
    (void)state;
    char storage[STORAGE_VERSIONS_SIZE];
    storage_versions(storage);
    const char *const parts[] = {"libmicrohttpd ", storage, __VERSION__, "sanitizers: "};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (!strstr(build_info(), parts[i]))
            fail_msg("'%s' does not name '%s'", build_info(), parts[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(libraries_and_compiler_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
