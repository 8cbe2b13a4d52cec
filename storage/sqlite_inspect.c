#include "storage/sqlite_inspect.h"

#include <string.h>

#include "storage/sqlite_db.h"
#include "storage/sqlite_file.h"
#include "storage/sqlite_pool.h"
#include "storage/sqlite_read.h"
#include "storage/sqlite_reads.h"

/* The bytes of the file are read about so often: once as pages, once as rows. */
enum { PARTS = 2 };

struct inspection {
    const struct sqlite_inspector *given;
    struct sqlite_db db;
    uint64_t total_bytes;
    struct sqlite_reads reads;
};

/* Columns of a row: id, version, expected, found; of the first, NULL and 0 where there are none. */
struct question {
    const char *what, *sql;
};

/* What SQLite itself knows of, and how the log hangs together. CHECK constraints are not among it: SQLite forgets them
 * on a connection that only reads; whoever reads games judges their values. */
static const struct question questions[] = {
    {"file", "SELECT NULL, 0, NULL, integrity_check FROM pragma_integrity_check(200)"
             " WHERE integrity_check <> 'ok'"},
    {"foreign_key",
     "SELECT NULL, 0, 'a row of ' || parent || ' for each', count(*) || ' rows of ' || \"table\" ||"
     " ' without one' FROM pragma_foreign_key_check GROUP BY \"table\", parent"},
    {"head", "SELECT g.id, 0, 'the last row of its log', CASE WHEN h.game IS NULL THEN 'none'"
             "  WHEN a.seq IS NULL THEN 'row ' || h.seq || ', which is not there'"
             "  WHEN a.game <> g.key THEN 'a row of another game'"
             "  ELSE 'version ' || a.version || ', ply ' || a.ply END"
             " FROM games g LEFT JOIN heads h ON h.game = g.key LEFT JOIN actions a ON a.seq = h.seq"
             " WHERE a.seq IS NULL OR a.game <> g.key OR a.version <> h.version OR a.ply <> h.ply LIMIT 200"},
    {"previous",
     "SELECT g.id, a.version, CASE a.version WHEN 1 THEN 'nothing' ELSE 'version ' || (a.version - 1) END,"
     "  CASE WHEN a.previous IS NULL THEN 'nothing'"
     "  WHEN p.seq IS NULL THEN 'row ' || a.previous || ', which is not there'"
     "  WHEN p.game <> a.game THEN 'a row of another game' ELSE 'version ' || p.version END"
     " FROM actions a JOIN games g ON g.key = a.game LEFT JOIN actions p ON p.seq = a.previous"
     " WHERE CASE a.version WHEN 1 THEN a.previous IS NOT NULL"
     "  ELSE p.seq IS NULL OR p.game <> a.game OR p.version <> a.version - 1 END LIMIT 200"},
    {"game",
     "SELECT NULL, 0, 'a game for each row', count(*) || ' rows of game ' || a.game || ', which is not there'"
     " FROM actions a LEFT JOIN games g ON g.key = a.game WHERE g.key IS NULL GROUP BY a.game LIMIT 200"},
    /* Rows that stand beside the log of their game. Sorts all of them, so the sums are asked first. */
    {"rows", "SELECT g.id, 0, h.version || ' rows', count(*) || ' rows'"
             " FROM actions a JOIN heads h ON h.game = a.game JOIN games g ON g.key = a.game"
             " WHERE (SELECT count(*) FROM actions) <> (SELECT sum(version) FROM heads)"
             " GROUP BY a.game HAVING count(*) <> h.version LIMIT 200"},
    {"mark", "SELECT g.id, m.version, 'the row of that version', CASE WHEN a.seq IS NULL"
             "  THEN 'row ' || m.seq || ', which is not there' ELSE 'another row' END"
             " FROM marks m JOIN games g ON g.key = m.game LEFT JOIN actions a ON a.seq = m.seq"
             " WHERE a.seq IS NULL OR a.game <> m.game OR a.version <> m.version LIMIT 200"},
};

static bool tell_reads(void *context, uint64_t bytes)
{
    const struct inspection *inspection = context;
    const struct storage_work *work = inspection->given->work;
    return work->goes_on(work->context, bytes < inspection->total_bytes ? bytes : inspection->total_bytes,
                         inspection->total_bytes);
}

static void tell(const struct inspection *inspection, const char *what, const char *found)
{
    const struct storage_finding finding = {.what = what, .found = found};
    inspection->given->finding(inspection->given->context, &finding);
}

