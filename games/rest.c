#include "games/rest.h"

#include <stdlib.h>
#include <string.h>

/* Of a usual game two words of five are 0: no clock, no offer, no end, no text. A new member needs nothing here. */
enum { WORD = sizeof(uint64_t), WORDS = sizeof(struct game) / WORD };
_Static_assert(sizeof(struct game) % WORD == 0 && WORDS <= 64, "rest.present has a bit a word");

/* Without what the block has by itself. */
static struct game bare(const struct game *game)
{
    struct game bare = *game;
    bare.moves = NULL;
    bare.keys = NULL;
    bare.moves_capacity = bare.keys_capacity = 0;
    bare.head.keys_first = 0;
    memset(bare.id, 0, sizeof bare.id);
    return bare;
}

static size_t words_present(uint64_t present)
{
    return (size_t)__builtin_popcountll(present);
}

static size_t block_bytes(uint64_t present, const struct game *game)
{
    return sizeof(struct rest) + (words_present(present) + game->head.keys_count) * WORD +
           game->head.ply * sizeof *game->moves;
}

/* `from` may be NULL where there is nothing, which memcpy does not allow: a game without moves has none. */
static void copy(void *to, const void *from, size_t bytes)
{
    if (bytes)
        memcpy(to, from, bytes);
}

struct rest *rest_create(const struct live *live)
{
    const struct game *game = &live->game;
    struct game kept = bare(game);
    uint64_t words[WORDS], present = 0;
    memcpy(words, &kept, sizeof words);
    for (unsigned i = 0; i < WORDS; i++)
        present |= (uint64_t)(words[i] != 0) << i;
    struct rest *rest = malloc(block_bytes(present, game));
    if (!rest)
        return NULL;
    rest->entry = live->entry;
    memcpy(rest->entry.id, game->id, GAME_ID_LENGTH);
    rest->entry.rests = true;
    rest->present = present;
    uint64_t *next = rest->words;
    for (uint64_t left = present; left; left &= left - 1)
        *next++ = words[__builtin_ctzll(left)];
    copy(next, game->keys + game->head.keys_first, game->head.keys_count * sizeof *game->keys);
    copy(next + game->head.keys_count, game->moves, game->head.ply * sizeof *game->moves);
    return rest;
}

struct game rest_view(struct rest *rest)
{
    struct game game;
    uint64_t words[WORDS] = {0};
    uint64_t *next = rest->words;
    for (uint64_t left = rest->present; left; left &= left - 1)
        words[__builtin_ctzll(left)] = *next++;
    memcpy(&game, words, sizeof game);
    memcpy(game.id, rest->entry.id, GAME_ID_LENGTH);
    game.keys = next;
    game.moves = (move *)(next + game.head.keys_count);
    return game;
}

struct live *rest_wake(struct rest *rest)
{
    struct game game = rest_view(rest);
    struct live *live = live_create(game.id);
    if (!live)
        return NULL;
    live->entry = rest->entry;
    live->entry.rests = false;
    live->game.head.keys_count = game.head.keys_count;
    if (!live_reserve(live, game.head.ply + 1U, 1)) {
        live_leave(live);
        return NULL;
    }
    struct game *awake = &live->game;
    memcpy(awake->moves, game.moves, game.head.ply * sizeof *game.moves);
    memcpy(awake->keys, game.keys, game.head.keys_count * sizeof *game.keys);
    game.moves = awake->moves;
    game.keys = awake->keys;
    game.moves_capacity = awake->moves_capacity;
    game.keys_capacity = awake->keys_capacity;
    *awake = game;
    free(rest);
    return live;
}

void rest_destroy(struct rest *rest)
{
    struct game game = rest_view(rest);
    live_free_owned(&game);
    free(rest);
}

size_t rest_bytes(struct rest *rest)
{
    struct game game = rest_view(rest);
    return live_allocated(block_bytes(rest->present, &game)) + live_owned_bytes(&game);
}
