/* Rows of real games with one thing changed, as a disk or a hand might: a fold takes them, or says that the game is
 * damaged; whatever it takes is a game that can be looked at, and what checks games gets through all of them.
 *
 * The seed is printed; TEST_SEED repeats it, TEST_GAMES sets how many games are tried. */
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/check.h"
#include "games/fold.h"
#include "storage/backend.h"
#include "tests/games/random_actions.h"
#include "tests/support/storage_fixture.h"

enum { ACTIONS = 25, CHANGES = 60 };

/* ---- a store of one game, in memory -------------------------------------------------------------------- */

struct shelf {
    struct storage base;
    const struct fixture_rows *rows;
};

static enum storage_status shelf_load(struct storage *storage, const char *id,
                                      const struct storage_rows *rows)
{
    const struct fixture_rows *kept = ((struct shelf *)storage)->rows;
    (void)id;
    if (rows->game && !rows->game(rows->context, &kept->games[0]))
        return STORAGE_STOPPED;
    for (size_t i = 0; i < kept->action_count; i++)
        if (rows->action && !rows->action(rows->context, &kept->actions[i]))
            return STORAGE_STOPPED;
    return STORAGE_OK;
}

static enum storage_status shelf_all(struct storage *storage, int64_t after_key, uint32_t limit,
                                     const struct storage_rows *rows)
{
    const struct fixture_rows *kept = ((struct shelf *)storage)->rows;
    (void)limit;
    return after_key < kept->games[0].key && !rows->game(rows->context, &kept->games[0]) ? STORAGE_STOPPED
                                                                                         : STORAGE_OK;
}

/* In force is what is left of the moves, as rows of fewer half-moves take some back. */
static enum storage_status shelf_moves(struct storage *storage, int64_t key, const struct storage_span *span,
                                       const struct storage_rows *rows)
{
    const struct fixture_rows *kept = ((struct shelf *)storage)->rows;
    (void)key;
    (void)span;
    for (size_t i = 0; i < kept->action_count; i++) {
        bool stands = kept->actions[i].move != NULL;
        for (size_t later = i + 1; later < kept->action_count && stands; later++)
            stands = kept->actions[later].ply > kept->actions[i].ply ||
                     (kept->actions[later].ply == kept->actions[i].ply && !kept->actions[later].move);
        if (stands && !rows->action(rows->context, &kept->actions[i]))
            return STORAGE_STOPPED;
    }
    return STORAGE_OK;
}

static enum storage_status shelf_actions_after(struct storage *storage, int64_t key,
                                               const struct storage_span *span,
                                               const struct storage_rows *rows)
{
    (void)storage;
    (void)key;
    (void)span;
    (void)rows;
    return STORAGE_OK;
}

/* ---- one change ---------------------------------------------------------------------------------------- */

/* Something that could stand where `text` did; freed by the caller, NULL too. */
static char *changed_text(struct random *random, const char *text)
{
    static const char *const texts[] = {"",      "white", "black",    "move",       "created",   "undo",
                                        "e2e4",  "a7a8q", "end=x\n",  "to_ply=9\n", "offer=1\n", "\xff\xfe",
                                        "seats", "open",  "chess960", "resign",     "takeback",  "\n\n=\n"};
    size_t length = text ? strlen(text) : 0;
    if (random_chance(random, 15))
        return NULL;
    if (length == 0 || random_chance(random, 30))
        return strdup(texts[random_below(random, sizeof texts / sizeof texts[0])]);
    char *copy = malloc(2 * length + 1);
    assert_non_null(copy);
    memcpy(copy, text, length + 1);
    unsigned at = random_below(random, (unsigned)length);
    switch (random_below(random, 4)) {
    case 0:
        copy[at] = (char)(1 + random_below(random, 255));
        break;
    case 1:
        copy[at] = '\0';
        break;
    case 2:
        memcpy(copy + length, text, length + 1);
        break;
    default:
        copy[at] = (char)(copy[at] ^ 1 << random_below(random, 7));
        break;
    }
    return copy;
}

