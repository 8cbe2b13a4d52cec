#include "service/guard.h"

#include <string.h>
#include <strings.h>

/* Fields that may stand once, and those that decide how a body is framed. */
enum {
    SEEN_HOST = 1,
    SEEN_LENGTH = 2,
    SEEN_CODING = 4,
    SEEN_TYPE = 8,
    SEEN_ORIGIN = 16,
    SEEN_AUTHORIZATION = 32
};

static const char MALFORMED[] = "malformed-request";

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static bool is_among(char c, const char *others)
{
    return c != '\0' && strchr(others, c) != NULL;
}

/* RFC 9110 5.6.2 */
static bool is_token_byte(char c)
{
    return is_letter(c) || is_digit(c) || c == '-' || is_among(c, "!#$%&'*+.^_`|~");
}

/* RFC 9110 5.5: visible bytes, blanks, obs-text. */
static bool is_value_byte(char c)
{
    unsigned char u = (unsigned char)c;
    return (u >= 0x20 && u != 0x7f) || u == '\t';
}

static bool is_target_byte(char c)
{
    return c > 0x20 && c < 0x7f;
}

static bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}

/* RFC 3986 3.2.2: reg-name, which an IPv4 address is too. */
static bool is_name_byte(char c)
{
    return is_letter(c) || is_digit(c) || c == '.' || c == '-' || is_among(c, "_~%!$&'()*+,;=");
}

static bool is_literal_byte(char c)
{
    return is_digit(c) || is_among(c, "abcdefABCDEF:.");
}

static bool is_word_byte(char c)
{
    return is_letter(c) || is_digit(c) || is_among(c, "._-");
}

static bool is_lower_hex(char c)
{
    return is_digit(c) || (c >= 'a' && c <= 'f');
}

/* Inline, so that each set is asked without a call. */
static inline size_t span(const char *text, size_t length, bool (*is_member)(char c))
{
    size_t i = 0;
    while (i < length && is_member(text[i]))
        i++;
    return i;
}

static inline bool is_all(const char *text, size_t length, bool (*is_member)(char c))
{
    return span(text, length, is_member) == length;
}

static void refuse(struct guard *guard, const char *code, const char *detail)
{
    if (!guard->verdict.code)
        guard->verdict = (struct guard_verdict){code, detail};
}

bool guard_is_authority(const char *text, size_t length)
{
    size_t host = 0;
    if (length && text[0] == '[') {
        host = 1 + span(text + 1, length - 1, is_literal_byte);
        if (host < 3 || host == length || text[host] != ']')
            return false;
        host++;
    } else {
        host = span(text, length, is_name_byte);
    }
    if (host == length)
        return true;
    return host > 0 && text[host] == ':' && length - host <= 6 &&
           is_all(text + host + 1, length - host - 1, is_digit);
}

bool guard_is_request_id(const char *text)
{
    size_t length = strnlen(text, 65);
    return length > 0 && length < 65 && is_all(text, length, is_word_byte);
}

bool guard_is_traceparent(const char *text)
{
    static const char FORM[GUARD_TRACEPARENT_SIZE] =
        "00-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx-xxxxxxxxxxxxxxxx-xx";
    if (strnlen(text, sizeof FORM) != sizeof FORM - 1)
        return false;
    for (size_t i = 0; i < sizeof FORM - 1; i++)
        if (FORM[i] == 'x' ? !is_lower_hex(text[i]) : text[i] != FORM[i])
            return false;
    return true;
}

/* "/path?query" or, behind a proxy, "http://host/path"; "*" only asks about the server. */
static bool is_target_form(const struct guard_request_line *line)
{
    if (strcmp(line->target, "*") == 0)
        return strcmp(line->method, "OPTIONS") == 0;
    return line->target[0] == '/' || strncasecmp(line->target, "http://", strlen("http://")) == 0;
}

void guard_begin(struct guard *guard, const struct guard_limits *limits,
                 const struct guard_request_line *line)
{
    *guard = (struct guard){.limits = limits};
    size_t method = strlen(line->method), target = strlen(line->target);
    guard->bytes = method + target + strlen(line->version) + 6; /* two blanks and two line ends */
    if (!is_all(line->method, method, is_upper))
        refuse(guard, MALFORMED, "The method is not made of capital letters.");
    if (line->method_cut) /* RFC 9112 3 */
        refuse(guard, MALFORMED, "More than one blank stands between the method and the target.");
    if (strcmp(line->method, "CONNECT") == 0)
        refuse(guard, MALFORMED, "CONNECT is for proxies; this is none.");
    if (target > limits->target_bytes)
        refuse(guard, "uri-too-long", "The request target is longer than the limit target_bytes.");
    if (line->target_cut || !is_all(line->target, target, is_target_byte))
        refuse(guard, MALFORMED, "The request target holds bytes that have to be percent-encoded.");
    if (!is_target_form(line))
        refuse(guard, MALFORMED, "The request target has to be a path that begins with '/'.");
}

static bool is_name(const char *name, size_t length, const char *known)
{
    return strncasecmp(name, known, length) == 0 && strlen(known) == length;
}

