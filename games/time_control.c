#include "games/time_control.h"

const char *const time_mode_words[TIME_MODE_COUNT + 1] = {
    [TIME_INCREMENT] = "increment",
    [TIME_DELAY] = "delay",
    [TIME_BRONSTEIN] = "bronstein",
    [TIME_PER_MOVE] = "per_move",
};

const char *const time_start_words[3] = {[false] = "first_move", [true] = "immediate", NULL};

const char *time_fault_text(enum time_fault fault)
{
    static const char *const texts[] = {
        [TIME_OK] = "The time control holds.",
        [TIME_FAULT_SYNTAX] = "A time control is written in seconds, as 300, 300+3, 300d5 (delay), 300b5 "
                              "(Bronstein), 40/7200:3600 or 1/86400 (for each move).",
        [TIME_FAULT_RANGE] = "A number is 0 where it may not be, or above its limit: a stage has up to 1000 "
                             "moves, a time is up to 31 days.",
        [TIME_FAULT_BLANK] = "A time control has no blanks in it.",
        [TIME_FAULT_STAGES] = "There are 1 to 8 stages; time for each move has one stage of one move.",
        [TIME_FAULT_ENDLESS] =
            "Every stage but the last is for a number of moves, as the first one of 40/7200:3600.",
        [TIME_FAULT_MODE] = "The mode of the time control has no such delay, bank or increment, or lacks its "
                            "delay, which is one for all stages.",
    };
    return texts[fault];
}

static enum time_fault check_stage(const struct time_control *control, unsigned i)
{
    const struct time_stage *stage = &control->stages[i];
    bool last = i + 1U == control->stage_count;
    if (stage->moves == 0 && !last)
        return TIME_FAULT_ENDLESS;
    if (stage->moves > TIME_STAGE_MOVES_MAX || stage->time_ms > TIME_MS_MAX ||
        stage->increment_ms > TIME_MS_MAX)
        return TIME_FAULT_RANGE;
    if (stage->time_ms == 0 && (i == 0 || stage->increment_ms == 0))
        return TIME_FAULT_RANGE;
    if (stage->increment_ms > 0 && control->mode != TIME_INCREMENT)
        return TIME_FAULT_MODE;
    return TIME_OK;
}

static enum time_fault check_extras(const struct time_control *control)
{
    bool delays = control->mode == TIME_DELAY || control->mode == TIME_BRONSTEIN;
    if (control->delay_ms > TIME_MS_MAX || control->bank_ms > TIME_MS_MAX)
        return TIME_FAULT_RANGE;
    if (delays != (control->delay_ms > 0))
        return TIME_FAULT_MODE;
    if (control->bank_ms > 0 && control->mode != TIME_PER_MOVE)
        return TIME_FAULT_MODE;
    return TIME_OK;
}

enum time_fault time_control_check(const struct time_control *control)
{
    if (control->mode >= TIME_MODE_COUNT)
        return TIME_FAULT_MODE;
    if (control->stage_count == 0 || control->stage_count > TIME_STAGES_MAX)
        return TIME_FAULT_STAGES;
    if (control->mode == TIME_PER_MOVE && (control->stage_count != 1 || control->stages[0].moves != 1))
        return TIME_FAULT_STAGES;
    for (unsigned i = 0; i < control->stage_count; i++) {
        enum time_fault fault = check_stage(control, i);
        if (fault)
            return fault;
    }
    return check_extras(control);
}
