#include <stdlib.h>
#include <string.h>

#include "api/fields.h"
#include "api/json_check.h"
#include "api/limits.h"
#include "rules/pgn_text.h"
#include "rules/utf8.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_exchange.h"
#include "tests/fuzz/fuzz_input.h"

/* ---- a body with a field of every type ------------------------------------------------------------------------ */

struct person {
    bool given, is_null;
    struct field_text name;
    struct field_integer age;
};

struct choice {
    struct field_text text;
    struct field_integer size;
    struct field_bool flag;
};

struct input {
    struct field_text text, note;
    struct field_integer number, limited;
    struct field_bool flag;
    struct field_word word;
    struct field_square square;
    struct field_texts texts;
    struct field_word_set set;
    struct field_json json;
    struct person person;
    struct field_objects people;
    struct choice choice;
};

static const char *const WORDS[] = {"red", "green", "blue", NULL};

enum { TEXT_MAX = 40, NUMBER_LEAST = -1000, NUMBER_MOST = 1 << 30, JSON_MAX = 60, ITEMS_MAX = 4 };

static const struct field PERSON[] = {
    {.name = "name",
     .type = FIELD_NAME,
     .nullable = true,
     .at = offsetof(struct person, name),
     .max_limit = offsetof(struct api_limits, name_bytes)},
    {.name = "age", .type = FIELD_INTEGER, .nullable = true, .at = offsetof(struct person, age), .max = 150},
};

static const struct field CHOICE[] = {
    {.name = "size", .type = FIELD_INTEGER, .at = offsetof(struct choice, size), .max = 9},
    {.name = "flag", .type = FIELD_BOOL, .at = offsetof(struct choice, flag)},
};

static const struct field FIELDS[] = {
    {.name = "text", .type = FIELD_TEXT, .at = offsetof(struct input, text), .min = 1, .max = TEXT_MAX},
    {.name = "note",
     .type = FIELD_TEXT,
     .nullable = true,
     .at = offsetof(struct input, note),
     .max = TEXT_MAX},
    {.name = "number",
     .type = FIELD_INTEGER,
     .nullable = true,
     .at = offsetof(struct input, number),
     .min = NUMBER_LEAST,
     .max = NUMBER_MOST},
    {.name = "limited",
     .type = FIELD_INTEGER,
     .at = offsetof(struct input, limited),
     .max_limit = offsetof(struct api_limits, plies)},
    {.name = "flag", .type = FIELD_BOOL, .nullable = true, .at = offsetof(struct input, flag)},
    {.name = "word",
     .type = FIELD_WORD,
     .nullable = true,
     .at = offsetof(struct input, word),
     .words = WORDS},
    {.name = "square", .type = FIELD_SQUARE, .nullable = true, .at = offsetof(struct input, square)},
    {.name = "texts", .type = FIELD_TEXTS, .at = offsetof(struct input, texts), .min = 1, .max = ITEMS_MAX},
    {.name = "set", .type = FIELD_WORD_SET, .at = offsetof(struct input, set), .words = WORDS},
    {.name = "json",
     .type = FIELD_JSON,
     .nullable = true,
     .at = offsetof(struct input, json),
     .max = JSON_MAX},
    {.name = "person",
     .type = FIELD_OBJECT,
     .nullable = true,
     .at = offsetof(struct input, person),
     .fields = PERSON,
     .field_count = FIELDS_COUNT(PERSON)},
    {.name = "people",
     .type = FIELD_OBJECTS,
     .at = offsetof(struct input, people),
     .min = 1,
     .max = ITEMS_MAX,
     .fields = PERSON,
     .field_count = FIELDS_COUNT(PERSON),
     .item_size = sizeof(struct person)},
    {.name = "choice",
     .type = FIELD_TEXT_OR_OBJECT,
     .at = offsetof(struct input, choice),
     .min = 1,
     .max = TEXT_MAX,
     .fields = CHOICE,
     .field_count = FIELDS_COUNT(CHOICE)},
};

/* ---- what was read is what a field may be, and is written as JSON --------------------------------------------- */

static void check_words(const struct field_text *text, size_t least, size_t most)
{
    FUZZ_CHECK(text->value && strlen(text->value) == text->length);
    FUZZ_CHECK(text->length >= least && text->length <= most);
    FUZZ_CHECK(utf8_valid(text->value, text->length) == text->length);
}

/* The member is not there, or is null: there is nothing more to say of it. */
static bool is_said(struct writer *out, const char *key, bool given, bool is_null)
{
    if (given && is_null)
        json_null(out, key);
    return !given || is_null;
}

