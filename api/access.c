#include "api/access.h"

#include <string.h>
#include <strings.h>

#include "api/exchange.h"
#include "api/problem.h"
#include "api/text.h"

static bool is_listed(const char *const *list, struct text_span span)
{
    for (; list && *list; list++) {
        if (text_is_nocase(span, *list))
            return true;
    }
    return false;
}

static bool has_any(const char *const *list)
{
    return is_listed(list, (struct text_span){"*", 1});
}

/* The name of "name:port" or "[address]:port". */
static struct text_span host_name(struct text_span authority)
{
    const char *end = authority.text + authority.length;
    const char *stop = authority.text;
    if (authority.length && *stop == '[') {
        while (stop < end && *stop != ']')
            stop++;
        stop += stop < end;
    } else {
        while (stop < end && *stop != ':')
            stop++;
    }
    return (struct text_span){authority.text, (size_t)(stop - authority.text)};
}

/* Nothing but digits may follow the name. */
static bool has_good_port(struct text_span authority, struct text_span name)
{
    size_t at = name.length;
    if (at == authority.length)
        return true;
    if (authority.text[at] != ':')
        return false;
    for (at++; at < authority.length; at++) {
        if (authority.text[at] < '0' || authority.text[at] > '9')
            return false;
    }
    return true;
}

/* 127.0.0.0/8 as digits and dots: no registered name looks like that. */
static bool is_loopback_number(struct text_span name)
{
    if (name.length < 5 || memcmp(name.text, "127.", 4) != 0)
        return false;
    for (size_t i = 4; i < name.length; i++) {
        if (name.text[i] != '.' && (name.text[i] < '0' || name.text[i] > '9'))
            return false;
    }
    return true;
}

static bool is_loopback(struct text_span authority)
{
    struct text_span name = host_name(authority);
    return has_good_port(authority, name) &&
           (text_is_nocase(name, "localhost") || text_is_nocase(name, "[::1]") || is_loopback_number(name));
}

/* HTTP/1.0 may come without Host; a browser never does. */
static bool host_is_ours(const struct exchange *exchange, const char *host)
{
    if (!host || exchange->request->scope != REQUEST_SCOPE_LOOPBACK)
        return true;
    struct text_span authority = {host, strlen(host)};
    const char *const *allowed = exchange->api->settings.allowed_hosts;
    return is_loopback(authority) || is_listed(allowed, authority) ||
           (has_good_port(authority, host_name(authority)) && is_listed(allowed, host_name(authority)));
}

/* What follows "http://" or "https://"; empty for other origins ("null" among them). */
static struct text_span origin_authority(const char *origin)
{
    static const char *const SCHEMES[] = {"http://", "https://"};
    for (size_t i = 0; i < sizeof SCHEMES / sizeof SCHEMES[0]; i++) {
        size_t length = strlen(SCHEMES[i]);
        if (strncasecmp(origin, SCHEMES[i], length) == 0)
            return (struct text_span){origin + length, strlen(origin + length)};
    }
    return (struct text_span){origin, 0};
}

static bool origin_is_allowed(const struct exchange *exchange, const char *origin, const char *host)
{
    const struct api_settings *settings = &exchange->api->settings;
    struct text_span whole = {origin, strlen(origin)}, authority = origin_authority(origin);
    if (whole.length > ACCESS_ORIGIN_MAX)
        return false;
    if (has_any(settings->allowed_origins) || is_listed(settings->allowed_origins, whole) ||
        is_listed(settings->public_origins, whole))
        return true;
    if (authority.length == 0)
        return false;
    if (host && text_is_nocase(authority, host) && host_is_ours(exchange, host))
        return true;
    return exchange->request->scope != REQUEST_SCOPE_NETWORK && is_loopback(authority);
}

void access_note_origin(struct exchange *exchange)
{
    const char *origin = exchange_header(exchange, HEADER_ORIGIN);
    exchange->origin_allowed =
        origin && origin_is_allowed(exchange, origin, exchange_header(exchange, HEADER_HOST));
}

bool access_check(struct exchange *exchange)
{
    access_note_origin(exchange);
    if (exchange_header(exchange, HEADER_ORIGIN) && !exchange->origin_allowed) {
        problem_reply(exchange, PROBLEM_ORIGIN_NOT_ALLOWED,
                      "Web pages of this origin may not use the service.");
        return false;
    }
    if (!host_is_ours(exchange, exchange_header(exchange, HEADER_HOST))) {
        problem_reply(exchange, PROBLEM_MISDIRECTED_REQUEST,
                      "The Host field names neither a loopback address nor an allowed host.");
        return false;
    }
    return true;
}
