#include "api/json_check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "api/json_span.h"
#include "api/text.h"
#include "rules/utf8.h"

/* The names of all objects that are open, those of the innermost at the end. */
struct names {
    const char **items; /* each at its opening quote */
    size_t count, capacity;
};

struct checker {
    struct arena *arena;
    const char *text, *at, *end;
    unsigned depth; /* levels that may still be opened */
    struct names names;
    struct json_fault *fault;
};

static bool fail_at(struct checker *checker, const char *at, const char *sentence)
{
    *checker->fault = (struct json_fault){(size_t)(at - checker->text), sentence};
    return false;
}

static bool fail(struct checker *checker, const char *sentence)
{
    return fail_at(checker, checker->at, sentence);
}

static char peek(const struct checker *checker)
{
    if (checker->at == checker->end)
        return '\0';
    return *checker->at;
}

static void skip_space(struct checker *checker)
{
    for (char c = peek(checker); c == ' ' || c == '\t' || c == '\r' || c == '\n'; c = peek(checker))
        checker->at++;
}

static bool take(struct checker *checker, char c)
{
    if (checker->at == checker->end || *checker->at != c)
        return false;
    checker->at++;
    return true;
}

static bool skip_digits(struct checker *checker)
{
    const char *from = checker->at;
    while (peek(checker) >= '0' && peek(checker) <= '9')
        checker->at++;
    return checker->at > from;
}

static bool check_digits(struct checker *checker)
{
    take(checker, '-');
    bool zero = take(checker, '0');
    if (!zero && !skip_digits(checker))
        return fail(checker, "A number has no digits.");
    if (zero && peek(checker) >= '0' && peek(checker) <= '9')
        return fail(checker, "A number begins with a zero.");
    if (take(checker, '.') && !skip_digits(checker))
        return fail(checker, "A number has no digits after its point.");
    if (take(checker, 'e') || take(checker, 'E')) {
        if (!take(checker, '+'))
            take(checker, '-');
        if (!skip_digits(checker))
            return fail(checker, "A number has no digits in its exponent.");
    }
    return true;
}

static bool check_number(struct checker *checker)
{
    const char *from = checker->at;
    if (!check_digits(checker))
        return false;
    if (checker->at - from > JSON_NUMBER_MAX)
        return fail_at(checker, from, "A number is longer than 63 characters.");
    return true;
}

/* The four digits of \uXXXX, or -1. */
static int take_hex(struct checker *checker)
{
    int value = 0;
    for (int i = 0; i < 4; i++) {
        static const char DIGITS[] = "0123456789abcdef";
        char c = peek(checker);
        const char *digit = c ? strchr(DIGITS, c >= 'A' && c <= 'F' ? c | 0x20 : c) : NULL;
        if (!digit)
            return -1;
        value = value * 16 + (int)(digit - DIGITS);
        checker->at++;
    }
    return value;
}

static bool check_unicode(struct checker *checker, const char *escape)
{
    int code = take_hex(checker);
    if (code < 0)
        return fail_at(checker, escape, "An escape has not four hexadecimal digits.");
    if (code == 0)
        return fail_at(checker, escape, "A string holds the character NUL.");
    if (code < 0xD800 || code > 0xDFFF)
        return true;
    int low = code <= 0xDBFF && take(checker, '\\') && take(checker, 'u') ? take_hex(checker) : -1;
    if (low < 0xDC00 || low > 0xDFFF)
        return fail_at(checker, escape, "A surrogate stands alone.");
    return true;
}

static bool check_escape(struct checker *checker)
{
    const char *escape = checker->at++;
    char c = peek(checker);
    if (c == '\0' || !strchr("\"\\/bfnrtu", c))
        return fail_at(checker, escape, "An escape is not known.");
    checker->at++;
    return c != 'u' || check_unicode(checker, escape);
}

static bool check_string(struct checker *checker)
{
    if (!take(checker, '"'))
        return fail(checker, "A string was expected.");
    while (checker->at < checker->end && *checker->at != '"') {
        if ((unsigned char)*checker->at < 0x20)
            return fail(checker, "A string holds a control character.");
        if (*checker->at != '\\')
            checker->at++;
        else if (!check_escape(checker))
            return false;
    }
    return take(checker, '"') || fail(checker, "A string does not end.");
}

