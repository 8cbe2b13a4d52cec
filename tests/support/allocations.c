#include "tests/support/allocations.h"

#include <errno.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include <sqlite3.h>

static atomic_uint calls, failing; /* of those since allocations_fail; 0: none */
static _Thread_local bool paused;

static bool fails(void)
{
    if (paused || atomic_load(&failing) == 0 || atomic_fetch_add(&calls, 1) + 1 != atomic_load(&failing))
        return false;
    errno = ENOMEM;
    return true;
}

void allocations_fail(unsigned nth)
{
    atomic_store(&calls, 0);
    atomic_store(&failing, nth);
}

bool allocations_heal(void)
{
    unsigned nth = atomic_exchange(&failing, 0);
    return atomic_load(&calls) >= nth;
}

void allocations_pause(void)
{
    paused = true;
}

void allocations_resume(void)
{
    paused = false;
}

/* ---- ours ---- */

void *__real_malloc(size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_malloc(size_t size)
{
    return fails() ? NULL : __real_malloc(size);
}

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size)
{
    return fails() ? NULL : __real_calloc(count, size);
}

void *__real_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size);
void *__wrap_realloc(void *block, size_t size)
{
    return fails() ? NULL : __real_realloc(block, size);
}

char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    return fails() ? NULL : __real_strdup(text);
}

char *__real_realpath(const char *path, char *whole);
char *__wrap_realpath(const char *path, char *whole);
char *__wrap_realpath(const char *path, char *whole)
{
    return fails() ? NULL : __real_realpath(path, whole);
}

int __real_vasprintf(char **text, const char *format, va_list arguments);
__attribute__((format(printf, 2, 3))) int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
    if (fails())
        return -1;
    va_list arguments;
    va_start(arguments, format);
    int length = __real_vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}

__attribute__((format(printf, 2, 0))) int __wrap_vasprintf(char **text, const char *format,
                                                           va_list arguments);
int __wrap_vasprintf(char **text, const char *format, va_list arguments)
{
    return fails() ? -1 : __real_vasprintf(text, format, arguments);
}

/* ---- those of SQLite ---- */

static sqlite3_mem_methods usual;

static void *allocate(int size)
{
    return fails() ? NULL : usual.xMalloc(size);
}

static void *reallocate(void *block, int size)
{
    return fails() ? NULL : usual.xRealloc(block, size);
}

bool allocations_install(void)
{
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &usual) != SQLITE_OK)
        return false;
    sqlite3_mem_methods failing_methods = usual;
    failing_methods.xMalloc = allocate;
    failing_methods.xRealloc = reallocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &failing_methods) == SQLITE_OK;
}
