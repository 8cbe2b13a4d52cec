#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/json.h"
#include "api/scalar.h"
#include "api/stream_cursor.h"
#include "api/writer.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_input.h"

/* ---- versions ------------------------------------------------------------------------------------------------ */

/* What is read is what would be written. */
static void check_version(const char *text)
{
    uint32_t version = 7;
    char written[16];
    if (stream_cursor_parse(text, strlen(text), &version)) {
        (void)snprintf(written, sizeof written, "%" PRIu32, version);
        FUZZ_CHECK(strcmp(text, written) == 0);
    } else {
        FUZZ_CHECK(version == 7);
    }
}

/* ---- several games ------------------------------------------------------------------------------------------- */

/* The parts of a cursor, up to what is none, written again: the text itself. */
static void check_parts(const char *text)
{
    struct arena arena = {0};
    struct writer out;
    const char *rest = text, *id = NULL;
    uint32_t version = 0;
    bool good = true;
    writer_init(&out, &arena, 64);
    while (*rest && (good = stream_cursor_next(&rest, &id, &version))) {
        FUZZ_CHECK(game_id_is_valid(id, GAME_ID_LENGTH));
        size_t before = out.length;
        writer_printf(&out, "%s%.*s:%" PRIu32, before ? "," : "", GAME_ID_LENGTH, id, version);
        FUZZ_CHECK(out.length - before <= STREAM_CURSOR_PART_LENGTH);
        FUZZ_CHECK(rest > text && rest <= text + strlen(text));
    }
    FUZZ_CHECK(!out.failed);
    if (good)
        FUZZ_CHECK(out.length == strlen(text) && memcmp(out.data, text, out.length) == 0);
    arena_finish(&arena);
}

/* ---- single values of queries and forms ----------------------------------------------------------------------- */

static void check_time(const char *text)
{
    struct arena arena = {0};
    struct writer out;
    int64_t time_ms = 0, again_ms = 0;
    if (!scalar_time(text, strlen(text), &time_ms))
        return;
    FUZZ_CHECK(time_ms >= INT64_C(-62135683200000) && time_ms <= INT64_C(253402387200000));
    writer_init(&out, &arena, 64);
    json_time(&out, NULL, time_ms);
    /* A zone may lead out of the years that a time is read in. */
    if (time_ms >= INT64_C(-62135596800000) && time_ms < INT64_C(253402300800000))
        FUZZ_CHECK(scalar_time(out.data + 1, out.length - 2, &again_ms) && again_ms == time_ms);
    arena_finish(&arena);
}

static void check_scalars(const char *text)
{
    int64_t number = 0;
    bool truth = false;
    square s = SQUARE_NONE;
    char written[24];
    size_t length = strlen(text);
    if (scalar_integer(text, length, &number)) {
        (void)snprintf(written, sizeof written, "%" PRId64, number);
        FUZZ_CHECK(strcmp(text, written) == 0);
    }
    if (scalar_bool(text, length, &truth))
        FUZZ_CHECK(length == 0 || strcmp(text, truth ? "true" : "false") == 0 ||
                   strcmp(text, truth ? "1" : "0") == 0);
    if (scalar_square(text, length, &s))
        FUZZ_CHECK(length == 2 && s < SQUARE_NONE && square_file(s) == (unsigned)(text[0] | 0x20) - 'a' &&
                   square_rank(s) == (unsigned)text[1] - '1');
}

void fuzz_cursor(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy((struct text_span){(const char *)data, size});
    check_version(text);
    check_parts(text);
    check_time(text);
    check_scalars(text);
    free(text);
}
