#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "api/problem.h"
#include "service/guard.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_input.h"

enum { FIELDS_MAX = 80, BODY_BYTES = 1000 };

static const struct guard_limits LIMITS = {
    .target_bytes = 200, .head_bytes = 1000, .header_fields = 16, .body_bytes = BODY_BYTES};

struct head {
    struct guard_request_line line;
    struct {
        const char *name, *value;
    } fields[FIELDS_MAX];
    size_t count;
};

static void look(const struct head *head, bool backwards, struct guard *guard)
{
    guard_begin(guard, &LIMITS, &head->line);
    for (size_t i = 0; i < head->count; i++) {
        size_t at = backwards ? head->count - 1 - i : i;
        const char *name = head->fields[at].name, *value = head->fields[at].value;
        guard_field(guard, name, strlen(name), value, strlen(value));
    }
    guard_end(guard, &head->line);
}

static size_t count_fields(const struct head *head, const char *name)
{
    size_t count = 0;
    for (size_t i = 0; i < head->count; i++)
        count += strcasecmp(head->fields[i].name, name) == 0;
    return count;
}

/* What passes can be understood in one way only (RFC 9112 6.3). */
static void check_passed(const struct head *head, const struct guard *guard)
{
    static const char *const once[] = {"Host",         "Content-Length", "Transfer-Encoding",
                                       "Content-Type", "Origin",         "Authorization"};
    FUZZ_CHECK(head->count <= LIMITS.header_fields && strlen(head->line.target) <= LIMITS.target_bytes);
    for (size_t i = 0; i < sizeof once / sizeof once[0]; i++)
        FUZZ_CHECK(count_fields(head, once[i]) <= 1);
    FUZZ_CHECK(count_fields(head, "Host") == 1 || strcmp(head->line.version, "HTTP/1.0") == 0);
    FUZZ_CHECK(guard->has_content_length == (count_fields(head, "Content-Length") == 1));
    FUZZ_CHECK(guard->is_chunked == (count_fields(head, "Transfer-Encoding") == 1));
    FUZZ_CHECK(!guard->is_chunked || !guard->has_content_length);
    FUZZ_CHECK(!guard->has_content_length || guard->content_length <= BODY_BYTES);
    for (size_t i = 0; i < head->count; i++) {
        FUZZ_CHECK(*head->fields[i].name && !strpbrk(head->fields[i].name, " \t\r:\"(),/"));
        FUZZ_CHECK(!strpbrk(head->fields[i].value, "\r\x01\x7f"));
    }
    FUZZ_CHECK(!strpbrk(head->line.target, " \t\r\x7f"));
}

/* Order and letters of names decide nothing; what is one too many is refused. */
static void check_head(struct head *head)
{
    struct guard guard, again;
    look(head, false, &guard);
    look(head, true, &again);
    FUZZ_CHECK((guard.verdict.code == NULL) == (again.verdict.code == NULL));
    FUZZ_CHECK(guard.bytes == again.bytes && guard.fields == again.fields);
    if (!guard.verdict.code) {
        check_passed(head, &guard);
        FUZZ_CHECK(guard.content_length == again.content_length);
    } else {
        FUZZ_CHECK(problem_find(guard.verdict.code) < PROBLEM_COUNT && *guard.verdict.detail);
    }
    if (count_fields(head, "Host") == 1 && head->count < FIELDS_MAX) {
        head->fields[head->count].name = "hOST";
        head->fields[head->count++].value = "other";
        look(head, false, &again);
        FUZZ_CHECK(again.verdict.code);
    }
}

/* "GET / HTTP/1.1". */
static char *read_line(struct head *head, struct text_span line)
{
    char *text = fuzz_copy(line), *rest = text;
    head->line.method = strsep(&rest, " ");
    head->line.target = rest ? strsep(&rest, " ") : "";
    head->line.version = rest ? rest : "";
    return text;
}

void fuzz_head(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    struct head head = {.count = 0};
    char *texts[FIELDS_MAX], *line = read_line(&head, fuzz_take_line(&input));
    size_t count = 0;
    for (; input.length > 0 && count < FIELDS_MAX - 1; count++) {
        char *value = texts[count] = fuzz_copy(fuzz_take_line(&input));
        head.fields[count].name = strsep(&value, ":");
        head.fields[count].value = value ? value + strspn(value, " ") : "";
    }
    head.count = count;
    check_head(&head);
    while (count > 0)
        free(texts[--count]);
    free(line);
}