static int64_t changed_number(struct random *random, int64_t number)
{
    const int64_t numbers[] = {0,          -1,          1,          INT64_MIN, INT64_MAX,       number + 1,
                               number - 1, number ^ 64, UINT32_MAX, 70000,     INT64_C(1) << 53};
    return numbers[random_below(random, sizeof numbers / sizeof numbers[0])];
}

/* What a change of a text must give back. */
struct undo {
    const char **place, *old;
    char *now;
};

static void change_text(struct random *random, const char **text, struct undo *undo)
{
    *undo = (struct undo){text, *text, changed_text(random, *text)};
    *text = undo->now;
}

/* Words that the storage promises are never NULL. */
static void change_word(struct random *random, const char **text, struct undo *undo)
{
    change_text(random, text, undo);
    if (!undo->now)
        *text = "";
}

static void change_game(struct random *random, struct storage_game *row, struct undo *undo)
{
    const char **const texts[] = {&row->start,      &row->rules,      &row->clock,    &row->tags,
                                  &row->white_name, &row->black_name, &row->metadata, &row->tokens,
                                  &row->result,     &row->termination};
    const char **const words[] = {&row->variant, &row->access, &row->visibility, &row->status};
    switch (random_below(random, 4)) {
    case 0:
        change_word(random, words[random_below(random, 4)], undo);
        break;
    case 1:
        row->created_at_ms = changed_number(random, row->created_at_ms);
        break;
    default:
        change_text(random, texts[random_below(random, sizeof texts / sizeof texts[0])], undo);
        break;
    }
}

static void change_action(struct random *random, struct storage_action *row, struct undo *undo)
{
    const char **const texts[] = {&row->seat, &row->move, &row->san, &row->payload, &row->payload};
    int64_t *const numbers[] = {&row->at_ms, &row->white_ms, &row->black_ms, &row->spent_ms,
                                &row->service_ms};
    switch (random_below(random, 6)) {
    case 0:
        change_word(random, &row->kind, undo);
        break;
    case 1:
        row->version = (uint32_t)changed_number(random, row->version);
        break;
    case 2:
        row->ply = (uint32_t)changed_number(random, row->ply);
        break;
    case 3: {
        int64_t *number = numbers[random_below(random, sizeof numbers / sizeof numbers[0])];
        *number = changed_number(random, *number);
        break;
    }
    default:
        change_text(random, texts[random_below(random, sizeof texts / sizeof texts[0])], undo);
        break;
    }
}

/* ---- what comes of it ---------------------------------------------------------------------------------- */

struct tally {
    unsigned taken, damaged, found;
};

static void count_finding(void *context, const struct storage_finding *finding)
{
    assert_non_null(finding->what);
    ++*(unsigned *)context;
}

static bool goes_on(void *context)
{
    (void)context;
    return true;
}

/* What a fold has taken stands by its moves. */
static void expect_board(const struct game *game)
{
    struct position position = game_position_at(game, game->head.ply);
    assert_true(position_same(&position, &game->head.position));
    assert_true(game->head.status < GAME_STATUS_COUNT && game->head.end.result < RESULT_COUNT);
    assert_true(game->head.offer_by < SEAT_COUNT && game->head.takeback_by < SEAT_COUNT);
    assert_true(game->head.takeback_by == SEAT_NONE || game->head.takeback_ply < game->head.ply);
    assert_true(game_deadline(game) >= 0); /* and no sum of it overflows */
    if (game->clock)
        assert_in_range(game->clock->remaining_ms[COLOR_WHITE], 0, CLOCK_MS_MAX);
}

