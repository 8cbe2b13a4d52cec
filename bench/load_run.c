#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "bench/load.h"

enum {
    EVENTS = 256,
    WAIT_MS = 50,
    LOST_MAX = 100,
    SETUP_S = 600,
    TICK_NS = 250000, /* an open loop is not woken more often: a virtual machine pays dearly for each timer */
};

static const double NS = 1e9;

/* An open loop: requests are due at fixed times, and go out over whichever connection has rested longest. */
struct schedule {
    int timer; /* 0: a closed loop */
    uint64_t begun_ns, sent, rings_ns;
    struct client **resting; /* a ring of all connections */
    size_t first, count;
};

static struct schedule schedule;

static bool connect_all(struct load *load)
{
    load->clients = calloc(load->options.connections, sizeof *load->clients);
    for (unsigned i = 0; load->clients && i < load->options.connections; i++) {
        if (!client_open(&load->clients[i], &load->target, load->epoll)) {
            (void)fprintf(stderr, "load: connection %u: %s\n", i + 1, strerror(errno));
            return false;
        }
    }
    return load->clients != NULL;
}

/* ---- asking ------------------------------------------------------------------------------------------------ */

/* Another connection; a request that was on its way goes out over that. False: this does not work either. */
static bool carry_on(struct load *load, struct client *client)
{
    load->again += client->is_waiting;
    load->reopened += !client->is_waiting;
    return client_reopen(client, &load->target, load->epoll) &&
           (!client->is_waiting || client_ask_again(client, &load->target));
}

static void lose(struct load *load, struct client *client)
{
    if (load->options.is_patient && carry_on(load, client))
        return;
    load->waiting -= client->is_waiting;
    load->wrongs.connection++;
    scenario_complain(load, client, "connection lost", NULL);
    client_close(client);
    (void)client_open(client, &load->target, load->epoll);
}

void load_ask(struct load *load, struct client *client, const struct ask *ask, uint64_t due_ns)
{
    load->waiting++;
    const struct request_values values = {.id = ask->id, .uci = ask->uci, .ply = client->ply + 1};
    if (!client_ask(client, &load->target, ask->kind, &values, due_ns))
        lose(load, client);
}

static void ask_next(struct load *load, struct client *client, uint64_t due_ns)
{
    struct ask ask;
    bool has_more = load->options.requests == 0 || load->asked < load->options.requests;
    if (!has_more || !load->next || !load->next(load, client, &ask))
        return;
    load->asked += load->next != scenario_fill_pool;
    load_ask(load, client, &ask, due_ns);
}

static uint64_t due_at(const struct load *load, uint64_t number)
{
    return schedule.begun_ns + (uint64_t)((double)number * NS / load->options.rate);
}

/* The timer for what is due then. One that is set already rings no later than that, or after a tick. */
static void set_timer(uint64_t due_ns)
{
    uint64_t now_ns = server_now_ns(), soonest_ns = now_ns + TICK_NS;
    if (schedule.rings_ns > now_ns)
        return;
    schedule.rings_ns = due_ns > soonest_ns ? due_ns : soonest_ns;
    struct itimerspec when = {.it_value = {.tv_sec = (time_t)(schedule.rings_ns / 1000000000),
                                           .tv_nsec = (long)(schedule.rings_ns % 1000000000)}};
    (void)timerfd_settime(schedule.timer, TFD_TIMER_ABSTIME, &when, NULL);
}

/* Sends what is due as far as connections rest; where none does, the next answer goes on. */
static void send_due(struct load *load)
{
    uint64_t due = due_at(load, schedule.sent);
    while (schedule.count > 0 && due <= server_now_ns()) {
        struct client *client = schedule.resting[schedule.first];
        schedule.first = (schedule.first + 1) % load->options.connections;
        schedule.count--;
        ask_next(load, client, due);
        due = due_at(load, ++schedule.sent);
    }
    if (schedule.count > 0)
        set_timer(due);
}

static void rest(struct load *load, struct client *client)
{
    size_t last = (schedule.first + schedule.count++) % load->options.connections;
    schedule.resting[last] = client;
}

static void go_on(struct load *load, struct client *client)
{
    if (schedule.timer == 0) {
        ask_next(load, client, server_now_ns());
        return;
    }
    rest(load, client);
    send_due(load);
}

/* ---- being answered ---------------------------------------------------------------------------------------- */

