#include "storage/sqlite_write.h"

#include "storage/backend.h"
#include "storage/sqlite_sql.h"

/* 4 MiB of log: larger saves little more, smaller costs a sync of the file more often. */
enum { CHECKPOINT_FRAMES = 1000 };

#define WRITER_PRAGMAS                                                                                       \
    "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=16777216;"              \
    "PRAGMA mmap_size=0; PRAGMA cache_size=-16384; PRAGMA temp_store=MEMORY;"

static int note_log_frames(void *context, sqlite3 *handle, const char *name, int frames)
{
    (void)handle;
    (void)name;
    struct sqlite_writer *writer = context;
    writer->log_frames = frames;
    return SQLITE_OK;
}

/* Pragmas answer without an error where they could do nothing. */
static const char *missing_property(sqlite3 *handle, bool synchronous_normal)
{
    const struct property {
        const char *sql;
        sqlite3_int64 wanted;
        const char *complaint;
    } properties[] = {
        {"SELECT journal_mode = 'wal' FROM pragma_journal_mode", 1,
         "its file system has no shared memory for a write-ahead log"},
        {"PRAGMA synchronous", synchronous_normal ? 1 : 2, "synchronous commits are not to be had"},
        {"PRAGMA foreign_keys", 1, "foreign keys are not to be had"},
    };
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        sqlite3_int64 value = -1;
        if (!sqlite_db_number(handle, properties[i].sql, &value) || value != properties[i].wanted)
            return properties[i].complaint;
    }
    return NULL;
}

static int connect_writer(struct sqlite_writer *writer, struct sqlite_db *db)
{
    const struct sqlite_db_setup setup = {
        .name = writer->health->path,
        .flags = SQLITE_OPEN_READWRITE,
        .busy_ms = writer->options.busy_ms,
        .pragmas = writer->options.synchronous_normal ? WRITER_PRAGMAS "PRAGMA synchronous=NORMAL"
                                                      : WRITER_PRAGMAS "PRAGMA synchronous=FULL",
    };
    int code = sqlite_db_open(db, &setup);
    if (code == SQLITE_OK)
        (void)sqlite3_wal_hook(db->handle, note_log_frames, writer);
    return code;
}

enum storage_open_status sqlite_writer_open(struct sqlite_writer *writer, struct sqlite_health *health,
                                            const struct storage_options *options,
                                            const struct sqlite_schema *schema,
                                            char error[STORAGE_ERROR_SIZE])
{
    const char *path = health->path;
    *writer = (struct sqlite_writer){.health = health, .options = *options};
    enum storage_open_status status = STORAGE_OPEN_FAILED;
    const char *complaint = NULL;
    if (connect_writer(writer, &writer->db) != SQLITE_OK)
        complaint = sqlite_db_text(&writer->db);
    else
        complaint = missing_property(writer->db.handle, options->synchronous_normal);
    if (complaint)
        storage_sentence(error, "%s cannot be opened: %s.", path, complaint);
    else
        status = sqlite_schema_migrate(writer->db.handle, path, schema, error);
    if (status == STORAGE_OPENED && sqlite_db_prepare(&writer->db, sqlite_write_sql) != SQLITE_OK) {
        storage_sentence(error, "%s cannot be used: %s.", path, sqlite_db_text(&writer->db));
        status = STORAGE_OPEN_FAILED;
    }
    if (status != STORAGE_OPENED)
        sqlite_writer_close(writer);
    return status;
}

void sqlite_writer_close(struct sqlite_writer *writer)
{
    sqlite_db_close(&writer->db);
}

static enum storage_status outcome(struct sqlite_writer *writer, int code)
{
    enum storage_status status = sqlite_db_status(&writer->db, code);
    bool from_disk = status == STORAGE_FULL || status == STORAGE_UNAVAILABLE;
    if (from_disk && (code & 0xff) != SQLITE_CONSTRAINT)
        writer->broken = true;
    if (status >= STORAGE_BUSY)
        sqlite_health_fault(writer->health, STORAGE_WRITES, status, &writer->db);
    return status;
}

static enum storage_status run(struct sqlite_writer *writer, enum sqlite_write_sql statement)
{
    return outcome(writer, sqlite_db_run(&writer->db, (int)statement));
}

static void rollback(void *context)
{
    struct sqlite_writer *writer = context;
    if (writer->db.handle && !sqlite3_get_autocommit(writer->db.handle))
        (void)run(writer, WRITE_ROLLBACK);
}

