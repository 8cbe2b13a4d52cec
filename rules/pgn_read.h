/* pgn_read: games out of PGN, as a stream of bytes.
 *
 *     struct pgn_reader reader;                       the caller's memory, some 70 KiB, whatever comes in
 *     pgn_reader_init(&reader, &handler, &options);
 *     while (…)
 *         pgn_read(&reader, bytes, length);           pieces of any size, cut anywhere
 *     pgn_read_end(&reader);
 *
 * Layer: rules. No allocation. What is read is told to a handler, in this order:
 *
 *     game_begin  tag…  start  { move | comment | nag }…  game_end      and `fault` anywhere
 *
 * Lenient in notation, strict in legality: moves as notation_read reads them leniently; numbers of all kinds or
 * none; glyphs apart or glued; tags in one line or many, or none; blank lines anywhere or nowhere; CR, LF, CRLF;
 * a BOM; Latin-1. What has another meaning than its writer may have thought is a warning, what has none is an
 * error. A game with an error is not good: what is left of its movetext is skipped, and its game_end comes.
 * The next game is found behind a result marker, or at a tag pair that begins a line and is not in a comment;
 * at one in a comment that is never closed. In the line of a marker it is what begins with a number and its dots, or is a
 * legal first move; all else there is what somebody added to the result.
 *
 * Checkmate and stalemate end a game here; other ends are for the caller to judge, move by move.
 * Every text handed out is UTF-8 without control characters, NUL-terminated, and valid during the call only.
 * Source: PGN standard (1994) 3, 4.3, 5-8. What it leaves open is settled by the cases of kind pgn_import in
 * tests/data/rules.jsonl. */
#pragma once

#include <stddef.h>

#include "rules/fen.h"
#include "rules/position.h"

enum {
    PGN_TAG_NAME_MAX = 255,
    PGN_TAG_VALUE_MAX = 4096,  /* bytes, as written and as UTF-8 */
    PGN_TAGS_MAX = 160,        /* of a game */
    PGN_COMMENT_MAX = 1 << 15, /* bytes, as they are told; one that is longer was hardly ever closed */
    PGN_TOKEN_MAX = 255,       /* of movetext */
    PGN_PLIES_MAX = 20000,
    PGN_WARNINGS_MAX = 16, /* of a game; further ones are not told */
    PGN_ERRORS_MAX = 16,   /* of the tags of a game, likewise */
};

enum pgn_fault_code {
    PGN_FAULT_SYNTAX,
    PGN_FAULT_ENCODING,
    PGN_FAULT_EMPTY, /* no game in the whole text */
    PGN_FAULT_FEN,
    PGN_FAULT_VARIANT,
    PGN_FAULT_ILLEGAL_MOVE,
    PGN_FAULT_AMBIGUOUS_MOVE,
    PGN_FAULT_RESULT,
    PGN_FAULT_MOVES_AFTER_END, /* after checkmate or stalemate */
    PGN_FAULT_VARIATION,
    PGN_FAULT_CODE_COUNT
};
enum pgn_severity { PGN_ERROR, PGN_WARNING, PGN_SEVERITY_COUNT };

/* The names of API.md 4.7: "illegal_move"; "error", "warning". Static. */
const char *pgn_fault_code_name(enum pgn_fault_code code);
const char *pgn_severity_name(enum pgn_severity severity);

enum pgn_result {
    PGN_RESULT_UNKNOWN, /* "*" */
    PGN_RESULT_WHITE_WINS,
    PGN_RESULT_BLACK_WINS,
    PGN_RESULT_DRAW,
    PGN_RESULT_COUNT
};

/* "1-0". Static. */
const char *pgn_result_name(enum pgn_result result);

struct pgn_fault {
    enum pgn_fault_code code;
    enum pgn_severity severity;
    unsigned line;      /* from 1 */
    unsigned column;    /* from 1, in bytes as they came */
    unsigned ply;       /* from 1: the half-move that is wrong, or the one that would come next; 0 in tags */
    const char *token;  /* what stands there; "" where nothing is to be shown */
    const char *detail; /* one sentence for people; static */
};

/* Where a game stands. */
struct pgn_place {
    unsigned index; /* from 0, games with errors counted */
    unsigned line;  /* from 1: where its first tag or token stands */
};

struct pgn_tag {
    const char *name;
    const char *value; /* without escapes */
    unsigned line;
    bool repeated; /* the game has had a tag of this name: the last one counts; a warning comes besides */
};

struct pgn_move {
    unsigned ply; /* from 1 */
    move move;
    const struct position *before, *after;
    unsigned line, column; /* of its text */
};

/* Words parted by single blanks. "[%clk h:mm:ss]" is taken out; other commands stay in the text. One in the line of a
 * result marker behind it, or between a game and the tags of the next, is of no game and not told; comments before a
 * game's first token are told as one. */
struct pgn_comment {
    unsigned ply; /* of the move before it; 0: before the first move */
    const char *text;
    size_t length;    /* 0 where it was only a clock */
    int64_t clock_ms; /* the clock of who made that move, after it; -1: not said */
};

struct pgn_game {
    struct pgn_place place;
    bool good;      /* no error */
    bool tags_only; /* it has no movetext at all, not even a marker */
    unsigned plies; /* read; up to the error */
    /* What counts: mate or stalemate on the board; else the tag; else the marker. */
    enum pgn_result result;
    enum pgn_result tag, marker;    /* as written; PGN_RESULT_UNKNOWN where missing */
    bool marked;                    /* there is a marker */
    const struct position *initial; /* NULL where there is none: an error in the tags */
    const struct position *final;   /* NULL likewise */
};

/* Each returns whether to go on. False ends the reading: nothing more is told. NULL: not wanted. */
struct pgn_handler {
    void *context;
    bool (*game_begin)(void *context, const struct pgn_place *place);
    bool (*tag)(void *context, const struct pgn_tag *tag);
    bool (*start)(void *context,
                  const struct position *position); /* not for a game with an error in its tags */
    bool (*move)(void *context, const struct pgn_move *m);
    bool (*comment)(void *context, const struct pgn_comment *comment);
    bool (*nag)(void *context, unsigned ply, unsigned nag);      /* $0-$255, and glyphs that have a number */
    bool (*fault)(void *context, const struct pgn_fault *fault); /* outside a game: of the text as a whole */
    bool (*game_end)(void *context, const struct pgn_game *game);
};

struct pgn_options {
    bool chess960;   /* games whose tags do not name a variant are Chess960 */
    bool variations; /* moves of variations one level deep are checked; a wrong one is a warning */
};

/* Its members are its own. */
struct pgn_reader;

/* Both are copied; `options` may be NULL. */
void pgn_reader_init(struct pgn_reader *reader, const struct pgn_handler *handler,
                     const struct pgn_options *options);
/* False once the handler has stopped the reading. */
bool pgn_read(struct pgn_reader *reader, const char *bytes, size_t length);
/* The end of the text: ends the game begun. A text without a game is a fault of its own. */
bool pgn_read_end(struct pgn_reader *reader);

#include "rules/pgn_read_state.h"
