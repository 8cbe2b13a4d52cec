/* daemon_process: the real arbiterd in a process of its own, for tests.
 *
 * Each has a temporary folder for its database, which is removed at the end. The binary is $ARBITERD, or the
 * `arbiterd` in the nearest folder above the test program. The process dies with the test. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { DAEMON_LINE_SIZE = 2048, DAEMON_PATH_SIZE = 256 };

struct daemon_process {
    pid_t pid;       /* 0: not running */
    int output;      /* its stderr */
    unsigned port;   /* of the first address that is no Unix socket; 0: none */
    int handed_over; /* a listening socket to hand to the next start (socket activation); 0: none */
    bool has_folder; /* `folder` is to be removed */
    char folder[DAEMON_PATH_SIZE];
    char pending[DAEMON_LINE_SIZE]; /* read, not yet taken */
    size_t pending_length;
};

/* $ARBITERD, or `arbiterd` in the nearest folder above this program. False: there is none. */
bool daemon_process_binary(char path[DAEMON_PATH_SIZE]);
/* Makes the folder. False: errno. */
bool daemon_process_init(struct daemon_process *process);
/* Kills what runs, removes the folder. */
void daemon_process_finish(struct daemon_process *process);

/* Starts `arbiterd` with these arguments (NULL-terminated) and, unless they name one, `--db` in the folder.
 * Does not wait. */
bool daemon_process_start(struct daemon_process *process, const char *const *arguments);
/* Waits for the line that tells that it listens. False: it ended before. */
bool daemon_process_wait_ready(struct daemon_process *process);
/* The usual: makes the folder if there is none, starts on a free loopback port with these further arguments (or NULL),
 * and waits. */
bool daemon_process_run(struct daemon_process *process, const char *const *arguments);

/* The next line of stderr without its end; false: no more comes. */
bool daemon_process_read_line(struct daemon_process *process, char line[DAEMON_LINE_SIZE]);
/* Reads lines until one holds `text`. */
bool daemon_process_wait_line(struct daemon_process *process, const char *text, char line[DAEMON_LINE_SIZE]);

void daemon_process_signal(const struct daemon_process *process, int number);
/* Waits for the end: the exit code, 128 + signal, or -1. */
int daemon_process_wait(struct daemon_process *process);
/* SIGTERM and wait. */
int daemon_process_stop(struct daemon_process *process);
