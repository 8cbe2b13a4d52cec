/* What do many open event streams cost? streams PORT PID STREAMS GAMES SECONDS
 *
 * Opens STREAMS server-sent streams on GAMES games of the daemon PID over loopback, waits until each has its snapshot,
 * and prints: seconds to open them, memory of the daemon for each, share of a core while nothing happens for SECONDS,
 * and then, with a move a second in each game for SECONDS: share of a core, events told a second, and the time from a
 * move's request to the last of its streams, p50 and p99 in ms. Exit status 1 where an event did not arrive. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { STREAMS_MAX = 100000, GAMES_MAX = 10000, READ_SIZE = 65536, TIMES_MAX = 100000 };

struct game {
    char id[13];
    unsigned moves;
    size_t streams, told; /* of the last move */
    double sent_at;
};

static struct game games[GAMES_MAX];
static struct {
    int fd;
    unsigned game;
} streams[STREAMS_MAX];
static size_t stream_count, game_count, events_told, snapshots;
static int port, daemon_pid, ready;
static double times_ms[TIMES_MAX];
static size_t time_count;

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void die(const char *what)
{
    perror(what);
    exit(2);
}

/* ---- the daemon as the kernel sees it ---- */

static long resident_kib(void)
{
    char path[64], line[256];
    long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/status", daemon_pid);
    FILE *file = fopen(path, "r");
    if (!file)
        die(path);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmRSS: %ld", &kib) == 1)
            break;
    fclose(file);
    return kib;
}

static double processor_s(void)
{
    char path[64];
    unsigned long user = 0, system = 0;
    snprintf(path, sizeof path, "/proc/%d/stat", daemon_pid);
    FILE *file = fopen(path, "r");
    if (!file ||
        fscanf(file, "%*d %*s %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu", &user, &system) != 2)
        die(path);
    fclose(file);
    return (double)(user + system) / (double)sysconf(_SC_CLK_TCK);
}

/* ---- requests ---- */

static int connect_to_daemon(void)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        die("connect");
    return fd;
}

static void send_text(int fd, const char *text)
{
    if (write(fd, text, strlen(text)) != (ssize_t)strlen(text))
        die("write");
}

static void post(int fd, const char *path, const char *body, char *answer, size_t size)
{
    char request[512];
    snprintf(request, sizeof request,
             "POST %s HTTP/1.1\r\nHost: localhost\r\nAccept: text/plain\r\nContent-Type: application/json\r\n"
             "Content-Length: %zu\r\n\r\n%s",
             path, strlen(body), body);
    send_text(fd, request);
    ssize_t got = read(fd, answer, size - 1);
    if (got <= 0)
        die("read");
    answer[got] = '\0';
    if (strncmp(answer, "HTTP/1.1 201 ", strlen("HTTP/1.1 201 ")) != 0)
        die(answer);
}

static void create_game(int fd, struct game *game)
{
    char answer[4096];
    post(fd, "/v1/games", "{\"rules\":{\"fivefold\":false,\"seventyfive\":false}}", answer, sizeof answer);
    const char *body = strstr(answer, "\r\n\r\n");
    if (!body)
        die(answer);
    snprintf(game->id, sizeof game->id, "%s", body + 4);
}

static void play(int fd, struct game *game)
{
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    char path[64], body[32], answer[4096];
    snprintf(path, sizeof path, "/v1/games/%s/moves", game->id);
    snprintf(body, sizeof body, "{\"move\":\"%s\"}", moves[game->moves++ % 4]);
    game->told = 0;
    game->sent_at = now_s();
    post(fd, path, body, answer, sizeof answer);
}

static void open_stream(size_t i)
{
    char request[256];
    streams[i].game = (unsigned)(i % game_count);
    streams[i].fd = connect_to_daemon();
    games[streams[i].game].streams++;
    snprintf(request, sizeof request, "GET /v1/games/%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
             games[streams[i].game].id);
    send_text(streams[i].fd, request);
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = i};
    if (epoll_ctl(ready, EPOLL_CTL_ADD, streams[i].fd, &event) != 0)
        die("epoll");
}

