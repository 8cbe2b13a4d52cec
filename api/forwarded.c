#include "api/forwarded.h"

#include <string.h>

static void add(struct forwarded *forwarded, struct text_span hop)
{
    if (forwarded->count == FORWARDED_HOPS_MAX) {
        memmove(forwarded->hops, forwarded->hops + 1, sizeof forwarded->hops - sizeof forwarded->hops[0]);
        forwarded->count--;
    }
    forwarded->hops[forwarded->count++] = hop;
}

/* ---- X-Forwarded-For ----------------------------------------------------------------------------------- */

void forwarded_read_list(const char *value, struct forwarded *forwarded)
{
    forwarded->count = 0;
    for (const char *at = value; *at;) {
        size_t length = strcspn(at, ",");
        struct text_span hop = {at, length};
        text_trim(&hop.text, &hop.length);
        if (hop.length > 0)
            add(forwarded, hop);
        at += length;
        at += *at == ',';
    }
}

/* ---- Forwarded ------------------------------------------------------------------------------------------- */

static const char TOKEN[] = "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* A token or a quoted string. What has to be escaped stands in no address, so an escape ends it. NULL: it is neither. */
static const char *read_value(const char *at, struct text_span *value)
{
    bool quoted = *at == '"';
    at += quoted;
    *value = (struct text_span){at, quoted ? strcspn(at, "\"\\") : strspn(at, TOKEN)};
    at += value->length;
    if (quoted)
        return *at == '"' ? at + 1 : NULL;
    return value->length > 0 ? at : NULL;
}

struct pair {
    struct text_span name, value;
};

static const char *read_pair(const char *at, struct pair *pair)
{
    pair->name = (struct text_span){at, strspn(at, TOKEN)};
    at += pair->name.length;
    return pair->name.length > 0 && *at == '=' ? read_value(at + 1, &pair->value) : NULL;
}

/* Pairs parted by semicolons. Each name may stand once. */
static const char *read_element(const char *at, struct text_span *hop)
{
    bool has_hop = false;
    *hop = (struct text_span){at, 0};
    for (;;) {
        struct pair pair;
        at = read_pair(skip_blanks(at), &pair);
        if (!at)
            return NULL;
        if (text_is_nocase(pair.name, "for")) {
            if (has_hop)
                return NULL;
            has_hop = true;
            *hop = pair.value;
        }
        at = skip_blanks(at);
        if (*at != ';')
            return at;
        at++;
    }
}

bool forwarded_read(const char *value, struct forwarded *forwarded)
{
    const char *at = skip_blanks(value);
    forwarded->count = 0;
    while (*at) {
        struct text_span hop;
        if (*at != ',') {
            at = read_element(at, &hop);
            if (!at || (*at && *at != ','))
                return false;
            add(forwarded, hop);
        }
        at = skip_blanks(at + (*at == ','));
    }
    return true;
}

/* ---- an address ------------------------------------------------------------------------------------------ */

static const struct text_span NONE = {"", 0};

/* ":4711", or nothing. A port may also be hidden: ":_lb1". */
static bool is_port(const char *text, size_t length)
{
    if (length == 0)
        return true;
    return *text == ':' && length > 1 && !memchr(text + 1, ':', length - 1) &&
           !memchr(text + 1, ']', length - 1);
}

struct text_span forwarded_address(struct text_span hop)
{
    const char *end = hop.text + hop.length;
    if (hop.length > 0 && *hop.text == '[') {
        const char *close = memchr(hop.text, ']', hop.length);
        if (!close || !is_port(close + 1, (size_t)(end - close - 1)))
            return NONE;
        return (struct text_span){hop.text + 1, (size_t)(close - hop.text - 1)};
    }
    const char *colon = memchr(hop.text, ':', hop.length);
    if (!colon || memchr(colon + 1, ':', (size_t)(end - colon - 1)))
        return hop; /* none, or a bare IPv6 address */
    return is_port(colon, (size_t)(end - colon)) ? (struct text_span){hop.text, (size_t)(colon - hop.text)}
                                                 : NONE;
}
