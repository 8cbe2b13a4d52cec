#include "service/metrics.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "api/writer.h"
#include "games/games.h"
#include "service/metrics_process.h"
#include "storage/storage.h"

enum {
    ROUTE_SLOTS = 256, /* a power of two; the api has fewer than half as many routes */
    STATUS_COUNT = 40,
    METHOD_COUNT = 8,
    BUCKET_COUNT = 13,
};

/* The last of each table stands for all others. */
static const char *const METHODS[METHOD_COUNT] = {"GET",   "HEAD",   "POST",    "PUT",
                                                  "PATCH", "DELETE", "OPTIONS", "other"};
static const uint16_t STATUSES[STATUS_COUNT] = {
    200, 201, 202, 204, 206, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 405, 406, 408, 409, 410,
    411, 412, 413, 414, 415, 417, 421, 422, 425, 426, 428, 429, 431, 500, 501, 502, 503, 504, 507};

static const struct {
    uint64_t ns;
    const char *le;
} BUCKETS[BUCKET_COUNT] = {
    {100000, "0.0001"}, {250000, "0.00025"}, {500000, "0.0005"},   {1000000, "0.001"}, {2500000, "0.0025"},
    {5000000, "0.005"}, {10000000, "0.01"},  {25000000, "0.025"},  {100000000, "0.1"}, {250000000, "0.25"},
    {1000000000, "1"},  {5000000000, "5"},   {UINT64_MAX, "+Inf"},
};

typedef _Atomic uint64_t counter;

struct route {
    _Atomic(const char *) name;
    counter requests[METHOD_COUNT][STATUS_COUNT];
    counter buckets[BUCKET_COUNT];
    counter total_ns;
};

struct metrics {
    counter connections_total, headers_refused, deadlines, routes_lost;
    struct metrics_process process;
    struct route routes[ROUTE_SLOTS];
};

static void add(counter *c, uint64_t n)
{
    atomic_fetch_add_explicit(c, n, memory_order_relaxed);
}

static uint64_t value(counter *c)
{
    return atomic_load_explicit(c, memory_order_relaxed);
}

struct metrics *metrics_create(void)
{
    struct metrics *metrics = calloc(1, sizeof *metrics);
    if (metrics)
        metrics_process_init(&metrics->process);
    return metrics;
}

void metrics_destroy(struct metrics *metrics)
{
    free(metrics);
}

/* FNV-1a. */
static size_t hash(const char *text)
{
    uint32_t h = 2166136261;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619;
    return h;
}

/* The slot of a route, taken on its first request. NULL: the table is full. */
static struct route *find_route(struct metrics *metrics, const char *name)
{
    size_t at = hash(name);
    for (size_t i = 0; i < ROUTE_SLOTS; i++) {
        struct route *route = &metrics->routes[(at + i) % ROUTE_SLOTS];
        const char *taken = atomic_load_explicit(&route->name, memory_order_acquire);
        if (!taken && atomic_compare_exchange_strong(&route->name, &taken, name))
            return route;
        if (taken == name || strcmp(taken, name) == 0)
            return route;
    }
    return NULL;
}

static size_t method_index(const char *method)
{
    size_t i = 0;
    while (i < METHOD_COUNT - 1 && strcmp(METHODS[i], method) != 0)
        i++;
    return i;
}

static size_t status_index(unsigned status)
{
    size_t i = 0;
    while (i < STATUS_COUNT - 1 && STATUSES[i] != status)
        i++;
    return i;
}

static size_t bucket_index(uint64_t ns)
{
    size_t i = 0;
    while (ns > BUCKETS[i].ns)
        i++;
    return i;
}

void metrics_request_end(struct metrics *metrics, const char *route, const char *method, unsigned status,
                         uint64_t duration_ns)
{
    struct route *slot = find_route(metrics, route);
    if (!slot) {
        add(&metrics->routes_lost, 1);
        return;
    }
    add(&slot->requests[method_index(method)][status_index(status)], 1);
    add(&slot->buckets[bucket_index(duration_ns)], 1);
    add(&slot->total_ns, duration_ns);
}

void metrics_connection_opened(struct metrics *metrics)
{
    add(&metrics->connections_total, 1);
}

void metrics_header_refused(struct metrics *metrics)
{
    add(&metrics->headers_refused, 1);
}

void metrics_deadline_passed(struct metrics *metrics)
{
    add(&metrics->deadlines, 1);
}

static void write_head(struct writer *out, const char *name, const char *type, const char *help)
{
    writer_printf(out, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, type);
}

static void write_single(struct writer *out, const char *name, const char *type, const char *help, uint64_t n)
{
    write_head(out, name, type, help);
    writer_printf(out, "%s %" PRIu64 "\n", name, n);
}

static void write_route_requests(struct route *route, const char *name, struct writer *out)
{
    for (size_t m = 0; m < METHOD_COUNT; m++) {
        for (size_t s = 0; s < STATUS_COUNT; s++) {
            uint64_t n = value(&route->requests[m][s]);
            if (n == 0)
                continue;
            writer_printf(out, "arbiter_http_requests_total{method=\"%s\",route=\"%s\",status=\"", METHODS[m],
                          name);
            if (STATUSES[s])
                writer_int(out, STATUSES[s]);
            else
                writer_text(out, "other");
            writer_printf(out, "\"} %" PRIu64 "\n", n);
        }
    }
}

static void write_seconds(struct writer *out, uint64_t ns)
{
    writer_printf(out, "%" PRIu64 ".%09" PRIu64 "\n", ns / 1000000000, ns % 1000000000);
}

