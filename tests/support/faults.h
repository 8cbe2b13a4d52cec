/* faults: a disk that fails when it is told to, for the real program.
 *
 * tests/torture/faults.c, loaded before the C library (LD_PRELOAD), counts the calls that touch the files of one folder
 * and lets some of them fail. What it is to do stands in a file that it and the test have mapped, so a test can change
 * it while the program runs. tests/support/daemon_faults.h is the test's hand on it. */
#pragma once

#include <stdatomic.h>
#include <stdint.h>

/* The environment variable that names the mapped file. */
#define FAULTS_VARIABLE "FAULTS_FILE"

enum fault_kind {
    FAULT_EIO,
    FAULT_ENOSPC,
    FAULT_SHORT, /* the first write writes one half and says so, those behind it give ENOSPC: of writes alone */
    FAULT_KILL, /* SIGKILL instead of the call, in a write behind one half of its bytes */
    FAULT_POWER, /* SIGKILL instead of the call, and what was written and not synced since is lost; names are not */
    FAULT_KIND_COUNT
};

/* Which files. */
enum fault_file {
    FAULT_FILE_STORE = 1, /* *.db */
    FAULT_FILE_LOG = 2,   /* *-wal */
    FAULT_FILE_OTHER = 4, /* the folder itself, its drafts, copies and journals; not *-shm, which is memory */
    FAULT_FILES = 7
};

/* Which calls. */
enum fault_call {
    FAULT_OPEN = 1,
    FAULT_WRITE = 2,
    FAULT_SYNC = 4,
    FAULT_TRUNCATE = 8,
    FAULT_NAME = 16, /* rename, link, unlink */
    FAULT_CALLS = 31
};

enum { FAULTS_FOLDER_SIZE = 256 };

struct faults {
    _Atomic uint32_t calls;       /* counted since faults_arm: of these files, of these kinds of call */
    _Atomic uint32_t first, last; /* by their number from 1, those that fail; first 0: none */
    _Atomic uint32_t kind, files, operations;
    _Atomic uint32_t met; /* how many have failed */
    char folder[FAULTS_FOLDER_SIZE];
};
