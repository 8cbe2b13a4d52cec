#include "games/live.h"

#include <stdlib.h>
#include <string.h>

enum { MOVES_FIRST = 16, KEYS_FIRST = 4 };

/* glibc's: a word before each block, blocks of 16 bytes, two of them at the least. */
enum { BLOCK_HEAD = 8, BLOCK_STEP = 16, BLOCK_LEAST = 32 };

void action_list_init(struct action_list *list)
{
    list->first = NULL;
    list->end = &list->first;
}

void action_list_add(struct action_list *list, struct action *action)
{
    action->next = NULL;
    *list->end = action;
    list->end = &action->next;
}

struct action *action_list_take(struct action_list *list)
{
    struct action *action = list->first;
    if (!action)
        return NULL;
    list->first = action->next;
    if (!list->first)
        list->end = &list->first;
    return action;
}

struct live *live_create(const char *id)
{
    struct live *live = calloc(1, sizeof *live);
    if (!live)
        return NULL;
    memcpy(live->game.id, id, GAME_ID_LENGTH);
    action_list_init(&live->waiting);
    return live;
}

void live_leave(struct live *live)
{
    free(live->game.moves);
    free(live->game.keys);
    free(live);
}

void live_free_owned(const struct game *game)
{
    free(game->start);
    free(game->texts);
    free(game->clock);
    free(game->seats);
    free(game->head.comment);
    free(game->head.end.decision);
    free(game->head.end.comment);
}

void live_destroy(struct live *live)
{
    if (!live)
        return;
    live_free_owned(&live->game);
    live_leave(live);
}

bool live_is_busy(const struct live *live)
{
    return live->in_flight || live->waiting.first || live->feed;
}

size_t live_allocated(size_t bytes)
{
    size_t block = (bytes + BLOCK_HEAD + BLOCK_STEP - 1) / BLOCK_STEP * BLOCK_STEP;
    return block < BLOCK_LEAST ? BLOCK_LEAST : block;
}

static size_t text_bytes(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

static size_t texts_bytes(const struct game_texts *texts)
{
    return sizeof *texts + text_bytes(texts->white_name) + text_bytes(texts->black_name) +
           text_bytes(texts->metadata) + text_bytes(texts->tags) + text_bytes(texts->comment);
}

static size_t decision_bytes(const struct game_decision *decision)
{
    return sizeof *decision + decision->length * sizeof *decision->line;
}

size_t live_owned_bytes(const struct game *game)
{
    size_t bytes = 0;
    if (game->start)
        bytes += live_allocated(sizeof *game->start);
    if (game->texts)
        bytes += live_allocated(texts_bytes(game->texts));
    if (game->clock)
        bytes += live_allocated(sizeof *game->clock);
    if (game->seats)
        bytes += live_allocated(sizeof *game->seats);
    if (game->head.comment)
        bytes += live_allocated(text_bytes(game->head.comment));
    if (game->head.end.comment)
        bytes += live_allocated(text_bytes(game->head.end.comment));
    if (game->head.end.decision)
        bytes += live_allocated(decision_bytes(game->head.end.decision));
    return bytes;
}

size_t live_bytes(const struct live *live)
{
    const struct game *game = &live->game;
    return live_allocated(sizeof *live) + live_allocated(game->moves_capacity * sizeof *game->moves) +
           live_allocated(game->keys_capacity * sizeof *game->keys) + live_owned_bytes(game);
}

static bool grow(void **array, uint32_t *capacity, size_t needed, size_t first, size_t item)
{
    if (needed <= *capacity)
        return true;
    size_t larger = *capacity ? *capacity + *capacity / 2 : first;
    if (larger < needed)
        larger = needed;
    void *grown = realloc(*array, larger * item);
    if (!grown)
        return false;
    *array = grown;
    *capacity = (uint32_t)larger;
    return true;
}

bool live_reserve(struct live *live, unsigned plies, unsigned keys)
{
    struct game *game = &live->game;
    size_t keys_needed = (size_t)game->head.keys_first + game->head.keys_count + keys;
    void *moves = game->moves;
    void *all_keys = game->keys;
    bool ok = grow(&moves, &game->moves_capacity, plies, MOVES_FIRST, sizeof *game->moves);
    game->moves = moves;
    ok = ok && grow(&all_keys, &game->keys_capacity, keys_needed, KEYS_FIRST, sizeof *game->keys);
    game->keys = all_keys;
    return ok;
}

void live_compact(struct live *live)
{
    struct game *game = &live->game;
    struct game_head *head = &game->head;
    if (head->keys_first != 0) {
        memmove(game->keys, game->keys + head->keys_first, head->keys_count * sizeof *game->keys);
        head->keys_first = 0;
    }
    if (game->keys_capacity < 4U * KEYS_FIRST || head->keys_count > game->keys_capacity / 4)
        return;
    uint32_t capacity = head->keys_count + KEYS_FIRST;
    uint64_t *keys = realloc(game->keys, capacity * sizeof *keys);
    if (keys) {
        game->keys = keys;
        game->keys_capacity = capacity;
    }
}

bool game_texts_empty(const struct game_texts *texts)
{
    return !texts ||
           (!texts->white_name && !texts->black_name && !texts->metadata && !texts->tags && !texts->comment);
}

static const char *place(char **at, const char *text)
{
    if (!text)
        return NULL;
    size_t size = strlen(text) + 1;
    const char *placed = memcpy(*at, text, size);
    *at += size;
    return placed;
}

struct game_texts *game_texts_copy(const struct game_texts *texts)
{
    struct game_texts *copy = malloc(texts_bytes(texts));
    if (!copy)
        return NULL;
    char *at = (char *)(copy + 1);
    copy->white_name = place(&at, texts->white_name);
    copy->black_name = place(&at, texts->black_name);
    copy->metadata = place(&at, texts->metadata);
    copy->tags = place(&at, texts->tags);
    copy->comment = place(&at, texts->comment);
    return copy;
}

bool live_set_texts(struct live *live, const struct game_texts *texts)
{
    struct game_texts *copy = NULL;
    if (!game_texts_empty(texts) && !(copy = game_texts_copy(texts)))
        return false;
    free(live->game.texts);
    live->game.texts = copy;
    return true;
}

bool live_set_clock(struct live *live, const struct time_control *control)
{
    struct clock *clock = NULL;
    if (control) {
        clock = malloc(sizeof *clock);
        if (!clock)
            return false;
        clock_begin(clock, control);
    }
    free(live->game.clock);
    live->game.clock = clock;
    return true;
}

bool live_set_seats(struct live *live, const struct game_seats *seats)
{
    struct game_seats *copy = NULL;
    if (seats) {
        copy = malloc(sizeof *copy);
        if (!copy)
            return false;
        *copy = *seats;
    }
    free(live->game.seats);
    live->game.seats = copy;
    return true;
}

bool live_set_start(struct live *live, const struct position *start)
{
    struct position *copy = NULL;
    if (start) {
        copy = malloc(sizeof *copy);
        if (!copy)
            return false;
        *copy = *start;
    }
    free(live->game.start);
    live->game.start = copy;
    return true;
}
