#include "tests/http/mutate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tests/support/chance.h"

unsigned mutate_below(struct mutate_random *random, unsigned count)
{
    return count ? chance_below(&random->state, count) : 0;
}

/* A request in the text, and where it may be changed. */
struct place {
    struct mutate_text *text;
    size_t begin, head; /* the head's length with the empty line; all where there is none */
    struct mutate_random *random;
};

/* `cut` bytes at `at` become these. */
static void splice(struct mutate_text *text, size_t at, size_t cut, const char *bytes, size_t length)
{
    if (at + cut > text->length || text->length - cut + length > MUTATE_TEXT_SIZE)
        return;
    memmove(text->bytes + at + length, text->bytes + at + cut, text->length - at - cut);
    memcpy(text->bytes + at, bytes, length);
    text->length = text->length - cut + length;
}

static size_t anywhere(const struct place *place)
{
    return place->begin + mutate_below(place->random, (unsigned)(place->text->length - place->begin));
}

static size_t in_head(const struct place *place)
{
    return place->begin + mutate_below(place->random, (unsigned)place->head);
}

/* The line of the head around a random byte, with its end. */
static size_t some_line(const struct place *place, size_t *length)
{
    const char *bytes = place->text->bytes;
    size_t at = in_head(place), end = at;
    while (at > place->begin && bytes[at - 1] != '\n')
        at--;
    while (end < place->text->length && bytes[end] != '\n')
        end++;
    *length = end - at + (end < place->text->length);
    return at;
}

/* The value of a field of the head, without the line end. False: it has none of that name. */
static bool find_value(const struct place *place, const char *name, size_t *at, size_t *length)
{
    const char *head = place->text->bytes + place->begin;
    const char *found = memmem(head, place->head, name, strlen(name));
    if (!found)
        return false;
    const char *value = found + strlen(name);
    const char *end = memchr(value, '\r', place->head - (size_t)(value - head));
    *at = (size_t)(value - place->text->bytes);
    *length = end ? (size_t)(end - value) : 0;
    return end != NULL;
}

/* ---- bytes ------------------------------------------------------------------------------------------------- */

/* What parsers look for, and what they do not expect. */
static const char SHARP[] = "\0\r\n \t:;,\"%/\\?#&=*\x01\x7f\x80\xff{}[]-+0A";

static char sharp(const struct place *place)
{
    return SHARP[mutate_below(place->random, sizeof SHARP - 1)];
}

static void change_byte(struct place *place)
{
    place->text->bytes[anywhere(place)] = (char)mutate_below(place->random, 256);
}

static void sharpen_head(struct place *place)
{
    place->text->bytes[in_head(place)] = sharp(place);
}

static void insert_byte(struct place *place)
{
    char byte = sharp(place);
    splice(place->text, anywhere(place), 0, &byte, 1);
}

static void remove_bytes(struct place *place)
{
    size_t at = anywhere(place), most = place->text->length - at;
    splice(place->text, at, 1 + mutate_below(place->random, most < 8 ? (unsigned)most : 8), "", 0);
}

static void flip_case(struct place *place)
{
    char *byte = &place->text->bytes[in_head(place)];
    if ((*byte >= 'a' && *byte <= 'z') || (*byte >= 'A' && *byte <= 'Z'))
        *byte = (char)(*byte ^ 0x20);
}

static void cut_end(struct place *place)
{
    place->text->length = anywhere(place);
}

/* Runs that are longer than lines, heads and buffers may be. */
static void insert_run(struct place *place)
{
    static char run[24000];
    static const char BYTES[] = "aA0 /%\t[{\";:=&\xc3";
    static const unsigned MOST[] = {100, 5000, 9000, sizeof run};
    size_t length = mutate_below(place->random, MOST[mutate_below(place->random, 4)]);
    memset(run, BYTES[mutate_below(place->random, sizeof BYTES - 1)], length);
    splice(place->text, anywhere(place), 0, run, length);
}

/* ---- lines ------------------------------------------------------------------------------------------------- */

static void repeat_line(struct place *place)
{
    char line[512];
    size_t length, from = some_line(place, &length), to_length;
    if (length > sizeof line)
        return;
    memcpy(line, place->text->bytes + from, length);
    size_t to = some_line(place, &to_length);
    splice(place->text, to, 0, line, length);
}

static void drop_line(struct place *place)
{
    size_t length, at = some_line(place, &length);
    splice(place->text, at, length, "", 0);
}

static void end_line_otherwise(struct place *place)
{
    static const char *const ENDS[] = {"\n",     "\r",    "\r\r\n", "\n\r",    "\r\n ",
                                       "\r\n\t", "\r\n:", " \r\n",  "\r\n\r\n"};
    size_t length, at = some_line(place, &length);
    const char *end = ENDS[mutate_below(place->random, sizeof ENDS / sizeof ENDS[0])];
    if (length >= 2)
        splice(place->text, at + length - 2, 2, end, strlen(end));
}

