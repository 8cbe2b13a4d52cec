/* ledger: what a daemon has acknowledged, kept beside it, and held against it after a crash.
 *
 *     ledger_begin(&game, LEDGER_CHANGE);            an action is on its way
 *     … the request is answered …
 *     ledger_take(&game, reply.body);                the game as the answer has it: acknowledged
 *
 * An answer that never came leaves the action in the air: it may have been done, or not. Everything else has one right
 * state, which is compared as a whole: the game as JSON but for its clock, which runs, and its moves. Each ledger has
 * one client, so at most one action of it is in the air. Not for several threads. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/support/http_client.h"

enum {
    LEDGER_GAMES = 1024,
    LEDGER_RECEIPTS = 128, /* the last so many are looked at again */
    LEDGER_PLIES = 200,
    LEDGER_SAN_SIZE = 12,
    LEDGER_TOKEN_SIZE = 48,
    LEDGER_ID_SIZE = 16,
    LEDGER_TEXT_SIZE = 256
};

enum ledger_air { LEDGER_NOTHING = 0, LEDGER_CHANGE = 1, LEDGER_DELETION = 2, LEDGER_EITHER = 3 };
enum ledger_seat { LEDGER_WHITE, LEDGER_BLACK, LEDGER_CREATOR, LEDGER_SEATS };

struct ledger_game {
    char id[LEDGER_ID_SIZE];
    char *told; /* the game as it was last told; NULL: it was made, and not seen since */
    bool over, deleted;
    enum ledger_air in_the_air;
    unsigned plies;
    char sans[LEDGER_PLIES][LEDGER_SAN_SIZE];
    char tokens[LEDGER_SEATS][LEDGER_TOKEN_SIZE]; /* empty: it has none, or nobody knows it any more */
    char dead[LEDGER_TOKEN_SIZE];                 /* one that was renewed: it must stay invalid */
};

/* A request with an Idempotency-Key. */
struct ledger_receipt {
    struct ledger_game *game; /* NULL: it makes one */
    char target[LEDGER_TEXT_SIZE], fields[LEDGER_TEXT_SIZE], body[LEDGER_TEXT_SIZE];
    unsigned status; /* 0: not answered */
    char *answer;
};

struct ledger {
    struct ledger_game games[LEDGER_GAMES];
    size_t game_count;
    struct ledger_receipt receipts[LEDGER_RECEIPTS];
    size_t receipt_count; /* of all that there were: the next has this number modulo LEDGER_RECEIPTS */
};

void ledger_finish(struct ledger *ledger);

/* A game that an answer has named; NULL: there is room for no more. */
struct ledger_game *ledger_add(struct ledger *ledger, const char *id);
void ledger_begin(struct ledger_game *game, enum ledger_air air);
/* It was answered with the game, by itself or as member "game", and with its moves if it played some. False: there is no
 * game in it. */
bool ledger_take(struct ledger_game *game, const char *body);
/* It was refused: nothing was done. */
void ledger_refused(struct ledger_game *game);
void ledger_deleted(struct ledger_game *game);

/* One member of an object, without its quotes, into `value`; false: there is none, or it is no text or number. The first
 * of that name counts, wherever it stands. */
bool ledger_member(const char *json, const char *name, char *value, size_t size);

/* A request that may be repeated is on its way, and was answered. */
struct ledger_receipt *ledger_keyed(struct ledger *ledger, struct ledger_game *game);
void ledger_answered(struct ledger_receipt *receipt, const struct http_reply *reply);

/* Holds a daemon against the ledger and takes over what was in the air. NULL: all is there; else what is not, for
 * the reader, until the next call. */
const char *ledger_check(struct ledger *ledger, struct http_client *client);
