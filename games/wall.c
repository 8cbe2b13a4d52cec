/* The wall clock against the service time. Both run at the same rate; what parts them is a time without a service, a
 * machine that slept, and a clock that was set. */
#include "games/internal.h"

enum {
    STEP_MS =
        100, /* a lesser step is not told: nobody reads a clock more closely, and answers that are kept stay */
    AT_ONCE_MS = 1,    /* two clocks that were read within this were read at one time */
    READINGS_MOST = 8, /* of a thread that is interrupted again and again */
};

/* Unix ms of service time 0, from clocks read one after the other. False: too much has passed between. */
static bool read_epoch(const struct games *games, int64_t *epoch_ms)
{
    int64_t before_ms = games_service_ms(games);
    int64_t wall_ms = games_now_ms(games);
    *epoch_ms = wall_ms - before_ms;
    return games_service_ms(games) - before_ms <= AT_ONCE_MS;
}

static bool differs(int64_t epoch_ms, int64_t known_ms)
{
    return epoch_ms - known_ms >= STEP_MS || known_ms - epoch_ms >= STEP_MS;
}

void wall_init(struct games *games)
{
    int64_t epoch_ms;
    for (int i = 0; !read_epoch(games, &epoch_ms) && i < READINGS_MOST; i++)
        ;
    atomic_init(&games->epoch_ms, epoch_ms);
    games->told_epoch_ms = epoch_ms;
}

int64_t games_epoch_ms(struct games *games)
{
    int64_t known_ms = atomic_load_explicit(&games->epoch_ms, memory_order_relaxed);
    int64_t epoch_ms = games_now_ms(games) - games_service_ms(games);
    if (!differs(epoch_ms, known_ms))
        return known_ms;
    /* A step, or this thread was held up between the clocks. */
    for (int i = 0; i < READINGS_MOST; i++) {
        if (!read_epoch(games, &epoch_ms))
            continue;
        if (!differs(epoch_ms, known_ms))
            return known_ms;
        atomic_store_explicit(&games->epoch_ms, epoch_ms, memory_order_relaxed);
        timers_wake(&games->timers); /* who watches is told now, and not with the next beat */
        return epoch_ms;
    }
    return known_ms;
}

bool wall_has_moved(struct games *games)
{
    int64_t epoch_ms = games_epoch_ms(games);
    bool moved = epoch_ms != games->told_epoch_ms;
    games->told_epoch_ms = epoch_ms;
    return moved;
}