static void write_route_durations(struct route *route, const char *name, struct writer *out)
{
    uint64_t below = 0;
    for (size_t i = 0; i < BUCKET_COUNT; i++) {
        below += value(&route->buckets[i]);
        writer_printf(out,
                      "arbiter_http_request_duration_seconds_bucket{route=\"%s\",le=\"%s\"} %" PRIu64 "\n",
                      name, BUCKETS[i].le, below);
    }
    writer_printf(out, "arbiter_http_request_duration_seconds_sum{route=\"%s\"} ", name);
    write_seconds(out, value(&route->total_ns));
    writer_printf(out, "arbiter_http_request_duration_seconds_count{route=\"%s\"} %" PRIu64 "\n", name,
                  below);
}

static void write_routes(struct metrics *metrics, struct writer *out,
                         void (*write)(struct route *route, const char *name, struct writer *out))
{
    for (size_t i = 0; i < ROUTE_SLOTS; i++) {
        const char *name = atomic_load_explicit(&metrics->routes[i].name, memory_order_acquire);
        if (name)
            write(&metrics->routes[i], name, out);
    }
}

struct row {
    const char *name, *type, *help;
    uint64_t n;
};

static void write_rows(struct writer *out, const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        write_single(out, rows[i].name, rows[i].type, rows[i].help, rows[i].n);
}

static void write_games(struct games *games, struct writer *out)
{
    struct games_counters c;
    games_counters(games, &c);
    const struct row rows[] = {
        {"arbiter_games_live", "gauge", "Games in memory.", c.live},
        {"arbiter_games_memory_bytes", "gauge", "Memory of these games.", c.memory_bytes},
        {"arbiter_games_loads_total", "counter", "Games read from storage.", c.loads},
        {"arbiter_games_evictions_total", "counter", "Games dropped from memory to stay in the budget.",
         c.evictions},
        {"arbiter_games_deadlines", "gauge", "Games with a clock that runs or that may be abandoned.",
         c.deadlines},
        {"arbiter_games_solving", "gauge", "Actions that wait until it is known who can still mate.",
         c.solving},
        {"arbiter_games_damaged_total", "counter", "Times that the log of a game did not add up.", c.damaged},
    };
    write_rows(out, rows, sizeof rows / sizeof *rows);
}

static void write_storage(struct storage *storage, struct writer *out)
{
    struct storage_counters c;
    storage_counters(storage, &c);
    const struct row rows[] = {
        {"arbiter_storage_transactions_total", "counter", "Commits.", c.transactions},
        {"arbiter_storage_writes_total", "counter", "Writes in these commits, with those that were refused.",
         c.writes},
        {"arbiter_storage_conflicts_total", "counter", "Writes refused because another came first.",
         c.conflicts},
        {"arbiter_storage_faults_total", "counter", "Writes that the disk or the database failed.", c.faults},
        {"arbiter_storage_largest_batch", "gauge", "The most writes in one commit.", c.largest_batch},
        {"arbiter_storage_queue_length", "gauge", "Writes that wait now.", c.queue_length},
        {"arbiter_storage_file_bytes", "gauge", "The file of the store.", c.file_bytes},
        {"arbiter_storage_log_bytes", "gauge",
         "What lies beside it, to be moved into it; grows while a backup reads.", c.log_bytes},
    };
    write_rows(out, rows, sizeof rows / sizeof *rows);
    write_head(out, "arbiter_storage_commit_seconds_total", "counter", "Time spent in commits.");
    writer_text(out, "arbiter_storage_commit_seconds_total ");
    write_seconds(out, c.commit_us_total * 1000);
}

static void write_service(struct metrics *metrics, const struct metrics_gauges *gauges, struct writer *out)
{
    const struct row rows[] = {
        {"arbiter_http_requests_in_flight", "gauge",
         "Requests that have begun and are not answered; open streams are not among them.",
         gauges->in_flight > gauges->streams ? gauges->in_flight - gauges->streams : 0},
        {"arbiter_http_streams", "gauge", "Open event streams, and long polls that wait.", gauges->streams},
        {"arbiter_http_connections", "gauge", "Open connections.", gauges->connections},
        {"arbiter_http_body_bytes", "gauge", "Memory of request bodies.", gauges->body_bytes},
        {"arbiter_http_connections_total", "counter", "Connections since the start.",
         value(&metrics->connections_total)},
        {"arbiter_http_deadlines_total", "counter",
         "Connections cut because a request took too long to arrive.", value(&metrics->deadlines)},
        {"arbiter_http_headers_refused_total", "counter", "Response headers that could not be sent.",
         value(&metrics->headers_refused)},
        {"arbiter_http_routes_lost_total", "counter", "Requests not counted by route: the table is full.",
         value(&metrics->routes_lost)},
        {"arbiter_pool_waiting", "gauge", "Requests that wait for a pool thread.", gauges->pool_waiting},
        {"arbiter_log_lines_dropped_total", "counter", "Log lines dropped because stderr was slow.",
         gauges->log_dropped},
    };
    write_rows(out, rows, sizeof rows / sizeof *rows);
}

void metrics_write(struct metrics *metrics, const struct metrics_gauges *gauges, struct writer *out)
{
    write_head(out, "arbiter_build_info", "gauge", "1, labelled with the version.");
    writer_printf(out, "arbiter_build_info{version=\"%s\"} 1\n", gauges->version);
    write_head(out, "arbiter_http_requests_total", "counter", "Answered requests.");
    write_routes(metrics, out, write_route_requests);
    write_head(out, "arbiter_http_request_duration_seconds", "histogram",
               "From the request line to the last byte of the answer, or to the head of a stream.");
    write_routes(metrics, out, write_route_durations);
    write_service(metrics, gauges, out);
    if (gauges->games)
        write_games(gauges->games, out);
    if (gauges->storage)
        write_storage(gauges->storage, out);
    metrics_process_write(&metrics->process, out);
}
