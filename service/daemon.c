#include "service/daemon.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "api/api.h"
#include "api/metadata.h"
#include "games/games.h"
#include "service/build_info.h"
#include "service/default_access.h"
#include "service/http_server.h"
#include "service/log.h"
#include "service/metrics.h"
#include "service/operators.h"
#include "service/pool.h"
#include "service/selfcheck.h"
#include "service/store_open.h"
#include "service/store_watch.h"
#include "service/systemd.h"
#include "storage/storage.h"

enum {
    /* Descriptors that are no connections: the store, the log, listening sockets; and those of a network thread. */
    OTHER_DESCRIPTORS = 64,
    LOOP_DESCRIPTORS = 3,
    SELFCHECK_MS = 2000,
    /* What an end takes beside its drain. */
    ENDING_MS = 5000,
};

static enum exit_code fail(enum exit_code code, const char *reason)
{
    (void)fprintf(stderr, "arbiterd: %s\n", reason);
    return code;
}

/* ---- what the api asks of the process ---- */

static void write_metrics(void *context, struct writer *out)
{
    const struct daemon *daemon = context;
    const struct metrics_gauges gauges = {
        .storage = daemon->storage,
        .games = daemon->games,
        .in_flight = http_server_in_flight(daemon->server),
        .streams = http_server_streams(daemon->server),
        .connections = http_server_connections(daemon->server),
        .body_bytes = http_server_body_bytes(daemon->server),
        .pool_waiting = pool_waiting(daemon->pool),
        .log_dropped = log_dropped(daemon->log),
        .version = ARBITER_VERSION,
    };
    metrics_write(daemon->metrics, &gauges, out);
}

static bool is_operator(void *context, const uint8_t *digest)
{
    const struct daemon *daemon = context;
    return operators_have(daemon->operators, digest);
}

static bool accepts_work(void *context)
{
    const struct daemon *daemon = context;
    return !http_server_is_draining(daemon->server);
}

/* ---- the parts, in the order in which they start ---- */

static enum exit_code start_log(struct daemon *daemon, const struct options_values *values)
{
    bool json = values->log_format == OPTIONS_LOG_JSON ||
                (values->log_format == OPTIONS_LOG_AUTO && isatty(STDERR_FILENO) == 0);
    daemon->log = log_create(STDERR_FILENO, json, (enum log_level)values->log_level);
    daemon->metrics = metrics_create();
    daemon->store_watch = daemon->log ? store_watch_create(daemon->log) : NULL;
    return daemon->store_watch && daemon->metrics ? EXIT_DONE : fail(EXIT_FAILED, "out of memory");
}

static enum exit_code adopt_listeners(struct daemon *daemon, int count)
{
    char error[LISTENER_ERROR_SIZE];
    if (count > HTTP_LISTENERS_MAX)
        return fail(EXIT_FAILED, "more sockets were handed over than the service can serve");
    for (int i = 0; i < count; i++) {
        if (!listener_adopt(&daemon->listeners[daemon->listener_count], SYSTEMD_FIRST_FD + i, error))
            return fail(EXIT_FAILED, error);
        daemon->listener_count++;
    }
    return EXIT_DONE;
}

/* Sockets that were handed over stand for the default address; addresses that were asked for are added. */
static enum exit_code open_all_listeners(struct daemon *daemon, const struct options_values *values)
{
    char error[LISTENER_ERROR_SIZE];
    int handed_over = systemd_listen_fds();
    enum exit_code code = adopt_listeners(daemon, handed_over);
    if (code != EXIT_DONE || (handed_over && options_is_default(daemon->options, "listen")))
        return code;
    for (const char **address = values->listen; *address; address++) {
        if (daemon->listener_count == HTTP_LISTENERS_MAX)
            return fail(EXIT_USAGE, "there are more addresses to listen on than the service can serve");
        struct listener *listener = &daemon->listeners[daemon->listener_count];
        if (!listener_open(listener, *address, (mode_t)values->unix_mode, error))
            return fail(EXIT_FAILED, error);
        daemon->listener_count++;
    }
    return EXIT_DONE;
}

