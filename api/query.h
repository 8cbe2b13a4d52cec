/* query: the query parameters of all routes, read and checked in one place.
 *
 * Layer: api. One enum, one table (query.c); a route lists which of them it takes, everything else is
 * refused with the nearest known name. Names that begin with "x_" are ignored. A parameter may be given
 * once, but for those that are lists.
 * Source: API 1, 4; the application/x-www-form-urlencoded part of the URL standard ("+" is a blank). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "rules/fen.h"

struct exchange;

enum query_parameter {
    QUERY_FEN,           /* text */
    QUERY_MOVES,         /* text */
    QUERY_VARIANT,       /* enum setup_variant */
    QUERY_FROM,          /* square */
    QUERY_TO,            /* square */
    QUERY_PIECE,         /* enum piece_type */
    QUERY_PLY,           /* integer >= 0 */
    QUERY_GROUP,         /* the word "dests": 0 */
    QUERY_DEPTH,         /* integer */
    QUERY_DIVIDE,        /* bool */
    QUERY_FEN_EP,        /* enum fen_en_passant */
    QUERY_ORIENTATION,   /* enum color */
    QUERY_STYLE,         /* enum board_style */
    QUERY_COORDINATES,   /* bool */
    QUERY_STATUS,        /* enum game_status */
    QUERY_PLAYER,        /* text */
    QUERY_SINCE,         /* Unix ms */
    QUERY_UNTIL,         /* Unix ms */
    QUERY_ORDER,         /* enum query_order */
    QUERY_LIMIT,         /* integer, 1 … limits.page_maximum */
    QUERY_CURSOR,        /* text */
    QUERY_FROM_PLY,      /* integer >= 0 */
    QUERY_MIN_COUNT,     /* integer >= 1 */
    QUERY_VALIDATE_ONLY, /* bool */
    QUERY_PROMOTION,     /* the word "auto": 0 */
    QUERY_COMMENTS,      /* bool */
    QUERY_TAGS,          /* bool */
    QUERY_CLOCKS,        /* bool */
    QUERY_DEAD_POSITION, /* enum ending_dead */
    QUERY_FIVEFOLD,      /* bool */
    QUERY_SEVENTYFIVE,   /* bool */
    QUERY_VISIBILITY,    /* enum game_visibility, not private */
    QUERY_SIZE,          /* integer, limits.board_size_min … board_size_max */
    QUERY_THEME,         /* enum picture_theme */
    QUERY_CHECK,         /* bool */
    QUERY_LAST_MOVE,     /* text: read by picture_input */
    QUERY_ARROWS,        /* text: likewise */
    QUERY_SQUARES,       /* text: likewise */
    QUERY_TARGETS,       /* square */
    QUERY_AFTER,         /* text: read by events.c */
    QUERY_WAIT,          /* integer, seconds, 0 … limits.poll_wait_s */
    QUERY_GAME,          /* text: ids with commas; may be given several times */
    QUERY_TICKET,        /* text */
    QUERY_COUNT
};

#define QUERY_BIT(parameter) (UINT64_C(1) << QUERY_##parameter)

enum query_order { QUERY_ORDER_ASC, QUERY_ORDER_DESC };

struct query_value {
    const char *text; /* decoded, trimmed, NUL-terminated; in the arena */
    size_t length;
    int64_t integer; /* integers; bool 0 or 1; words by index; squares; times in Unix ms */
};

struct query {
    uint64_t given; /* bit set over enum query_parameter */
    struct query_value values[QUERY_COUNT];
};

/* Reads the query part of the target (after the "?", undecoded; NULL or "" for none) into exchange->query.
 * `allowed`: bit set. False: the response is a problem. */
bool query_read(struct exchange *exchange, const char *text, uint64_t allowed);

bool query_has(const struct exchange *exchange, enum query_parameter parameter);
/* The value, or `otherwise` where it was not given. */
const char *query_text(const struct exchange *exchange, enum query_parameter parameter); /* NULL: not given */
int64_t query_integer(const struct exchange *exchange, enum query_parameter parameter, int64_t otherwise);
bool query_bool(const struct exchange *exchange, enum query_parameter parameter, bool otherwise);

/* limit, or limits.page_default, or limits.page_maximum where that is less. */
int64_t query_limit(const struct exchange *exchange);

/* fen_ep, or the usual. */
enum fen_en_passant query_en_passant(const struct exchange *exchange);

/* "from_ply". Static. */
const char *query_name(enum query_parameter parameter);
