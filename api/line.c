#include "api/line.h"

#include <string.h>

static const char SEPARATORS[] = " \t\r\n,_";

/* Bytes of a move number at the start of a piece: digits and at least one point. */
static size_t number_length(const char *piece, size_t length)
{
    size_t digits = strspn(piece, "0123456789");
    size_t points = strspn(piece + digits, ".");
    if (digits == 0 || points == 0)
        return 0;
    return digits + points > length ? length : digits + points;
}

/* The move behind *at; what is nothing but a number is left out. */
static bool next_move(const char **at, struct text_span *token)
{
    struct text_span piece;
    while (text_next_piece(at, SEPARATORS, &piece)) {
        size_t skipped = number_length(piece.text, piece.length);
        *token = (struct text_span){piece.text + skipped, piece.length - skipped};
        if (token->length)
            return true;
    }
    return false;
}

size_t line_count(const char *text)
{
    size_t count = 0;
    struct text_span token;
    while (next_move(&text, &token))
        count++;
    return count;
}

const struct text_span *line_split(struct arena *arena, const char *text, size_t count)
{
    struct text_span *moves = arena_alloc(arena, count * sizeof *moves);
    for (size_t i = 0; moves && i < count && next_move(&text, &moves[i]); i++) {
        moves[i].text = arena_copy(arena, moves[i].text, moves[i].length);
        if (!moves[i].text)
            return NULL;
    }
    return moves;
}

bool line_begin(struct line *line, struct arena *arena, const struct position *start, size_t moves)
{
    *line = (struct line){.before = *start, .position = *start, .repetition = 1};
    line->keys = arena_alloc(arena, (moves + 1) * sizeof *line->keys);
    line->reading = arena_alloc(arena, sizeof *line->reading);
    if (!line->keys || !line->reading)
        return false;
    line->keys[0] = start->key;
    return true;
}

static unsigned count_occurrences(const struct line *line)
{
    unsigned count = 0;
    for (unsigned i = 0; i <= line->ply; i++)
        count += line->keys[i] == line->position.key;
    return count;
}

bool line_play(struct line *line, const struct text_span *token)
{
    notation_read(&line->position, token->text, token->length, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE,
                  line->reading);
    if (line->reading->status != READING_OK)
        return false;
    line->move = line->reading->move;
    line->before = line->position;
    position_play(&line->before, line->move, &line->position);
    line->keys[++line->ply] = line->position.key;
    line->repetition = count_occurrences(line);
    return true;
}
