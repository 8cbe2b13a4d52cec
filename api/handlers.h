/* handlers: every operation of the api. The names are the operationIds of openapi.yaml in snake_case.
 *
 * Layer: api. What a handler may do: api/exchange.h. Which request leads to which: api/routes.c. */
#pragma once

#include "api/http.h"

struct exchange;

/* Service: about.c, documents.c, health.c */
enum api_result get_help(struct exchange *exchange);
enum api_result get_docs(struct exchange *exchange);
enum api_result get_asset(struct exchange *exchange);
enum api_result get_index(struct exchange *exchange);
enum api_result get_limits(struct exchange *exchange);
enum api_result list_problems(struct exchange *exchange);
enum api_result get_problem(struct exchange *exchange);
enum api_result get_openapi_yaml(struct exchange *exchange);
enum api_result get_openapi_json(struct exchange *exchange);
enum api_result get_health(struct exchange *exchange);
enum api_result get_readiness(struct exchange *exchange);
enum api_result get_metrics(struct exchange *exchange);
enum api_result get_version(struct exchange *exchange);

/* Positions without a game: positions.c, lines.c, winnable.c, perft.c */
enum api_result get_position(struct exchange *exchange);
enum api_result list_position_legal_moves(struct exchange *exchange);
enum api_result get_position_board(struct exchange *exchange);
enum api_result get_position_board_picture(struct exchange *exchange);
enum api_result play_line(struct exchange *exchange);
enum api_result validate_position(struct exchange *exchange);
enum api_result decide_winnable(struct exchange *exchange);
enum api_result get_perft(struct exchange *exchange);
enum api_result run_batch(struct exchange *exchange);
enum api_result get_chess960_position(struct exchange *exchange);

/* PGN without a game: pgn_check.c, pgn_import.c */
enum api_result validate_pgn(struct exchange *exchange);
enum api_result import_pgn(struct exchange *exchange);

/* Games */
enum api_result create_game(struct exchange *exchange);
enum api_result list_games(struct exchange *exchange);
enum api_result get_game(struct exchange *exchange);
enum api_result update_game(struct exchange *exchange);
enum api_result delete_game(struct exchange *exchange);
enum api_result get_game_status(struct exchange *exchange);
enum api_result get_game_pgn(struct exchange *exchange);
enum api_result get_game_fen(struct exchange *exchange);
enum api_result fork_game(struct exchange *exchange);

/* Moves */
enum api_result play_move(struct exchange *exchange);
enum api_result put_move(struct exchange *exchange);
enum api_result list_moves(struct exchange *exchange);
enum api_result get_move(struct exchange *exchange);
enum api_result list_legal_moves(struct exchange *exchange);
enum api_result undo_moves(struct exchange *exchange);

/* Board and position of a game */
enum api_result get_board(struct exchange *exchange);
enum api_result get_board_picture(struct exchange *exchange);
enum api_result get_game_position(struct exchange *exchange);
enum api_result list_repetitions(struct exchange *exchange);

/* Ends of a game: draws.c, ends.c */
enum api_result get_draw(struct exchange *exchange);
enum api_result claim_draw(struct exchange *exchange);
enum api_result offer_draw(struct exchange *exchange);
enum api_result accept_draw(struct exchange *exchange);
enum api_result decline_draw(struct exchange *exchange);
enum api_result resign_game(struct exchange *exchange);
enum api_result abort_game(struct exchange *exchange);
enum api_result adjudicate_game(struct exchange *exchange);
enum api_result report_illegal_move(struct exchange *exchange);

/* Taking moves back: takebacks.c */
enum api_result request_takeback(struct exchange *exchange);
enum api_result withdraw_takeback(struct exchange *exchange);
enum api_result accept_takeback(struct exchange *exchange);
enum api_result decline_takeback(struct exchange *exchange);

/* Seats: seats.c */
enum api_result get_seats(struct exchange *exchange);
enum api_result take_seat(struct exchange *exchange);
enum api_result leave_seat(struct exchange *exchange);
enum api_result renew_token(struct exchange *exchange);
enum api_result create_stream_ticket(struct exchange *exchange);

/* Events: events.c */
enum api_result stream_events(struct exchange *exchange);
enum api_result stream_many_events(struct exchange *exchange);

/* Clocks: clocks.c */
enum api_result get_clock(struct exchange *exchange);
enum api_result add_time(struct exchange *exchange);
enum api_result flag_game(struct exchange *exchange);
