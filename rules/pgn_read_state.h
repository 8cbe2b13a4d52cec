/* pgn_read_state: what a PGN reader remembers between two bytes.
 *
 * Layer: rules, private to rules/pgn_read*.c; its size is all that others see. */
#pragma once

#include "rules/pgn_read.h"

/* What the next byte is part of. */
enum pgn_lexeme {
    PGN_SPACE,
    PGN_TOKEN,
    PGN_PROMOTION,    /* "(" right behind a token: "e8(Q)", or a variation */
    PGN_BRACES,       /* { … } */
    PGN_REST_OF_LINE, /* ; … */
    PGN_BRACES_LOST,  /* too long: until a brace or a tag pair */
    PGN_LINE_LOST,    /* until the end of the line */
    PGN_TAG_NAME,
    PGN_TAG_VALUE,
    PGN_TAG_ESCAPE, /* a backslash was the last byte */
    PGN_TAG_QUOTE,  /* a quote was: the end, if a bracket follows */
    PGN_NOTHING,    /* none of it can be read */
    PGN_LEXEME_COUNT
};

enum pgn_section { PGN_BETWEEN_GAMES, PGN_TAGS, PGN_MOVETEXT };
enum pgn_variant { PGN_VARIANT_UNSAID, PGN_VARIANT_STANDARD, PGN_VARIANT_CHESS960 };

/* Bytes of a comment, as it is written and as it is told: with the blanks and the clock that a writer puts around it. */
enum { PGN_COMMENT_ROOM = PGN_COMMENT_MAX + 64 };

struct pgn_point {
    unsigned line, column;
};

struct pgn_reader {
    struct pgn_handler handler;
    struct pgn_options options;

    /* Bytes (pgn_read.c). */
    bool stopped;
    bool after_cr, escaped_line;
    uint8_t mark_length; /* bytes held back at the start of a line: they may be a byte order mark */
    char mark[3];
    struct pgn_point at;

    /* Lexemes (pgn_read_lex.c, pgn_read_comment.c, pgn_read_pair.c). */
    bool line_is_blank; /* nothing but white space so far */
    bool tag_apart;     /* an empty line stands before the tag */
    bool tag_lost;      /* it stands in a comment that was never closed */
    bool tag_named;     /* a blank stands behind its name */
    enum pgn_lexeme lexeme;
    unsigned line_ends;          /* since the last lexeme */
    struct pgn_point begun;      /* where the token or tag begins */
    struct pgn_point comment_at; /* where the comment does */
    const char *comment_sign;    /* "{" or ";" */
    size_t token_length;         /* PGN_TOKEN_MAX + 1: longer */
    size_t token_end;            /* PGN_PROMOTION: the token without the bracket and what follows */
    size_t value_length;         /* PGN_TAG_VALUE_MAX + 1: longer */
    size_t quote_blanks;         /* behind the quote */
    unsigned quote_line_ends;    /* likewise */
    size_t comment_length, comment_searched;

    /* The game (pgn_read_game.c, pgn_read_tags.c, pgn_read_moves.c). */
    struct pgn_game game;
    unsigned index; /* of the next game */
    enum pgn_section section;
    unsigned marker_line; /* of the last game's result marker; 0: none */
    unsigned warnings, errors;
    unsigned tag_count;
    bool started;            /* `start` was told */
    bool tagged;             /* it has a tag Result */
    bool both_lost;          /* which says "0-0" */
    bool is_set_up;          /* it has a tag SetUp that says 1 */
    bool move_due;           /* a number stands behind the last move, or there was none */
    bool variation_followed; /* the first level of the variation is legal so far */
    enum pgn_variant variant;
    struct pgn_point fen_at, result_at, variation_at;
    uint64_t depth;                   /* of variations */
    uint64_t tag_names[PGN_TAGS_MAX]; /* hashes */
    struct position initial, position;
    struct position previous;  /* before the last move */
    struct position variation; /* where the variation stands */
    size_t fen_length;         /* 0: no FEN; FEN_TEXT_MAX + 1: longer */
    size_t text_length;        /* text[0 … text_length] waits for the start */

    char token[PGN_TOKEN_MAX + 2]; /* or the name of a tag */
    char value[PGN_TAG_VALUE_MAX + 2];
    char fen[FEN_TEXT_MAX + 2];
    char comment[PGN_COMMENT_ROOM + 1]; /* as it came */
    char text[PGN_COMMENT_ROOM + 1];    /* as it is told */
};
