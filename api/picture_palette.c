#include "api/picture_palette.h"

#include <stdlib.h>

enum { TABLE_BITS = 14, TABLE_SIZE = 1 << TABLE_BITS, DISTINCT_MAX = TABLE_SIZE / 2 };

static uint32_t rgb_of(struct paint color)
{
    return (uint32_t)color.r << 16 | (uint32_t)color.g << 8 | color.b;
}

/* Where that colour is, or would be. */
static struct palette_entry *find(const struct palette *palette, uint32_t rgb)
{
    uint32_t at = rgb * 2654435761U >> (32 - TABLE_BITS);
    while (palette->table[at].pixels && palette->table[at].rgb != rgb)
        at = (at + 1) % TABLE_SIZE;
    return &palette->table[at];
}

/* Colours beyond so many that a table holds them are left out: they are met by their nearest one. */
static void count_row(struct palette *palette, const struct paint *pixels, unsigned width)
{
    struct palette_entry *entry = NULL;
    for (unsigned x = 0; x < width; x++) {
        uint32_t rgb = rgb_of(pixels[x]);
        if (!entry || entry->rgb != rgb) {
            entry = find(palette, rgb);
            if (entry->pixels == 0 && palette->distinct == DISTINCT_MAX) {
                entry = NULL;
                continue;
            }
            palette->distinct += entry->pixels == 0;
            entry->rgb = rgb;
        }
        entry->pixels++;
    }
}

/* The colour breaks ties, so that the same picture is always the same bytes. */
static int by_frequency(const void *a, const void *b)
{
    const struct palette_entry *x = a;
    const struct palette_entry *y = b;
    if (x->pixels != y->pixels)
        return x->pixels > y->pixels ? -1 : 1;
    return x->rgb < y->rgb ? -1 : 1;
}

static unsigned square_of(int difference)
{
    return (unsigned)(difference * difference);
}

static uint8_t nearest(const struct palette *palette, uint32_t rgb)
{
    unsigned best = 0, least = UINT32_MAX;
    for (unsigned i = 0; i < palette->count; i++) {
        uint32_t color = palette->colors[i];
        unsigned far = square_of((int)(color >> 16) - (int)(rgb >> 16)) +
                       square_of((int)(color >> 8 & 0xFF) - (int)(rgb >> 8 & 0xFF)) +
                       square_of((int)(color & 0xFF) - (int)(rgb & 0xFF));
        if (far < least) {
            least = far;
            best = i;
        }
    }
    return (uint8_t)best;
}

static bool choose(struct palette *palette, struct arena *arena)
{
    struct palette_entry *entries = arena_alloc(arena, palette->distinct * sizeof *entries);
    if (!entries)
        return false;
    unsigned count = 0;
    for (unsigned i = 0; i < TABLE_SIZE; i++) {
        if (palette->table[i].pixels)
            entries[count++] = palette->table[i];
    }
    qsort(entries, count, sizeof *entries, by_frequency);
    palette->count = count < PALETTE_MAX ? count : PALETTE_MAX;
    for (unsigned i = 0; i < palette->count; i++)
        palette->colors[i] = entries[i].rgb;
    for (unsigned i = 0; i < count; i++) {
        uint32_t rgb = entries[i].rgb;
        find(palette, rgb)->index = i < palette->count ? (uint8_t)i : nearest(palette, rgb);
    }
    return true;
}

bool palette_make(struct palette *palette, struct arena *arena, const struct canvas *canvas)
{
    palette->count = palette->distinct = 0;
    palette->table = arena_zalloc(arena, TABLE_SIZE * sizeof *palette->table);
    if (!palette->table)
        return false;
    for (unsigned y = 0; y < canvas->height; y++)
        count_row(palette, canvas->pixels + (size_t)y * canvas->width, canvas->width);
    return choose(palette, arena);
}

void palette_row(const struct palette *palette, const struct paint *pixels, unsigned width, uint8_t *indices)
{
    const struct palette_entry *entry = NULL;
    for (unsigned x = 0; x < width; x++) {
        uint32_t rgb = rgb_of(pixels[x]);
        if (!entry || entry->rgb != rgb)
            entry = find(palette, rgb);
        indices[x] = entry->pixels ? entry->index : nearest(palette, rgb);
        if (!entry->pixels)
            entry = NULL;
    }
}
