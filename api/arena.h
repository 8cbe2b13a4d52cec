/* arena: memory that lives as long as one request.
 *
 * Layer: api (service embeds one in each request). A bump allocator: blocks are taken from malloc, nothing
 * is freed on its own, arena_finish frees all. Handlers free nothing and therefore cannot leak.
 * Threads: one thread at a time; a request may move between threads, but is never in two at once.
 * Errors: NULL only where malloc gives NULL (or a size that no memory holds). */
#pragma once

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena_block;
struct arena_hold;

struct arena {
    struct arena_block *blocks; /* newest first; owned */
    unsigned char *next;        /* free bytes of the newest block */
    size_t left;
    struct arena_hold *holds; /* newest first; in the blocks */
    bool is_wiped;            /* when it is finished or reset */
};

/* A zeroed struct arena is a valid empty one. */
void arena_init(struct arena *arena);
/* Frees all blocks; the arena is empty and usable again. */
void arena_finish(struct arena *arena);
/* Frees all but one block of the usual size, which is kept for the next use: a request that follows allocates
 * nothing. */
void arena_reset(struct arena *arena);

/* What the memory points to may belong to others: `release` is called with it, once, when the arena is finished or reset.
 * False: memory is out, and nothing is held. */
bool arena_hold(struct arena *arena, void (*release)(void *held), void *held);

/* The memory has held a token or will: all of it is overwritten before others get it. */
void arena_wipe_at_end(struct arena *arena);

/* `size` bytes, aligned for any scalar type, not zeroed; NULL when memory is out. size 0 gives a valid
 * pointer. */
void *arena_alloc(struct arena *arena, size_t size);
/* The same, zeroed. */
void *arena_zalloc(struct arena *arena, size_t size);
/* `block` of `old_size` bytes (NULL when 0) with room for `new_size`: in place where it was the last piece
 * taken, else moved. NULL when memory is out; the old piece stays valid. */
void *arena_grow(struct arena *arena, void *block, size_t old_size, size_t new_size);
/* A copy of `length` bytes with a NUL behind it. */
char *arena_copy(struct arena *arena, const char *text, size_t length);
/* printf into the arena; NULL when memory is out. */
__attribute__((format(printf, 2, 3))) char *arena_printf(struct arena *arena, const char *format, ...);
__attribute__((format(printf, 2, 0))) char *arena_vprintf(struct arena *arena, const char *format,
                                                          va_list arguments);
/* A list for people grows by a word: "a, b" of "a" and "b"; `list` is "" at first. NULL when memory is out,
 * or was before: a NULL list stays one. */
const char *arena_join(struct arena *arena, const char *list, const char *word);
