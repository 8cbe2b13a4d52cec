#include "service/log.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "service/log_line.h"
#include "service/monotonic.h"

enum {
    /* Some 2,700 usual requests while the writer thread is away; two of them, and a third for their lines. */
    BUFFER_SIZE = 256 * 1024,
    /* Lines gather so long before they are written, so that thousands a second cost a few system calls. */
    GATHER_MS = 20,
    /* A pipe that polls writable takes that much (PIPE_BUF) without blocking. A file takes all. */
    PIECE_SIZE = 4096,
    /* At the end, a descriptor that takes nothing for so long is given up. */
    GIVE_UP_MS = 1000,
};

/* What waits to be written. Of a request only what happened is noted: the writer thread makes the line, for network threads
 * have better things to do. */
struct record {
    size_t size;   /* with its texts; the next one begins behind it */
    size_t length; /* of `texts`, which is a line; 0: a request */
    int64_t unix_ms;
    const char *route, *code;
    uint64_t bytes, duration_ns;
    unsigned status;
    char texts[]; /* of a request: its id, its method, the client and the trace parent, each with its NUL */
};

struct log {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    char *filling; /* the records of callers; guarded by lock, as the next four */
    size_t length;
    char *writing;
    bool urgent, stopping;
    char *lines; /* the thread's, as the next three */
    size_t lines_length;
    bool given_up;
    bool is_cut; /* the descriptor has taken a part of a line, and has failed */
    int fd;
    size_t piece_size;
    bool json;
    _Atomic int level;
    _Atomic uint64_t dropped;
    pthread_t thread;
};

const char *const log_level_names[] = {"error", "warn", "info", "debug", NULL};

/* A few milliseconds coarse: that is good enough for people, and cheaper. */
static int64_t unix_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* Waits until a write of one piece cannot block. False: the log ends and the reader does not read. */
static bool wait_writable(struct log *log)
{
    struct pollfd writable = {.fd = log->fd, .events = POLLOUT};
    for (;;) {
        if (poll(&writable, 1, GIVE_UP_MS) != 0)
            return true; /* or broken: write tells */
        pthread_mutex_lock(&log->lock);
        bool stopping = log->stopping;
        pthread_mutex_unlock(&log->lock);
        log->given_up = stopping;
        if (stopping)
            return false;
    }
}

/* How many of the bytes are left, which nobody takes. */
static size_t write_bytes(struct log *log, const char *bytes, size_t length)
{
    while (length && !log->given_up && wait_writable(log)) {
        ssize_t written = write(log->fd, bytes, length < log->piece_size ? length : log->piece_size);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return length;
        if (written > 0) {
            bytes += written;
            length -= (size_t)written;
        }
    }
    return length;
}

/* Whole lines; what was cut before them is ended first. How many of them are lost, of which the first may have been cut. */
static uint64_t write_lines(struct log *log, const char *lines, size_t length)
{
    uint64_t lost = 0;
    if (log->is_cut && length)
        log->is_cut = write_bytes(log, "\n", 1) != 0;
    size_t left = log->is_cut ? length : write_bytes(log, lines, length);
    if (left && left < length && lines[length - left - 1] != '\n')
        log->is_cut = true;
    for (const char *at = lines + length - left; at < lines + length; at++)
        lost += *at == '\n';
    return lost;
}

static void flush(struct log *log)
{
    uint64_t lost = write_lines(log, log->lines, log->lines_length);
    log->lines_length = 0;
    if (lost)
        atomic_fetch_add(&log->dropped, lost);
}

static void gather(struct log *log)
{
    struct timespec until = monotonic_after(GATHER_MS);
    while (!log->urgent && !log->stopping)
        if (pthread_cond_timedwait(&log->changed, &log->lock, &until) != 0)
            return;
}

/* Takes what callers have appended; 0 when the log ends. */
static size_t take(struct log *log)
{
    pthread_mutex_lock(&log->lock);
    while (log->length == 0 && !log->stopping)
        pthread_cond_wait(&log->changed, &log->lock);
    gather(log);
    char *taken = log->filling;
    size_t length = log->length;
    log->filling = log->writing;
    log->writing = taken;
    log->length = 0;
    log->urgent = false;
    pthread_mutex_unlock(&log->lock);
    return length;
}

static void report_dropped(struct log *log, uint64_t *reported)
{
    uint64_t dropped = atomic_load(&log->dropped);
    if (dropped == *reported)
        return;
    struct log_line line;
    log_line_begin(&line, log->json, unix_ms(), log_level_names[LOG_LEVEL_WARN]);
    log_line_text(&line, "msg", "log lines were dropped");
    log_line_count(&line, "count", dropped - *reported);
    log_line_end(&line);
    if (write_lines(log, line.text, line.length) == 0)
        *reported = dropped;
}

/* 500 is a fault of ours; the other 5xx are answers to a state that will pass. */
static enum log_level level_of(unsigned status)
{
    if (status == 500)
        return LOG_LEVEL_ERROR;
    return status > 500 ? LOG_LEVEL_WARN : LOG_LEVEL_INFO;
}

static const char *next_text(const char **at)
{
    const char *text = *at;
    *at += strlen(text) + 1;
    return text;
}

static void make_line(struct log_line *line, const struct log *log, const struct record *record)
{
    const char *at = record->texts;
    log_line_begin(line, log->json, record->unix_ms, log_level_names[level_of(record->status)]);
    log_line_word(line, "msg", "request");
    log_line_text(line, "request_id", next_text(&at));
    log_line_text(line, "method", next_text(&at));
    log_line_text(line, "route", record->route);
    log_line_count(line, "status", record->status);
    log_line_count(line, "bytes", record->bytes);
    log_line_duration(line, "duration_ms", record->duration_ns);
    log_line_text(line, "client", next_text(&at));
    log_line_text(line, "code", record->code);
    const char *traceparent = next_text(&at);
    if (*traceparent)
        log_line_text(line, "traceparent", traceparent);
    log_line_end(line);
}

