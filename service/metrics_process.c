#include "service/metrics_process.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "api/writer.h"

void metrics_process_init(struct metrics_process *process)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    process->start_seconds = (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void write_gauge(struct writer *out, const char *name, const char *help, double n)
{
    writer_printf(out, "# HELP %s %s\n# TYPE %s gauge\n%s %.17g\n", name, help, name, name, n);
}

static void write_memory(struct writer *out)
{
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return;
    uint64_t pages = 0, resident = 0;
    int read =
        fscanf(file, "%" SCNu64 " %" SCNu64, &pages, &resident); /* NOLINT(cert-err34-c): the kernel's text */
    (void)fclose(file);
    if (read != 2)
        return;
    double page = (double)sysconf(_SC_PAGESIZE);
    write_gauge(out, "process_virtual_memory_bytes", "Virtual memory size.", (double)pages * page);
    write_gauge(out, "process_resident_memory_bytes", "Resident memory size.", (double)resident * page);
}

static void write_descriptors(struct writer *out)
{
    DIR *folder = opendir("/proc/self/fd");
    if (!folder)
        return;
    int count = -3;         /* ".", ".." and the folder's own */
    while (readdir(folder)) /* NOLINT(concurrency-mt-unsafe): a stream of our own */
        count++;
    (void)closedir(folder);
    write_gauge(out, "process_open_fds", "Open file descriptors.", count);
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
        write_gauge(out, "process_max_fds", "The most file descriptors.", (double)limit.rlim_cur);
}

static double seconds(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec / 1e6;
}

void metrics_process_write(const struct metrics_process *process, struct writer *out)
{
    write_gauge(out, "process_start_time_seconds", "Start of the process, Unix time.",
                process->start_seconds);
    write_memory(out);
    write_descriptors(out);
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) == 0)
        writer_printf(out,
                      "# HELP process_cpu_seconds_total User and system CPU time.\n"
                      "# TYPE process_cpu_seconds_total counter\nprocess_cpu_seconds_total %.6f\n",
                      seconds(usage.ru_utime) + seconds(usage.ru_stime));
}
