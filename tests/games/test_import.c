/* Whole files of games, into the store or only judged. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/import.h"
#include "games/pgn_intake.h"
#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

enum {
    MANY = 1200, /* several times what is on its way at a time */
    TOLD_MAX = MANY + 1,
};

struct told {
    char id[GAME_ID_SIZE]; /* "" for none */
    unsigned index, line, plies, faults;
    enum import_outcome outcome;
    enum game_result result;
    enum game_termination termination;
    enum pgn_fault_code code; /* of the first fault */
};

struct scene {
    struct club *club;
    struct import_settings settings;
    struct told told[TOLD_MAX];
    unsigned count, text_faults;
    unsigned stop_after; /* games that were told; 0: never */
    bool refuse;         /* the handler ends the import instead of the setting */
};

static bool memory_is_out;

bool __real_id_make(char id[GAME_ID_SIZE]);
bool __wrap_id_make(char id[GAME_ID_SIZE]);
bool __wrap_id_make(char id[GAME_ID_SIZE])
{
    return !memory_is_out && __real_id_make(id);
}

static bool note_game(void *context, const struct import_game *game)
{
    struct scene *scene = context;
    assert_true(scene->count < TOLD_MAX);
    struct told *told = &scene->told[scene->count++];
    *told = (struct told){
        .index = game->place.index,
        .line = game->place.line,
        .plies = game->plies,
        .faults = (unsigned)game->fault_count,
        .outcome = game->outcome,
        .result = game->result,
        .termination = game->termination,
    };
    if (game->id)
        memcpy(told->id, game->id, GAME_ID_SIZE);
    if (game->fault_count)
        told->code = game->faults[0].code;
    return !scene->refuse || scene->count < scene->stop_after;
}

static void note_fault(void *context, const struct pgn_fault *fault)
{
    struct scene *scene = context;
    assert_int_equal(fault->code, PGN_FAULT_EMPTY);
    scene->text_faults++;
}

static bool is_time_to_stop(void *context)
{
    const struct scene *scene = context;
    return !scene->refuse && scene->stop_after && scene->count >= scene->stop_after;
}

static struct import *begin(struct scene *scene)
{
    const struct import_handler handler = {.context = scene, .game = note_game, .fault = note_fault};
    scene->settings.rules = game_rules_default(PROFILE_FIDE);
    scene->settings.stops = is_time_to_stop;
    scene->settings.stops_context = scene;
    struct import *import = import_create(scene->club->games, &scene->settings, &handler);
    assert_non_null(import);
    return import;
}

static enum import_status run(struct scene *scene, const char *pgn, size_t piece, struct pgn_place *next)
{
    struct import *import = begin(scene);
    enum import_status status = IMPORT_GOES_ON;
    size_t left = strlen(pgn);
    while (status == IMPORT_GOES_ON && left > 0) {
        size_t length = left < piece ? left : piece;
        status = import_read(import, pgn, length);
        pgn += length;
        left -= length;
    }
    status = import_end(import);
    if (next)
        *next = import_next(import);
    import_destroy(import);
    return status;
}

static enum import_status run_whole(struct scene *scene, const char *pgn)
{
    return run(scene, pgn, strlen(pgn) + 1, NULL);
}

static int set_up(void **state)
{
    struct scene *scene = calloc(1, sizeof *scene);
    if (!scene)
        return -1;
    const struct club_options options = {.wrap = faulty_wrap};
    scene->club = club_open(&options);
    *state = scene;
    return 0;
}

static int tear_down(void **state)
{
    struct scene *scene = *state;
    club_close(scene->club);
    free(scene);
    return 0;
}

static bool count_row(void *context, const struct storage_game *row)
{
    (void)row;
    ++*(unsigned *)context;
    return true;
}

/* Games in the store; all of them are public here. */
static unsigned stored(struct scene *scene)
{
    unsigned count = 0;
    const struct storage_query query = {0};
    const struct storage_rows rows = {.context = &count, .game = count_row};
    assert_int_equal(storage_list(scene->club->storage, &query, &rows), STORAGE_OK);
    return count;
}

static unsigned told_ids(const struct scene *scene)
{
    unsigned count = 0;
    for (unsigned i = 0; i < scene->count; i++)
        count += scene->told[i].id[0] != '\0';
    return count;
}

static const char three_games[] = "[White \"A\"]\n\n1. e4 e5 1-0\n\n"
                                  "[White \"B\"]\n\n1. d4 d4 0-1\n\n"
                                  "[White \"C\"]\n\n1. c4 {x} *\n";

