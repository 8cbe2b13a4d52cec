/* Events of random games: what is told at once is what the log tells later, however often the watcher comes and goes; and
 * the same while others act. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/games/random_actions.h"
#include "tests/games/watcher.h"

enum { ACTIONS_A_GAME = 40 };

static uint64_t seed;

/* How often each kind was told; printed, so that a generator that has become lame shows. */
static unsigned told_kinds[EVENT_KIND_COUNT];

/* ---- random games ------------------------------------------------------------------------------------- */

static bool create_game(struct random *random, struct club *club, char id[GAME_ID_SIZE])
{
    struct random_start start;
    struct deed *create = deed_create(club, ACTION_CREATE, NULL);
    assert_non_null(create);
    random_create(random, create, &start);
    bool created = club_do(club, create) == ACTION_DONE;
    memcpy(id, create->action.id, GAME_ID_SIZE);
    deed_destroy(create);
    return created;
}

/* False: the game is gone. */
static bool act_once(struct random *random, struct club *club, const char *id)
{
    struct snapshot *before = club_live(club, id);
    if (!before)
        return false;
    if (random_chance(random, 40))
        club_advance(club, random_below(random, 2000));
    if (random_chance(random, 5))
        (void)club_tick(club, id);
    struct deed *deed = deed_create(club, random_kind(random, true), id);
    assert_non_null(deed);
    random_fill(random, deed, &before->game);
    (void)club_do(club, deed);
    deed_destroy(deed);
    snapshot_free(before);
    return true;
}

/* What a client has been told over all its streams. */
struct story {
    struct event_text **texts;
    size_t count;
    bool deleted;
};

static void story_add(struct story *story, struct watcher *watcher)
{
    story->texts =
        realloc((void *)story->texts, (story->count + watcher->count + 1) * sizeof(struct event_text *));
    assert_non_null(story->texts);
    for (size_t i = 0; i < watcher->count; i++) {
        struct event_text *text = watcher->told[i];
        told_kinds[text->kind]++;
        story->deleted = story->deleted || text->kind == EVENT_GAME_DELETED;
        story->texts[story->count++] = text;
    }
    watcher->count = 0; /* the story has them now */
}

static uint32_t story_cursor(const struct story *story)
{
    uint32_t version = 0;
    for (size_t i = 0; i < story->count; i++)
        if (story->texts[i]->version)
            version = story->texts[i]->version;
    return version;
}

static void story_free(struct story *story)
{
    for (size_t i = 0; i < story->count; i++)
        event_text_release(story->texts[i]);
    free((void *)story->texts);
}

static void expect_same_text(const struct event_text *live, const struct event_text *logged)
{
    if (live->kind == logged->kind && live->version == logged->version && live->ends == logged->ends &&
        live->length == logged->length && memcmp(live->json, logged->json, live->length) == 0)
        return;
    fail_msg("told at once:\n%.*s\nfrom the log:\n%.*s", (int)live->length, live->json, (int)logged->length,
             logged->json);
}

/* A story that began with the snapshot of version `first` is the log behind it. */
static void expect_the_log(struct club *club, const char *id, const struct story *story)
{
    struct watcher *log = watcher_resume(club, id, 0);
    assert_int_equal(log->status, GAMES_OK);
    watcher_stop(log);
    uint32_t first = story->texts[0]->version;
    assert_int_equal(story->texts[0]->kind, EVENT_SNAPSHOT);
    assert_int_equal(story->count, log->count - first + 1);
    for (size_t i = 1; i < story->count; i++)
        expect_same_text(story->texts[i], watcher_told(log, first - 1 + i));
    watcher_destroy(log);
}

static void play_one(struct random *random, struct club *club)
{
    char id[GAME_ID_SIZE];
    if (!create_game(random, club, id))
        return;
    struct story story = {0};
    struct watcher *watcher = watcher_begin(club, id);
    bool there = true;
    for (int i = 0; i < ACTIONS_A_GAME && there; i++) {
        there = act_once(random, club, id);
        if (random_chance(random, 50))
            watcher_take(watcher);
        if (!there || !random_chance(random, 15))
            continue;
        watcher_stop(watcher); /* it comes back behind what it was told, now or later */
        story_add(&story, watcher);
        watcher_destroy(watcher);
        if (random_chance(random, 50))
            there = act_once(random, club, id);
        watcher = watcher_resume(club, id, story_cursor(&story));
    }
    watcher_stop(watcher);
    story_add(&story, watcher);
    watcher_destroy(watcher);
    struct snapshot *left = club_live(club, id);
    if (left)
        expect_the_log(club, id, &story);
    snapshot_free(left);
    story_free(&story);
}

