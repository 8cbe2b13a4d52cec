/* storage: the durable log of games, whatever keeps it.
 *
 * Layer: storage. Knows records of text and integers; knows nothing of chess, HTTP or JSON.
 * A game is its row of `games` and the fold of its actions: what was fixed at creation, who may see it, the
 * names and the metadata are read from the row, everything else is the fold. Status, result, termination and
 * end in the row are a view of the fold, for lists to select by. An action with fewer half-moves in force than
 * the one before it takes moves back; a move is in force until then.
 *
 * Writes are asynchronous: storage_submit queues one, and its `done` is called in the writer thread once the
 * transaction that holds it is durable, or has failed (a store that was opened read only has no such thread:
 * `done` is called before storage_submit returns). Whatever has gathered while a transaction ran becomes
 * the next one (group commit); a write that is refused never fails its neighbours. The writer commits at once
 * when idle and never waits on a timer. Reads are synchronous, from any thread, and see every write whose
 * `done` was called with STORAGE_OK. Rows are handed to callbacks; what a row points to lives until its
 * callback returns, which makes no calls to the storage. Every backend passes tests/storage/conformance.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct storage;

enum storage_status {
    STORAGE_OK = 0,
    /* Outcomes. */
    STORAGE_CONFLICT, /* create: the id is taken; append: that version exists already, or the game is gone; any
                          write: there is a receipt of that id */
    STORAGE_NOT_FOUND, /* load, delete: no such game; receipt: none of that id */
    STORAGE_STOPPED,   /* a row callback returned false */
    /* A fault of one game, of which the store is none the worse: its log does not hold together (a row is missing,
     * or leads to another game), or what is to be added does not follow on the half-moves in force; or of one
     * receipt. Nothing of the write is stored. */
    STORAGE_DAMAGED,
    /* Faults of the store: nothing of the write is stored. (Where a disk fails to sync and takes nothing more until the
     * process ends, the next start may find the write whole: it had reached the log, and could not be taken back.) */
    STORAGE_BUSY,        /* somebody holds the store; later it may work */
    STORAGE_FULL,        /* the disk or a quota is full; reads go on */
    STORAGE_UNAVAILABLE, /* the disk, the file or memory failed */
};

/* One sentence for a log line; static. */
const char *storage_status_text(enum storage_status status);

enum {
    STORAGE_ID_LENGTH = 12,
    STORAGE_DIGEST_SIZE = 32,
    STORAGE_EXPIRE_MOST = 100, /* receipts that one STORAGE_EXPIRE removes: other writes wait for so many */
};

/* A row of `games`. Texts are UTF-8 without NUL bytes; NULL is SQL NULL, which id, variant, access,
 * visibility and status must not be. Times are Unix ms. */
struct storage_game {
    int64_t key;         /* the store's own number, never used again; 0 until created */
    const char *id;      /* STORAGE_ID_LENGTH characters; the public name */
    const char *variant; /* fixed at creation, as are the next five */
    const char *start;   /* the first position, as text; NULL for the usual one */
    const char *rules;   /* opaque */
    const char *clock;   /* opaque; NULL untimed */
    const char *tags;    /* opaque; NULL for none */
    int64_t created_at_ms;
    const char *access;     /* may change, as may all that follow */
    const char *visibility; /* "public" games are listed */
    const char *white_name, *black_name;
    const char *metadata; /* opaque */
    const char *tokens;   /* opaque; NULL for none */
    const char *status;   /* list filter */
    const char *result;
    const char *termination; /* NULL while the game goes on */
    int64_t ended_at_ms;     /* 0: not ended */
    bool watched;            /* a deadline runs: storage_watched finds it after a restart */
};

/* A row of the log `actions`: (game, version) is unique. `move`, `position_key` and the clocks are plain
 * columns for those who look with sqlite3 -readonly. */
