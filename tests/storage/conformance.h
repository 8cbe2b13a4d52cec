/* What every backend of the storage must do: one suite for all of them. */
#pragma once

#include "storage/storage.h"

struct conformance {
    const char *name;
    /* The URL of an empty store, made for one test; for free(). */
    char *(*prepare)(void);
    /* Removes what prepare has made, after the store was closed. */
    void (*discard)(void);
};

/* Runs the suite; the number of tests that failed. */
int conformance_run(const struct conformance *tested);
