#include <inttypes.h>
#include <stdio.h>

#include "bench/load.h"

static void print_times(const char *name, const struct times *times, double seconds, uint64_t body_bytes)
{
    (void)printf(",\"%s\":{\"count\":%" PRIu64
                 ",\"per_s\":%.1f,\"mean_us\":%.1f,\"p50_us\":%.1f,\"p99_us\":%.1f,"
                 "\"p999_us\":%.1f,\"max_us\":%.1f,\"bytes\":%.0f}",
                 name, times->count, (double)times->count / seconds,
                 (double)times->sum_ns / (double)times->count / 1e3, (double)times_quantile(times, 500) / 1e3,
                 (double)times_quantile(times, 990) / 1e3, (double)times_quantile(times, 999) / 1e3,
                 (double)times->max_ns / 1e3, (double)body_bytes / (double)times->count);
}

void load_report(const struct load *load)
{
    const struct wrongs *wrongs = &load->wrongs;
    uint64_t requests = 0;
    for (unsigned kind = 0; kind < REQUEST_KIND_COUNT; kind++)
        requests += load->times[kind].count;
    (void)printf("{\"scenario\":\"%s\",\"connections\":%u,\"seconds\":%.3f,\"requests\":%" PRIu64,
                 load->scenario->name, load->options.connections, load->seconds, requests);
    for (unsigned kind = 0; kind < REQUEST_KIND_COUNT; kind++)
        if (load->times[kind].count > 0)
            print_times(REQUEST_NAMES[kind], &load->times[kind], load->seconds, load->body_bytes[kind]);
    (void)printf(
        ",\"games_created\":%" PRIu64 ",\"games_finished\":%" PRIu64
        ",\"server_cpu_s\":%.2f,\"load_cpu_s\":%.2f,\"server_rss_before_kib\":%ld,\"server_rss_kib\":%ld",
        load->created, load->finished, load->processor_s, load->own_processor_s, load->resident_before_kib,
        server_usage(load->options.pid).resident_kib);
    if (load->options.is_patient)
        (void)printf(",\"again\":%" PRIu64 ",\"reopened\":%" PRIu64, load->again, load->reopened);
    (void)printf("%s,\"wrong\":{\"status\":%" PRIu64 ",\"position\":%" PRIu64 ",\"version\":%" PRIu64
                 ",\"body\":%" PRIu64 ",\"connection\":%" PRIu64 "}}\n",
                 load->figures, wrongs->status, wrongs->position, wrongs->version, wrongs->body,
                 wrongs->connection);
}
