#include "storage/sqlite_schema.h"

#include <stdio.h>

#include "storage/backend.h"
#include "storage/sqlite_db.h"

/* `games`: a key is never used twice (AUTOINCREMENT), so that a late write cannot meet another game.
 * `actions`: the truth. `store`: newest_ms is the latest created_at_ms ever seen, skew_ms how far a later
 * game has fallen short of it; with it a span of time becomes a span of keys (see BOUNDS in sqlite_sql.c).
 * `proofs` counts the probes. The indexes on names end in what lists select by besides, so that no row of
 * `games` is read in vain. */
static const char version_1[] =
    "CREATE TABLE store(\n"
    "  only INTEGER PRIMARY KEY CHECK(only = 1),\n"
    "  newest_ms INTEGER NOT NULL,\n"
    "  skew_ms INTEGER NOT NULL CHECK(skew_ms >= 0),\n"
    "  proofs INTEGER NOT NULL\n"
    ") STRICT;\n"
    "INSERT INTO store VALUES(1, 0, 0, 0);\n"
    "CREATE TABLE games(\n"
    "  key INTEGER PRIMARY KEY AUTOINCREMENT,\n"
    "  id TEXT NOT NULL UNIQUE CHECK(length(id) = 12),\n"
    "  variant TEXT NOT NULL,\n"
    "  start TEXT,\n"
    "  rules TEXT,\n"
    "  clock TEXT,\n"
    "  created_at_ms INTEGER NOT NULL,\n"
    "  access TEXT NOT NULL,\n"
    "  visibility TEXT NOT NULL,\n"
    "  white_name TEXT,\n"
    "  black_name TEXT,\n"
    "  metadata TEXT,\n"
    "  status TEXT NOT NULL,\n"
    "  result TEXT,\n"
    "  termination TEXT,\n"
    "  ended_at_ms INTEGER\n"
    ") STRICT;\n"
    "CREATE INDEX games_created ON games(created_at_ms);\n"
    "CREATE INDEX games_public ON games(visibility, key) WHERE visibility = 'public';\n"
    "CREATE INDEX games_status ON games(status, key) WHERE visibility = 'public';\n"
    "CREATE INDEX games_white ON games(white_name, key, status)\n"
    "  WHERE visibility = 'public' AND white_name IS NOT NULL;\n"
    "CREATE INDEX games_black ON games(black_name, key, status)\n"
    "  WHERE visibility = 'public' AND black_name IS NOT NULL;\n"
    "CREATE TABLE actions(\n"
    "  game INTEGER NOT NULL REFERENCES games(key) ON DELETE CASCADE,\n"
    "  version INTEGER NOT NULL CHECK(version > 0),\n"
    "  at_ms INTEGER NOT NULL,\n"
    "  kind TEXT NOT NULL,\n"
    "  seat TEXT,\n"
    "  ply INTEGER NOT NULL CHECK(ply >= 0),\n"
    "  move TEXT,\n"
    "  position_key INTEGER NOT NULL,\n"
    "  white_ms INTEGER CHECK(white_ms >= 0),\n"
    "  black_ms INTEGER CHECK(black_ms >= 0),\n"
    "  payload TEXT,\n"
    "  PRIMARY KEY(game, version)\n"
    ") STRICT, WITHOUT ROWID;\n"
    "CREATE TRIGGER actions_never_change BEFORE UPDATE ON actions BEGIN\n"
    "  SELECT RAISE(ABORT, 'the log of actions is never changed');\n"
    "END;\n"
    "CREATE TABLE moves(\n"
    "  game INTEGER NOT NULL REFERENCES games(key) ON DELETE CASCADE,\n"
    "  ply INTEGER NOT NULL CHECK(ply > 0),\n"
    "  version INTEGER NOT NULL CHECK(version > 0),\n"
    "  san TEXT NOT NULL,\n"
    "  PRIMARY KEY(game, ply)\n"
    ") STRICT, WITHOUT ROWID;\n"
    "CREATE VIEW history(game, ply, san, uci, position_key, at) AS\n"
    "  SELECT games.id, moves.ply, moves.san, actions.move, printf('%016x', actions.position_key),\n"
    "    strftime('%Y-%m-%dT%H:%M:%fZ', actions.at_ms / 1000.0, 'unixepoch')\n"
    "  FROM games\n"
    "  JOIN moves ON moves.game = games.key\n"
    "  JOIN actions ON actions.game = moves.game AND actions.version = moves.version;\n";

/* `watched` games are few among many, so only they are in their index. `store`: service_ms is the service
 * time of the last beat. In `history` clock_ms is what the player who moved had left after it. */
