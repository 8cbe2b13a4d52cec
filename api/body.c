#include "api/body.h"

#include <string.h>
#include <strings.h>

#include "api/exchange.h"
#include "api/json_check.h"
#include "api/pgn_input.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/text.h"
#include "rules/utf8.h"

/* What a Content-Type field says. */
enum body_label { LABEL_NONE, LABEL_JSON, LABEL_FORM, LABEL_TEXT, LABEL_PGN, LABEL_LINES, LABEL_OTHER };

static const struct {
    const char *type;
    enum body_label label;
} LABELS[] = {
    {"application/json", LABEL_JSON},
    {"application/x-www-form-urlencoded", LABEL_FORM},
    {"text/plain", LABEL_TEXT},
    {"application/vnd.chess-pgn", LABEL_PGN},
    {"application/x-chess-pgn", LABEL_PGN},
    {"application/x-ndjson", LABEL_LINES},
    {"application/jsonl", LABEL_LINES},
};

static const char *const KIND_TYPES[BODY_KIND_COUNT] = {
    [BODY_EMPTY] = NULL,
    [BODY_JSON] = "application/json",
    [BODY_FORM] = "application/x-www-form-urlencoded",
    [BODY_TEXT] = "text/plain",
    [BODY_PGN] = "application/vnd.chess-pgn",
    [BODY_LINES] = "application/x-ndjson",
};

static enum body_label find_label(const char *content_type)
{
    if (!content_type || *content_type == '\0')
        return LABEL_NONE;
    struct text_span type = {content_type, strcspn(content_type, "; \t")};
    for (size_t i = 0; i < sizeof LABELS / sizeof LABELS[0]; i++) {
        if (text_is_nocase(type, LABELS[i].type))
            return LABELS[i].label;
    }
    return LABEL_OTHER;
}

/* RFC 9110 8.3.2: of the charsets only UTF-8 and what it contains. */
static bool has_good_charset(const char *content_type)
{
    const char *parameters = content_type ? content_type + strcspn(content_type, "; \t") : "";
    const char *charset = *parameters ? strcasestr(parameters, "charset=") : NULL;
    if (!charset)
        return true;
    charset += strlen("charset=");
    charset += *charset == '"';
    struct text_span name = {charset, strcspn(charset, "\"; \t")};
    return text_is_nocase(name, "utf-8") || text_is_nocase(name, "utf8") || text_is_nocase(name, "us-ascii");
}

/* "name=" stands first, where the name may be one that we do not have: it has no blanks and nothing else that
 * parts moves or the fields of a FEN. What stands before the "=" of a promotion ends in a digit ("e8=Q"), with
 * castling in an O; names of ours end in neither, so a bare line of moves is no form. A flag may stand alone. */
static bool begins_like_form(const struct body *body)
{
    static const char others[] = " \t\r\n+,;/?!#&()\"{";
    static const char *const flags[] = {"validate_only", "draw_offer", "rules.fivefold", "rules.seventyfive"};
    const struct text_span first = {body->text, strcspn(body->text, "&")};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        if (text_is(first, flags[i]))
            return true;
    size_t length = strcspn(body->text, "=");
    if (length == 0 || body->text[length] != '=' || body->text[0] == '[' ||
        strcspn(body->text, others) < length)
        return false;
    char last = body->text[length - 1];
    return !strchr("0123456789O", last) || strncmp(body->text, "x_", 2) == 0;
}

static struct text_span behind_mark(const struct body *body)
{
    static const char mark[] = "\xEF\xBB\xBF";
    size_t skipped = strncmp(body->text, mark, sizeof mark - 1) == 0 ? sizeof mark - 1 : 0;
    return (struct text_span){body->text + skipped, body->length - skipped};
}

