/* timers: the deadlines of games, in order.
 *
 * Layer: games, private. One deadline a game, found by its id and by time: a heap and a hash over the same entries, so
 * that setting, moving and taking one costs O(log n). A game needs not be in memory to have one. Deadlines are service
 * times in ms. Threads: any; a leaf among the locks. */
#pragma once

#include <pthread.h>
#include <stdbool.h>

#include "games/game.h"

struct timer;

struct timers {
    pthread_mutex_t lock;
    pthread_cond_t changed; /* `sooner` or `stopped` */
    struct timer **heap;    /* by deadline, the earliest first */
    size_t count, capacity;
    struct timer **buckets;
    size_t bucket_count;
    /* The first deadline is an earlier one than when timers_first was last asked, or timers_wake. */
    bool sooner;
    bool stopped; /* for good */
};

bool timers_init(struct timers *timers);
void timers_finish(struct timers *timers);

/* Sets, moves, or with GAME_NO_DEADLINE takes away the deadline of a game. False: memory is out, and the deadline is
 * as it was. */
bool timers_set(struct timers *timers, const char *id, int64_t deadline_ms);

/* The first game, if its deadline is not after `now_ms`; the deadline is moved on to `again_ms`, until somebody sets
 * another. False: nothing is due. */
bool timers_next_due(struct timers *timers, int64_t now_ms, int64_t again_ms, char id[GAME_ID_SIZE]);

/* The first deadline; GAME_NO_DEADLINE: none. */
int64_t timers_first(struct timers *timers);
size_t timers_count(struct timers *timers);

/* Sleeps for `ms` of the monotonic clock, -1 without end, or until the first deadline has become an earlier one since
 * timers_first was last asked, or timers_stop was called, ever. */
void timers_sleep(struct timers *timers, int64_t ms);
/* As if the first deadline had become an earlier one. */
void timers_wake(struct timers *timers);
void timers_stop(struct timers *timers);
bool timers_stopped(struct timers *timers);