static enum storage_status commit(void *context)
{
    struct sqlite_writer *writer = context;
    enum storage_status status = run(writer, WRITE_COMMIT);
    if (status == STORAGE_OK)
        sqlite_health_fine(writer->health, STORAGE_WRITES);
    return status;
}

static enum storage_status prove(struct sqlite_writer *writer)
{
    enum storage_status status = run(writer, WRITE_BEGIN);
    if (status == STORAGE_OK)
        status = run(writer, WRITE_PROOF);
    if (status == STORAGE_OK)
        status = run(writer, WRITE_COMMIT); /* on a full disk there may be room for no more than this */
    if (status != STORAGE_OK)
        rollback(writer);
    return status;
}

static void close_without_checkpoint(struct sqlite_db *db)
{
    if (db->handle)
        (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite_db_close(db);
}

static enum storage_status mend(struct sqlite_writer *writer)
{
    struct sqlite_db fresh;
    int code = connect_writer(writer, &fresh);
    if (code == SQLITE_OK)
        code = sqlite_db_prepare(&fresh, sqlite_write_sql);
    if (code != SQLITE_OK) {
        enum storage_status status = sqlite_db_status(&fresh, code);
        sqlite_health_fault(writer->health, STORAGE_WRITES, status, &fresh);
        close_without_checkpoint(&fresh);
        return status;
    }
    close_without_checkpoint(&writer->db);
    writer->db = fresh;
    enum storage_status status = prove(writer);
    writer->broken = status != STORAGE_OK;
    return status;
}

static enum storage_status begin(void *context)
{
    struct sqlite_writer *writer = context;
    if (!sqlite_health_in_place(writer->health))
        return STORAGE_UNAVAILABLE;
    enum storage_status status = writer->broken ? mend(writer) : STORAGE_OK;
    return status == STORAGE_OK ? run(writer, WRITE_BEGIN) : status;
}

static enum storage_status probe(void *context)
{
    struct sqlite_writer *writer = context;
    if (!sqlite_health_in_place(writer->health))
        return STORAGE_UNAVAILABLE;
    return writer->broken ? mend(writer) : prove(writer);
}

static void bind_number_unless(sqlite3_stmt *statement, int index, int64_t number, bool is_null)
{
    if (is_null)
        (void)sqlite3_bind_null(statement, index);
    else
        (void)sqlite3_bind_int64(statement, index, number);
}

static void bind_fixed(sqlite3_stmt *statement, const struct storage_game *game)
{
    sqlite_db_bind_text(statement, 1, game->id);
    sqlite_db_bind_text(statement, 2, game->variant);
    sqlite_db_bind_text(statement, 3, game->start);
    sqlite_db_bind_text(statement, 4, game->rules);
    sqlite_db_bind_text(statement, 5, game->clock);
    sqlite_db_bind_text(statement, 6, game->tags);
    (void)sqlite3_bind_int64(statement, 7, game->created_at_ms);
}

static void bind_changing(sqlite3_stmt *statement, const struct storage_game *game)
{
    sqlite_db_bind_text(statement, 8, game->access);
    sqlite_db_bind_text(statement, 9, game->visibility);
    sqlite_db_bind_text(statement, 10, game->white_name);
    sqlite_db_bind_text(statement, 11, game->black_name);
    sqlite_db_bind_text(statement, 12, game->metadata);
    sqlite_db_bind_text(statement, 13, game->tokens);
    sqlite_db_bind_text(statement, 14, game->status);
    sqlite_db_bind_text(statement, 15, game->result);
    sqlite_db_bind_text(statement, 16, game->termination);
    bind_number_unless(statement, 17, game->ended_at_ms, game->ended_at_ms == 0);
    (void)sqlite3_bind_int(statement, 18, game->watched);
}

static enum storage_status insert_action(struct sqlite_writer *writer, int64_t game,
                                         const struct storage_action *action)
{
    sqlite3_stmt *statement = writer->db.statements[WRITE_ACTION];
    (void)sqlite3_bind_int64(statement, 1, game);
    (void)sqlite3_bind_int64(statement, 2, action->version);
    (void)sqlite3_bind_int64(statement, 3, action->at_ms);
    sqlite_db_bind_text(statement, 4, action->kind);
    sqlite_db_bind_text(statement, 5, action->seat);
    (void)sqlite3_bind_int64(statement, 6, action->ply);
    sqlite_db_bind_text(statement, 7, action->move);
    (void)sqlite3_bind_int64(statement, 8, (int64_t)action->position_key);
    bind_number_unless(statement, 9, action->white_ms, action->white_ms == -1);
    bind_number_unless(statement, 10, action->black_ms, action->black_ms == -1);
    bind_number_unless(statement, 11, action->spent_ms, action->spent_ms == -1);
    bind_number_unless(statement, 12, action->service_ms, action->service_ms == -1);
    sqlite_db_bind_text(statement, 13, action->payload);
    return run(writer, WRITE_ACTION);
}

static enum storage_status insert_move(struct sqlite_writer *writer, int64_t game,
                                       const struct storage_action *action)
{
    sqlite3_stmt *statement = writer->db.statements[WRITE_MOVE];
    (void)sqlite3_bind_int64(statement, 1, game);
    (void)sqlite3_bind_int64(statement, 2, action->ply);
    (void)sqlite3_bind_int64(statement, 3, action->version);
    sqlite_db_bind_text(statement, 4, action->san);
    return run(writer, WRITE_MOVE);
}

static enum storage_status rewind_moves(struct sqlite_writer *writer, int64_t game, uint32_t ply)
{
    sqlite3_stmt *statement = writer->db.statements[WRITE_REWIND];
    (void)sqlite3_bind_int64(statement, 1, game);
    (void)sqlite3_bind_int64(statement, 2, ply);
    return run(writer, WRITE_REWIND);
}

/* After the first statement of a write a refusal is none of the contract: the moves in force do not fit the
 * log. */
static enum storage_status as_fault(struct sqlite_writer *writer, enum storage_status status)
{
    if (status != STORAGE_CONFLICT)
        return status;
    sqlite_db_keep_fault(&writer->db, sqlite3_extended_errcode(writer->db.handle));
    sqlite_health_fault(writer->health, STORAGE_WRITES, STORAGE_UNAVAILABLE, &writer->db);
    return STORAGE_UNAVAILABLE;
}

/* The first statement is the one that can be refused. */
static enum storage_status add_action(struct sqlite_writer *writer, int64_t game,
                                      const struct storage_action *action)
{
    enum storage_status status = insert_action(writer, game, action);
    if (status == STORAGE_OK && action->rewinds)
        status = as_fault(writer, rewind_moves(writer, game, action->ply));
    if (status == STORAGE_OK && action->move)
        status = as_fault(writer, insert_move(writer, game, action));
    return status;
}

static enum storage_status add_actions(struct sqlite_writer *writer, const struct storage_write *write)
{
    enum storage_status status = STORAGE_OK;
    for (size_t i = 0; status == STORAGE_OK && i < write->action_count; i++) {
        status = add_action(writer, write->game.key, &write->actions[i]);
        if (i > 0)
            status = as_fault(writer, status);
    }
    return status;
}

static enum storage_status create(struct sqlite_writer *writer, struct storage_write *write)
{
    sqlite3_stmt *insert = writer->db.statements[WRITE_GAME];
    bind_fixed(insert, &write->game);
    bind_changing(insert, &write->game);
    enum storage_status status = run(writer, WRITE_GAME);
    if (status != STORAGE_OK)
        return status;
    write->game.key = sqlite3_last_insert_rowid(writer->db.handle);
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_NEWEST], 1, write->game.created_at_ms);
    status = run(writer, WRITE_NEWEST);
    if (status == STORAGE_OK)
        status = add_actions(writer, write);
    return as_fault(writer, status);
}