/* ---- what comes ---- */

static void note_event(struct game *game)
{
    events_told++;
    if (++game->told == game->streams && time_count < TIMES_MAX)
        times_ms[time_count++] = 1000 * (now_s() - game->sent_at);
}

static void read_stream(size_t i)
{
    static char text[READ_SIZE];
    ssize_t got = read(streams[i].fd, text, sizeof text - 1);
    if (got <= 0)
        die("a stream has ended");
    text[got] = '\0';
    snapshots += strstr(text, "\nevent: snapshot\n") != NULL;
    for (const char *at = text; (at = strstr(at, "\nevent: move.played\n")); at++)
        note_event(&games[streams[i].game]);
}

static void read_until(double end, bool (*done)(void))
{
    struct epoll_event events[256];
    do {
        int count = epoll_wait(ready, events, 256, 5);
        for (int i = 0; i < count; i++)
            read_stream(events[i].data.u64);
    } while (now_s() < end && !(done && done()));
}

static bool all_have_begun(void)
{
    return snapshots == stream_count;
}

static size_t events_wanted;

static bool all_have_been_told(void)
{
    return events_told == events_wanted;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void play_for(int seconds)
{
    int fd = connect_to_daemon(); /* the other one was idle for too long */
    double begin = now_s(), used = processor_s();
    for (int s = 0; s < seconds; s++)
        for (size_t g = 0; g < game_count; g++) {
            read_until(begin + s + (double)g / (double)game_count, NULL);
            play(fd, &games[g]);
        }
    events_wanted = stream_count * (size_t)seconds;
    read_until(now_s() + 10, all_have_been_told);
    used = processor_s() - used;
    qsort(times_ms, time_count, sizeof times_ms[0], by_size);
    printf("a move a second in each game: %.1f %% of a core, %.0f events a second", 100 * used / seconds,
           (double)events_told / seconds);
    if (time_count)
        printf(", last stream after p50 %.1f ms, p99 %.1f ms", times_ms[time_count / 2],
               times_ms[time_count * 99 / 100]);
    putchar('\n');
}

int main(int argc, char **argv)
{
    if (argc != 6) {
        fprintf(stderr, "usage: streams PORT PID STREAMS GAMES SECONDS\n");
        return 2;
    }
    port = atoi(argv[1]);
    daemon_pid = atoi(argv[2]);
    stream_count = strtoul(argv[3], NULL, 10);
    game_count = strtoul(argv[4], NULL, 10);
    int seconds = atoi(argv[5]);
    if (stream_count > STREAMS_MAX || game_count > GAMES_MAX || game_count == 0 || seconds < 1)
        return 2;
    struct rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
    ready = epoll_create1(0);
    int fd = connect_to_daemon();
    for (size_t g = 0; g < game_count; g++)
        create_game(fd, &games[g]);
    long before = resident_kib();
    double begin = now_s();
    for (size_t i = 0; i < stream_count; i++) {
        open_stream(i);
        if (i % 64 == 0)
            read_until(now_s(), NULL);
    }
    read_until(begin + 120, all_have_begun);
    printf("%zu streams on %zu games, open in %.1f s, %zu snapshots\n", stream_count, game_count,
           now_s() - begin, snapshots);
    long after = resident_kib();
    printf("memory: %ld KiB before, %ld KiB with them: %.1f KiB each\n", before, after,
           (double)(after - before) / (double)stream_count);
    double used = processor_s();
    read_until(now_s() + seconds, NULL);
    printf("idle: %.1f %% of a core\n", 100 * (processor_s() - used) / seconds);
    close(fd);
    play_for(seconds);
    printf("memory: %ld KiB\n", resident_kib());
    printf("%zu of %zu events arrived\n", events_told, events_wanted);
    return events_told != events_wanted;
}
