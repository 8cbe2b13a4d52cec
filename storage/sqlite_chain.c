#include "storage/sqlite_chain.h"

#include <stdlib.h>
#include <string.h>

#include "storage/sqlite_sql.h"
#include "storage/sqlite_steps.h"

/* What a read counts by: versions for all rows, half-moves for the moves in force. */
enum counted { BY_VERSION, BY_PLY };

/* The last row of a stretch. */
struct stretch {
    int64_t seq;
    uint32_t version;
    uint32_t ply; /* so many half-moves are in force from this row on, or more */
};

/* A row that was found and not given yet. */
struct link {
    struct link *next;
    struct storage_action action;
    char texts[];
};

struct reading {
    struct sqlite_walk walk;
    struct sqlite_db *db;
    int64_t game;
    const struct storage_rows *rows;
    enum counted counted;
    bool is_past;         /* the game was changed behind the versions that are read */
    uint32_t given, last; /* versions or plies: given so far, wanted in all */
    int64_t joint;        /* `seq` of the version that was given last: 0 before the first, -1 not known */

    /* Of the running stretch: where the walk stands, and what was found. */
    int64_t seq;
    uint32_t version, wanted; /* to be found next */
    bool stepped;             /* to a row that did not come yet */
    bool damaged;
    struct stretch met; /* the row that was met last */
    struct link *links; /* in order */
};

/* Of 32 bits; a version or a ply that has more is none. */
static uint32_t count_of(int64_t found)
{
    return found >= 0 && found <= UINT32_MAX ? (uint32_t)found : UINT32_MAX;
}

/* STORAGE_NOT_FOUND where there is no such row. */
static enum storage_status find_stretch(const struct reading *reading, enum sqlite_read_sql statement,
                                        struct stretch *stretch)
{
    sqlite3_stmt *row = reading->db->statements[statement];
    (void)sqlite3_bind_int64(row, 1, reading->game);
    if (statement != READ_HEAD)
        (void)sqlite3_bind_int64(row, 2, reading->given);
    int code = sqlite3_step(row);
    enum storage_status status =
        code == SQLITE_DONE ? STORAGE_NOT_FOUND : sqlite_db_status(reading->db, code);
    if (code == SQLITE_ROW)
        *stretch = (struct stretch){sqlite3_column_int64(row, 0), count_of(sqlite3_column_int64(row, 1)),
                                    count_of(sqlite3_column_int64(row, 2))};
    (void)sqlite3_reset(row);
    return status;
}

static uint32_t reach(const struct reading *reading, const struct stretch *stretch)
{
    return reading->counted == BY_VERSION ? stretch->version : stretch->ply;
}

/* The first stretch that ends behind what was given: *stretch is already that of the head. */
static enum storage_status next_stretch(const struct reading *reading, const struct stretch *head,
                                        struct stretch *stretch)
{
    static const enum sqlite_read_sql marks[] = {[BY_VERSION] = READ_MARK, [BY_PLY] = READ_MARK_OF_MOVE};
    enum storage_status status = find_stretch(reading, marks[reading->counted], stretch);
    if (status == STORAGE_OK && reading->is_past && stretch->version > head->version)
        *stretch = *head;
    if (status == STORAGE_NOT_FOUND)
        return STORAGE_OK;
    bool is_beyond = status == STORAGE_OK && (stretch->version > head->version || stretch->ply > head->ply);
    return is_beyond ? STORAGE_DAMAGED : status;
}

/* ---- the walk through a stretch, from its last row down -------------------------------------------------- */

/* The arguments of READ_CHAIN. */
enum { PREVIOUS, GAME, VERSION, PLY, KIND, SEAT, MOVE, SAN, KEY, AT, WHITE, BLACK, SPENT, SERVICE, PAYLOAD };

static bool is_null(sqlite3_value *value)
{
    return sqlite3_value_type(value) == SQLITE_NULL;
}

