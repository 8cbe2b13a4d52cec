#include "bench/load_answer.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { STATUS_AT = 9 }; /* "HTTP/1.1 200 OK" */

/* The value of Content-Length in the lines of a head; false: none of them is one. */
static bool read_length(const char *head, const char *end, size_t *value)
{
    static const char name[] = "\ncontent-length:";
    static const size_t name_length = sizeof name - 1;
    for (const char *line = head; (line = memchr(line, '\n', (size_t)(end - line))); line++) {
        if ((size_t)(end - line) < name_length || strncasecmp(line, name, name_length) != 0)
            continue;
        *value = strtoul(line + name_length, NULL, 10);
        return true;
    }
    return false;
}

enum answer_reading answer_read(const char *bytes, size_t length, struct answer *answer)
{
    const char *end = memmem(bytes, length, "\r\n\r\n", 4);
    if (!end)
        return ANSWER_GOES_ON;
    size_t body_length = 0;
    if (end - bytes < STATUS_AT + 3 || memcmp(bytes, "HTTP/1.", 7) != 0 ||
        !read_length(bytes, end, &body_length))
        return ANSWER_BROKEN;
    size_t got = length - (size_t)(end + 4 - bytes);
    if (got < body_length)
        return ANSWER_GOES_ON;
    answer->status = (unsigned)strtoul(bytes + STATUS_AT, NULL, 10);
    answer->body = end + 4;
    answer->body_length = body_length;
    return got == body_length ? ANSWER_WHOLE : ANSWER_BROKEN;
}

/* Where the value of a member begins; NULL: there is no such member. */
static const char *find_value(const struct answer *answer, const char *member)
{
    const char *end = answer->body + answer->body_length;
    const char *at = memmem(answer->body, answer->body_length, member, strlen(member));
    if (!at)
        return NULL;
    at += strlen(member);
    while (at < end && *at == ' ')
        at++;
    return at < end ? at : NULL;
}

const char *answer_text(const struct answer *answer, const char *member, size_t *length)
{
    const char *at = find_value(answer, member);
    if (!at || *at != '"')
        return NULL;
    at++;
    const char *end = memchr(at, '"', answer->body_length - (size_t)(at - answer->body));
    if (!end)
        return NULL;
    *length = (size_t)(end - at);
    return at;
}

/* The byte behind a body is the NUL that the reader of a connection puts there. */
long answer_number(const struct answer *answer, const char *member)
{
    const char *at = find_value(answer, member);
    if (!at || *at < '0' || *at > '9')
        return -1;
    return strtol(at, NULL, 10);
}
