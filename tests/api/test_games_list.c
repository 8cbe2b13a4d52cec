/* GET /v1/games: pages through to the end, filters, what is not shown. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "storage/backend.h"
#include "tests/api/match.h"
#include "tests/support/storage_faulty.h"

enum { GAMES = 7, T0 = 1767323045 }; /* seconds; the game of index i is made at T0 + i */

/* Seven public games of different kinds and times; their ids in order of making. */
static void fill(struct client *client, const char *ids[GAMES])
{
    static const char *const bodies[GAMES] = {
        "{\"white\":{\"name\":\"Anna\"},\"black\":{\"name\":\"Ben\"}}",
        "{\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\"]}",
        "{\"white\":{\"name\":\"Ben\"}}",
        "{}",
        "{\"black\":{\"name\":\"Anna & Co?\"}}",
        "{\"black\":{\"name\":\"Anna\"},\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\"]}",
        "{}",
    };
    for (int i = 0; i < GAMES; i++) {
        client_set_time(client, (T0 + i) * INT64_C(1000));
        ids[i] = match_new_json(client, bodies[i]);
    }
    client_set_time(client, (T0 + GAMES) * INT64_C(1000));
    assert_status(match_ask(client, "POST", match_path(ids[6], "/abort")), 200);
}

/* The target of the rel="next" link; "" where there is none. */
static const char *next_target(const struct answer *answer)
{
    static char target[1024];
    const char *link = answer_header(answer, "Link");
    target[0] = '\0';
    if (!*link)
        return target;
    const char *end = strchr(link, '>');
    assert_int_equal(link[0], '<');
    assert_non_null(end);
    assert_string_equal(end, ">; rel=\"next\"");
    (void)snprintf(target, sizeof target, "%.*s", (int)(end - link - 1), link + 1);
    return target;
}

/* The ids of a page as letters, "a" for ids[0]. */
static void add_letters(const struct answer *page, const char *const ids[GAMES], char *letters)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, answer_at(page, "data"))
    {
        const char *id = cJSON_GetObjectItemCaseSensitive(item, "id")->valuestring;
        int i = 0;
        while (i < GAMES && strcmp(ids[i], id) != 0)
            i++;
        size_t length = strlen(letters);
        letters[length] = (char)('a' + i);
        letters[length + 1] = '\0';
    }
}

static void assert_listed(struct client *client, const char *const ids[GAMES], const char *target,
                          const char *letters)
{
    char got[64] = "";
    const struct answer *answer = client_get(client, target);
    assert_status(answer, 200);
    add_letters(answer, ids, got);
    if (strcmp(got, letters) != 0)
        fail_msg("%s: expected %s, got %s", target, letters, got);
}

static void an_empty_list_is_a_list(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/games");
    assert_status(answer, 200);
    assert_json(answer, "", "{\"data\":[],\"next_cursor\":null}");
    assert_string_equal(answer_header(answer, "Link"), "");
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-cache");
    assert_string_equal(client_get(*state, "/v1/games.txt")->body, "\n");
}

static void the_newest_game_comes_first_unless_asked_otherwise(void **state)
{
    const char *ids[GAMES];
    fill(*state, ids);
    assert_listed(*state, (const char *const *)ids, "/v1/games", "gfedcba");
    assert_listed(*state, (const char *const *)ids, "/v1/games?order=desc", "gfedcba");
    assert_listed(*state, (const char *const *)ids, "/v1/games?order=asc", "abcdefg");
}

static void an_entry_is_the_whole_game(void **state)
{
    const char *ids[GAMES];
    fill(*state, ids);
    const struct answer *list = client_get(*state, "/v1/games?order=asc&limit=2");
    const struct answer *game = match_get(*state, ids[1], "");
    char *entry = cJSON_PrintUnformatted(answer_at(list, "data.1"));
    assert_json(game, "", entry);
    cJSON_free(entry);
}

