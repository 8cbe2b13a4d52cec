#include "api/long_answer.h"

#include "games/games.h"

static int64_t service_ms(const struct long_answer *answer)
{
    return games_service_ms(answer->exchange->api->games);
}

bool long_answer_init(struct long_answer *answer, struct exchange *exchange, size_t more)
{
    *answer = (struct long_answer){.exchange = exchange};
    answer->turn_since_ms = service_ms(answer);
    return pipe_init(&answer->pipe, LONG_ANSWER_WAITING_BYTES + more);
}

void long_answer_finish(struct long_answer *answer)
{
    pipe_finish(&answer->pipe);
}

bool long_answer_put(struct long_answer *answer, const char *bytes, size_t length)
{
    struct request *request = answer->exchange->request;
    bool was_empty = false;
    bool is_put = pipe_put(&answer->pipe, bytes, length, &was_empty);
    if (was_empty)
        request->hooks->poke(request);
    return is_put;
}

void long_answer_end(struct long_answer *answer)
{
    pipe_end(&answer->pipe);
}

size_t long_answer_take(struct long_answer *answer, char *buffer, size_t size, bool *is_end)
{
    size_t length = pipe_take(&answer->pipe, buffer, size, is_end);
    int64_t unread = 0;
    if (length < size)
        (void)atomic_compare_exchange_strong(&answer->read_ms, &unread, service_ms(answer));
    return length;
}

bool long_answer_has_much(struct long_answer *answer)
{
    return pipe_length(&answer->pipe) >= LONG_ANSWER_WAITING_BYTES;
}

bool long_answer_turn_is_over(struct long_answer *answer)
{
    return long_answer_has_much(answer) || service_ms(answer) - answer->turn_since_ms >= LONG_ANSWER_TURN_MS;
}

/* Because the client did not read: not while it waited for a thread, which may be asked for again and again. */
static void count_rest(struct long_answer *answer)
{
    int64_t ms = atomic_load(&answer->read_ms) - answer->rests_since_ms;
    if (answer->rests_since_ms && ms > 0)
        answer->rested_ms += ms;
}

void long_answer_begin_turn(struct long_answer *answer)
{
    count_rest(answer);
    answer->turn_since_ms = service_ms(answer);
}

void long_answer_begin_rest(struct long_answer *answer)
{
    atomic_store(&answer->read_ms, 0);
    answer->rests_since_ms = service_ms(answer);
}

const char *long_answer_stopped_by(const struct long_answer *answer)
{
    const struct api *api = answer->exchange->api;
    if (atomic_load(&answer->exchange->request->is_gone))
        return "the client has left";
    if (!api->service.accepts_work(api->service.context))
        return "the service is shutting down";
    return answer->rested_ms > LONG_ANSWER_PATIENCE_MS ? "the client reads too slowly" : NULL;
}
