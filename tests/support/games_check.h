/* check: the laws of one game, held against what the log says and against a plain replay of its moves.
 *
 * For tests of games. */
#pragma once

#include "storage/storage.h"
#include "tests/support/games_snapshot.h"

enum { CHECK_TEXT_SIZE = 160 };

/* What is wrong with a game, as a sentence in `text`; false where nothing is. Holds:
 *   the position, the keys that may come again and the numbers of repetition follow from the moves, square by
 *   square and without keys; its parts fit each other (games_laws.h);
 *   the log has one row a version, its times do not fall, and the columns of lists and the rows of the moves
 * in force say the same as the game, the clocks too. From any thread. */
bool check_finds_fault(struct storage *storage, const struct snapshot *snapshot, char text[CHECK_TEXT_SIZE]);
