/* pgn_intake: one game of a PGN, gathered from what a reader tells, as a create action takes it.
 *
 *     struct pgn_intake intake = {0};
 *     struct pgn_handler handler = pgn_intake_handler(&hooks);   hooks.intake = &intake, hooks.ended = …
 *     … pgn_read …                                    hooks.ended is called with each game
 *     pgn_intake_create(&intake, &action.create);     who took it over sets rules, access, visibility
 *     … games_act …, in render: pgn_intake_judge(&intake, &action, game)
 *     pgn_intake_finish(&intake);
 *
 * Layer: games, over rules. Memory: that of one game, used again for the next; texts and faults are bounded, so
 * that no input makes it grow without end. Threads: one at a time. Variations and NAGs are not kept.
 * Source: PGN standard 8; RULES D.3; FIDE 5.2.2, 9.6 (ends after which moves do not count). */
#pragma once

#include "games/action.h"
#include "games/payload.h"
#include "rules/pgn_read.h"

enum {
    PGN_INTAKE_FAULTS_MAX = PGN_WARNINGS_MAX + PGN_ERRORS_MAX + 8,
    /* Tags beside those that an export has of itself, so that what it writes can be read again. */
    PGN_INTAKE_TAGS_MAX = 128,
    /* Bytes of tags (repeated ones too), comments and tokens of one game; more are an error of it. */
    PGN_INTAKE_TEXT_MAX = 4 << 20,
};

struct pgn_intake_tag {
    const char *name, *value;
};

struct pgn_intake {
    struct pgn_place place;
    bool good;                      /* no error; what follows is a game to be created */
    bool has_start;                 /* initial and final are set; plies have been read up to an error */
    struct position initial, final; /* `final` is set at the end of the game */
    enum game_result result;        /* as tag, marker and mate have it */
    unsigned plies;
    struct move_input *moves;    /* of a good game: plies of them, known moves */
    struct pgn_intake_tag *tags; /* all of them, as written, in order; the last of repeated ones */
    size_t tag_count;
    size_t other_tag_count;  /* those beyond PGN_INTAKE_TAGS_MAX are refused */
    struct game_texts texts; /* of a good game: no metadata */
    struct pgn_fault faults[PGN_INTAKE_FAULTS_MAX];
    size_t fault_count;
    bool failed; /* memory is out: the handler has stopped the reading */

    /* Its own: */
    struct pgn_intake_spot *spots; /* one a move */
    size_t move_room, tag_room;
    char *text; /* all texts; text[0] is "" and stands for none */
    size_t text_length, text_room;
    uint32_t last_at; /* where the last of them begins */
    uint32_t *tag_at; /* name and value of each tag in `text` */
    uint32_t token_at[PGN_INTAKE_FAULTS_MAX];
    uint32_t comment_at; /* before the first move */
    unsigned result_line;
    char judged_token[NOTATION_SAN_SIZE];
    struct payload kept; /* texts.tags */
};

/* What a reader's handler works on. */
struct pgn_intake_hooks {
    struct pgn_intake *intake; /* the one that gathers; `ended` may put another in its place */
    void *owner;
    /* Each returns whether to go on; NULL: yes. */
    bool (*begun)(struct pgn_intake_hooks *hooks,
                  const struct pgn_place *place);  /* nothing is gathered yet */
    bool (*ended)(struct pgn_intake_hooks *hooks); /* not where memory is out */
    bool (*fault)(struct pgn_intake_hooks *hooks, const struct pgn_fault *fault); /* of the text as a whole */
    bool in_game;                                                                 /* its own */
};

/* `hooks` must outlive the reader. */
struct pgn_handler pgn_intake_handler(struct pgn_intake_hooks *hooks);

/* Sets start, moves and texts, which point into `intake`, and leaves the rest. Of a good game only. */
void pgn_intake_create(const struct pgn_intake *intake, struct action_create *create);

/* What the rules of the game make of it, told as faults; for the render callback of the create action. Moves behind
 * an end that comes by itself are an error, as are more half-moves than a game may have; a result that differs from
 * the one that the rules have decided is a warning, and theirs counts. The intake stays where it is from then on. */
void pgn_intake_judge(struct pgn_intake *intake, const struct action *action, const struct game *game);

/* Frees what only a large game needs; what was gathered is gone. Each game begins with this. */
void pgn_intake_trim(struct pgn_intake *intake);
/* Frees what it holds, and zeroes it. */
void pgn_intake_finish(struct pgn_intake *intake);
