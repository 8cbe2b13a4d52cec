/* Names of players: which ones are taken, in whatever form they come, and how those of old stores are shown. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "games/games.h"
#include "tests/api/table.h"

/* C0, DEL and C1 within a name, as JSON and as a form say them. */
static const struct {
    const char *json, *form;
} bad[] = {
    {"a\\nblack taken Evil", "a%0Ablack+taken+Evil"},
    {"a\\u001b[31m", "a%1B[31m"},
    {"a\\tb", "a%09b"},
    {"a\\u007fb", "a%7Fb"},
    {"a\\u0085b", "a%C2%85b"},
    {"a\\u009b31m", "a%C2%9B31m"},
    {"a\\u202eb", "a%E2%80%AEb"},
    {"a\\u2066b", "a%E2%81%A6b"},
};
enum { BAD_COUNT = sizeof bad / sizeof bad[0] };

__attribute__((format(printf, 1, 2))) static const char *text(const char *format, ...)
{
    static char written[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(written, sizeof written, format, arguments);
    va_end(arguments);
    return written;
}

static void assert_name_refused(const struct answer *answer, const char *pointer)
{
    assert_problem(answer, 400, "invalid-parameter");
    assert_string_equal(answer_text(answer, "pointer"), pointer);
    assert_non_null(strstr(answer_text(answer, "detail"), "control characters"));
}

static void a_control_character_in_a_name_is_refused_with_its_place(void **state)
{
    struct client *client = *state;
    struct table table = table_usual(client);
    for (size_t i = 0; i < BAD_COUNT; i++) {
        assert_name_refused(table_act(&table, NULL, "/seats", text("{\"name\":\"%s\"}", bad[i].json)),
                            "/name");
        assert_name_refused(client_curl(client, match_path(table.id, "/seats"), text("name=%s", bad[i].form)),
                            "/name");
        assert_name_refused(
            match_send(client, "POST", "/v1/games", text("{\"black\":{\"name\":\"%s\"}}", bad[i].json)),
            "/black/name");
        assert_name_refused(client_curl(client, "/v1/games", text("white.name=%s", bad[i].form)),
                            "/white/name");
        assert_name_refused(match_send_with(client, "PATCH", match_path(table.id, ""),
                                            text("{\"white\":{\"name\":\"%s\"}}", bad[i].json),
                                            "Authorization", table.creator),
                            "/white/name");
    }
    assert_match_at(client, table.id, 1, 0);
}

static void what_is_no_control_character_may_stand_in_a_name(void **state)
{
    static const char *const good[] = {"Anna B.", "Å. Ødegård", "\xC2\xA0", "Бронштейн", "李", "♞ 1"};
    struct client *client = *state;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        const struct answer *answer =
            match_send(client, "POST", "/v1/games", text("{\"white\":{\"name\":\"%s\"}}", good[i]));
        assert_status(answer, 201);
        assert_string_equal(answer_text(answer, "white.name"), good[i]);
    }
}

static void blanks_around_a_name_are_left_out(void **state)
{
    struct client *client = *state;
    assert_json(match_send(client, "POST", "/v1/games", "{\"white\":{\"name\":\" \\tAnna B. \\n\"}}"),
                "white", "{\"name\":\"Anna B.\",\"taken\":false}");
    assert_json(client_curl(client, "/v1/games", "white.name=+Anna+B.%20"), "white",
                "{\"name\":\"Anna B.\",\"taken\":false}");
}

/* In JSON and in forms alike: null, the empty text and blanks take the name away. */
static void a_name_of_nothing_is_none(void **state)
{
    static const char *const nothing[] = {"{\"name\":null}", "{\"name\":\"\"}", "{\"name\":\" \\t \"}",
                                          "name=", "name=+%20"};
    struct client *client = *state;
    struct table table = table_usual(client);
    for (size_t i = 0; i < sizeof nothing / sizeof nothing[0]; i++) {
        const char *type = nothing[i][0] == '{' ? "application/json" : "application/x-www-form-urlencoded";
        assert_status(table_act(&table, table.white, "/seats", "{\"name\":\"Anna\"}"), 200);
        struct call call = {.method = "POST",
                            .target = match_path(table.id, "/seats"),
                            .body = nothing[i],
                            .headers = {{"Content-Type", type}, {"Authorization", table.white}}};
        assert_status(client_send(client, &call), 200);
        assert_json(match_get(client, table.id, ""), "white", "{\"name\":null,\"taken\":true}");
    }
    assert_json(match_send(client, "POST", "/v1/games", "{\"white\":{\"name\":\"\"}}"), "white.name", "null");
}

