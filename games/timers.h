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
    pthread_cond_t sooner; /* the first deadline is an earlier one now, or somebody wakes the sleeper */
    struct timer **heap;   /* by deadline, the earliest first */
    size_t count, capacity;
    struct timer **buckets;
    size_t bucket_count;
    bool woken;
};

bool timers_init(struct timers *timers);
void timers_finish(struct timers *timers);

/* Sets, moves, or with GAME_NO_DEADLINE takes away the deadline of a game. False: memory is out, and the deadline is
 * as it was. */
bool timers_set(struct timers *timers, const char *id, int64_t deadline_ms);

/* Takes out a game whose deadline is not after `now_ms`; false: there is none. */
bool timers_take_due(struct timers *timers, int64_t now_ms, char id[GAME_ID_SIZE]);

/* The first deadline; GAME_NO_DEADLINE: none. */
int64_t timers_first(struct timers *timers);
size_t timers_count(struct timers *timers);

/* Sleeps for `ms` of the monotonic clock, -1 without end, or until the first deadline becomes an earlier one than it
 * was when timers_first was last asked, or timers_wake is called. */
void timers_sleep(struct timers *timers, int64_t ms);
void timers_wake(struct timers *timers);
