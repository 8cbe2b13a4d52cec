/* Stores that were damaged on the disk: cut off at every page, and with bytes that have changed. Whatever such a file
 * is asked ends in an outcome of storage.h; one that is refused is left as it is, to the byte; what can be read of the
 * others is read, and storage_inspect tells what is wrong.
 *
 * TEST_DAMAGE sets how many files with changed bytes are tried; TEST_SEED, which is printed, repeats. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "storage/storage.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/chance.h"
#include "tests/support/storage_fixture.h"

enum { PAGE_BYTES = 4096, FLIPS_MAX = 4, USUAL_VARIANTS = 60, GAMES = 20, DEADLINE_S = 300 };

/* The sound file. */
static unsigned char *sound;
static size_t sound_size;

static void read_sound_file(void)
{
    struct stat file;
    scene_make_store();
    assert_int_equal(stat(scene.path, &file), 0);
    sound_size = (size_t)file.st_size;
    sound = malloc(sound_size);
    assert_non_null(sound);
    FILE *stream = fopen(scene.path, "rb");
    assert_non_null(stream);
    assert_int_equal(fread(sound, 1, sound_size, stream), sound_size);
    assert_int_equal(fclose(stream), 0);
}

static void remove_parts(void)
{
    static const char *const parts[] = {"", "-wal", "-shm"};
    char name[512];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        (void)snprintf(name, sizeof name, "%s%s", scene.path, parts[i]);
        (void)unlink(name);
    }
}

static void write_store(const unsigned char *bytes, size_t size)
{
    remove_parts();
    scene_write_bytes(scene.path, bytes, size, 0);
}

/* ---- what is asked of a file --------------------------------------------------------------------------- */

static bool goes_on(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    (void)context;
    return done_bytes <= total_bytes;
}

static void count_finding(void *context, const struct storage_finding *finding)
{
    assert_non_null(finding->what);
    ++*(unsigned *)context;
}

/* A row that is handed over has what storage.h promises. */
static bool take_game(void *context, const struct storage_game *row)
{
    assert_int_equal(strlen(row->id), STORAGE_ID_LENGTH);
    assert_true(row->variant && row->access && row->visibility && row->status);
    ++*(unsigned *)context;
    return true;
}

static bool take_action(void *context, const struct storage_action *row)
{
    (void)context;
    assert_non_null(row->kind);
    assert_true(!row->kind || strlen(row->kind) < sound_size);
    return true;
}

static void expect_outcome(enum storage_status status)
{
    assert_true(status >= STORAGE_OK && status <= STORAGE_UNAVAILABLE);
    assert_int_not_equal(status, STORAGE_STOPPED);
}

/* All reads; returns how many games load. */
static unsigned read_all(struct storage *storage)
{
    unsigned loaded = 0, rows_of_games = 0;
    const struct storage_rows rows = {.context = &rows_of_games, .game = take_game, .action = take_action};
    for (unsigned i = 0; i < GAMES; i++) {
        char id[STORAGE_ID_LENGTH + 1];
        (void)snprintf(id, sizeof id, "filled%06u", i);
        enum storage_status status = storage_load(storage, id, &rows);
        expect_outcome(status);
        loaded += status == STORAGE_OK;
        expect_outcome(storage_moves(storage, i + 1, &(struct storage_span){.from = 1}, &rows));
        expect_outcome(storage_actions_after(storage, i + 1, 5, 10, &rows));
    }
    const struct storage_query all = {0}, by_player = {.player = "nobody"};
    const struct storage_query by_status = {.status = "active", .order = STORAGE_OLDEST_FIRST};
    const struct storage_query by_time = {.since_ms = 1, .until_ms = INT64_MAX / 4};
    expect_outcome(storage_list(storage, &all, &rows));
    expect_outcome(storage_list(storage, &by_player, &rows));
    expect_outcome(storage_list(storage, &by_status, &rows));
    expect_outcome(storage_list(storage, &by_time, &rows));
    int64_t number = 0;
    expect_outcome(storage_all(storage, 0, 0, &rows));
    expect_outcome(storage_watched(storage, 0, 0, &rows));
    expect_outcome(storage_service_ms(storage, &number));
    expect_outcome(storage_oldest_receipt(storage, &number));
    return loaded;
}

/* As `check` does: returns the findings, and in *loaded how many games can be read; they are 0 where it cannot be opened. */
static unsigned look_through(unsigned *loaded)
{
    const struct storage_options options = {.read_only = true, .even_damaged = true};
    const struct storage_work work = {.goes_on = goes_on};
    char error[STORAGE_ERROR_SIZE] = "";
    struct storage *storage = NULL;
    unsigned findings = 0;
    *loaded = 0;
    if (storage_open(scene.url, &options, &storage, error) != STORAGE_OPENED) {
        assert_true(*error);
        return 1; /* that is the finding */
    }
    expect_outcome(storage_inspect(storage, &work, &findings, count_finding));
    *loaded = read_all(storage);
    storage_close(storage);
    return findings;
}

