/* Time controls as clients write them: texts in seconds, objects in milliseconds, forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "games/time_control.h"
#include "tests/api/match.h"

struct control {
    const char *sent, *mode, *stages, *delay, *bank, *start;
};

static void assert_control(const struct answer *answer, const struct control *control)
{
    print_message("%s\n", control->sent);
    assert_status(answer, 201);
    assert_json(answer, "clock.mode", control->mode);
    assert_json(answer, "clock.stages", control->stages);
    assert_json(answer, "clock.delay_ms", control->delay);
    assert_json(answer, "clock.bank_ms", control->bank);
    assert_json(answer, "clock.start", control->start);
}

#define STAGE(moves, time, increment)                                                                        \
    "{\"moves\":" moves ",\"time_ms\":" time ",\"increment_ms\":" increment "}"
#define FIRST "\"first_move\""

static void a_text_is_in_seconds(void **state)
{
    static const struct control rows[] = {
        {"300+3", "\"increment\"", "[" STAGE("null", "300000", "3000") "]", "0", "0", FIRST},
        {"5+3", "\"increment\"", "[" STAGE("null", "5000", "3000") "]", "0", "0", FIRST},
        {"300", "\"increment\"", "[" STAGE("null", "300000", "0") "]", "0", "0", FIRST},
        {"300d5", "\"delay\"", "[" STAGE("null", "300000", "0") "]", "5000", "0", FIRST},
        {"300b5", "\"bronstein\"", "[" STAGE("null", "300000", "0") "]", "5000", "0", FIRST},
        {"40/7200:3600", "\"increment\"",
         "[" STAGE("40", "7200000", "0") "," STAGE("null", "3600000", "0") "]", "0", "0", FIRST},
        {"1/86400", "\"per_move\"", "[" STAGE("1", "86400000", "0") "]", "0", "0", FIRST},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[128];
        (void)snprintf(body, sizeof body, "{\"clock\":\"%s\"}", rows[i].sent);
        assert_control(match_send(*state, "POST", "/v1/games", body), &rows[i]);
        (void)snprintf(body, sizeof body, "clock=%s", rows[i].sent);
        assert_control(client_curl(*state, "/v1/games", body), &rows[i]);
    }
}

static void an_object_is_in_milliseconds(void **state)
{
    static const struct control rows[] = {
        {"{\"initial_ms\":300000,\"increment_ms\":3000}", "\"increment\"",
         "[" STAGE("null", "300000", "3000") "]", "0", "0", FIRST},
        {"{\"initial_ms\":1}", "\"increment\"", "[" STAGE("null", "1", "0") "]", "0", "0", FIRST},
        {"{\"initial_ms\":300000,\"increment_ms\":0,\"start\":\"immediate\"}", "\"increment\"",
         "[" STAGE("null", "300000", "0") "]", "0", "0", "\"immediate\""},
        {"{\"initial_ms\":300000,\"delay_ms\":5000}", "\"delay\"", "[" STAGE("null", "300000", "0") "]",
         "5000", "0", FIRST},
        {"{\"mode\":\"bronstein\",\"initial_ms\":300000,\"delay_ms\":5000}", "\"bronstein\"",
         "[" STAGE("null", "300000", "0") "]", "5000", "0", FIRST},
        {"{\"initial_ms\":60000,\"bank_ms\":600000}", "\"per_move\"", "[" STAGE("1", "60000", "0") "]", "0",
         "600000", FIRST},
        {"{\"mode\":\"per_move\",\"initial_ms\":60000}", "\"per_move\"", "[" STAGE("1", "60000", "0") "]",
         "0", "0", FIRST},
        {"{\"stages\":[{\"moves\":40,\"time_ms\":5400000,\"increment_ms\":30000},"
         "{\"time_ms\":1800000,\"increment_ms\":30000,\"moves\":null}],\"start\":\"first_move\"}",
         "\"increment\"", "[" STAGE("40", "5400000", "30000") "," STAGE("null", "1800000", "30000") "]", "0",
         "0", FIRST},
        {"{\"stages\":[{\"moves\":40,\"time_ms\":60000},{\"time_ms\":0,\"increment_ms\":30000}]}",
         "\"increment\"", "[" STAGE("40", "60000", "0") "," STAGE("null", "0", "30000") "]", "0", "0", FIRST},
        {"{\"stages\":[ {\"moves\":1000, \"time_ms\":2678400000} ],\"x_note\":{\"stages\":[]}}",
         "\"increment\"", "[" STAGE("1000", "2678400000", "0") "]", "0", "0", FIRST},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[256];
        (void)snprintf(body, sizeof body, "{\"clock\":%s}", rows[i].sent);
        assert_control(match_send(*state, "POST", "/v1/games", body), &rows[i]);
    }
    assert_int_equal(TIME_MS_MAX, 2678400000);
}

static void a_form_names_the_members_of_the_object(void **state)
{
    static const struct control rows[] = {
        {"clock.initial_ms=300000&clock.increment_ms=3000&clock.start=immediate", "\"increment\"",
         "[" STAGE("null", "300000", "3000") "]", "0", "0", "\"immediate\""},
        {"clock=300%2B3", "\"increment\"", "[" STAGE("null", "300000", "3000") "]", "0", "0", FIRST},
        {"clock.mode=delay&clock.initial_ms=60000&clock.delay_ms=2000", "\"delay\"",
         "[" STAGE("null", "60000", "0") "]", "2000", "0", FIRST},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_control(client_curl(*state, "/v1/games", rows[i].sent), &rows[i]);
}

static void nothing_a_dash_and_none_are_untimed(void **state)
{
    static const char *const bodies[] = {"{\"clock\":null}", "{\"clock\":\"-\"}", "{\"clock\":\"none\"}",
                                         "{}"};
    static const char *const forms[] = {"clock=-", "clock=none"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const struct answer *answer = match_send(*state, "POST", "/v1/games", bodies[i]);
        assert_status(answer, 201);
        assert_json(answer, "clock", "null");
        assert_false(answer_has(answer, "links.clock"));
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++)
        assert_json(client_curl(*state, "/v1/games", forms[i]), "clock", "null");
}

static void blanks_around_a_text_are_no_part_of_it(void **state)
{
    static const char *const BODIES[] = {"{\"clock\":\"300+3 \"}", "{\"clock\":\" 300+3\"}",
                                         "clock=300%2B3%20", "clock=300+3+"};
    for (size_t i = 0; i < sizeof BODIES / sizeof *BODIES; i++)
        assert_json(client_curl(*state, "/v1/games", BODIES[i]), "clock.stages",
                    "[" STAGE("null", "300000", "3000") "]");
    assert_json(client_curl(*state, "/v1/games", "{\"clock\":\" none \"}"), "clock", "null");
}

/* A shell variable that was never set gives one. */
static void an_empty_text_is_no_clock_and_refused(void **state)
{
    static const char *const bodies[] = {"{\"clock\":\"\"}", "clock=", "clock=&white.name=Ann", "clock=%20",
                                         "{\"clock\":\" \"}"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        const struct answer *answer = client_curl(*state, "/v1/games", bodies[i]);
        print_message("%s\n", bodies[i]);
        assert_problem(answer, 400, "invalid-parameter");
        assert_string_equal(answer_text(answer, "pointer"), "/clock");
        assert_non_null(strstr(answer_text(answer, "detail"), "\"none\" or null"));
    }
}

