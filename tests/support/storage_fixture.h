/* What tests of and above the storage need: a folder to write in, writes that wait, rows that are kept.
 *
 * Fails the running cmocka test where something cannot be done. */
#pragma once

#include "storage/storage.h"

/* A new folder below $TMPDIR or /tmp; for free(). */
char *fixture_make_folder(void);

/* Removes it with all that is in it. */
void fixture_remove_folder(char *folder);

/* "folder/name", for free(). */
char *fixture_path(const char *folder, const char *name);

/* A sum over the names and contents of all files in the folder. */
uint64_t fixture_sum_of_folder(const char *folder);

/* A store that must open. */
struct storage *fixture_open(const char *url);

/* Writes that are under way. */
struct fixture_answers;
struct fixture_answers *fixture_answers_create(void);
void fixture_answers_destroy(struct fixture_answers *answers);

/* Submits `count` writes; `done` and `owner` are the fixture's. */
void fixture_submit(struct storage *storage, struct fixture_answers *answers, struct storage_write *writes,
                    size_t count);

/* Waits for all that was submitted. */
void fixture_await(struct fixture_answers *answers);

/* The answer of a write after the wait. */
enum storage_status fixture_answer(const struct fixture_answers *answers, const struct storage_write *write);

/* How many were answered so far. */
size_t fixture_answered(struct fixture_answers *answers);

/* Submits one write and waits for it. */
enum storage_status fixture_write(struct storage *storage, struct storage_write *write);

/* A public, active game of that id with its first action. */
struct storage_write fixture_creation(const char *id);

/* `count` further moves of a game, from `actions`, which have the versions and plies that follow `version`.
 */
struct storage_write fixture_moves(int64_t key, struct storage_action *actions, size_t count,
                                   uint32_t version);

/* The beat of that time. */
struct storage_write fixture_beat(int64_t service_ms);

/* Creates a game that must not exist; its key. */
int64_t fixture_create(struct storage *storage, const char *id);

/* Copies of rows. */
struct fixture_rows {
    struct storage_game *games;
    struct storage_action *actions;
    size_t game_count, action_count;
    size_t stop_after; /* rows; 0: never */
};

/* The callbacks that fill `kept`, which begins zeroed. */
struct storage_rows fixture_keep(struct fixture_rows *kept);
void fixture_rows_free(struct fixture_rows *kept);
