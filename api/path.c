#include "api/path.h"

#include <string.h>

#include "api/exchange.h"
#include "api/problem.h"
#include "api/scalar.h"
#include "games/game.h"
#include "rules/chess960.h"

static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '%' || (text[i] & 0x80))
            return false;
    }
    return true;
}

static bool read_segment(struct exchange *exchange, const char *text, size_t length,
                         struct text_span *segment)
{
    *segment = (struct text_span){text, length};
    if (is_plain(text, length))
        return true;
    enum text_decode_status status =
        text_decode(exchange->arena, text, length, TEXT_SEGMENT, &segment->text, &segment->length);
    if (status == TEXT_NO_MEMORY)
        problem_out_of_memory(exchange);
    else if (status != TEXT_DECODED)
        problem_replyf(exchange, PROBLEM_MALFORMED_REQUEST, "The path cannot be read. %s",
                       text_decode_fault(status));
    return status == TEXT_DECODED;
}

static bool refuse_long(struct exchange *exchange, int64_t most)
{
    problem_replyf(exchange, PROBLEM_URI_TOO_LONG, "The target may be at most %lld bytes long.",
                   (long long)most);
    return false;
}

bool path_read(struct exchange *exchange, const char *target, struct path *path, const char **query)
{
    *path = (struct path){0};
    int64_t most = exchange->api->settings.limits.target_bytes;
    if (strlen(target) > (size_t)most)
        return refuse_long(exchange, most);
    if (*target != '/') {
        problem_reply(exchange, PROBLEM_MALFORMED_REQUEST, "The request target does not begin with a slash.");
        return false;
    }
    struct text_span segment;
    do {
        target++;
        size_t length = strcspn(target, "/?");
        if (!read_segment(exchange, target, length, &segment))
            return false;
        if (path->count < PATH_SEGMENTS_MAX)
            path->segments[path->count] = segment;
        path->count++;
        target += length;
    } while (*target == '/');
    *query = *target == '?' ? target + 1 : NULL;
    return true;
}

bool path_strip_suffix(const struct path *path, struct path *bare)
{
    if (path->count > PATH_SEGMENTS_MAX)
        return false;
    *bare = *path;
    struct text_span *last = &bare->segments[path->count - 1];
    bare->suffix = format_of_suffix(*last, &last->length);
    return bare->suffix != FORMAT_NONE;
}

static bool read_id(struct exchange *exchange, const struct text_span *segment)
{
    if (!game_id_is_valid(segment->text, segment->length)) {
        problem_reply(exchange, PROBLEM_GAME_NOT_FOUND, "No game has this id.");
        return false;
    }
    memcpy(exchange->path.id, segment->text, segment->length);
    return true;
}

static bool read_ply(struct exchange *exchange, const struct text_span *segment)
{
    int64_t ply = -1;
    if (!scalar_integer(segment->text, segment->length, &ply) || ply < 0 || ply > GAME_PLIES_LIMIT) {
        problem_replyf(exchange, PROBLEM_PLY_NOT_FOUND, "Half-moves are numbered from 1 to %d.",
                       (int)GAME_PLIES_LIMIT);
        return false;
    }
    exchange->path.ply = (uint32_t)ply;
    return true;
}

static bool read_slug(struct exchange *exchange, const struct text_span *segment)
{
    if (segment->length >= EXCHANGE_SLUG_SIZE) {
        problem_reply(exchange, PROBLEM_NOT_FOUND, "Nothing has this name.");
        return false;
    }
    memcpy(exchange->path.slug, segment->text, segment->length);
    return true;
}

static bool read_number(struct exchange *exchange, const struct text_span *segment)
{
    int64_t number = -1;
    if (!scalar_integer(segment->text, segment->length, &number) || number < 0 || number >= CHESS960_COUNT) {
        problem_reply(exchange, PROBLEM_NOT_FOUND,
                      "The first positions of Chess960 are numbered from 0 to 959.");
        return false;
    }
    exchange->path.number = (uint32_t)number;
    return true;
}

static bool read_color(struct exchange *exchange, const struct text_span *segment)
{
    for (enum game_seat seat = SEAT_WHITE; seat < SEAT_COUNT; seat++)
        if (text_is(*segment, game_seat_words[seat])) {
            exchange->path.seat = seat;
            return true;
        }
    problem_reply(exchange, PROBLEM_NOT_FOUND, "A game has two seats: white and black.");
    return false;
}

static const struct {
    const char *name;
    bool (*read)(struct exchange *exchange, const struct text_span *segment);
} VALUES[] = {
    {"{id}", read_id},     {"{ply}", read_ply},  {"{slug}", read_slug},
    {"{name}", read_slug}, {"{n}", read_number}, {"{color}", read_color},
};

static bool read_value(struct exchange *exchange, const struct text_span *segment, struct text_span name)
{
    for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; i++) {
        if (text_is(name, VALUES[i].name))
            return VALUES[i].read(exchange, segment);
    }
    return true;
}

bool path_values_read(struct exchange *exchange, const struct path *path, const char *template)
{
    for (size_t i = 0; i < path->count; i++) {
        template ++;
        struct text_span name = {template, strcspn(template, "/")};
        if (*template == '{' && !read_value(exchange, &path->segments[i], name))
            return false;
        template += name.length;
    }
    return true;
}
