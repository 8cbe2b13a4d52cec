/* api_answer: an answer of the api as tests look at it. See tests/support/api_client.h.
 *
 * Fails the running cmocka test where a member is missing or of another type. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "api/http.h"

struct answer {
    unsigned status;
    const char *body; /* NUL-terminated */
    size_t length;
    const char *code;  /* of a problem; "" else */
    const char *route; /* template */
    cJSON *json;       /* NULL where it is not JSON */
    bool blocked;      /* API_BLOCKS or API_WORKS came first */
    bool worked;       /* API_WORKS came */
    bool pending;      /* API_PENDING came */
    bool head_only;    /* the request was HEAD */
    bool is_open;      /* a stream that has not ended; `body` is what was told so far */
    atomic_uint pokes; /* how often the service was told that there is something */
    struct response response;
    struct arena *arena; /* its memory */
};

/* Of an answer that is a stream, in the test's own thread (api_stream.c): what it tells from here on, when it is asked
 * for this reason; NUL-terminated. */
const char *answer_listen(struct answer *answer, enum stream_why why);
/* The client goes; of any answer. */
void answer_leave(struct answer *answer);

/* Parses the body and fails the test where the answer lacks what every answer has; for the client. */
void answer_obeys_the_laws(struct answer *answer);

/* A header field of the answer; "" where it is not there. */
const char *answer_header(const struct answer *answer, const char *name);

/* A member of the JSON body by its path, "data.0.name"; "" is the body. NULL: there is none. */
const cJSON *answer_at(const struct answer *answer, const char *path);
/* These fail the test where the member is not of the type. */
const char *answer_text(const struct answer *answer, const char *path);
int64_t answer_integer(const struct answer *answer, const char *path);
bool answer_bool(const struct answer *answer, const char *path);
bool answer_is_null(const struct answer *answer, const char *path);
int answer_count(const struct answer *answer, const char *path);
bool answer_has(const struct answer *answer, const char *path);
/* The elements of an array of texts, joined by blanks. */
const char *answer_words(const struct answer *answer, const char *path);

/* The answer is this problem. */
void assert_problem(const struct answer *answer, unsigned status, const char *code);