/* As the service does. */
static void open_and_write(const char *label)
{
    const struct storage_options options = {0};
    uint64_t before = fixture_sum_of_folder(scene.folder);
    char error[STORAGE_ERROR_SIZE] = "";
    struct storage *storage = NULL;
    enum storage_open_status status = storage_open(scene.url, &options, &storage, error);
    if (status != STORAGE_OPENED) {
        assert_true(*error);
        if (status == STORAGE_OPEN_REFUSED && fixture_sum_of_folder(scene.folder) != before)
            fail_msg("%s: it was refused, and changed", label);
        return;
    }
    (void)read_all(storage);
    struct storage_action actions[2];
    struct storage_write write = fixture_moves(1, actions, 2, 61);
    expect_outcome(fixture_write(storage, &write));
    struct storage_write creation = fixture_creation("newlycreated");
    expect_outcome(fixture_write(storage, &creation));
    expect_outcome(storage_ready(storage));
    storage_close(storage);
}

/* ---- cut off ------------------------------------------------------------------------------------------- */

static void a_store_cut_off_at_any_page_is_refused_and_what_is_left_is_read(void **state)
{
    (void)state;
    unsigned loaded = 0, most = 0;
    for (size_t size = 0; size < sound_size; size += PAGE_BYTES) {
        char label[64];
        (void)snprintf(label, sizeof label, "cut off at %zu", size);
        write_store(sound, size);
        char error[STORAGE_ERROR_SIZE] = "";
        if (scene_try_open(error) != STORAGE_OPEN_REFUSED)
            fail_msg("%s: it was opened", label);
        open_and_write(label);
        if (look_through(&loaded) == 0)
            fail_msg("%s: nothing was found", label);
        most = loaded > most ? loaded : most;
    }
    assert_in_range(most, 1, GAMES);
}

/* ---- changed bytes ------------------------------------------------------------------------------------- */

static uint64_t random_state;

static uint64_t random_next(void)
{
    return chance_next(&random_state);
}

/* One to four bytes, mostly where SQLite keeps how a page is built: at its beginning. */
static void change_bytes(unsigned char *bytes)
{
    unsigned flips = 1 + (unsigned)(random_next() % FLIPS_MAX);
    for (unsigned i = 0; i < flips; i++) {
        size_t at = (size_t)(random_next() % sound_size);
        if (random_next() % 3 == 0)
            at = at / PAGE_BYTES * PAGE_BYTES + (size_t)(random_next() % 64);
        bytes[at % sound_size] ^= (unsigned char)(1 + random_next() % 255);
    }
}

static unsigned variants(void)
{
    const char *asked = getenv("TEST_DAMAGE");
    return asked && *asked ? (unsigned)strtoul(asked, NULL, 10) : USUAL_VARIANTS;
}

static void changed_bytes_end_in_an_outcome_of_the_contract(void **state)
{
    (void)state;
    unsigned found = 0, loaded = 0, loaded_of_all = 0;
    unsigned char *bytes = malloc(sound_size);
    assert_non_null(bytes);
    for (unsigned i = 0; i < variants(); i++) {
        char label[64];
        (void)snprintf(label, sizeof label, "variant %u", i);
        memcpy(bytes, sound, sound_size);
        change_bytes(bytes);
        write_store(bytes, sound_size);
        found += look_through(&loaded) > 0;
        loaded_of_all += loaded;
        write_store(bytes, sound_size);
        open_and_write(label);
    }
    print_message("damage was seen in %u of %u files; %u of %u games were read\n", found, variants(),
                  loaded_of_all, GAMES * variants());
    assert_in_range(loaded_of_all, 1, GAMES * variants());
    free(bytes);
}

/* ---- the log beside the file --------------------------------------------------------------------------- */

/* A commit that the disk holds in part is none; those before it are there. */
static void a_torn_log_ends_with_the_last_whole_commit(void **state)
{
    (void)state;
    char log[512];
    unsigned last = 0, loaded = 0;
    remove_parts();
    scene_make_killed();
    (void)snprintf(log, sizeof log, "%s-wal", scene.path);
    struct stat file;
    assert_int_equal(stat(log, &file), 0);
    assert_in_range(look_through(&loaded), 0, 0);
    assert_int_equal(loaded, GAMES);
    for (off_t size = file.st_size - 100; size > 0; size -= file.st_size / 7) {
        assert_int_equal(truncate(log, size), 0);
        (void)snprintf(log + strlen(log) - 3, 4, "shm");
        (void)unlink(log);
        (void)snprintf(log + strlen(log) - 3, 4, "wal");
        if (look_through(&loaded) != 0)
            fail_msg("a log cut off at %lld is damage", (long long)size);
        assert_true(last == 0 || loaded <= last);
        last = loaded;
    }
    open_and_write("torn log");
}

static int set_up(void **state)
{
    (void)scene_set(state);
    read_sound_file();
    return 0;
}

static int tear_down(void **state)
{
    free(sound);
    return scene_clear(state);
}

int main(void)
{
    random_state = chance_seed();
    (void)alarm(DEADLINE_S); /* a read that never ends is a failure */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_store_cut_off_at_any_page_is_refused_and_what_is_left_is_read,
                                        set_up, tear_down),
        cmocka_unit_test_setup_teardown(changed_bytes_end_in_an_outcome_of_the_contract, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_torn_log_ends_with_the_last_whole_commit, set_up, tear_down),
    };
    return cmocka_run_group_tests_name("damaged files", tests, NULL, NULL);
}