/* RFC 9112 6.3 and RFC 9110 5.3, 7.2: a field that is there twice can be read two ways. */
static void see_once(struct guard *guard, unsigned bit, const char *detail)
{
    if (guard->seen & bit)
        refuse(guard, MALFORMED, detail);
    guard->seen |= bit;
}

static void read_host(struct guard *guard, const char *value, size_t length)
{
    see_once(guard, SEEN_HOST, "There are several Host fields.");
    /* An http URI without a host is invalid (RFC 9110 4.2.1), so a Host without a name is too. */
    if (length == 0 || !guard_is_authority(value, length))
        refuse(guard, MALFORMED, "The Host field is not a host name with an optional port.");
}

/* RFC 9110 8.6: digits only. What passes 2^63 is over any limit. */
static void read_length(struct guard *guard, const char *value, size_t length)
{
    see_once(guard, SEEN_LENGTH, "There are several Content-Length fields.");
    if (length == 0 || !is_all(value, length, is_digit)) {
        refuse(guard, MALFORMED, "The Content-Length field is not a number.");
        return;
    }
    uint64_t number = 0;
    for (size_t i = 0; i < length; i++)
        number = number > UINT64_MAX / 10 - 1 ? UINT64_MAX : number * 10 + (uint64_t)(value[i] - '0');
    guard->has_content_length = true;
    guard->content_length = number;
    if (number > guard->limits->body_bytes)
        refuse(guard, "payload-too-large",
               "The body is longer than any may be: see the limits `body_bytes`, `pgn_bytes`, "
               "`pgn_import_bytes` and `batch_bytes`.");
}

/* RFC 9112 6.1: chunked is the only coding here, and its name is no list. */
static void read_coding(struct guard *guard, const char *value, size_t length)
{
    see_once(guard, SEEN_CODING, "There are several Transfer-Encoding fields.");
    if (!is_name(value, length, "chunked"))
        refuse(guard, MALFORMED, "The only transfer coding is chunked.");
    guard->is_chunked = true;
}

static void read_content_coding(struct guard *guard, const char *value, size_t length)
{
    if (!is_name(value, length, "identity"))
        refuse(guard, "unsupported-media-type", "Bodies have to come without Content-Encoding.");
}

static void read_type(struct guard *guard, const char *value, size_t length)
{
    (void)value;
    (void)length;
    see_once(guard, SEEN_TYPE, "There are several Content-Type fields.");
}

static void read_origin(struct guard *guard, const char *value, size_t length)
{
    (void)value;
    (void)length;
    see_once(guard, SEEN_ORIGIN, "There are several Origin fields.");
}

static void read_authorization(struct guard *guard, const char *value, size_t length)
{
    (void)value;
    (void)length;
    see_once(guard, SEEN_AUTHORIZATION, "There are several Authorization fields.");
}

static void (*const READERS[HEADER_FIELD_COUNT])(struct guard *guard, const char *value, size_t length) = {
    [HEADER_HOST] = read_host,
    [HEADER_CONTENT_LENGTH] = read_length,
    [HEADER_TRANSFER_ENCODING] = read_coding,
    [HEADER_CONTENT_ENCODING] = read_content_coding,
    [HEADER_CONTENT_TYPE] = read_type,
    [HEADER_ORIGIN] = read_origin,
    [HEADER_AUTHORIZATION] = read_authorization,
};

size_t guard_value_length(const char *value, size_t length)
{
    while (length && (value[length - 1] == ' ' || value[length - 1] == '\t'))
        length--;
    return length;
}

/* The library takes the blanks behind these for a part of them, and reads something else: so must the guard. */
static bool is_framing(enum header_field field)
{
    return field == HEADER_CONTENT_LENGTH || field == HEADER_TRANSFER_ENCODING;
}

enum header_field guard_field(struct guard *guard, const char *name, size_t name_length, const char *value,
                              size_t value_length)
{
    guard->fields++;
    guard->bytes += name_length + value_length + 4; /* ": " and the line end */
    if (name_length == 0 || !is_all(name, name_length, is_token_byte))
        refuse(guard, MALFORMED, "A header field's name holds bytes that no name may hold.");
    if (!is_all(value, value_length, is_value_byte))
        refuse(guard, MALFORMED, "A header field's value holds control bytes.");
    enum header_field field = header_field_of(name, name_length);
    if (READERS[field])
        READERS[field](guard, value,
                       is_framing(field) ? value_length : guard_value_length(value, value_length));
    return field;
}

void guard_end(struct guard *guard, const struct guard_request_line *line)
{
    bool is_1_0 = strcmp(line->version, "HTTP/1.0") == 0;
    if (guard->fields > guard->limits->header_fields)
        refuse(guard, "headers-too-large", "There are more header fields than the limit header_fields.");
    if (guard->bytes > guard->limits->head_bytes)
        refuse(guard, "headers-too-large", "The request head is longer than the limit head_bytes.");
    if (!(guard->seen & SEEN_HOST) && !is_1_0)
        refuse(guard, MALFORMED, "The Host field is missing.");
    if (guard->has_content_length && guard->is_chunked)
        refuse(guard, MALFORMED, "Content-Length and Transfer-Encoding exclude each other.");
    if (guard->is_chunked && is_1_0)
        refuse(guard, MALFORMED, "HTTP/1.0 has no Transfer-Encoding.");
}
