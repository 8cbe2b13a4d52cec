/* All SQL that runs on games: one array for the writer's connection, one for each reader's.
 *
 * Layer: storage, private. Parameters are numbered in the order in which the callers in sqlite_apply.c,
 * sqlite_read.c and sqlite_chain.c bind them; the columns of games and receipts in the order of their structs. */
#pragma once

enum sqlite_write_sql {
    WRITE_BEGIN,
    WRITE_COMMIT,
    WRITE_ROLLBACK,
    WRITE_GAME,        /* insert */
    WRITE_NEWEST,      /* keeps store.newest_ms and skew_ms */
    WRITE_GAME_CHANGE, /* update */
    WRITE_GAME_DELETE,
    WRITE_HEAD_SEEK,
    WRITE_ACTION,
    WRITE_HEAD, /* insert */
    WRITE_HEAD_CHANGE,
    WRITE_MARK,
    WRITE_MARKS_LOWER,
    WRITE_CHAIN_COUNT,
    WRITE_CHAIN_DELETE,
    WRITE_BEAT,
    WRITE_RECEIPT_SEEK,
    WRITE_RECEIPT,
    WRITE_EXPIRE,
    WRITE_PROOF,
    WRITE_COUNT
};

enum sqlite_read_sql {
    READ_BEGIN,
    READ_END,
    READ_GAME,
    READ_HEAD,
    READ_CHAIN,        /* needs what sqlite_steps.h makes known to the connection */
    READ_MARK,         /* the next one of a game behind a version */
    READ_MARK_OF_MOVE, /* the next one of a game from which on more half-moves are in force */
    READ_WATCHED,
    READ_ALL,
    READ_SERVICE_MS,
    READ_RECEIPT,
    READ_OLDEST_RECEIPT,
    READ_BOUNDS,
    /* The lists: newest first, then the same oldest first, in one order of filters. */
    READ_NEWEST,
    READ_NEWEST_BY_STATUS,
    READ_NEWEST_BY_PLAYER,
    READ_OLDEST,
    READ_OLDEST_BY_STATUS,
    READ_OLDEST_BY_PLAYER,
    READ_STORE,
    READ_COUNT
};

/* Both end in NULL. */
extern const char *const sqlite_write_sql[WRITE_COUNT + 1];
extern const char *const sqlite_read_sql[READ_COUNT + 1];
