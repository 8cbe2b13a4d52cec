#include "tests/api/retried.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

int retried_setup(void **state)
{
    *state = client_open(&(struct client_options){.wrap = faulty_wrap});
    return 0;
}

const struct answer *retried_send(struct client *client, const char *target, const char *json,
                                  const char *key)
{
    return match_send_with(client, "POST", target, json, "Idempotency-Key", key);
}

bool retried_is_replay(const struct answer *answer)
{
    return strcmp(answer_header(answer, "Idempotent-Replayed"), "true") == 0;
}

void assert_replays(const struct answer *again, const struct answer *first)
{
    static const char *const FIELDS[] = {"Content-Type", "ETag", "Location", "Cache-Control"};
    assert_false(retried_is_replay(first));
    assert_true(retried_is_replay(again));
    assert_int_equal(again->status, first->status);
    assert_int_equal(again->length, first->length);
    assert_memory_equal(again->body, first->body, first->length);
    for (size_t i = 0; i < LENGTH(FIELDS); i++)
        assert_string_equal(answer_header(again, FIELDS[i]), answer_header(first, FIELDS[i]));
}

int retried_games(struct client *client)
{
    return answer_count(client_get(client, "/v1/games"), "data");
}