static void pages_of_every_size_show_every_game_once(void **state)
{
    const char *ids[GAMES];
    fill(*state, ids);
    for (int order = 0; order < 2; order++) {
        for (int limit = 1; limit <= GAMES + 1; limit++) {
            char target[1024], got[64] = "";
            int pages = 0;
            (void)snprintf(target, sizeof target, "/v1/games?limit=%d&order=%s", limit,
                           order ? "asc" : "desc");
            while (*target) {
                const struct answer *page = client_get(*state, target);
                assert_status(page, 200);
                add_letters(page, (const char *const *)ids, got);
                (void)snprintf(target, sizeof target, "%s", next_target(page));
                assert_int_equal(*target != '\0', !answer_is_null(page, "next_cursor"));
                pages++;
            }
            assert_string_equal(got, order ? "abcdefg" : "gfedcba");
            assert_int_equal(pages, (GAMES + limit - 1) / limit);
        }
    }
}

static void games_that_come_and_go_between_pages_disturb_no_other(void **state)
{
    const char *ids[GAMES];
    char got[64] = "", target[1024];
    fill(*state, ids);
    const struct answer *page = client_get(*state, "/v1/games?limit=3");
    add_letters(page, (const char *const *)ids, got);
    (void)snprintf(target, sizeof target, "%s", next_target(page));
    match_new(*state);
    assert_status(match_ask(*state, "DELETE", match_path(ids[4], "")), 204);
    assert_status(match_ask(*state, "DELETE", match_path(ids[2], "")), 204);
    page = client_get(*state, target);
    add_letters(page, (const char *const *)ids, got);
    assert_string_equal(got, "gfedba");
    assert_true(answer_is_null(page, "next_cursor"));
}

/* Of the same list, as it was given. */
static void a_cursor_that_was_changed_or_is_of_another_list_is_refused(void **state)
{
    static const char *const others[] = {"&order=asc", "&status=active", "&player=Ann",
                                         "&since=2020-01-01T00:00:00Z"};
    const char *ids[GAMES];
    char cursor[64], target[256];
    fill(*state, ids);
    (void)snprintf(cursor, sizeof cursor, "%s",
                   answer_text(client_get(*state, "/v1/games?limit=1"), "next_cursor"));
    (void)snprintf(target, sizeof target, "/v1/games?limit=2&cursor=%s", cursor);
    assert_status(client_get(*state, target), 200);
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        (void)snprintf(target, sizeof target, "/v1/games?cursor=%s%s", cursor, others[i]);
        assert_problem(client_get(*state, target), 400, "invalid-parameter");
    }
    for (size_t i = 0; cursor[i]; i++) {
        char changed[64];
        (void)snprintf(changed, sizeof changed, "%s", cursor);
        changed[i] = changed[i] == '1' ? '2' : '1';
        (void)snprintf(target, sizeof target, "/v1/games?cursor=%s", changed);
        assert_problem(client_get(*state, target), 400, "invalid-parameter");
        (void)snprintf(target, sizeof target, "/v1/games?cursor=%.*s", (int)i, cursor);
        assert_problem(client_get(*state, target), 400, "invalid-parameter");
    }
}

/* A PGN may hold longer names than a request may give. */
static void a_long_name_of_a_pgn_is_found(void **state)
{
    enum { NAME = 1000 };
    char name[NAME + 1], body[NAME + 64], target[NAME + 64];
    memset(name, 'a', NAME);
    name[NAME] = '\0';
    (void)snprintf(body, sizeof body, "[White \"%s\"]\n\n1. e4 *\n", name);
    for (int i = 0; i < 2; i++)
        assert_status(client_curl(*state, "/v1/games", body), 201);
    (void)snprintf(target, sizeof target, "/v1/games?limit=1&player=%s", name);
    const struct answer *answer = client_get(*state, target);
    assert_status(answer, 200);
    assert_string_equal(answer_text(answer, "data.0.white.name"), name);
}

