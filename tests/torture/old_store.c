#include "tests/torture/old_store.h"

#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "rules/notation.h"
#include "storage/sqlite_schema.h"

static const char *const LINE[OLD_STORE_PLIES] = {
    "e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6", "b5a4", "g8f6", "e1g1", "f8e7",
    "f1e1", "b7b5", "a4b3", "d7d6", "c2c3", "e8g8", "h2h3", "c6a5", "b3c2", "c7c5",
};

#define RULES                                                                                                \
    "'profile=fide failed_claim=offer dead_position=exact draw_offers=anytime takeback=consent fivefold=1 "  \
    "seventyfive=1 draw_offers_from_move=0 move_limit=0 claim_penalty_ms=120000 abandon_after_ms=0 "         \
    "auto_threefold=0 auto_fifty=0'"
#define BEGUN_MS "1700000000000"

void old_store_id(int key, char id[OLD_STORE_ID_SIZE])
{
    (void)snprintf(id, OLD_STORE_ID_SIZE, "earnedgame%c%c", 'a' + key / 8, 'a' + key % 8);
}

static bool run(sqlite3 *db, const char *sql)
{
    char *error = NULL;
    if (sqlite3_exec(db, sql, NULL, NULL, &error) == SQLITE_OK)
        return true;
    (void)fprintf(stderr, "%s: %s\n", sql, error);
    sqlite3_free(error);
    return false;
}

/* One game of the line in every way that it can be cut short; the even ones have ended. */
static bool add_game(sqlite3 *db, int key)
{
    char sql[1024], id[OLD_STORE_ID_SIZE];
    old_store_id(key, id);
    struct position position = position_initial();
    int plies = key % (OLD_STORE_PLIES + 1);
    bool over = key % 2 == 0;
    (void)snprintf(
        sql, sizeof sql,
        "INSERT INTO games(key, id, variant, rules, created_at_ms, access, visibility, white_name, status,"
        " result, termination, ended_at_ms) VALUES(%d, '%s', 'standard', " RULES ", " BEGUN_MS ","
        " 'open', 'public', 'Old', '%s', '%s', %s, %s);"
        "INSERT INTO actions(game, version, at_ms, kind, ply, position_key)"
        " VALUES(%d, 1, " BEGUN_MS ", 'created', 0, %" PRId64 ")",
        key, id, over ? "ended" : "active", over ? "1-0" : "*", over ? "'recorded'" : "NULL",
        over ? BEGUN_MS : "NULL", key, (int64_t)position.key);
    bool ok = run(db, sql);
    for (int ply = 1; ok && ply <= plies; ply++) {
        char san[NOTATION_SAN_SIZE];
        struct position after;
        move m = notation_find_uci(&position, LINE[ply - 1]);
        (void)notation_format_san(&position, m, san);
        position_play(&position, m, &after);
        position = after;
        (void)snprintf(sql, sizeof sql,
                       "INSERT INTO actions(game, version, at_ms, kind, seat, ply, move, position_key)"
                       " VALUES(%d, %d, " BEGUN_MS ", 'move', '%s', %d, '%s', %" PRId64 ");"
                       "INSERT INTO moves VALUES(%d, %d, %d, '%s')",
                       key, ply + 1, ply % 2 ? "white" : "black", ply, LINE[ply - 1], (int64_t)position.key,
                       key, ply, ply + 1, san);
        ok = run(db, sql);
    }
    if (!ok || !over)
        return ok;
    (void)snprintf(sql, sizeof sql,
                   "INSERT INTO actions(game, version, at_ms, kind, ply, position_key, payload)"
                   " VALUES(%d, %d, " BEGUN_MS ", 'recorded', %d, %" PRId64 ", 'end=recorded' || char(10) ||"
                   " 'result=1-0')",
                   key, plies + 2, plies, (int64_t)position.key);
    return run(db, sql);
}

static bool write_image(const char *path, const unsigned char *image, size_t size)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = fd >= 0 && write(fd, image, size) == (ssize_t)size;
    return fd >= 0 && close(fd) == 0 && written;
}

bool old_store_make(const char *path)
{
    const struct sqlite_schema schema = {sqlite_schema.migrations, OLD_STORE_VERSION};
    sqlite3_int64 size = 0;
    sqlite3 *db = NULL;
    unsigned char *image = sqlite_schema_image(&schema, &size);
    bool ok = image && write_image(path, image, (size_t)size) && sqlite3_open(path, &db) == SQLITE_OK &&
              run(db, "PRAGMA journal_mode=WAL; BEGIN");
    sqlite3_free(image);
    for (int key = 1; ok && key <= OLD_STORE_GAMES; key++)
        ok = add_game(db, key);
    ok = ok && run(db, "UPDATE store SET newest_ms = " BEGUN_MS "; COMMIT");
    return sqlite3_close(db) == SQLITE_OK && ok;
}