static void write_text(struct writer *out, const char *key, const struct field_text *text, size_t least)
{
    FUZZ_CHECK((text->value != NULL) == (text->given && !text->is_null));
    if (is_said(out, key, text->given, text->is_null))
        return;
    check_words(text, least, TEXT_MAX);
    json_string(out, key, text->value);
}

static void write_integer(struct writer *out, const char *key, const struct field_integer *number,
                          int64_t least, int64_t most)
{
    if (is_said(out, key, number->given, number->is_null))
        return;
    FUZZ_CHECK(number->value >= least && number->value <= most);
    json_int(out, key, number->value);
}

static void write_bool(struct writer *out, const char *key, const struct field_bool *flag)
{
    if (!is_said(out, key, flag->given, flag->is_null))
        json_bool(out, key, flag->value);
}

static void write_word(struct writer *out, const struct field_word *word)
{
    if (is_said(out, "word", word->given, word->is_null))
        return;
    FUZZ_CHECK(word->value >= 0 && word->value < 3);
    json_string(out, "word", WORDS[word->value]);
}

static void write_square(struct writer *out, const struct field_square *field)
{
    if (is_said(out, "square", field->given, field->is_null))
        return;
    FUZZ_CHECK(field->value < SQUARE_NONE);
    char name[] = {(char)('a' + square_file(field->value)), (char)('1' + square_rank(field->value)), '\0'};
    json_string(out, "square", name);
}

static void write_texts(struct writer *out, const struct field_texts *texts)
{
    if (is_said(out, "texts", texts->given, texts->is_null))
        return;
    FUZZ_CHECK(texts->count >= 1 && texts->count <= ITEMS_MAX);
    json_array_begin(out, "texts");
    for (size_t i = 0; i < texts->count; i++) {
        check_words(&texts->items[i], 0, SIZE_MAX);
        json_string(out, NULL, texts->items[i].value);
    }
    json_array_end(out);
}

static void write_set(struct writer *out, const struct field_word_set *set)
{
    if (is_said(out, "set", set->given, set->is_null))
        return;
    FUZZ_CHECK(set->value < 8);
    json_array_begin(out, "set");
    for (unsigned i = 0; WORDS[i]; i++)
        if (set->value >> i & 1u)
            json_string(out, NULL, WORDS[i]);
    json_array_end(out);
}

static void write_json(struct writer *out, const struct field_json *json)
{
    struct arena arena = {0};
    struct json_fault fault;
    if (is_said(out, "json", json->given, json->is_null))
        return;
    FUZZ_CHECK(json->value[0] == '{' && strlen(json->value) == json->length && json->length <= JSON_MAX);
    FUZZ_CHECK(json_check(&arena, json->value, json->length, 16, &fault));
    json_raw(out, "json", json->value, json->length);
    arena_finish(&arena);
}

static void check_name(const struct field_text *name)
{
    size_t most = (size_t)api_limits_default().name_bytes;
    if (!name->value)
        return;
    check_words(name, 1, most);
    for (size_t at = 0; at < name->length; at++)
        FUZZ_CHECK(!pgn_text_control(name->value + at, name->length - at));
    FUZZ_CHECK(name->value[0] != ' ' && name->value[name->length - 1] != ' ');
}

static void write_person(struct writer *out, const char *key, const struct person *person)
{
    if (is_said(out, key, person->given, person->is_null))
        return;
    json_object_begin(out, key);
    check_name(&person->name);
    if (!is_said(out, "name", person->name.given, person->name.is_null))
        json_string(out, "name", person->name.value);
    write_integer(out, "age", &person->age, 0, 150);
    json_object_end(out);
}

static void write_people(struct writer *out, const struct field_objects *people)
{
    const struct person *items = people->items;
    if (is_said(out, "people", people->given, people->is_null))
        return;
    FUZZ_CHECK(people->count >= 1 && people->count <= ITEMS_MAX);
    json_array_begin(out, "people");
    for (size_t i = 0; i < people->count; i++) {
        FUZZ_CHECK(items[i].given && !items[i].is_null);
        write_person(out, NULL, &items[i]);
    }
    json_array_end(out);
}

static void write_choice(struct writer *out, const struct choice *choice)
{
    if (choice->text.value || !choice->text.given) {
        write_text(out, "choice", &choice->text, 1);
        return;
    }
    FUZZ_CHECK(!choice->text.is_null);
    json_object_begin(out, "choice");
    write_integer(out, "size", &choice->size, 0, 9);
    write_bool(out, "flag", &choice->flag);
    json_object_end(out);
}

