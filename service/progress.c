#include "service/progress.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "service/monotonic.h"

enum { TELL_MS = 250, PLAIN_MS = 10000 };

static const double MB = 1e6;

void progress_begin(struct progress *progress, uint64_t total_bytes, uint64_t total_games)
{
    *progress = (struct progress){
        .shown = isatty(STDERR_FILENO) != 0,
        .total_bytes = total_bytes,
        .total_games = total_games,
        .begun_ms = monotonic_ms(),
    };
    progress->looked_ms = progress->told_ms = progress->begun_ms;
}

void progress_begin_bytes(struct progress *progress, const char *what, uint64_t total_bytes)
{
    progress_begin(progress, total_bytes, 0);
    progress->what = what;
}

double progress_seconds(const struct progress *progress)
{
    int64_t spent_ms = monotonic_ms() - progress->begun_ms;
    return (double)(spent_ms > 0 ? spent_ms : 1) / 1e3;
}

/* What is left, by the rate so far; -1: nobody knows. */
static double seconds_left(const struct progress *progress, uint64_t games, uint64_t bytes)
{
    uint64_t total = progress->total_bytes ? progress->total_bytes : progress->total_games;
    uint64_t done = progress->total_bytes ? bytes : games;
    if (total == 0 || done == 0 || done > total)
        return -1;
    return progress_seconds(progress) * (double)(total - done) / (double)done;
}

static void print_left(double seconds)
{
    unsigned long left = (unsigned long)(seconds + 0.5);
    if (left >= 3600)
        (void)fprintf(stderr, ", %lu:%02lu:%02lu left", left / 3600, left / 60 % 60, left % 60);
    else
        (void)fprintf(stderr, ", %lu:%02lu left", left / 60, left % 60);
}

static void print_games(const struct progress *progress, uint64_t games)
{
    if (progress->what)
        (void)fputs(progress->what, stderr);
    else if (progress->total_games)
        (void)fprintf(stderr, "%" PRIu64 " of %" PRIu64 " games", games, progress->total_games);
    else
        (void)fprintf(stderr, "%" PRIu64 " games", games);
}

/* Behind what is counted. */
static void print_bytes(const struct progress *progress, uint64_t bytes)
{
    const char *then = progress->what ? ": " : ", ";
    if (progress->total_bytes)
        (void)fprintf(stderr, "%s%.1f of %.1f MB", then, (double)bytes / MB,
                      (double)progress->total_bytes / MB);
    else if (bytes)
        (void)fprintf(stderr, "%s%.1f MB", then, (double)bytes / MB);
    if (bytes)
        (void)fprintf(stderr, ", %.1f MB/s", (double)bytes / MB / progress_seconds(progress));
}

static void print(const struct progress *progress, uint64_t games, uint64_t bytes)
{
    print_games(progress, games);
    print_bytes(progress, bytes);
    if (!progress->what)
        (void)fprintf(stderr, ", %.0f games/s", (double)games / progress_seconds(progress));
    double left = seconds_left(progress, games, bytes);
    if (left >= 0)
        print_left(left);
}

static bool is_asked(void)
{
    static const struct timespec at_once = {0};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    return sigtimedwait(&set, NULL, &at_once) > 0;
}

/* Behind what stands on the terminal, and to stay there. */
static void print_plain(struct progress *progress, uint64_t games, uint64_t bytes, int64_t now_ms)
{
    progress_clear(progress);
    print(progress, games, bytes);
    (void)fputc('\n', stderr);
    progress->told_ms = now_ms;
}

void progress_tell(struct progress *progress, uint64_t games, uint64_t bytes)
{
    int64_t now_ms = monotonic_coarse_ms();
    if (now_ms - progress->looked_ms < TELL_MS)
        return;
    progress->looked_ms = now_ms;
    if (is_asked() || (!progress->shown && now_ms - progress->told_ms >= PLAIN_MS))
        print_plain(progress, games, bytes, now_ms);
    if (!progress->shown)
        return;
    (void)fputc('\r', stderr);
    print(progress, games, bytes);
    (void)fputs("\033[K", stderr);
    (void)fflush(stderr);
    progress->is_there = true;
}

void progress_clear(struct progress *progress)
{
    if (progress->is_there)
        (void)fputs("\r\033[K", stderr);
    progress->is_there = false;
}
