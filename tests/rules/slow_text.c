/* slow_text: the slow rules' own FEN, UCI and SAN. */
#include "tests/rules/slow_rules.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- FEN ----------------------------------------------------------------------------------------------- */

static bool parse_men(const char *field, struct slow_board *board)
{
    memset(board->men, '.', sizeof board->men);
    int rank = 7;
    int file = 0;
    for (const char *c = field; *c; c++) {
        if (*c == '/') {
            if (file != 8)
                return false;
            rank--;
            file = 0;
        } else if (*c >= '1' && *c <= '8') {
            file += *c - '0';
        } else if (strchr("PNBRQKpnbrqk", *c) && file < 8 && rank >= 0) {
            board->men[rank][file++] = *c;
        } else {
            return false;
        }
    }
    return rank == 0 && file == 8;
}

static int file_of(const char *rank, char man)
{
    const char *found = memchr(rank, man, 8);
    return found ? (int)(found - rank) : -1;
}

/* K and Q mean the outermost rook on that side of the king; A to H name the rook's file. */
static bool parse_right(char letter, struct slow_board *board)
{
    bool white = isupper((unsigned char)letter) != 0;
    const char *rank = board->men[white ? 0 : 7];
    char rook = white ? 'R' : 'r';
    int king = file_of(rank, white ? 'K' : 'k');
    int file = 0;
    switch (tolower((unsigned char)letter)) {
    case 'k':
        for (file = 7; file > king && rank[file] != rook;)
            file--;
        break;
    case 'q':
        while (file < king && rank[file] != rook)
            file++;
        break;
    default:
        file = tolower((unsigned char)letter) - 'a';
        if (file < 0 || file > 7)
            return false;
    }
    if (king < 0 || rank[file] != rook)
        return false;
    board->rights[white ? 0 : 1][file] = true;
    return true;
}

bool slow_parse_fen(const char *fen, bool chess960, struct slow_board *board)
{
    char men[80];
    char turn[2];
    char rights[9];
    char passed[3];
    struct slow_board b = {.chess960 = chess960};
    if (sscanf(fen, "%79s %1s %8s %2s %d %d", men, turn, rights, passed, // NOLINT(cert-err34-c)
               &b.halfmove_clock, &b.fullmove_number) != 6)
        return false;
    if (!parse_men(men, &b))
        return false;
    b.turn = turn[0];
    for (const char *c = rights; *c && *c != '-'; c++)
        if (!parse_right(*c, &b))
            return false;
    b.passed = (struct slow_square){-1, -1};
    if (passed[0] != '-')
        b.passed = (struct slow_square){passed[0] - 'a', passed[1] - '1'};
    *board = b;
    return true;
}

static char *format_men(const struct slow_board *board, char *out)
{
    for (int rank = 7; rank >= 0; rank--) {
        int empty = 0;
        for (int file = 0; file < 8; file++) {
            char man = board->men[rank][file];
            if (man == '.') {
                empty++;
                continue;
            }
            if (empty)
                *out++ = (char)('0' + empty);
            empty = 0;
            *out++ = man;
        }
        if (empty)
            *out++ = (char)('0' + empty);
        *out++ = rank ? '/' : ' ';
    }
    return out;
}

/* No rook of that colour stands further out than the one that may castle. */
static bool is_outermost(const char *rank, char rook, int file, int step)
{
    for (int f = file + step; f >= 0 && f < 8; f += step)
        if (rank[f] == rook)
            return false;
    return true;
}

static char *format_rights_of(const struct slow_board *board, int side, char *out)
{
    const char *rank = board->men[side == 0 ? 0 : 7];
    char rook = side == 0 ? 'R' : 'r';
    int king = file_of(rank, side == 0 ? 'K' : 'k');
    for (int file = 7; file >= 0; file--) {
        if (!board->rights[side][file])
            continue;
        char letter = file > king ? 'k' : 'q';
        if (!is_outermost(rank, rook, file, file > king ? 1 : -1))
            letter = (char)('a' + file);
        if (side == 0)
            letter = (char)toupper((unsigned char)letter);
        *out++ = letter;
    }
    return out;
}

