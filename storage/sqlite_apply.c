#include "storage/sqlite_apply.h"

#include "storage/sqlite_chain.h"

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

/* Where the log of a game ends. */
struct head {
    int64_t seq; /* of its last row; 0: there is none yet */
    uint32_t version, ply;
};

/* STORAGE_NOT_FOUND: no such game, or a game without a log. */
static enum storage_status seek_head(struct sqlite_writer *writer, int64_t game, struct head *head)
{
    sqlite3_stmt *row = writer->db.statements[WRITE_HEAD_SEEK];
    (void)sqlite3_bind_int64(row, 1, game);
    int code = sqlite3_step(row);
    enum storage_status status =
        code == SQLITE_DONE ? STORAGE_NOT_FOUND : sqlite_writer_outcome(writer, code);
    if (code == SQLITE_ROW)
        *head = (struct head){sqlite3_column_int64(row, 0), (uint32_t)sqlite3_column_int64(row, 1),
                              (uint32_t)sqlite3_column_int64(row, 2)};
    (void)sqlite3_reset(row);
    return status;
}

/* After the first change of a write a refusal is none of the contract. Where a row was not there, SQLite has no words. */
static enum storage_status as_fault(struct sqlite_writer *writer, enum storage_status status)
{
    if (status != STORAGE_CONFLICT)
        return status;
    int code = sqlite3_extended_errcode(writer->db.handle);
    if (code == SQLITE_OK)
        sqlite_db_keep_words(&writer->db, "the tables do not fit each other");
    else
        sqlite_db_keep_fault(&writer->db, code);
    sqlite_health_fault(writer->health, STORAGE_WRITES, STORAGE_UNAVAILABLE, &writer->db);
    return STORAGE_UNAVAILABLE;
}

static enum storage_status insert_action(struct sqlite_writer *writer, int64_t game, int64_t previous,
                                         const struct storage_action *action)
{
    sqlite3_stmt *statement = writer->db.statements[WRITE_ACTION];
    bind_number_unless(statement, 1, previous, previous == 0);
    (void)sqlite3_bind_int64(statement, 2, game);
    (void)sqlite3_bind_int64(statement, 3, action->version);
    (void)sqlite3_bind_int64(statement, 4, action->ply);
    sqlite_db_bind_text(statement, 5, action->kind);
    sqlite_db_bind_text(statement, 6, action->seat);
    sqlite_db_bind_text(statement, 7, action->move);
    sqlite_db_bind_text(statement, 8, action->san);
    (void)sqlite3_bind_int64(statement, 9, (int64_t)action->position_key);
    (void)sqlite3_bind_int64(statement, 10, action->at_ms);
    bind_number_unless(statement, 11, action->white_ms, action->white_ms == -1);
    bind_number_unless(statement, 12, action->black_ms, action->black_ms == -1);
    bind_number_unless(statement, 13, action->spent_ms, action->spent_ms == -1);
    bind_number_unless(statement, 14, action->service_ms, action->service_ms == -1);
    sqlite_db_bind_text(statement, 15, action->payload);
    return sqlite_writer_run(writer, WRITE_ACTION);
}

/* WRITE_HEAD and WRITE_MARK take the same parameters. */
static void bind_head(sqlite3_stmt *statement, int64_t game, const struct head *head)
{
    (void)sqlite3_bind_int64(statement, 1, game);
    (void)sqlite3_bind_int64(statement, 2, head->seq);
    (void)sqlite3_bind_int64(statement, 3, head->version);
    (void)sqlite3_bind_int64(statement, 4, head->ply);
}

static enum storage_status insert_mark(struct sqlite_writer *writer, int64_t game, const struct head *head)
{
    bind_head(writer->db.statements[WRITE_MARK], game, head);
    return sqlite_writer_run(writer, WRITE_MARK);
}

/* From no mark of the game on more half-moves stay in force than `ply`. */
static enum storage_status lower_marks(struct sqlite_writer *writer, int64_t game, uint32_t ply)
{
    sqlite3_stmt *statement = writer->db.statements[WRITE_MARKS_LOWER];
    (void)sqlite3_bind_int64(statement, 1, game);
    (void)sqlite3_bind_int64(statement, 2, ply);
    return sqlite_writer_run(writer, WRITE_MARKS_LOWER);
}

