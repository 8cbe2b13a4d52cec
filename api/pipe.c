#include "api/pipe.h"

#include <stdlib.h>
#include <string.h>

bool pipe_init(struct pipe *pipe, size_t capacity)
{
    *pipe = (struct pipe){.data = malloc(capacity), .capacity = capacity};
    if (!pipe->data)
        return false;
    pthread_mutex_init(&pipe->lock, NULL);
    return true;
}

void pipe_finish(struct pipe *pipe)
{
    pthread_mutex_destroy(&pipe->lock);
    free(pipe->data);
}

size_t pipe_length(struct pipe *pipe)
{
    pthread_mutex_lock(&pipe->lock);
    size_t length = pipe->length;
    pthread_mutex_unlock(&pipe->lock);
    return length;
}

/* Room behind what waits, which moves to the front where it does not fit otherwise. */
static bool make_room(struct pipe *pipe, size_t more)
{
    if (pipe->from + pipe->length + more <= pipe->capacity)
        return true;
    memmove(pipe->data, pipe->data + pipe->from, pipe->length);
    pipe->from = 0;
    size_t capacity = pipe->capacity;
    while (capacity < pipe->length + more)
        capacity *= 2;
    if (capacity == pipe->capacity)
        return true;
    char *grown = realloc(pipe->data, capacity);
    if (!grown)
        return false;
    pipe->data = grown;
    pipe->capacity = capacity;
    return true;
}

bool pipe_put(struct pipe *pipe, const char *bytes, size_t length, bool *was_empty)
{
    pthread_mutex_lock(&pipe->lock);
    *was_empty = pipe->length == 0;
    bool fits = make_room(pipe, length);
    if (fits) {
        memcpy(pipe->data + pipe->from + pipe->length, bytes, length);
        pipe->length += length;
    }
    pthread_mutex_unlock(&pipe->lock);
    return fits;
}

void pipe_end(struct pipe *pipe)
{
    pthread_mutex_lock(&pipe->lock);
    pipe->ended = true;
    pthread_mutex_unlock(&pipe->lock);
}

size_t pipe_take(struct pipe *pipe, char *buffer, size_t size, bool *ended)
{
    pthread_mutex_lock(&pipe->lock);
    size_t length = pipe->length < size ? pipe->length : size;
    memcpy(buffer, pipe->data + pipe->from, length);
    pipe->length -= length;
    pipe->from = pipe->length ? pipe->from + length : 0;
    *ended = pipe->ended && pipe->length == 0;
    pthread_mutex_unlock(&pipe->lock);
    return length;
}
