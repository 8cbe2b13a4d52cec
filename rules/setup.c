#include "rules/setup.h"

#include "rules/attacks.h"
#include "rules/key.h"
#include "rules/movegen.h"

/* ---- what the faults are called ---------------------------------------------------------------------- */

struct fault_words {
    const char *name;
    const char *text;
    bool playable;
};

static const struct fault_words fault_words[SETUP_FAULT_COUNT] = {
    [SETUP_OK] = {"ok", "Nothing is wrong.", true},
    [SETUP_BAD_FIELD] = {"bad_field_0", "This part of the FEN cannot be read.", false},
    [SETUP_NO_WHITE_KING] = {"no_white_king", "The white king is missing.", false},
    [SETUP_NO_BLACK_KING] = {"no_black_king", "The black king is missing.", false},
    [SETUP_TOO_MANY_KINGS] = {"too_many_kings", "A side has more than one king.", false},
    [SETUP_PAWN_ON_BACK_RANK] = {"pawn_on_back_rank", "A pawn stands on the first or the last rank.", false},
    [SETUP_SIDE_NOT_TO_MOVE_IN_CHECK] = {"side_not_to_move_in_check",
                                         "The side that has just moved has left its king in check (3.9.2).",
                                         false},
    [SETUP_BAD_CASTLING_RIGHT] = {"bad_castling_right",
                                  "A castling right does not fit king and rook, or is given twice (3.8.2.1).",
                                  false},
    [SETUP_BAD_EN_PASSANT] =
        {"bad_en_passant", "No pawn can just have made a double step over the en passant square (3.7.3.1).",
         false},
    [SETUP_TOO_MANY_MEN] = {"too_many_pieces", "A side has more than sixteen pieces and pawns.", false},
    [SETUP_TOO_MANY_PAWNS] = {"too_many_pawns", "A side has more than eight pawns.", true},
    [SETUP_TOO_MANY_PIECES] = {"too_many_pieces", "A side has more promoted pieces than pawns are gone.",
                               true},
    [SETUP_IMPOSSIBLE_CHECK] = {"impossible_check", "No move can have brought about this check.", true},
};

enum { FEN_FIELDS = 6 };

/* What a field must be, for one that cannot be read; 0 is the text as a whole. */
static const struct {
    const char *name, *text;
} bad_fields[FEN_FIELDS + 1] = {
    {"bad_field_0", "A FEN has one to six fields and nothing behind them."},
    {"bad_field_1",
     "The placement is eight ranks parted by /, from the eighth down, each of eight squares: letters of "
     "pieces (KQRBNP white, kqrbnp black) and digits for empty squares, no two digits side by side."},
    {"bad_field_2", "The side to move is w or b."},
    {"bad_field_3", "Castling rights are letters of KQkq or of files (A-H, a-h), or -."},
    {"bad_field_4", "The en passant square is a square of the third or sixth rank, or -."},
    {"bad_field_5", "The halfmove clock is a number from 0 to 9999."},
    {"bad_field_6", "The fullmove number is a number from 1 to 9999."},
};

const char *setup_fault_name(enum setup_fault_code code, unsigned field)
{
    return code == SETUP_BAD_FIELD && field <= FEN_FIELDS ? bad_fields[field].name : fault_words[code].name;
}

const char *setup_fault_text(enum setup_fault_code code, unsigned field)
{
    return code == SETUP_BAD_FIELD && field <= FEN_FIELDS ? bad_fields[field].text : fault_words[code].text;
}

bool setup_fault_is_playable(enum setup_fault_code code)
{
    return fault_words[code].playable;
}

void setup_report_add(struct setup_report *report, enum setup_fault_code code, unsigned field, size_t offset,
                      square s)
{
    unsigned at = report->count;
    while (at > 0 && report->faults[at - 1].offset > offset)
        at--;
    if (at == SETUP_FAULTS_MAX)
        return;
    if (report->count < SETUP_FAULTS_MAX)
        report->count++;
    for (unsigned i = report->count - 1; i > at; i--)
        report->faults[i] = report->faults[i - 1];
    report->faults[at] =
        (struct setup_fault){.code = code, .field = (uint8_t)field, .offset = (uint16_t)offset, .square = s};
}

/* ---- looking at the board ---------------------------------------------------------------------------- */

enum { FIELD_PLACEMENT = 1, FIELD_CASTLING = 3, FIELD_EN_PASSANT = 4 };

/* What all the checks read and write. */
struct inspection {
    const struct setup *setup;
    struct position board; /* the pieces; turn and en passant square as written */
    bool turn_known;
    struct setup_report *report;
};

