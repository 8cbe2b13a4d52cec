#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/etag.h"
#include "api/negotiate.h"
#include "api/route.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_exchange.h"
#include "tests/fuzz/fuzz_input.h"

/* ---- Accept --------------------------------------------------------------------------------------------------- */

static bool has(const enum format *formats, enum format format)
{
    while (*formats != FORMAT_NONE && *formats != format)
        formats++;
    return *formats == format;
}

/* What one field says, asked in every way. */
struct answers {
    enum format of_rows[128]; /* of the formats of each row of the table */
    bool gzip, text_problem;
};

static void ask(const char *field, struct answers *answers)
{
    FUZZ_CHECK(route_count <= sizeof answers->of_rows / sizeof answers->of_rows[0]);
    for (size_t i = 0; i < route_count; i++) {
        const enum format *formats = route_table[i].formats;
        answers->of_rows[i] = negotiate(field, formats);
        FUZZ_CHECK(has(formats, answers->of_rows[i]));
    }
    answers->gzip = negotiate_takes_gzip(field);
    answers->text_problem = negotiate_wants_text_problem(field);
}

static void check_same(const struct answers *answers, char *field)
{
    struct answers again;
    ask(field, &again);
    FUZZ_CHECK(memcmp(again.of_rows, answers->of_rows, route_count * sizeof again.of_rows[0]) == 0);
    FUZZ_CHECK(again.gzip == answers->gzip && again.text_problem == answers->text_problem);
    free(field);
}

static char *join(const char *first, const char *second)
{
    size_t size = strlen(first) + strlen(second) + 1;
    char *joined = fuzz_allocate(size);
    (void)snprintf(joined, size, "%s%s", first, second);
    return joined;
}

static char *in_capitals(const char *field)
{
    char *capitals = join(field, "");
    for (char *at = capitals; *at; at++)
        *at = (char)toupper((unsigned char)*at);
    return capitals;
}

/* Each format alone: it is accepted, or it is not; the choice among several is one that is accepted. */
static void check_choices(const char *field)
{
    bool accepts[FORMAT_COUNT] = {false};
    for (int format = FORMAT_JSON; format < FORMAT_COUNT; format++) {
        const enum format alone[] = {(enum format)format, FORMAT_NONE};
        accepts[format] = negotiate(field, alone) != FORMAT_NONE;
    }
    for (size_t i = 0; i < route_count; i++) {
        const enum format *formats = route_table[i].formats;
        enum format chosen = negotiate(field, formats);
        bool any = false;
        for (const enum format *format = formats; *format != FORMAT_NONE; format++)
            any = any || accepts[*format];
        FUZZ_CHECK(any == (chosen != FORMAT_NONE));
        FUZZ_CHECK(chosen == FORMAT_NONE || accepts[chosen]);
    }
}

static void check_accept(const char *field)
{
    struct answers answers;
    ask(field, &answers);
    check_choices(field);
    check_same(&answers, in_capitals(field));
    check_same(&answers, join(" ,\t, ", field));
    if (!strchr(field, '"')) { /* which may still be open */
        char *again = join(", ", field);
        check_same(&answers, join(field, " , "));
        check_same(&answers, join(field, again));
        check_same(&answers, join(field, ", no range at all;"));
        free(again);
    }
}

/* ---- entity tags ------------------------------------------------------------------------------------------------ */

static const uint32_t VERSIONS[] = {1, 9, 17, 999999999, UINT32_MAX};
enum { VERSION_COUNT = sizeof VERSIONS / sizeof VERSIONS[0] };

static void begin(struct fuzz_exchange *bare, enum header_field name, const char *field, enum format format)
{
    fuzz_exchange_begin(bare, "GET", "/");
    bare->exchange.method = METHOD_GET;
    bare->exchange.format = format;
    bare->request.headers[name] = field;
}

static bool is_star(const char *field)
{
    size_t blanks = strspn(field, " \t");
    return field[blanks] == '*' && field[blanks + 1 + strspn(field + blanks + 1, " \t")] == '\0';
}

/* Our own tag first in the list is found; no other answer is changed by it. */
static void check_none_match(const char *field, enum format format)
{
    struct fuzz_exchange bare;
    for (int i = 0; i < VERSION_COUNT; i++) {
        bool is_current[VERSION_COUNT];
        struct arena arena = {0};
        begin(&bare, HEADER_IF_NONE_MATCH, field, format);
        for (int j = 0; j < VERSION_COUNT; j++)
            is_current[j] = etag_is_current(&bare.exchange, (struct etag){.version = VERSIONS[j]});
        etag_set(&bare.exchange, (struct etag){.version = VERSIONS[i]});
        FUZZ_CHECK(bare.response.header_count == 1 && strcmp(bare.response.headers[0].name, "ETag") == 0);
        bare.request.headers[HEADER_IF_NONE_MATCH] =
            arena_printf(&arena, "W/%s, %s", bare.response.headers[0].value, field);
        for (int j = 0; j < VERSION_COUNT; j++)
            FUZZ_CHECK(etag_is_current(&bare.exchange, (struct etag){.version = VERSIONS[j]}) ==
                       (i == j || (is_current[j] && !is_star(field))));
        bare.exchange.method = METHOD_POST;
        FUZZ_CHECK(!etag_is_current(&bare.exchange, (struct etag){.version = VERSIONS[i]}));
        arena_finish(&arena);
        fuzz_exchange_end(&bare);
    }
}

/* What it names lies in the exchange, which is the caller's to end. */
static void read_condition(struct fuzz_exchange *bare, const char *field, enum format format,
                           struct action *action)
{
    begin(bare, HEADER_IF_MATCH, field, format);
    FUZZ_CHECK(etag_condition(&bare->exchange, action));
    FUZZ_CHECK(action->if_given == !is_star(field));
}

/* The versions that a condition names, written as the tags of ours, are the same condition. */
static void check_match(const char *field, enum format format)
{
    static struct action action, again;
    struct fuzz_exchange bare, second;
    read_condition(&bare, field, format, &action);
    const char *list = "";
    for (size_t i = 0; i < action.if_count; i++) {
        FUZZ_CHECK(action.if_versions[i] > 0);
        etag_set(&bare.exchange, (struct etag){.version = action.if_versions[i]});
        list = arena_join(&bare.arena, list, bare.response.headers[bare.response.header_count - 1].value);
        bare.response.header_count = 0;
    }
    read_condition(&second, list, FORMAT_JSON, &again);
    FUZZ_CHECK(action.if_count == 0 || again.if_count == action.if_count);
    for (size_t i = 0; i < action.if_count; i++)
        FUZZ_CHECK(again.if_versions[i] == action.if_versions[i]);
    fuzz_exchange_end(&second);
    fuzz_exchange_end(&bare);
}

void fuzz_accept(const uint8_t *data, size_t size)
{
    static const enum format formats[] = {FORMAT_JSON, FORMAT_TEXT, FORMAT_PGN, FORMAT_SVG};
    struct text_span input = {(const char *)data, size};
    char *accept = fuzz_copy(fuzz_take_line(&input));
    char *tags = fuzz_copy(fuzz_take_line(&input));
    enum format format = formats[strlen(accept) % 4];
    check_accept(accept);
    check_none_match(tags, format);
    check_match(tags, format);
    free(tags);
    free(accept);
}