static void what_is_told_at_once_is_what_the_log_tells(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.plies_limit = 30});
    club->unchecked = true;
    watcher_prepare(club);
    for (unsigned i = 0; i < random_work(300); i++) {
        struct random random = random_begin(seed, i);
        play_one(&random, club);
    }
    for (int i = 0; i < EVENT_KIND_COUNT; i++)
        printf("%s: %u\n", event_kind_name((enum event_kind)i), told_kinds[i]);
    club_close(club);
}

/* ---- races -------------------------------------------------------------------------------------------- */

enum { READERS = 6, ACTIONS = 400 };

struct reader {
    struct club *club;
    const char *id;
    uint64_t stream;
    pthread_t thread;
    atomic_bool *over;
    uint32_t cursor;
    size_t faults, streams;
};

/* Each version once, in order. */
static void note(struct reader *reader, const struct event_text *text)
{
    if (text->version)
        reader->faults += text->version != reader->cursor + 1;
    if (text->version)
        reader->cursor = text->version;
}

static void read_for_a_while(struct reader *reader, struct random *random)
{
    struct watcher *watcher = watcher_resume(reader->club, reader->id, reader->cursor);
    unsigned rounds = random_below(random, 20);
    reader->faults += watcher->status != GAMES_OK;
    for (unsigned i = 0; i < rounds && watcher->status == GAMES_OK; i++) {
        watcher_take(watcher);
        (void)sched_yield();
    }
    watcher_stop(watcher);
    for (size_t i = 0; i < watcher->count; i++)
        note(reader, watcher->told[i]);
    watcher_destroy(watcher);
    reader->streams++;
}

static void *read_all(void *argument)
{
    struct reader *reader = argument;
    struct random random = random_begin(seed, reader->stream);
    while (!atomic_load(reader->over))
        read_for_a_while(reader, &random);
    read_for_a_while(reader, &random); /* what came last */
    return NULL;
}

/* Knights go out and come back, moves are taken back, names change. */
static void act(struct club *club, const char *id, unsigned n)
{
    static const char *const moves[] = {"Nf3", "Nf6", "Ng1 Ng8", "Nc3 Nc6 Nb1", "Nb8"};
    char name[16];
    (void)snprintf(name, sizeof name, "Anna %u", n);
    struct action_update update = {.sets_white = true, .texts.white_name = name};
    if (n % 7 == 6)
        assert_int_equal(club_update(club, id, &update), ACTION_DONE);
    assert_int_equal(club_move(club, id, moves[n % 5]), ACTION_DONE);
    if (n % 5 == 4)
        assert_int_equal(club_undo(club, id, 8), ACTION_DONE);
}

static void readers_that_come_and_go_miss_nothing_while_others_act(void **state)
{
    (void)state;
    struct club *club = club_open(NULL);
    club->unchecked = true;
    watcher_prepare(club);
    const char *id = club_create(club);
    atomic_bool over = false;
    struct reader readers[READERS];
    for (unsigned i = 0; i < READERS; i++) {
        readers[i] = (struct reader){.club = club, .id = id, .stream = i, .over = &over};
        assert_int_equal(pthread_create(&readers[i].thread, NULL, read_all, &readers[i]), 0);
    }
    for (unsigned n = 0; n < random_work(ACTIONS); n++)
        act(club, id, n);
    atomic_store(&over, true);
    uint32_t version = club_view(club, id)->head.version;
    for (unsigned i = 0; i < READERS; i++) {
        pthread_join(readers[i].thread, NULL);
        assert_int_equal(readers[i].faults, 0);
        assert_int_equal(readers[i].cursor, version);
        printf("reader %u: %u events over %zu streams\n", i, readers[i].cursor, readers[i].streams);
    }
    club_close(club);
}

int main(void)
{
    seed = chance_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_told_at_once_is_what_the_log_tells),
        cmocka_unit_test(readers_that_come_and_go_miss_nothing_while_others_act),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