static void add_board_fault(struct inspection *in, enum setup_fault_code code, square s)
{
    size_t offset = s == SQUARE_NONE ? in->setup->field_offset[0] : in->setup->square_offset[s];
    setup_report_add(in->report, code, FIELD_PLACEMENT, offset, s);
}

static struct position place_pieces(const struct setup *setup)
{
    struct position board = {.en_passant = SQUARE_NONE, .double_step = SQUARE_NONE};
    for (unsigned i = 0; i < SQUARE_COUNT; i++) {
        if (setup->type[i] == PIECE_NONE)
            continue;
        bitboard s = bit((square)i);
        board.by_color[setup->color[i]] |= s;
        board.by_type[setup->type[i]] |= s;
        board.by_type[PIECE_NONE] |= s;
    }
    return board;
}

/* The king of a side that has exactly one. */
static square only_king(const struct position *board, enum color color)
{
    bitboard kings = position_pieces(board, color, PIECE_KING);
    return kings && !bitboard_has_several(kings) ? bitboard_first(kings) : SQUARE_NONE;
}

static void inspect_kings(struct inspection *in, enum color color)
{
    bitboard kings = position_pieces(&in->board, color, PIECE_KING);
    if (!kings)
        add_board_fault(in, color == COLOR_WHITE ? SETUP_NO_WHITE_KING : SETUP_NO_BLACK_KING, SQUARE_NONE);
    else if (bitboard_has_several(kings))
        add_board_fault(in, SETUP_TOO_MANY_KINGS, bitboard_first(kings & (kings - 1)));
}

static void inspect_pawn_ranks(struct inspection *in)
{
    bitboard wrong = in->board.by_type[PIECE_PAWN] & (bitboard_rank(RANK_1) | bitboard_rank(RANK_8));
    while (wrong)
        add_board_fault(in, SETUP_PAWN_ON_BACK_RANK, bitboard_pop(&wrong));
}

static unsigned surplus(bitboard pieces, unsigned usual)
{
    unsigned count = bitboard_count(pieces);
    return count > usual ? count - usual : 0;
}

/* Pieces that only promotion can have made. A bishop never leaves the colour of its squares, so each colour
 * has one of its own. */
static unsigned promoted_pieces(const struct position *board, enum color color)
{
    bitboard bishops = position_pieces(board, color, PIECE_BISHOP);
    return surplus(position_pieces(board, color, PIECE_QUEEN), 1) +
           surplus(position_pieces(board, color, PIECE_ROOK), 2) +
           surplus(position_pieces(board, color, PIECE_KNIGHT), 2) + surplus(bishops & BITBOARD_LIGHT, 1) +
           surplus(bishops & ~BITBOARD_LIGHT, 1);
}

static void inspect_numbers(struct inspection *in, enum color color)
{
    enum { MEN = 16, PAWNS = 8 };
    unsigned pawns = bitboard_count(position_pieces(&in->board, color, PIECE_PAWN));
    unsigned gone = pawns < PAWNS ? PAWNS - pawns : 0;
    if (pawns > PAWNS)
        add_board_fault(in, SETUP_TOO_MANY_PAWNS, SQUARE_NONE);
    if (bitboard_count(in->board.by_color[color]) > MEN)
        add_board_fault(in, SETUP_TOO_MANY_MEN, SQUARE_NONE);
    else if (promoted_pieces(&in->board, color) > gone)
        add_board_fault(in, SETUP_TOO_MANY_PIECES, SQUARE_NONE);
}

/* ---- castling rights (3.8.2.1, Guidelines II) -------------------------------------------------------- */

static enum color letter_color(char letter)
{
    return letter >= 'a' ? COLOR_BLACK : COLOR_WHITE;
}

static char letter_lower(char letter)
{
    return (char)(letter | 0x20);
}

static bitboard back_rank(enum color color)
{
    return bitboard_rank(color == COLOR_WHITE ? RANK_1 : RANK_8);
}

static bool names_file(char letter)
{
    return letter_lower(letter) <= 'h';
}

/* The rooks that a letter could mean: those on the back rank on the side, or on the file, that it names. */
static bitboard rooks_meant(const struct position *board, square king, char letter)
{
    enum color color = letter_color(letter);
    bitboard rooks = position_pieces(board, color, PIECE_ROOK) & back_rank(color);
    if (names_file(letter))
        return rooks & bitboard_file((unsigned)(letter_lower(letter) - 'a'));
    bitboard kingside = ~0ULL << king;
    return rooks & (letter_lower(letter) == 'k' ? kingside : ~kingside);
}

