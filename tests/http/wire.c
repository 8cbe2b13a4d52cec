#include "tests/http/wire.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum {
    LONG_CHUNK_LINE =
        4096, /* what a library with 16 KiB for a connection cannot hold beside a head, at the least */
    LONG_HEAD = 8192,  /* and beside its table of fields */
    MANY_FIELDS = 100, /* fill the buffer by that table */
    LENGTH_DIGITS_MAX = 18,
};

/* ---- lines ------------------------------------------------------------------------------------------------- */

struct span {
    const char *text;
    size_t length;
};

/* One line at `*at` without its end. False: it is not whole. A lone LF ends one too (RFC 9112 2.2). */
static bool take_line(const char *bytes, size_t length, size_t *at, struct span *line)
{
    const char *end = length > *at ? memchr(bytes + *at, '\n', length - *at) : NULL;
    if (!end)
        return false;
    *line = (struct span){bytes + *at, (size_t)(end - bytes) - *at};
    *at += line->length + 1;
    if (line->length && line->text[line->length - 1] == '\r')
        line->length--;
    return true;
}

static bool is_token_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c && strchr("!#$%&'*+-.^_`|~", c));
}

static bool has_control(struct span text)
{
    for (size_t i = 0; i < text.length; i++) {
        unsigned char c = (unsigned char)text.text[i];
        if ((c < ' ' && c != '\t') || c == 0x7f)
            return true;
    }
    return false;
}

/* The line as a field. False: it is none. */
static bool split_field(struct span line, struct span *name, struct span *value)
{
    size_t at = 0;
    while (at < line.length && is_token_byte(line.text[at]))
        at++;
    if (at == 0 || at == line.length || line.text[at] != ':')
        return false;
    *name = (struct span){line.text, at++};
    while (at < line.length && (line.text[at] == ' ' || line.text[at] == '\t'))
        at++;
    *value = (struct span){line.text + at, line.length - at};
    while (value->length && (value->text[value->length - 1] == ' ' || value->text[value->length - 1] == '\t'))
        value->length--;
    return true;
}

static bool is_text(struct span text, const char *known)
{
    return text.length == strlen(known) && strncasecmp(text.text, known, text.length) == 0;
}

/* SIZE_MAX: no number, or one that no test sends. */
static size_t number_of(struct span digits, int base)
{
    char text[LENGTH_DIGITS_MAX + 1], *end = NULL;
    while (digits.length > 1 && digits.text[0] == '0')
        digits = (struct span){digits.text + 1, digits.length - 1};
    if (digits.length == 0 || digits.length > LENGTH_DIGITS_MAX)
        return SIZE_MAX;
    for (size_t i = 0; i < digits.length; i++)
        if (!memchr("0123456789abcdefABCDEF", digits.text[i], base == 10 ? 10 : 22))
            return SIZE_MAX;
    memcpy(text, digits.text, digits.length);
    text[digits.length] = '\0';
    return (size_t)strtoull(text, &end, base);
}

/* The library ends a value at a NUL; the line does not end there, so nothing is hidden by it. */
static void cut_at_nul(struct span *value)
{
    const char *nul = memchr(value->text, '\0', value->length);
    if (nul)
        value->length = (size_t)(nul - value->text);
}

/* ---- framing ----------------------------------------------------------------------------------------------- */

struct framing {
    size_t fields;
    size_t lengths, codings, hosts, ids; /* how many fields of that name */
    size_t content_length;
    bool is_chunked;
    bool is_faulty;
    bool is_odd; /* a length that the library does not read: blanks behind it are legal */
};

static void read_framing_field(struct framing *framing, struct span name, struct span value)
{
    if (is_text(name, "Content-Length")) {
        const char *behind = value.text + value.length;
        framing->lengths++;
        framing->content_length = number_of(value, 10);
        framing->is_odd |= framing->content_length == SIZE_MAX || *behind == ' ' || *behind == '\t';
    } else if (is_text(name, "Transfer-Encoding")) {
        framing->codings++;
        framing->is_chunked = is_text(value, "chunked");
    } else if (is_text(name, "Host")) {
        framing->hosts++;
    }
}

