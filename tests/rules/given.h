/* given: positions and games for tests, from FEN and UCI.
 *
 * Tests only. given_position and its like fail the running test when the text is refused. */
#pragma once

#include "rules/ending.h"

struct position given_position(const char *fen);
struct position given_chess960(const char *fen);
/* The legal move that exact UCI names, or MOVE_NONE. */
move given_move(const struct position *position, const char *uci);
/* After legal moves in UCI, parted by single blanks. */
struct position given_after(struct position position, const char *moves);

/* A game as far as 9.2, 9.3 and 9.6 ask for its past: the keys since the last pawn move or capture. */
enum { GIVEN_PLIES_MAX = 512 };

struct given_game {
    struct position position;
    uint64_t keys[GIVEN_PLIES_MAX];
    unsigned count;
};

void given_game_start(struct given_game *game, const struct position *position);
/* False, and nothing changes, where the move is not legal. */
bool given_game_play(struct given_game *game, const char *uci);
/* As given_after. */
void given_game_play_line(struct given_game *game, const char *moves);
struct key_history given_game_history(const struct given_game *game);
/* How often the present position has occurred. */
unsigned given_game_occurrences(const struct given_game *game);
/* What has ended it, with all automatic ends in force and dead positions as far as they are seen. */
struct endings given_game_endings(const struct given_game *game);