static enum storage_status add_action(struct sqlite_writer *writer, int64_t game,
                                      const struct storage_action *action, struct head *head)
{
    enum storage_status status = insert_action(writer, game, head->seq, action);
    if (status == STORAGE_OK && action->ply < head->ply && head->version >= SQLITE_STRIDE)
        status = lower_marks(writer, game, action->ply);
    *head = (struct head){sqlite3_last_insert_rowid(writer->db.handle), action->version, action->ply};
    if (status == STORAGE_OK && action->version % SQLITE_STRIDE == 0)
        status = insert_mark(writer, game, head);
    return status;
}

/* Behind `head`, which they move. */
static enum storage_status add_actions(struct sqlite_writer *writer, const struct storage_write *write,
                                       struct head *head)
{
    enum storage_status status = STORAGE_OK;
    for (size_t i = 0; status == STORAGE_OK && i < write->action_count; i++)
        status = add_action(writer, write->game.key, &write->actions[i], head);
    return as_fault(writer, status);
}

/* A move is the next one behind those in force, and nothing else makes more of them. */
static bool fits(const struct storage_write *write, uint32_t ply)
{
    for (size_t i = 0; i < write->action_count; i++) {
        const struct storage_action *action = &write->actions[i];
        if (action->move ? action->ply != ply + 1 : action->ply > ply)
            return false;
        ply = action->ply;
    }
    return true;
}

static enum storage_status insert_head(struct sqlite_writer *writer, int64_t game, const struct head *head)
{
    bind_head(writer->db.statements[WRITE_HEAD], game, head);
    return as_fault(writer, sqlite_writer_run(writer, WRITE_HEAD));
}

static enum storage_status change_head(struct sqlite_writer *writer, int64_t game, const struct head *head,
                                       uint32_t expected_version)
{
    sqlite3_stmt *update = writer->db.statements[WRITE_HEAD_CHANGE];
    bind_head(update, game, head);
    (void)sqlite3_bind_int64(update, 5, expected_version);
    enum storage_status status = sqlite_writer_run(writer, WRITE_HEAD_CHANGE);
    if (status == STORAGE_OK && sqlite3_changes(writer->db.handle) == 0)
        status = STORAGE_CONFLICT;
    return as_fault(writer, status);
}

static enum storage_status append_actions(struct sqlite_writer *writer, const struct storage_write *write)
{
    struct head head = {0};
    uint32_t expected_version = write->actions[0].version - 1;
    enum storage_status status = seek_head(writer, write->game.key, &head);
    if (status == STORAGE_NOT_FOUND || (status == STORAGE_OK && head.version != expected_version))
        return STORAGE_CONFLICT;
    if (status == STORAGE_OK && !fits(write, head.ply))
        return STORAGE_DAMAGED;
    if (status == STORAGE_OK)
        status = add_actions(writer, write, &head);
    if (status == STORAGE_OK)
        status = change_head(writer, write->game.key, &head, expected_version);
    return status;
}

static enum storage_status create(struct sqlite_writer *writer, struct storage_write *write)
{
    struct head head = {0};
    sqlite3_stmt *insert = writer->db.statements[WRITE_GAME];
    if (!fits(write, 0))
        return STORAGE_DAMAGED;
    bind_fixed(insert, &write->game);
    bind_changing(insert, &write->game);
    enum storage_status status = sqlite_writer_run(writer, WRITE_GAME);
    if (status != STORAGE_OK)
        return status;
    write->game.key = sqlite3_last_insert_rowid(writer->db.handle);
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_NEWEST], 1, write->game.created_at_ms);
    status = sqlite_writer_run(writer, WRITE_NEWEST);
    if (status == STORAGE_OK)
        status = add_actions(writer, write, &head);
    if (status == STORAGE_OK && head.version > 0)
        status = insert_head(writer, write->game.key, &head);
    return status;
}

static enum storage_status change_game(struct sqlite_writer *writer, const struct storage_game *game)
{
    sqlite3_stmt *update = writer->db.statements[WRITE_GAME_CHANGE];
    bind_changing(update, game);
    (void)sqlite3_bind_int64(update, 19, game->key);
    enum storage_status status = sqlite_writer_run(writer, WRITE_GAME_CHANGE);
    if (status == STORAGE_OK && sqlite3_changes(writer->db.handle) == 0)
        status = STORAGE_CONFLICT;
    return status;
}

