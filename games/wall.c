/* The wall clock against the service time. Both run at the same rate; what parts them is a time without a service, a
 * machine that slept, and a clock that was set. */
#include "games/internal.h"

enum {
    /* A lesser step is not told: nobody reads a clock more closely, and answers that are kept stay. */
    STEP_MS = 100,
    AT_ONCE_MS = 1,    /* two clocks that were read within this were read at one time */
    READINGS_MOST = 8, /* of a thread that is interrupted again and again */
};

/* Unix ms of service time 0, from clocks read one after the other. False: too much has passed between, each time; then it
 * is that of the last time. */
static bool read_epoch(const struct games *games, int64_t *epoch_ms)
{
    for (int i = 0; i < READINGS_MOST; i++) {
        int64_t before_ms = games_service_ms(games);
        *epoch_ms = games_now_ms(games) - before_ms;
        if (games_service_ms(games) - before_ms <= AT_ONCE_MS)
            return true;
    }
    return false;
}

static bool differs(int64_t epoch_ms, int64_t known_ms)
{
    return epoch_ms - known_ms >= STEP_MS || known_ms - epoch_ms >= STEP_MS;
}

void wall_init(struct games *games)
{
    int64_t epoch_ms;
    (void)read_epoch(games, &epoch_ms);
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
    if (!read_epoch(games, &epoch_ms) || !differs(epoch_ms, known_ms))
        return known_ms;
    /* Of threads that see a step together the first one says where it leads. */
    if (!atomic_compare_exchange_strong_explicit(&games->epoch_ms, &known_ms, epoch_ms, memory_order_relaxed,
                                                 memory_order_relaxed))
        return known_ms;
    timers_wake(&games->timers); /* who watches is told now, and not with the next beat */
    return epoch_ms;
}

bool wall_has_moved(struct games *games)
{
    int64_t epoch_ms = games_epoch_ms(games);
    bool moved = epoch_ms != games->told_epoch_ms;
    games->told_epoch_ms = epoch_ms;
    return moved;
}