static void what_is_no_clock_is_refused_with_its_place(void **state)
{
    static const struct {
        const char *clock, *pointer, *sentence;
    } rows[] = {
        {"\"5m\"", "/clock",
         "A clock text is in seconds: five minutes, plus three seconds a move, are \"300+3\"."},
        {"\"5 min\"", "/clock", "in seconds"},
        {"\"300+\"", "/clock", "at byte 4"},
        {"\"0+3\"", "/clock", "in seconds"},
        {"\"2678401\"", "/clock", "in seconds"},
        {"\"300 + 3\"", "/clock", "has no blanks in it. (at byte 3)"},
        {"\"300d5:60d5\"", "/clock", "Every stage but the last is for a number of moves"},
        {"300", "/clock", "an object, or a text"},
        {"[]", "/clock", "an object, or a text"},
        {"true", "/clock", "an object, or a text"},
        {"{}", "/clock/initial_ms", "`initial_ms`, or `stages`"},
        {"{\"start\":\"immediate\"}", "/clock/initial_ms", "`initial_ms`, or `stages`"},
        {"{\"initial_ms\":0}", "/clock/initial_ms", "from 1 to 2678400000"},
        {"{\"initial_ms\":2678400001}", "/clock/initial_ms", "from 1 to 2678400000"},
        {"{\"initial_ms\":\"300+3\"}", "/clock/initial_ms", "a whole number"},
        {"{\"initial_ms\":1,\"increment_ms\":-1}", "/clock/increment_ms", "from 0"},
        {"{\"initial_ms\":1,\"start\":\"now\"}", "/clock/start", "first_move, immediate"},
        {"{\"initial_ms\":1,\"mode\":\"fischer\"}", "/clock/mode", "increment, delay, bronstein, per_move"},
        {"{\"initial_ms\":1,\"stages\":[{\"time_ms\":1}]}", "/clock/initial_ms", "given twice"},
        {"{\"increment_ms\":1,\"stages\":[{\"time_ms\":1}]}", "/clock/increment_ms", "in each of them"},
        {"{\"stages\":[]}", "/clock/stages", "1 to 8 objects"},
        {"{\"stages\":{}}", "/clock/stages", "1 to 8 objects"},
        {"{\"stages\":[1]}", "/clock/stages/0", "an object"},
        {"{\"stages\":[{\"time_ms\":1,\"moves\":4},{\"moves\":3}]}", "/clock/stages/1/time_ms", "missing"},
        {"{\"stages\":[{\"time_ms\":1,\"moves\":0}]}", "/clock/stages/0/moves", "from 1 to 1000"},
        {"{\"stages\":[{\"time_ms\":1,\"moves\":4},{\"time_ms\":1.5}]}", "/clock/stages/1/time_ms",
         "a whole number"},
        {"{\"stages\":[{\"time_ms\":1},{\"time_ms\":1}]}", "/clock", ""},
        {"{\"stages\":[{\"time_ms\":0}]}", "/clock", ""},
        {"{\"mode\":\"delay\",\"initial_ms\":1}", "/clock", ""},
        {"{\"mode\":\"increment\",\"initial_ms\":1,\"delay_ms\":1}", "/clock", ""},
        {"{\"mode\":\"increment\",\"initial_ms\":1,\"bank_ms\":1}", "/clock", ""},
        {"{\"mode\":\"per_move\",\"initial_ms\":1,\"increment_ms\":1}", "/clock", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[256];
        print_message("%s\n", rows[i].clock);
        (void)snprintf(body, sizeof body, "{\"clock\":%s}", rows[i].clock);
        const struct answer *answer = match_send(*state, "POST", "/v1/games", body);
        assert_problem(answer, 400, "invalid-parameter");
        assert_string_equal(answer_text(answer, "pointer"), rows[i].pointer);
        assert_non_null(strstr(answer_text(answer, "detail"), rows[i].sentence));
    }
    assert_json(client_get(*state, "/v1/games"), "data", "[]");
}

static void a_form_says_one_thing_once(void **state)
{
    static const struct {
        const char *form, *pointer;
    } rows[] = {
        {"clock=300&clock.start=immediate", "/clock"},
        {"clock.start=immediate&clock=300", "/clock"},
        {"clock=&clock.initial_ms=1", "/clock"},
        {"clock.stages=40", "/clock/stages"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].form);
        const struct answer *answer = client_curl(*state, "/v1/games", rows[i].form);
        assert_problem(answer, 400, "invalid-parameter");
        assert_string_equal(answer_text(answer, "pointer"), rows[i].pointer);
    }
    /* A blank at the end, which an unescaped plus is, is none. */
    assert_json(client_curl(*state, "/v1/games", "clock=300+3+"), "clock.white_ms", "300000");
}

static void the_answer_says_in_words_what_was_understood(void **state)
{
    const struct answer *five = client_curl(*state, "/v1/games", "clock=300+3");
    const struct answer *seconds = client_curl(*state, "/v1/games", "clock=5+3");
    assert_non_null(strstr(answer_text(five, "clock.words"), "5 minutes"));
    assert_non_null(strstr(answer_text(seconds, "clock.words"), "5 seconds"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_text_is_in_seconds),
        CLIENT_TEST(an_object_is_in_milliseconds),
        CLIENT_TEST(a_form_names_the_members_of_the_object),
        CLIENT_TEST(nothing_a_dash_and_none_are_untimed),
        CLIENT_TEST(blanks_around_a_text_are_no_part_of_it),
        CLIENT_TEST(an_empty_text_is_no_clock_and_refused),
        CLIENT_TEST(what_is_no_clock_is_refused_with_its_place),
        CLIENT_TEST(a_form_says_one_thing_once),
        CLIENT_TEST(the_answer_says_in_words_what_was_understood),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
