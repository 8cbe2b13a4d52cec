/* How many durable moves a second do N keep-alive clients get? moves PORT CLIENTS SECONDS
 *
 * One thread, epoll, loopback only. Each client creates a game, moves its knights out and back for fifteen
 * half-moves (one more would be the fifth occurrence), and takes the next game. An acknowledged move is one
 * whose answer was 201. Prints: clients, seconds, moves a second, p50 and p99 of the time from request to
 * answer in ms, answers that were not 2xx. Exit status 1 if there were any. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

enum { CLIENTS_MAX = 4096, ANSWER_MAX = 16384, PLIES = 15, TIMES_MAX = 4000000 };

static const char *const shuffle[] = {"g1f3", "g8f6", "f3g1", "f6g8"};

struct client {
    int fd;
    unsigned ply;
    char id[13];
    char answer[ANSWER_MAX];
    size_t length;
    double sent_at;
};

static struct client clients[CLIENTS_MAX];
static float times_ms[TIMES_MAX];
static size_t moves, bad;

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

static void ask(struct client *client)
{
    char request[512];
    const char *body = client->id[0] ? shuffle[client->ply % 4] : "";
    char path[64] = "/v1/games";
    if (client->id[0])
        snprintf(path, sizeof path, "/v1/games/%s/moves", client->id);
    int length = snprintf(
        request, sizeof request,
        "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\n\r\n%s",
        path, strlen(body), body);
    client->length = 0;
    client->sent_at = now_s();
    if (write(client->fd, request, (size_t)length) != length)
        die("write");
}

static void connect_client(struct client *client, int epoll, uint16_t port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};
    int on = 1;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    client->fd = socket(AF_INET, SOCK_STREAM, 0);
    if (client->fd < 0 || connect(client->fd, (struct sockaddr *)&address, sizeof address) != 0)
        die("connect");
    setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, client->fd, &event) != 0)
        die("epoll_ctl");
}

/* The whole answer is there: head, and as much body as it says. */
static int is_complete(const struct client *client)
{
    const char *end = strstr(client->answer, "\r\n\r\n");
    const char *length = strcasestr(client->answer, "\r\ncontent-length:");
    if (!end || !length)
        return 0;
    return client->length >= (size_t)(end + 4 - client->answer) + strtoul(length + 17, NULL, 10);
}

static void take_answer(struct client *client, int counts)
{
    int ok = strncmp(client->answer, "HTTP/1.1 201", 12) == 0;
    bad += !ok;
    if (!client->id[0]) {
        const char *id = strstr(client->answer, "\"id\":\"");
        if (!ok || !id)
            die("create");
        memcpy(client->id, id + 6, 12);
        client->ply = 0;
    } else {
        if (ok && counts && moves < TIMES_MAX)
            times_ms[moves++] = (float)((now_s() - client->sent_at) * 1000);
        if (++client->ply == PLIES)
            client->id[0] = '\0';
    }
}

static void on_readable(struct client *client, int counts)
{
    ssize_t got = read(client->fd, client->answer + client->length, ANSWER_MAX - 1 - client->length);
    if (got <= 0)
        die("read");
    client->length += (size_t)got;
    client->answer[client->length] = '\0';
    if (!is_complete(client))
        return;
    take_answer(client, counts);
    ask(client);
}

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a;
    float y = *(const float *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    int count = atoi(argv[2]);
    double seconds = atof(argv[3]);
    int epoll = epoll_create1(0);
    if (count < 1 || count > CLIENTS_MAX || epoll < 0)
        return 2;
    for (int i = 0; i < count; i++) {
        connect_client(&clients[i], epoll, (uint16_t)atoi(argv[1]));
        ask(&clients[i]);
    }
    double begin = now_s() + seconds / 4; /* the first quarter warms up */
    double end = begin + seconds;
    for (double now = 0; now < end; now = now_s()) {
        struct epoll_event events[256];
        int ready = epoll_wait(epoll, events, 256, 100);
        for (int i = 0; i < ready; i++)
            on_readable(events[i].data.ptr, now >= begin);
    }
    qsort(times_ms, moves, sizeof times_ms[0], by_size);
    printf("clients %d seconds %.1f moves_per_s %.0f p50_ms %.2f p99_ms %.2f bad %zu\n", count, seconds,
           (double)moves / seconds, moves ? (double)times_ms[moves / 2] : 0,
           moves ? (double)times_ms[moves * 99 / 100] : 0, bad);
    return bad != 0;
}
