#include "tests/rules/slow_rules.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static char color_of(char man)
{
    if (man == '.')
        return 0;
    return isupper((unsigned char)man) ? 'w' : 'b';
}

static char other(char color)
{
    return color == 'w' ? 'b' : 'w';
}

static char kind_of(char man)
{
    return (char)tolower((unsigned char)man);
}

static char man_of(char color, char kind)
{
    if (color == 'b')
        return kind;
    return (char)toupper((unsigned char)kind);
}

static char at(const struct slow_board *board, struct slow_square s)
{
    return board->men[s.rank][s.file];
}

static bool same_square(struct slow_square a, struct slow_square b)
{
    return a.file == b.file && a.rank == b.rank;
}

static int sign(int n)
{
    return (n > 0) - (n < 0);
}

static int forward(char color)
{
    return color == 'w' ? 1 : -1;
}

static int back_rank(char color)
{
    return color == 'w' ? 0 : 7;
}

static bool *rights_of(struct slow_board *board, char color)
{
    return board->rights[color == 'w' ? 0 : 1];
}

static struct slow_square find_king(const struct slow_board *board, char color)
{
    for (int rank = 0; rank < 8; rank++)
        for (int file = 0; file < 8; file++)
            if (board->men[rank][file] == man_of(color, 'k'))
                return (struct slow_square){file, rank};
    return (struct slow_square){-1, -1};
}

/* 3.5: no man stands between two squares of one line. */
static bool way_is_free(const struct slow_board *board, struct slow_square from, struct slow_square to)
{
    int across = sign(to.file - from.file);
    int up = sign(to.rank - from.rank);
    struct slow_square s = {from.file + across, from.rank + up};
    for (; !same_square(s, to); s.file += across, s.rank += up)
        if (at(board, s) != '.')
            return false;
    return true;
}

/* 3.2-3.8: the man on `from` attacks `to`. */
static bool attacks(const struct slow_board *board, struct slow_square from, struct slow_square to)
{
    int across = to.file - from.file;
    int up = to.rank - from.rank;
    if (across == 0 && up == 0)
        return false;
    bool diagonal = abs(across) == abs(up);
    bool straight = across == 0 || up == 0;
    char man = at(board, from);
    switch (kind_of(man)) {
    case 'p':
        return abs(across) == 1 && up == forward(color_of(man));
    case 'n':
        return (abs(across) == 1 && abs(up) == 2) || (abs(across) == 2 && abs(up) == 1);
    case 'b':
        return diagonal && way_is_free(board, from, to);
    case 'r':
        return straight && way_is_free(board, from, to);
    case 'q':
        return (diagonal || straight) && way_is_free(board, from, to);
    case 'k':
        return abs(across) <= 1 && abs(up) <= 1;
    default:
        return false;
    }
}

bool slow_is_attacked(const struct slow_board *board, struct slow_square target, char by)
{
    for (int rank = 0; rank < 8; rank++)
        for (int file = 0; file < 8; file++)
            if (color_of(board->men[rank][file]) == by &&
                attacks(board, (struct slow_square){file, rank}, target))
                return true;
    return false;
}

static bool king_is_attacked(const struct slow_board *board, char color)
{
    return slow_is_attacked(board, find_king(board, color), other(color));
}

bool slow_is_check(const struct slow_board *board)
{
    return king_is_attacked(board, board->turn);
}

bool slow_is_en_passant(const struct slow_board *board, struct slow_move m)
{
    return kind_of(at(board, m.from)) == 'p' && same_square(m.to, board->passed) && m.from.file != m.to.file;
}

bool slow_is_capture(const struct slow_board *board, struct slow_move m)
{
    return !m.castling && (at(board, m.to) != '.' || slow_is_en_passant(board, m));
}

/* ---- playing ------------------------------------------------------------------------------------------- */

