/* Handlers that do not exist yet: everything links. To be deleted. */
#include "api/handlers.h"
#include "api/problem.h"

#define PENDING(name)                                                                                        \
    enum api_result name(struct exchange *exchange)                                                          \
    {                                                                                                        \
        return problem_reply(exchange, PROBLEM_STORAGE_UNAVAILABLE, "This operation is not there yet.");     \
    }

PENDING(create_game)
PENDING(list_games)
PENDING(get_game)
PENDING(update_game)
PENDING(delete_game)
PENDING(get_game_status)
PENDING(get_game_pgn)
PENDING(get_game_fen)
PENDING(fork_game)
PENDING(play_move)
PENDING(put_move)
PENDING(list_moves)
PENDING(get_move)
PENDING(list_legal_moves)
PENDING(undo_moves)
PENDING(get_board)
PENDING(get_game_position)
PENDING(list_repetitions)
PENDING(get_draw)
PENDING(claim_draw)
PENDING(resign_game)
PENDING(abort_game)
