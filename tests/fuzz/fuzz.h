/* fuzz: what holds for any input, as functions of bytes.
 *
 * Tests only. Each target reads an input as its reader would and checks round trips and invariants; where one
 * does not hold it says so and aborts. The same functions run in libFuzzer (`make fuzz`) and over the kept
 * inputs (tests/fuzz/test_corpus.c). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void fuzz_target(const uint8_t *data, size_t size);

/* A digit, then a FEN; an odd digit asks for Chess960. */
fuzz_target fuzz_fen;
/* A line with a FEN ("960 " before it asks for Chess960), then a line a move: a letter that chooses form, style
 * and default promotion, then the text. A move that can be read is played. */
fuzz_target fuzz_san;
/* A byte of options, a byte that chooses the pieces, a byte: the event to stop at; then PGN. */
fuzz_target fuzz_pgn;
/* A line with a time control, as people or the store write it; then a line an action on its clock, White and Black by
 * turns: 'm' and the milliseconds of a move, 'u' an untimed move, 'a' and a time given, 'f' a flag that falls, 'j' and a
 * number of moves to go on from. */
fuzz_target fuzz_clock;
/* A byte: how deep the nesting may be; then JSON. */
fuzz_target fuzz_json;
/* A byte: the kinds of body that are read; the rest of its line: Content-Type; then the body, read into a field of every
 * type. */
fuzz_target fuzz_fields;
/* Lines: the method, the target, Accept. */
fuzz_target fuzz_route;
/* Lines: Accept or Accept-Encoding, If-Match or If-None-Match. */
fuzz_target fuzz_accept;
/* Lines: the networks of trusted proxies, the address of the peer, Forwarded, X-Forwarded-For. */
fuzz_target fuzz_client;
/* What a column of the store may hold that is no move: a payload, the tags of a PGN, rule options, the digests of seats,
 * words. */
fuzz_target fuzz_stored;

/* A line with a FEN ("960 " before it asks for Chess960), then a line a move, as UCI writes it. */
fuzz_target fuzz_uci;
/* A config file; its first line is taken as a flag and as a variable too. */
fuzz_target fuzz_options;
/* A line: Authorization; then a file of operators' keys. */
fuzz_target fuzz_token;
/* How far a client has read, of one game or several; also as each kind of single value of a query. */
fuzz_target fuzz_cursor;
/* The head of a request as the library hands it out: a request line, then a line a field. */
fuzz_target fuzz_head;
/* Requests, one after the other, to a service with a store: "GET /v1/games/@" (the at sign is the id of the newest
 * game), a line a field, an empty line, the body, "--". */
fuzz_target fuzz_api;

#define FUZZ_CHECK(holds) ((holds) ? (void)0 : fuzz_fail(#holds, __FILE__, __LINE__))
_Noreturn void fuzz_fail(const char *what, const char *file, int line);

/* What every position that somebody hands out must be; also in check of its legal moves. */
struct position;
void fuzz_check_position(const struct position *position);
