#include "tests/support/games_club.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/fold.h"
#include "games/rest.h"
#include "games/judge.h"
#include "tests/support/games_check.h"
#include "tests/support/storage_fixture.h"

enum { PLENTY_BYTES = 64 << 20, PLIES_LIMIT = 5000, SECOND_MS = 1000 };
static const int64_t first_ms = INT64_C(1700000000000);

struct club_view {
    struct snapshot *snapshot;
    struct club_view *next;
};

/* ---- opening and closing ------------------------------------------------------------------------------ */

static int64_t club_now_ms(void *context)
{
    struct club *club = context;
    return atomic_load(&club->now_ms);
}

static int64_t club_steady_ms(void *context)
{
    struct club *club = context;
    return atomic_load(&club->steady_ms);
}

static void open_store(struct club *club, struct storage *(*wrap)(struct storage *storage))
{
    const struct storage_options options = {.synchronous_normal = true};
    char error[STORAGE_ERROR_SIZE];
    if (storage_open(club->url, &options, &club->storage, error) != STORAGE_OPENED)
        fail_msg("%s", error);
    club->front = wrap ? wrap(club->storage) : club->storage;
    assert_non_null(club->front);
}

static struct games *games_over(struct club *club, struct storage *storage)
{
    struct games_settings settings = games_settings_usual(club->memory_bytes);
    settings.plies_limit = club->plies_limit;
    if (club->events_catchup)
        settings.events_catchup = club->events_catchup;
    if (club->events_backlog)
        settings.events_backlog = club->events_backlog;
    if (club->events_bytes)
        settings.events_bytes = club->events_bytes;
    settings.now_ms = club_now_ms;
    settings.steady_ms = club_steady_ms;
    settings.now_context = club;
    struct games *games = games_create(storage, &settings);
    assert_non_null(games);
    return games;
}

static void open_games(struct club *club)
{
    club->games = games_over(club, club->front);
}

struct games *club_rival(struct club *club)
{
    return games_over(club, club->storage);
}

struct club *club_open(const struct club_options *options)
{
    static const struct club_options usual;
    options = options ? options : &usual;
    struct club *club = calloc(1, sizeof *club);
    assert_non_null(club);
    assert_int_equal(pthread_mutex_init(&club->mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&club->changed, NULL), 0);
    atomic_store(&club->now_ms, first_ms);
    club->memory_bytes = options->memory_bytes ? options->memory_bytes : PLENTY_BYTES;
    club->plies_limit = options->plies_limit ? options->plies_limit : PLIES_LIMIT;
    club->events_catchup = options->events_catchup;
    club->events_backlog = options->events_backlog;
    club->events_bytes = options->events_bytes;
    club->folder = fixture_make_folder();
    assert_true(asprintf(&club->url, "sqlite:%s/games.db", club->folder) > 0);
    open_store(club, options->wrap);
    open_games(club);
    return club;
}

static void free_deeds(struct club *club)
{
    while (club->deeds) {
        struct deed *deed = club->deeds;
        club->deeds = deed->next;
        deed_destroy(deed);
    }
    while (club->views) {
        struct club_view *view = club->views;
        club->views = view->next;
        snapshot_free(view->snapshot);
        free(view);
    }
    club->last = NULL;
}

void club_close(struct club *club)
{
    games_destroy(club->games);
    storage_close(club->front); /* a wrapping closes what it wraps */
    free_deeds(club);
    fixture_remove_folder(club->folder);
    (void)pthread_cond_destroy(&club->changed);
    (void)pthread_mutex_destroy(&club->mutex);
    free(club->url);
    free(club);
}

int club_setup(void **state)
{
    *state = club_open(NULL);
    return 0;
}

int club_teardown(void **state)
{
    club_close(*state);
    return 0;
}

void club_forget(struct club *club)
{
    games_destroy(club->games);
    open_games(club);
}

void club_reopen(struct club *club)
{
    assert_ptr_equal(club->front, club->storage);
    games_destroy(club->games);
    storage_close(club->storage);
    open_store(club, NULL);
    open_games(club);
}

void club_advance(struct club *club, int64_t ms)
{
    atomic_fetch_add(&club->now_ms, ms);
    atomic_fetch_add(&club->steady_ms, ms);
}

int64_t club_tick(struct club *club, const char *id)
{
    int64_t next_ms = games_tick(club->games);
    struct deed *deed = deed_create(club, ACTION_ABANDON, id);
    assert_non_null(deed);
    deed->action.caller.is_operator = true;
    (void)deed_start(deed);
    (void)deed_await(deed);
    deed_destroy(deed);
    return next_ms;
}

/* ---- deeds -------------------------------------------------------------------------------------------- */