/* The rook that a letter means, or SQUARE_NONE. K and Q mean the outermost rook of that colour (X-FEN). */
static square right_rook(const struct position *board, square king, char letter)
{
    if (king == SQUARE_NONE || !bitboard_has(back_rank(letter_color(letter)), king))
        return SQUARE_NONE;
    bitboard rooks = rooks_meant(board, king, letter);
    if (!rooks)
        return SQUARE_NONE;
    return letter_lower(letter) == 'k' ? (square)(63 - __builtin_clzll(rooks)) : bitboard_first(rooks);
}

static bool is_standard_right(square king, square rook)
{
    unsigned file = square_file(rook);
    return square_file(king) == FILE_E && (file == FILE_A || file == FILE_H);
}

/* Black's castling letters, or White's, each naming a rook; what is compared: the file of the king, and of the rook on
 * each side, FILE_NONE where no right is given. */
struct castling_files {
    unsigned king, rook[CASTLING_COUNT];
};
enum { FILE_NONE = 8 };

static bool read_files(const struct inspection *in, enum color color, struct castling_files *files)
{
    square king = only_king(&in->board, color);
    *files = (struct castling_files){FILE_NONE, {FILE_NONE, FILE_NONE}};
    for (unsigned i = 0; i < in->setup->right_count; i++) {
        char letter = in->setup->rights[i].letter;
        if (letter_color(letter) != color)
            continue;
        square rook = right_rook(&in->board, king, letter);
        if (rook == SQUARE_NONE)
            return false;
        files->king = square_file(king);
        files->rook[rook > king ? CASTLING_KINGSIDE : CASTLING_QUEENSIDE] = square_file(rook);
    }
    return files->king != FILE_NONE;
}

/* In a Chess960 game both kings start on one file, and the rooks of each side too. Where the rights of both colours
 * agree in that, K and Q say enough; the king of one colour off the e-file is a mistake more often than a variant. */
static bool rights_agree(const struct inspection *in)
{
    struct castling_files white;
    struct castling_files black;
    if (!read_files(in, COLOR_WHITE, &white) || !read_files(in, COLOR_BLACK, &black) ||
        white.king != black.king)
        return false;
    for (unsigned side = 0; side < CASTLING_COUNT; side++)
        if (white.rook[side] != FILE_NONE && black.rook[side] != FILE_NONE &&
            white.rook[side] != black.rook[side])
            return false;
    return true;
}

/* A right that only Chess960 knows, by a file letter, or by K and Q where all rights are of one first position. */
static bool tells_chess960(const struct inspection *in)
{
    bool agree = rights_agree(in);
    for (unsigned i = 0; i < in->setup->right_count; i++) {
        char letter = in->setup->rights[i].letter;
        square king = only_king(&in->board, letter_color(letter));
        square rook = right_rook(&in->board, king, letter);
        if ((agree || names_file(letter)) && rook != SQUARE_NONE && !is_standard_right(king, rook))
            return true;
    }
    return false;
}

static bool right_fits(const struct inspection *in, square king, square rook)
{
    if (rook == SQUARE_NONE || (!in->board.chess960 && !is_standard_right(king, rook)))
        return false;
    bitboard kingside = ~0ULL << king;
    bitboard same_side =
        back_rank(position_color_at(&in->board, king)) & (rook > king ? kingside : ~kingside);
    return (in->board.castling_rooks & same_side) == 0; /* one right a side, given once */
}

static void inspect_castling(struct inspection *in)
{
    for (unsigned i = 0; i < in->setup->right_count; i++) {
        const struct setup_right *right = &in->setup->rights[i];
        enum color color = letter_color(right->letter);
        if (bitboard_has_several(position_pieces(&in->board, color, PIECE_KING)))
            continue; /* which king it is about is the fault already reported */
        square king = only_king(&in->board, color);
        square rook = right_rook(&in->board, king, right->letter);
        if (right_fits(in, king, rook))
            in->board.castling_rooks |= bit(rook);
        else
            setup_report_add(in->report, SETUP_BAD_CASTLING_RIGHT, FIELD_CASTLING, right->offset,
                             SQUARE_NONE);
    }
}

/* ---- en passant and checks --------------------------------------------------------------------------- */

/* 3.7.3.1: an enemy pawn has just passed over the square: it stands in front of it, and the square and the
 * pawn's home behind it are empty. */
static bool double_step_fits(const struct position *board, square target)
{
    enum color us = position_turn(board);
    if (square_rank_for(target, us) != RANK_6)
        return false;
    bitboard behind = bit(target) | bit((square)(us == COLOR_WHITE ? target + 8 : target - 8));
    return bitboard_has(position_pieces(board, color_other(us), PIECE_PAWN), (square)(target ^ 8u)) &&
           (behind & position_occupied(board)) == 0;
}