/* Ends with a NUL. */
static const char *write_input(struct arena *arena, const struct input *input)
{
    struct writer out;
    writer_init(&out, arena, 256);
    json_object_begin(&out, NULL);
    write_text(&out, "text", &input->text, 1);
    write_text(&out, "note", &input->note, 0);
    write_integer(&out, "number", &input->number, NUMBER_LEAST, NUMBER_MOST);
    write_integer(&out, "limited", &input->limited, 0, api_limits_default().plies);
    write_bool(&out, "flag", &input->flag);
    write_word(&out, &input->word);
    write_square(&out, &input->square);
    write_texts(&out, &input->texts);
    write_set(&out, &input->set);
    write_json(&out, &input->json);
    write_person(&out, "person", &input->person);
    write_people(&out, &input->people);
    write_choice(&out, &input->choice);
    json_object_end(&out);
    writer_char(&out, '\0');
    FUZZ_CHECK(!out.failed);
    return out.data;
}

/* ---- reading --------------------------------------------------------------------------------------------------- */

static void check_body(const struct body *body, unsigned accepted)
{
    FUZZ_CHECK(body->text && body->kind < BODY_KIND_COUNT);
    FUZZ_CHECK(body->kind == BODY_EMPTY || accepted >> body->kind & 1u);
    FUZZ_CHECK((body->kind == BODY_EMPTY) == (body->length == 0 && body->kind != BODY_TEXT));
    FUZZ_CHECK(body->pair_count <= BODY_PAIRS_MAX && (body->kind == BODY_FORM || body->pair_count == 0));
    if (body->kind == BODY_TEXT || body->kind == BODY_JSON || body->kind == BODY_FORM)
        FUZZ_CHECK(strlen(body->text) == body->length &&
                   utf8_valid(body->text, body->length) == body->length);
    for (size_t i = 0; i < body->pair_count; i++) {
        const struct body_pair *pair = &body->pairs[i];
        FUZZ_CHECK(strlen(pair->value) == pair->value_length);
        for (size_t j = 0; j < i; j++)
            FUZZ_CHECK(strcmp(pair->name, body->pairs[j].name) != 0);
    }
}

/* NULL: it was refused. */
static const char *read_input(struct fuzz_exchange *bare, unsigned accepted)
{
    struct exchange *exchange = &bare->exchange;
    struct input *input = arena_zalloc(&bare->arena, sizeof *input);
    if (!body_read(exchange, accepted)) {
        fuzz_check_refused(bare);
        return NULL;
    }
    check_body(&exchange->body, accepted);
    if (exchange->body.kind == BODY_PGN || exchange->body.kind == BODY_LINES)
        return NULL;
    if (!fields_read_or_text(exchange, FIELDS, FIELDS_COUNT(FIELDS), input)) {
        fuzz_check_refused(bare);
        return NULL;
    }
    fuzz_check_unanswered(bare);
    return write_input(&bare->arena, input);
}

/* The same body as JSON, which says the same. */
static void check_again(const char *json)
{
    struct fuzz_exchange bare;
    fuzz_exchange_begin(&bare, "POST", "/");
    bare.request.headers[HEADER_CONTENT_TYPE] = "application/json";
    bare.api.settings.limits.json_depth++; /* an object that was the text of a form lies one deeper now */
    bare.request.body = json;
    bare.request.body_length = strlen(json);
    const char *again = read_input(&bare, BODY_BIT(JSON));
    FUZZ_CHECK(again && strcmp(again, json) == 0);
    fuzz_exchange_end(&bare);
}

void fuzz_fields(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    struct text_span first = fuzz_take_line(&input);
    struct fuzz_exchange bare;
    if (first.length == 0)
        return;
    unsigned accepted = (unsigned char)*first.text & ((1u << (BODY_KIND_COUNT + 1)) - 1);
    char *type = fuzz_copy((struct text_span){first.text + 1, first.length - 1});
    char *body = fuzz_allocate(input.length + 1);
    memcpy(body, input.text, input.length);
    body[input.length] = '\0';
    fuzz_exchange_begin(&bare, "POST", "/");
    bare.request.body = body;
    bare.request.body_length = input.length;
    if (*type)
        bare.request.headers[HEADER_CONTENT_TYPE] = type;
    const char *read = read_input(&bare, accepted);
    if (read)
        check_again(read);
    fuzz_exchange_end(&bare);
    free(body);
    free(type);
}