bool body_begins_like_pgn(const struct body *body)
{
    struct text_span text = behind_mark(body);
    if (text.length == 0)
        return false;
    size_t digits = strspn(text.text, "0123456789");
    bool is_escaped = *text.text == '%' && memchr(text.text, '\n', text.length);
    return *text.text == '[' || *text.text == ';' || is_escaped || (digits > 0 && text.text[digits] == '.');
}

static enum body_kind sniff(const struct body *body)
{
    switch (*behind_mark(body).text) {
    case '{':
        return BODY_JSON;
    case '[':
        return BODY_PGN;
    default:
        return BODY_TEXT;
    }
}

static enum body_kind labelled_kind(const struct body *body, enum body_label label)
{
    switch (label) {
    case LABEL_JSON:
        return BODY_JSON;
    case LABEL_FORM:
        return begins_like_form(body) ? BODY_FORM : sniff(body);
    case LABEL_TEXT:
        return BODY_TEXT;
    case LABEL_PGN:
        return BODY_PGN;
    case LABEL_LINES:
        return BODY_LINES;
    case LABEL_NONE:
    case LABEL_OTHER:
        break;
    }
    return sniff(body);
}

/* Where a PGN is read, one need not begin with a tag: what is read in no other form is one (a brace opens a comment), and
 * what begins like one, where its sender does not call it a text. */
static bool is_bare_pgn(const struct body *body, enum body_label label, enum body_kind kind,
                        unsigned accepted)
{
    if (!(accepted & BODY_BIT(PGN)) || label == LABEL_JSON || (kind != BODY_TEXT && kind != BODY_JSON))
        return false;
    if (!(accepted & 1u << kind))
        return true;
    return kind == BODY_TEXT && label != LABEL_TEXT && body_begins_like_pgn(body);
}

/* What the body is where `accepted` is read; of one without anything what its label says. */
static enum body_kind kind_of(const struct body *body, enum body_label label, unsigned accepted)
{
    enum body_kind kind = labelled_kind(body, label);
    if (is_bare_pgn(body, label, kind, accepted))
        kind = BODY_PGN;
    if (accepted & BODY_BIT(LINES) && label != LABEL_JSON && label != LABEL_PGN)
        kind = BODY_LINES; /* where they are read, nothing else is */
    return kind;
}

/* "application/json, text/plain" */
static const char *join_types(struct arena *arena, unsigned accepted)
{
    const char *list = "";
    for (int kind = 0; kind < BODY_KIND_COUNT; kind++) {
        if (accepted >> kind & 1u)
            list = arena_join(arena, list, KIND_TYPES[kind]);
    }
    return list;
}

static bool refuse_type(struct exchange *exchange, unsigned accepted)
{
    const char *types = join_types(exchange->arena, accepted);
    if (!types)
        return problem_no_memory(exchange);
    bool is_bare = exchange->body.form_typed && exchange->body.kind == BODY_TEXT;
    problem_replyf(exchange, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "%s; it may be: %s.",
                   is_bare ? "The body is a bare text, where fields are read here, as in name=value"
                           : "The body is not read in this form here",
                   types);
    reply_header(exchange, exchange->method == METHOD_PATCH ? "Accept-Patch" : "Accept-Post", types);
    return false;
}

/* RFC 9110 12.5.3: where the coding is at fault, and nowhere else. */
void body_tell_coding(struct exchange *exchange)
{
    reply_header(exchange, "Accept-Encoding", "identity");
}

static bool is_encoded(const struct exchange *exchange)
{
    const char *encoding = exchange_header(exchange, HEADER_CONTENT_ENCODING);
    return encoding && *encoding && strcasecmp(encoding, "identity") != 0;
}

static bool refuse_coding(struct exchange *exchange)
{
    problem_reply(exchange, PROBLEM_UNSUPPORTED_MEDIA_TYPE, "Bodies have to come without Content-Encoding.");
    body_tell_coding(exchange);
    return false;
}

struct body_limit {
    const char *name; /* of the limit */
    int64_t bytes;
};