static void take_answer(struct load *load, struct client *client, const struct answer *answer)
{
    load->waiting--;
    times_add(&load->times[client->asked], server_now_ns() - client->due_ns);
    load->body_bytes[client->asked] += answer->body_length;
    scenario_take(load, client, answer);
    go_on(load, client);
}

static void on_readable(struct load *load, struct client *client)
{
    struct answer answer;
    bool was_waiting = client->is_waiting;
    switch (client_receive(client, &answer)) {
    case CLIENT_GOES_ON:
        return;
    case CLIENT_ANSWERED:
        take_answer(load, client, &answer);
        return;
    case CLIENT_LOST:
        lose(load, client);
        if (was_waiting && !client->is_waiting && load->wrongs.connection < LOST_MAX)
            go_on(load, client);
        return;
    }
}

static void on_timer(struct load *load)
{
    uint64_t times = 0;
    (void)!read(schedule.timer, &times, sizeof times);
    send_due(load);
}

void load_wait(struct load *load, uint64_t until_ns, bool all)
{
    struct epoll_event events[EVENTS];
    while (server_now_ns() < until_ns && (!all || load->waiting > 0)) {
        int ready = epoll_wait(load->epoll, events, EVENTS, WAIT_MS);
        for (int i = 0; i < ready; i++) {
            if (events[i].data.ptr)
                on_readable(load, events[i].data.ptr);
            else
                on_timer(load);
        }
    }
}

/* It ends by itself, and not after some time. */
static bool is_counted(const struct load *load)
{
    return load->options.count > 0 || load->options.requests > 0;
}

/* ---- the course -------------------------------------------------------------------------------------------- */

static uint64_t after(double seconds)
{
    return server_now_ns() + (uint64_t)(seconds * NS);
}

static void begin_all(struct load *load)
{
    for (unsigned i = 0; i < load->options.connections; i++)
        ask_next(load, &load->clients[i], server_now_ns());
}

static bool fill_pool(struct load *load)
{
    if (!scenario_init_pool(load))
        return false;
    if (load->options.ids)
        return true;
    load->next = scenario_fill_pool;
    begin_all(load);
    load_wait(load, after(SETUP_S), true);
    if (load->pool_ready == load->options.pool)
        return true;
    (void)fprintf(stderr, "load: the games to be read could not be set up\n");
    return false;
}

static bool begin_schedule(struct load *load)
{
    schedule.timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    schedule.resting = calloc(load->options.connections, sizeof(struct client *));
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = NULL};
    if (schedule.timer < 0 || !schedule.resting ||
        epoll_ctl(load->epoll, EPOLL_CTL_ADD, schedule.timer, &event) != 0)
        return false;
    for (unsigned i = 0; i < load->options.connections; i++)
        rest(load, &load->clients[i]);
    schedule.begun_ns = server_now_ns();
    send_due(load);
    return true;
}

static double own_processor_s(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static void measure(struct load *load, double seconds)
{
    memset(load->times, 0, sizeof load->times);
    memset(load->body_bytes, 0, sizeof load->body_bytes);
    uint64_t begun = server_now_ns();
    struct server_usage before = server_usage(load->options.pid);
    double own_before = own_processor_s();
    load_wait(load, after(seconds), is_counted(load));
    load->seconds = (double)(server_now_ns() - begun) / NS;
    load->processor_s = server_usage(load->options.pid).processor_s - before.processor_s;
    load->own_processor_s = own_processor_s() - own_before;
}

/* Tells of each part but the last one, which is told at the end. */
static void measure_all(struct load *load)
{
    double left = load->options.seconds;
    double every = load->options.every;
    while (every > 0 && left > every && !is_counted(load)) {
        measure(load, every);
        load_report(load);
        (void)fflush(stdout);
        left -= every;
    }
    measure(load, left);
}

bool load_run(struct load *load)
{
    if (load->scenario->has_clients && !connect_all(load))
        return false;
    if (load->scenario->reads_pool && !fill_pool(load))
        return false;
    load->resident_before_kib = server_usage(load->options.pid).resident_kib;
    if (load->scenario->run)
        return load->scenario->run(load);
    load->next = load->scenario->next;
    if (load->options.rate > 0) {
        if (!begin_schedule(load))
            return false;
    } else {
        begin_all(load);
    }
    load_wait(load, after(load->options.warmup), is_counted(load));
    measure_all(load);
    bool is_whole = load->options.count == 0 || load->finished == load->options.count;
    return scenario_is_clean(load) && is_whole && load->asked >= load->options.requests;
}
