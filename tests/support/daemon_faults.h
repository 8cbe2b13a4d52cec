/* daemon_faults: the disk of a daemon that a test starts fails when the test says so (tests/support/faults.h).
 *
 *     faults_begin(&daemon_process)      before the daemon starts; from now on every program is started so
 *     faults_arm(&(struct fault){.kind = FAULT_ENOSPC, .first = 3, .last = UINT32_MAX, …});
 *     faults_heal();
 *     faults_end();
 *
 * The library is $FAULTS, or tests/torture/faults.so beside the daemon. */
#pragma once

#include <stdbool.h>

#include "tests/support/daemon_process.h"
#include "tests/support/faults.h"

struct fault {
    enum fault_kind kind;
    /* The numbers of the calls that fail, from 1; 0 and 0: none, they are counted only. */
    uint32_t first, last;
    unsigned files, operations; /* 0: all of them */
};

/* Of the files in the folder of `process`. False: there is no library, or no file could be mapped. */
bool faults_begin(const struct daemon_process *process);
/* Later programs start without it. */
void faults_end(void);

/* Counts from 0 again. */
void faults_arm(const struct fault *fault);
void faults_heal(void);
/* Calls since faults_arm; those of them that failed. */
uint32_t faults_calls(void);
uint32_t faults_met(void);
