#include "api/arena.h"

#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/secret.h"

enum {
    ALIGNMENT = alignof(max_align_t),
    /* One block holds a usual request with its answer, so that the steady state allocates nothing. With
     * malloc's own header it stays within four pages. */
    USUAL_BYTES = 16384 - 64,
};

struct arena_block {
    struct arena_block *older;
    size_t size; /* bytes of data */
    alignas(max_align_t) unsigned char data[];
};

struct arena_hold {
    struct arena_hold *older;
    void (*release)(void *held);
    void *held;
};

void arena_init(struct arena *arena)
{
    *arena = (struct arena){0};
}

static void use_block(struct arena *arena, struct arena_block *block)
{
    arena->blocks = block;
    arena->next = block->data;
    arena->left = block->size;
}

static void free_blocks(struct arena_block *block)
{
    while (block) {
        struct arena_block *older = block->older;
        free(block);
        block = older;
    }
}

void arena_wipe_at_end(struct arena *arena)
{
    arena->is_wiped = true;
}

/* The newest block is written as far as it is given out; of the others nobody knows. */
static void wipe(struct arena *arena)
{
    if (!arena->is_wiped)
        return;
    arena->is_wiped = false;
    for (struct arena_block *block = arena->blocks; block; block = block->older) {
        bool is_newest = block == arena->blocks && arena->next;
        secret_forget(block->data, is_newest ? (size_t)(arena->next - block->data) : block->size);
    }
}

static void release_all(struct arena *arena)
{
    for (const struct arena_hold *hold = arena->holds; hold; hold = hold->older)
        hold->release(hold->held);
    arena->holds = NULL;
}

void arena_finish(struct arena *arena)
{
    release_all(arena);
    wipe(arena);
    free_blocks(arena->blocks);
    arena_init(arena);
}

void arena_reset(struct arena *arena)
{
    release_all(arena);
    wipe(arena);
    struct arena_block **link = &arena->blocks;
    while (*link && (*link)->size != USUAL_BYTES)
        link = &(*link)->older;
    struct arena_block *kept = *link;
    if (kept)
        *link = kept->older;
    arena_finish(arena);
    if (kept) {
        kept->older = NULL;
        use_block(arena, kept);
    }
}

static struct arena_block *make_block(size_t size)
{
    if (size > SIZE_MAX - sizeof(struct arena_block))
        return NULL;
    struct arena_block *block = malloc(sizeof *block + size);
    if (block)
        block->size = size;
    return block;
}

/* A piece that would waste a whole block gets one of its own, behind the one that is being filled. */
static void *alloc_apart(struct arena *arena, size_t size)
{
    struct arena_block *block = make_block(size);
    if (!block)
        return NULL;
    if (!arena->blocks) {
        block->older = NULL;
        arena->blocks = block;
        return block->data;
    }
    block->older = arena->blocks->older;
    arena->blocks->older = block;
    return block->data;
}

static size_t rounded(size_t size)
{
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

void *arena_alloc(struct arena *arena, size_t size)
{
    if (size > SIZE_MAX / 2)
        return NULL;
    size_t taken = rounded(size ? size : 1);
    if (taken > arena->left) {
        if (taken > USUAL_BYTES / 4)
            return alloc_apart(arena, taken);
        struct arena_block *block = make_block(USUAL_BYTES);
        if (!block)
            return NULL;
        block->older = arena->blocks;
        use_block(arena, block);
    }
    void *piece = arena->next;
    arena->next += taken;
    arena->left -= taken;
    return piece;
}

void *arena_zalloc(struct arena *arena, size_t size)
{
    void *piece = arena_alloc(arena, size);
    if (piece)
        memset(piece, 0, size);
    return piece;
}

bool arena_hold(struct arena *arena, void (*release)(void *held), void *held)
{
    struct arena_hold *hold = arena_alloc(arena, sizeof *hold);
    if (!hold)
        return false;
    *hold = (struct arena_hold){arena->holds, release, held};
    arena->holds = hold;
    return true;
}

static bool grow_in_place(struct arena *arena, const unsigned char *block, size_t old_size, size_t new_size)
{
    size_t held = rounded(old_size), wanted = rounded(new_size);
    if (new_size > SIZE_MAX / 2 || block + held != arena->next || wanted - held > arena->left)
        return false;
    arena->next += wanted - held;
    arena->left -= wanted - held;
    return true;
}

void *arena_grow(struct arena *arena, void *block, size_t old_size, size_t new_size)
{
    if (new_size <= old_size)
        return block;
    if (old_size && grow_in_place(arena, block, old_size, new_size))
        return block;
    void *moved = arena_alloc(arena, new_size);
    if (moved && old_size)
        memcpy(moved, block, old_size);
    return moved;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = length < SIZE_MAX ? arena_alloc(arena, length + 1) : NULL;
    if (!copy)
        return NULL;
    if (length)
        memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}

char *arena_vprintf(struct arena *arena, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    char *text = length < 0 ? NULL : arena_alloc(arena, (size_t)length + 1);
    if (text)
        (void)vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}

char *arena_printf(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = arena_vprintf(arena, format, arguments);
    va_end(arguments);
    return text;
}

const char *arena_join(struct arena *arena, const char *list, const char *word)
{
    if (!list)
        return NULL;
    return arena_printf(arena, *list ? "%s, %s" : "%s%s", list, word);
}
