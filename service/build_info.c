#include "service/build_info.h"

#include <microhttpd.h>
#include <stdio.h>

#include "storage/storage.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZERS "address"
#elif defined(__SANITIZE_THREAD__)
#define SANITIZERS "thread"
#else
#define SANITIZERS "none"
#endif

#if defined(__clang__)
#define COMPILER __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

const char *build_info(void)
{
    static char text[160 + STORAGE_VERSIONS_SIZE];
    char storage[STORAGE_VERSIONS_SIZE];
    storage_versions(storage);
    if (!*text)
        (void)snprintf(text, sizeof text, "libmicrohttpd %s, %s, %s, sanitizers: %s", MHD_get_version(),
                       storage, COMPILER, SANITIZERS);
    return text;
}
