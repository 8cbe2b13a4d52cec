/* Looks for wrong answers of rules/winnable.h: random blocked or poor positions, each NO held against a plain
 * closure that knows nothing of structure or material.
 *     winnable_stress COUNT [SEED [NODES [FILE]]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/fen.h"
#include "rules/movegen.h"
#include "rules/winnable.h"
#include "rules/winnable_reach.h"

enum { CAP = 1 << 19 };
static uint64_t seen[CAP * 2];
static struct position queue[CAP];
static size_t slots[CAP], used;
static uint64_t state;

static uint32_t draw(uint32_t n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (uint32_t)((state >> 33) % n);
}

static bool add(uint64_t key)
{
    size_t at = (size_t)(key >> 30) & (CAP * 2 - 1);
    while (seen[at] && seen[at] != key)
        at = (at + 1) & (CAP * 2 - 1);
    if (seen[at] || used == CAP)
        return false;
    seen[at] = key;
    slots[used++] = at;
    return true;
}

/* Bit c: color c mates somewhere; bit 2: cut off. */
static unsigned closure(const struct position *root, size_t cap)
{
    size_t count = 0;
    unsigned found = 0;
    for (size_t i = 0; i < used; i++)
        seen[slots[i]] = 0;
    used = 0;
    queue[count++] = *root;
    add(root->key);
    for (size_t i = 0; i < count && found != 3; i++) {
        struct movelist list;
        if (!movegen_legal(&queue[i], &list) && position_is_check(&queue[i]))
            found |= 1u << (queue[i].turn ^ 1);
        for (unsigned m = 0; m < list.count; m++) {
            if (count >= cap)
                return found | 4;
            position_play(&queue[i], list.moves[m], &queue[count]);
            count += add(queue[count].key);
        }
    }
    return found;
}

static bool put(char board[64], unsigned s, char piece)
{
    if (board[s])
        return false;
    board[s] = piece;
    return true;
}

static void place_kings(char board[64])
{
    if (draw(4) == 0) { /* at home, so that they may castle */
        board[4] = 'K', board[60] = 'k';
        board[draw(2) * 7] = 'R', board[56 + draw(2) * 7] = "r\0"[draw(2)];
        return;
    }
    while (!put(board, draw(64), 'K'))
        ;
    while (!put(board, draw(64), 'k'))
        ;
}

/* A wall of pawns that face each other, and a few pieces. */
static void random_board(char board[64])
{
    memset(board, 0, 64);
    unsigned rank = 1 + draw(5), pieces = draw(5);
    for (unsigned file = 0; file < 8; file++) {
        rank = rank <= 1 || (rank < 5 && draw(2)) ? rank + 1 : rank - 1;
        if (draw(10) == 0)
            rank = 1 + draw(5);
        if (draw(8))
            board[rank * 8 + file] = 'P', board[rank * 8 + 8 + file] = 'p';
    }
    for (unsigned i = draw(3); i-- > 0;)
        put(board, 8 + draw(48), "Pp"[draw(2)]);
    for (unsigned i = 0; i < pieces; i++)
        put(board, draw(64), "BbBbBbBbNnRrQq"[draw(14)]);
    place_kings(board);
}

static char bases[1200][64];
static unsigned base_count;

static void read_bases(const char *path)
{
    char text[512];
    FILE *file = fopen(path, "r");
    while (file && fgets(text, sizeof text, file) && base_count < 1200) {
        unsigned s = 56;
        if (text[0] == '#' || strlen(text) < 10)
            continue;
        for (const char *c = text + 3; *c && *c != ' '; c++) {
            if (*c == '/')
                s -= 16;
            else if (*c >= '1' && *c <= '8')
                s += (unsigned)(*c - '0');
            else
                bases[base_count][s++] = *c;
        }
        base_count++;
    }
}

/* A known position with something changed. */
static void changed_board(char board[64])
{
    memcpy(board, bases[draw(base_count)], 64);
    for (unsigned i = draw(4); i-- > 0;) {
        unsigned from = draw(64), to = draw(64);
        if (board[from] && !board[to]) {
            board[to] = board[from];
            board[from] = 0;
        }
        from = draw(64);
        if (draw(3) == 0 && board[from] && board[from] != 'K' && board[from] != 'k')
            board[from] = 0;
        if (draw(4) == 0)
            put(board, draw(64), "BbNnRrQqPp"[draw(10)]);
    }
}

