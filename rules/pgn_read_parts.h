/* pgn_read_parts: what the parts of the PGN reader ask of one another.
 *
 * Layer: rules, private to rules/pgn_read*.c. Bytes go to lexemes, lexemes to tags and movetext, and those to the
 * game. */
#pragma once

#include "rules/pgn_read.h"

/* ---- pgn_read.c ---- */

/* The next byte, line ends as "\n"; reader->at is where it stands. */
void pgn_read_text(struct pgn_reader *reader, char c);

/* ---- pgn_read_lex.c ---- */

/* The same byte, in a line that is not escaped. */
void pgn_read_lex(struct pgn_reader *reader, char c);
/* Moves reader->at on over a byte. */
void pgn_read_lex_advance(struct pgn_reader *reader, char c);
/* A lexeme has ended: white space or another one comes. */
void pgn_read_lex_go_on(struct pgn_reader *reader);
/* The text ends: what is open is closed, or is a fault. */
void pgn_read_lex_end(struct pgn_reader *reader);
/* White space within a line, the end-of-file mark of DOS among it. */
bool pgn_read_lex_is_blank(char c);

/* ---- pgn_read_comment.c ---- */

/* PGN_BRACES or PGN_REST_OF_LINE, from reader->at on. */
void pgn_read_comment_open(struct pgn_reader *reader, enum pgn_lexeme kind);
/* The next byte of one of either kind, and of one that was too long. */
void pgn_read_comment_braces(struct pgn_reader *reader, char c);
void pgn_read_comment_rest_of_line(struct pgn_reader *reader, char c);
void pgn_read_comment_lost(struct pgn_reader *reader, char c);
/* Takes bytes of a comment in braces that need no more than to be kept, as many as there are; returns their
 * number. */
size_t pgn_read_comment_plain(struct pgn_reader *reader, const char *bytes, size_t length);
/* The text ends in braces. */
void pgn_read_comment_end(struct pgn_reader *reader);

/* ---- pgn_read_pair.c ---- */

/* A bracket at reader->at. `lost`: in a comment that was never closed. */
void pgn_read_pair_open(struct pgn_reader *reader, bool lost);
/* The next byte of a name or a value, or behind a backslash or a quote. */
void pgn_read_pair_name(struct pgn_reader *reader, char c);
void pgn_read_pair_value(struct pgn_reader *reader, char c);
void pgn_read_pair_escape(struct pgn_reader *reader, char c);
void pgn_read_pair_quote(struct pgn_reader *reader, char c);
/* It is no pair: what stands behind its bracket and its name is read as something else, from `c` on. */
void pgn_read_pair_leave(struct pgn_reader *reader, char c);
/* The pair ends without a bracket. */
void pgn_read_pair_end(struct pgn_reader *reader);
/* PGN standard 7: what a symbol is made of. */
bool pgn_read_pair_is_name(char c);

/* ---- pgn_read_game.c ---- */

void pgn_read_game_begin(struct pgn_reader *reader, struct pgn_point at);
/* Movetext begins, where it has not: a game if there is none, its first position, the comments before it. */
void pgn_read_game_start(struct pgn_reader *reader);
/* The result marker in reader->token. */
void pgn_read_game_mark(struct pgn_reader *reader, enum pgn_result marker);
/* The end of the game that is read, if one is. */
void pgn_read_game_finish(struct pgn_reader *reader);
/* An error makes the game not good (a game begins, if there is none). Of its movetext only the first one is
 * told. `detail` is static. */
void pgn_read_game_error(struct pgn_reader *reader, enum pgn_fault_code code, struct pgn_point at,
                         const char *token, const char *detail);
void pgn_read_game_warn(struct pgn_reader *reader, enum pgn_fault_code code, struct pgn_point at,
                        const char *token, const char *detail);
/* A fault of the text as a whole. */
void pgn_read_game_refuse_text(struct pgn_reader *reader, enum pgn_fault_code code, const char *detail);

/* ---- pgn_read_tags.c ---- */

/* A tag with the name in reader->token comes at reader->begun: it belongs to this game, or begins the next. */
void pgn_read_tags_begin(struct pgn_reader *reader, bool apart, bool lost);
/* The pair of reader->token and reader->value is complete. */
void pgn_read_tags_pair(struct pgn_reader *reader);
/* The position that the tags ask for. False: they name none, and that is told. */
bool pgn_read_tags_position(struct pgn_reader *reader, struct position *position);
/* "1-0" and its like; false where it is no result. */
bool pgn_read_tags_result(const char *text, size_t length, enum pgn_result *result);

/* ---- pgn_read_moves.c ---- */

/* reader->token at reader->begun: a number, a move, a glyph, a result. */
void pgn_read_moves_token(struct pgn_reader *reader);
/* reader->comment from reader->comment_at. */
void pgn_read_moves_comment(struct pgn_reader *reader);
/* "(" and ")" at reader->begun. */
void pgn_read_moves_open(struct pgn_reader *reader);
void pgn_read_moves_close(struct pgn_reader *reader);
