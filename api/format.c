#include "api/format.h"

#include <string.h>
#include <strings.h>

enum { TYPES_MAX = 3 };

struct format_row {
    const char *content_type;
    const char *types[TYPES_MAX]; /* the first is its name, the others are aliases */
    const char *suffix;
    const char *tag_suffix;
};

static const struct format_row ROWS[FORMAT_COUNT] = {
    [FORMAT_NONE] = {"", {NULL}, NULL, ""},
    [FORMAT_JSON] = {"application/json", {"application/json"}, ".json", ""},
    [FORMAT_TEXT] = {"text/plain; charset=utf-8", {"text/plain"}, ".txt", ".txt"},
    [FORMAT_PGN] = {"application/vnd.chess-pgn; charset=utf-8",
                    {"application/vnd.chess-pgn", "application/x-chess-pgn"},
                    ".pgn",
                    ".pgn"},
    [FORMAT_FEN] = {"text/plain; charset=utf-8", {"text/plain"}, ".fen", ".fen"},
    [FORMAT_NDJSON] = {"application/x-ndjson", {"application/x-ndjson"}, ".ndjson", ".ndjson"},
    [FORMAT_SSE] = {"text/event-stream", {"text/event-stream"}, NULL, ".sse"},
    [FORMAT_YAML] = {"application/yaml",
                     {"application/yaml", "application/x-yaml", "text/yaml"},
                     NULL,
                     ".yaml"},
    [FORMAT_METRICS] = {"text/plain; version=0.0.4; charset=utf-8", {"text/plain"}, NULL, ".prom"},
    [FORMAT_SVG] = {"image/svg+xml", {"image/svg+xml"}, ".svg", ".svg"},
    [FORMAT_PNG] = {"image/png", {"image/png"}, ".png", ".png"},
    [FORMAT_HTML] = {"text/html; charset=utf-8", {"text/html"}, ".html", ".html"},
    [FORMAT_CSS] = {"text/css; charset=utf-8", {"text/css"}, ".css", ".css"},
    [FORMAT_JAVASCRIPT] = {"text/javascript; charset=utf-8",
                           {"text/javascript", "application/javascript"},
                           ".js",
                           ".js"},
    [FORMAT_WOFF2] = {"font/woff2", {"font/woff2"}, ".woff2", ".woff2"},
};

bool format_is_text(enum format format)
{
    return format == FORMAT_TEXT || format == FORMAT_FEN;
}

const char *format_content_type(enum format format)
{
    return ROWS[format].content_type;
}

const char *format_media_type(enum format format)
{
    return ROWS[format].types[0];
}

const char *format_suffix(enum format format)
{
    return ROWS[format].suffix ? ROWS[format].suffix : "";
}

const char *format_tag_suffix(enum format format)
{
    return ROWS[format].tag_suffix;
}

/* 0, 2 or 3, as format_match. */
static unsigned match_type(const char *media_type, struct text_span type, struct text_span subtype)
{
    const char *slash = strchr(media_type, '/');
    size_t length = (size_t)(slash - media_type);
    if (type.length != length || strncasecmp(type.text, media_type, length) != 0)
        return 0;
    if (text_is(subtype, "*"))
        return 2;
    return text_is_nocase(subtype, slash + 1) ? 3 : 0;
}

unsigned format_match(enum format format, struct text_span type, struct text_span subtype)
{
    if (text_is(type, "*") && text_is(subtype, "*"))
        return 1;
    unsigned score = 0;
    for (int i = 0; i < TYPES_MAX && ROWS[format].types[i] && score == 0; i++)
        score = match_type(ROWS[format].types[i], type, subtype);
    return score;
}

enum format format_of_suffix(struct text_span segment, size_t *length)
{
    if (!memchr(segment.text, '.', segment.length))
        return FORMAT_NONE; /* most have none */
    for (int i = 0; i < FORMAT_COUNT; i++) {
        const char *suffix = ROWS[i].suffix;
        size_t suffix_length = suffix ? strlen(suffix) : 0;
        if (suffix_length == 0 || segment.length <= suffix_length)
            continue;
        size_t rest = segment.length - suffix_length;
        if (text_is((struct text_span){segment.text + rest, suffix_length}, suffix)) {
            *length = rest;
            return (enum format)i;
        }
    }
    return FORMAT_NONE;
}
