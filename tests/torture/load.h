/* load: several clients that do everything to games that can be done, each with a ledger of what was acknowledged.
 *
 *     load_start(&load, port);
 *     load_await(&load, actions);      then something happens to the daemon
 *     load_join(&load);                once it is gone, or load_stop was called
 *     load_check(&load, port);         of the daemon that runs now
 */
#pragma once

#include <pthread.h>

#include "tests/torture/ledger.h"

enum { LOAD_CLIENTS = 4, LOAD_FAULT_SIZE = 1024, LOAD_GAMES = LEDGER_GAMES - 16 };

struct load;

struct load_client {
    struct load *load;
    struct ledger ledger;
    struct http_client http;
    uint64_t seed;
    unsigned keys;
    pthread_t thread;
    char fault[LOAD_FAULT_SIZE]; /* an answer that should not have been; empty: none */
};

struct load {
    struct load_client clients[LOAD_CLIENTS];
    unsigned port, bulk_bytes; /* of metadata that each game is made with */
    pthread_mutex_t mutex;     /* of all that follows */
    pthread_cond_t changed;
    bool stopping;
    unsigned running;
    unsigned acknowledged; /* since load_start */
    unsigned unavailable;  /* 503 since load_start */
};

/* Forgets what was acknowledged before: of a new store. */
void load_begin(struct load *load, uint64_t seed);
void load_end(struct load *load);

void load_start(struct load *load, unsigned port);
/* There is room for hardly any more games, and whoever finds that out ends: time for a new store. */
bool load_is_full(const struct load *load);
/* Until so many actions are acknowledged, or a client has ended. */
void load_await(struct load *load, unsigned actions);
void load_stop(struct load *load);
/* NULL, or what a client was answered that it should not have been. */
const char *load_join(struct load *load);

/* NULL: all that was acknowledged is there; else what is not. */
const char *load_check(struct load *load, unsigned port);

/* Something by chance; false: the daemon is gone. */
bool load_step(struct load_client *client);

/* For scripts: one action of one client, in the caller's thread. The client is open. False: the daemon is gone. A refusal
 * is counted or blamed as under load. */
struct load_call {
    const char *method, *rest; /* behind the id of the game */
    const char *body;          /* NULL: none */
    const char *token;         /* NULL or empty: none */
    bool keyed;
};
bool load_act(struct load_client *client, struct ledger_game *game, const struct load_call *call);
/* Creates a game, which is the last of the ledger then, unless it was refused. */
bool load_make(struct load_client *client, const char *body, bool keyed);
