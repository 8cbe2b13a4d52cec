#include <stdlib.h>
#include <string.h>

#include "api/route.h"
#include "api/text.h"
#include "games/game.h"
#include "rules/chess960.h"
#include "rules/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_exchange.h"
#include "tests/fuzz/fuzz_input.h"

enum { TARGET_ESCAPED_MAX = 1300 }; /* escaped whole it is still within limits.target_bytes */

/* What a target was found to mean. */
struct meaning {
    struct fuzz_exchange bare;
    bool found; /* a row, and a query that it takes */
    char *target;
};

/* ---- an answer without a handler ------------------------------------------------------------------------------- */

/* By OPTIONS, or a problem of those that a target can have. */
static void check_answered(const struct meaning *meaning)
{
    const struct response *response = &meaning->bare.response;
    if (meaning->bare.exchange.method == METHOD_OPTIONS && response->status < 300) {
        FUZZ_CHECK(response->status == 204 && !response->code && response->length == 0);
        return;
    }
    fuzz_check_refused(&meaning->bare);
    FUZZ_CHECK(response->status == 400 || response->status == 404 || response->status == 405 ||
               response->status == 406 || response->status == 414);
}

/* ---- the row ---------------------------------------------------------------------------------------------------- */

static void check_value(const struct path_values *values, const char *name)
{
    if (strncmp(name, "{id}", 4) == 0)
        FUZZ_CHECK(game_id_is_valid(values->id, strlen(values->id)));
    else if (strncmp(name, "{ply}", 5) == 0)
        FUZZ_CHECK(values->ply <= GAME_PLIES_LIMIT);
    else if (strncmp(name, "{n}", 3) == 0)
        FUZZ_CHECK(values->number < CHESS960_COUNT);
    else if (strncmp(name, "{color}", 7) == 0)
        FUZZ_CHECK(values->seat == SEAT_WHITE || values->seat == SEAT_BLACK);
    else if (*name == '{')
        FUZZ_CHECK(values->slug[0] != '\0' && memchr(values->slug, '\0', sizeof values->slug));
}

static void check_row(const struct exchange *exchange)
{
    const struct route *route = exchange->route;
    bool has_format = false;
    FUZZ_CHECK(route >= route_table && route < route_table + route_count);
    FUZZ_CHECK(route->method == (exchange->method == METHOD_HEAD ? METHOD_GET : exchange->method));
    FUZZ_CHECK(strcmp(route->path, exchange->response->route) == 0);
    for (size_t i = 0; route->formats[i] != FORMAT_NONE; i++)
        has_format = has_format || route->formats[i] == exchange->format;
    FUZZ_CHECK(has_format);
    for (const char *at = route->path; *at; at += strcspn(at, "/"))
        check_value(&exchange->path, ++at);
}

static void check_query(const struct exchange *exchange)
{
    FUZZ_CHECK((exchange->query.given & ~exchange->route->query) == 0);
    for (int i = 0; i < QUERY_COUNT; i++) {
        const struct query_value *value = &exchange->query.values[i];
        bool given = query_has(exchange, (enum query_parameter)i);
        FUZZ_CHECK((value->text != NULL) == given);
        if (given)
            FUZZ_CHECK(strlen(value->text) == value->length &&
                       utf8_valid(value->text, value->length) == value->length);
    }
}

/* ---- the same target in other words ------------------------------------------------------------------------------ */

static void find(struct meaning *meaning, const char *method, const char *accept)
{
    const char *query = NULL;
    struct exchange *exchange = &meaning->bare.exchange;
    fuzz_exchange_begin(&meaning->bare, method, meaning->target);
    meaning->bare.request.headers[HEADER_ACCEPT] = accept;
    meaning->found = route_find(exchange, &query) && query_read(exchange, query, exchange->route->query);
    if (meaning->found) {
        fuzz_check_unanswered(&meaning->bare);
        check_row(exchange);
        check_query(exchange);
    } else {
        check_answered(meaning);
    }
}

static void finish(struct meaning *meaning)
{
    fuzz_exchange_end(&meaning->bare);
    free(meaning->target);
}

