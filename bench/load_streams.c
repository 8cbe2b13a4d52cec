/* Event streams: --connections of them on --watched games. Opens them, waits for the snapshot of each, looks at the
 * server for --seconds while nothing happens, and then plays a move a second in each game for as long. Every move has
 * to come over every stream of its game; its time is that from its request to the last of them. Knights move out and
 * back, under rules that let them. */
#include <assert.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench/load.h"

enum { EVENTS = 256, READ_SIZE = 65536, TAIL_SIZE = 24, OPENED_AT_ONCE = 64, PATIENCE_S = 120, WAIT_MS = 5 };

static const char SNAPSHOT[] = "\nevent: snapshot\n";
static const char PLAYED[] = "\nevent: move.played\n";

struct watched {
    char id[CLIENT_ID_SIZE];
    unsigned moves;
    size_t streams, told; /* of the last move */
    uint64_t sent_ns;
};

struct stream {
    int fd;
    struct watched *game;
    char tail[TAIL_SIZE]; /* of what was read: a line may come in two pieces */
    size_t tail_length;
};

static struct course {
    struct load *load;
    struct watched *games;
    struct stream *streams;
    int mover; /* its socket blocks: a move is asked for and answered */
    uint64_t snapshots, told, wanted;
    long resident_kib;
    double idle_share, busy_share;
} course;

/* ---- the mover --------------------------------------------------------------------------------------------- */

/* Asks and is answered; the body ends with a NUL. False: no 201. */
static bool post(const char *path, const char *body, char *answer, size_t size)
{
    char request[512];
    int length =
        snprintf(request, sizeof request,
                 "POST %s HTTP/1.1\r\nHost: %s\r\nAccept: text/plain\r\nContent-Type: application/json\r\n"
                 "Content-Length: %zu\r\n\r\n%s",
                 path, course.load->target.host, strlen(body), body);
    if (send(course.mover, request, (size_t)length, MSG_NOSIGNAL) != length)
        return false;
    struct answer read = {0};
    size_t got = 0;
    enum answer_reading reading = ANSWER_GOES_ON;
    while (reading == ANSWER_GOES_ON && got + 1 < size) {
        ssize_t more = recv(course.mover, answer + got, size - 1 - got, 0);
        if (more <= 0)
            return false;
        got += (size_t)more;
        answer[got] = '\0';
        reading = answer_read(answer, got, &read);
    }
    if (reading != ANSWER_WHOLE || read.status != 201)
        return false;
    memmove(answer, read.body, read.body_length + 1);
    return true;
}

static bool open_mover(void)
{
    if (course.mover > 0)
        (void)close(course.mover);
    course.mover = target_connect(&course.load->target);
    return course.mover > 0 && fcntl(course.mover, F_SETFL, 0) == 0;
}

static bool create_game(struct watched *game)
{
    char answer[4096];
    return post("/v1/games", "{\"rules\":{\"fivefold\":false,\"seventyfive\":false}}", answer,
                sizeof answer) &&
           sscanf(answer, "%63s", game->id) == 1;
}

static bool play(struct watched *game)
{
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    char path[128];
    char body[32];
    char answer[8192];
    (void)snprintf(path, sizeof path, "/v1/games/%s/moves", game->id);
    (void)snprintf(body, sizeof body, "{\"move\":\"%s\"}", moves[game->moves++ % 4]);
    game->told = 0;
    game->sent_ns = server_now_ns();
    return post(path, body, answer, sizeof answer);
}

/* ---- the streams ------------------------------------------------------------------------------------------- */

static bool open_stream(struct stream *stream, struct watched *game)
{
    char request[512];
    stream->game = game;
    stream->fd = target_connect(&course.load->target);
    if (stream->fd < 0)
        return false;
    game->streams++;
    int length = snprintf(request, sizeof request, "GET /v1/games/%s/events HTTP/1.1\r\nHost: %s\r\n\r\n",
                          game->id, course.load->target.host);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = stream};
    return send(stream->fd, request, (size_t)length, MSG_NOSIGNAL) == length &&
           epoll_ctl(course.load->epoll, EPOLL_CTL_ADD, stream->fd, &event) == 0;
}

static void note_played(struct watched *game)
{
    course.told++;
    if (++game->told == game->streams)
        times_add(&course.load->times[REQUEST_MOVE], server_now_ns() - game->sent_ns);
}

/* From the last line end on: what is looked for begins and ends with one. A line that is longer already is none of
 * these. */
static void keep_tail(struct stream *stream, const char *text, size_t length)
{
    const char *line = memrchr(text, '\n', length);
    size_t rest = line ? length - (size_t)(line - text) : length;
    stream->tail_length = rest <= TAIL_SIZE ? rest : 0;
    memcpy(stream->tail, text + length - stream->tail_length, stream->tail_length);
}

