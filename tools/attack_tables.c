/* Prints the constant tables of rules/attacks.h and rules/key.h as C. Runs at build time, on the build
 * machine. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/board.h"

enum { TABLE_SIZE = 107648, KEYS = 841 }; /* 102,400 for rooks and 5,248 for bishops */

static const int rook_steps[4][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 0}};
static const int bishop_steps[4][2] = {{1, 1}, {1, -1}, {-1, -1}, {-1, 1}};
static const int knight_steps[8][2] = {{1, 2},   {2, 1},   {2, -1}, {1, -2},
                                       {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}};
static const int king_steps[8][2] = {{0, 1}, {1, 1}, {1, 0}, {1, -1}, {0, -1}, {-1, -1}, {-1, 0}, {-1, 1}};

static bool on_board(int file, int rank)
{
    return file >= 0 && file < 8 && rank >= 0 && rank < 8;
}

static bitboard step(square s, const int d[2])
{
    int file = (int)square_file(s) + d[0];
    int rank = (int)square_rank(s) + d[1];
    return on_board(file, rank) ? bit((square)(rank * 8 + file)) : 0;
}

/* The squares of one ray, up to and including the first occupied one. `inner` leaves the edge square out. */
static bitboard ray(square s, const int d[2], bitboard occupied, bool inner)
{
    bitboard set = 0;
    for (;;) {
        bitboard next = step(s, d);
        if (!next)
            return set;
        s = bitboard_first(next);
        if (inner && !step(s, d))
            return set;
        set |= next;
        if (occupied & next)
            return set;
    }
}

static bitboard slide(square s, const int steps[4][2], bitboard occupied)
{
    return ray(s, steps[0], occupied, false) | ray(s, steps[1], occupied, false) |
           ray(s, steps[2], occupied, false) | ray(s, steps[3], occupied, false);
}

static uint64_t split_mix(uint64_t *state)
{
    uint64_t z = *state += 0x9E3779B97F4A7C15ULL;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ z >> 27) * 0x94D049BB133111EBULL;
    return z ^ z >> 31;
}

/* The nth subset of `mask` in PEXT order. */
static bitboard subset(bitboard mask, unsigned n)
{
    bitboard set = 0;
    for (; mask; mask &= mask - 1, n >>= 1)
        if (n & 1)
            set |= mask & -mask;
    return set;
}

static bitboard magic_table[TABLE_SIZE], pext_table[TABLE_SIZE];
static unsigned base;

static bool try_factor(uint64_t factor, unsigned bits, const bitboard *sets, const bitboard *attacks)
{
    static unsigned stamp[4096], round;
    round++;
    for (unsigned i = 0; i < 1U << bits; i++) {
        unsigned index = (unsigned)(sets[i] * factor >> (64 - bits));
        if (stamp[index] == round && magic_table[base + index] != attacks[i])
            return false;
        stamp[index] = round;
        magic_table[base + index] = attacks[i];
    }
    return true;
}

static void print_magic(square s, const int steps[4][2], uint64_t *random)
{
    static bitboard sets[4096], attacks[4096];
    bitboard mask = 0;
    for (int i = 0; i < 4; i++)
        mask |= ray(s, steps[i], 0, true);
    unsigned bits = bitboard_count(mask);
    for (unsigned i = 0; i < 1U << bits; i++) {
        sets[i] = subset(mask, i);
        pext_table[base + i] = attacks[i] = slide(s, steps, sets[i]);
    }
    uint64_t factor;
    do
        factor = split_mix(random) & split_mix(random) & split_mix(random);
    while (bitboard_count(mask * factor >> 56) < 6 || !try_factor(factor, bits, sets, attacks));
    printf("    {0x%016llXULL, 0x%016llXULL, %u, %u},\n", (unsigned long long)mask,
           (unsigned long long)factor, 64 - bits, base);
    base += 1U << bits;
}

static void print_magics(const char *name, const int steps[4][2])
{
    uint64_t random = 0x41726269746572ULL;
    printf("const struct attacks_magic %s[SQUARE_COUNT] = {\n", name);
    for (square s = 0; s < SQUARE_COUNT; s++)
        print_magic(s, steps, &random);
    printf("};\n");
}

