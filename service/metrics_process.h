/* metrics_process: what Prometheus' own clients tell about a process: start, memory, descriptors, CPU time.
 *
 * Layer: service; read from /proc/self at each scrape. */
#pragma once

#include <stdint.h>

struct writer;

struct metrics_process {
    double start_seconds; /* Unix time */
};

void metrics_process_init(struct metrics_process *process);
/* What cannot be read is left out. */
void metrics_process_write(const struct metrics_process *process, struct writer *out);