/* Fields may have a PGN among them where one is read. */
static struct body_limit limit_of(const struct api_limits *limits, enum body_kind kind, unsigned accepted)
{
    bool has_fields = kind == BODY_JSON || kind == BODY_FORM;
    if (kind == BODY_LINES)
        return (struct body_limit){"batch_bytes", limits->batch_bytes};
    if (kind == BODY_PGN && accepted & BODY_MANY_GAMES)
        return (struct body_limit){"pgn_import_bytes", limits->pgn_import_bytes};
    if (kind == BODY_PGN ||
        (has_fields && accepted & BODY_BIT(PGN) && limits->pgn_bytes > limits->body_bytes))
        return (struct body_limit){"pgn_bytes", limits->pgn_bytes};
    return (struct body_limit){"body_bytes", limits->body_bytes};
}

static bool check_length(struct exchange *exchange, enum body_kind kind, unsigned accepted)
{
    struct body_limit limit = limit_of(&exchange->api->settings.limits, kind, accepted);
    if (exchange->request->body_length <= (size_t)limit.bytes)
        return true;
    problem_replyf(exchange, PROBLEM_PAYLOAD_TOO_LARGE,
                   "The body may be at most %lld bytes long (limit `%s`).", (long long)limit.bytes,
                   limit.name);
    return false;
}

static bool check_bytes(struct exchange *exchange)
{
    const struct body *body = &exchange->body;
    size_t valid = utf8_valid(body->text, body->length);
    const char *nul = memchr(body->text, '\0', valid);
    size_t at = nul ? (size_t)(nul - body->text) : valid;
    if (at == body->length)
        return true;
    problem_replyf(exchange, PROBLEM_MALFORMED_REQUEST, "The body %s at byte %zu.",
                   nul ? "holds a NUL byte" : "is not well-formed UTF-8", body->skipped + at);
    return false;
}

static bool check_json(struct exchange *exchange)
{
    const struct body *body = &exchange->body;
    struct json_fault fault;
    unsigned depth = (unsigned)exchange->api->settings.limits.json_depth;
    bool good = json_check(exchange->arena, body->text, body->length, depth, &fault);
    if (!good && !fault.sentence)
        problem_out_of_memory(exchange);
    else if (!good)
        problem_replyf(exchange, PROBLEM_MALFORMED_REQUEST,
                       "The body is not JSON that can be read, at byte %zu. %s", body->skipped + fault.offset,
                       fault.sentence);
    else if (body->text[0] != '{')
        problem_reply(exchange, PROBLEM_MALFORMED_REQUEST, "The body must be a JSON object.");
    return good && body->text[0] == '{';
}

static bool refuse_form(struct exchange *exchange, enum text_decode_status status)
{
    if (status == TEXT_NO_MEMORY)
        problem_out_of_memory(exchange);
    else
        problem_replyf(exchange, PROBLEM_MALFORMED_REQUEST, "The form cannot be read. %s",
                       text_decode_fault(status));
    return false;
}

static enum text_decode_status decode_pair(struct arena *arena, const char *text, size_t length,
                                           struct body_pair *pair)
{
    const char *equals = memchr(text, '=', length);
    size_t name_length = equals ? (size_t)(equals - text) : length, ignored;
    size_t from = equals ? name_length + 1 : length;
    enum text_decode_status status = text_decode(arena, text, name_length, TEXT_QUERY, &pair->name, &ignored);
    if (status != TEXT_DECODED)
        return status;
    status = text_decode(arena, text + from, length - from, TEXT_QUERY, &pair->value, &pair->value_length);
    if (status != TEXT_DECODED)
        return status;
    text_trim(&pair->value, &pair->value_length);
    pair->value = arena_copy(arena, pair->value, pair->value_length);
    return pair->value ? TEXT_DECODED : TEXT_NO_MEMORY;
}

