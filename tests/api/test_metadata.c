/* Metadata as the store has it: whole, it goes into answers as it is; damaged, it is damage of its game. */
#include "api/metadata.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "storage/backend.h"
#include "tests/api/match.h"

static void metadata_is_an_object_in_one_line(void **state)
{
    static const struct {
        const char *text;
        enum metadata_state state;
    } rows[] = {
        {"{}", METADATA_WHOLE},
        {"{\"a\":[1,null,{\"b\":\"\\u0041 \\n\"}]}", METADATA_WHOLE},
        {"{ \"a\" : 1 }", METADATA_WHOLE},
        {"", METADATA_DAMAGED},
        {"{", METADATA_DAMAGED},
        {"{\"a\":1", METADATA_DAMAGED},
        {"{\"a\":1}}", METADATA_DAMAGED},
        {"{\"a\":1},\"status\":\"ended\"", METADATA_DAMAGED},
        {"{\"a\":\"b}", METADATA_DAMAGED},
        {"{\"a\":\xff}", METADATA_DAMAGED},
        {"{\"a\":1,\"a\":2}", METADATA_DAMAGED},
        {"{\"a\":\n1}", METADATA_DAMAGED}, /* would end a line of a stream */
        {"{\"a\":\r1}", METADATA_DAMAGED},
        {"[]", METADATA_DAMAGED},
        {"null", METADATA_DAMAGED},
        {"\"text\"", METADATA_DAMAGED},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (metadata_read(rows[i].text) != rows[i].state)
            fail_msg("%s", rows[i].text);
}

/* However deep the service has let a client write once. */
static void metadata_is_as_deep_as_ever_was_allowed(void **state)
{
    char text[256] = "{\"a\":";
    size_t opened = 5;
    (void)state;
    memset(text + opened, '[', 63);
    memset(text + opened + 63, ']', 63);
    text[opened + 126] = '}';
    assert_int_equal(metadata_read(text), METADATA_WHOLE);
    memset(text + opened, '[', 64);
    memset(text + opened + 64, ']', 64);
    text[opened + 128] = '}';
    assert_int_equal(metadata_read(text), METADATA_DAMAGED);
}

/* ---- a store in which a byte has changed ---- */

#define WHOLE   "{\"event\":\"club\"}"
#define DAMAGED "{\"event\":\"club\"\x7f"

static struct {
    const struct storage_ops *ops;
    const char *column; /* what the next loads find instead of metadata; NULL: what is there */
    bool in_log;
    const struct storage_rows *rows;
} disk;

static bool give_game(void *context, const struct storage_game *row)
{
    struct storage_game changed = *row;
    (void)context;
    if (disk.column)
        changed.metadata = disk.column;
    return disk.rows->game(disk.rows->context, &changed);
}

static bool give_action(void *context, const struct storage_action *row)
{
    struct storage_action changed = *row;
    (void)context;
    if (disk.in_log && strcmp(row->kind, "updated") == 0)
        changed.payload = "metadata=" DAMAGED "\n";
    return disk.rows->action(disk.rows->context, &changed);
}

static enum storage_status load(struct storage *storage, const char *id, const struct storage_rows *rows)
{
    const struct storage_rows changed = {.game = rows->game ? give_game : NULL,
                                         .action = rows->action ? give_action : NULL};
    disk.rows = rows;
    return disk.ops->load(storage, id, &changed);
}

static struct storage *wrap(struct storage *storage)
{
    static struct storage_ops ops;
    disk.ops = storage->ops;
    ops = *storage->ops;
    ops.load = load;
    storage->ops = &ops;
    return storage;
}

static int set_up(void **state)
{
    disk.column = NULL;
    disk.in_log = false;
    *state = client_open(&(struct client_options){.wrap = wrap});
    return 0;
}

static const char *game_with_metadata(struct client *client)
{
    const char *id = match_new(client);
    const char *json = "{\"metadata\":" WHOLE "}";
    assert_status(match_send(client, "PATCH", match_path(id, ""), json), 200);
    client_forget(client);
    return id;
}

static const char *const rests[] = {"", "/moves", "/board", ".pgn", "/events", "/events.json?after=1"};

static void assert_damaged(struct client *client, const char *id)
{
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++)
        assert_problem(match_get(client, id, rests[i]), 500, "internal");
    assert_problem(match_post(client, id, "/moves", "{\"move\":\"e4\"}"), 500, "internal");
    assert_problem(match_ask(client, "POST", match_path(id, "/fork")), 500, "internal");
    assert_json(client_get(client, "/v1/games"), "data", "[]");
}

static void a_game_with_damaged_metadata_is_a_damaged_game(void **state)
{
    static const char *const found[] = {DAMAGED, "", "[]", "{\"event\":\"club\"}\n", "{\"event\":\"club"};
    const char *id = game_with_metadata(*state);
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        disk.column = found[i];
        assert_damaged(*state, id);
    }
    disk.column = NULL;
    assert_json(match_get(*state, id, ""), "metadata", WHOLE);
}

static void metadata_that_is_damaged_in_the_log_alone_is_damage_too(void **state)
{
    const char *id = game_with_metadata(*state);
    disk.in_log = true;
    assert_damaged(*state, id);
    disk.in_log = false;
    assert_json(match_get(*state, id, "/events.json?after=1"), "data.0.data.changed.metadata", WHOLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metadata_is_an_object_in_one_line),
        cmocka_unit_test(metadata_is_as_deep_as_ever_was_allowed),
        cmocka_unit_test_setup_teardown(a_game_with_damaged_metadata_is_a_damaged_game, set_up,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(metadata_that_is_damaged_in_the_log_alone_is_damage_too, set_up,
                                        client_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