static void add_field(struct place *place)
{
    static const char *const FIELDS[] = {
        "Content-Length: 5\r\n",
        "Content-Length: 0\r\n",
        "Transfer-Encoding: chunked\r\n",
        "Transfer-Encoding: gzip, chunked\r\n",
        "Transfer-Encoding:\013chunked\r\n",
        "Expect: 100-continue\r\n",
        "Expect: nothing\r\n",
        "Connection: close\r\n",
        "Connection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n",
        "Content-Encoding: gzip\r\n",
        "Host: other\r\n",
        "Host: [::1]:80\r\n",
        "Accept: text/plain;q=2, */*;q=-1\r\n",
        "Accept: text/event-stream\r\n",
        "Accept-Encoding: gzip;q=0, identity;q=0\r\n",
        "Authorization: Bearer cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\r\n",
        "Authorization: Basic YTpi\r\n",
        "Content-Type: multipart/form-data; boundary=x\r\n",
        "If-None-Match: *\r\n",
        "Idempotency-Key: once\r\n",
        "Last-Event-ID: 99999999999999999999\r\n",
        "Cookie: a=b; c=d; =; ;;\r\n",
        "Origin: null\r\n",
        "Forwarded: for=\"[::1]\"\r\n",
        "X-HTTP-Method-Override: DELETE\r\n",
        " folded\r\n",
        "traceparent: 00-0-0-0\r\n",
    };
    size_t length, at = some_line(place, &length);
    const char *field = FIELDS[mutate_below(place->random, sizeof FIELDS / sizeof FIELDS[0])];
    splice(place->text, at + length, 0, field, strlen(field));
}

static void change_method(struct place *place)
{
    static const char *const METHODS[] = {"GET",   "HEAD",    "POST", "PUT", "PATCH", "DELETE", "OPTIONS",
                                          "TRACE", "CONNECT", "PRI",  "get", "POS",   ""};
    const char *bytes = place->text->bytes + place->begin;
    const char *blank = memchr(bytes, ' ', place->head);
    const char *method = METHODS[mutate_below(place->random, sizeof METHODS / sizeof METHODS[0])];
    if (blank)
        splice(place->text, place->begin, (size_t)(blank - bytes), method, strlen(method));
}

static void change_version(struct place *place)
{
    static const char *const VERSIONS[] = {"HTTP/1.0", "HTTP/1.2", "HTTP/2.0", "HTTP/1.1x", "HTTP/0.9", ""};
    const char *bytes = place->text->bytes + place->begin;
    const char *found = memmem(bytes, place->head, "HTTP/1.1", 8);
    const char *version = VERSIONS[mutate_below(place->random, sizeof VERSIONS / sizeof VERSIONS[0])];
    if (found)
        splice(place->text, place->begin + (size_t)(found - bytes), 8, version, strlen(version));
}

static void change_target(struct place *place)
{
    static const char *const PARTS[] = {"%00",
                                        "%2f",
                                        "%",
                                        "%zz",
                                        "../",
                                        "//",
                                        "?",
                                        "&",
                                        "#",
                                        "%0d%0a",
                                        "%ff",
                                        "=",
                                        "&fen=",
                                        "?ply=-1",
                                        "&limit=99999999999",
                                        "http://other/",
                                        "*",
                                        ";",
                                        "+"};
    const char *bytes = place->text->bytes + place->begin;
    const char *blank = memchr(bytes, ' ', place->head);
    const char *end = memchr(bytes, '\r', place->head);
    if (!blank || !end || end <= blank + 1)
        return;
    const char *part = PARTS[mutate_below(place->random, sizeof PARTS / sizeof PARTS[0])];
    size_t at = (size_t)(blank + 1 - bytes) + mutate_below(place->random, (unsigned)(end - blank - 1));
    splice(place->text, place->begin + at, mutate_below(place->random, 3), part, strlen(part));
}