static void put_line(struct log *log, const char *text, size_t length)
{
    if (length > BUFFER_SIZE - log->lines_length)
        flush(log);
    memcpy(log->lines + log->lines_length, text, length);
    log->lines_length += length;
}

static void write_records(struct log *log, size_t length)
{
    struct log_line line;
    log->lines_length = 0;
    for (size_t at = 0; at < length;) {
        const void *here = log->writing + at;
        const struct record *record = here;
        at += record->size;
        if (record->length) {
            put_line(log, record->texts, record->length);
            continue;
        }
        make_line(&line, log, record);
        put_line(log, line.text, line.length);
    }
    flush(log);
}

static void *write_until_stopped(void *argument)
{
    struct log *log = argument;
    uint64_t reported = 0;
    for (size_t length = take(log); length; length = take(log)) {
        write_records(log, length);
        report_dropped(log, &reported);
    }
    return NULL;
}

static bool is_file(int fd)
{
    struct stat about;
    return fstat(fd, &about) == 0 && S_ISREG(about.st_mode);
}

static bool start(struct log *log)
{
    pthread_mutex_init(&log->lock, NULL);
    monotonic_cond_init(&log->changed);
    log->filling = malloc(BUFFER_SIZE);
    log->writing = malloc(BUFFER_SIZE);
    log->lines = malloc(BUFFER_SIZE);
    return log->filling && log->writing && log->lines &&
           pthread_create(&log->thread, NULL, write_until_stopped, log) == 0;
}

static void release(struct log *log)
{
    pthread_cond_destroy(&log->changed);
    pthread_mutex_destroy(&log->lock);
    free(log->filling);
    free(log->writing);
    free(log->lines);
    free(log);
}

struct log *log_create(int fd, bool json, enum log_level level)
{
    struct log *log = calloc(1, sizeof *log);
    if (!log)
        return NULL;
    log->fd = fd;
    log->piece_size = is_file(fd) ? BUFFER_SIZE : PIECE_SIZE;
    log->json = json;
    atomic_init(&log->level, (int)level);
    if (start(log))
        return log;
    release(log);
    return NULL;
}

void log_destroy(struct log *log)
{
    if (!log)
        return;
    pthread_mutex_lock(&log->lock);
    log->stopping = true;
    pthread_cond_signal(&log->changed);
    pthread_mutex_unlock(&log->lock);
    pthread_join(log->thread, NULL);
    release(log);
}

void log_set_level(struct log *log, enum log_level level)
{
    atomic_store(&log->level, (int)level);
}

bool log_is_on(const struct log *log, enum log_level level)
{
    return (int)level <= atomic_load_explicit(&log->level, memory_order_relaxed);
}

uint64_t log_dropped(const struct log *log)
{
    return atomic_load(&log->dropped);
}

/* Room for one more, under the lock. NULL: it is dropped. */
static struct record *add(struct log *log, size_t texts_size, bool urgent)
{
    size_t size = sizeof(struct record) + texts_size;
    size += -size % _Alignof(struct record);
    if (size > BUFFER_SIZE - log->length) {
        atomic_fetch_add(&log->dropped, 1);
        return NULL;
    }
    void *here = log->filling + log->length;
    struct record *record = here;
    bool is_first = log->length == 0, was_urgent = log->urgent;
    log->length += size;
    log->urgent |= urgent || log->length > BUFFER_SIZE / 2;
    if (is_first || log->urgent > was_urgent)
        pthread_cond_signal(&log->changed);
    *record = (struct record){.size = size};
    return record;
}

static void add_line(struct log *log, const struct log_line *line, bool urgent)
{
    pthread_mutex_lock(&log->lock);
    struct record *record = add(log, line->length, urgent);
    if (record) {
        record->length = line->length;
        memcpy(record->texts, line->text, line->length);
    }
    pthread_mutex_unlock(&log->lock);
}

void log_event(struct log *log, enum log_level level, const char *message, ...)
{
    if (!log_is_on(log, level))
        return;
    struct log_line line;
    log_line_begin(&line, log->json, unix_ms(), log_level_names[level]);
    log_line_text(&line, "msg", message);
    va_list pairs;
    va_start(pairs, message);
    for (const char *name = va_arg(pairs, const char *); name; name = va_arg(pairs, const char *))
        log_line_text(&line, name, va_arg(pairs, const char *));
    va_end(pairs);
    log_line_end(&line);
    add_line(log, &line, level <= LOG_LEVEL_WARN);
}

void log_request(struct log *log, const struct log_request *request)
{
    enum { TEXTS = 4 };
    if (!log_is_on(log, level_of(request->status)))
        return;
    const char *texts[TEXTS] = {request->request_id, request->method, request->client,
                                request->traceparent ? request->traceparent : ""};
    size_t sizes[TEXTS], all = 0;
    for (unsigned i = 0; i < TEXTS; i++)
        all += sizes[i] = strlen(texts[i]) + 1;
    int64_t now_ms = unix_ms();
    pthread_mutex_lock(&log->lock);
    struct record *record = add(log, all, false);
    if (record) {
        record->unix_ms = now_ms;
        record->route = request->route;
        record->code = request->code;
        record->bytes = request->bytes;
        record->duration_ns = request->duration_ns;
        record->status = request->status;
        char *at = record->texts;
        for (unsigned i = 0; i < TEXTS; i++)
            at = mempcpy(at, texts[i], sizes[i]);
    }
    pthread_mutex_unlock(&log->lock);
}