struct storage_action {
    uint32_t version;      /* 1 is the creation */
    uint32_t ply;          /* half-moves in force after the action */
    int64_t at_ms;         /* Unix ms */
    const char *kind;      /* "created", "move", "undo", "resign" … : a word of the games layer */
    const char *seat;      /* "white", "black" or NULL */
    const char *move;      /* UCI, for an action that played one, else NULL */
    const char *san;       /* as it reads, with `move`; NULL for one that was taken back before it was kept */
    uint64_t position_key; /* of the position after the action */
    int64_t white_ms, black_ms; /* remaining after the action; -1 untimed */
    int64_t spent_ms;           /* on the move that was played; -1 untimed */
    int64_t service_ms;         /* service time of the action, see STORAGE_BEAT; -1 where nobody needs it */
    const char *payload;        /* opaque, NULL for none */
};

/* A row of `receipts`: what was answered to one request that may be repeated, stored with what it did. */
struct storage_receipt {
    const uint8_t *id;      /* STORAGE_DIGEST_SIZE bytes; unique */
    const uint8_t *request; /* STORAGE_DIGEST_SIZE bytes */
    const void *answer;     /* opaque; may be NULL where the length is 0 */
    size_t answer_length;   /* bytes */
    int64_t service_ms;     /* service time when it was given, at least 0 */
};

enum storage_write_kind {
    STORAGE_CREATE, /* game and actions; assigns game.key */
    STORAGE_APPEND, /* actions to game.key, the first with the expected version; `updates_game`: the columns
                       that may change are set from `game` */
    STORAGE_DELETE, /* the game of game.key with all its rows; actions unused */
    STORAGE_BEAT,   /* the service has lived until `service_ms` of its own time, which stands still while no
                       process serves the store; an earlier time than the one kept changes nothing */
    STORAGE_KEEP,   /* nothing but the receipt */
    STORAGE_EXPIRE, /* of the receipts with an earlier `service_ms` than the write's the oldest are removed,
                       STORAGE_EXPIRE_MOST of them at most */
};

/* One transaction's worth of change: all of it or nothing. Owned by the caller, who keeps it and everything
 * it points to untouched from storage_submit until `done`. */
struct storage_write {
    enum storage_write_kind kind;
    bool updates_game;
    struct storage_game game;
    const struct storage_action *actions; /* versions rising by one */
    size_t action_count;
    int64_t service_ms;                    /* STORAGE_BEAT, STORAGE_EXPIRE: milliseconds, at least 0 */
    const struct storage_receipt *receipt; /* is added by the same transaction; NULL for none */
    void (*done)(struct storage_write *write, enum storage_status status); /* see above for its thread */
    void *owner;                                                           /* the caller's */
    struct storage_write *next;                                            /* the store's while queued */
};

/* Row callbacks; return false to stop (STORAGE_STOPPED). Unused ones are NULL. */
struct storage_rows {
    void *context;
    bool (*game)(void *context, const struct storage_game *row);
    bool (*action)(void *context, const struct storage_action *row);
    bool (*receipt)(void *context, const struct storage_receipt *row);
};

enum storage_order { STORAGE_NEWEST_FIRST, STORAGE_OLDEST_FIRST };

/* Which public games a list shows; zero means everything, newest first. */
struct storage_query {
    const char *status;         /* NULL: any */
    const char *player;         /* NULL: any; equal to either name, case as given */
    int64_t since_ms, until_ms; /* created_at in [since, until); 0: open */
    enum storage_order order;
    int64_t after_key; /* the last key of the page before; 0: from the start */
    uint32_t limit;    /* rows; 0: no limit, here and below */
};

/* How a store was found when it was opened. */
enum storage_open_status {
    STORAGE_OPENED = 0,
    STORAGE_OPEN_REFUSED, /* foreign, newer, empty or damaged: untouched (exit 3) */
    STORAGE_OPEN_LOCKED,  /* another process holds it (exit 4) */
    STORAGE_OPEN_FAILED,  /* cannot be read, made or understood: path, rights, disk, memory (exit 1) */
    STORAGE_OPEN_STOPPED, /* by work->goes_on */
};

/* What a store tells of its faults, with the words of what lies beneath it. Called from any thread, on every
 * fault, and with STORAGE_OK once that side works again; must be short and make no calls to the storage. */
