/* Games as PGN out of a store, and back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/export.h"
#include "games/import.h"
#include "games/payload.h"
#include "games/pgn_intake.h"
#include "rules/chess960.h"
#include "rules/movegen.h"
#include "storage/backend.h"
#include "tests/support/chance.h"
#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

/* What was written. */
struct paper {
    char *text;
    size_t length, room;
    unsigned stop_after; /* games; 0: never */
    struct export_progress progress;
};

static void write_paper(void *context, const char *bytes, size_t length)
{
    struct paper *paper = context;
    if (paper->length + length + 1 > paper->room) {
        paper->room = 2 * (paper->length + length + 1);
        paper->text = realloc(paper->text, paper->room);
        assert_non_null(paper->text);
    }
    memcpy(paper->text + paper->length, bytes, length);
    paper->length += length;
    paper->text[paper->length] = '\0';
}

static bool is_time_to_stop(void *context)
{
    const struct paper *paper = context;
    return paper->stop_after && paper->progress.games >= paper->stop_after;
}

static struct export_settings settings_of(struct paper *paper)
{
    return (struct export_settings){.write = write_paper, .context = paper, .stops = is_time_to_stop};
}

static enum export_status write_all(struct club *club, struct paper *paper)
{
    const struct export_settings settings = settings_of(paper);
    return export_all(club->front, &settings, &paper->progress);
}

static bool take_game(void *context, const struct import_game *game)
{
    if (!game->id)
        fail_msg("line %u: %s", game->place.line, game->fault_count ? game->faults[0].detail : "not stored");
    ++*(unsigned *)context;
    return true;
}

static unsigned read_all(struct club *club, const struct paper *paper)
{
    unsigned games = 0;
    const struct import_settings settings = {.rules = game_rules_default(PROFILE_FIDE)};
    const struct import_handler handler = {.context = &games, .game = take_game};
    struct import *import = import_create(club->games, &settings, &handler);
    assert_non_null(import);
    assert_int_equal(import_read(import, paper->text, paper->length), IMPORT_GOES_ON);
    assert_int_equal(import_end(import), IMPORT_DONE);
    import_destroy(import);
    return games;
}

/* Ids are new with each import. */
static void blank_ids(struct paper *paper)
{
    static const char tag[] = "[GameId \"";
    for (char *at = paper->text; (at = strstr(at, tag)); at += sizeof tag)
        memset(at + sizeof tag - 1, 'x', GAME_ID_LENGTH);
}

static void add_moves(struct deed *deed, const char *text)
{
    deed_set_moves(deed, text);
    assert_int_equal(club_do(deed->club, deed), ACTION_DONE);
}

static void a_game_is_written_in_export_form(void **state)
{
    struct club *club = *state;
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.texts = (struct game_texts){
        .white_name = "A \"B\"", .tags = "Date=2024.01.02\nECO=A00\nAnnotator=me\n", .comment = "before"};
    deed->action.create.recorded = RESULT_BLACK_WINS;
    add_moves(deed, "e4 e5");
    struct paper paper = {0};
    const struct export_settings settings = settings_of(&paper);
    assert_int_equal(export_game(club->front, deed->action.id, &settings, &paper.progress), EXPORT_DONE);
    char expected[1024];
    (void)snprintf(
        expected, sizeof expected,
        "[Event \"?\"]\n[Site \"?\"]\n[Date \"2024.01.02\"]\n[Round \"?\"]\n[White \"A \\\"B\\\"\"]\n"
        "[Black \"?\"]\n[Result \"0-1\"]\n[Annotator \"me\"]\n[ECO \"A00\"]\n[GameId \"%s\"]\n"
        "[Termination \"normal\"]\n\n{ before } 1. e4 e5 0-1\n\n",
        deed->action.id);
    assert_string_equal(paper.text, expected);
    free(paper.text);
}

/* PGN standard 8.1.1.3; it was not played when it came to us. */
static void a_game_from_a_pgn_without_a_date_has_none(void **state)
{
    struct club *club = *state;
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.texts = (struct game_texts){.tags = ""};
    add_moves(deed, "e4 e5");
    club_reopen(club);
    struct paper paper = {0};
    const struct export_settings settings = settings_of(&paper);
    assert_int_equal(export_game(club->front, deed->action.id, &settings, &paper.progress), EXPORT_DONE);
    assert_non_null(strstr(paper.text, "[Date \"????.??.??\"]\n"));
    assert_null(strstr(paper.text, "UTC"));
    free(paper.text);
}

/* ---- out, in, and out again -------------------------------------------------------------------------- */

static uint64_t random_state;

static unsigned random_below(unsigned limit)
{
    return chance_below(&random_state, limit);
}

static const char *random_text(void)
{
    static const char *const texts[] = {
        "good",
        "two words",
        "Schach\xC3\xA4",
        ("a line that is so long that it has to be broken over more than one line of the export, which may "
         "have 80"),
        "with ) and ( and ; and % and [%eval 0.3] and \"quotes\" and \\",
        "1-0",
        "[Event \"x\"]",
        "$5 !?",
    };
    return texts[random_below(sizeof texts / sizeof *texts)];
}