static enum storage_status append(struct sqlite_writer *writer, struct storage_write *write)
{
    enum storage_status status = STORAGE_OK;
    if (write->action_count > 0)
        status = append_actions(writer, write);
    if (status == STORAGE_OK && write->updates_game) {
        status = change_game(writer, &write->game);
        if (write->action_count > 0)
            status = as_fault(writer, status);
    }
    return status;
}

static void bind_chain(sqlite3_stmt *statement, int64_t game, const struct head *head)
{
    (void)sqlite3_bind_int64(statement, 1, game);
    (void)sqlite3_bind_int64(statement, 2, head->seq);
    (void)sqlite3_bind_int64(statement, 3, head->version);
}

/* STORAGE_DAMAGED unless each version of the game has its row. */
static enum storage_status check_chain(struct sqlite_writer *writer, int64_t game, const struct head *head)
{
    sqlite3_stmt *row = writer->db.statements[WRITE_CHAIN_COUNT];
    bind_chain(row, game, head);
    int code = sqlite3_step(row);
    enum storage_status status = sqlite_writer_outcome(writer, code);
    if (code == SQLITE_ROW && sqlite3_column_int64(row, 0) != head->version)
        status = STORAGE_DAMAGED;
    (void)sqlite3_reset(row);
    return status;
}

/* The rows of the log go last: they may go only when the game is gone. */
static enum storage_status delete_game(struct sqlite_writer *writer, int64_t game)
{
    struct head head = {0};
    enum storage_status status = seek_head(writer, game, &head);
    if (status == STORAGE_OK)
        status = check_chain(writer, game, &head);
    if (status != STORAGE_OK)
        return status;
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_GAME_DELETE], 1, game);
    status = sqlite_writer_run(writer, WRITE_GAME_DELETE);
    bind_chain(writer->db.statements[WRITE_CHAIN_DELETE], game, &head);
    return status == STORAGE_OK ? sqlite_writer_run(writer, WRITE_CHAIN_DELETE) : status;
}

static enum storage_status beat(struct sqlite_writer *writer, const struct storage_write *write)
{
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_BEAT], 1, write->service_ms);
    return sqlite_writer_run(writer, WRITE_BEAT);
}

static enum storage_status expire(struct sqlite_writer *writer, const struct storage_write *write)
{
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_EXPIRE], 1, write->service_ms);
    (void)sqlite3_bind_int64(writer->db.statements[WRITE_EXPIRE], 2, STORAGE_EXPIRE_MOST);
    return sqlite_writer_run(writer, WRITE_EXPIRE);
}

/* Looked for before anything is changed, so that the refusal of a write leaves nothing behind. */
static enum storage_status seek_receipt(struct sqlite_writer *writer, const struct storage_receipt *receipt)
{
    sqlite3_stmt *seek = writer->db.statements[WRITE_RECEIPT_SEEK];
    sqlite_db_bind_bytes(seek, 1, receipt->id, STORAGE_DIGEST_SIZE);
    int code = sqlite3_step(seek);
    enum storage_status status = code == SQLITE_ROW ? STORAGE_CONFLICT : sqlite_writer_outcome(writer, code);
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
    return as_fault(writer, sqlite_writer_run(writer, WRITE_RECEIPT));
}

static enum storage_status change(struct sqlite_writer *writer, struct storage_write *write)
{
    switch (write->kind) {
    case STORAGE_CREATE:
        return create(writer, write);
    case STORAGE_APPEND:
        return append(writer, write);
    case STORAGE_DELETE:
        return delete_game(writer, write->game.key);
    case STORAGE_BEAT:
        return beat(writer, write);
    case STORAGE_KEEP:
        return STORAGE_OK;
    case STORAGE_EXPIRE:
        return expire(writer, write);
    }
    return STORAGE_UNAVAILABLE;
}

enum storage_status sqlite_apply(struct sqlite_writer *writer, struct storage_write *write)
{
    enum storage_status status = write->receipt ? seek_receipt(writer, write->receipt) : STORAGE_OK;
    if (status == STORAGE_OK)
        status = change(writer, write);
    if (status == STORAGE_OK && write->receipt)
        status = insert_receipt(writer, write->receipt);
    return status;
}
