#include "tests/rules/random_games.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/fen.h"
#include "tests/rules/board_print.h"
#include "tests/support/chance.h"

#ifdef __has_feature /* clang's way to say what GCC says with macros */
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#elif __has_feature(thread_sanitizer)
#define __SANITIZE_THREAD__ 1
#endif
#endif

#if defined(__SANITIZE_THREAD__)
enum { POSITIONS = 4000 };
#elif defined(__SANITIZE_ADDRESS__)
enum { POSITIONS = 10000 };
#else
enum { POSITIONS = 100000 };
#endif

enum { SEED = 20230101, PLIES_MAX = 150, STREWN_PLIES_MAX = 25 };

static const struct start {
    const char *label;
    bool chess960;
    const char *fen;
} starts[] = {
    {"first position", false, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"},
    {"rich in everything", false, "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"},
    {"fewest men round two kings", false, "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 12 40"},
    {"castling under fire", false, "r3k2r/1b4bq/8/8/8/8/1B4BQ/R3K2R w KQkq - 3 9"},
    {"pawns only", false, "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1"},
    {"pawns about to pass each other", false, "4k3/1p1p1p1p/8/P1P1P1P1/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1"},
    {"en passant on the king's rank", false, "8/1p1p1p1p/8/K1P1P1Pr/R1p1p1pk/8/1P1P1P1P/8 b - - 0 1"},
    {"en passant on the king's diagonals", false, "b3k2b/2p1p3/8/1P1P1P2/1p1p1p2/8/2P1P3/B3K2B w - - 0 1"},
    {"en passant on the king's file", false, "3rkr2/2p1p1p1/8/3P1P2/3p1p2/8/2P1P1P1/3RKR2 b - - 0 1"},
    {"pawns before the last rank", false, "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1"},
    {"promotion by capture of castling rooks", false, "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R w KQkq - 0 1"},
    {"nine queens each", false, "qqqqkqqq/q7/8/8/8/8/7Q/QQQQKQQQ w - - 0 1"},
    {"218 moves", false, "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1"},
    {"knights everywhere", false, "1nnnknn1/n1n1n1n1/8/8/8/8/N1N1N1N1/1NNNKNN1 w - - 0 1"},
    {"rooks and bishops on lines", false, "rbrbkbrb/8/8/8/8/8/8/RBRBKBRB w - - 0 1"},
    {"fifty moves nearly over", false, "4k3/3p4/8/4q3/4Q3/8/3P4/4K3 w - - 97 120"},
    {"Chess960 king between near rooks", true, "1rkr4/pppppppp/8/8/8/8/PPPPPPPP/1RKR4 w DBdb - 0 1"},
    {"Chess960 inner rooks", true, "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1"},
    {"Chess960 rook as a shield", true, "4k3/8/8/3n4/3N4/8/8/rR2K3 w B - 0 1"},
    {"Chess960 rooks round a corner king", true, "5rkr/5ppp/8/8/8/8/5PPP/5RKR b HFhf - 0 1"},
    {"Chess960 promotion by capture", true, "r1k2r2/P3P1P1/8/8/8/8/p3p1p1/R1K2R2 w FAfa - 0 1"},
    {"Chess960 queens look at the back rank", true, "rk1r4/8/8/3Q4/3q4/8/8/RK1R4 w DAda - 0 1"},
};

/* ---- chance -------------------------------------------------------------------------------------------- */

uint64_t random_next(struct random_source *source)
{
    return chance_next(&source->state);
}

unsigned random_below(struct random_source *source, unsigned n)
{
    return chance_below(&source->state, n);
}

/* ---- where games start -----------------------------------------------------------------------------------
 */

/* Guidelines II: bishops on squares of both colours, the king between the rooks. */
static bool is_first_rank(const char *rank)
{
    long bishop = strchr(rank, 'B') - rank;
    long other_bishop = strrchr(rank, 'B') - rank;
    long king = strchr(rank, 'K') - rank;
    return (bishop + other_bishop) % 2 != 0 && strchr(rank, 'R') - rank < king &&
           king < strrchr(rank, 'R') - rank;
}

static void first_position_of_chess960(struct random_source *source, struct slow_board *board)
{
    char rank[9] = "RNBQKBNR";
    do {
        for (unsigned i = 7; i > 0; i--) {
            unsigned j = random_below(source, i + 1);
            char man = rank[i];
            rank[i] = rank[j];
            rank[j] = man;
        }
    } while (!is_first_rank(rank));
    slow_parse_fen(starts[0].fen, true, board);
    for (int file = 0; file < 8; file++) {
        board->men[0][file] = rank[file];
        board->men[7][file] = (char)(rank[file] - 'A' + 'a');
        board->rights[0][file] = board->rights[1][file] = rank[file] == 'R';
    }
}

static void put(struct random_source *source, struct slow_board *board, char man)
{
    bool pawn = man == 'P' || man == 'p';
    for (;;) {
        unsigned file = random_below(source, 8);
        unsigned rank = pawn ? 1 + random_below(source, 6) : random_below(source, 8);
        if (board->men[rank][file] == '.') {
            board->men[rank][file] = man;
            return;
        }
    }
}

/* At most one right on each side of the king, as castling has it. */
static void give_rights(struct random_source *source, struct slow_board *board, int side)
{
    const char *rank = board->men[side == 0 ? 0 : 7];
    const char *king = memchr(rank, side == 0 ? 'K' : 'k', 8);
    for (int step = -1; king && step <= 1; step += 2)
        for (int file = (int)(king - rank) + step; file >= 0 && file < 8; file += step)
            if (rank[file] == (side == 0 ? 'R' : 'r') && random_below(source, 2) == 0) {
                board->rights[side][file] = true;
                break;
            }
}

/* A king that may castle is put on its back rank, with rooks. */
static void strew_castling(struct random_source *source, struct slow_board *board, int side)
{
    static const char men[2][2] = {{'K', 'R'}, {'k', 'r'}};
    char *rank = board->men[side == 0 ? 0 : 7];
    rank[1 + random_below(source, 6)] = men[side][0];
    for (unsigned i = 0; i < 3; i++) {
        char *at = &rank[random_below(source, 8)];
        if (*at == '.')
            *at = men[side][1];
    }
}

static void strew(struct random_source *source, struct slow_board *board)
{
    static const char men[] = "PPPPNNBBRRQ";
    *board = (struct slow_board){.passed = {-1, -1}, .fullmove_number = 30, .chess960 = true};
    memset(board->men, '.', sizeof board->men);
    board->turn = random_below(source, 2) ? 'b' : 'w';
    unsigned castling = random_below(source, 4); /* bit 0 for White, bit 1 for Black */
    for (int side = 0; side < 2; side++)
        if (castling >> side & 1u)
            strew_castling(source, board, side);
    for (int side = 0; side < 2; side++)
        if (!(castling >> side & 1u))
            put(source, board, side == 0 ? 'K' : 'k');
    for (unsigned left = 2 + random_below(source, 20); left > 0; left--) {
        char man = men[random_below(source, sizeof men - 1)];
        put(source, board, (char)(left % 2 ? man : man - 'A' + 'a'));
    }
    give_rights(source, board, 0);
    give_rights(source, board, 1);
}

/* The side that has just moved is not in check. */
static bool is_playable(struct slow_board board)
{
    board.turn = board.turn == 'w' ? 'b' : 'w';
    return !slow_is_check(&board);
}

static const char *choose_start(struct random_source *source, struct slow_board *board)
{
    enum { STARTS = sizeof starts / sizeof *starts };
    unsigned choice = random_below(source, 2 * STARTS);
    if (choice < STARTS) {
        slow_parse_fen(starts[choice].fen, starts[choice].chess960, board);
        return starts[choice].label;
    }
    if (choice < STARTS + STARTS / 4) {
        first_position_of_chess960(source, board);
        return "a first position of Chess960";
    }
    do {
        strew(source, board);
    } while (!is_playable(*board));
    return "men strewn over the board";
}

/* ---- playing ---------------------------------------------------------------------------------------------
 */

static bool is_rare(const struct slow_board *board, struct slow_move m)
{
    return m.castling || m.promotion || slow_is_en_passant(board, m);
}

/* A double step, or what may answer it. */
static bool is_for_en_passant(const struct slow_board *board, struct slow_move m)
{
    bool pawn = (board->men[m.from.rank][m.from.file] | 0x20) == 'p';
    return slow_is_en_passant(board, m) || (pawn && abs(m.to.rank - m.from.rank) == 2);
}

static struct slow_move choose_move(struct random_source *source, const struct random_step *step)
{
    bool (*const tastes[])(const struct slow_board *, struct slow_move) = {is_rare, is_for_en_passant};
    unsigned taste = random_below(source, 4);
    struct slow_move chosen = step->legal.moves[random_below(source, step->legal.count)];
    unsigned liked = 0;
    for (unsigned i = 0; taste < 2 && i < step->legal.count; i++)
        if (tastes[taste](&step->slow, step->legal.moves[i]) && random_below(source, ++liked) == 0)
            chosen = step->legal.moves[i];
    return chosen;
}

/* The move of rules/ with the same squares and promotion. */
static move find_move(const struct position *position, struct slow_move m)
{
    static const char letters[PIECE_COUNT] = {0, 0, 'n', 'b', 'r', 'q', 0};
    square from = square_at((unsigned)m.from.file, (unsigned)m.from.rank);
    square to = square_at((unsigned)m.to.file, (unsigned)m.to.rank);
    struct movelist list;
    movegen_legal(position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        move n = list.moves[i];
        if (move_from(n) == from && move_to(n) == to && letters[move_promotion(n)] == m.promotion &&
            (move_kind(n) == MOVE_CASTLING) == m.castling)
            return n;
    }
    return MOVE_NONE;
}

static bool start_game(struct random_source *source, struct random_step *step)
{
    char fen[SLOW_FEN_SIZE];
    struct setup_report report;
    step->ply = 0;
    step->start = choose_start(source, &step->slow);
    slow_format_fen(&step->slow, fen);
    if (fen_parse(fen, strlen(fen), step->slow.chess960, &step->position, &report))
        return true;
    board_print_failure(NULL, "a playable position", setup_fault_name(report.faults[0].code, 0), "%s: %s",
                        step->start, fen);
    return false;
}

static bool play_on(struct random_source *source, struct random_step *step)
{
    struct slow_move m = choose_move(source, step);
    move n = find_move(&step->position, m);
    if (n == MOVE_NONE) {
        char uci[SLOW_UCI_SIZE];
        slow_format_uci(&step->slow, m, uci);
        board_print_failure(&step->position, uci, "not a legal move", "%s, ply %u", step->start, step->ply);
        return false;
    }
    struct position before = step->position;
    position_play(&before, n, &step->position);
    step->slow = slow_play(&step->slow, m);
    step->ply++;
    return true;
}

struct random_games random_games_settings(void)
{
    const char *positions = getenv("TEST_POSITIONS");
    return (struct random_games){
        .seed = chance_seed_or(SEED),
        .positions = positions ? (unsigned)strtoul(positions, NULL, 10) : POSITIONS,
    };
}

unsigned random_games_play(const struct random_games *games)
{
    struct random_source source = {games->seed};
    unsigned positions = 0;
    printf("random games: TEST_SEED=%llu TEST_POSITIONS=%u\n", (unsigned long long)games->seed,
           games->positions);
    while (positions < games->positions) {
        struct random_step step;
        if (!start_game(&source, &step))
            return 0;
        unsigned plies = strcmp(step.start, "men strewn over the board") == 0 ? STREWN_PLIES_MAX : PLIES_MAX;
        for (;;) {
            slow_legal_moves(&step.slow, &step.legal);
            games->look(&step, games->context);
            positions++;
            if (step.legal.count == 0 || step.ply == plies)
                break;
            if (!play_on(&source, &step))
                return 0;
        }
    }
    return positions;
}