/* The limit counts what is kept. */
static void a_name_may_be_as_long_as_the_limit(void **state)
{
    char name[66], json[128];
    memset(name, 'n', 65);
    name[65] = '\0';
    (void)snprintf(json, sizeof json, "{\"white\":{\"name\":\"  %.64s  \"}}", name);
    assert_status(match_send(*state, "POST", "/v1/games", json), 201);
    (void)snprintf(json, sizeof json, "{\"white\":{\"name\":\"%s\"}}", name);
    const struct answer *answer = match_send(*state, "POST", "/v1/games", json);
    assert_problem(answer, 400, "invalid-parameter");
    assert_json(answer, "pointer", "\"/white/name\"");
}

/* ---- old stores ---------------------------------------------------------------------------------------- */

static void suspend(struct action *action)
{
    (void)action;
}

static void done(struct action *action)
{
    (void)sem_post(action->owner);
}

/* As a release did that looked at names less closely. */
static void name_players(struct client *client, const char *id, const char *white)
{
    struct action action;
    sem_t over;
    (void)sem_init(&over, 0, 0);
    action_init(&action, ACTION_UPDATE);
    (void)snprintf(action.id, sizeof action.id, "%s", id);
    action.update = (struct action_update){.sets_white = true, .texts.white_name = white};
    action.may_block = true;
    action.suspend = suspend;
    action.done = done;
    action.owner = &over;
    assert_int_equal(games_act(client_games(client), &action), GAMES_PENDING);
    assert_int_equal(sem_wait(&over), 0);
    assert_int_equal(action.outcome, ACTION_DONE);
    action_finish(&action);
    (void)sem_destroy(&over);
}

static void what_is_so_already_makes_no_version(void **state)
{
    static const struct {
        const char *body, *version;
    } rows[] = {
        {"{\"white\":{\"name\":\"Anna\"},\"metadata\":{\"round\":3}}", "2"},
        {"{\"white\":{\"name\":\"Anna\"}}", "2"},
        {"{\"metadata\":{\"round\":3},\"visibility\":\"public\"}", "2"},
        {"{\"black\":{\"name\":\"\"}}", "2"},
        {"{\"white\":{\"name\":\"Anna\"},\"metadata\":{\"round\":4}}", "3"},
        {"{\"white\":{\"name\":\"anna\"}}", "4"},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct answer *answer = match_send(*state, "PATCH", match_path(id, ""), rows[i].body);
        assert_status(answer, 200);
        assert_json(answer, "version", rows[i].version);
    }
}

static void an_old_name_with_control_characters_is_shown_on_one_line(void **state)
{
    struct client *client = *state;
    const char *id = match_new(client);
    name_players(client, id, "a\nblack taken Evil\x1B[31m\xC2\x9B");
    client_forget(client);
    assert_string_equal(match_text(client, id, "/seats"),
                        "white free a black taken Evil [31m \nblack free\n");
    assert_string_equal(answer_text(match_get(client, id, ""), "white.name"),
                        "a\nblack taken Evil\x1B[31m\xC2\x9B");
    const char *pgn = match_get(client, id, "/pgn")->body;
    assert_non_null(strstr(pgn, "[White \"a black taken Evil [31m"));
    for (const char *c = pgn; *c; c++)
        assert_true(*c == '\n' || (*c != 0x7F && !(*c >= 0 && *c < ' ') &&
                                   !((unsigned char)c[0] == 0xC2 && (unsigned char)c[1] < 0xA0)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_control_character_in_a_name_is_refused_with_its_place),
        CLIENT_TEST(what_is_no_control_character_may_stand_in_a_name),
        CLIENT_TEST(blanks_around_a_name_are_left_out),
        CLIENT_TEST(a_name_of_nothing_is_none),
        CLIENT_TEST(a_name_may_be_as_long_as_the_limit),
        CLIENT_TEST(what_is_so_already_makes_no_version),
        CLIENT_TEST(an_old_name_with_control_characters_is_shown_on_one_line),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