static const char version_2[] =
    "ALTER TABLE store ADD COLUMN service_ms INTEGER NOT NULL DEFAULT 0 CHECK(service_ms >= 0);\n"
    "ALTER TABLE games ADD COLUMN tags TEXT;\n"
    "ALTER TABLE games ADD COLUMN watched INTEGER NOT NULL DEFAULT 0 CHECK(watched IN (0, 1));\n"
    "CREATE INDEX games_watched ON games(key) WHERE watched = 1;\n"
    "ALTER TABLE actions ADD COLUMN spent_ms INTEGER CHECK(spent_ms >= 0);\n"
    "ALTER TABLE actions ADD COLUMN service_ms INTEGER CHECK(service_ms >= 0);\n"
    "DROP VIEW history;\n"
    "CREATE VIEW history(game, ply, san, uci, position_key, at, spent_ms, clock_ms) AS\n"
    "  SELECT games.id, moves.ply, moves.san, actions.move, printf('%016x', actions.position_key),\n"
    "    strftime('%Y-%m-%dT%H:%M:%fZ', actions.at_ms / 1000.0, 'unixepoch'), actions.spent_ms,\n"
    "    CASE actions.seat WHEN 'white' THEN actions.white_ms WHEN 'black' THEN actions.black_ms END\n"
    "  FROM games\n"
    "  JOIN moves ON moves.game = games.key\n"
    "  JOIN actions ON actions.game = moves.game AND actions.version = moves.version;\n";

/* `tokens` of a game are digests. `receipts`: what was answered to requests with an Idempotency-Key, under
 * digests of the key and of the request; they are found by id and removed by age. */
static const char version_3[] = "ALTER TABLE games ADD COLUMN tokens TEXT;\n"
                                "CREATE TABLE receipts(\n"
                                "  id BLOB NOT NULL UNIQUE CHECK(length(id) = 32),\n"
                                "  request BLOB NOT NULL CHECK(length(request) = 32),\n"
                                "  answer BLOB NOT NULL,\n"
                                "  service_ms INTEGER NOT NULL CHECK(service_ms >= 0)\n"
                                ") STRICT;\n"
                                "CREATE INDEX receipts_age ON receipts(service_ms);\n";

/* Rows of `actions` are only added, behind all others, so that a commit writes the last page of one tree, whatever
 * games it is about; each names the row of its game before it (`previous`), and `heads` the last one, with the
 * half-moves in force after it. There is no index on `game`, which would be a page a game again: a game is read
 * along its chain (sqlite_chain.h). `seq` may be used again once a game is deleted (no AUTOINCREMENT, which would be
 * a page of its own in every commit): nothing that outlives the game has it. `marks` are short cuts into long
 * chains: every SQLITE_STRIDE-th version, and in `ply` the fewest half-moves that were in force from it on, which
 * therefore still are. `san` is missing where a move was taken back before this schema. */