static void read_stream(struct stream *stream)
{
    static char text[TAIL_SIZE + READ_SIZE + 1];
    memcpy(text, stream->tail, stream->tail_length);
    ssize_t got = recv(stream->fd, text + stream->tail_length, READ_SIZE, 0);
    if (got <= 0) {
        course.load->wrongs.connection++;
        (void)epoll_ctl(course.load->epoll, EPOLL_CTL_DEL, stream->fd, NULL);
        return;
    }
    size_t length = stream->tail_length + (size_t)got;
    text[length] = '\0';
    for (const char *at = text; (at = strstr(at, SNAPSHOT)); at++)
        course.snapshots++;
    for (const char *at = text; (at = strstr(at, PLAYED)); at++)
        note_played(stream->game);
    keep_tail(stream, text, length);
}

/* Until this time, or until as many have been counted. */
static void read_until(uint64_t end_ns, const uint64_t *count, uint64_t wanted)
{
    struct epoll_event events[EVENTS];
    do {
        int ready = epoll_wait(course.load->epoll, events, EVENTS, WAIT_MS);
        for (int i = 0; i < ready; i++)
            read_stream(events[i].data.ptr);
    } while (server_now_ns() < end_ns && (!count || *count < wanted));
}

static uint64_t after(double seconds)
{
    return server_now_ns() + (uint64_t)(seconds * 1e9);
}

/* ---- the course -------------------------------------------------------------------------------------------- */

static bool open_all(void)
{
    const struct load_options *options = &course.load->options;
    assert(options->watched > 0);
    for (unsigned g = 0; g < options->watched; g++)
        if (!create_game(&course.games[g]))
            return false;
    course.load->resident_before_kib = server_usage(options->pid).resident_kib;
    for (unsigned i = 0; i < options->connections; i++) {
        if (!open_stream(&course.streams[i], &course.games[i % options->watched]))
            return false;
        if (i % OPENED_AT_ONCE == 0)
            read_until(server_now_ns(), NULL, 0);
    }
    read_until(after(PATIENCE_S), &course.snapshots, options->connections);
    course.resident_kib = server_usage(options->pid).resident_kib;
    return course.snapshots == options->connections;
}

static double idle_share(double seconds)
{
    int pid = course.load->options.pid;
    double used = server_usage(pid).processor_s;
    read_until(after(seconds), NULL, 0);
    return (server_usage(pid).processor_s - used) / seconds;
}

static bool play_all(unsigned seconds)
{
    const struct load_options *options = &course.load->options;
    uint64_t begun = server_now_ns();
    double used = server_usage(options->pid).processor_s;
    for (unsigned s = 0; s < seconds; s++) {
        for (unsigned g = 0; g < options->watched; g++) {
            read_until(begun + s * UINT64_C(1000000000) + g * UINT64_C(1000000000) / options->watched, NULL,
                       0);
            if (!play(&course.games[g]))
                return false;
        }
    }
    course.wanted = (uint64_t)options->connections * seconds;
    read_until(after(PATIENCE_S), &course.told, course.wanted);
    course.load->seconds = (double)(server_now_ns() - begun) / 1e9;
    course.load->processor_s = server_usage(options->pid).processor_s - used;
    course.busy_share = course.load->processor_s / course.load->seconds;
    return course.told == course.wanted;
}

bool load_streams(struct load *load)
{
    const struct load_options *options = &load->options;
    course.load = load;
    course.games = calloc(options->watched, sizeof *course.games);
    course.streams = calloc(options->connections, sizeof *course.streams);
    unsigned seconds = options->seconds < 1 ? 1 : (unsigned)options->seconds;
    if (!course.games || !course.streams || !open_mover() || !open_all()) {
        (void)fprintf(stderr, "load: %" PRIu64 " of %u streams have begun\n", course.snapshots,
                      options->connections);
        return false;
    }
    course.idle_share = idle_share(seconds);
    /* The mover's connection may have been idle for too long. */
    bool is_good = open_mover() && play_all(seconds);
    (void)snprintf(
        load->figures, sizeof load->figures,
        ",\"watched\":%u,\"kib_each\":%.2f,\"streams_rss_kib\":%ld,\"idle_share\":%.4f,\"busy_share\":%.4f,"
        "\"events\":%" PRIu64 ",\"events_wanted\":%" PRIu64,
        options->watched, (double)(course.resident_kib - load->resident_before_kib) / options->connections,
        course.resident_kib, course.idle_share, course.busy_share, course.told, course.wanted);
    return is_good && scenario_is_clean(load);
}
