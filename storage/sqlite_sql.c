#include "storage/sqlite_sql.h"

#include <assert.h>

#include "storage/sqlite_db.h"

static_assert((int)WRITE_COUNT <= SQLITE_STATEMENTS_MAX, "statements of the writer");
static_assert((int)READ_COUNT <= SQLITE_STATEMENTS_MAX, "statements of a reader");

/* SQL is laid out by hand. Texts of several lines stand in parentheses. */
/* clang-format off */

/* The rows of the game ?1 from its last one, ?2 with the version ?3, to the first: it ends where the row of the
 * version below is not there or is another game's, so with fewer rows than versions, and never runs in a circle. */
#define WITH_CHAIN                                                                  \
    "WITH RECURSIVE chain(seq, version, previous) AS ("                             \
    "  SELECT seq, version, previous FROM actions"                                  \
    "  WHERE seq = ?2 AND game = ?1 AND version = ?3"                               \
    " UNION ALL"                                                                    \
    "  SELECT a.seq, a.version, a.previous FROM chain JOIN actions a"               \
    "  ON a.seq = chain.previous AND a.game = ?1 AND a.version = chain.version - 1)"

const char *const sqlite_write_sql[WRITE_COUNT + 1] = {
    [WRITE_BEGIN] = "BEGIN IMMEDIATE",
    [WRITE_COMMIT] = "COMMIT",
    [WRITE_ROLLBACK] = "ROLLBACK",
    [WRITE_GAME] =
        ("INSERT INTO games(id, variant, start, rules, clock, tags, created_at_ms, access, visibility,"
         " white_name, black_name, metadata, tokens, status, result, termination, ended_at_ms, watched)"
         " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18)"),
    [WRITE_NEWEST] =
        ("UPDATE store SET newest_ms = max(newest_ms, ?1),"
         " skew_ms = max(skew_ms, newest_ms - ?1)"),
    [WRITE_GAME_CHANGE] =
        ("UPDATE games SET access = ?8, visibility = ?9, white_name = ?10, black_name = ?11, metadata = ?12,"
         " tokens = ?13, status = ?14, result = ?15, termination = ?16, ended_at_ms = ?17, watched = ?18"
         " WHERE key = ?19"),
    [WRITE_GAME_DELETE] = "DELETE FROM games WHERE key = ?1",
    [WRITE_HEAD_SEEK] = "SELECT seq, version, ply FROM heads WHERE game = ?1",
    [WRITE_ACTION] =
        ("INSERT INTO actions(previous, game, version, ply, kind, seat, move, san, position_key, at_ms,"
         " white_ms, black_ms, spent_ms, service_ms, payload)"
         " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)"),
    [WRITE_HEAD] = "INSERT INTO heads(game, seq, version, ply) VALUES(?1, ?2, ?3, ?4)",
    [WRITE_HEAD_CHANGE] =
        "UPDATE heads SET seq = ?2, version = ?3, ply = ?4 WHERE game = ?1 AND version = ?5",
    [WRITE_MARK] = "INSERT INTO marks(game, seq, version, ply) VALUES(?1, ?2, ?3, ?4)",
    [WRITE_MARKS_LOWER] = "UPDATE marks SET ply = ?2 WHERE game = ?1 AND ply > ?2",
    [WRITE_CHAIN_COUNT] = WITH_CHAIN "SELECT count(*) FROM chain",
    [WRITE_CHAIN_DELETE] = WITH_CHAIN "DELETE FROM actions WHERE seq IN (SELECT seq FROM chain)",
    [WRITE_BEAT] = "UPDATE store SET service_ms = ?1 WHERE service_ms < ?1",
    [WRITE_RECEIPT_SEEK] = "SELECT 1 FROM receipts WHERE id = ?1",
    [WRITE_RECEIPT] = "INSERT INTO receipts(id, request, answer, service_ms) VALUES(?1, ?2, ?3, ?4)",
    [WRITE_EXPIRE] =
        ("DELETE FROM receipts WHERE rowid IN"
         " (SELECT rowid FROM receipts WHERE service_ms < ?1 ORDER BY service_ms LIMIT ?2)"),
    [WRITE_PROOF] = "UPDATE store SET proofs = proofs + 1",
};

#define GAME_COLUMNS                                                                \
    "g.key, g.id, g.variant, g.start, g.rules, g.clock, g.tags, g.created_at_ms,"   \
    " g.access, g.visibility, g.white_name, g.black_name, g.metadata, g.tokens,"    \
    " g.status, g.result, g.termination, g.ended_at_ms, g.watched"

