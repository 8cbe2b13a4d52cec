#include "api/etag.h"

#include <stdio.h>
#include <string.h>

#include "api/exchange.h"
#include "api/reply.h"
#include "api/text.h"

enum { TAG_SIZE = 32, VERSION_DIGITS = 9 };

static void format_tag(const struct exchange *exchange, uint32_t version, char tag[TAG_SIZE])
{
    (void)snprintf(tag, TAG_SIZE, "\"v%u%s\"", version, format_tag_suffix(exchange->format));
}

void etag_set(struct exchange *exchange, uint32_t version)
{
    reply_headerf(exchange, "ETag", "\"v%u%s\"", version, format_tag_suffix(exchange->format));
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

bool etag_matches(const struct exchange *exchange, const char *tag)
{
    const char *field = exchange_header(exchange, HEADER_IF_NONE_MATCH);
    if (!field || (exchange->method != METHOD_GET && exchange->method != METHOD_HEAD))
        return false;
    if (is_star(field))
        return true;
    struct tag given;
    while (next_tag(&field, &given)) {
        if (text_is(given.opaque, tag))
            return true;
    }
    return false;
}

bool etag_is_current(const struct exchange *exchange, uint32_t version)
{
    char tag[TAG_SIZE];
    format_tag(exchange, version, tag);
    return etag_matches(exchange, tag);
}

static bool is_suffix(struct text_span span)
{
    for (int format = FORMAT_JSON; format < FORMAT_COUNT; format++) {
        if (text_is(span, format_tag_suffix((enum format)format)))
            return true;
    }
    return false;
}

/* "v17" or "v17.txt": the number; 0 for what is no tag of ours. */
static uint32_t tag_version(const struct tag *tag)
{
    struct text_span opaque = tag->opaque;
    if (tag->weak || opaque.length < 4 || opaque.text[1] != 'v' || opaque.text[2] == '0')
        return 0;
    const char *digits = opaque.text + 2;
    size_t count = strspn(digits, "0123456789");
    if (count == 0 || count > VERSION_DIGITS ||
        !is_suffix((struct text_span){digits + count, opaque.length - 3 - count}))
        return 0;
    uint32_t version = 0;
    for (size_t i = 0; i < count; i++)
        version = version * 10 + (uint32_t)(digits[i] - '0');
    return version;
}

void etag_condition(const struct exchange *exchange, struct action *action)
{
    const char *field = exchange_header(exchange, HEADER_IF_MATCH);
    action->if_given = field && !is_star(field);
    action->if_count = 0;
    struct tag tag;
    while (action->if_given && action->if_count < ACTION_IF_VERSIONS && next_tag(&field, &tag)) {
        uint32_t version = tag_version(&tag);
        if (version)
            action->if_versions[action->if_count++] = version;
    }
}