/* Directly, or through a proxy. */
static bool is_reached(const struct listener *listener, const struct options_values *values)
{
    return listener->scope == REQUEST_SCOPE_NETWORK || *values->trusted_proxy;
}

static enum exit_code open_listeners(struct daemon *daemon, const struct options_values *values)
{
    enum exit_code code = open_all_listeners(daemon, values);
    bool reached = false;
    for (size_t i = 0; i < daemon->listener_count; i++)
        reached |= is_reached(&daemon->listeners[i], values);
    daemon->default_access = default_access(values, reached);
    for (size_t i = 0; code == EXIT_DONE && i < daemon->listener_count; i++)
        if (is_reached(&daemon->listeners[i], values) && daemon->default_access == ACCESS_OPEN)
            log_event(daemon->log, LOG_LEVEL_WARN,
                      "whoever reaches this address may read, play and delete every open game", "address",
                      daemon->listeners[i].url, (char *)NULL);
    return code;
}

static enum exit_code read_operators(struct daemon *daemon, const struct options_values *values)
{
    char error[OPERATORS_ERROR_SIZE];
    daemon->operators = operators_create();
    if (!daemon->operators)
        return fail(EXIT_FAILED, "out of memory");
    if (!operators_read(daemon->operators, values->operator_keys, error))
        return fail(EXIT_CONFIG, error);
    if (values->creators == OPTIONS_CREATORS_OPERATORS && operators_count(daemon->operators) == 0)
        log_event(daemon->log, LOG_LEVEL_WARN, "nobody may create games: there is no operator's key",
                  (char *)NULL);
    return EXIT_DONE;
}

static void tell_of_waiting(void *context)
{
    const struct daemon *daemon = context;
    log_event(daemon->log, LOG_LEVEL_WARN, "another arbiterd has the store: waiting for its end",
              (char *)NULL);
    (void)systemd_notify("STATUS=Waiting for the arbiterd that has the store");
}

/* Whoever served the sockets before may be about to end. */
static bool takes_over(const struct daemon *daemon)
{
    for (size_t i = 0; i < daemon->listener_count; i++)
        if (daemon->listeners[i].handed_over)
            return true;
    return false;
}

static enum exit_code open_storage(struct daemon *daemon, const struct options_values *values)
{
    char warning[STORAGE_ERROR_SIZE] = "";
    const struct storage_options options = {
        .synchronous_normal = values->synchronous == OPTIONS_SYNCHRONOUS_NORMAL,
        .watch = store_watch_of(daemon->store_watch),
    };
    const struct store_patience patience = {
        .ms = takes_over(daemon) ? values->drain_timeout_ms + ENDING_MS : 0,
        .on_wait = tell_of_waiting,
        .context = daemon,
    };
    enum exit_code code = store_open_patiently(values->db, &options, &patience, &daemon->storage, warning);
    if (code == EXIT_DONE && *warning)
        log_event(daemon->log, LOG_LEVEL_WARN, warning, (char *)NULL);
    return code;
}

static enum exit_code create_games(struct daemon *daemon, const struct options_values *values)
{
    const struct api_limits *limits = &values->limits;
    const struct games_settings settings = {
        .memory_bytes = (size_t)values->memory_bytes,
        .plies_limit = (uint32_t)limits->plies,
        .events_catchup = (uint32_t)limits->events_catchup,
        .events_backlog = (uint32_t)limits->stream_backlog,
        .events_bytes = (size_t)limits->events_bytes,
        .receipts_ms = limits->idempotency_ms,
        .read_metadata = metadata_read,
    };
    daemon->games = games_create(daemon->storage, &settings);
    return daemon->games ? EXIT_DONE : fail(EXIT_FAILED, games_create_failure(daemon->storage));
}

static void *keep_time(void *games)
{
    games_keep_ticking(games);
    return NULL;
}

static enum exit_code start_timekeeper(struct daemon *daemon, const struct options_values *values)
{
    (void)values;
    daemon->keeps_time = pthread_create(&daemon->timekeeper, NULL, keep_time, daemon->games) == 0;
    return daemon->keeps_time ? EXIT_DONE : fail(EXIT_FAILED, "no thread can be started");
}

