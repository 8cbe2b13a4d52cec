#include "tests/support/storage_fixture.h"

#include <dirent.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

char *fixture_make_folder(void)
{
    const char *base = getenv("TMPDIR");
    char *folder = fixture_path(base && *base ? base : "/tmp", "arbiter-test-XXXXXX");
    assert_non_null(mkdtemp(folder));
    return folder;
}

char *fixture_path(const char *folder, const char *name)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s/%s", folder, name) > 0);
    return path;
}

static int is_file(const struct dirent *entry)
{
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

void fixture_remove_folder(char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_file, alphasort);
    for (int i = 0; i < count; i++) {
        char *path = fixture_path(folder, entries[i]->d_name);
        (void)remove(path);
        free(path);
        free(entries[i]);
    }
    free(entries);
    assert_int_equal(rmdir(folder), 0);
    free(folder);
}

static uint64_t sum(uint64_t so_far, const unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        so_far = (so_far ^ bytes[i]) * 0x100000001B3U;
    return so_far;
}

static uint64_t sum_of_file(uint64_t so_far, const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return so_far;
    unsigned char block[4096];
    size_t size = 0;
    while ((size = fread(block, 1, sizeof block, file)) > 0)
        so_far = sum(so_far, block, size);
    (void)fclose(file);
    return so_far;
}

uint64_t fixture_sum_of_folder(const char *folder)
{
    struct dirent **entries = NULL;
    int count = scandir(folder, &entries, is_file, alphasort);
    assert_true(count >= 0);
    uint64_t so_far = 0xCBF29CE484222325U;
    for (int i = 0; i < count; i++) {
        const char *name = entries[i]->d_name;
        char *path = fixture_path(folder, name);
        so_far = sum(so_far, (const unsigned char *)name, strlen(name) + 1);
        so_far = sum_of_file(so_far, path);
        free(path);
        free(entries[i]);
    }
    free(entries);
    return so_far;
}

struct storage *fixture_open(const char *url)
{
    const struct storage_options options = {0};
    char error[STORAGE_ERROR_SIZE];
    struct storage *storage = NULL;
    if (storage_open(url, &options, &storage, error) != STORAGE_OPENED)
        fail_msg("%s", error);
    return storage;
}

struct answer {
    const struct storage_write *write;
    enum storage_status status;
};

struct fixture_answers {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct answer *answers;
    size_t submitted, answered;
};

struct fixture_answers *fixture_answers_create(void)
{
    struct fixture_answers *answers = calloc(1, sizeof *answers);
    assert_non_null(answers);
    assert_int_equal(pthread_mutex_init(&answers->mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&answers->changed, NULL), 0);
    return answers;
}

void fixture_answers_destroy(struct fixture_answers *answers)
{
    (void)pthread_cond_destroy(&answers->changed);
    (void)pthread_mutex_destroy(&answers->mutex);
    free(answers->answers);
    free(answers);
}

static void note_answer(struct storage_write *write, enum storage_status status)
{
    struct fixture_answers *answers = write->owner;
    (void)pthread_mutex_lock(&answers->mutex);
    answers->answers[answers->answered++] = (struct answer){write, status};
    (void)pthread_cond_broadcast(&answers->changed);
    (void)pthread_mutex_unlock(&answers->mutex);
}

void fixture_submit(struct storage *storage, struct fixture_answers *answers, struct storage_write *writes,
                    size_t count)
{
    (void)pthread_mutex_lock(&answers->mutex);
    answers->submitted += count;
    struct answer *room = realloc(answers->answers, answers->submitted * sizeof *room);
    assert_non_null(room);
    answers->answers = room;
    (void)pthread_mutex_unlock(&answers->mutex);
    for (size_t i = 0; i < count; i++) {
        writes[i].done = note_answer;
        writes[i].owner = answers;
        storage_submit(storage, &writes[i]);
    }
}

void fixture_await(struct fixture_answers *answers)
{
    (void)pthread_mutex_lock(&answers->mutex);
    while (answers->answered < answers->submitted)
        (void)pthread_cond_wait(&answers->changed, &answers->mutex);
    (void)pthread_mutex_unlock(&answers->mutex);
}

enum storage_status fixture_answer(const struct fixture_answers *answers, const struct storage_write *write)
{
    for (size_t i = answers->answered; i-- > 0;)
        if (answers->answers[i].write == write)
            return answers->answers[i].status;
    fail_msg("the write was not answered");
    return STORAGE_UNAVAILABLE;
}

size_t fixture_answered(struct fixture_answers *answers)
{
    (void)pthread_mutex_lock(&answers->mutex);
    size_t answered = answers->answered;
    (void)pthread_mutex_unlock(&answers->mutex);
    return answered;
}

enum storage_status fixture_write(struct storage *storage, struct storage_write *write)
{
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(storage, answers, write, 1);
    fixture_await(answers);
    enum storage_status status = fixture_answer(answers, write);
    fixture_answers_destroy(answers);
    return status;
}