static void inspect_en_passant(struct inspection *in)
{
    square target = in->setup->en_passant;
    if (target == SQUARE_NONE)
        return;
    if (double_step_fits(&in->board, target))
        in->board.double_step = target;
    else
        setup_report_add(in->report, SETUP_BAD_EN_PASSANT, FIELD_EN_PASSANT, in->setup->field_offset[3],
                         target);
}

static void inspect_side_not_to_move(struct inspection *in)
{
    enum color us = position_turn(&in->board);
    square king = only_king(&in->board, color_other(us));
    if (king != SQUARE_NONE && position_attackers(&in->board, king, us, position_occupied(&in->board)))
        add_board_fault(in, SETUP_SIDE_NOT_TO_MOVE_IN_CHECK, king);
}

/* The king was attacked before the double step already, when it was the other side's turn. */
static bool attacked_before_double_step(const struct position *board, square king)
{
    enum color them = color_other(position_turn(board));
    bitboard pawn = bit((square)(board->double_step ^ 8u));
    bitboard home = bit((square)(them == COLOR_BLACK ? board->double_step + 8 : board->double_step - 8));
    struct position before = *board;
    before.by_color[them] ^= pawn | home;
    before.by_type[PIECE_PAWN] ^= pawn | home;
    before.by_type[PIECE_NONE] ^= pawn | home;
    return position_attackers(&before, king, them, position_occupied(&before)) != 0;
}

/* One move opens at most two lines (en passant), or gives one check itself and opens one line. So three
 * checkers are too many; of two, one at least is a slider whose line was opened; and a line that is opened on
 * one side of the king is not opened on the other. */
static bool checkers_exclude_each_other(const struct position *board, square king, bitboard checkers)
{
    if (bitboard_count(checkers) < 2)
        return false;
    if (bitboard_count(checkers) > 2)
        return true;
    bitboard steppers = checkers & (board->by_type[PIECE_PAWN] | board->by_type[PIECE_KNIGHT]);
    if (steppers == checkers)
        return true;
    square first = bitboard_first(checkers);
    square second = bitboard_first(checkers & (checkers - 1));
    return !steppers && bitboard_has(attacks_line(first, second), king);
}

static void inspect_checks(struct inspection *in)
{
    const struct position *board = &in->board;
    enum color us = position_turn(board);
    square king = only_king(board, us);
    if (king == SQUARE_NONE)
        return;
    bitboard checkers = position_attackers(board, king, color_other(us), position_occupied(board)) &
                        ~board->by_type[PIECE_KING];
    if (!checkers)
        return;
    if (checkers_exclude_each_other(board, king, checkers) ||
        (board->double_step != SQUARE_NONE && attacked_before_double_step(board, king)))
        add_board_fault(in, SETUP_IMPOSSIBLE_CHECK, king);
}

/* ---- making the position ----------------------------------------------------------------------------- */

static void inspect(struct inspection *in)
{
    for (unsigned color = 0; color < COLOR_COUNT; color++) {
        inspect_kings(in, (enum color)color);
        inspect_numbers(in, (enum color)color);
    }
    inspect_pawn_ranks(in);
    inspect_castling(in);
    if (!in->turn_known)
        return;
    inspect_en_passant(in);
    inspect_side_not_to_move(in);
    inspect_checks(in);
}

static bool report_is_playable(const struct setup_report *report)
{
    for (unsigned i = 0; i < report->count; i++)
        if (!setup_fault_is_playable(report->faults[i].code))
            return false;
    return true;
}

/* 9.2.3.1: an en passant square counts only where a capture is legal. */
static square legal_en_passant(const struct position *board)
{
    struct position trial = *board;
    struct movelist list;
    trial.en_passant = board->double_step;
    if (trial.en_passant == SQUARE_NONE)
        return SQUARE_NONE;
    movegen_legal(&trial, &list);
    for (unsigned i = 0; i < list.count; i++)
        if (move_kind(list.moves[i]) == MOVE_EN_PASSANT)
            return board->double_step;
    return SQUARE_NONE;
}

bool setup_position(const struct setup *setup, bool chess960, bool infer_chess960, struct position *position,
                    struct setup_report *report)
{
    struct inspection in = {.setup = setup, .board = place_pieces(setup), .report = report};
    report->count = 0;
    in.turn_known = setup->turn < COLOR_COUNT;
    in.board.turn = in.turn_known ? setup->turn : COLOR_WHITE;
    in.board.chess960 = chess960 || (infer_chess960 && tells_chess960(&in));
    inspect(&in);
    if (!in.turn_known || !report_is_playable(report))
        return false;
    in.board.halfmove_clock = setup->halfmove_clock;
    in.board.fullmove_number = setup->fullmove_number;
    in.board.en_passant = legal_en_passant(&in.board);
    in.board.key = key_compute(&in.board);
    *position = in.board;
    return true;
}