static void filters_choose_by_status_player_and_time(void **state)
{
    const char *ids[GAMES];
    fill(*state, ids);
    static const struct {
        const char *query, *letters;
    } rows[] = {
        {"status=active", "edca"},
        {"status=ended", "fb"},
        {"status=aborted", "g"},
        {"status=waiting", ""},
        {"player=Anna", "fa"},
        {"player=Ben", "ca"},
        {"player=Anna+%26+Co%3F", "e"},
        {"player=anna", ""},
        {"player=Nobody", ""},
        {"player=Anna&status=ended", "f"},
        {"since=2026-01-02T03:04:08Z", "gfed"},
        {"until=2026-01-02T03:04:08Z", "cba"},
        {"since=2026-01-02T03:04:07.000Z&until=2026-01-02T03:04:09%2B00:00", "dc"},
        {"since=2026-01-02T04:04:08%2B01:00", "gfed"},
        {"since=2026-01-03", ""},
        {"until=2026-01-03", "gfedcba"},
        {"until=1969-12-31", ""},
        {"until=1970-01-01", ""},
        {"until=1970-01-02", ""},
        {"since=1969-12-31", "gfedcba"},
        {"since=1970-01-01", "gfedcba"},
        {"status=active&order=asc&limit=2", "ac"},
        {"x_view=1", "gfedcba"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char target[256];
        (void)snprintf(target, sizeof target, "/v1/games?%s", rows[i].query);
        assert_listed(*state, (const char *const *)ids, target, rows[i].letters);
    }
}

static void the_link_keeps_what_was_asked(void **state)
{
    const char *ids[GAMES];
    fill(*state, ids);
    match_new_json(*state, "{\"black\":{\"name\":\"Anna & Co?\"}}");
    const struct answer *answer = client_get(
        *state,
        "/v1/games?player=Anna+%26+Co%3F&limit=1&order=asc&status=active&since=2026-01-01&until=2027-01-01");
    const char *target = next_target(answer);
    assert_non_null(strstr(target, "player=Anna%20%26%20Co%3F&"));
    assert_non_null(strstr(target, "limit=1"));
    assert_non_null(strstr(target, "order=asc"));
    assert_non_null(strstr(target, "status=active"));
    answer = client_get(*state, target);
    assert_int_equal(answer_count(answer, "data"), 1);
    assert_string_equal(answer_text(answer, "data.0.black.name"), "Anna & Co?");
    assert_string_equal(next_target(answer), "");
}

static void unlisted_games_are_not_listed(void **state)
{
    const char *unlisted = match_new_json(*state, "{\"visibility\":\"unlisted\"}");
    const char *open = match_new(*state);
    const struct answer *answer = client_get(*state, "/v1/games");
    assert_int_equal(answer_count(answer, "data"), 1);
    assert_string_equal(answer_text(answer, "data.0.id"), open);
    assert_status(match_get(*state, unlisted, ""), 200);
    match_send(*state, "PATCH", match_path(unlisted, ""), "{\"visibility\":\"public\"}");
    match_send(*state, "PATCH", match_path(open, ""), "{\"visibility\":\"unlisted\"}");
    answer = client_get(*state, "/v1/games");
    assert_int_equal(answer_count(answer, "data"), 1);
    assert_string_equal(answer_text(answer, "data.0.id"), unlisted);
}

static void text_is_a_game_a_line(void **state)
{
    const char *ids[GAMES];
    char expected[128];
    fill(*state, ids);
    (void)snprintf(expected, sizeof expected, "%s aborted *\n%s ended 0-1\n", ids[6], ids[5]);
    const struct answer *answer = client_get_as(*state, "/v1/games?limit=2", "text/plain");
    assert_string_equal(answer->body, expected);
    assert_string_not_equal(next_target(answer), "");
}

static void the_next_page_comes_in_the_same_form(void **state)
{
    const char *ids[GAMES];
    fill(*state, ids);
    const struct answer *answer = client_get(*state, "/v1/games.txt?limit=1");
    assert_int_equal(strncmp(next_target(answer), "/v1/games.txt?", 14), 0);
    const struct answer *next = client_get(*state, next_target(answer));
    assert_string_equal(answer_header(next, "Content-Type"), "text/plain; charset=utf-8");
    assert_int_equal(strncmp(next_target(client_get(*state, "/v1/games?limit=1")), "/v1/games?", 10), 0);
}

static void what_cannot_be_asked_is_refused_with_the_parameter(void **state)
{
    static const struct {
        const char *query, *code, *parameter;
    } rows[] = {
        {"limit=0", "invalid-parameter", "\"limit\""},
        {"limit=501", "invalid-parameter", "\"limit\""},
        {"limit=ten", "invalid-parameter", "\"limit\""},
        {"limit=", "invalid-parameter", "\"limit\""},
        {"order=up", "invalid-parameter", "\"order\""},
        {"status=won", "invalid-parameter", "\"status\""},
        {"since=yesterday", "invalid-parameter", "\"since\""},
        {"until=2026-13-01", "invalid-parameter", "\"until\""},
        {"cursor=zzz", "invalid-parameter", "\"cursor\""},
        {"cursor=", "invalid-parameter", "\"cursor\""},
        {"cursor=a1", "invalid-parameter", "\"cursor\""}, /* of the other order */
        {"cursor=d-1", "invalid-parameter", "\"cursor\""},
        {"cursor=d%2B1", "invalid-parameter", "\"cursor\""},
        {"cursor=d0x1", "invalid-parameter", "\"cursor\""},
        {"cursor=d%201", "invalid-parameter", "\"cursor\""},
        {"page=2", "unknown-field", "\"page\""},
        {"offset=2", "unknown-field", "\"offset\""},
        {"player=A&player=B", "invalid-parameter", "\"player\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char target[128];
        (void)snprintf(target, sizeof target, "/v1/games?%s", rows[i].query);
        print_message("%s\n", rows[i].query);
        const struct answer *answer = client_get(*state, target);
        assert_problem(answer, 400, rows[i].code);
        assert_json(answer, "parameter", rows[i].parameter);
    }
    assert_status(client_get(*state, "/v1/games?limit=500"), 200);
}

static void fifty_games_are_a_page_where_nothing_is_said(void **state)
{
    for (int i = 0; i < 51; i++)
        match_new(*state);
    const struct answer *answer = client_get(*state, "/v1/games");
    assert_int_equal(answer_count(answer, "data"), 50);
    answer = client_get(*state, next_target(answer));
    assert_int_equal(answer_count(answer, "data"), 1);
}

static struct storage *faulty;

static struct storage *wrap(struct storage *storage)
{
    return faulty = faulty_wrap(storage);
}

static void a_store_that_cannot_be_read_is_503(void **state)
{
    (void)state;
    struct client *client = client_open(&(struct client_options){.wrap = wrap});
    faulty_fail(faulty, FAULTY_LIST, 1, STORAGE_UNAVAILABLE);
    const struct answer *answer = client_get(client, "/v1/games");
    assert_problem(answer, 503, "storage-unavailable");
    assert_string_not_equal(answer_header(answer, "Retry-After"), "");
    assert_status(client_get(client, "/v1/games"), 200);
    client_close(client);
}

/* The one whose log cannot be read is left out; the page does not end there. */
static void a_game_that_cannot_be_read_does_not_end_the_list(void **state)
{
    (void)state;
    struct client *client = client_open(&(struct client_options){.wrap = wrap});
    for (int i = 0; i < 5; i++)
        match_new(client);
    client_forget(client);
    faulty_fail(faulty, FAULTY_LOAD, 2, STORAGE_UNAVAILABLE);
    const struct answer *answer = client_get(client, "/v1/games?limit=2");
    int shown = answer_count(answer, "data");
    assert_false(answer_is_null(answer, "next_cursor"));
    answer = client_get(client, next_target(answer));
    shown += answer_count(answer, "data");
    while (!answer_is_null(answer, "next_cursor")) {
        answer = client_get(client, next_target(answer));
        shown += answer_count(answer, "data");
    }
    assert_int_equal(shown, 4);
    client_close(client);
}

/* ---- games that change between the row and the look at them ---- */

static struct {
    struct client *client;
    const char *id, *json; /* what PATCH makes of it; NULL: nothing more */
    const struct storage_ops *ops;
} race;

static enum storage_status list_then_change(struct storage *storage, const struct storage_query *query,
                                            const struct storage_rows *rows)
{
    enum storage_status status = race.ops->list(storage, query, rows);
    if (race.json)
        assert_status(match_send(race.client, "PATCH", match_path(race.id, ""), race.json), 200);
    race.json = NULL;
    return status;
}

static struct storage *wrap_race(struct storage *storage)
{
    static struct storage_ops ops;
    race.ops = storage->ops;
    ops = *storage->ops;
    ops.list = list_then_change;
    storage->ops = &ops;
    return storage;
}

static void a_game_that_is_hidden_or_renamed_meanwhile_is_not_shown(void **state)
{
    (void)state;
    static const char *const changes[] = {"{\"visibility\":\"unlisted\"}", "{\"white\":{\"name\":\"Ben\"}}"};
    race.client = client_open(&(struct client_options){.wrap = wrap_race});
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        race.id = match_new_json(race.client, "{\"white\":{\"name\":\"Anna\"}}");
        const char *other = match_new_json(race.client, "{\"black\":{\"name\":\"Anna\"}}");
        race.json = changes[i];
        const struct answer *answer = client_get(race.client, "/v1/games?player=Anna");
        assert_int_equal(answer_count(answer, "data"), 1 + (int)i);
        assert_string_equal(answer_text(answer, "data.0.id"), other);
    }
    client_close(race.client);
}

static void an_empty_rest_is_no_page(void **state)
{
    for (int i = 0; i < 4; i++)
        match_new(*state);
    const struct answer *answer = client_get(*state, "/v1/games?limit=2");
    assert_false(answer_is_null(answer, "next_cursor"));
    answer = client_get(*state, next_target(answer));
    assert_int_equal(answer_count(answer, "data"), 2);
    assert_json(answer, "next_cursor", "null");
    assert_string_equal(answer_header(answer, "Link"), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(an_empty_list_is_a_list),
        CLIENT_TEST(the_newest_game_comes_first_unless_asked_otherwise),
        CLIENT_TEST(an_entry_is_the_whole_game),
        CLIENT_TEST(pages_of_every_size_show_every_game_once),
        CLIENT_TEST(games_that_come_and_go_between_pages_disturb_no_other),
        CLIENT_TEST(a_cursor_that_was_changed_or_is_of_another_list_is_refused),
        CLIENT_TEST(a_long_name_of_a_pgn_is_found),
        CLIENT_TEST(filters_choose_by_status_player_and_time),
        CLIENT_TEST(the_link_keeps_what_was_asked),
        CLIENT_TEST(unlisted_games_are_not_listed),
        CLIENT_TEST(text_is_a_game_a_line),
        CLIENT_TEST(the_next_page_comes_in_the_same_form),
        CLIENT_TEST(what_cannot_be_asked_is_refused_with_the_parameter),
        CLIENT_TEST(fifty_games_are_a_page_where_nothing_is_said),
        cmocka_unit_test(a_store_that_cannot_be_read_is_503),
        cmocka_unit_test(a_game_that_cannot_be_read_does_not_end_the_list),
        cmocka_unit_test(a_game_that_is_hidden_or_renamed_meanwhile_is_not_shown),
        CLIENT_TEST(an_empty_rest_is_no_page),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