struct storage_write fixture_creation(const char *id)
{
    static const struct storage_action created = {.version = 1,
                                                  .at_ms = 1000,
                                                  .kind = "created",
                                                  .position_key = 1,
                                                  .white_ms = -1,
                                                  .black_ms = -1,
                                                  .spent_ms = -1,
                                                  .service_ms = -1};
    return (struct storage_write){
        .kind = STORAGE_CREATE,
        .game = {.id = id,
                 .variant = "standard",
                 .rules = "{}",
                 .created_at_ms = 1000,
                 .access = "open",
                 .visibility = "public",
                 .status = "active"},
        .actions = &created,
        .action_count = 1,
    };
}

struct storage_write fixture_moves(int64_t key, struct storage_action *actions, size_t count,
                                   uint32_t version)
{
    static const char *const moves[] = {"g1f3", "g8f6", "f3g1", "f6g8"};
    static const char *const sans[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    for (size_t i = 0; i < count; i++) {
        uint32_t ply = version + (uint32_t)i;
        actions[i] = (struct storage_action){
            .version = ply + 1,
            .at_ms = 1000 + ply,
            .kind = "move",
            .seat = ply % 2 == 1 ? "white" : "black",
            .ply = ply,
            .move = moves[(ply - 1) % 4],
            .san = sans[(ply - 1) % 4],
            .position_key = ply * UINT64_C(0x9E3779B97F4A7C15),
            .white_ms = -1,
            .black_ms = -1,
            .spent_ms = -1,
            .service_ms = -1,
        };
    }
    return (struct storage_write){
        .kind = STORAGE_APPEND, .game = {.key = key}, .actions = actions, .action_count = count};
}

struct storage_write fixture_beat(int64_t service_ms)
{
    return (struct storage_write){.kind = STORAGE_BEAT, .service_ms = service_ms};
}

int64_t fixture_create(struct storage *storage, const char *id)
{
    struct storage_write write = fixture_creation(id);
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    assert_true(write.game.key > 0);
    return write.game.key;
}

static const char *copy(const char *text)
{
    if (!text)
        return NULL;
    char *copied = strdup(text);
    assert_non_null(copied);
    return copied;
}

static bool goes_on(const struct fixture_rows *kept)
{
    return kept->stop_after == 0 || kept->game_count + kept->action_count < kept->stop_after;
}

/* Where the texts of a row stand, so that a row can be copied and freed by one loop. */
static const size_t game_texts[] = {
    offsetof(struct storage_game, id),         offsetof(struct storage_game, variant),
    offsetof(struct storage_game, start),      offsetof(struct storage_game, rules),
    offsetof(struct storage_game, clock),      offsetof(struct storage_game, tags),
    offsetof(struct storage_game, access),     offsetof(struct storage_game, visibility),
    offsetof(struct storage_game, white_name), offsetof(struct storage_game, black_name),
    offsetof(struct storage_game, metadata),   offsetof(struct storage_game, tokens),
    offsetof(struct storage_game, status),     offsetof(struct storage_game, result),
    offsetof(struct storage_game, termination)};
static const size_t action_texts[] = {
    offsetof(struct storage_action, kind), offsetof(struct storage_action, seat),
    offsetof(struct storage_action, move), offsetof(struct storage_action, san),
    offsetof(struct storage_action, payload)};

static void own_texts(void *row, const size_t *offsets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char **text = (const char **)(void *)((char *)row + offsets[i]);
        *text = copy(*text);
    }
}

static void free_texts(void *row, const size_t *offsets, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char **text = (char **)(void *)((char *)row + offsets[i]);
        free(*text);
    }
}

static bool keep_game(void *context, const struct storage_game *row)
{
    struct fixture_rows *kept = context;
    struct storage_game *games = realloc(kept->games, (kept->game_count + 1) * sizeof *games);
    assert_non_null(games);
    kept->games = games;
    games[kept->game_count] = *row;
    own_texts(&games[kept->game_count++], game_texts, sizeof game_texts / sizeof game_texts[0]);
    return goes_on(kept);
}

static bool keep_action(void *context, const struct storage_action *row)
{
    struct fixture_rows *kept = context;
    struct storage_action *actions = realloc(kept->actions, (kept->action_count + 1) * sizeof *actions);
    assert_non_null(actions);
    kept->actions = actions;
    actions[kept->action_count] = *row;
    own_texts(&actions[kept->action_count++], action_texts, sizeof action_texts / sizeof action_texts[0]);
    return goes_on(kept);
}

struct storage_rows fixture_keep(struct fixture_rows *kept)
{
    return (struct storage_rows){.context = kept, .game = keep_game, .action = keep_action};
}

void fixture_rows_free(struct fixture_rows *kept)
{
    for (size_t i = 0; i < kept->game_count; i++)
        free_texts(&kept->games[i], game_texts, sizeof game_texts / sizeof game_texts[0]);
    for (size_t i = 0; i < kept->action_count; i++)
        free_texts(&kept->actions[i], action_texts, sizeof action_texts / sizeof action_texts[0]);
    free(kept->games);
    free(kept->actions);
    *kept = (struct fixture_rows){0};
}
