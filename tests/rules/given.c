#include "tests/rules/given.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "rules/notation.h"
#include "tests/rules/board_print.h"

static struct position parse(const char *fen, bool chess960)
{
    struct position position;
    struct setup_report report;
    if (!fen_parse(fen, strlen(fen), chess960, &position, &report))
        fail_msg("refused: %s", fen);
    return position;
}

struct position given_position(const char *fen)
{
    return parse(fen, false);
}

struct position given_chess960(const char *fen)
{
    return parse(fen, true);
}

move given_move(const struct position *position, const char *uci)
{
    struct reading reading;
    notation_read(position, uci, strlen(uci), NOTATION_UCI, NOTATION_STRICT, PIECE_NONE, &reading);
    if (reading.status != READING_OK)
        return MOVE_NONE;
    return reading.move;
}

/* Copies the first word of a line of moves; returns what follows it. */
static const char *next_move(const char *moves, char uci[NOTATION_UCI_SIZE])
{
    size_t length = strcspn(moves, " ");
    assert_in_range(length, 4, NOTATION_UCI_SIZE - 1);
    memcpy(uci, moves, length);
    uci[length] = 0;
    return moves + length + (moves[length] == ' ');
}

struct position given_after(struct position position, const char *moves)
{
    struct given_game game;
    given_game_start(&game, &position);
    given_game_play_line(&game, moves);
    return game.position;
}

void given_game_start(struct given_game *game, const struct position *position)
{
    game->position = *position;
    game->keys[0] = position->key;
    game->count = 1;
}

bool given_game_play(struct given_game *game, const char *uci)
{
    struct position before = game->position;
    move m = given_move(&before, uci);
    if (m == MOVE_NONE)
        return false;
    position_play(&before, m, &game->position);
    if (position_move_facts(&before, m).zeroing)
        game->count = 0;
    assert_in_range(game->count, 0, GIVEN_PLIES_MAX - 1);
    game->keys[game->count++] = game->position.key;
    return true;
}

void given_game_play_line(struct given_game *game, const char *moves)
{
    while (*moves) {
        char uci[NOTATION_UCI_SIZE];
        moves = next_move(moves, uci);
        if (given_game_play(game, uci))
            continue;
        board_print(&game->position);
        fail_msg("not a legal move: %s", uci);
    }
}

struct key_history given_game_history(const struct given_game *game)
{
    return (struct key_history){game->keys, game->count};
}

unsigned given_game_occurrences(const struct given_game *game)
{
    struct key_history history = given_game_history(game);
    return key_history_count(&history, game->position.key);
}

struct endings given_game_endings(const struct given_game *game)
{
    const struct ending_rules rules = {.fivefold = true, .seventyfive = true, .dead = ENDING_DEAD_EXACT};
    return ending_judge(&game->position, movegen_count(&game->position), given_game_occurrences(game),
                        &rules);
}
