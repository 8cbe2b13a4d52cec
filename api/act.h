/* act: from a handler to the games and back.
 *
 * Layer: api. Reading: game_get calls a view of the committed game. Acting: a handler fills an action, says
 * how the answer is written, and returns act_run(); the answer is rendered before the log has it and sent
 * only when it does. */
#pragma once

#include "api/exchange.h"
#include "api/problem.h"
#include "games/games.h"

/* What a view writes: the whole response. */
typedef void (*game_reader)(void *exchange, const struct game *game);

/* games_view of the game of the path, which is not there for who may not read it: the only way of the api to see one. */
enum games_status game_view(struct exchange *exchange, void (*view)(void *context, const struct game *game),
                            void *context);
/* GAMES_OK: any game has that id, whoever may read it; nothing of it is shown. */
enum games_status game_is_there(struct exchange *exchange, const char *id);

/* Calls `read` with the game of the path, or answers 304 where If-None-Match names it as it is (api/etag.h). A missing
 * game is 404, a cold one API_BLOCKS. */
enum api_result game_get(struct exchange *exchange, game_reader read);
/* The same for an answer that is rendered once and kept (api/answers.h). */
enum api_result game_get_kept(struct exchange *exchange, game_reader read);
/* After reply_begin of a game's representation: ETag, and Cache-Control as the game is over or goes on (API
 * 7). */
void game_headers(struct exchange *exchange, const struct game *game);
/* 304 with these header fields, which are those of the 200 (RFC 9110 15.4.5). */
enum api_result game_not_modified(struct exchange *exchange, const struct game *game);

struct act;
/* Writes the successful answer: ACTION_DONE or ACTION_REPLAYED. `game`: as it will be. */
typedef void (*act_answer)(struct act *act, const struct game *game);

/* Writes one line of text, newline included, of a game that goes on. */
typedef void (*game_line)(struct writer *text, const struct game *game);

/* Writes the refusal of an action in the handler's own words; false: nothing was written, the usual ones do. */
typedef bool (*act_refusal)(struct act *act, const struct game *game);

/* So many moves are judged on a thread that waits for disks; more are long work: API_WORKS. GAMES_MOVES_AT_ONCE are judged on
 * a network thread. */
enum { ACT_MOVES_IN_TURN = 200 };

/* One action under way; lives in the arena. */
struct act {
    struct action action; /* filled by the handler */
    struct exchange *exchange;
    act_answer answer;        /* act_answer_game, unless the handler has its own */
    unsigned status;          /* of act_answer_game: 200, unless the handler sets it */
    game_line line;           /* likewise; NULL: the status of the game */
    act_refusal refuse;       /* NULL: the usual */
    void *belongings;         /* the handler's, for its callbacks */
    const char *const *texts; /* of the moves as they were sent, for problems; NULL: squares */
    const char *pointer; /* of the one move in the body ("/move"); NULL: none. Several: "/moves/<index>" */
    bool several;
};

/* A zeroed action of that kind for the game of the path, If-Match read. NULL: the response is a problem. */
struct act *act_begin(struct exchange *exchange, enum action_kind kind);
/* Runs it. The result is the handler's. */
enum api_result act_run(struct act *act);

/* Both, for an action that is told nothing but the side it is for: the member `color`, or a bare text. */
enum api_result act_for_side(struct exchange *exchange, enum action_kind kind, unsigned status,
                             game_line line);
/* Both, for an action that is told nothing at all. */
enum api_result act_without_input(struct exchange *exchange, enum action_kind kind);

/* A problem with the member `game`. */
enum api_result game_problem(struct exchange *exchange, enum problem_code code, const char *detail,
                             const struct game *game);
/* The faults that have no game to show. */
enum api_result games_fault(struct exchange *exchange, enum games_status status);
/* The same of an action: an outcome that is a fault. */
void act_fault(struct exchange *exchange, enum action_outcome outcome);

/* The answer of what makes a game: 201, Location, and the Game; as text its id, and a line a token. */
void act_answer_created(struct act *act, const struct game *game);
/* The answer of most actions: {game, server_time} with act->status, 200 for a repeat. As text one line: how the game
 * ended, or act->line while it goes on. */
void act_answer_game(struct act *act, const struct game *game);
/* The end of an action's answer: "server_time", and the end of the object. */
void act_answer_end(struct act *act);
/* Prefer: return=minimal (RFC 7240). */
bool act_wants_minimal(const struct exchange *exchange);
