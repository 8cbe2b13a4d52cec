/* limits: everything a client can grow, in one table. GET /v1/limits prints it, options set it; those that
 * nothing sets stand below it there (about.c).
 *
 * Layer: api. X(name, default, minimum, maximum, unit, sentence). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "games/games.h"

#define API_LIMITS(X)                                                                                        \
    X(body_bytes, 65536, 1024, 16777216, "bytes", "The longest request body that can bring no PGN.")         \
    X(pgn_bytes, 1048576, 1024, 67108864, "bytes",                                                           \
      "The longest PGN of a game to be created, by itself or with the fields it is among.")                  \
    X(pgn_import_bytes, 16777216, 1024, 67108864, "bytes",                                                   \
      "The longest PGN of many games, to be imported or validated.")                                         \
    X(pgn_games, 50000, 1, 1000000, "games", "The most games of one PGN.")                                   \
    X(target_bytes, 4096, 256, 8192, "bytes", "The longest request target: path and query.")                 \
    X(head_bytes, 8192, 1024, 8192, "bytes", "The longest request head: request line and header fields.")    \
    X(header_fields, 64, 8, 128, "fields", "The most header fields of a request.")                           \
    X(json_depth, 16, 4, 64, "levels", "The deepest nesting of a JSON body.")                                \
    X(name_bytes, 64, 8, 256, "bytes", "The longest player name, in UTF-8.")                                 \
    X(comment_bytes, 512, 16, 4096, "bytes", "The longest comment on a move, in UTF-8.")                     \
    X(metadata_bytes, 4096, 64, 65536, "bytes", "The longest metadata object, as compact JSON.")             \
    X(plies, GAMES_PLIES, 100, GAME_PLIES_LIMIT, "plies", "The most half-moves of one game.")                \
    X(moves_per_request, 1000, 1, 20000, "moves", "The most moves in one request.")                          \
    X(page_default, 50, 1, 500, "items",                                                                     \
      "Items of a page where `limit` is not given; never more than `page_maximum`.")                         \
    X(page_maximum, 500, 1, 1000, "items", "The most items of a page.")                                      \
    X(perft_nodes, 50000000, 1000, 10000000000, "nodes", "The most nodes a perft request may count.")        \
    X(perft_depth, 15, 1, 20, "plies", "The deepest perft.")                                                 \
    X(batch_bytes, 1048576, 1024, 16777216, "bytes", "The longest body of a batch of positions.")            \
    X(batch_lines, 1000, 1, 100000, "lines", "The most lines of a batch of positions.")                      \
    X(batch_ms, 5000, 0, 60000, "milliseconds",                                                              \
      "The time after which a batch of positions begins no further line.")                                   \
    X(batch_answer_bytes, 16777216, 1024, 268435456, "bytes",                                                \
      "The length of the answer after which a batch of positions begins no further line.")                   \
    X(board_size_min, 80, 40, 400, "pixels", "The smallest board picture.")                                  \
    X(board_size_max, 2000, 400, 4000, "pixels", "The largest board picture.")                               \
    X(board_marks, 64, 0, 64, "marks", "The most arrows of a board picture, and the most marked squares.")   \
    X(answer_cache_bytes, 8388608, 0, 1073741824, "bytes", "Memory for answers that were rendered before.")  \
    X(picture_cache_bytes, 16777216, 0, 1073741824, "bytes", "Memory for pictures that were drawn before.")  \
    X(winnable_nodes, 190000, 1000, 2000000, "nodes",                                                        \
      "The most positions that the question who can still win looks at.")                                    \
    X(stream_tickets, 4096, 16, 65536, "tickets",                                                            \
      "The most tickets for event streams that wait to be used; of more the oldest die.")                    \
    X(rate_moves, 120, 1, 1000000, "requests",                                                               \
      "The most moves and other changes of games that an address may send in a minute.")                     \
    X(rate_creates, 60, 1, 1000000, "requests",                                                              \
      "The most requests of an address for new games in a minute.")                                          \
    X(rate_reads, 1200, 1, 1000000, "requests", "The most reads of an address in a minute.")                 \
    X(rate_heavy, 60, 1, 1000000, "requests",                                                                \
      "The most long computations and drawn pictures of an address in a minute.")                            \
    X(rate_clients, 65536, 1, 1000000, "addresses",                                                          \
      "The most addresses whose requests are counted; the one that was away longest is forgotten.")          \
    X(idempotency_ms, GAMES_RECEIPTS_MS, 1000, 604800000, "milliseconds",                                    \
      "How long the answer to a request with an Idempotency-Key is kept at least, while the service runs.")  \
    X(streams, 12000, 1, 1000000, "streams", "The most event streams that are open at one time.")            \
    X(streams_per_client, 8, 1, 1000000, "streams",                                                          \
      "The most open event streams of a token, or else of an address, where the service counts them.")       \
    X(streams_per_address, 1000, 1, 1000000, "streams",                                                      \
      "The most open event streams of an address, whatever tokens they have; counted where those are.")      \
    X(stream_games, 50, 1, 200, "games", "The most games of one event stream.")                              \
    X(stream_backlog, GAMES_EVENTS_BACKLOG, 4, 100000, "events",                                             \
      "The most events that wait for a client that is slow; its stream is cut, and goes on with its "        \
      "cursor.")                                                                                             \
    X(events_catchup, GAMES_EVENTS_CATCHUP, 1, 1000000, "events",                                            \
      "How many events a cursor may lie behind; a snapshot stands for more.")                                \
    X(events_bytes, GAMES_EVENTS_BYTES, 65536, 17179869184, "bytes",                                         \
      "The memory of all events that wait for their clients.")                                               \
    X(heartbeat_ms, 15000, 100, 600000, "milliseconds",                                                      \
      "An event stream on which nothing is told says that it lives, so often.")                              \
    X(poll_wait_s, 60, 1, 600, "seconds", "The longest `wait` of a long poll for events.")                   \
    X(request_ms, 15000, 1000, 600000, "milliseconds",                                                       \
      "The time for a request to arrive, from its first line to its last byte; for the first one of a "      \
      "connection from the opening, but a third of it at least is left after that line. Its answer has as "  \
      "long to be taken.")

struct api_limits {
#define API_LIMITS_MEMBER(name, initial, minimum, maximum, unit, sentence) int64_t name;
    API_LIMITS(API_LIMITS_MEMBER)
#undef API_LIMITS_MEMBER
};

/* All defaults. */
struct api_limits api_limits_default(void);

/* The limit at that offset in struct api_limits: how tables name one. */
int64_t api_limit_at(const struct api_limits *limits, size_t offset);
