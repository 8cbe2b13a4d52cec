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
    [FORMAT_YAML] = {"application/yaml",
                     {"application/yaml", "application/x-yaml", "text/yaml"},
                     NULL,
                     ".yaml"},
    [FORMAT_METRICS] = {"text/plain; version=0.0.4; charset=utf-8", {"text/plain"}, NULL, ".prom"},
};

const char *format_content_type(enum format format)
{
    return ROWS[format].content_type;
}

const char *format_media_type(enum format format)
{
    return ROWS[format].types[0];
}

const char *format_tag_suffix(enum format format)
{
    return ROWS[format].tag_suffix;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && strncasecmp(text, word, length) == 0;
}

static bool is_type(const char *media_type, const char *type, size_t type_length, const char *subtype,
                    size_t subtype_length)
{
    const char *slash = strchr(media_type, '/');
    return (size_t)(slash - media_type) == type_length && strncasecmp(media_type, type, type_length) == 0 &&
           is_word(subtype, subtype_length, slash + 1);
}

static bool is_main_type(const char *media_type, const char *type, size_t type_length)
{
    return strncasecmp(media_type, type, type_length) == 0 && media_type[type_length] == '/';
}

unsigned format_match(enum format format, const char *type, size_t type_length, const char *subtype,
                      size_t subtype_length)
{
    bool any_subtype = is_word(subtype, subtype_length, "*");
    if (any_subtype && is_word(type, type_length, "*"))
        return 1;
    for (int i = 0; i < TYPES_MAX && ROWS[format].types[i]; i++) {
        const char *media_type = ROWS[format].types[i];
        if (any_subtype ? is_main_type(media_type, type, type_length)
                        : is_type(media_type, type, type_length, subtype, subtype_length))
            return any_subtype ? 2 : 3;
    }
    return 0;
}

enum format format_of_suffix(const char *segment, size_t segment_length, size_t *length)
{
    for (int i = 0; i < FORMAT_COUNT; i++) {
        const char *suffix = ROWS[i].suffix;
        size_t suffix_length = suffix ? strlen(suffix) : 0;
        if (suffix_length == 0 || segment_length <= suffix_length)
            continue;
        if (memcmp(segment + segment_length - suffix_length, suffix, suffix_length) == 0) {
            *length = segment_length - suffix_length;
            return (enum format)i;
        }
    }
    return FORMAT_NONE;
}