static void try_rows(struct shelf *shelf, struct tally *tally)
{
    struct live *live = NULL;
    struct fold *fold = fold_begin(shelf->rows->games[0].id, NULL);
    assert_non_null(fold);
    const struct storage_rows rows = {.context = fold, .game = fold_game, .action = fold_row};
    enum storage_status stored = shelf_load(&shelf->base, "", &rows);
    bool has_fault = fold_fault(fold) != NULL;
    enum games_status status = fold_end(fold, stored, &live);
    assert_true(status == GAMES_OK || status == GAMES_DAMAGED);
    assert_true(!has_fault || status == GAMES_DAMAGED);
    if (status == GAMES_OK)
        expect_board(&live->game);
    live_destroy(live);
    unsigned findings = 0;
    struct check_progress progress = {0};
    const struct check_handler handler = {.context = &findings, .finding = count_finding, .goes_on = goes_on};
    assert_int_equal(check_games(&shelf->base, &handler, &progress), CHECK_DONE);
    if (status == GAMES_DAMAGED && findings == 0)
        fail_msg("a damaged game, and nothing was found");
    tally->taken += status == GAMES_OK;
    tally->damaged += status == GAMES_DAMAGED;
    tally->found += findings > 0;
}

static void change_and_try(struct random *random, struct shelf *shelf, struct fixture_rows *rows,
                           struct tally *tally)
{
    struct undo undo = {0};
    struct storage_game game = rows->games[0];
    size_t which = random_below(random, (unsigned)rows->action_count);
    struct storage_action action = rows->actions[which];
    if (random_chance(random, 25))
        change_game(random, &rows->games[0], &undo);
    else
        change_action(random, &rows->actions[which], &undo);
    try_rows(shelf, tally);
    rows->games[0] = game;
    rows->actions[which] = action;
    free(undo.now);
}

/* One row less, or twice, or two the other way round. */
static void shuffle_and_try(struct random *random, struct shelf *shelf, struct fixture_rows *rows,
                            struct tally *tally)
{
    size_t count = rows->action_count;
    if (count < 2)
        return;
    size_t which = random_below(random, (unsigned)count - 1);
    struct storage_action pair[2] = {rows->actions[which], rows->actions[which + 1]};
    rows->actions[which] = pair[1];
    if (random_chance(random, 50))
        rows->actions[which + 1] = pair[0];
    try_rows(shelf, tally);
    rows->actions[which] = pair[0];
    rows->actions[which + 1] = pair[1];
}

/* ---- games --------------------------------------------------------------------------------------------- */

static void play(struct random *random, struct club *club, const char *id)
{
    for (unsigned i = 0; i < ACTIONS; i++) {
        struct snapshot *before = club_live(club, id);
        if (!before)
            return;
        struct deed *deed = deed_create(club, random_kind(random, false), id);
        assert_non_null(deed);
        random_fill(random, deed, &before->game);
        (void)club_do(club, deed);
        deed_destroy(deed);
        snapshot_free(before);
        club_advance(club, random_below(random, 1500));
    }
}

static void try_game(struct random *random, struct club *club, const struct storage_ops *ops,
                     struct tally *tally)
{
    struct random_start start;
    struct deed *create = deed_create(club, ACTION_CREATE, NULL);
    assert_non_null(create);
    random_create(random, create, &start);
    if (club_do(club, create) == ACTION_DONE) {
        play(random, club, create->action.id);
        struct fixture_rows kept = {0};
        const struct storage_rows rows = fixture_keep(&kept);
        assert_int_equal(storage_load(club->storage, create->action.id, &rows), STORAGE_OK);
        struct shelf shelf = {{ops}, &kept};
        for (unsigned i = 0; i < CHANGES; i++)
            change_and_try(random, &shelf, &kept, tally);
        shuffle_and_try(random, &shelf, &kept, tally);
        fixture_rows_free(&kept);
    }
    deed_destroy(create);
}

static void a_changed_row_is_taken_or_damage(void **state)
{
    static const struct storage_ops ops = {
        .load = shelf_load, .all = shelf_all, .moves = shelf_moves, .actions_after = shelf_actions_after};
    struct club *club = *state;
    struct tally tally = {0};
    uint64_t seed = chance_seed();
    club->unchecked = true;
    for (unsigned i = 0; i < random_work(150); i++) {
        struct random random = random_begin(seed, i);
        try_game(&random, club, &ops, &tally);
    }
    printf("%u taken, %u damaged; check found something in %u\n", tally.taken, tally.damaged, tally.found);
    assert_true(tally.taken > 0 && tally.damaged > tally.taken / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(a_changed_row_is_taken_or_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
