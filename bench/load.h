/* load: the load generator as a whole, for the files that make it up.
 *
 * One thread and one epoll set. load.c reads the command line, load_run.c drives the clients, load_scenario.c knows
 * what each of them asks next and what it must be answered, load_report.c prints. Two scenarios have a course of their
 * own: load_idle.c and load_streams.c. */
#pragma once

#include "bench/load_client.h"
#include "bench/load_server.h"
#include "bench/load_times.h"

struct load_options {
    const char *url, *conf, *games, *ids;
    unsigned connections;
    double seconds, warmup;
    double every; /* seconds after each of which a line is printed; 0: one at the end */
    /* Requests a second, whatever becomes of them; 0: each client asks when it has been answered. */
    double rate;
    int pid; /* of the server; 0: not measured */
    unsigned plies;
    bool has_plies;
    unsigned count;    /* games to be created; 0: as many as go */
    unsigned requests; /* to be asked; 0: as many as go */
    unsigned pool;     /* games to be read */
    /* These are all played to their ends; else to depths from the first half-move to the last. */
    bool is_deep;
    unsigned watched; /* games with event streams */
    bool is_patient;  /* a request whose connection was lost is sent again */
};

/* What must not be. */
struct wrongs {
    uint64_t status, position, version, body, connection;
};

/* A game to be read, and what was answered when it was read first. */
struct pool_game {
    char id[CLIENT_ID_SIZE];
    bool is_ready;
    unsigned plies; /* UINT_MAX: not known */
    char *bodies[REQUEST_KIND_COUNT];
    size_t lengths[REQUEST_KIND_COUNT];
};

struct ask {
    enum request_kind kind;
    const char *id, *uci;
};

struct load;

struct scenario {
    const char *name;
    bool has_clients; /* connections that ask and are answered */
    bool reads_pool;  /* they read games that are set up before */
    /* What this client asks next; false: nothing more. NULL: it has a course of its own. */
    bool (*next)(struct load *load, struct client *client, struct ask *ask);
    /* Instead; true: everything was as it should be. */
    bool (*run)(struct load *load);
};

extern const struct scenario SCENARIOS[];
/* NULL: there is none of this name. */
const struct scenario *scenario_find(const char *name);

struct load {
    struct load_options options;
    const struct scenario *scenario;
    bool (*next)(struct load *load, struct client *client, struct ask *ask);
    struct target target;
    struct bench_games games;
    struct client *clients;
    int epoll;
    uint64_t random;

    struct pool_game *pool;
    size_t pool_begun, pool_ready;

    uint64_t next_game, created, finished; /* games */
    uint64_t asked;                        /* requests of the scenario */
    size_t waiting;                        /* requests on their way */

    /* Since the measuring began. */
    struct times times[REQUEST_KIND_COUNT];
    uint64_t body_bytes[REQUEST_KIND_COUNT];
    struct wrongs wrongs;     /* since the start */
    uint64_t again, reopened; /* since the start: requests sent once more, connections that ended at rest */
    double seconds, processor_s, own_processor_s;
    long resident_before_kib;
    char figures[512]; /* further members of the report */
};

/* ---- load_scenario.c ---- */

/* Sets up the pool: each game is created, and played as deep as it shall be. */
bool scenario_fill_pool(struct load *load, struct client *client, struct ask *ask);
/* Room for the pool, or the games of the file --ids; false: it has told why not. */
bool scenario_init_pool(struct load *load);
/* Judges an answer, and moves the client's game on. */
void scenario_take(struct load *load, struct client *client, const struct answer *answer);
/* Tells on stderr of something wrong, of the first few times. */
void scenario_complain(struct load *load, const struct client *client, const char *what,
                       const struct answer *answer);
bool scenario_is_clean(const struct load *load);

/* ---- load_run.c ---- */

/* The whole course: connect, set up, warm up, measure. */
bool load_run(struct load *load);
/* Takes answers until this time, and if `all` only until none is on its way. */
void load_wait(struct load *load, uint64_t until_ns, bool all);
/* Has the client ask; what does not go out is a lost connection. */
void load_ask(struct load *load, struct client *client, const struct ask *ask, uint64_t due_ns);

/* ---- load_report.c ---- */

/* One JSON object on a line of stdout. */
void load_report(const struct load *load);

/* ---- courses of their own ---- */

bool load_idle(struct load *load);
bool load_streams(struct load *load);
