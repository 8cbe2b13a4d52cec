#include "tests/games/random_controls.h"

/* From 1 to `most`; round numbers, the least and the most are common. */
static uint32_t some(struct random *random, uint32_t most)
{
    uint32_t value = 1 + random_below(random, most);
    switch (random_below(random, 6)) {
    case 0:
        return 1;
    case 1:
        return most;
    case 2:
        return value > 1000 ? value / 1000 * 1000 : value;
    case 3:
        return 1 + random_below(random, most < 10000 ? most : 10000);
    default:
        return value;
    }
}

static struct time_stage random_stage(struct random *random, const struct time_control *control,
                                      uint32_t most_ms, uint32_t most_moves)
{
    struct time_stage stage = {some(random, most_moves), some(random, most_ms), 0};
    if (control->mode == TIME_INCREMENT && random_chance(random, 60))
        stage.increment_ms = some(random, most_ms);
    if (control->stage_count > 0 && stage.increment_ms > 0 && random_chance(random, 20))
        stage.time_ms = 0;
    return stage;
}

struct time_control random_control(struct random *random, uint32_t most_ms, uint32_t most_moves)
{
    struct time_control control = {.mode = (uint8_t)random_below(random, TIME_MODE_COUNT),
                                   .immediate = random_chance(random, 50)};
    unsigned stages = random_chance(random, 40) ? 1 : 1 + random_below(random, TIME_STAGES_MAX);
    if (control.mode == TIME_PER_MOVE) {
        control.stage_count = 1;
        control.stages[0] = (struct time_stage){1, some(random, most_ms), 0};
        control.bank_ms = random_chance(random, 50) ? some(random, most_ms) : 0;
        return control;
    }
    if (control.mode != TIME_INCREMENT)
        control.delay_ms = some(random, most_ms);
    while (control.stage_count < stages) {
        control.stages[control.stage_count] = random_stage(random, &control, most_ms, most_moves);
        control.stage_count++;
    }
    if (random_chance(random, 70))
        control.stages[stages - 1].moves = 0;
    return control;
}

bool controls_same(const struct time_control *a, const struct time_control *b)
{
    bool same = a->mode == b->mode && a->stage_count == b->stage_count && a->immediate == b->immediate &&
                a->delay_ms == b->delay_ms && a->bank_ms == b->bank_ms;
    for (unsigned i = 0; same && i < a->stage_count; i++)
        same = a->stages[i].moves == b->stages[i].moves && a->stages[i].time_ms == b->stages[i].time_ms &&
               a->stages[i].increment_ms == b->stages[i].increment_ms;
    return same;
}