enum storage_side { STORAGE_READS, STORAGE_WRITES, STORAGE_SIDE_COUNT };
struct storage_watch {
    void *context;
    void (*note)(void *context, enum storage_side side, enum storage_status status, const char *text);
};

/* What long work tells of itself, in the caller's thread. */
struct storage_work {
    void *context;
    /* So much of about `total_bytes` is done; called often. False: stop, with the status that says so. */
    bool (*goes_on)(void *context, uint64_t done_bytes, uint64_t total_bytes);
};

struct storage_options {
    bool synchronous_normal; /* SQLite: a commit may be lost to a power cut, not to a crash of the process */
    /* No writer thread; submit answers STORAGE_UNAVAILABLE. The file is checked as it is for writing; it need not be
     * writable, and nothing stays beside it that was not there. Where SQLite can make no file beside it, or what it would
     * make beside a log that was left would stay, the store keeps others from opening it to write. One with an earlier
     * schema opens with a warning, and reads of it fail until somebody has opened it for writing. */
    bool read_only;
    bool needs_write_access; /* with read_only: the file must be writable all the same, as before a start */
    /* With read_only: a damaged store opens too, as far as it can be read, for storage_inspect to tell what is
     * wrong; only foreign, newer and empty files are refused, and one of an earlier schema is STORAGE_OPEN_FAILED. */
    bool even_damaged;
    bool must_exist; /* a missing file is not created: STORAGE_OPEN_FAILED; so it is where read_only is set */
    uint32_t busy_ms;           /* how long to wait for a lock; 0 takes the default of 5,000 */
    struct storage_watch watch; /* zero: nobody; its context must outlive the store */
    struct storage_work work;   /* of bringing an earlier schema forward, while it is opened; zero: nobody */
};

enum { STORAGE_ERROR_SIZE = 512 };

/* Opens `url` ("sqlite:PATH"). A missing file is created (but see must_exist), a schema that is older is brought forward
 * after a copy beside it, which may take minutes (options->work). On anything but STORAGE_OPENED `error` has one
 * sentence with the remedy, and *storage is untouched; on STORAGE_OPENED `error` is empty or has a warning for the
 * log. */
enum storage_open_status storage_open(const char *url, const struct storage_options *options,
                                      struct storage **storage, char error[STORAGE_ERROR_SIZE]);

/* Does `url` name a kind of storage that this build knows, and a place? */
bool storage_is_url(const char *url);

/* Finishes the queued writes, then closes. NULL is fine. No other call may run or follow. */
void storage_close(struct storage *storage);

/* Queues one write; never blocks on a disk. */
void storage_submit(struct storage *storage, struct storage_write *write);

/* The game of that id, then all its actions in order of version, of which there is at least one and none is missing.
 * STORAGE_OK, _NOT_FOUND, _STOPPED, _DAMAGED (after the rows that hold together), or a fault. */
enum storage_status storage_load(struct storage *storage, const char *id, const struct storage_rows *rows);

/* Which moves of a game; zero means all that are in force. */
struct storage_span {
    uint32_t version; /* those that were in force when this was the last one; 0: that are in force now */
    uint32_t from;    /* the first ply */
    uint32_t limit;   /* rows */
};

/* The actions behind these moves, by ply. `ply` of a row is its own ply. The log keeps what was taken back, so that a
 * version that once was there reads the same for as long as its game is there. As storage_load, but a game that is
 * not there has none; a version that the log does not have yet is STORAGE_DAMAGED. */
enum storage_status storage_moves(struct storage *storage, int64_t key, const struct storage_span *span,
                                  const struct storage_rows *rows);

/* The actions with a version greater than `version`, at most `limit`, in order. As storage_moves. */
enum storage_status storage_actions_after(struct storage *storage, int64_t key, uint32_t version,
                                          uint32_t limit, const struct storage_rows *rows);

/* The games with `watched` set and a key greater than `after_key`, whoever may see them, at most `limit`, in
 * order of key. */