enum { PLIES = 120 };

static size_t random_moves(struct position position, struct move_input inputs[PLIES])
{
    size_t count = 0;
    size_t wanted = random_below(PLIES);
    struct movelist list;
    for (movegen_legal(&position, &list); list.count > 0 && count < wanted; movegen_legal(&position, &list)) {
        struct move_input *input = &inputs[count++];
        *input = (struct move_input){.known = list.moves[random_below(list.count)]};
        if (random_below(4) == 0)
            input->comment = random_text();
        if (random_below(2) == 0) {
            input->has_clock_ms = true;
            input->clock_ms = random_below(2) ? random_below(7200) * 1000 : random_below(9000000);
        }
        struct position before = position;
        position_play(&before, input->known, &position);
    }
    return count;
}

static void create_random_game(struct club *club)
{
    static struct move_input inputs[PLIES];
    struct payload tags = {0};
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    struct action_create *create = &deed->action.create;
    struct position start = chess960_position(random_below(CHESS960_COUNT));
    create->start = random_below(3) == 0 ? &start : NULL;
    create->moves = inputs;
    create->move_count = random_moves(create->start ? start : position_initial(), inputs);
    create->visibility = (enum game_visibility)random_below(VISIBILITY_COUNT);
    create->recorded = (enum game_result)random_below(RESULT_COUNT);
    create->texts.white_name = random_below(2) ? random_text() : NULL;
    create->texts.comment = random_below(3) == 0 ? random_text() : NULL;
    payload_add(&tags, "Event", random_text());
    if (random_below(2))
        payload_add(&tags, "Date", "2001.??.??");
    if (random_below(2))
        payload_add(&tags, "TimeControl", "40/7200:3600");
    create->texts.tags = tags.text;
    enum action_outcome outcome = club_do(club, deed);
    if (outcome == ACTION_GAME_OVER) { /* the random moves went on over a draw */
        struct deed *again = club_deed(club, ACTION_CREATE, NULL);
        again->action.create = *create;
        again->action.create.move_count = deed->action.index;
        outcome = club_do(club, again);
        club->last = again;
    }
    assert_int_equal(outcome, ACTION_DONE);
    payload_finish(&tags);
}

static void what_was_exported_comes_back_as_the_same_text(void **state)
{
    (void)state;
    enum { GAMES = 300 };
    struct club *first = club_open(NULL);
    struct club *second = club_open(NULL);
    first->unchecked = true;
    random_state = 20240102;
    for (int i = 0; i < GAMES; i++)
        create_random_game(first);
    struct paper out = {0}, again = {0};
    assert_int_equal(write_all(first, &out), EXPORT_DONE);
    assert_int_equal(out.progress.games, GAMES);
    assert_int_equal(read_all(second, &out), GAMES);
    assert_int_equal(write_all(second, &again), EXPORT_DONE);
    blank_ids(&out);
    blank_ids(&again);
    for (size_t at = 0; at < out.length; at++)
        if (out.text[at] != again.text[at])
            fail_msg("at %zu: %.200s\n--- is now ---\n%.200s", at, out.text + (at < 100 ? 0 : at - 100),
                     again.text + (at < 100 ? 0 : at - 100));
    assert_int_equal(out.length, again.length);
    free(out.text);
    free(again.text);
    club_close(first);
    club_close(second);
}

/* A game at its limits: an export writes more than it was read from. */
static void the_most_that_is_read_comes_back_too(void **state)
{
    (void)state;
    static char comment[PGN_COMMENT_MAX + 1];
    memset(comment, 'c', PGN_COMMENT_MAX);
    comment[7] = ' ';
    struct paper written = {0}, out = {0}, again = {0};
    char line[32];
    for (int i = 0; i < PGN_INTAKE_TAGS_MAX; i++)
        write_paper(&written, line, (size_t)sprintf(line, "[T%03d \"x\"]\n", i));
    const char *const rest[] = {"[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 3 30\"]\n{",
                                comment,
                                "} Kd7 {[%clk 100:00:00.001] ",
                                comment,
                                "} {",
                                comment,
                                "} *\n"};
    for (size_t i = 0; i < sizeof rest / sizeof rest[0]; i++)
        write_paper(&written, rest[i], strlen(rest[i]));
    struct club *first = club_open(NULL);
    struct club *second = club_open(NULL);
    assert_int_equal(read_all(first, &written), 1);
    assert_int_equal(write_all(first, &out), EXPORT_DONE);
    assert_int_equal(read_all(second, &out), 1);
    assert_int_equal(write_all(second, &again), EXPORT_DONE);
    blank_ids(&out);
    blank_ids(&again);
    assert_string_equal(out.text, again.text);
    assert_non_null(strstr(out.text, "[T127 \"x\"]"));
    free(written.text);
    free(out.text);
    free(again.text);
    club_close(first);
    club_close(second);
}