static void stop_timekeeper(struct daemon *daemon)
{
    if (!daemon->keeps_time)
        return;
    games_stop_ticking(daemon->games);
    pthread_join(daemon->timekeeper, NULL);
}

static void list_origins(struct daemon *daemon)
{
    size_t count = 0;
    for (size_t i = 0; i < daemon->listener_count; i++)
        if (daemon->listeners[i].scope != REQUEST_SCOPE_UNIX)
            daemon->origins[count++] = daemon->listeners[i].url;
    daemon->origins[count] = NULL;
}

static enum exit_code create_api(struct daemon *daemon, const struct options_values *values)
{
    list_origins(daemon);
    const struct api_service service = {
        .context = daemon,
        .write_metrics = write_metrics,
        .accepts_work = accepts_work,
        .is_operator = is_operator,
        .version = ARBITER_VERSION,
        .build_info = build_info(),
    };
    const struct api_settings settings = {
        .limits = values->limits,
        .allowed_origins = (const char *const *)values->allow_origin,
        .allowed_hosts = (const char *const *)values->allow_host,
        .trusted_proxies = (const char *const *)values->trusted_proxy,
        .rate_limits = (enum api_client_limits)values->rate_limits,
        .stream_limits = (enum api_client_limits)values->stream_limits,
        .public_origins = daemon->origins,
        .seats_by_default = daemon->default_access == ACCESS_SEATS,
        .operators_create = values->creators == OPTIONS_CREATORS_OPERATORS,
    };
    daemon->api = api_create(daemon->games, &service, &settings);
    daemon->pool = pool_create((unsigned)values->pool_threads, (size_t)values->pool_queue);
    return daemon->api && daemon->pool ? EXIT_DONE
                                       : fail(EXIT_FAILED, "out of memory, or no thread can be started");
}

/* A number as text. */
struct decimal {
    char text[24];
};

static struct decimal decimal(uint64_t number)
{
    struct decimal decimal;
    (void)snprintf(decimal.text, sizeof decimal.text, "%" PRIu64, number);
    return decimal;
}

/* As many connections for each listening socket as were asked for, if the process may hold so many descriptors; 0: it may
 * not hold those of the fewest that can be asked for. */
static unsigned count_connections(const struct daemon *daemon, int64_t wanted, int64_t threads)
{
    rlim_t others = OTHER_DESCRIPTORS + LOOP_DESCRIPTORS * (rlim_t)threads * daemon->listener_count;
    struct rlimit limit = {0};
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return (unsigned)wanted;
    rlim_t each = limit.rlim_cur > others ? (limit.rlim_cur - others) / daemon->listener_count : 0;
    if ((rlim_t)wanted <= each)
        return (unsigned)wanted;
    if (each < OPTIONS_CONNECTIONS_MIN)
        return 0;
    log_event(daemon->log, LOG_LEVEL_WARN,
              "the limit of open files (RLIMIT_NOFILE) lowers the setting connections", "connections",
              decimal(each).text, (char *)NULL);
    return (unsigned)each;
}

static int64_t longest_body(const struct api_limits *limits)
{
    int64_t longest = limits->body_bytes;
    longest = limits->pgn_bytes > longest ? limits->pgn_bytes : longest;
    longest = limits->batch_bytes > longest ? limits->batch_bytes : longest;
    return limits->pgn_import_bytes > longest ? limits->pgn_import_bytes : longest;
}

/* The longest body has to have room. */
static size_t room_for_bodies(const struct daemon *daemon, int64_t wanted, int64_t longest)
{
    if (wanted > longest)
        return (size_t)wanted;
    log_event(daemon->log, LOG_LEVEL_WARN, "the longest body that may come raises the setting body-memory",
              "body_memory", decimal((uint64_t)longest + 1).text, (char *)NULL);
    return (size_t)longest + 1;
}