static const char *text(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

static void tell_row(const struct inspection *inspection, const char *what, sqlite3_stmt *row)
{
    const struct storage_finding finding = {
        .id = text(row, 0),
        .what = what,
        .version = (uint32_t)sqlite3_column_int64(row, 1),
        .expected = text(row, 2),
        .found = text(row, 3),
    };
    inspection->given->finding(inspection->given->context, &finding);
}

/* Is the failure a finding? Damage is, and so is what the disk does not give; where it takes nothing more, or memory is
 * out, the store is not to blame. */
static bool is_damage(int code)
{
    switch (code & 0xff) {
    case SQLITE_ERROR: /* its schema is not ours */
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return true;
    case SQLITE_IOERR:
        return code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ ||
               code == SQLITE_IOERR_CORRUPTFS || code == SQLITE_IOERR_DATA;
    default:
        return false;
    }
}

static enum storage_status judge(struct inspection *inspection, const char *what, int code)
{
    if (inspection->reads.stopped)
        return STORAGE_STOPPED;
    if (code == SQLITE_OK || code == SQLITE_DONE)
        return STORAGE_OK;
    if (!is_damage(code)) {
        enum storage_status status = sqlite_db_status(&inspection->db, code);
        sqlite_health_fault(inspection->given->health, STORAGE_READS, status, &inspection->db);
        return status;
    }
    tell(inspection, what, sqlite_db_text(&inspection->db));
    return STORAGE_OK;
}

static enum storage_status ask(struct inspection *inspection, const struct question *question)
{
    sqlite3_stmt *row = NULL;
    int code = sqlite3_prepare_v2(inspection->db.handle, question->sql, -1, &row, NULL);
    while (code == SQLITE_OK || code == SQLITE_ROW) {
        code = sqlite3_step(row);
        if (code == SQLITE_ROW && !inspection->reads.stopped)
            tell_row(inspection, question->what, row);
    }
    enum storage_status status = judge(inspection, question->what, code);
    (void)sqlite3_finalize(row);
    return status;
}

/* An earlier schema has other tables; those who read games tell of it. */
static enum storage_status ask_for_tables(struct inspection *inspection)
{
    sqlite3_int64 version = 0;
    if (!sqlite_db_number(inspection->db.handle, "PRAGMA user_version", &version))
        return judge(inspection, "schema", sqlite3_errcode(inspection->db.handle));
    if (version != inspection->given->schema->version)
        return STORAGE_OK;
    return judge(inspection, "schema", sqlite_read_prepare(&inspection->db));
}

static enum storage_status ask_all(struct inspection *inspection)
{
    enum storage_status status = ask_for_tables(inspection);
    for (size_t i = 0; i < sizeof questions / sizeof questions[0] && status == STORAGE_OK; i++)
        status = ask(inspection, &questions[i]);
    return status;
}

static enum storage_status open_and_ask(struct inspection *inspection)
{
    /* The cache is for the inner pages of what rows are looked up in. */
    const struct sqlite_db_setup setup = {
        .name = inspection->given->name,
        .flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
        .busy_ms = inspection->given->busy_ms,
        .vfs = sqlite_reads_vfs(),
        .even_damaged = true,
        .pragmas = SQLITE_READER_PRAGMAS "; PRAGMA cache_size=-65536; PRAGMA temp_store=FILE",
    };
    int code = sqlite_db_open(&inspection->db, &setup);
    enum storage_status status = judge(inspection, "file", code);
    return code == SQLITE_OK ? ask_all(inspection) : status;
}

/* The header by itself: SQLite does not mind a file that is too long. */
static void look_at_header(const struct inspection *inspection)
{
    char why[STORAGE_ERROR_SIZE] = "";
    if (sqlite_file_look(inspection->given->path, inspection->given->schema, why) == STORAGE_OPEN_REFUSED)
        tell(inspection, "file", why);
}

enum storage_status sqlite_inspect(const struct sqlite_inspector *inspector)
{
    struct inspection inspection = {
        .given = inspector,
        .total_bytes = PARTS * sqlite_file_bytes(inspector->path),
    };
    inspection.reads = (struct sqlite_reads){.context = &inspection, .goes_on = tell_reads};
    look_at_header(&inspection);
    sqlite_reads_watch(&inspection.reads);
    enum storage_status status = open_and_ask(&inspection);
    sqlite_reads_watch(NULL);
    sqlite_db_close(&inspection.db);
    return status;
}
