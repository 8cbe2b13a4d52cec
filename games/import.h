/* import: the games of a PGN, as a stream of bytes, into the store or only judged.
 *
 *     struct import *import = import_create(games, &settings, &handler);
 *     while (…)
 *         status = import_read(import, bytes, length);     pieces of any size, until it is not IMPORT_GOES_ON
 *     status = import_end(import);                         the end of the text
 *     import_destroy(import);
 *
 * Layer: games. A game is one transaction: it is in the store whole or not at all. Several are on their way at a time,
 * so that they share commits; their results come in the order of the text. Memory: that of 256 games with 256,000
 * half-moves and one game more, where 64 bytes of text weigh as one half-move: at worst, with what the store makes of
 * them, some 200 MiB.
 * Threads: one; the handler is called in it, with no lock held. */
#pragma once

#include "games/games.h"
#include "games/repeat.h"
#include "rules/pgn_read.h"

struct pgn_intake;
struct pgn_intake_tag;

struct import_settings {
    bool validate_only; /* nothing is written */
    bool chess960;      /* games whose tags name no variant are Chess960 */
    struct game_rules rules;
    enum game_access access;
    enum game_visibility visibility;
    uint64_t games_max; /* games with errors counted; 0: no limit */
    /* Games on their way at a time; others who write wait for the commits of so many. 0: as many as go. */
    unsigned games_at_once;
    /* Asked between two games; NULL, or false: go on. True: the import ends, whole games only. */
    bool (*stops)(void *context);
    void *stops_context;
    /* Of an import that may be repeated: what it brings is kept under the parts of this key, a game one. NULL: each
     * import is a new one. */
    const struct repeat_key *key;
    bool is_repeat; /* what was brought under the key before is not brought again */
};

enum import_outcome {
    IMPORT_GAME_CREATED,
    IMPORT_GAME_GOOD,       /* validate_only: it could be created */
    IMPORT_GAME_REFUSED,    /* there is an error among its faults */
    IMPORT_GAME_NOT_STORED, /* it is good, but the store has failed, or memory is out: the import ends */
};

struct import_game {
    struct pgn_place place;
    enum import_outcome outcome;
    const char *id;                    /* IMPORT_GAME_CREATED; else NULL */
    bool is_repeated;                  /* it was created before, by the same import */
    unsigned plies;                    /* up to an error */
    enum game_result result;           /* as the game has it in the end */
    enum game_termination termination; /* likewise; _NONE: not of a game with an error */
    const struct position *final;      /* NULL: it had none */
    const struct pgn_intake_tag *tags;
    size_t tag_count;
    const struct pgn_fault *faults;
    size_t fault_count;
};

struct import_handler {
    void *context;
    /* What came of a game. Lives until the call returns. False: ends the import; games that
     * are on their way are told still. */
    bool (*game)(void *context, const struct import_game *game);
    /* A fault of the text as a whole: there is no game in it. */
    void (*fault)(void *context, const struct pgn_fault *fault);
};

enum import_status {
    IMPORT_GOES_ON = 0, /* import_read only: the next bytes, please */
    IMPORT_DONE,        /* import_end only: every game was told */
    IMPORT_STOPPED,     /* by settings.stops or by the handler */
    IMPORT_TOO_MANY,    /* settings.games_max have been read, and there are more */
    IMPORT_STORE_BUSY,  /* the store has refused a game that was good; the handler got it without an id */
    IMPORT_STORE_FULL,
    IMPORT_STORE_FAILED, /* likewise */
    IMPORT_KEY_REUSED,   /* the key was that of another import */
    IMPORT_NO_MEMORY,
    IMPORT_STATUS_COUNT
};

/* One sentence without its full stop; static. */
const char *import_status_text(enum import_status status);

struct import;

/* Everything is copied but what it points to. `games` without a store judges only. NULL when memory is out. */
struct import *import_create(struct games *games, const struct import_settings *settings,
                             const struct import_handler *handler);
/* Waits for the games that are on their way and forgets them. NULL is fine. */
void import_destroy(struct import *import);

/* Both: anything but GOES_ON is final: the games that were on their way have arrived and were told, and nothing more is
 * read. */
enum import_status import_read(struct import *import, const char *bytes, size_t length);
enum import_status import_end(struct import *import);

/* Waits for the games that are on their way, and tells them: none is when it returns. */
void import_await(struct import *import);

/* Ends it where it stands, as settings.stops would. */
enum import_status import_stop(struct import *import);

/* The first game that was not imported, once it is over; line 0: nothing of it has been read. */
struct pgn_place import_next(const struct import *import);