/* So many of one thing that a table of them is long: parameters behind the target, cookies, fields. */
static void add_many(struct place *place)
{
    static const struct {
        const char *before, *each;
        bool is_in_line; /* of the request */
    } THINGS[] = {
        {"?", "a=1&", true},
        {"?", "&", true},
        {"&", "=&", true},
        {"&", "limit=1&", true},
        {"\r\nCookie: ", "a=1;", false},
        {"\r\nCookie: ", ",", false},
        {"", "\r\nX:", false},
        {"", "\r\nCookie: a", false},
    };
    static char many[16000];
    size_t which = mutate_below(place->random, sizeof THINGS / sizeof THINGS[0]);
    const char *head = place->text->bytes + place->begin;
    const char *end = memmem(head, place->head, THINGS[which].is_in_line ? " HTTP/" : "\r\n",
                             THINGS[which].is_in_line ? 6 : 2);
    size_t each = strlen(THINGS[which].each), length = strlen(THINGS[which].before);
    unsigned times = mutate_below(place->random, mutate_below(place->random, 2) ? 2000 : 300);
    memcpy(many, THINGS[which].before, length);
    for (; times && length + each <= sizeof many; times--, length += each)
        memcpy(many + length, THINGS[which].each, each);
    if (end)
        splice(place->text, place->begin + (size_t)(end - head), 0, many, length);
}

/* ---- the body's length ------------------------------------------------------------------------------------- */

static void change_length(struct place *place)
{
    static const char *const VALUES[] = {"",
                                         "0",
                                         "1",
                                         "-1",
                                         "+2",
                                         "2 2",
                                         "2, 2",
                                         "0x2",
                                         "2.0",
                                         "9223372036854775808",
                                         "18446744073709551618",
                                         "1048576",
                                         "00000000000000000002",
                                         "2;q=1"};
    size_t at, length;
    char number[16];
    if (!find_value(place, "Content-Length: ", &at, &length))
        return;
    const char *value = VALUES[mutate_below(place->random, sizeof VALUES / sizeof VALUES[0])];
    if (mutate_below(place->random, 2)) {
        (void)snprintf(number, sizeof number, "%u", mutate_below(place->random, 200));
        value = number;
    }
    splice(place->text, at, length, value, strlen(value));
}

/* The same body in chunks, most of them as they should be. */
static void chunk_body(struct place *place)
{
    static const char *const EXTENSIONS[] = {"", "", "", ";a=b", ";a=\"b;c\"", " ", ";", "\t;x"};
    static const char *const LAST[] = {"0\r\n\r\n",
                                       "0\r\n\r\n",
                                       "000\r\n\r\n",
                                       "0;x\r\n\r\n",
                                       "0\r\nTrailer: x\r\n\r\n",
                                       "0\r\nContent-Length: 3\r\n\r\n",
                                       "0\n\n",
                                       "0\r\n",
                                       "-0\r\n\r\n",
                                       ""};
    char body[1024], line[64];
    size_t at, length, end = place->begin + place->head, left = place->text->length - end, taken = 0;
    if (left > sizeof body || !find_value(place, "Content-Length: ", &at, &length))
        return;
    memcpy(body, place->text->bytes + end, left);
    at -= strlen("Content-Length: ");
    place->text->length = end;
    splice(place->text, at, strlen("Content-Length: ") + length, "Transfer-Encoding: chunked", 26);
    while (taken < left) {
        size_t size = 1 + mutate_below(place->random, (unsigned)(left - taken));
        const char *extension =
            EXTENSIONS[mutate_below(place->random, sizeof EXTENSIONS / sizeof EXTENSIONS[0])];
        int written = snprintf(line, sizeof line, "%zx%s\r\n", size, extension);
        splice(place->text, place->text->length, 0, line, (size_t)written);
        splice(place->text, place->text->length, 0, body + taken, size);
        splice(place->text, place->text->length, 0, "\r\n", 2);
        taken += size;
    }
    const char *last = LAST[mutate_below(place->random, sizeof LAST / sizeof LAST[0])];
    splice(place->text, place->text->length, 0, last, strlen(last));
}

/* ---- one of them ------------------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*change)(struct place *place);
} CHANGES[] = {
    {"change byte", change_byte},     {"sharpen head", sharpen_head},
    {"insert byte", insert_byte},     {"remove bytes", remove_bytes},
    {"flip case", flip_case},         {"cut end", cut_end},
    {"insert run", insert_run},       {"repeat line", repeat_line},
    {"drop line", drop_line},         {"end line otherwise", end_line_otherwise},
    {"add field", add_field},         {"add many", add_many},
    {"change method", change_method}, {"change version", change_version},
    {"change target", change_target}, {"change length", change_length},
    {"change length", change_length}, {"chunk body", chunk_body},
    {"chunk body", chunk_body},
};

const char *mutate(struct mutate_text *text, size_t begin, struct mutate_random *random)
{
    unsigned which = mutate_below(random, sizeof CHANGES / sizeof CHANGES[0]);
    if (text->length <= begin)
        return "nothing";
    const char *bytes = text->bytes + begin;
    const char *end = memmem(bytes, text->length - begin, "\r\n\r\n", 4);
    struct place place = {text, begin, end ? (size_t)(end - bytes) + 4 : text->length - begin, random};
    CHANGES[which].change(&place);
    return CHANGES[which].name;
}
