#include "games/clock.h"

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static const struct time_stage *stage_at(const struct time_control *control, unsigned stage)
{
    return &control->stages[stage < control->stage_count ? stage : control->stage_count - 1U];
}

/* The part of `elapsed_ms` that the clock runs. */
static int64_t counted_ms(const struct time_control *control, int64_t elapsed_ms)
{
    int64_t free_ms = control->mode == TIME_DELAY ? control->delay_ms : 0;
    return elapsed_ms > free_ms ? elapsed_ms - free_ms : 0;
}

void clock_begin(struct clock *clock, const struct time_control *control)
{
    int64_t first_ms = (int64_t)control->stages[0].time_ms + control->bank_ms;
    clock->control = *control;
    for (unsigned color = 0; color < COLOR_COUNT; color++)
        clock->remaining_ms[color] = least(first_ms, CLOCK_MS_MAX);
}

int64_t clock_allowed_ms(const struct clock *clock, enum color color)
{
    int64_t remaining_ms = clock->remaining_ms[color];
    if (remaining_ms > 0 && clock->control.mode == TIME_DELAY)
        remaining_ms += clock->control.delay_ms;
    return remaining_ms;
}

int64_t clock_shows_ms(const struct clock *clock, enum color color, int64_t elapsed_ms)
{
    int64_t remaining_ms = clock->remaining_ms[color];
    return remaining_ms - least(remaining_ms, counted_ms(&clock->control, elapsed_ms));
}

/* What a player who has `left_ms` of the time at the beginning of his move is given for having made it. */
static int64_t given_ms(const struct clock *clock, enum color color, unsigned made, int64_t left_ms)
{
    const struct time_control *control = &clock->control;
    int64_t used_ms = clock->remaining_ms[color] - left_ms;
    switch ((enum time_mode)control->mode) {
    case TIME_INCREMENT:
        return stage_at(control, clock_stage(control, made - 1))->increment_ms;
    case TIME_BRONSTEIN:
        return least(used_ms, control->delay_ms);
    case TIME_PER_MOVE:
        return least(used_ms, control->stages[0].time_ms);
    case TIME_DELAY:
    case TIME_MODE_COUNT:
        break;
    }
    return 0;
}

void clock_move(struct clock *clock, enum color color, unsigned made, int64_t elapsed_ms)
{
    int64_t left_ms = clock_shows_ms(clock, color, elapsed_ms);
    int64_t gift_ms = given_ms(clock, color, made, left_ms);
    clock->remaining_ms[color] = left_ms;
    if (left_ms == 0)
        return;
    clock_add(clock, color, gift_ms);
    clock_move_untimed(clock, color, made);
}

void clock_move_untimed(struct clock *clock, enum color color, unsigned made)
{
    const struct time_control *control = &clock->control;
    unsigned stage = clock_stage(control, made);
    if (stage != clock_stage(control, made - 1))
        clock_add(clock, color, stage_at(control, stage)->time_ms);
}

void clock_stop(struct clock *clock, enum color color, int64_t elapsed_ms)
{
    clock->remaining_ms[color] = clock_shows_ms(clock, color, elapsed_ms);
}

void clock_add(struct clock *clock, enum color color, int64_t ms)
{
    int64_t room_ms = CLOCK_MS_MAX - clock->remaining_ms[color];
    clock->remaining_ms[color] += least(ms, room_ms);
}

unsigned clock_stage(const struct time_control *control, unsigned made)
{
    unsigned last = control->stage_count - 1U;
    if (control->mode == TIME_PER_MOVE)
        return 0;
    for (unsigned i = 0; i < last; i++) {
        if (made < control->stages[i].moves)
            return i;
        made -= control->stages[i].moves;
    }
    return control->stages[last].moves ? last + made / control->stages[last].moves : last;
}