static enum exit_code start_server(struct daemon *daemon, const struct options_values *values)
{
    const struct api_limits *limits = &values->limits;
    int64_t body_bytes = longest_body(limits);
    const struct http_settings settings = {
        .threads = (unsigned)values->threads,
        .connections = count_connections(daemon, values->connections, values->threads),
        .idle_ms = values->idle_timeout_ms,
        .request_ms = limits->request_ms,
        .body_bytes = (uint64_t)body_bytes, /* the api knows which body this is, and may allow less */
        .body_memory = room_for_bodies(daemon, values->body_memory_bytes, body_bytes),
        .target_bytes = (size_t)limits->target_bytes,
        .head_bytes = (size_t)limits->head_bytes,
        .header_fields = (size_t)limits->header_fields,
    };
    static_assert(OPTIONS_CONNECTIONS_MIN == 8, "as the sentence says");
    if (settings.connections == 0)
        return fail(EXIT_FAILED,
                    "the limit of open files (RLIMIT_NOFILE, ulimit -n) leaves fewer than 8 connections "
                    "for each address: raise it, or take fewer addresses or threads");
    const struct http_parts parts = {
        .api = daemon->api, .pool = daemon->pool, .log = daemon->log, .metrics = daemon->metrics};
    daemon->server = http_server_create(&settings, &parts);
    for (size_t i = 0; daemon->server && i < daemon->listener_count; i++)
        if (!http_server_start(daemon->server, &daemon->listeners[i]))
            return fail(EXIT_FAILED, "the HTTP library could not start: too few threads or descriptors");
    return daemon->server ? EXIT_DONE : fail(EXIT_FAILED, "out of memory, or no thread can be started");
}

enum exit_code daemon_start(struct daemon *daemon, const struct options *options)
{
    static enum exit_code (*const STEPS[])(struct daemon * daemon, const struct options_values *values) = {
        start_log,    open_listeners,   read_operators, open_storage,
        create_games, start_timekeeper, create_api,     start_server,
    };
    *daemon = (struct daemon){.options = options};
    for (size_t i = 0; i < sizeof STEPS / sizeof *STEPS; i++) {
        enum exit_code code = STEPS[i](daemon, options_values(options));
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

enum exit_code daemon_try(const struct options *options)
{
    struct storage *storage = NULL;
    const struct storage_options reading = {.read_only = true, .needs_write_access = true};
    enum exit_code code = store_open_told(options_values(options)->db, &reading, &storage);
    storage_close(storage);
    return code;
}

bool daemon_answers(const struct daemon *daemon)
{
    for (size_t i = 0; i < daemon->listener_count; i++)
        if (!selfcheck_answers(daemon->listeners[i].fd, SELFCHECK_MS) &&
            !http_server_is_full(daemon->server, i))
            return false;
    return true;
}

void daemon_tell_state(const struct daemon *daemon)
{
    struct games_counters games;
    games_counters(daemon->games, &games);
    uint64_t streams = http_server_streams(daemon->server);
    uint64_t in_flight = http_server_in_flight(daemon->server);
    log_event(daemon->log, LOG_LEVEL_INFO, "state", "connections",
              decimal(http_server_connections(daemon->server)).text, "requests",
              decimal(in_flight > streams ? in_flight - streams : 0).text, "streams", decimal(streams).text,
              "waiting", decimal(pool_waiting(daemon->pool)).text, "games", decimal(games.live).text,
              "games_bytes", decimal(games.memory_bytes).text, (char *)NULL);
}

bool daemon_drain(struct daemon *daemon)
{
    if (!daemon->server)
        return true;
    int64_t timeout_ms = options_values(daemon->options)->drain_timeout_ms;
    if (!http_server_drain(daemon->server, timeout_ms))
        log_event(daemon->log, LOG_LEVEL_WARN, "the drain timeout passed with requests unanswered",
                  (char *)NULL);
    return http_server_suspended(daemon->server) == 0;
}

void daemon_finish(struct daemon *daemon)
{
    if (daemon->server)
        http_server_stop(daemon->server);
    pool_destroy(daemon->pool);
    http_server_destroy(daemon->server);
    api_destroy(daemon->api);
    stop_timekeeper(daemon);
    games_destroy(daemon->games);
    storage_close(daemon->storage);
    store_watch_destroy(daemon->store_watch);
    for (size_t i = 0; i < daemon->listener_count; i++)
        listener_close(&daemon->listeners[i]);
    operators_destroy(daemon->operators);
    metrics_destroy(daemon->metrics);
    log_destroy(daemon->log);
}
