#include "bench/load_server.h"

#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* The first bytes of /proc/PID/NAME, as text. */
static size_t read_proc(int pid, const char *name, char *text, size_t size)
{
    char path[64];
    (void)snprintf(path, sizeof path, "/proc/%d/%s", pid, name);
    FILE *file = fopen(path, "re");
    if (!file)
        return 0;
    size_t length = fread(text, 1, size - 1, file);
    (void)fclose(file);
    text[length] = '\0';
    return length;
}

/* The second field is a name in brackets that may hold anything: fields are counted from its end. */
static double processor_s(const char *stat)
{
    const char *at = strrchr(stat, ')');
    unsigned long user = 0;
    unsigned long system = 0;
    if (!at || sscanf(at + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", // NOLINT(cert-err34-c)
                      &user, &system) != 2)
        return 0;
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

struct server_usage server_usage(int pid)
{
    struct server_usage usage = {0};
    char text[4096];
    if (pid == 0)
        return usage;
    if (read_proc(pid, "stat", text, sizeof text) > 0)
        usage.processor_s = processor_s(text);
    if (read_proc(pid, "status", text, sizeof text) > 0) {
        const char *line = strstr(text, "\nVmRSS:");
        if (line)
            (void)sscanf(line, "\nVmRSS: %ld", &usage.resident_kib); // NOLINT(cert-err34-c)
    }
    return usage;
}

uint64_t server_now_ns(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}