static const char version_4[] =
    "DROP VIEW history;\n"
    "DROP TRIGGER actions_never_change;\n"
    "ALTER TABLE actions RENAME TO actions_3;\n"
    "CREATE TABLE actions(\n"
    "  seq INTEGER PRIMARY KEY,\n"
    "  previous INTEGER CHECK(previous < seq),\n"
    "  game INTEGER NOT NULL,\n"
    "  version INTEGER NOT NULL CHECK(version > 0),\n"
    "  ply INTEGER NOT NULL CHECK(ply >= 0),\n"
    "  kind TEXT NOT NULL,\n"
    "  seat TEXT,\n"
    "  move TEXT,\n"
    "  san TEXT,\n"
    "  position_key INTEGER NOT NULL,\n"
    "  at_ms INTEGER NOT NULL,\n"
    "  white_ms INTEGER CHECK(white_ms >= 0),\n"
    "  black_ms INTEGER CHECK(black_ms >= 0),\n"
    "  spent_ms INTEGER CHECK(spent_ms >= 0),\n"
    "  service_ms INTEGER CHECK(service_ms >= 0),\n"
    "  payload TEXT\n"
    ") STRICT;\n"
    "CREATE TABLE heads(\n"
    "  game INTEGER PRIMARY KEY REFERENCES games(key) ON DELETE CASCADE,\n"
    "  seq INTEGER NOT NULL,\n"
    "  version INTEGER NOT NULL,\n"
    "  ply INTEGER NOT NULL\n"
    ") STRICT;\n"
    "CREATE TABLE marks(\n"
    "  game INTEGER NOT NULL REFERENCES games(key) ON DELETE CASCADE,\n"
    "  version INTEGER NOT NULL,\n"
    "  seq INTEGER NOT NULL,\n"
    "  ply INTEGER NOT NULL,\n"
    "  PRIMARY KEY(game, version)\n"
    ") STRICT, WITHOUT ROWID;\n"
    /* In the order of the old key, so that a row's number is one above that of the row before it. */
    "INSERT INTO actions\n"
    "  SELECT row_number() OVER old, CASE WHEN a.version > 1 THEN row_number() OVER old - 1 END,\n"
    "    a.game, a.version, a.ply, a.kind, a.seat, a.move, m.san, a.position_key, a.at_ms,\n"
    "    a.white_ms, a.black_ms, a.spent_ms, a.service_ms, a.payload\n"
    "  FROM actions_3 a\n"
    "  LEFT JOIN moves m ON m.game = a.game AND m.ply = a.ply AND m.version = a.version\n"
    "  WHERE a.game IN (SELECT key FROM games)\n"
    "  WINDOW old AS (ORDER BY a.game, a.version);\n"
    "INSERT INTO heads\n"
    "  SELECT a.game, a.seq, a.version, a.ply FROM actions a\n"
    "  LEFT JOIN actions next ON next.seq = a.seq + 1 WHERE next.game IS NOT a.game;\n"
    "INSERT INTO marks\n"
    "  SELECT a.game, a.version, a.seq,\n"
    "    (SELECT min(later.ply) FROM actions later WHERE later.seq BETWEEN a.seq AND h.seq)\n"
    "  FROM actions a JOIN heads h ON h.game = a.game WHERE a.version % 64 = 0;\n"
    "DROP TABLE moves;\n"
    "DROP TABLE actions_3;\n"
    "CREATE TRIGGER actions_never_change BEFORE UPDATE ON actions BEGIN\n"
    "  SELECT RAISE(ABORT, 'the log of actions is never changed');\n"
    "END;\n"
    "CREATE TRIGGER actions_go_with_their_game BEFORE DELETE ON actions\n"
    "  WHEN EXISTS (SELECT 1 FROM games WHERE key = old.game) BEGIN\n"
    "  SELECT RAISE(ABORT, 'the log of actions is deleted only with its game');\n"
    "END;\n"
    /* Down the chain a move is in force if it is the one that is `wanted`; then the one before it is. */
    "CREATE VIEW history(game, ply, san, uci, position_key, at, spent_ms, clock_ms) AS\n"
    "  SELECT games.id, a.ply, a.san, a.move, printf('%016x', a.position_key),\n"
    "    strftime('%Y-%m-%dT%H:%M:%fZ', a.at_ms / 1000.0, 'unixepoch'), a.spent_ms,\n"
    "    CASE a.seat WHEN 'white' THEN a.white_ms WHEN 'black' THEN a.black_ms END\n"
    "  FROM games, json_each((\n"
    "    WITH RECURSIVE chain(seq, previous, version, wanted, ply, move) AS (\n"
    "      SELECT a.seq, a.previous, a.version, h.ply, a.ply, a.move\n"
    "      FROM heads h JOIN actions a ON a.seq = h.seq WHERE h.game = games.key\n"
    "      UNION ALL\n"
    "      SELECT a.seq, a.previous, a.version, wanted - (chain.move IS NOT NULL AND chain.ply = wanted),\n"
    "        a.ply, a.move\n"
    "      FROM chain JOIN actions a\n"
    "      ON a.seq = chain.previous AND a.game = games.key AND a.version = chain.version - 1)\n"
    "    SELECT '[' || group_concat(seq) || ']' FROM\n"
    "      (SELECT seq FROM chain WHERE move IS NOT NULL AND ply = wanted ORDER BY ply))) in_force\n"
    "  JOIN actions a ON a.seq = in_force.value;\n";

static const char *const migrations[] = {version_1, version_2, version_3, version_4};

const struct sqlite_schema sqlite_schema = {migrations, sizeof migrations / sizeof migrations[0]};

static bool set_number(sqlite3 *db, const char *pragma, int value)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "PRAGMA %s=%d", pragma, value);
    return sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK;
}

bool sqlite_schema_apply(sqlite3 *db, const struct sqlite_schema *schema, int version)
{
    for (; version < schema->version; version++)
        if (sqlite3_exec(db, schema->migrations[version], NULL, NULL, NULL) != SQLITE_OK)
            return false;
    return set_number(db, "user_version", version);
}

unsigned char *sqlite_schema_image(const struct sqlite_schema *schema, sqlite3_int64 *size)
{
    sqlite3 *db = NULL;
    unsigned char *image = NULL;
    if (sqlite3_open_v2(":memory:", &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) == SQLITE_OK &&
        set_number(db, "application_id", SQLITE_APPLICATION_ID) && sqlite_schema_apply(db, schema, 0))
        image = sqlite3_serialize(db, "main", size, 0);
    (void)sqlite3_close(db);
    return image;
}

enum storage_open_status sqlite_schema_newer(const char *path, sqlite3_int64 version,
                                             const struct sqlite_schema *schema,
                                             char error[STORAGE_ERROR_SIZE])
{
    storage_sentence(error,
                     "%s was written by a newer Arbiter (schema %lld, this one knows %d): run the newer one.",
                     path, (long long)version, schema->version);
    return STORAGE_OPEN_REFUSED;
}

bool sqlite_schema_is_earlier(const char *name, const struct sqlite_schema *schema)
{
    const struct sqlite_db_setup setup = {.name = name, .flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI};
    struct sqlite_db db = {0};
    sqlite3_int64 version = 0;
    bool is_earlier = sqlite_db_open(&db, &setup) == SQLITE_OK &&
                      sqlite_db_number(db.handle, "PRAGMA user_version", &version) &&
                      version < schema->version;
    sqlite_db_close(&db);
    return is_earlier;
}