static void every_good_game_is_created_and_every_other_told(void **state)
{
    struct scene *scene = *state;
    assert_int_equal(run_whole(scene, three_games), IMPORT_DONE);
    assert_int_equal(scene->count, 3);
    const struct told *told = scene->told;
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(told[i].index, i);
    assert_int_equal(told[0].outcome, IMPORT_GAME_CREATED);
    assert_int_equal(told[1].outcome, IMPORT_GAME_REFUSED);
    assert_int_equal(told[2].outcome, IMPORT_GAME_CREATED);
    assert_int_equal(told[0].line, 1);
    assert_int_equal(told[1].line, 5);
    assert_int_equal(told[1].code, PGN_FAULT_ILLEGAL_MOVE);
    assert_int_equal(told[1].plies, 1);
    assert_string_equal(told[1].id, "");
    assert_int_equal(stored(scene), 2);
    const struct game *first = club_view(scene->club, told[0].id);
    assert_int_equal(first->head.end.termination, TERMINATION_RECORDED);
    assert_int_equal(first->head.end.result, RESULT_WHITE_WINS);
    assert_string_equal(first->texts->white_name, "A");
    const struct game *last = club_view(scene->club, told[2].id);
    assert_int_equal(last->head.status, GAME_ACTIVE); /* "*": nobody knows its result */
    assert_string_equal(last->head.comment, "x");
}

static void pieces_of_any_size_come_to_the_same(void **state)
{
    struct scene *scene = *state;
    assert_int_equal(run_whole(scene, three_games), IMPORT_DONE);
    struct told whole[3];
    memcpy(whole, scene->told, sizeof whole);
    for (size_t piece = 1; piece < 20; piece++) {
        scene->count = 0;
        assert_int_equal(run(scene, three_games, piece, NULL), IMPORT_DONE);
        assert_int_equal(scene->count, 3);
        for (unsigned i = 0; i < 3; i++) {
            struct told told = scene->told[i];
            assert_int_equal(told.outcome == IMPORT_GAME_CREATED, told.id[0] != '\0');
            memcpy(told.id, whole[i].id, sizeof told.id); /* new ones each time */
            assert_memory_equal(&told, &whole[i], sizeof told);
        }
    }
}

static void validation_writes_nothing_and_needs_no_store(void **state)
{
    struct scene *scene = *state;
    scene->settings.validate_only = true;
    assert_int_equal(run_whole(scene, three_games), IMPORT_DONE);
    assert_int_equal(scene->count, 3);
    assert_int_equal(told_ids(scene), 0);
    assert_int_equal(scene->told[0].outcome, IMPORT_GAME_GOOD);
    assert_int_equal(scene->told[1].outcome, IMPORT_GAME_REFUSED);
    assert_int_equal(scene->told[2].outcome, IMPORT_GAME_GOOD);
    assert_int_equal(scene->told[0].termination, TERMINATION_RECORDED);
    assert_int_equal(stored(scene), 0);
    assert_int_equal(faulty_calls(scene->club->front, FAULTY_WRITE), 0);

    const struct games_settings settings = games_settings_usual(1 << 20);
    struct games *kept = scene->club->games;
    scene->club->games = games_create(NULL, &settings);
    assert_non_null(scene->club->games);
    scene->count = 0;
    assert_int_equal(run_whole(scene, three_games), IMPORT_DONE);
    assert_int_equal(scene->count, 3);
    games_destroy(scene->club->games);
    scene->club->games = kept;
}

static void a_text_without_a_game_is_told_as_such(void **state)
{
    struct scene *scene = *state;
    assert_int_equal(run_whole(scene, " \n"), IMPORT_DONE);
    assert_int_equal(scene->count, 0);
    assert_int_equal(scene->text_faults, 1);
}

/* "1. e4 e5 … *" with a name that tells it from the others. */
static char *many_games(unsigned count)
{
    enum { GAME_SIZE = 64 };
    char *pgn = malloc((size_t)count * GAME_SIZE + 1);
    assert_non_null(pgn);
    *pgn = '\0';
    char *end = pgn;
    for (unsigned i = 0; i < count; i++)
        end += sprintf(end, "[White \"P%u\"]\n\n1. e4 e5 2. Nf3 *\n\n", i);
    return pgn;
}