static void on_suspend(struct action *action)
{
    struct deed *deed = action->owner;
    deed->suspended++;
}

static void on_render(struct action *action, const struct game *game)
{
    struct deed *deed = action->owner;
    deed->rendered++;
    deed->shown = action->outcome;
    snapshot_free(deed->picture);
    deed->picture = game ? snapshot_take(game) : NULL;
}

static void on_done(struct action *action)
{
    struct deed *deed = action->owner;
    struct club *club = deed->club;
    (void)pthread_mutex_lock(&club->mutex);
    deed->over++;
    (void)pthread_cond_broadcast(&club->changed);
    (void)pthread_mutex_unlock(&club->mutex);
}

struct deed *deed_create(struct club *club, enum action_kind kind, const char *id)
{
    struct deed *deed = calloc(1, sizeof *deed);
    if (!deed)
        return NULL;
    action_init(&deed->action, kind);
    if (id)
        memcpy(deed->action.id, id, strnlen(id, GAME_ID_LENGTH));
    deed->club = club;
    deed->action.may_block = true;
    deed->action.owner = deed;
    deed->action.suspend = on_suspend;
    deed->action.render = on_render;
    deed->action.done = on_done;
    if (kind == ACTION_CREATE)
        deed->action.create.rules = game_rules_default(PROFILE_FIDE);
    return deed;
}

void deed_destroy(struct deed *deed)
{
    if (!deed)
        return;
    action_finish(&deed->action);
    snapshot_free(deed->picture);
    free(deed->words);
    free(deed->inputs);
    free(deed);
}

