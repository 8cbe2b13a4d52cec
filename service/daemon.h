/* daemon: the parts of the running service, made in order and ended in the reverse.
 *
 * Layer: service. Threads: one; what it starts has its own. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "games/game.h"
#include "service/commands/commands.h"
#include "service/http_server.h"
#include "service/listener.h"
#include "service/options.h"

struct api;
struct games;
struct http_server;
struct log;
struct metrics;
struct operators;
struct pool;
struct storage;
struct store_watch;

struct daemon {
    const struct options *options;
    struct log *log;
    struct metrics *metrics;
    struct store_watch *store_watch;
    struct operators *operators;
    enum game_access default_access; /* of games that do not say */
    struct storage *storage;
    struct games *games;
    pthread_t timekeeper; /* calls games_keep_ticking */
    bool keeps_time;      /* it runs */
    struct api *api;
    struct pool *pool;
    struct http_server *server;
    struct listener listeners[HTTP_LISTENERS_MAX];
    size_t listener_count;
    const char *origins[HTTP_LISTENERS_MAX + 1];
};

/* Everything up to answering requests. On anything but EXIT_DONE the reason is on stderr; daemon_drain and
 * daemon_finish are due either way: some addresses may be served already. `options` must outlive it. */
enum exit_code daemon_start(struct daemon *daemon, const struct options *options);

/* Starts nothing, but opens the store to read and closes it. Else the reason is on stderr. */
enum exit_code daemon_try(const struct options *options);

/* Every listening socket answers, or is as full as it may be. */
bool daemon_answers(const struct daemon *daemon);

/* One line of the log: what is open, and what is in memory. */
void daemon_tell_state(const struct daemon *daemon);

/* Waits for the requests that have begun, as long as the options say. False: some are left that nobody may
 * cut off: end the process without daemon_finish. */
bool daemon_drain(struct daemon *daemon);

void daemon_finish(struct daemon *daemon);