static void games_on_their_way_are_many_and_are_told_in_order(void **state)
{
    struct scene *scene = *state;
    char *pgn = many_games(20);
    struct import *import = begin(scene);
    faulty_hold(scene->club->front);
    assert_int_equal(import_read(import, pgn, strlen(pgn)), IMPORT_GOES_ON);
    faulty_await_held(scene->club->front, 20);
    assert_int_equal(scene->count, 0);
    assert_int_equal(stored(scene), 0);
    faulty_release(scene->club->front);
    assert_int_equal(import_end(import), IMPORT_DONE);
    assert_int_equal(scene->count, 20);
    for (unsigned i = 0; i < scene->count; i++) {
        char name[16];
        (void)snprintf(name, sizeof name, "P%u", i);
        assert_int_equal(scene->told[i].index, i);
        assert_string_equal(club_view(scene->club, scene->told[i].id)->texts->white_name, name);
    }
    import_destroy(import);
    free(pgn);
}

static void an_import_that_is_dropped_waits_for_its_games(void **state)
{
    struct scene *scene = *state;
    struct import *import = begin(scene);
    char *pgn = many_games(10);
    assert_int_equal(import_read(import, pgn, strlen(pgn)), IMPORT_GOES_ON);
    import_destroy(import);
    assert_int_equal(stored(scene), 10);
    free(pgn);
}

static void a_stop_leaves_whole_games_all_of_them_told(void **state)
{
    struct scene *scene = *state;
    char *pgn = many_games(MANY);
    for (unsigned way = 0; way < 2; way++) {
        scene->count = 0;
        scene->stop_after = 100;
        scene->refuse = way == 1;
        unsigned before = stored(scene);
        struct pgn_place next;
        assert_int_equal(run(scene, pgn, 1000, &next), IMPORT_STOPPED);
        assert_true(scene->count >= 100 && scene->count < MANY);
        assert_int_equal(told_ids(scene), scene->count);
        assert_int_equal(stored(scene) - before, scene->count);
        assert_int_equal(next.index, scene->count);
        assert_int_equal(next.line, scene->count * 4 + 1);
    }
    free(pgn);
}

static void a_game_that_was_begun_when_the_import_is_stopped_is_the_next(void **state)
{
    struct scene *scene = *state;
    struct import *import = begin(scene);
    static const char pgn[] = "1. e4 *\n\n1. d4 d5 2. c4";
    assert_int_equal(import_read(import, pgn, strlen(pgn)), IMPORT_GOES_ON);
    assert_int_equal(import_stop(import), IMPORT_STOPPED);
    assert_int_equal(scene->count, 1);
    assert_int_equal(stored(scene), 1);
    assert_int_equal(import_next(import).index, 1);
    assert_int_equal(import_next(import).line, 3);
    assert_int_equal(import_read(import, " *", 2), IMPORT_STOPPED);
    assert_int_equal(import_end(import), IMPORT_STOPPED);
    assert_int_equal(scene->count, 1);
    import_destroy(import);
}

static void a_fault_of_the_store_ends_the_import_and_is_told_for_its_game(void **state)
{
    static const struct {
        enum storage_status fault;
        enum import_status status;
    } rows[] = {
        {STORAGE_BUSY, IMPORT_STORE_BUSY},
        {STORAGE_FULL, IMPORT_STORE_FULL},
        {STORAGE_UNAVAILABLE, IMPORT_STORE_FAILED},
    };
    struct scene *scene = *state;
    char *pgn = many_games(MANY);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        scene->count = 0;
        unsigned before = stored(scene);
        struct pgn_place next;
        faulty_fail(scene->club->front, FAULTY_WRITE, 150, rows[i].fault);
        assert_int_equal(run(scene, pgn, 500, &next), rows[i].status);
        assert_true(scene->count >= 150 && scene->count < MANY);
        assert_int_equal(stored(scene) - before, told_ids(scene));
        assert_int_equal(told_ids(scene), scene->count - 1);
        const struct told *told = &scene->told[149];
        assert_string_equal(told->id, "");
        assert_int_equal(told->outcome, IMPORT_GAME_NOT_STORED);
        assert_int_equal(told->faults, 0);
        assert_int_equal(next.index, 149);
        assert_int_equal(next.line, told->line);
    }
    free(pgn);
}

static void a_game_that_the_rules_refuse_is_told_in_its_place(void **state)
{
    struct scene *scene = *state;
    assert_int_equal(
        run_whole(scene,
                  "1. e4 *\n\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\n\n1. Kxe2 Kd7 *\n\n1. d4 *\n"),
        IMPORT_DONE);
    assert_int_equal(scene->count, 3);
    assert_int_equal(scene->told[1].outcome, IMPORT_GAME_REFUSED);
    assert_int_equal(scene->told[1].code, PGN_FAULT_MOVES_AFTER_END);
    assert_int_equal(scene->told[1].plies, 1);
    assert_int_equal(stored(scene), 2);
}

