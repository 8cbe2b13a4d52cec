#include "tests/storage/conformance.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/storage/conformance_parts.h"

struct storage *conformance_storage;

static const struct conformance *backend;
static char *url;

int conformance_open_empty(void **state)
{
    (void)state;
    url = backend->prepare();
    conformance_storage = fixture_open(url);
    return 0;
}

int conformance_close_and_discard(void **state)
{
    (void)state;
    storage_close(conformance_storage);
    conformance_storage = NULL;
    backend->discard();
    free(url);
    return 0;
}

void conformance_reopen(void)
{
    storage_close(conformance_storage);
    conformance_storage = fixture_open(url);
}

enum storage_status conformance_load(const char *id, struct fixture_rows *kept)
{
    *kept = (struct fixture_rows){0};
    struct storage_rows rows = fixture_keep(kept);
    return storage_load(conformance_storage, id, &rows);
}

int conformance_actions_of(const char *id)
{
    struct fixture_rows kept;
    int count = conformance_load(id, &kept) == STORAGE_OK ? (int)kept.action_count : -1;
    fixture_rows_free(&kept);
    return count;
}

size_t conformance_moves_of(int64_t key)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_moves(conformance_storage, key, &(struct storage_span){0}, &rows), STORAGE_OK);
    size_t count = kept.action_count;
    fixture_rows_free(&kept);
    return count;
}

enum storage_status conformance_append_moves(int64_t key, size_t count, uint32_t version)
{
    struct storage_action actions[16];
    assert_true(count <= sizeof actions / sizeof actions[0]);
    struct storage_write write = fixture_moves(key, actions, count, version);
    return fixture_write(conformance_storage, &write);
}

static void assert_text(const char *found, const char *wanted)
{
    if (!wanted)
        assert_null(found);
    else
        assert_string_equal(found, wanted);
}

void conformance_assert_game(const struct storage_game *found, const struct storage_game *wanted)
{
    assert_int_equal(found->key, wanted->key);
    assert_text(found->id, wanted->id);
    assert_text(found->variant, wanted->variant);
    assert_text(found->start, wanted->start);
    assert_text(found->rules, wanted->rules);
    assert_text(found->clock, wanted->clock);
    assert_text(found->tags, wanted->tags);
    assert_int_equal(found->created_at_ms, wanted->created_at_ms);
    assert_text(found->access, wanted->access);
    assert_text(found->visibility, wanted->visibility);
    assert_text(found->white_name, wanted->white_name);
    assert_text(found->black_name, wanted->black_name);
    assert_text(found->metadata, wanted->metadata);
    assert_text(found->tokens, wanted->tokens);
    assert_text(found->status, wanted->status);
    assert_text(found->result, wanted->result);
    assert_text(found->termination, wanted->termination);
    assert_int_equal(found->ended_at_ms, wanted->ended_at_ms);
    assert_int_equal(found->watched, wanted->watched);
}

void conformance_assert_action(const struct storage_action *found, const struct storage_action *wanted)
{
    assert_int_equal(found->version, wanted->version);
    assert_int_equal(found->at_ms, wanted->at_ms);
    assert_text(found->kind, wanted->kind);
    assert_text(found->seat, wanted->seat);
    assert_int_equal(found->ply, wanted->ply);
    assert_text(found->move, wanted->move);
    assert_true(found->position_key == wanted->position_key);
    assert_int_equal(found->white_ms, wanted->white_ms);
    assert_int_equal(found->black_ms, wanted->black_ms);
    assert_int_equal(found->spent_ms, wanted->spent_ms);
    assert_int_equal(found->service_ms, wanted->service_ms);
    assert_text(found->payload, wanted->payload);
}

int conformance_run(const struct conformance *tested)
{
    backend = tested;
    print_message("%s\n", tested->name);
    return conformance_run_games() + conformance_run_lists() + conformance_run_writes() +
           conformance_run_clocks() + conformance_run_receipts();
}