static void lose_rights(struct slow_board *board, struct slow_square s)
{
    for (int side = 0; side < 2; side++) {
        char color = side == 0 ? 'w' : 'b';
        if (s.rank != back_rank(color))
            continue;
        rights_of(board, color)[s.file] = false;
        if (at(board, s) == man_of(color, 'k'))
            memset(rights_of(board, color), 0, 8);
    }
}

/* Castling ends on the same squares whatever the start (3.8.2, Guidelines II). */
static void move_king_and_rook(struct slow_board *board, struct slow_move m)
{
    bool kingside = m.to.file > m.from.file;
    char *rank = board->men[m.from.rank];
    rank[m.from.file] = '.';
    rank[m.to.file] = '.';
    rank[kingside ? 6 : 2] = man_of(board->turn, 'k');
    rank[kingside ? 5 : 3] = man_of(board->turn, 'r');
}

static void move_man(struct slow_board *board, struct slow_move m)
{
    char man = at(board, m.from);
    if (slow_is_en_passant(board, m))
        board->men[m.from.rank][m.to.file] = '.';
    board->men[m.from.rank][m.from.file] = '.';
    board->men[m.to.rank][m.to.file] = man;
    if (m.promotion)
        board->men[m.to.rank][m.to.file] = man_of(board->turn, m.promotion);
}

struct slow_board slow_play(const struct slow_board *before, struct slow_move m)
{
    struct slow_board after = *before;
    bool pawn = kind_of(at(before, m.from)) == 'p';
    after.halfmove_clock = pawn || slow_is_capture(before, m) ? 0 : before->halfmove_clock + 1;
    lose_rights(&after, m.from);
    lose_rights(&after, m.to);
    if (m.castling)
        move_king_and_rook(&after, m);
    else
        move_man(&after, m);
    after.passed = (struct slow_square){-1, -1};
    if (pawn && abs(m.to.rank - m.from.rank) == 2)
        after.passed = (struct slow_square){m.from.file, (m.from.rank + m.to.rank) / 2};
    after.turn = other(before->turn);
    if (before->turn == 'b')
        after.fullmove_number++;
    return after;
}

/* ---- finding moves ------------------------------------------------------------------------------------- */

/* 3.9.2: no move may leave the own king attacked. */
static void add_if_safe(const struct slow_board *board, struct slow_moves *moves, struct slow_move m)
{
    struct slow_board after = slow_play(board, m);
    if (!king_is_attacked(&after, board->turn))
        moves->moves[moves->count++] = m;
}

/* 3.7.3.3: the move to the last rank is four moves. */
static void add_pawn_move(const struct slow_board *board, struct slow_moves *moves, struct slow_square from,
                          struct slow_square to)
{
    if (to.rank != back_rank(other(board->turn))) {
        add_if_safe(board, moves, (struct slow_move){.from = from, .to = to});
        return;
    }
    for (const char *kind = "qrbn"; *kind; kind++)
        add_if_safe(board, moves, (struct slow_move){.from = from, .to = to, .promotion = *kind});
}

/* 3.7.1-3.7.3. */
static bool pawn_may_go(const struct slow_board *board, struct slow_square from, struct slow_square to)
{
    int ahead = forward(board->turn);
    if (attacks(board, from, to))
        return color_of(at(board, to)) == other(board->turn) || same_square(to, board->passed);
    if (to.file != from.file || at(board, to) != '.')
        return false;
    if (to.rank == from.rank + ahead)
        return true;
    return from.rank == back_rank(board->turn) + ahead && to.rank == from.rank + 2 * ahead &&
           board->men[from.rank + ahead][from.file] == '.';
}

static void add_moves_of_man(const struct slow_board *board, struct slow_moves *moves,
                             struct slow_square from)
{
    bool pawn = kind_of(at(board, from)) == 'p';
    for (int rank = 0; rank < 8; rank++)
        for (int file = 0; file < 8; file++) {
            struct slow_square to = {file, rank};
            if (color_of(at(board, to)) == board->turn)
                continue;
            if (pawn && pawn_may_go(board, from, to))
                add_pawn_move(board, moves, from, to);
            else if (!pawn && attacks(board, from, to))
                add_if_safe(board, moves, (struct slow_move){.from = from, .to = to});
        }
}

