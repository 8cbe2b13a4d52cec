/* load_client: one keep-alive connection and the request that is on its way over it.
 *
 * Threads: one. A client of zero is closed. */
#pragma once

#include <stdint.h>

#include "bench/load_answer.h"
#include "bench/load_games.h"
#include "bench/load_target.h"

enum { CLIENT_ID_SIZE = 64 };

struct client {
    int fd; /* 0: closed */
    bool is_waiting;
    enum request_kind asked;
    struct request_values values; /* of this request; they point into this client, and to what outlives it */
    uint64_t due_ns;              /* when the request was sent, or should have been */

    /* Its game; NULL: none yet. */
    const struct bench_game *game;
    char id[CLIENT_ID_SIZE]; /* empty: still to be created */
    unsigned ply, plies;     /* played, and to be played */
    unsigned step;           /* of `mix`: which of the three requests of a half-move is next */
    size_t slot;             /* among the games that are read */

    char *bytes; /* of the answer so far; there is a NUL behind them */
    size_t length, capacity;
};

/* Connects, and has `epoll` tell of what can be read, with the client as its pointer. False: errno. */
bool client_open(struct client *client, const struct target *target, int epoll);
void client_close(struct client *client);
/* Another connection in place of this one; the client goes on with its game and its request, if it is waiting for an
 * answer. False: errno, and it is closed. */
bool client_reopen(struct client *client, const struct target *target, int epoll);

/* False: the connection does not take it. */
bool client_ask(struct client *client, const struct target *target, enum request_kind kind,
                const struct request_values *values, uint64_t due_ns);
/* The same request once more. */
bool client_ask_again(struct client *client, const struct target *target);

enum client_status { CLIENT_GOES_ON, CLIENT_ANSWERED, CLIENT_LOST };

/* Reads what there is. ANSWERED: *answer is valid until the next request. LOST: the other side has closed, or what came
 * is no answer. */
enum client_status client_receive(struct client *client, struct answer *answer);