static bool is_repeated(const struct body *body, const char *name)
{
    for (size_t i = 0; i < body->pair_count; i++) {
        if (strcmp(body->pairs[i].name, name) == 0)
            return true;
    }
    return false;
}

static bool read_form(struct exchange *exchange)
{
    struct body *body = &exchange->body;
    struct body_pair *pairs = arena_alloc(exchange->arena, BODY_PAIRS_MAX * sizeof *pairs);
    if (!pairs)
        return refuse_form(exchange, TEXT_NO_MEMORY);
    body->pairs = pairs;
    for (const char *at = body->text; *at; at += *at == '&') {
        size_t length = strcspn(at, "&");
        struct body_pair pair;
        if (length == 0)
            continue;
        enum text_decode_status status = decode_pair(exchange->arena, at, length, &pair);
        if (status != TEXT_DECODED)
            return refuse_form(exchange, status);
        if (body->pair_count == BODY_PAIRS_MAX || is_repeated(body, pair.name)) {
            const char *name = text_shown(exchange->arena, pair.name);
            if (!name)
                return refuse_form(exchange, TEXT_NO_MEMORY);
            problem_replyf(exchange, PROBLEM_MALFORMED_REQUEST,
                           "The form has \"%s\" twice, or too many fields.", name);
            return false;
        }
        pairs[body->pair_count++] = pair;
        at += length;
    }
    return true;
}

/* Without a byte order mark. What cannot be decoded is taken as it is. */
static void decode_bare(struct exchange *exchange)
{
    struct body *body = &exchange->body;
    if (body->kind != BODY_TEXT)
        return;
    struct text_span bare = behind_mark(body);
    body->skipped += body->length - bare.length;
    body->text = bare.text;
    body->length = bare.length;
    if (body->form_typed && strchr(body->text, '%'))
        (void)text_decode(exchange->arena, body->text, body->length, TEXT_QUERY, &body->text, &body->length);
}

static bool read_content(struct exchange *exchange)
{
    struct body *body = &exchange->body;
    if (body->kind == BODY_PGN)
        return pgn_input_check_lines(exchange);
    if (body->kind == BODY_LINES)
        return true;
    if (!check_bytes(exchange))
        return false;
    body->text = arena_copy(exchange->arena, body->text, body->length);
    if (!body->text)
        return problem_no_memory(exchange);
    decode_bare(exchange);
    if (body->kind == BODY_JSON)
        return check_json(exchange);
    return body->kind != BODY_FORM || read_form(exchange);
}

bool body_read(struct exchange *exchange, unsigned accepted)
{
    const struct request *request = exchange->request;
    struct body *body = &exchange->body;
    *body = (struct body){.text = request->body, .length = request->body_length};
    text_trim(&body->text, &body->length);
    body->skipped = (size_t)(body->text - request->body);
    const char *content_type = exchange_header(exchange, HEADER_CONTENT_TYPE);
    enum body_label label = find_label(content_type);
    enum body_kind kind = kind_of(body, label, accepted);
    body->kind = body->length ? kind : BODY_EMPTY;
    body->form_typed = label == LABEL_FORM;
    if (accepted != 0 && !check_length(exchange, kind, accepted)) /* of blanks too */
        return false;
    if (body->kind == BODY_EMPTY && label == LABEL_JSON && accepted != 0) {
        problem_reply(exchange, PROBLEM_MALFORMED_REQUEST,
                      "An empty body is no JSON: send {}, or leave Content-Type out.");
        return false;
    }
    if (body->kind == BODY_EMPTY || accepted == 0) {
        *body = (struct body){.kind = BODY_EMPTY, .text = ""};
        return true;
    }
    if (is_encoded(exchange))
        return refuse_coding(exchange);
    if (label == LABEL_OTHER || !has_good_charset(content_type) || !(accepted >> body->kind & 1u))
        return refuse_type(exchange, accepted);
    return read_content(exchange);
}
