/* time_control: how much time a game gives to its players. A value; the state of a clock is games/clock.h.
 *
 * Layer: games. No allocation, no clock. All times are milliseconds; texts for people are in seconds.
 * Source: FIDE 6.3 (periods), III.3 (increment and delay); PGN standard 9.6.1 (TimeControl). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum time_mode {
    TIME_INCREMENT, /* added after each move */
    TIME_DELAY,     /* not counted at the beginning of each move ("US delay") */
    TIME_BRONSTEIN, /* given back after each move, as far as it was used */
    TIME_PER_MOVE,  /* each move has its own time; `bank_ms` is a reserve for the whole game */
    TIME_MODE_COUNT
};

enum {
    TIME_STAGES_MAX = 8,
    TIME_STAGE_MOVES_MAX = 1000,
    TIME_CONTROL_SIZE = 320, /* the longest text for the store, with its NUL */
    TIME_CONTROL_TAG_SIZE = 240,
    TIME_CONTROL_WORDS_SIZE = 960,
    TIME_CONTROL_TEXT_MAX = 240, /* longer texts of people are refused unread */
};

/* 31 days: no single time is longer. What a player saves up is cut at CLOCK_MS_MAX. (A macro, as tables name it, and
 * too large for an enum.) */
#define TIME_MS_MAX (UINT32_C(31) * 24 * 60 * 60 * 1000)

/* `moves` moves of each player in `time_ms`, with `increment_ms` for each; what is saved is carried over (6.3.1).
 * A last stage with `moves` is repeated; 0: all the rest of the game, in the last stage only. A later stage may bring
 * increments alone (`time_ms` 0); the first one begins with time. */
struct time_stage {
    uint32_t moves, time_ms, increment_ms;
};

struct time_control {
    uint8_t mode;        /* enum time_mode */
    uint8_t stage_count; /* at least 1; TIME_PER_MOVE: 1, with moves 1 and time_ms for each move */
    bool immediate;      /* the clock runs from the creation; else from the first move, which is untimed */
    uint32_t delay_ms;   /* TIME_DELAY, TIME_BRONSTEIN: at least 1; else 0 */
    uint32_t bank_ms;    /* TIME_PER_MOVE; else 0 */
    struct time_stage stages[TIME_STAGES_MAX];
};

/* "increment", "delay", "bronstein", "per_move"; NULL ends them. */
extern const char *const time_mode_words[TIME_MODE_COUNT + 1];
/* Of `immediate`: "first_move", "immediate"; NULL ends them. */
extern const char *const time_start_words[3];

enum time_fault {
    TIME_OK = 0,
    TIME_FAULT_SYNTAX,  /* the text cannot be read: `offset` */
    TIME_FAULT_RANGE,   /* a number is 0 where it may not be, or above its limit */
    TIME_FAULT_BLANK,   /* the same, for a blank */
    TIME_FAULT_STAGES,  /* no stage, too many, or not the one of TIME_PER_MOVE */
    TIME_FAULT_ENDLESS, /* a stage that follows one without a number of moves */
    TIME_FAULT_MODE,    /* a delay, bank or increment that this mode does not have, or one that it lacks */
};
/* One sentence. Static. */
const char *time_fault_text(enum time_fault fault);

/* Reads what people write, in seconds with up to three decimals, without blanks:
 *
 *     control = stage *(":" stage)
 *     stage   = [moves "/"] seconds [("+" / "d" / "b") seconds]
 *
 * "300", "300+3" (increment), "300d5" (delay), "300b5" (Bronstein), "40/7200:3600", "40/5400+30:1800+30". A delay
 * stands behind each stage or behind the last one, and is one for all. "1/86400", one move in one stage and no more, is
 * TIME_PER_MOVE; "1/60+0" is the same as an increment. "-", "?" and the sandclock "*180" of PGN are syntax faults.
 * TIME_OK: *control is whole, not `immediate`, without a bank. Else it is untouched and *offset is where reading could
 * not go on: the number out of range, the stage too many, the mark that does not fit. */
enum time_fault time_control_read(const char *text, size_t length, struct time_control *control,
                                  size_t *offset);

/* What is wrong with a control that was put together from numbers; TIME_OK: nothing. All below expect that. */
enum time_fault time_control_check(const struct time_control *control);

/* For the store: words and milliseconds; and back. The reader takes what the writer wrote, and nothing else. */
void time_control_format(const struct time_control *control, char text[TIME_CONTROL_SIZE]);
bool time_control_parse(const char *text, struct time_control *control);

/* The value of the PGN tag TimeControl: "40/7200:3600", "300+3"; a delay as people write it, behind each stage. Read
 * again it is the same control, but for the bank and the start, which have no form there. */
void time_control_format_tag(const struct time_control *control, char text[TIME_CONTROL_TAG_SIZE]);
/* For people: "5 minutes plus 3 seconds a move", "40 moves in 2 hours, then 1 hour for the rest of the game". When the
 * clock starts is not told. */
void time_control_format_words(const struct time_control *control, char text[TIME_CONTROL_WORDS_SIZE]);