static void a_wrong_variation_is_told_and_costs_nothing(void **state)
{
    struct scene *scene = *state;
    assert_int_equal(run_whole(scene, "1. e4 (1. d5) e5 (1... c5 2. Nf3) (1... Ke3) *\n"), IMPORT_DONE);
    assert_int_equal(scene->count, 1);
    assert_int_equal(scene->told[0].outcome, IMPORT_GAME_CREATED);
    assert_int_equal(scene->told[0].faults, 2);
    assert_int_equal(scene->told[0].code, PGN_FAULT_VARIATION);
}

static void visibility_and_rules_are_those_of_the_import(void **state)
{
    struct scene *scene = *state;
    scene->settings.visibility = VISIBILITY_UNLISTED;
    assert_int_equal(run_whole(scene, "1. e4 e5 *\n"), IMPORT_DONE);
    const struct game *game = club_view(scene->club, scene->told[0].id);
    assert_int_equal(game->visibility, VISIBILITY_UNLISTED);
    assert_int_equal(game->rules.dead, ENDING_DEAD_EXACT);
    assert_int_equal(stored(scene), 0); /* nothing public */
}

static void chess960_can_be_meant_where_no_variant_is_named(void **state)
{
    struct scene *scene = *state;
    scene->settings.chess960 = true;
    assert_int_equal(run_whole(scene, "1. e4 e5 *\n\n[Variant \"Standard\"]\n\n1. e4 *\n"), IMPORT_DONE);
    assert_true(club_view(scene->club, scene->told[0].id)->head.position.chess960);
    assert_false(club_view(scene->club, scene->told[1].id)->head.position.chess960);
}

static const char KEYED[] = "1. e4 *\n\n1. d4 *\n";

static struct repeat_key some_key(void)
{
    static const char SEAL[] = "what only the client knows";
    return (struct repeat_key){.id = {1}, .request = {2}, .seal = {SEAL, sizeof SEAL}};
}

static void a_repeat_tells_the_games_that_are_there(void **state)
{
    struct scene *scene = *state;
    const struct repeat_key key = some_key();
    scene->settings.key = &key;
    uint64_t looked = faulty_calls(scene->club->front, FAULTY_RECEIPT);
    assert_int_equal(run_whole(scene, KEYED), IMPORT_DONE);
    assert_int_equal(faulty_calls(scene->club->front, FAULTY_RECEIPT), looked); /* nothing can be there */
    scene->settings.is_repeat = true;
    assert_int_equal(run_whole(scene, KEYED), IMPORT_DONE);
    assert_int_equal(scene->count, 4);
    for (unsigned i = 0; i < 2; i++) {
        assert_int_equal(scene->told[2 + i].outcome, IMPORT_GAME_CREATED);
        assert_string_equal(scene->told[2 + i].id, scene->told[i].id);
    }
    assert_int_equal(stored(scene), 2);
}

static void a_game_that_cannot_be_judged_again_has_no_id(void **state)
{
    struct scene *scene = *state;
    const struct repeat_key key = some_key();
    scene->settings.key = &key;
    assert_int_equal(run_whole(scene, KEYED), IMPORT_DONE);
    scene->settings.is_repeat = true;
    memory_is_out = true;
    assert_int_equal(run_whole(scene, KEYED), IMPORT_NO_MEMORY);
    memory_is_out = false;
    assert_true(scene->count > 2);
    assert_int_equal(scene->told[2].outcome, IMPORT_GAME_NOT_STORED);
    assert_string_equal(scene->told[2].id, "");
}

#define SCENE_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(every_good_game_is_created_and_every_other_told),
        SCENE_TEST(pieces_of_any_size_come_to_the_same),
        SCENE_TEST(validation_writes_nothing_and_needs_no_store),
        SCENE_TEST(a_text_without_a_game_is_told_as_such),
        SCENE_TEST(games_on_their_way_are_many_and_are_told_in_order),
        SCENE_TEST(an_import_that_is_dropped_waits_for_its_games),
        SCENE_TEST(a_stop_leaves_whole_games_all_of_them_told),
        SCENE_TEST(a_game_that_was_begun_when_the_import_is_stopped_is_the_next),
        SCENE_TEST(a_fault_of_the_store_ends_the_import_and_is_told_for_its_game),
        SCENE_TEST(a_game_that_the_rules_refuse_is_told_in_its_place),
        SCENE_TEST(a_wrong_variation_is_told_and_costs_nothing),
        SCENE_TEST(visibility_and_rules_are_those_of_the_import),
        SCENE_TEST(chess960_can_be_meant_where_no_variant_is_named),
        SCENE_TEST(a_repeat_tells_the_games_that_are_there),
        SCENE_TEST(a_game_that_cannot_be_judged_again_has_no_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
