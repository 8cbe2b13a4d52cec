#include "api/etag.h"

#include <string.h>

#include "api/exchange.h"
#include "api/put.h"
#include "api/reply.h"
#include "api/text.h"

enum { TAG_SIZE = 48, VERSION_DIGITS = 9, SHIFT_DIGITS = 19 };

struct etag etag_of(const struct exchange *exchange, const struct game *game)
{
    int64_t shift_ms = game->clock ? game_wall_shift_ms(game, exchange_epoch_ms(exchange)) : 0;
    return (struct etag){game->head.version, shift_ms};
}

static void format_tag(const struct exchange *exchange, struct etag etag, char tag[TAG_SIZE])
{
    const char *suffix = format_tag_suffix(exchange->format); /* at most ".ndjson" */
    char *at = put_uint(put_literal(tag, "\"v"), etag.version);
    if (etag.shift_ms) {
        *at++ = etag.shift_ms > 0 ? '+' : '-';
        at = put_uint(at, (uint64_t)(etag.shift_ms > 0 ? etag.shift_ms : -etag.shift_ms));
    }
    at = put_bytes(at, suffix, strlen(suffix));
    at = put_literal(at, "\"");
    *at = '\0';
}

void etag_set(struct exchange *exchange, struct etag etag)
{
    char *tag = arena_alloc(exchange->arena, TAG_SIZE);
    if (!tag) {
        exchange->out.failed = true;
        return;
    }
    format_tag(exchange, etag, tag);
    reply_header(exchange, "ETag", tag);
}

/* One entity tag of a list. */
struct tag {
    bool weak;
    struct text_span opaque; /* quotes included */
};

/* The next tag of a field; false at the end, or where the grammar breaks. */
static bool next_tag(const char **at, struct tag *tag)
{
    const char *from = *at + strspn(*at, " \t,");
    tag->weak = from[0] == 'W' && from[1] == '/';
    from += tag->weak ? 2 : 0;
    const char *end = *from == '"' ? strchr(from + 1, '"') : NULL;
    if (!end)
        return false;
    tag->opaque = (struct text_span){from, (size_t)(end + 1 - from)};
    *at = end + 1;
    return true;
}

static bool is_star(const char *field)
{
    field += strspn(field, " \t");
    return *field == '*' && field[1 + strspn(field + 1, " \t")] == '\0';
}

/* NULL: it asks for nothing. */
static const char *if_none_match(const struct exchange *exchange)
{
    bool reads = exchange->method == METHOD_GET || exchange->method == METHOD_HEAD;
    return reads ? exchange_header(exchange, HEADER_IF_NONE_MATCH) : NULL;
}

static bool names_tag(const char *field, const char *tag)
{
    if (is_star(field))
        return true;
    struct tag given;
    while (next_tag(&field, &given)) {
        if (text_is(given.opaque, tag))
            return true;
    }
    return false;
}

bool etag_matches(const struct exchange *exchange, const char *tag)
{
    const char *field = if_none_match(exchange);
    return field && names_tag(field, tag);
}

bool etag_is_current(const struct exchange *exchange, struct etag etag)
{
    char tag[TAG_SIZE];
    const char *field = if_none_match(exchange);
    if (!field)
        return false;
    format_tag(exchange, etag, tag);
    return names_tag(field, tag);
}

static bool is_suffix(struct text_span span)
{
    for (int format = FORMAT_JSON; format < FORMAT_COUNT; format++) {
        if (text_is(span, format_tag_suffix((enum format)format)))
            return true;
    }
    return false;
}

/* "+7200000" or "-250" at the beginning of a text. */
static size_t shift_length(const char *text)
{
    if ((*text != '+' && *text != '-') || text[1] == '0')
        return 0;
    size_t digits = strspn(text + 1, "0123456789");
    return digits > 0 && digits <= SHIFT_DIGITS ? 1 + digits : 0;
}

/* "v17", "v17.txt" or "v17+250": the number; 0 for what is no tag of ours. */
static uint32_t tag_version(const struct tag *tag)
{
    struct text_span opaque = tag->opaque;
    if (tag->weak || opaque.length < 4 || opaque.text[1] != 'v' || opaque.text[2] == '0')
        return 0;
    const char *digits = opaque.text + 2;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > VERSION_DIGITS)
        return 0;
    size_t known = count + shift_length(digits + count);
    if (!is_suffix((struct text_span){digits + known, opaque.length - 3 - known}))
        return 0;
    uint32_t version = 0;
    for (size_t i = 0; i < count; i++)
        version = version * 10 + (uint32_t)(digits[i] - '0');
    return version;
}

bool etag_condition(const struct exchange *exchange, struct action *action)
{
    const char *field = exchange_header(exchange, HEADER_IF_MATCH);
    action->if_given = field && !is_star(field);
    action->if_count = 0;
    if (!action->if_given)
        return true;
    struct tag tag;
    size_t tags = 0;
    for (const char *at = field; next_tag(&at, &tag);)
        tags++;
    uint32_t *versions = arena_alloc(exchange->arena, tags * sizeof *versions);
    action->if_versions = versions;
    while (versions && next_tag(&field, &tag)) {
        uint32_t version = tag_version(&tag);
        if (version)
            versions[action->if_count++] = version;
    }
    return versions != NULL;
}
