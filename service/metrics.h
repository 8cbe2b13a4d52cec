/* metrics: counters of the HTTP service and of the process, as Prometheus text (format 0.0.4).
 *
 * Layer: service. Lock-free: any thread counts with a few atomic additions; one table, made at the start.
 * Labels are route templates, methods and statuses, never ids: a client cannot make series. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct games;
struct storage;
struct writer;
struct metrics;

/* NULL when memory is out. */
struct metrics *metrics_create(void);
void metrics_destroy(struct metrics *metrics);

/* `route` is a static text of the api. */
void metrics_request_end(struct metrics *metrics, const char *route, const char *method, unsigned status,
                         uint64_t duration_ns);
void metrics_connection_opened(struct metrics *metrics);
/* A response header that the HTTP library would not take: a fault of ours. */
void metrics_header_refused(struct metrics *metrics);
/* A connection that was cut because its request did not arrive in time. */
void metrics_deadline_passed(struct metrics *metrics);

/* Values that others keep. */
struct metrics_gauges {
    struct storage *storage; /* NULL: none */
    struct games *games;     /* NULL: none */
    uint64_t in_flight, streams, connections, body_bytes, pool_waiting, log_dropped;
    const char *version;
};
void metrics_write(struct metrics *metrics, const struct metrics_gauges *gauges, struct writer *out);