void deed_set_moves(struct deed *deed, const char *text)
{
    free(deed->words);
    free(deed->inputs);
    deed->words = strdup(text);
    deed->inputs = calloc(strlen(text) / 2 + 1, sizeof *deed->inputs);
    deed->input_count = 0;
    if (!deed->words || !deed->inputs)
        abort();
    char *rest = NULL;
    for (char *word = strtok_r(deed->words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        deed->inputs[deed->input_count++] = (struct move_input){.text = word, .length = strlen(word)};
    struct action *action = &deed->action;
    if (action->kind == ACTION_CREATE) {
        action->create.moves = deed->inputs;
        action->create.move_count = deed->input_count;
    } else if (action->kind == ACTION_CLAIM) {
        action->claim.move = deed->input_count ? deed->inputs : NULL;
    } else {
        action->move.moves = deed->inputs;
        action->move.count = deed->input_count;
    }
}

void deed_if_version(struct deed *deed, uint32_t version)
{
    deed->action.if_given = true;
    assert_true(deed->action.if_count < sizeof deed->if_versions / sizeof deed->if_versions[0]);
    deed->if_versions[deed->action.if_count++] = version;
    deed->action.if_versions = deed->if_versions;
}

enum games_status deed_start(struct deed *deed)
{
    atomic_fetch_add(&deed->club->now_ms, SECOND_MS);
    enum games_status status = games_act(deed->club->games, &deed->action);
    deed->status = status;
    return status;
}

enum action_outcome deed_await(struct deed *deed)
{
    struct club *club = deed->club;
    if (deed->status != GAMES_PENDING)
        return deed->status == GAMES_OK ? deed->action.outcome : ACTION_OUTCOME_COUNT;
    (void)pthread_mutex_lock(&club->mutex);
    while (!deed->over)
        (void)pthread_cond_wait(&club->changed, &club->mutex);
    (void)pthread_mutex_unlock(&club->mutex);
    return deed->action.outcome;
}

bool deed_is_over(struct deed *deed)
{
    (void)pthread_mutex_lock(&deed->club->mutex);
    bool over = deed->over > 0;
    (void)pthread_mutex_unlock(&deed->club->mutex);
    return over;
}

struct deed *club_deed(struct club *club, enum action_kind kind, const char *id)
{
    struct deed *deed = deed_create(club, kind, id);
    assert_non_null(deed);
    deed->next = club->deeds;
    club->deeds = deed;
    return deed;
}

/* ---- looking ------------------------------------------------------------------------------------------ */

static void take_view(void *context, const struct game *game)
{
    *(struct snapshot **)context = snapshot_take(game);
}

struct snapshot *club_live(struct club *club, const char *id)
{
    struct snapshot *snapshot = NULL;
    (void)games_view(club->games, id, true, take_view, &snapshot);
    return snapshot;
}

static bool says_the_same(const struct game *game, const struct snapshot *snapshot)
{
    struct snapshot *other = snapshot_take(game);
    bool same = !snapshot_difference(other, snapshot);
    snapshot_free(other);
    return same;
}

/* Every game that is folded goes to rest and wakes; one that has changed by it is none. */
static bool is_same_at_rest(struct live **live, const struct snapshot *snapshot)
{
    struct rest *rest = rest_create(*live);
    if (!rest)
        return false;
    live_leave(*live);
    struct game view = rest_view(rest);
    bool same = says_the_same(&view, snapshot);
    *live = rest_wake(rest);
    if (*live)
        return same && says_the_same(&(*live)->game, snapshot);
    rest_destroy(rest);
    return false;
}

struct snapshot *club_stored(struct club *club, const char *id)
{
    struct live *live = NULL;
    if (fold_load(club->storage, id, NULL, &live) != GAMES_OK)
        return NULL;
    struct snapshot *snapshot = snapshot_take(&live->game);
    if (!is_same_at_rest(&live, snapshot)) {
        snapshot_free(snapshot);
        snapshot = NULL;
    }
    live_destroy(live);
    return snapshot;
}

static void ignore_view(void *context, const struct game *game)
{
    (void)context;
    (void)game;
}

enum games_status club_look(struct club *club, const char *id, bool may_block)
{
    return games_view(club->games, id, may_block, ignore_view, NULL);
}

const struct game *club_view(struct club *club, const char *id)
{
    struct club_view *view = calloc(1, sizeof *view);
    assert_non_null(view);
    view->snapshot = club_live(club, id);
    view->next = club->views;
    club->views = view;
    if (!view->snapshot)
        fail_msg("there is no game %s", id);
    return &view->snapshot->game;
}

struct games_counters club_counters(struct club *club)
{
    struct games_counters counters;
    games_counters(club->games, &counters);
    return counters;
}

/* ---- the laws of every action ------------------------------------------------------------------------- */

static void expect_same(const struct snapshot *a, const struct snapshot *b, const char *what)
{
    const char *difference = snapshot_difference(a, b);
    if (difference)
        fail_msg("%s: %s differs", what, difference);
}

static void check_callbacks(const struct deed *deed, enum action_outcome outcome)
{
    bool pending = deed->status == GAMES_PENDING;
    assert_int_equal(deed->suspended, pending);
    assert_int_equal(deed->over, pending);
    if (outcome == ACTION_OUTCOME_COUNT)
        assert_int_equal(deed->rendered, 0);
    if (outcome >= ACTION_GONE)
        return;
    assert_int_equal(deed->rendered, 1);
    assert_int_equal(deed->shown, outcome);
}

static void check_unchanged(const struct deed *deed, const struct snapshot *before,
                            const struct snapshot *after)
{
    /* A flag or an abandonment comes before the action, and is a version of its own. */
    if (!before || judge_overdue_before(&before->game, &deed->action) == ACTION_KIND_COUNT) {
        expect_same(before, after, "an action that was not done has changed the game");
        return;
    }
    assert_int_equal(after->game.head.version, before->game.head.version + 1);
    assert_int_not_equal(after->game.head.status, GAME_ACTIVE);
}

static void check_effect(const struct deed *deed, struct snapshot *before, struct snapshot *after,
                         enum action_outcome outcome)
{
    enum action_kind kind = deed->action.kind;
    if (outcome != ACTION_DONE || deed->action.validate_only) {
        check_unchanged(deed, before, after);
        return;
    }
    assert_int_equal(deed->status, GAMES_PENDING);
    if (kind == ACTION_DELETE) {
        assert_null(after);
        assert_null(deed->picture);
        return;
    }
    if (kind == ACTION_CREATE)
        deed->picture->game.key = after->game.key; /* the store gives it */
    expect_same(deed->picture, after, "what was rendered is not what was stored");
}

static void check_game(struct club *club, const char *id, const struct snapshot *stored)
{
    struct snapshot *live = club_live(club, id);
    expect_same(live, stored, "the game in memory is not the game of the log");
    snapshot_free(live);
    char text[CHECK_TEXT_SIZE];
    if (stored && check_finds_fault(club->storage, stored, text))
        fail_msg("%s", text);
}

void club_check(struct club *club, const char *id)
{
    struct snapshot *stored = club_stored(club, id);
    check_game(club, id, stored);
    snapshot_free(stored);
}

enum action_outcome club_do(struct club *club, struct deed *deed)
{
    bool create = deed->action.kind == ACTION_CREATE;
    struct snapshot *before = create || club->unchecked ? NULL : club_stored(club, deed->action.id);
    club->last = deed;
    (void)deed_start(deed);
    enum action_outcome outcome = deed_await(deed);
    check_callbacks(deed, outcome);
    if (!club->unchecked) {
        struct snapshot *after = club_stored(club, deed->action.id);
        check_effect(deed, before, after, outcome);
        check_game(club, deed->action.id, after);
        snapshot_free(after);
    }
    snapshot_free(before);
    return outcome;
}