/* ---- faults ------------------------------------------------------------------------------------------ */

static int set_up_faulty(void **state)
{
    const struct club_options options = {.wrap = faulty_wrap};
    *state = club_open(&options);
    for (int i = 0; i < 5; i++)
        (void)club_create_fen(*state, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1");
    return 0;
}

static void an_export_stops_between_games(void **state)
{
    struct paper paper = {.stop_after = 2};
    assert_int_equal(write_all(*state, &paper), EXPORT_STOPPED);
    assert_int_equal(paper.progress.games, 2);
    assert_string_equal(paper.progress.id, "");
    assert_string_equal(paper.text + paper.length - 3, "*\n\n");
    free(paper.text);
}

static void a_store_that_cannot_be_read_ends_the_export(void **state)
{
    static const enum faulty_call calls[] = {FAULTY_ALL, FAULTY_LOAD, FAULTY_MOVES};
    struct club *club = *state;
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct paper paper = {0};
        faulty_fail(club->front, calls[i], i == 0 ? 1 : 3, STORAGE_UNAVAILABLE);
        assert_int_equal(write_all(club, &paper), EXPORT_FAILED);
        assert_int_equal(paper.progress.games, i == 0 ? 0 : 2);
        assert_int_equal(strlen(paper.progress.id), i == 0 ? 0 : GAME_ID_SIZE - 1);
        free(paper.text);
    }
}

/* What somebody does to the game between the two reads of an export. */
static struct {
    struct club *club;
    const char *id;
    bool removes;
    unsigned acts;
    const struct storage_ops *plain;
} meanwhile;

static enum storage_status moves_meanwhile(struct storage *storage, int64_t key,
                                           const struct storage_span *span, const struct storage_rows *rows)
{
    storage->ops = meanwhile.plain; /* an undo reads moves too */
    const struct storage_ops *ops = storage->ops;
    meanwhile.acts++;
    if (meanwhile.removes)
        assert_int_equal(club_delete(meanwhile.club, meanwhile.id), ACTION_DONE);
    else
        assert_int_equal(club_undo(meanwhile.club, meanwhile.id, 2), ACTION_DONE);
    return ops->moves(storage, key, span, rows);
}

static enum export_status export_meanwhile(struct club *club, const char *id, bool removes,
                                           struct paper *paper)
{
    const struct export_settings settings = settings_of(paper);
    struct storage_ops ops = *club->front->ops;
    ops.moves = moves_meanwhile;
    meanwhile.club = club;
    meanwhile.id = id;
    meanwhile.removes = removes;
    meanwhile.acts = 0;
    meanwhile.plain = club->front->ops;
    club->front->ops = &ops;
    enum export_status status = export_game(club->front, id, &settings, &paper->progress);
    club->front->ops = meanwhile.plain;
    assert_int_equal(meanwhile.acts, 1);
    return status;
}

static void a_game_is_written_as_it_was_whatever_is_taken_back_meanwhile(void **state)
{
    struct club *club = *state;
    struct paper paper = {0}, again = {0};
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    assert_int_equal(export_meanwhile(club, id, false, &paper), EXPORT_DONE);
    assert_non_null(strstr(paper.text, "1. e4 e5 *"));
    assert_int_equal(club_view(club, id)->head.ply, 0);
    club_play(club, id, "d4");
    assert_int_equal(export_meanwhile(club, id, true, &again), EXPORT_NOT_FOUND);
    assert_int_equal(again.length, 0);
    free(paper.text);
    free(again.text);
}

static void an_id_that_no_game_has_is_told(void **state)
{
    struct club *club = *state;
    struct paper paper = {0};
    const struct export_settings settings = settings_of(&paper);
    assert_int_equal(export_game(club->front, "zzzzzzzzzzzz", &settings, &paper.progress), EXPORT_NOT_FOUND);
    assert_string_equal(paper.progress.id, "zzzzzzzzzzzz");
    assert_int_equal(paper.length, 0);
}

static void a_store_without_games_is_an_empty_text(void **state)
{
    struct paper paper = {0};
    assert_int_equal(write_all(*state, &paper), EXPORT_DONE);
    assert_int_equal(paper.length, 0);
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, set_up_faulty, club_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_game_is_written_in_export_form),
        CLUB_TEST(a_game_from_a_pgn_without_a_date_has_none),
        cmocka_unit_test(what_was_exported_comes_back_as_the_same_text),
        cmocka_unit_test(the_most_that_is_read_comes_back_too),
        FAULTY_TEST(an_export_stops_between_games),
        FAULTY_TEST(a_store_that_cannot_be_read_ends_the_export),
        FAULTY_TEST(a_game_is_written_as_it_was_whatever_is_taken_back_meanwhile),
        FAULTY_TEST(an_id_that_no_game_has_is_told),
        CLUB_TEST(a_store_without_games_is_an_empty_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
