#include <stdlib.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "api/json_check.h"
#include "api/json_span.h"
#include "rules/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_input.h"

enum { DEPTH_MAX = 64 }; /* of limits.json_depth */

static bool is_good(struct text_span text, unsigned depth)
{
    struct arena arena = {0};
    struct json_fault fault = {SIZE_MAX, NULL};
    bool good = json_check(&arena, text.text, text.length, depth, &fault);
    FUZZ_CHECK(good || (fault.sentence && *fault.sentence && fault.offset <= text.length));
    arena_finish(&arena);
    return good;
}

/* ---- what was found good, taken from the text and by cJSON --------------------------------------------------- */

static void check_value(struct text_span text, const cJSON *item);

static void check_string(struct text_span text, const char *string)
{
    struct arena arena = {0};
    size_t length = 0;
    const char *read = json_span_text(&arena, text, &length);
    FUZZ_CHECK(read && strlen(read) == length && utf8_valid(read, length) == length);
    FUZZ_CHECK(strcmp(read, string) == 0);
    arena_finish(&arena);
}

static void check_object(struct text_span text, const cJSON *object)
{
    const char *at = NULL;
    struct text_span name, value, found;
    const cJSON *item;
    cJSON_ArrayForEach(item, object)
    {
        FUZZ_CHECK(json_span_next(text, &at, &name, &value));
        check_string(name, item->string);
        FUZZ_CHECK(json_span_member(text, item->string, &found));
        FUZZ_CHECK(found.text == value.text && found.length == value.length);
        FUZZ_CHECK(cJSON_GetObjectItemCaseSensitive(object, item->string) == item);
        check_value(value, item);
    }
    FUZZ_CHECK(!json_span_next(text, &at, &name, &value));
    FUZZ_CHECK(!json_span_member(text, "no member has this name", &value));
}

static void check_array(struct text_span text, const cJSON *array)
{
    const char *at = NULL;
    struct text_span value;
    const cJSON *item;
    cJSON_ArrayForEach(item, array)
    {
        FUZZ_CHECK(json_span_next_element(text, &at, &value));
        check_value(value, item);
    }
    FUZZ_CHECK(!json_span_next_element(text, &at, &value));
}

static void check_number(struct text_span text, const cJSON *item)
{
    char *copy = fuzz_copy(text), *end;
    double value = strtod(copy, &end);
    FUZZ_CHECK(*end == '\0' && value == item->valuedouble);
    free(copy);
}

static void check_value(struct text_span text, const cJSON *item)
{
    FUZZ_CHECK(text.length > 0);
    if (cJSON_IsObject(item))
        check_object(text, item);
    else if (cJSON_IsArray(item))
        check_array(text, item);
    else if (cJSON_IsString(item))
        check_string(text, item->valuestring);
    else if (cJSON_IsNumber(item))
        check_number(text, item);
    else
        FUZZ_CHECK(text_is(text, cJSON_IsNull(item) ? "null" : cJSON_IsTrue(item) ? "true" : "false"));
}

/* ---- rounds -------------------------------------------------------------------------------------------------- */

static cJSON *parse(struct text_span text)
{
    cJSON *tree = cJSON_ParseWithLengthOpts(text.text, text.length + 1, NULL, true);
    FUZZ_CHECK(tree);
    return tree;
}

/* What a good writer makes of the value. */
static char *print(const cJSON *tree)
{
    char *printed = cJSON_PrintUnformatted(tree);
    FUZZ_CHECK(printed);
    return printed;
}

/* White space left out the value is the same, and what has none stays as it is. */
static void check_compact(struct text_span text, const char *printed, unsigned depth)
{
    struct arena arena = {0};
    struct text_span compact, again;
    compact.text = json_span_compact(&arena, text, &compact.length);
    again.text = json_span_compact(&arena, compact, &again.length);
    FUZZ_CHECK(compact.length <= text.length && compact.length == again.length);
    FUZZ_CHECK(memcmp(compact.text, again.text, again.length) == 0);
    FUZZ_CHECK(is_good(compact, depth));
    cJSON *tree = parse(compact);
    char *again_printed = print(tree);
    FUZZ_CHECK(strcmp(printed, again_printed) == 0);
    cJSON_free(again_printed);
    cJSON_Delete(tree);
    arena_finish(&arena);
}

/* A limit that lies lower only ever refuses. */
static void check_depth(struct text_span text, unsigned depth)
{
    unsigned least = 0;
    while (least < depth && !is_good(text, least))
        least++;
    for (unsigned more = least; more <= depth; more++)
        FUZZ_CHECK(is_good(text, more));
}

static struct text_span value_of(struct text_span text)
{
    text_trim(&text.text, &text.length);
    return text;
}

void fuzz_json(const uint8_t *data, size_t size)
{
    if (size == 0)
        return;
    unsigned depth = data[0] % (DEPTH_MAX + 1);
    struct text_span text = {(const char *)data + 1, size - 1};
    if (!is_good(text, depth))
        return;
    FUZZ_CHECK(!memchr(text.text, '\0', text.length));
    char *copy = fuzz_copy(text);
    text.text = copy;
    cJSON *tree = parse(text);
    char *printed = print(tree);
    check_value(value_of(text), tree);
    check_compact(text, printed, depth);
    check_depth(text, depth);
    FUZZ_CHECK(is_good((struct text_span){printed, strlen(printed)}, depth));
    cJSON_free(printed);
    cJSON_Delete(tree);
    free(copy);
}
