#include "tests/support/api_answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* Small, so that frames come in pieces; no divisor of anything. */
enum { PIECE_BYTES = 61 };

void answer_leave(struct answer *answer)
{
    if (!answer->is_open)
        return;
    answer->is_open = false;
    answer->response.stream.close(answer->response.stream.context);
}

/* What one call is told, behind what was told before: in memory of its own, so that what an earlier call gave stays. */
struct told {
    char *body;
    size_t room;
};

static void add(struct answer *answer, struct told *told, const char *bytes, size_t length)
{
    if (answer->length + length >= told->room) {
        told->room = 2 * (answer->length + length) + 1;
        told->body = arena_alloc(answer->arena, told->room);
        assert_non_null(told->body);
        memcpy(told->body, answer->body, answer->length);
        answer->body = told->body;
    }
    memcpy(told->body + answer->length, bytes, length);
    answer->length += length;
    told->body[answer->length] = '\0';
}

static bool can_work(const struct response_stream *stream, enum stream_why why)
{
    return stream->work && why != STREAM_ENDING;
}

/* As the service does: asked again until there is nothing more, or the end. */
const char *answer_listen(struct answer *answer, enum stream_why why)
{
    const struct response_stream *stream = &answer->response.stream;
    size_t before = answer->length, length = 1;
    struct told told = {0};
    char piece[PIECE_BYTES];
    bool end = false;
    while (answer->is_open && (length > 0 || can_work(stream, why)) && !end) {
        length = stream->read(stream->context, why, piece, sizeof piece, &end);
        assert_true(length <= sizeof piece);
        add(answer, &told, piece, length);
        if (can_work(stream, why) && length < sizeof piece && !end)
            stream->work(stream->context);
        if (why == STREAM_QUIET)
            why = STREAM_WANTED;
    }
    if (end)
        answer_leave(answer);
    return answer->body + before;
}
