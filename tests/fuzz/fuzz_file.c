#include "tests/fuzz/fuzz_file.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tests/fuzz/fuzz.h"

const char *fuzz_file(struct text_span text)
{
    static int file = -1;
    static char name[32];
    if (file < 0) {
        file = memfd_create("input", MFD_CLOEXEC);
        FUZZ_CHECK(file >= 0);
        (void)snprintf(name, sizeof name, "/proc/self/fd/%d", file);
    }
    FUZZ_CHECK(ftruncate(file, 0) == 0);
    FUZZ_CHECK(text.length == 0 || pwrite(file, text.text, text.length, 0) == (ssize_t)text.length);
    return name;
}
