/* api/fields: objects read by a table. */
#include "api/fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/exchange_fixture.h"

#define FORM "application/x-www-form-urlencoded"

struct person {
    bool given, is_null;
    struct field_text name;
    struct field_integer age;
};

struct choice {
    struct field_text text;
    struct field_integer size;
};

struct input {
    struct field_text text;
    struct field_integer number;
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

static const struct field PERSON[] = {
    {.name = "name",
     .type = FIELD_TEXT,
     .at = offsetof(struct person, name),
     .min = 1,
     .max_limit = offsetof(struct api_limits, name_bytes),
     .nullable = true},
    {.name = "age", .type = FIELD_INTEGER, .at = offsetof(struct person, age), .max = 150},
};

static const struct field CHOICE[] = {
    {.name = "size", .type = FIELD_INTEGER, .at = offsetof(struct choice, size), .max = 9},
};

static const struct field FIELDS[] = {
    {.name = "text", .type = FIELD_TEXT, .at = offsetof(struct input, text), .max = 5},
    {.name = "number", .type = FIELD_INTEGER, .at = offsetof(struct input, number), .min = -10, .max = 20},
    {.name = "flag", .type = FIELD_BOOL, .at = offsetof(struct input, flag)},
    {.name = "word", .type = FIELD_WORD, .at = offsetof(struct input, word), .words = WORDS},
    {.name = "square", .type = FIELD_SQUARE, .at = offsetof(struct input, square)},
    {.name = "texts", .type = FIELD_TEXTS, .at = offsetof(struct input, texts), .min = 1, .max = 3},
    {.name = "set", .type = FIELD_WORD_SET, .at = offsetof(struct input, set), .words = WORDS},
    {.name = "json", .type = FIELD_JSON, .at = offsetof(struct input, json), .max = 20},
    {.name = "person",
     .type = FIELD_OBJECT,
     .at = offsetof(struct input, person),
     .fields = PERSON,
     .field_count = FIELDS_COUNT(PERSON)},
    {.name = "people",
     .type = FIELD_OBJECTS,
     .at = offsetof(struct input, people),
     .min = 1,
     .max = 2,
     .fields = PERSON,
     .field_count = FIELDS_COUNT(PERSON),
     .item_size = sizeof(struct person)},
    {.name = "choice",
     .type = FIELD_TEXT_OR_OBJECT,
     .at = offsetof(struct input, choice),
     .max = 5,
     .nullable = true,
     .fields = CHOICE,
     .field_count = FIELDS_COUNT(CHOICE)},
};

static bool read_into(struct fixture *fixture, const char *type, const char *body, struct input *input)
{
    *input = (struct input){0};
    fixture_begin(fixture, "POST", type, body);
    if (!body_read(&fixture->exchange, BODY_BIT(JSON) | BODY_BIT(FORM)))
        fail_msg("%s", fixture_body(fixture));
    return fields_read(&fixture->exchange, FIELDS, FIELDS_COUNT(FIELDS), input);
}

static void expect_everything(const struct input *input)
{
    assert_string_equal(input->text.value, "a\xC3\xA9");
    assert_int_equal(input->text.length, 3);
    assert_int_equal(input->number.value, -7);
    assert_true(input->flag.given && input->flag.value);
    assert_int_equal(input->word.value, 2);
    assert_int_equal(input->square.value, 28);
    assert_int_equal(input->texts.count, 2);
    assert_string_equal(input->texts.items[1].value, "e5");
    assert_int_equal(input->set.value, 5);
    assert_string_equal(input->json.value, "{\"k\":1e999}");
    assert_true(input->person.given);
    assert_string_equal(input->person.name.value, "Ann");
    assert_int_equal(input->person.age.value, 40);
}

static void every_type_is_read_from_json(void **state)
{
    (void)state;
    struct fixture fixture;
    struct input input;
    assert_true(
        read_into(&fixture, "application/json",
                  "{\"text\":\"a\\u00e9\",\"number\":-7,\"flag\":true,\"word\":\"blue\",\"square\":\"e4\","
                  "\"texts\":[\"e4\",\"e5\"],\"set\":[\"red\",\"blue\",\"red\"],\"json\": { \"k\" : 1e999 },"
                  "\"person\":{\"name\":\"Ann\",\"age\":40,\"x_more\":[]},\"x_else\":{\"y\":1}}",
                  &input));
    expect_everything(&input);
    fixture_end(&fixture);
}

static void every_type_is_read_from_a_form(void **state)
{
    (void)state;
    struct fixture fixture;
    struct input input;
    assert_true(read_into(&fixture, FORM,
                          "text=a%C3%A9&number=-7&flag=true&word=blue&square=e4&texts=e4+e5&set=red,blue&"
                          "json=%7B%22k%22:1e999%7D&person.name=Ann&person.age=40&x_else=1",
                          &input));
    expect_everything(&input);
    fixture_end(&fixture);
}

static void an_empty_body_and_an_empty_object_give_nothing(void **state)
{
    (void)state;
    struct fixture fixture;
    struct input input;
    assert_true(read_into(&fixture, NULL, "", &input));
    assert_false(input.text.given || input.number.given || input.person.given);
    fixture_end(&fixture);
    assert_true(read_into(&fixture, NULL, "{}", &input));
    assert_false(input.text.given || input.number.given || input.person.given);
    fixture_end(&fixture);
}

static void null_is_a_value_only_where_the_table_says_so(void **state)
{
    (void)state;
    struct fixture fixture;
    struct input input;
    assert_true(read_into(&fixture, NULL, "{\"person\":{\"name\":null}}", &input));
    assert_true(input.person.name.given && input.person.name.is_null);
    assert_null(input.person.name.value);
    fixture_end(&fixture);
    assert_true(read_into(&fixture, FORM, "person.name=", &input));
    assert_true(input.person.name.given && input.person.name.is_null);
    fixture_end(&fixture);
    assert_false(read_into(&fixture, NULL, "{\"text\":null}", &input));
    fixture_expect(&fixture, "invalid-parameter", "\"pointer\":\"/text\"");
    fixture_end(&fixture);
}

static void a_list_of_objects_is_read_one_by_one(void **state)
{
    (void)state;
    struct fixture fixture;
    struct input input;
    assert_true(read_into(&fixture, NULL,
                          "{\"people\":[ {\"name\":\"a]},\",\"age\":1} ,{\"age\":2,\"x_\":[{\"age\":7}]}]}",
                          &input));
    const struct person *people = input.people.items;
    assert_true(input.people.given);
    assert_int_equal(input.people.count, 2);
    assert_true(people[0].given && people[1].given);
    assert_string_equal(people[0].name.value, "a]},");
    assert_int_equal(people[0].age.value, 1);
    assert_false(people[1].name.given);
    assert_int_equal(people[1].age.value, 2);
    fixture_end(&fixture);
}

static void a_text_may_stand_for_an_object(void **state)
{
    static const struct {
        const char *type, *body, *text;
        int64_t size;
        bool is_null;
    } rows[] = {
        {NULL, "{\"choice\":\"small\"}", "small", 0, false},
        {NULL, "{\"choice\":{\"size\":3}}", NULL, 3, false},
        {NULL, "{\"choice\":{}}", NULL, 0, false},
        {NULL, "{\"choice\":null}", NULL, 0, true},
        {FORM, "choice=small", "small", 0, false},
        {FORM, "choice.size=3", NULL, 3, false},
        {FORM, "choice=", "", 0, false},
        {FORM, "choice=big&choice.size=4", "big", 4, false},
        {FORM, "choice.size=4&choice=big", "big", 4, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture fixture;
        struct input input;
        assert_true(read_into(&fixture, rows[i].type, rows[i].body, &input));
        assert_true(input.choice.text.given);
        assert_int_equal(input.choice.text.is_null, rows[i].is_null);
        assert_int_equal(input.choice.size.value, rows[i].size);
        if (rows[i].text)
            assert_string_equal(input.choice.text.value, rows[i].text);
        else
            assert_null(input.choice.text.value);
        fixture_end(&fixture);
    }
}

static void a_bare_text_is_the_first_field(void **state)
{
    (void)state;
    struct fixture fixture;
    struct input input = {0};
    fixture_begin(&fixture, "POST", "text/plain", "abc");
    assert_true(body_read(&fixture.exchange, BODY_BIT(TEXT)));
    assert_true(fields_read_or_text(&fixture.exchange, FIELDS, FIELDS_COUNT(FIELDS), &input));
    assert_string_equal(input.text.value, "abc");
    fixture_end(&fixture);
    fixture_begin(&fixture, "POST", "text/plain", "too long");
    assert_true(body_read(&fixture.exchange, BODY_BIT(TEXT)));
    assert_false(fields_read_or_text(&fixture.exchange, FIELDS, FIELDS_COUNT(FIELDS), &input));
    fixture_expect(&fixture, "invalid-parameter", "\"pointer\":\"/text\"");
    fixture_end(&fixture);
}

/* JSON Schema 2020-12, 4.2.3: a number without a fraction is an integer, however it is written. */
static void a_number_of_whole_value_is_an_integer(void **state)
{
    (void)state;
    static const struct {
        const char *written;
        int64_t value;
    } rows[] = {{"7", 7},       {"7.0", 7},         {"7.000", 7},    {"-7.0", -7},
                {"0.0", 0},     {"-0", 0},          {"-0.0e5", 0},   {"1e1", 10},
                {"1E+1", 10},   {"1.5e1", 15},      {"0.15e2", 15},  {"150e-1", 15},
                {"1000e-3", 1}, {"0.000012e6", 12}, {"-1.0E1", -10}, {"0e63", 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[64];
        struct fixture fixture;
        struct input input = {0};
        (void)snprintf(body, sizeof body, "{\"number\":%s}", rows[i].written);
        fixture_begin(&fixture, "POST", "application/json", body);
        assert_true(body_read(&fixture.exchange, BODY_BIT(JSON)));
        if (!fields_read(&fixture.exchange, FIELDS, FIELDS_COUNT(FIELDS), &input))
            fail_msg("%s", rows[i].written);
        assert_int_equal(input.number.value, rows[i].value);
        fixture_end(&fixture);
    }
}

struct bad_row {
    const char *body, *code, *part;
};

static const struct bad_row BAD[] = {
    {"{\"txt\":\"a\"}", "unknown-field", "\"nearest\":\"text\""},
    {"{\"Text\":\"a\"}", "unknown-field", "\"nearest\":\"text\""},
    {"{\"qqqqqq\":1}", "unknown-field", "\"nearest\":null"},
    {"{\"a/b~c\":1}", "unknown-field", "\"pointer\":\"/a~1b~0c\""},
    {"{\"person\":{\"nam\":\"x\"}}", "unknown-field", "\"pointer\":\"/person/nam\""},
    {"{\"text\":1}", "invalid-parameter", "\"pointer\":\"/text\""},
    {"{\"text\":\"123456\"}", "invalid-parameter", "at most 5 bytes"},
    {"{\"number\":21}", "invalid-parameter", "from -10 to 20"},
    {"{\"number\":-11}", "invalid-parameter", "\"pointer\":\"/number\""},
    {"{\"number\":1.5}", "invalid-parameter", "whole number"},
    {"{\"number\":1.05e1}", "invalid-parameter", "whole number"},
    {"{\"number\":5e-1}", "invalid-parameter", "whole number"},
    {"{\"number\":1e999}", "invalid-parameter", "whole number"},
    {"{\"number\":-1.1e1}", "invalid-parameter", "from -10 to 20"},
    {"{\"number\":2.1e1}", "invalid-parameter", "from -10 to 20"},
    {"{\"number\":0.99999999999999999999}", "invalid-parameter", "whole number"},
    {"{\"number\":18446744073709551617}", "invalid-parameter", "whole number"},
    {"{\"number\":\"3\"}", "invalid-parameter", "whole number"},
    {"{\"number\":true}", "invalid-parameter", "whole number"},
    {"{\"flag\":1}", "invalid-parameter", "true or false"},
    {"{\"flag\":\"true\"}", "invalid-parameter", "true or false"},
    {"{\"word\":\"Red\"}", "invalid-parameter", "red, green, blue"},
    {"{\"word\":0}", "invalid-parameter", "red, green, blue"},
    {"{\"square\":\"e9\"}", "invalid-parameter", "a1 to h8"},
    {"{\"texts\":\"e4\"}", "invalid-parameter", "\"pointer\":\"/texts\""},
    {"{\"texts\":[]}", "invalid-parameter", "1 to 3"},
    {"{\"texts\":[\"a\",\"b\",\"c\",\"d\"]}", "invalid-parameter", "1 to 3"},
    {"{\"texts\":[\"a\",7]}", "invalid-parameter", "\"pointer\":\"/texts/1\""},
    {"{\"set\":[\"red\",\"pink\"]}", "invalid-parameter", "\"pointer\":\"/set/1\""},
    {"{\"set\":[\"red\",3]}", "invalid-parameter", "\"pointer\":\"/set/1\""},
    {"{\"set\":\"red\"}", "invalid-parameter", "\"pointer\":\"/set\""},
    {"{\"json\":[]}", "invalid-parameter", "must be an object"},
    {"{\"json\":{\"a\":\"12345678901234\"}}", "invalid-parameter", "at most 20 bytes"},
    {"{\"person\":\"Ann\"}", "invalid-parameter", "must be an object"},
    {"{\"person\":{\"name\":\"\"}}", "invalid-parameter", "1 to 64 bytes"},
    {"{\"person\":{\"age\":151}}", "invalid-parameter", "\"pointer\":\"/person/age\""},
    {"{\"people\":{}}", "invalid-parameter", "a list of 1 to 2 objects"},
    {"{\"people\":[]}", "invalid-parameter", "a list of 1 to 2 objects"},
    {"{\"people\":[{},{},{}]}", "invalid-parameter", "a list of 1 to 2 objects"},
    {"{\"people\":[{},[]]}", "invalid-parameter", "\"pointer\":\"/people/1\""},
    {"{\"people\":[{},{\"age\":\"1\"}]}", "invalid-parameter", "\"pointer\":\"/people/1/age\""},
    {"{\"people\":[{\"agee\":1}]}", "unknown-field", "\"pointer\":\"/people/0/agee\""},
    {"{\"choice\":7}", "invalid-parameter", "an object, or a text of at most 5 bytes"},
    {"{\"choice\":[]}", "invalid-parameter", "an object, or a text of at most 5 bytes"},
    {"{\"choice\":\"larger\"}", "invalid-parameter", "an object, or a text of at most 5 bytes"},
    {"{\"choice\":{\"size\":10}}", "invalid-parameter", "\"pointer\":\"/choice/size\""},
    {"{\"choice\":{\"siz\":1}}", "unknown-field", "\"pointer\":\"/choice/siz\""},
};

static void what_is_wrong_is_refused_with_its_pointer(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct fixture fixture;
        struct input input;
        if (read_into(&fixture, "application/json", BAD[i].body, &input))
            fail_msg("%s was accepted", BAD[i].body);
        fixture_expect(&fixture, BAD[i].code, BAD[i].part);
        fixture_end(&fixture);
    }
}

static const struct bad_row BAD_FORMS[] = {
    {"txt=a", "unknown-field", "\"nearest\":\"text\""},
    {"person.nam=a", "unknown-field", "\"field\":\"person.nam\""},
    {"person=a", "invalid-parameter", "must be an object"},
    {"number=1.0", "invalid-parameter", "whole number"},
    {"number=", "invalid-parameter", "\"pointer\":\"/number\""},
    {"person.age=x", "invalid-parameter", "\"pointer\":\"/person/age\""},
    {"texts=", "invalid-parameter", "1 to 3"},
    {"set=red+pink", "invalid-parameter", "\"pointer\":\"/set/1\""},
    {"json=%7B", "invalid-parameter", "json is not JSON that can be read, at byte 1. A string was expected."},
    {"json=7", "invalid-parameter", "must be an object"},
    {"people=Ann", "invalid-parameter", "a list of 1 to 2 objects"},
    {"people.name=Ann", "unknown-field", "\"field\":\"people.name\""},
    {"choice.siz=1", "unknown-field", "\"field\":\"choice.siz\""},
    {"choice=larger", "invalid-parameter", "at most 5 bytes"},
};

static void a_form_is_refused_as_json_is(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD_FORMS / sizeof BAD_FORMS[0]; i++) {
        struct fixture fixture;
        struct input input;
        if (read_into(&fixture, FORM, BAD_FORMS[i].body, &input))
            fail_msg("%s was accepted", BAD_FORMS[i].body);
        fixture_expect(&fixture, BAD_FORMS[i].code, BAD_FORMS[i].part);
        fixture_end(&fixture);
    }
}

static void bounds_are_accepted_to_the_last_value(void **state)
{
    (void)state;
    struct fixture fixture;
    struct input input;
    char body[200];
    char name[65];
    memset(name, 'n', 64);
    name[64] = '\0';
    (void)snprintf(
        body, sizeof body,
        "{\"text\":\"12345\",\"number\":20,\"texts\":[\"a\",\"b\",\"c\"],\"json\":{\"a\":\"123456789012\"},"
        "\"person\":{\"name\":\"%s\"}}",
        name);
    assert_true(read_into(&fixture, NULL, body, &input));
    fixture_end(&fixture);
    (void)snprintf(body, sizeof body, "{\"person\":{\"name\":\"%sn\"}}", name);
    assert_false(read_into(&fixture, NULL, body, &input));
    fixture_expect(&fixture, "invalid-parameter", "64 bytes");
    fixture_end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_type_is_read_from_json),
        cmocka_unit_test(every_type_is_read_from_a_form),
        cmocka_unit_test(an_empty_body_and_an_empty_object_give_nothing),
        cmocka_unit_test(null_is_a_value_only_where_the_table_says_so),
        cmocka_unit_test(a_list_of_objects_is_read_one_by_one),
        cmocka_unit_test(a_text_may_stand_for_an_object),
        cmocka_unit_test(a_bare_text_is_the_first_field),
        cmocka_unit_test(a_number_of_whole_value_is_an_integer),
        cmocka_unit_test(what_is_wrong_is_refused_with_its_pointer),
        cmocka_unit_test(a_form_is_refused_as_json_is),
        cmocka_unit_test(bounds_are_accepted_to_the_last_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
