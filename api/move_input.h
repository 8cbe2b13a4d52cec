/* move_input: the move or moves that a request brings, in any of the forms of API 4.2.
 *
 * Layer: api. JSON or form fields (`move`, or `san`, or `uci`, or `from` + `to` + `promotion`; `moves` for
 * several), or a bare body that is the move. Memory: the arena. */
#pragma once

#include "games/action.h"

struct exchange;

enum { MOVE_TEXT_MAX = 512 }; /* bytes of a move as text */

struct move_request {
    struct move_input *moves;
    const char **texts; /* as sent; an item is NULL where squares were */
    size_t count;
    const char *pointer; /* JSON pointer of the move, or of the array; NULL for a bare body */
    bool several;        /* they came as `moves` */
    uint32_t ply;        /* expected; 0: none given */
};

/* `several_allowed`: `moves` is taken. False: the response is a problem. */
bool move_request_read(struct exchange *exchange, bool several_allowed, struct move_request *request);

/* One move as text, lenient, of any form; with the mark "(=)" it offers a draw. */
struct move_input move_input_text(const char *text, size_t length);