enum storage_status storage_watched(struct storage *storage, int64_t after_key, uint32_t limit,
                                    const struct storage_rows *rows);

/* All games with a key greater than `after_key`, whoever may see them, at most `limit`, in order of key, which is that
 * of creation. */
enum storage_status storage_all(struct storage *storage, int64_t after_key, uint32_t limit,
                                const struct storage_rows *rows);

/* The service time of the last beat; 0 where there was none. */
enum storage_status storage_service_ms(struct storage *storage, int64_t *service_ms);

/* The receipt of that id, STORAGE_DIGEST_SIZE bytes. STORAGE_OK, _NOT_FOUND, _STOPPED, or a fault. */
enum storage_status storage_receipt(struct storage *storage, const uint8_t *id,
                                    const struct storage_rows *rows);

/* The least service_ms of all receipts; -1: there is none. */
enum storage_status storage_oldest_receipt(struct storage *storage, int64_t *service_ms);

/* Games of the query in order of key. */
enum storage_status storage_list(struct storage *storage, const struct storage_query *query,
                                 const struct storage_rows *rows);

/* STORAGE_OK when a write would work now, as far as a look can tell (no write is made unless the last
 * failed). A fault since the last look, of a read, or of a write that no other has followed which went well, is told first,
 * whatever the look finds; a file that was found damaged, or that is no longer in its place, is never ready. */
enum storage_status storage_ready(struct storage *storage);

/* Something that is wrong with a store. */
struct storage_finding {
    const char *id;       /* of the game; NULL: of none that can be told */
    const char *what;     /* a word: "file", "schema", "foreign_key" … */
    const char *expected; /* NULL: nothing can be said; as is `found` */
    const char *found;    /* in the words of what lies beneath the storage */
    uint32_t version;     /* of the row of the log; 0: of none */
};

/* Looks for damage of the store as a database, beside whoever writes it, and tells each to `finding` (an expected
 * and a found state at a time, some hundreds at most); what the rows mean is not looked at. Whoever writes
 * keeps its log longer meanwhile. STORAGE_OK: all was looked at, whatever was found; _STOPPED; a fault that
 * is none of the store. */
enum storage_status storage_inspect(struct storage *storage, const struct storage_work *work, void *context,
                                    void (*finding)(void *context, const struct storage_finding *finding));

/* What came of a copy. */
enum storage_copy_status {
    STORAGE_COPIED = 0,
    STORAGE_COPY_REFUSED, /* there is something of that name, or the store is damaged (exit 3) */
    STORAGE_COPY_LOCKED,  /* somebody else is making the same copy (exit 4) */
    STORAGE_COPY_FAILED,  /* disk, rights, memory (exit 1) */
    STORAGE_COPY_STOPPED, /* by work->goes_on */
};

/* Copies the store, as it is at one moment after the call, to a new file `path`, beside whoever writes it,
 * who keeps its log longer meanwhile. The copy is written under the name `path`.draft, looked through,
 * made durable, and then gets its name: on anything but STORAGE_COPIED there is nothing of that name that
 * was not there before, and `error` has one sentence. A draft that a killed process left is replaced. */
enum storage_copy_status storage_copy(struct storage *storage, const char *path,
                                      const struct storage_work *work, char error[STORAGE_ERROR_SIZE]);

/* The libraries behind the storage with their versions, as the process runs with them: "sqlite 3.40.1". */
enum { STORAGE_VERSIONS_SIZE = 64 };
void storage_versions(char text[STORAGE_VERSIONS_SIZE]);

/* Counters since the start, for metrics. */
struct storage_counters {
    /* Committed, and in those; writes that were refused there are among them. */
    uint64_t transactions, writes;
    uint64_t conflicts, faults; /* writes; a fault of one game is none here */
    uint64_t largest_batch;     /* writes in one transaction */
    uint64_t commit_us_total;
    uint64_t queue_length;          /* now */
    uint64_t file_bytes, log_bytes; /* now, on the disk: the file, and what has not been moved into it yet */
};
void storage_counters(struct storage *storage, struct storage_counters *counters);