static const char *text(sqlite3_value *value)
{
    return (const char *)sqlite3_value_text(value);
}

/* Of a column that is never NULL; but what the disk has changed may be anything. */
static const char *word(sqlite3_value *value)
{
    const char *found = text(value);
    return found ? found : "";
}

static int64_t number_or_none(sqlite3_value *value)
{
    return is_null(value) ? -1 : sqlite3_value_int64(value);
}

static struct storage_action action_of(sqlite3_value *const *columns)
{
    return (struct storage_action){
        .version = count_of(sqlite3_value_int64(columns[VERSION])),
        .ply = count_of(sqlite3_value_int64(columns[PLY])),
        .at_ms = sqlite3_value_int64(columns[AT]),
        .kind = word(columns[KIND]),
        .seat = text(columns[SEAT]),
        .move = text(columns[MOVE]),
        .san = text(columns[SAN]),
        .position_key = (uint64_t)sqlite3_value_int64(columns[KEY]),
        .white_ms = number_or_none(columns[WHITE]),
        .black_ms = number_or_none(columns[BLACK]),
        .spent_ms = number_or_none(columns[SPENT]),
        .service_ms = number_or_none(columns[SERVICE]),
        .payload = text(columns[PAYLOAD]),
    };
}

static size_t size_of(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static const char *copy_to(char **room, const char *text)
{
    size_t size = size_of(text);
    if (size == 0)
        return NULL;
    char *copy = memcpy(*room, text, size);
    *room += size;
    return copy;
}

static int keep(struct reading *reading, sqlite3_value *const *columns)
{
    if (!reading->rows->action)
        return SQLITE_OK;
    const struct storage_action found = action_of(columns);
    struct link *link = NULL;
    if (sqlite3_errcode(reading->db->handle) != SQLITE_NOMEM)
        link = malloc(sizeof *link + size_of(found.kind) + size_of(found.seat) + size_of(found.move) +
                      size_of(found.san) + size_of(found.payload));
    if (!link)
        return SQLITE_NOMEM;
    char *room = link->texts;
    link->action = found;
    link->action.kind = copy_to(&room, found.kind);
    link->action.seat = copy_to(&room, found.seat);
    link->action.move = copy_to(&room, found.move);
    link->action.san = copy_to(&room, found.san);
    link->action.payload = copy_to(&room, found.payload);
    link->next = reading->links;
    reading->links = link;
    return SQLITE_OK;
}

static bool next(struct sqlite_walk *walk, sqlite3_int64 *seq)
{
    struct reading *reading = (struct reading *)walk;
    reading->damaged |= reading->stepped;
    reading->stepped = true;
    *seq = reading->seq;
    return reading->wanted > reading->given && !reading->damaged;
}

/* Of moves of one ply only the latest is in force; it was played after all others of that ply, and so is the first
 * that is met. */
static bool counts(const struct reading *reading, sqlite3_value *const *columns)
{
    return reading->counted == BY_VERSION ||
           (sqlite3_value_int64(columns[PLY]) == reading->wanted && !is_null(columns[MOVE]));
}

/* Has it what storage.h promises of every row? The disk may have made anything of it. */
static bool is_whole(sqlite3_value *const *columns)
{
    int64_t ply = sqlite3_value_int64(columns[PLY]);
    return !is_null(columns[KIND]) && ply >= 0 && ply <= UINT32_MAX;
}

static int take(struct sqlite_walk *walk, sqlite3_value *const *columns)
{
    struct reading *reading = (struct reading *)walk;
    bool is_it = sqlite3_value_int64(columns[GAME]) == reading->game &&
                 sqlite3_value_int64(columns[VERSION]) == reading->version && is_whole(columns);
    if (!is_it)
        return SQLITE_OK;
    reading->stepped = false;
    reading->met =
        (struct stretch){reading->seq, reading->version, count_of(sqlite3_value_int64(columns[PLY]))};
    reading->seq = sqlite3_value_int64(columns[PREVIOUS]); /* NULL is 0, which is no row's */
    reading->version--;
    if (!counts(reading, columns))
        return SQLITE_OK;
    bool is_asked_for = reading->wanted <= reading->last;
    reading->wanted--;
    return is_asked_for ? keep(reading, columns) : SQLITE_OK;
}

static enum storage_status gather(struct reading *reading, const struct stretch *stretch)
{
    reading->seq = stretch->seq;
    reading->version = stretch->version;
    reading->wanted = reach(reading, stretch);
    reading->stepped = false;
    reading->db->walk = &reading->walk;
    enum storage_status status = sqlite_db_status(reading->db, sqlite_db_run(reading->db, READ_CHAIN));
    reading->db->walk = NULL;
    bool is_joined = reading->counted == BY_PLY || reading->joint == -1 || reading->seq == reading->joint;
    reading->joint = stretch->seq;
    if (status == STORAGE_OK && (reading->damaged || !is_joined))
        return STORAGE_DAMAGED;
    return status;
}

/* *head is that of now, and becomes what it was when `version` was the last one. */
static enum storage_status step_back(struct reading *reading, uint32_t version, struct stretch *head)
{
    static const struct storage_rows none;
    struct reading seek = {
        .walk = {next, take},
        .db = reading->db,
        .game = reading->game,
        .rows = &none,
        .counted = BY_VERSION,
        .given = version - 1,
        .joint = -1,
    };
    struct stretch stretch = *head;
    if (version > head->version)
        return STORAGE_DAMAGED;
    enum storage_status status = next_stretch(&seek, head, &stretch);
    if (status == STORAGE_OK)
        status = gather(&seek, &stretch);
    if (status == STORAGE_OK)
        *head = seek.met;
    reading->is_past = true;
    return status;
}

/* ---- stretch after stretch ------------------------------------------------------------------------------ */

/* In any case the links are gone afterwards. */
static enum storage_status give(struct reading *reading, enum storage_status status)
{
    while (reading->links) {
        struct link *link = reading->links;
        reading->links = link->next;
        if (status == STORAGE_OK && !reading->rows->action(reading->rows->context, &link->action))
            status = STORAGE_STOPPED;
        free(link);
    }
    return status;
}

static enum storage_status read_all(struct reading *reading, const struct storage_span *span)
{
    struct stretch head = {0};
    enum storage_status status = find_stretch(reading, READ_HEAD, &head);
    if (status == STORAGE_OK && reading->counted == BY_PLY && span->version && span->version != head.version)
        status = step_back(reading, span->version, &head);
    if (status != STORAGE_OK)
        return status;
    reading->last = reach(reading, &head);
    if (span->limit > 0 && reading->given < reading->last && span->limit < reading->last - reading->given)
        reading->last = reading->given + span->limit;
    while (status == STORAGE_OK && reading->given < reading->last) {
        struct stretch stretch = head;
        status = next_stretch(reading, &head, &stretch);
        if (status == STORAGE_OK)
            status = give(reading, gather(reading, &stretch));
        reading->given = reach(reading, &stretch);
    }
    return status;
}

enum storage_status sqlite_chain_actions(struct sqlite_db *db, int64_t game, const struct storage_span *span,
                                         const struct storage_rows *rows)
{
    struct reading reading = {
        .walk = {next, take},
        .db = db,
        .game = game,
        .rows = rows,
        .counted = BY_VERSION,
        .given = span->from,
        .joint = span->from == 0 ? 0 : -1,
    };
    return read_all(&reading, span);
}

enum storage_status sqlite_chain_moves(struct sqlite_db *db, int64_t game, const struct storage_span *span,
                                       const struct storage_rows *rows)
{
    struct reading reading = {
        .walk = {next, take},
        .db = db,
        .game = game,
        .rows = rows,
        .counted = BY_PLY,
        .given = span->from == 0 ? 0 : span->from - 1,
    };
    return read_all(&reading, span);
}
