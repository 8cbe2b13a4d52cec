#include "tests/rules/statement.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "rules/notation.h"
#include "tests/rules/board_print.h"
#include "tests/rules/given.h"

enum { TEXT_SIZE = 512, WORD_SIZE = 6, WORDS_MAX = 64 };

static bool compare(const struct statement *statement, const struct position *position, const char *expected,
                    const char *actual)
{
    if (strcmp(expected, actual) == 0)
        return true;
    board_print_failure(position, expected, actual, "%s", statement->text);
    return false;
}

/* Cuts the next word off a text; false at its end. */
static bool next_word(const char **text, char word[WORD_SIZE])
{
    size_t length = strcspn(*text, " ");
    if (length == 0)
        return false;
    assert_in_range(length, 1, WORD_SIZE - 1);
    memcpy(word, *text, length);
    word[length] = 0;
    *text += length + ((*text)[length] == ' ');
    return true;
}

/* ---- what is asked ---- */

static int compare_words(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void sort_words(const char *text, char sorted[TEXT_SIZE])
{
    char words[WORDS_MAX][WORD_SIZE];
    unsigned count = 0;
    while (count < WORDS_MAX && next_word(&text, words[count]))
        count++;
    qsort(words, count, sizeof *words, compare_words);
    char *out = sorted;
    *out = 0;
    for (unsigned i = 0; i < count; i++)
        out += snprintf(out, WORD_SIZE + 1, i ? " %s" : "%s", words[i]);
}

bool statement_targets(const struct statement *statement)
{
    struct position position = given_position(statement->fen);
    square from = notation_parse_square(statement->moves, strlen(statement->moves));
    struct movelist list;
    char targets[TEXT_SIZE];
    char *out = targets;
    movegen_legal(&position, &list);
    *out = 0;
    for (unsigned i = 0; i < list.count; i++) {
        char name[3];
        if (move_from(list.moves[i]) != from)
            continue;
        fen_format_square(move_to(list.moves[i]), name);
        out += snprintf(out, 4, out == targets ? "%s" : " %s", name);
    }
    char expected[TEXT_SIZE];
    char actual[TEXT_SIZE];
    sort_words(statement->expected, expected);
    sort_words(targets, actual);
    return compare(statement, &position, expected, actual);
}

static bool each_is(const struct statement *statement, const struct position *position, const char *moves,
                    bool legal)
{
    char uci[WORD_SIZE];
    while (next_word(&moves, uci)) {
        if ((given_move(position, uci) != MOVE_NONE) == legal)
            continue;
        board_print_failure(position, legal ? "legal" : "not legal", legal ? "not legal" : "legal", "%s: %s",
                            statement->text, uci);
        return false;
    }
    return true;
}

bool statement_legal(const struct statement *statement)
{
    struct position position = given_after(given_position(statement->fen), statement->moves);
    return each_is(statement, &position, statement->expected, true) &&
           each_is(statement, &position, statement->refused, false);
}

bool statement_board(const struct statement *statement)
{
    struct position position = given_after(given_position(statement->fen), statement->moves);
    char fen[FEN_SIZE];
    fen_format(&position, FEN_EN_PASSANT_LEGAL, fen);
    *strchr(fen, ' ') = 0;
    return compare(statement, &position, statement->expected, fen);
}

static void append(char state[TEXT_SIZE], bool holds, const char *words)
{
    size_t used = strlen(state);
    if (holds)
        (void)snprintf(state + used, TEXT_SIZE - used, used ? " %s" : "%s", words);
}

static void describe(const struct given_game *game, char state[TEXT_SIZE])
{
    static const char *const names[ENDING_COUNT] = {"",         "checkmate",   "stalemate", "dead position",
                                                    "fivefold", "seventy-five"};
    struct endings endings = given_game_endings(game);
    struct key_history history = given_game_history(game);
    unsigned claims = claim_now(&game->position, &history);
    unsigned checkers = bitboard_count(position_checkers(&game->position));
    bool over = endings.first != ENDING_NONE;
    *state = 0;
    append(state, checkers > 0, checkers == 2 ? "double check" : "check");
    append(state, over, names[endings.first]);
    append(state, !over && (claims >> CLAIM_THREEFOLD & 1u), "may claim threefold");
    append(state, !over && (claims >> CLAIM_FIFTY & 1u), "may claim fifty");
}

bool statement_state(const struct statement *statement)
{
    struct position start = given_position(statement->fen);
    struct given_game game;
    char state[TEXT_SIZE];
    given_game_start(&game, &start);
    given_game_play_line(&game, statement->moves);
    describe(&game, state);
    return compare(statement, &game.position, statement->expected, state);
}

bool statement_written(const struct statement *statement)
{
    struct position position = given_position(statement->fen);
    char san[NOTATION_SAN_SIZE];
    move m = given_move(&position, statement->moves);
    assert_true(m != MOVE_NONE);
    notation_format_san(&position, m, san);
    return compare(statement, &position, statement->expected, san);
}

bool statement_read(const struct statement *statement)
{
    struct position position = given_position(statement->fen);
    struct reading reading;
    char uci[NOTATION_UCI_SIZE] = "none";
    notation_read(&position, statement->moves, strlen(statement->moves), NOTATION_ANY, NOTATION_LENIENT,
                  PIECE_NONE, &reading);
    if (reading.status == READING_OK)
        notation_format_uci(&position, reading.move, uci);
    return compare(statement, &position, statement->expected, uci);
}

/* ---- with the colours changed ---- */

static void swap_case(char *text)
{
    for (; *text; text++) {
        if (isupper((unsigned char)*text))
            *text = (char)tolower((unsigned char)*text);
        else
            *text = (char)toupper((unsigned char)*text);
    }
}

/* The ranks in the other order, the men in the other colour. */
static void mirror_board(const char *board, char mirrored[TEXT_SIZE])
{
    char r[8][9];
    int read = sscanf(board, "%8[^/]/%8[^/]/%8[^/]/%8[^/]/%8[^/]/%8[^/]/%8[^/]/%8[^/]", r[0], r[1], r[2],
                      r[3], r[4], r[5], r[6], r[7]);
    assert_int_equal(read, 8);
    (void)snprintf(mirrored, TEXT_SIZE, "%s/%s/%s/%s/%s/%s/%s/%s", r[7], r[6], r[5], r[4], r[3], r[2], r[1],
                   r[0]);
    swap_case(mirrored);
}

/* Squares and moves: rank 1 is rank 8. Words have no digits. */
static void mirror_ranks(const char *text, char mirrored[TEXT_SIZE])
{
    (void)snprintf(mirrored, TEXT_SIZE, "%s", text);
    for (char *c = mirrored; *c; c++)
        if (*c >= '1' && *c <= '8')
            *c = (char)('1' + '8' - *c);
}

static void mirror_fen(const char *fen, char mirrored[TEXT_SIZE])
{
    char fields[4][80];
    char board[TEXT_SIZE];
    char en_passant[TEXT_SIZE];
    int used = 0;
    int read = sscanf(fen, "%79s %79s %79s %79s%n", fields[0], fields[1], fields[2], fields[3], &used);
    assert_int_equal(read, 4);
    mirror_board(fields[0], board);
    swap_case(fields[2]);
    mirror_ranks(fields[3], en_passant);
    (void)snprintf(mirrored, TEXT_SIZE, "%.80s %c %s %.2s%s", board, fields[1][0] == 'w' ? 'b' : 'w',
                   fields[2], en_passant, fen + used);
}

static bool holds_with_colours_changed(const struct statement *statement)
{
    char fen[TEXT_SIZE];
    char moves[TEXT_SIZE];
    char expected[TEXT_SIZE];
    char refused[TEXT_SIZE];
    struct statement mirrored = {statement->text, statement->check, fen, moves, expected, refused};
    mirror_fen(statement->fen, fen);
    mirror_ranks(statement->moves, moves);
    mirror_ranks(statement->refused ? statement->refused : "", refused);
    if (statement->check == statement_board)
        mirror_board(statement->expected, expected);
    else
        mirror_ranks(statement->expected, expected);
    return mirrored.check(&mirrored);
}

void statement_holds(void **state)
{
    const struct statement *statement = *state;
    bool as_written = statement->check(statement);
    bool with_colours_changed = holds_with_colours_changed(statement);
    assert_true(as_written);
    assert_true(with_colours_changed);
}