static enum storage_status change_game(struct sqlite_writer *writer, const struct storage_game *game)
{
    sqlite3_stmt *update = writer->db.statements[WRITE_GAME_CHANGE];
    bind_changing(update, game);
    (void)sqlite3_bind_int64(update, 19, game->key);
    enum storage_status status = run(writer, WRITE_GAME_CHANGE);
    if (status == STORAGE_OK && sqlite3_changes(writer->db.handle) == 0)
        status = STORAGE_CONFLICT;
    return status;
}

static enum storage_status append(struct sqlite_writer *writer, struct storage_write *write)
{
    enum storage_status status = add_actions(writer, write);
    if (status == STORAGE_OK && write->updates_game)
        status = change_game(writer, &write->game);
    return status;
}

static enum storage_status delete (struct sqlite_writer *writer, struct storage_write *write) {
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_GAME_DELETE], 1, write->game.key);
    enum storage_status status = run(writer, WRITE_GAME_DELETE);
    if (status == STORAGE_OK && sqlite3_changes(writer->db.handle) == 0) status = STORAGE_NOT_FOUND;
    return status;
}

static enum storage_status beat(struct sqlite_writer *writer, const struct storage_write *write)
{
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_BEAT], 1, write->service_ms);
    return run(writer, WRITE_BEAT);
}

