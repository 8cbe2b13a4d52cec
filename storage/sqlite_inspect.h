/* What is wrong with a file as a database; see storage_inspect.
 *
 * Layer: storage, private. Reads on a connection of its own, each statement in a snapshot of its own. */
#pragma once

#include "storage/sqlite_health.h"
#include "storage/sqlite_schema.h"

struct sqlite_inspector {
    const char *path, *name; /* as sqlite_original has them */
    const struct sqlite_schema *schema;
    struct sqlite_health *health; /* is told of a fault that ends the inspection */
    const struct storage_work *work;
    uint32_t busy_ms;
    void *context; /* of `finding` */
    void (*finding)(void *context, const struct storage_finding *finding);
};

enum storage_status sqlite_inspect(const struct sqlite_inspector *inspector);