static void check_same(const struct meaning *a, const struct meaning *b)
{
    const struct response *first = &a->bare.response, *second = &b->bare.response;
    FUZZ_CHECK(a->found == b->found && first->status == second->status);
    FUZZ_CHECK((first->code == NULL) == (second->code == NULL));
    FUZZ_CHECK(!first->code || strcmp(first->code, second->code) == 0);
    FUZZ_CHECK(strcmp(first->route, second->route) == 0);
    if (!a->found)
        return;
    const struct exchange *x = &a->bare.exchange, *y = &b->bare.exchange;
    FUZZ_CHECK(x->route == y->route && x->format == y->format && x->query.given == y->query.given);
    FUZZ_CHECK(strcmp(x->path.id, y->path.id) == 0 && strcmp(x->path.slug, y->path.slug) == 0);
    FUZZ_CHECK(x->path.ply == y->path.ply && x->path.number == y->path.number &&
               x->path.seat == y->path.seat);
    for (int i = 0; i < QUERY_COUNT; i++) {
        if (!query_has(x, (enum query_parameter)i))
            continue;
        FUZZ_CHECK(strcmp(x->query.values[i].text, y->query.values[i].text) == 0);
        FUZZ_CHECK(x->query.values[i].integer == y->query.values[i].integer);
    }
}

static size_t put_escaped(char *out, unsigned char c)
{
    static const char digits[] = "0123456789ABCDEF";
    const char escaped[] = {'%', digits[c >> 4], digits[c & 15]};
    memcpy(out, escaped, sizeof escaped);
    return sizeof escaped;
}

/* Every byte that parts nothing as an escape (RFC 3986 2.4: it means the same). What is one already stays, and so does
 * what would be malformed. */
static char *escape_all(const char *target)
{
    char *escaped = fuzz_allocate(3 * strlen(target) + 1), *out = escaped;
    bool in_query = false;
    for (const char *at = target; *at; at++) {
        bool parts = in_query ? strchr("&=", *at) != NULL : strchr("/?", *at) != NULL;
        in_query = in_query || *at == '?';
        if (parts || *at == '%')
            *out++ = *at;
        else
            out += put_escaped(out, in_query && *at == '+' ? ' ' : (unsigned char)*at);
        if (*at == '%' && at[1] && at[2]) {
            *out++ = *++at;
            *out++ = *++at;
        }
    }
    *out = '\0';
    return escaped;
}

static bool is_well_escaped(const char *target)
{
    for (const char *at = strchr(target, '%'); at; at = strchr(at + 1, '%'))
        if (strspn(at + 1, "0123456789abcdefABCDEF") < 2)
            return false;
    return true;
}

static void check_escaped(const struct meaning *meaning, const char *method, const char *accept)
{
    struct meaning escaped = {.target = escape_all(meaning->target)};
    find(&escaped, method, accept);
    check_same(meaning, &escaped);
    finish(&escaped);
}

/* A HEAD finds what a GET does. */
static void check_head(const struct meaning *meaning, const char *accept)
{
    struct meaning head = {.target = fuzz_copy((struct text_span){meaning->target, strlen(meaning->target)})};
    find(&head, "HEAD", accept);
    check_same(meaning, &head);
    finish(&head);
}

/* What begins with x_ is for others, wherever it stands. */
static void check_with_other(const struct meaning *meaning, const char *method, const char *accept)
{
    static const char other[] = "x_other=1&";
    struct meaning more = {.target = fuzz_allocate(strlen(meaning->target) + sizeof other)};
    size_t path = strcspn(meaning->target, "?") + 1;
    memcpy(more.target, meaning->target, path);
    memcpy(more.target + path, other, sizeof other - 1);
    memcpy(more.target + path + sizeof other - 1, meaning->target + path, strlen(meaning->target) - path + 1);
    find(&more, method, accept);
    check_same(meaning, &more);
    finish(&more);
}

void fuzz_route(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    char *method = fuzz_copy(fuzz_take_line(&input));
    struct meaning meaning = {.target = fuzz_copy(fuzz_take_line(&input))};
    char *accept = input.length > 0 ? fuzz_copy(fuzz_take_line(&input)) : NULL;
    find(&meaning, method, accept);
    if (strlen(meaning.target) <= TARGET_ESCAPED_MAX && *meaning.target == '/' &&
        is_well_escaped(meaning.target))
        check_escaped(&meaning, method, accept);
    if (strlen(meaning.target) <= TARGET_ESCAPED_MAX && strchr(meaning.target, '?'))
        check_with_other(&meaning, method, accept);
    if (strcmp(method, "GET") == 0)
        check_head(&meaning, accept);
    finish(&meaning);
    free(accept);
    free(method);
}
