/* long_answer: a body that long work makes piece by piece while the client reads (response_stream.work).
 *
 * The work has a thread of the pool for a turn: as many works as there are threads would else keep all others from
 * whatever needs one, until they are over. What it has made waits in a pipe; while much does, the work rests without a
 * thread, but not for ever.
 * Layer: api. Memory: the pipe's; the rest is its owner's. Threads: take belongs to the one that sends, the rest to the work,
 * which is in one thread at a time. */
#pragma once

#include "api/exchange.h"
#include "api/pipe.h"

enum {
    LONG_ANSWER_WAITING_BYTES = 64 << 10, /* so many wait for the client, then the work does */
    LONG_ANSWER_TURN_MS = 100,
    LONG_ANSWER_PATIENCE_MS = 60000, /* of all rests together */
};

struct long_answer {
    struct exchange *exchange;
    struct pipe pipe;
    int64_t turn_since_ms;             /* service time */
    int64_t rests_since_ms, rested_ms; /* 0: it has not rested yet */
    _Atomic int64_t read_ms; /* service time: when the client had read what waited since; 0: he has not */
};

/* Begins its first turn; with room for `more` bytes beside those that may wait. False: memory is out, and nothing is to be
 * finished. */
bool long_answer_init(struct long_answer *answer, struct exchange *exchange, size_t more);
void long_answer_finish(struct long_answer *answer);

/* False: memory is out. */
bool long_answer_put(struct long_answer *answer, const char *bytes, size_t length);
/* Nothing more is put. */
void long_answer_end(struct long_answer *answer);
/* As response_stream.read. */
size_t long_answer_take(struct long_answer *answer, char *buffer, size_t size, bool *is_end);

bool long_answer_has_much(struct long_answer *answer);
/* By time, or because much waits. */
bool long_answer_turn_is_over(struct long_answer *answer);
/* Every turn but the first begins with the one and ends with the other. */
void long_answer_begin_turn(struct long_answer *answer);
void long_answer_begin_rest(struct long_answer *answer);

/* Why it must not go on; NULL: it may. Static. */
const char *long_answer_stopped_by(const struct long_answer *answer);
