/* view_game: the Game shape and its small forms (API 3).
 *
 * Layer: api. */
#pragma once

#include "api/json.h"
#include "games/action.h"
#include "rules/fen.h"

struct exchange;

/* "/v1/games/" and the id: where a game that is kept is found. */
enum { GAME_PATH_LENGTH = sizeof "/v1/games/" - 1 + GAME_ID_LENGTH };
static inline char *put_game_path(char *at, const struct game *game)
{
    return put_bytes(put_literal(at, "/v1/games/"), game->id, GAME_ID_LENGTH);
}

/* A whole Game object; `key` may be NULL. A game whose id is empty is kept nowhere: it has no address and no
 * links. */
void view_game(struct writer *json, const char *key, const struct exchange *exchange,
               const struct game *game);
/* Members of the open object: `move`, the Move object of the last move, and `game`, the Game, which has it too: it is
 * made once. */
void view_game_and_move(struct writer *json, const struct exchange *exchange, const struct game *game);
/* The Game that `action` has created, with its tokens, which are told here and nowhere else. */
void view_game_created(struct writer *json, const struct exchange *exchange, const struct game *game,
                       const struct action *action);
/* GET status: {status, result, winner, termination, turn, ply, version, check, clock}. */
void view_game_status(struct writer *json, const struct exchange *exchange, const struct game *game);
/* data.game of events: the same, fen, draw{offered_by, offered_at_ply} and takeback. `epoch_ms`: of the event. */
void view_game_state(struct writer *json, const char *key, const struct game *game, int64_t epoch_ms);
/* The member `game` of problems: {id, version, ply, status, result, termination, turn, fen}. */
void view_game_brief(struct writer *json, const struct game *game);
/* {offered_by, offered_at_ply}: members of the open object. */
void view_draw_offer(struct writer *json, const struct game *game);
/* The members of the draw object of the Game shape, or with every move that would allow a claim. */
void view_draw(struct writer *json, const struct game *game, bool with_moves);
/* GET draw as text: who offers one, what may be claimed now, and a line a move and reason that would allow a claim. */
void view_draw_text(struct writer *text, const struct game *game);
/* {reason, valid, count, plies[], halfmove_clock, move|null, stands_as_offer} */
void view_claim(struct writer *json, const char *key, const struct claim_verdict *verdict);

/* The result and how it came about, or the status, as one line of text. */
void view_result_line(struct writer *text, const struct game *game);
/* The FEN as one line of text. */
void view_fen_line(struct writer *text, const struct position *position, enum fen_en_passant en_passant);

/* The Move object of the last move in force; null at ply 0. */
void view_last_move(struct writer *json, const char *key, const struct game *game);
