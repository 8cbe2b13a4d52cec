#include "service/progress.h"

#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "service/monotonic.h"

enum { TELL_MS = 250 };

static const double MB = 1e6;

void progress_begin(struct progress *progress, uint64_t total_bytes, uint64_t total_games)
{
    *progress = (struct progress){
        .shown = isatty(STDERR_FILENO) != 0,
        .total_bytes = total_bytes,
        .total_games = total_games,
        .begun_ms = monotonic_ms(),
    };
    progress->told_ms = progress->begun_ms;
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
    if (progress->total_games)
        (void)fprintf(stderr, "\r%" PRIu64 " of %" PRIu64 " games, ", games, progress->total_games);
    else
        (void)fprintf(stderr, "\r%" PRIu64 " games, ", games);
}

void progress_tell(struct progress *progress, uint64_t games, uint64_t bytes)
{
    int64_t now_ms = progress->shown ? monotonic_coarse_ms() : 0;
    if (!progress->shown || now_ms - progress->told_ms < TELL_MS)
        return;
    progress->told_ms = now_ms;
    double seconds = progress_seconds(progress);
    print_games(progress, games);
    if (progress->total_bytes)
        (void)fprintf(stderr, "%.1f of %.1f MB", (double)bytes / MB, (double)progress->total_bytes / MB);
    else
        (void)fprintf(stderr, "%.1f MB", (double)bytes / MB);
    (void)fprintf(stderr, ", %.1f MB/s, %.0f games/s", (double)bytes / MB / seconds, (double)games / seconds);
    double left = seconds_left(progress, games, bytes);
    if (left >= 0)
        print_left(left);
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