/* Every square from one file to another of the king's rank holds no man but the two that castle. */
static bool rank_is_free(const struct slow_board *board, int from, int to, struct slow_square king,
                         int rook_file)
{
    int first = from < to ? from : to;
    int last = from < to ? to : from;
    for (int file = first; file <= last; file++)
        if (file != king.file && file != rook_file && board->men[king.rank][file] != '.')
            return false;
    return true;
}

/* 3.8.2.2 and Guidelines II. That the king does not arrive in check is seen when the move is played. */
static bool may_castle(const struct slow_board *board, struct slow_square king, int rook_file)
{
    bool kingside = rook_file > king.file;
    int king_to = kingside ? 6 : 2;
    int rook_to = kingside ? 5 : 3;
    if (!rank_is_free(board, king.file, king_to, king, rook_file) ||
        !rank_is_free(board, rook_file, rook_to, king, rook_file))
        return false;
    for (int file = king.file;; file += sign(king_to - king.file)) {
        if (slow_is_attacked(board, (struct slow_square){file, king.rank}, other(board->turn)))
            return false;
        if (file == king_to)
            return true;
    }
}

static void add_castlings(const struct slow_board *board, struct slow_moves *moves)
{
    struct slow_square king = find_king(board, board->turn);
    for (int file = 0; file < 8; file++)
        if (board->rights[board->turn == 'w' ? 0 : 1][file] && may_castle(board, king, file))
            add_if_safe(board, moves,
                        (struct slow_move){.from = king, .to = {file, king.rank}, .castling = true});
}

void slow_legal_moves(const struct slow_board *board, struct slow_moves *moves)
{
    moves->count = 0;
    for (int rank = 0; rank < 8; rank++)
        for (int file = 0; file < 8; file++)
            if (color_of(board->men[rank][file]) == board->turn)
                add_moves_of_man(board, moves, (struct slow_square){file, rank});
    add_castlings(board, moves);
}

/* ---- what holds ---------------------------------------------------------------------------------------- */

static bool has_no_move(const struct slow_board *board)
{
    struct slow_moves moves;
    slow_legal_moves(board, &moves);
    return moves.count == 0;
}

bool slow_is_checkmate(const struct slow_board *board)
{
    return slow_is_check(board) && has_no_move(board);
}

bool slow_is_stalemate(const struct slow_board *board)
{
    return !slow_is_check(board) && has_no_move(board);
}

bool slow_can_capture_en_passant(const struct slow_board *board)
{
    if (board->passed.file < 0)
        return false;
    struct slow_moves moves = {.count = 0};
    struct slow_square from = {0, board->passed.rank - forward(board->turn)};
    for (from.file = 0; from.file < 8; from.file++)
        if (at(board, from) == man_of(board->turn, 'p') && attacks(board, from, board->passed))
            add_if_safe(board, &moves, (struct slow_move){.from = from, .to = board->passed});
    return moves.count > 0;
}

bool slow_is_same(const struct slow_board *a, const struct slow_board *b)
{
    if (memcmp(a->men, b->men, sizeof a->men) != 0 || a->turn != b->turn)
        return false;
    if (memcmp(a->rights, b->rights, sizeof a->rights) != 0)
        return false;
    bool en_passant = slow_can_capture_en_passant(a);
    return en_passant == slow_can_capture_en_passant(b) && (!en_passant || same_square(a->passed, b->passed));
}

uint64_t slow_perft(const struct slow_board *board, unsigned depth)
{
    if (depth == 0)
        return 1;
    struct slow_moves moves;
    slow_legal_moves(board, &moves);
    uint64_t nodes = 0;
    for (unsigned i = 0; i < moves.count; i++) {
        struct slow_board after = slow_play(board, moves.moves[i]);
        nodes += slow_perft(&after, depth - 1);
    }
    return nodes;
}