/* Chunks, the last one and the trailers, from `*at` on. `longest`: of the lines with a size. */
static enum wire_form take_chunks(const char *bytes, size_t length, size_t *at, size_t *longest)
{
    struct span line, end;
    for (;;) {
        const size_t begin = *at;
        if (!take_line(bytes, length, at, &line)) {
            *longest = length - begin > *longest ? length - begin : *longest;
            return WIRE_CUT;
        }
        *longest = line.length > *longest ? line.length : *longest;
        size_t digits = 0;
        while (digits < line.length && memchr("0123456789abcdefABCDEF", line.text[digits], 22))
            digits++;
        size_t blanks = digits;
        while (blanks < line.length && (line.text[blanks] == ' ' || line.text[blanks] == '\t'))
            blanks++;
        size_t size = number_of((struct span){line.text, digits}, 16);
        /* An extension is skipped, whatever bytes it has (RFC 9112 7.1.1). */
        if (size == SIZE_MAX || (blanks < line.length && line.text[blanks] != ';'))
            return WIRE_FAULTY;
        if (size == 0)
            break;
        if (length - *at < size)
            return WIRE_CUT;
        *at += size;
        if (!take_line(bytes, length, at, &end))
            return length - *at < 2 ? WIRE_CUT : WIRE_FAULTY;
        if (end.length)
            return WIRE_FAULTY;
    }
    do { /* trailers, of which nobody reads more than their ends */
        if (!take_line(bytes, length, at, &line))
            return WIRE_CUT;
    } while (line.length);
    return WIRE_WHOLE;
}

/* ---- requests ---------------------------------------------------------------------------------------------- */