/* ?1 < key < ?2 is the page and, by READ_BOUNDS, nearly the span of time; ?3 .. ?4 is that span exactly. */
#define PAGE " AND key > ?1 AND key < ?2 AND created_at_ms >= ?3 AND created_at_ms < ?4 "

#define LIST(order)                                                                 \
    ("SELECT " GAME_COLUMNS " FROM games g INDEXED BY games_public"                 \
     " WHERE visibility = 'public'" PAGE "ORDER BY key " order " LIMIT ?5")

#define LIST_BY_STATUS(order)                                                       \
    ("SELECT " GAME_COLUMNS " FROM games g INDEXED BY games_status"                 \
     " WHERE visibility = 'public' AND status = ?6" PAGE "ORDER BY key " order " LIMIT ?5")

#define KEYS_BY_NAME(index, name)                                                   \
    "SELECT key FROM games INDEXED BY " index                                       \
    " WHERE visibility = 'public' AND " name " = ?7 AND (?6 IS NULL OR status = ?6)" PAGE

#define LIST_BY_PLAYER(order)                                                       \
    ("SELECT " GAME_COLUMNS " FROM ("                                               \
     KEYS_BY_NAME("games_white", "white_name")                                      \
     "UNION "                                                                       \
     KEYS_BY_NAME("games_black", "black_name")                                      \
     "ORDER BY key " order " LIMIT ?5) page"                                        \
     " CROSS JOIN games g ON g.key = page.key ORDER BY page.key " order)

/* Keys rise with created_at_ms but for steps of the clock, none of which was longer than skew_ms. So all
 * games before one that is older than `since` by more than the skew are older than `since`, and all games
 * after one that is newer than `until` by the skew are newer than `until`. */
#define BOUNDS                                                                      \
    ("SELECT"                                                                       \
     " coalesce((SELECT key FROM games WHERE created_at_ms < ?1 - skew_ms"          \
     "  ORDER BY created_at_ms DESC LIMIT 1), 0),"                                  \
     " coalesce((SELECT key FROM games WHERE created_at_ms >= ?2 + skew_ms"         \
     "  ORDER BY created_at_ms LIMIT 1), 9223372036854775807)"                      \
     " FROM store")

const char *const sqlite_read_sql[READ_COUNT + 1] = {
    [READ_BEGIN] = "BEGIN",
    [READ_END] = "COMMIT",
    [READ_GAME] = "SELECT " GAME_COLUMNS " FROM games g WHERE g.id = ?1",
    [READ_HEAD] = "SELECT seq, version, ply FROM heads WHERE game = ?1",
    [READ_CHAIN] =
        ("SELECT 1 FROM steps CROSS JOIN actions a ON a.seq = steps.seq"
         " WHERE take(a.previous, a.game, a.version, a.ply, a.kind, a.seat, a.move, a.san, a.position_key,"
         " a.at_ms, a.white_ms, a.black_ms, a.spent_ms, a.service_ms, a.payload)"),
    [READ_MARK] =
        ("SELECT seq, version, ply FROM marks WHERE game = ?1 AND version > ?2"
         " ORDER BY version LIMIT 1"),
    [READ_MARK_OF_MOVE] =
        ("SELECT seq, version, ply FROM marks WHERE game = ?1 AND version > ?2 AND ply > ?2"
         " ORDER BY version LIMIT 1"),
    [READ_WATCHED] =
        ("SELECT " GAME_COLUMNS " FROM games g INDEXED BY games_watched"
         " WHERE watched = 1 AND key > ?1 ORDER BY key LIMIT ?2"),
    [READ_ALL] = "SELECT " GAME_COLUMNS " FROM games g WHERE key > ?1 ORDER BY key LIMIT ?2",
    [READ_SERVICE_MS] = "SELECT service_ms FROM store",
    [READ_RECEIPT] = "SELECT id, request, answer, service_ms FROM receipts WHERE id = ?1",
    [READ_OLDEST_RECEIPT] = "SELECT coalesce(min(service_ms), -1) FROM receipts",
    [READ_BOUNDS] = BOUNDS,
    [READ_NEWEST] = LIST("DESC"),
    [READ_NEWEST_BY_STATUS] = LIST_BY_STATUS("DESC"),
    [READ_NEWEST_BY_PLAYER] = LIST_BY_PLAYER("DESC"),
    [READ_OLDEST] = LIST("ASC"),
    [READ_OLDEST_BY_STATUS] = LIST_BY_STATUS("ASC"),
    [READ_OLDEST_BY_PLAYER] = LIST_BY_PLAYER("ASC"),
    [READ_STORE] = "SELECT proofs FROM store",
};