static void print_table(const char *declaration, const uint64_t *values, unsigned count)
{
    printf("%s = {\n", declaration);
    for (unsigned i = 0; i < count; i++)
        printf("0x%llXULL,%c", (unsigned long long)values[i], i % 6 == 5 ? '\n' : ' ');
    printf("};\n");
}

static void print_steps(const char *name, const int (*steps)[2], int count)
{
    bitboard sets[SQUARE_COUNT] = {0};
    for (square s = 0; s < SQUARE_COUNT; s++)
        for (int i = 0; i < count; i++)
            sets[s] |= step(s, steps[i]);
    print_table(name, sets, SQUARE_COUNT);
}

static void print_pawns(void)
{
    static const int steps[COLOR_COUNT][2][2] = {{{-1, 1}, {1, 1}}, {{-1, -1}, {1, -1}}};
    printf("const bitboard attacks_pawn_table[COLOR_COUNT][SQUARE_COUNT] = {\n");
    for (int color = 0; color < COLOR_COUNT; color++) {
        printf("{");
        for (square s = 0; s < SQUARE_COUNT; s++)
            printf("0x%llXULL,%c", (unsigned long long)(step(s, steps[color][0]) | step(s, steps[color][1])),
                   s % 6 == 5 ? '\n' : ' ');
        printf("},\n");
    }
    printf("};\n");
}

static bitboard between(square a, square b)
{
    for (int i = 0; i < 8; i++)
        if (ray(a, king_steps[i], bit(b), false) & bit(b))
            return ray(a, king_steps[i], bit(b), false) & ~bit(b);
    return 0;
}

static bitboard line(square a, square b)
{
    for (int i = 0; i < 8; i++)
        if (ray(a, king_steps[i], 0, false) & bit(b))
            return ray(a, king_steps[i], 0, false) | ray(a, king_steps[(i + 4) % 8], 0, false) | bit(a);
    return 0;
}

static void print_pairs(const char *name, bitboard (*set)(square, square))
{
    printf("const bitboard %s[SQUARE_COUNT][SQUARE_COUNT] = {\n", name);
    for (square a = 0; a < SQUARE_COUNT; a++) {
        printf("{");
        for (square b = 0; b < SQUARE_COUNT; b++)
            printf("0x%llXULL,%c", (unsigned long long)set(a, b), b % 6 == 5 ? '\n' : ' ');
        printf("},\n");
    }
    printf("};\n");
}

static void print_keys(void)
{
    uint64_t keys[KEYS];
    uint64_t state = 0x4172626974657231ULL; /* "Arbiter1" */
    for (unsigned i = 0; i < KEYS; i++)
        keys[i] = split_mix(&state);
    printf("_Static_assert(KEY_COUNT == %d, \"rules/key.h and tools/attack_tables.c disagree\");\n", KEYS);
    print_table("const uint64_t key_table[KEY_COUNT]", keys, KEYS);
}

int main(void)
{
    printf(
        "/* Made by tools/attack_tables.c. */\n#include \"rules/attacks.h\"\n#include \"rules/key.h\"\n\n");
    print_steps("const bitboard attacks_knight_table[SQUARE_COUNT]", knight_steps, 8);
    print_steps("const bitboard attacks_king_table[SQUARE_COUNT]", king_steps, 8);
    print_pawns();
    print_pairs("attacks_between_table", between);
    print_pairs("attacks_line_table", line);
    print_magics("attacks_rook_magic", rook_steps);
    print_magics("attacks_bishop_magic", bishop_steps);
    print_table("const bitboard attacks_magic_table[]", magic_table, TABLE_SIZE);
    printf("#ifdef __x86_64__\n");
    print_table("const bitboard attacks_pext_table[]", pext_table, TABLE_SIZE);
    printf("#endif\n");
    print_keys();
    return ferror(stdout) ? EXIT_FAILURE : EXIT_SUCCESS;
}