void slow_format_fen(const struct slow_board *board, char text[SLOW_FEN_SIZE])
{
    char *out = format_men(board, text);
    *out++ = board->turn;
    *out++ = ' ';
    char *rights = out;
    out = format_rights_of(board, 0, out);
    out = format_rights_of(board, 1, out);
    if (out == rights)
        *out++ = '-';
    char passed[3] = "-";
    if (slow_can_capture_en_passant(board))
        (void)snprintf(passed, sizeof passed, "%c%c", 'a' + board->passed.file, '1' + board->passed.rank);
    (void)snprintf(out, SLOW_FEN_SIZE - (size_t)(out - text), " %s %d %d", passed, board->halfmove_clock,
                   board->fullmove_number);
}

/* ---- moves --------------------------------------------------------------------------------------------- */

void slow_format_uci(const struct slow_board *board, struct slow_move m, char text[SLOW_UCI_SIZE])
{
    int file = m.to.file;
    if (m.castling && !board->chess960)
        file = m.to.file > m.from.file ? 6 : 2;
    text[0] = (char)('a' + m.from.file);
    text[1] = (char)('1' + m.from.rank);
    text[2] = (char)('a' + file);
    text[3] = (char)('1' + m.to.rank);
    text[4] = m.promotion;
    text[5] = 0;
}

/* PGN 8.2.3.4: nothing, the file, the rank, or both, whatever tells the piece from its twins. */
static char *format_start(const struct slow_board *board, const struct slow_moves *legal, struct slow_move m,
                          char *out)
{
    bool twin = false;
    bool twin_on_file = false;
    bool twin_on_rank = false;
    for (unsigned i = 0; i < legal->count; i++) {
        struct slow_move o = legal->moves[i];
        bool same_start = o.from.file == m.from.file && o.from.rank == m.from.rank;
        if (o.castling || same_start || o.to.file != m.to.file || o.to.rank != m.to.rank ||
            board->men[o.from.rank][o.from.file] != board->men[m.from.rank][m.from.file])
            continue;
        twin = true;
        twin_on_file |= o.from.file == m.from.file;
        twin_on_rank |= o.from.rank == m.from.rank;
    }
    if (twin && (!twin_on_file || twin_on_rank))
        *out++ = (char)('a' + m.from.file);
    if (twin && twin_on_file)
        *out++ = (char)('1' + m.from.rank);
    return out;
}

static char *format_castling(struct slow_move m, char *out)
{
    const char *text = m.to.file > m.from.file ? "O-O" : "O-O-O";
    while (*text)
        *out++ = *text++;
    return out;
}

static char *format_plain(const struct slow_board *board, const struct slow_moves *legal, struct slow_move m,
                          char *out)
{
    char kind = (char)toupper((unsigned char)board->men[m.from.rank][m.from.file]);
    bool capture = slow_is_capture(board, m);
    if (kind != 'P') {
        *out++ = kind;
        out = format_start(board, legal, m, out);
    } else if (capture) {
        *out++ = (char)('a' + m.from.file);
    }
    if (capture)
        *out++ = 'x';
    *out++ = (char)('a' + m.to.file);
    *out++ = (char)('1' + m.to.rank);
    if (m.promotion) {
        *out++ = '=';
        *out++ = (char)toupper((unsigned char)m.promotion);
    }
    return out;
}

void slow_format_san(const struct slow_board *board, const struct slow_moves *legal, struct slow_move m,
                     char text[SLOW_SAN_SIZE])
{
    char *out = m.castling ? format_castling(m, text) : format_plain(board, legal, m, text);
    struct slow_board after = slow_play(board, m);
    if (slow_is_check(&after))
        *out++ = slow_is_checkmate(&after) ? '#' : '+';
    *out = 0;
}
