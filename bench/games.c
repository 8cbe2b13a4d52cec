/* Games of random legal moves for the load generator. games uci|pgn COUNT PLIES
 *
 * Every game has exactly PLIES half-moves, goes on after them, and meets no third repetition and no fifty moves without
 * a capture or a pawn move. The same arguments print the same games.
 *     uci   a line a game: its moves in UCI, a TAB, the FEN of its last position
 *     pgn   seven tags and the moves, with the result *
 * Exit status 1 where a hundred games of eighty half-moves or more (but no long ones) are without castling on either side,
 * en passant or a promotion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/ending.h"
#include "rules/fen.h"
#include "rules/notation.h"

enum {
    PLIES_MAX = 20000,
    TRIES = 64,         /* random moves that are looked at before a game is begun anew */
    LONG_GAME = 120,    /* plies; longer ones have to be sparing with captures and pawn moves */
    PATIENCE = 40,      /* so many half-moves without one, in a long game */
    CLOCK_MAX = 98,     /* of half-moves: one more, and fifty moves could be claimed */
    GAMES_JUDGED = 100, /* as many, of so many plies, have to show every kind of move */
    JUDGED_PLIES = 80,
};

struct game {
    unsigned plies;
    move moves[PLIES_MAX];
    struct position positions[PLIES_MAX + 1];
    uint64_t keys[PLIES_MAX + 1];
};

struct kinds {
    unsigned kingside, queenside, en_passant, promotion;
};

static uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);

/* xorshift64* (S. Vigna). */
static unsigned random_below(unsigned limit)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (unsigned)((seed * UINT64_C(0x2545f4914f6cdd1d)) >> 33) % limit;
}

/* Whether the game may go on with this position, which is that after `plies` half-moves. */
static bool goes_on(const struct game *game, unsigned plies, const struct position *after)
{
    static const struct ending_rules rules = {.fivefold = true, .seventyfive = true};
    unsigned times = 1;
    for (unsigned i = plies; i-- > 0 && times < ENDING_THREEFOLD;)
        times += game->keys[i] == after->key;
    return times < ENDING_THREEFOLD && after->halfmove_clock <= CLOCK_MAX &&
           ending_judge(after, movegen_count(after), times, &rules).first == ENDING_NONE;
}

/* A random move after which the game goes on; false: none was met. */
static bool play_one(struct game *game, unsigned wanted)
{
    const struct position *now = &game->positions[game->plies];
    struct movelist list;
    movegen_legal(now, &list);
    for (unsigned i = 0; i < TRIES; i++) {
        move m = list.moves[random_below(list.count)];
        struct position *after = &game->positions[game->plies + 1];
        position_play(now, m, after);
        bool is_early = wanted > LONG_GAME && after->halfmove_clock == 0 && now->halfmove_clock < PATIENCE;
        if ((is_early && i < TRIES / 2) || !goes_on(game, game->plies + 1, after))
            continue;
        game->moves[game->plies++] = m;
        game->keys[game->plies] = after->key;
        return true;
    }
    return false;
}

static void play_game(struct game *game, unsigned wanted)
{
    do {
        game->plies = 0;
        game->positions[0] = position_initial();
        game->keys[0] = game->positions[0].key;
        while (game->plies < wanted && play_one(game, wanted))
            ;
    } while (game->plies < wanted);
}

static void count_kinds(const struct game *game, struct kinds *kinds)
{
    for (unsigned i = 0; i < game->plies; i++) {
        struct move_facts facts = position_move_facts(&game->positions[i], game->moves[i]);
        kinds->kingside += facts.castling && facts.side == CASTLING_KINGSIDE;
        kinds->queenside += facts.castling && facts.side == CASTLING_QUEENSIDE;
        kinds->en_passant += facts.en_passant;
        kinds->promotion += facts.promotion != PIECE_NONE;
    }
}

static void print_uci(const struct game *game)
{
    char text[NOTATION_UCI_SIZE];
    char fen[FEN_SIZE];
    for (unsigned i = 0; i < game->plies; i++) {
        (void)notation_format_uci(&game->positions[i], game->moves[i], text);
        (void)printf("%s%s", i ? " " : "", text);
    }
    (void)fen_format(&game->positions[game->plies], FEN_EN_PASSANT_LEGAL, fen);
    (void)printf("\t%s\n", fen);
}

static void print_pgn(const struct game *game)
{
    char text[NOTATION_SAN_SIZE];
    (void)printf(
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n"
        "[Result \"*\"]\n\n");
    for (unsigned i = 0; i < game->plies; i++) {
        (void)notation_format_san(&game->positions[i], game->moves[i], text);
        (void)printf("%s%c", text, i % 12 == 11 ? '\n' : ' ');
    }
    (void)printf("*\n\n");
}

int main(int argc, char **argv)
{
    static struct game game;
    struct kinds kinds = {0};
    unsigned long count = argc == 4 ? strtoul(argv[2], NULL, 10) : 0;
    unsigned long plies = argc == 4 ? strtoul(argv[3], NULL, 10) : 0;
    bool is_pgn = argc == 4 && strcmp(argv[1], "pgn") == 0;
    if (count == 0 || plies == 0 || plies > PLIES_MAX || (!is_pgn && strcmp(argv[1], "uci") != 0)) {
        (void)fprintf(stderr, "usage: games uci|pgn COUNT PLIES\n");
        return 2;
    }
    for (unsigned long i = 0; i < count; i++) {
        play_game(&game, (unsigned)plies);
        count_kinds(&game, &kinds);
        (is_pgn ? print_pgn : print_uci)(&game);
    }
    bool has_all = kinds.kingside && kinds.queenside && kinds.en_passant && kinds.promotion;
    if (count >= GAMES_JUDGED && plies >= JUDGED_PLIES && plies <= LONG_GAME && !has_all) {
        (void)fprintf(stderr, "games: a kind of move does not occur\n");
        return 1;
    }
    return 0;
}