static void format(const char board[64], char *text)
{
    for (int rank = 7; rank >= 0; rank--) {
        char blanks = '0';
        for (int file = 0; file < 8; file++) {
            char piece = board[rank * 8 + file];
            blanks++;
            if (piece && blanks > '1')
                *text++ = (char)(blanks - 1);
            if (piece)
                *text++ = piece, blanks = '0';
        }
        if (blanks > '0')
            *text++ = blanks;
        *text++ = rank ? '/' : ' ';
    }
    const char *white = board[4] == 'K' ? (board[7] == 'R' ? "K" : board[0] == 'R' ? "Q" : "") : "";
    const char *black = board[60] == 'k' ? (board[63] == 'r' ? "k" : board[56] == 'r' ? "q" : "") : "";
    sprintf(text, "%c %s%s%s - 0 1", "wb"[draw(2)], white, black, *white || *black ? "" : "-");
}

/* A few moves, so that there are en passant captures. */
static void play_some(struct position *p)
{
    struct movelist list;
    for (unsigned i = draw(3); i > 0 && movegen_legal(p, &list); i--) {
        struct position before = *p;
        position_play(&before, list.moves[draw(list.count)], p);
    }
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)atoi(argv[1]) : 10000, wrong = 0;
    state = argc > 2 ? (uint64_t)atoll(argv[2]) : 1;
    uint32_t nodes = argc > 3 ? (uint32_t)atoi(argv[3]) : 2000;
    if (argc > 4)
        read_bases(argv[4]);
    setvbuf(stdout, NULL, _IOLBF, 0);
    unsigned no[WINNABLE_METHOD_COUNT] = {0}, checked = 0, yes = 0, open = 0, done = 0;
    struct winnable_scratch scratch = {.bytes = 4 << 20};
    scratch.memory = malloc(scratch.bytes);
    while (done < count) {
        char board[64], fen[128];
        struct position p;
        struct setup_report report;
        if (base_count && draw(4))
            changed_board(board);
        else
            random_board(board);
        format(board, fen);
        if (!fen_parse(fen, strlen(fen), false, &p, &report))
            continue;
        if (++done % 1000 == 0)
            printf("%u\n", done);
        play_some(&p);
        static struct winnable_result r[2];
        for (unsigned c = 0; c < 2; c++) {
            winnable_decide(&p, (enum color)c, nodes, &scratch, &r[c]);
            yes += r[c].verdict == WINNABLE_YES;
            open += r[c].verdict == WINNABLE_UNDETERMINED;
            if (r[c].verdict == WINNABLE_NO)
                no[r[c].method]++;
        }
        bool structure =
            r[0].method == WINNABLE_STRUCTURE || r[1].method == WINNABLE_STRUCTURE ||
            ((r[0].method == WINNABLE_MATERIAL || r[1].method == WINNABLE_MATERIAL) && !draw(256));
        bool searched = (r[0].verdict == WINNABLE_NO && r[0].method == WINNABLE_SEARCH) ||
                        (r[1].verdict == WINNABLE_NO && r[1].method == WINNABLE_SEARCH);
        if (!structure && !searched)
            continue;
        unsigned truth = closure(&p, structure && !draw(16) ? 100000 : 5000);
        for (unsigned c = 0; c < 2; c++) {
            if (r[c].verdict != WINNABLE_NO)
                continue;
            checked += !(truth & 4);
            if (truth >> c & 1) {
                wrong++;
                fen_format(&p, FEN_EN_PASSANT_LEGAL, fen);
                printf("WRONG %c method %d %s\n", "WB"[c], r[c].method, fen);
            }
        }
    }
    printf("%u positions: yes %u, open %u, no: terminal %u material %u structure %u search %u; %u exhausted, "
           "%u wrong\n",
           done, yes, open, no[1], no[2], no[3], no[4], checked, wrong);
    return wrong != 0;
}
