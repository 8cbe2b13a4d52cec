#include "api/negotiate.h"

#include <string.h>

/* One media range of an Accept field. */
struct range {
    struct text_span type, subtype;
    unsigned quality; /* thousandths */
};

static const char *skip_blanks(const char *at)
{
    return at + strspn(at, " \t");
}

/* RFC 9110 5.6.2. */
static bool is_token_char(char c)
{
    int lower = c | 0x20;
    return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') || (c && strchr("!#$%&'*+-.^_`|~", c));
}

/* Not by strspn, which first makes a table of a set as long as this one. */
static size_t token_length(const char *at)
{
    size_t length = 0;
    while (is_token_char(at[length]))
        length++;
    return length;
}

static const char *skip_quoted(const char *at)
{
    for (at++; *at && *at != '"'; at++) {
        if (*at == '\\' && at[1])
            at++;
    }
    return *at ? at + 1 : at;
}

/* "0", "0.5", "1.000": thousandths, or -1 (12.4.2). */
static int parse_quality(const char *at, size_t length)
{
    if (length == 0 || length > 5 || (at[0] != '0' && at[0] != '1') || (length > 1 && at[1] != '.'))
        return -1;
    int value = (at[0] - '0') * 1000, place = 100;
    for (size_t i = 2; i < length; i++, place /= 10) {
        if (at[i] < '0' || at[i] > '9')
            return -1;
        value += (at[i] - '0') * place;
    }
    return value > 1000 ? -1 : value;
}

/* One ";name=value"; true while there are more. */
static bool next_parameter(const char **at, struct range *range, bool *good)
{
    const char *name = skip_blanks(*at);
    if (*name != ';')
        return false;
    name = skip_blanks(name + 1);
    size_t name_length = token_length(name);
    const char *value = name + name_length;
    *at = value;
    if (*value != '=')
        return true;
    value++;
    *at = *value == '"' ? skip_quoted(value) : value + token_length(value);
    if (name_length == 1 && (*name == 'q' || *name == 'Q')) {
        int quality = parse_quality(value, (size_t)(*at - value));
        *good = *good && quality >= 0;
        range->quality = quality >= 0 ? (unsigned)quality : 0;
    }
    return true;
}

static const char *skip_element(const char *at)
{
    while (*at && *at != ',')
        at = *at == '"' ? skip_quoted(at) : at + 1;
    return at;
}

/* The next range that can be read; NULL at the end. */
static const char *next_range(const char *at, struct range *range)
{
    while (*(at = at + strspn(at, " \t,"))) {
        bool good = true;
        *range = (struct range){.type = {at, token_length(at)}, .quality = 1000};
        at += range->type.length;
        if (*at == '/') {
            at++;
            range->subtype = (struct text_span){at, token_length(at)};
            at += range->subtype.length;
        }
        while (next_parameter(&at, range, &good))
            ;
        at = skip_blanks(at);
        good = good && range->type.length && range->subtype.length && (*at == ',' || *at == '\0');
        at = skip_element(at);
        if (good)
            return at;
    }
    return NULL;
}

/* The quality that the most specific range gives, or -1 where none matches. */
static int quality_of(const char *accept, enum format format)
{
    struct range range;
    unsigned best = 0;
    int quality = -1;
    for (const char *at = accept; (at = next_range(at, &range));) {
        unsigned score = format_match(format, range.type, range.subtype);
        if (score > best) {
            best = score;
            quality = (int)range.quality;
        }
    }
    return quality;
}

/* Without a field, with what most programs send, or with nothing that can be read. */
static bool takes_anything(const char *accept)
{
    struct range range;
    return !accept || strcmp(accept, "*/*") == 0 || !next_range(accept, &range);
}

enum format negotiate(const char *accept, const enum format *formats)
{
    if (takes_anything(accept))
        return formats[0];
    enum format best = FORMAT_NONE;
    int best_quality = 0;
    for (; *formats != FORMAT_NONE; formats++) {
        int quality = quality_of(accept, *formats);
        if (quality > best_quality) {
            best_quality = quality;
            best = *formats;
        }
    }
    return best;
}

bool negotiate_takes_gzip(const char *accept_encoding)
{
    int named = -1, any = 0;
    for (const char *at = accept_encoding ? accept_encoding : ""; *(at += strspn(at, " \t,"));) {
        bool good = true;
        struct range coding = {.type = {at, token_length(at)}, .quality = 1000};
        at += coding.type.length;
        while (next_parameter(&at, &coding, &good))
            ;
        at = skip_element(at);
        if (good && (text_is_nocase(coding.type, "gzip") || text_is_nocase(coding.type, "x-gzip")))
            named = (int)coding.quality;
        else if (good && text_is(coding.type, "*"))
            any = (int)coding.quality;
    }
    return (named >= 0 ? named : any) > 0;
}

static bool is_problem_json(const struct range *range)
{
    return text_is_nocase(range->type, "application") && text_is_nocase(range->subtype, "problem+json") &&
           range->quality > 0;
}

bool negotiate_wants_text_problem(const char *accept)
{
    if (takes_anything(accept) || quality_of(accept, FORMAT_TEXT) <= 0 || quality_of(accept, FORMAT_JSON) > 0)
        return false;
    struct range range;
    for (const char *at = accept; (at = next_range(at, &range));) {
        if (is_problem_json(&range))
            return false;
    }
    return true;
}