static enum storage_status expire(struct sqlite_writer *writer, const struct storage_write *write)
{
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_EXPIRE], 1, write->service_ms);
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_EXPIRE], 2, STORAGE_EXPIRE_MOST);
    return run(writer, WRITE_EXPIRE);
}

/* Looked for before anything is changed, so that the refusal of a write leaves nothing behind. */
static enum storage_status seek_receipt(struct sqlite_writer *writer, const struct storage_receipt *receipt)
{
    sqlite3_stmt *seek = writer->db.statements[WRITE_RECEIPT_SEEK];
    sqlite_db_bind_bytes(seek, 1, receipt->id, STORAGE_DIGEST_SIZE);
    int code = sqlite3_step(seek);
    enum storage_status status = code == SQLITE_ROW ? STORAGE_CONFLICT : outcome(writer, code);
    (void)sqlite3_reset(seek);
    return status;
}

static enum storage_status insert_receipt(struct sqlite_writer *writer, const struct storage_receipt *receipt)
{
    sqlite3_stmt *statement = writer->db.statements[WRITE_RECEIPT];
    sqlite_db_bind_bytes(statement, 1, receipt->id, STORAGE_DIGEST_SIZE);
    sqlite_db_bind_bytes(statement, 2, receipt->request, STORAGE_DIGEST_SIZE);
    sqlite_db_bind_bytes(statement, 3, receipt->answer, receipt->answer_length);
    (void)sqlite3_bind_int64(statement, 4, receipt->service_ms);
    return as_fault(writer, run(writer, WRITE_RECEIPT));
}

static enum storage_status change(struct sqlite_writer *writer, struct storage_write *write)
{
    switch (write->kind) {
    case STORAGE_CREATE:
        return create(writer, write);
    case STORAGE_APPEND:
        return append(writer, write);
    case STORAGE_DELETE:
        return delete (writer, write);
    case STORAGE_BEAT:
        return beat(writer, write);
    case STORAGE_KEEP:
        return STORAGE_OK;
    case STORAGE_EXPIRE:
        return expire(writer, write);
    }
    return STORAGE_UNAVAILABLE;
}

static enum storage_status apply(void *context, struct storage_write *write)
{
    struct sqlite_writer *writer = context;
    enum storage_status status = write->receipt ? seek_receipt(writer, write->receipt) : STORAGE_OK;
    if (status == STORAGE_OK)
        status = change(writer, write);
    if (status == STORAGE_OK && write->receipt)
        status = insert_receipt(writer, write->receipt);
    return status;
}

static void checkpoint(struct sqlite_writer *writer, int mode)
{
    int code = sqlite3_wal_checkpoint_v2(writer->db.handle, "main", mode, NULL, NULL);
    if ((code & 0xff) != SQLITE_BUSY && (code & 0xff) != SQLITE_LOCKED)
        (void)outcome(writer, code);
    writer->checkpointed_frames = writer->log_frames;
}

/* A reader that sits on the log would make us try in vain after every batch: so only when the log has grown
 * by as much again. */
static void tidy(void *context, bool idle)
{
    struct sqlite_writer *writer = context;
    if (writer->broken)
        return;
    if (writer->log_frames < writer->checkpointed_frames)
        writer->checkpointed_frames = 0;
    if (idle) {
        (void)sqlite3_busy_timeout(writer->db.handle, 0);
        checkpoint(writer, SQLITE_CHECKPOINT_TRUNCATE);
        (void)sqlite3_busy_timeout(writer->db.handle, (int)writer->options.busy_ms);
    } else if (writer->log_frames - writer->checkpointed_frames >= CHECKPOINT_FRAMES) {
        checkpoint(writer, SQLITE_CHECKPOINT_PASSIVE);
    }
}

const struct writer_target sqlite_writer_target = {
    .begin = begin,
    .apply = apply,
    .commit = commit,
    .rollback = rollback,
    .probe = probe,
    .tidy = tidy,
};
