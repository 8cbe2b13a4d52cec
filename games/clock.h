/* clock: the two clocks of a game. A value that an action changes; time itself comes from the caller.
 *
 * Layer: games. Times are milliseconds of the service time, which stands still while the service is down and never
 * looks at the wall clock. Between two actions nothing changes here: a running clock is what is kept, less what the
 * caller says has passed since.
 * Only one clock runs at a time, so two fallen flags whose order nobody knows (Guideline III.3.1.2) cannot come about.
 * Source: FIDE 6.2 (pressing), 6.3 (periods), 6.8 and 6.9 (flag fall). */
#pragma once

#include "games/time_control.h"
#include "rules/board.h"

/* No clock shows more: more than a month and a half, in 32 unsigned bits. */
#define CLOCK_MS_MAX INT64_C(4200000000)

/* No service lives longer, which are 285,000 years: what a store says beyond it is damage, and sums of times below it do
 * not overflow. */
#define SERVICE_MS_MAX (INT64_C(1) << 53)

/* Unix ms of 9999-12-31T23:59:59.999Z, the last time that RFC 3339 has words for. */
#define UNIX_MS_MAX INT64_C(253402300799999)

struct clock {
    struct time_control control;
    /* By colour, at the beginning of the move under way. TIME_PER_MOVE: the time for a move and what is left of the
     * bank. Above 0, but for a flag that fell: 0. */
    int64_t remaining_ms[COLOR_COUNT];
};

/* The times at the first move; `control` holds. */
void clock_begin(struct clock *clock, const struct time_control *control);

/* How long the player may think from the beginning of the move: what remains, and in TIME_DELAY the delay. 0: the flag
 * has fallen. */
int64_t clock_allowed_ms(const struct clock *clock, enum color color);

/* What the clock shows `elapsed_ms` (from 0) after the beginning of the move; it stands still during a delay. 0: the
 * flag has fallen, which is so from clock_allowed_ms on. */
int64_t clock_shows_ms(const struct clock *clock, enum color color, int64_t elapsed_ms);

/* `color` has completed its `made`-th move (1 is the first) in `elapsed_ms`, less than it was allowed: takes the time,
 * gives the increment of the stage in which the move was made, what Bronstein gives back, and the time of a stage that
 * begins. TIME_PER_MOVE: what a move took above its time is taken from the bank. Cut at CLOCK_MS_MAX. A move that took
 * all that it was allowed is given nothing: the flag has fallen. */
void clock_move(struct clock *clock, enum color color, unsigned made, int64_t elapsed_ms);
/* The same for the first move of a clock that starts with it: nothing is taken and no increment given; a stage that
 * begins gives its time. */
void clock_move_untimed(struct clock *clock, enum color color, unsigned made);

/* The game is over `elapsed_ms` into a move of `color`: its clock stays at what it shows. */
void clock_stop(struct clock *clock, enum color color, int64_t elapsed_ms);
/* Gives `ms` (from 0), as an arbiter does (6.10, 7.5.5, 9.5.3); cut at CLOCK_MS_MAX. TIME_PER_MOVE: to the bank. */
void clock_add(struct clock *clock, enum color color, int64_t ms);

/* The stage (from 0; a repeated last stage counts on) of a player who has completed `made` moves. TIME_PER_MOVE: 0. */
unsigned clock_stage(const struct time_control *control, unsigned made);