static bool check_word(struct checker *checker, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(checker->end - checker->at) < length || memcmp(checker->at, word, length) != 0)
        return fail(checker, "A value was expected.");
    checker->at += length;
    return true;
}

static bool push_name(struct checker *checker, const char *name)
{
    struct names *names = &checker->names;
    if (names->count == names->capacity) {
        size_t capacity = names->capacity ? names->capacity * 2 : 16;
        const char **items = arena_grow(checker->arena, names->items, names->capacity * sizeof *items,
                                        capacity * sizeof *items);
        if (!items)
            return fail(checker, NULL);
        names->items = items;
        names->capacity = capacity;
    }
    names->items[names->count++] = name;
    return true;
}

/* Which of two quoted strings comes first after unescaping; 0: they read the same. */
static int compare_strings(const char *left, const char *right)
{
    struct json_string_reader left_reader = {.at = left + 1}, right_reader = {.at = right + 1};
    int left_byte, right_byte;
    do {
        left_byte = json_string_next(&left_reader);
        right_byte = json_string_next(&right_reader);
    } while (left_byte == right_byte && left_byte >= 0);
    return left_byte - right_byte;
}

/* The same text by place, so that the later one of two is reported. */
static int compare_names(const void *a, const void *b)
{
    const char *left = *(const char *const *)a, *right = *(const char *const *)b;
    int order = compare_strings(left, right);
    return order ? order : (left > right) - (left < right);
}

/* The names from `first` on are those of one object, which is complete. */
static bool check_names(struct checker *checker, size_t first)
{
    const char **items = checker->names.items + first;
    size_t count = checker->names.count - first;
    checker->names.count = first;
    if (count < 2)
        return true;
    qsort(items, count, sizeof *items, compare_names);
    for (size_t i = 1; i < count; i++) {
        if (compare_strings(items[i - 1], items[i]) == 0)
            return fail_at(checker, items[i], "An object has the same member twice.");
    }
    return true;
}

static bool check_value(struct checker *checker);

static bool check_member(struct checker *checker)
{
    skip_space(checker);
    const char *name = checker->at;
    if (!check_string(checker) || !push_name(checker, name))
        return false;
    skip_space(checker);
    if (!take(checker, ':'))
        return fail(checker, "A colon was expected.");
    return check_value(checker);
}

static bool check_members(struct checker *checker)
{
    size_t first = checker->names.count;
    skip_space(checker);
    if (take(checker, '}'))
        return true;
    do {
        if (!check_member(checker))
            return false;
        skip_space(checker);
    } while (take(checker, ','));
    if (!take(checker, '}'))
        return fail(checker, "A comma or the end of an object was expected.");
    return check_names(checker, first);
}

static bool check_elements(struct checker *checker)
{
    skip_space(checker);
    if (take(checker, ']'))
        return true;
    do {
        if (!check_value(checker))
            return false;
        skip_space(checker);
    } while (take(checker, ','));
    return take(checker, ']') || fail(checker, "A comma or the end of an array was expected.");
}

static bool check_nested(struct checker *checker)
{
    if (checker->depth == 0)
        return fail(checker, "The nesting is too deep.");
    checker->depth--;
    bool good = *checker->at++ == '{' ? check_members(checker) : check_elements(checker);
    checker->depth++;
    return good;
}

static bool check_value(struct checker *checker)
{
    skip_space(checker);
    char c = peek(checker);
    if (c == '{' || c == '[')
        return check_nested(checker);
    if (c == '"')
        return check_string(checker);
    if (c == '-' || (c >= '0' && c <= '9'))
        return check_number(checker);
    return check_word(checker, c == 't' ? "true" : c == 'f' ? "false" : "null");
}

bool json_check(struct arena *arena, const char *text, size_t length, unsigned depth,
                struct json_fault *fault)
{
    struct checker checker = {
        .arena = arena, .text = text, .at = text, .end = text + length, .depth = depth, .fault = fault};
    if (length >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        return fail(&checker, "The text begins with a byte order mark.");
    size_t valid = utf8_valid(text, length);
    if (valid != length)
        return fail_at(&checker, text + valid, "The text is not well-formed UTF-8.");
    if (!check_value(&checker))
        return false;
    skip_space(&checker);
    return checker.at == checker.end || fail(&checker, "Something follows the value.");
}