/* What the service tells again: 1 to 64 letters, digits, dots, dashes and underscores, in one field. */
static void read_id(struct wire_request *request, struct framing *framing, struct span value)
{
    static const char BYTES[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    size_t good = 0;
    while (good < value.length && memchr(BYTES, value.text[good], sizeof BYTES - 1))
        good++;
    *request->id = '\0';
    if (framing->ids++ == 0 && good == value.length && good < WIRE_ID_SIZE)
        (void)snprintf(request->id, WIRE_ID_SIZE, "%.*s", (int)good, value.text);
}

/* "METHOD target HTTP/1.x", where blanks may be several (RFC 9112 3). */
static bool read_request_line(struct span line, struct wire_request *request)
{
    size_t method = 0;
    while (method < line.length && is_token_byte(line.text[method]))
        method++;
    request->is_head = method == 4 && line.length > 4 && memcmp(line.text, "HEAD ", 5) == 0;
    request->may_stream = memmem(line.text, line.length, "events", 6) != NULL;
    const char *blank = memrchr(line.text, ' ', line.length);
    struct span version =
        blank ? (struct span){blank + 1, line.length - (size_t)(blank + 1 - line.text)} : line;
    bool is_1 = version.length == 8 && memcmp(version.text, "HTTP/1.", 7) == 0 && version.text[7] >= '0' &&
                version.text[7] <= '9';
    if (!is_1)
        request->known |= WIRE_OTHER_VERSION;
    return is_1 && method > 0 && line.text[method] == ' ' && !has_control(line);
}

static enum wire_form take_head(const char *bytes, size_t length, size_t *at, struct wire_request *request,
                                struct framing *framing)
{
    struct span line, name, value;
    do { /* empty lines before a request are none (RFC 9112 2.2) */
        if (!take_line(bytes, length, at, &line))
            return WIRE_CUT;
    } while (line.length == 0);
    framing->is_faulty = !read_request_line(line, request);
    if (line.text[0] == '\0')
        request->known |= WIRE_ENDS_HEAD;
    for (;;) {
        if (!take_line(bytes, length, at, &line))
            return WIRE_CUT;
        if (line.length == 0)
            return WIRE_WHOLE;
        if (line.text[0] == ':' || line.text[0] == '\0')
            request->known |= WIRE_ENDS_HEAD;
        bool is_field = split_field(line, &name, &value);
        framing->fields += is_field;
        if (is_field)
            cut_at_nul(&value);
        framing->is_faulty |= !is_field || has_control(value);
        if (is_field) {
            read_framing_field(framing, name, value);
            if (is_text(name, "X-Request-Id"))
                read_id(request, framing, value);
        }
    }
}

enum wire_form wire_read_request(const char *bytes, size_t length, struct wire_request *request)
{
    struct framing framing = {0};
    size_t at = 0, longest = 0;
    *request = (struct wire_request){0};
    enum wire_form form = take_head(bytes, length, &at, request, &framing);
    if (framing.is_odd || framing.fields > MANY_FIELDS || (form == WIRE_CUT ? length : at) > LONG_HEAD)
        request->known |= WIRE_ANSWERS_TWICE;
    if (form == WIRE_WHOLE &&
        (framing.is_faulty || framing.lengths > 1 || framing.codings > 1 || framing.hosts > 1 ||
         (framing.lengths && (framing.codings || framing.content_length == SIZE_MAX)) ||
         (framing.codings && !framing.is_chunked)))
        form = WIRE_FAULTY;
    if (form != WIRE_WHOLE) {
        *request->id = '\0';
        return form;
    }
    if (framing.is_chunked)
        form = take_chunks(bytes, length, &at, &longest);
    else if (framing.lengths && length - at < framing.content_length)
        form = WIRE_CUT;
    else
        at += framing.content_length;
    if (longest > LONG_CHUNK_LINE)
        request->known |= WIRE_LONG_CHUNK;
    request->length = at;
    return form;
}

/* ---- answers ----------------------------------------------------------------------------------------------- */

static void read_answer_field(struct wire_answer *answer, struct span name, struct span value)
{
    if (is_text(name, "X-Request-Id"))
        (void)snprintf(answer->id, sizeof answer->id, "%.*s", (int)value.length, value.text);
    else if (is_text(name, "Connection"))
        answer->closes = is_text(value, "close");
    else if (is_text(name, "Content-Type"))
        answer->is_problem = is_text(value, "application/problem+json");
}

enum wire_form wire_read_answer(const char *bytes, size_t length, bool to_head, struct wire_answer *answer)
{
    struct framing framing = {0};
    struct span line, name, value;
    size_t at = 0, longest = 0;
    *answer = (struct wire_answer){0};
    if (!take_line(bytes, length, &at, &line))
        return WIRE_CUT;
    if (line.length < strlen("HTTP/1.1 200") || memcmp(line.text, "HTTP/1.", 7) != 0 || line.text[8] != ' ')
        return WIRE_FAULTY;
    size_t status = number_of((struct span){line.text + 9, 3}, 10);
    do {
        if (!take_line(bytes, length, &at, &line))
            return WIRE_CUT;
        if (line.length && (!split_field(line, &name, &value) || has_control(line)))
            return WIRE_FAULTY;
        if (line.length) {
            read_framing_field(&framing, name, value);
            read_answer_field(answer, name, value);
        }
    } while (line.length);
    answer->head_length = at;
    answer->status = status < 1000 ? (unsigned)status : 0;
    enum wire_form form = WIRE_WHOLE;
    if (to_head || answer->status < 200 || answer->status == 204 || answer->status == 304)
        ;
    else if (framing.is_chunked)
        form = take_chunks(bytes, length, &at, &longest);
    else if (!framing.lengths)
        at = length;
    else if (framing.content_length > length - at)
        form = WIRE_CUT;
    else
        at += framing.content_length;
    answer->length = at;
    return answer->status < 100 ? WIRE_FAULTY : form;
}
