/* pipe: text on its way from the thread that makes it to the one that sends it.
 *
 * Layer: api. Memory: a block of its own, which keeps the size of the most text that has waited: whoever puts in looks at
 * pipe_length, and rests while it is too much. Threads: one that puts in, one that takes out. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct pipe {
    pthread_mutex_t lock;
    char *data;
    size_t from, length, capacity; /* `length` bytes wait, behind `from` */
    bool ended;
};

/* With room for `capacity` bytes. False: memory is out, and nothing is to be finished. */
bool pipe_init(struct pipe *pipe, size_t capacity);
void pipe_finish(struct pipe *pipe);

/* Bytes that wait. */
size_t pipe_length(struct pipe *pipe);
/* All of the bytes, or, where memory is out, none: false. *was_empty: whoever takes out may be waiting for them. */
bool pipe_put(struct pipe *pipe, const char *bytes, size_t length, bool *was_empty);
/* Nothing more is put in. */
void pipe_end(struct pipe *pipe);
/* Takes out at most `size` bytes, and returns how many. *ended: these were the last. */
size_t pipe_take(struct pipe *pipe, char *buffer, size_t size, bool *ended);
