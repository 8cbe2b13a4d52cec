/* club: the games of a test, over a store in a folder of its own, with a clock that the test moves.
 *
 *     struct club *club = club_open(NULL);
 *     const char *id = club_create(club);
 *     assert_int_equal(club_move(club, id, "e4"), ACTION_DONE);
 *     … club_view(club, id)->head.ply …
 *     club_close(club);
 *
 * A deed is an action with all that it points to. The short calls do a deed and wait for it; then they hold
 * it against the laws that every action obeys: what was rendered is what is published and what the log says,
 * and what was refused has changed nothing. Deeds and views belong to the club and live until it closes; the
 * last deed is club->last. Fails the running test where something cannot be done. Threads: the functions
 * marked so may be called from any; the others are for the test's own thread. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>

#include "tests/support/games_snapshot.h"

struct club {
    char *folder, *url;
    struct storage *storage; /* the file */
    struct storage *front;   /* what the games see: the same, or a wrapping of it */
    struct games *games;
    size_t memory_bytes;
    uint32_t plies_limit;
    _Atomic int64_t now_ms;    /* the wall clock: one second later with every deed */
    _Atomic int64_t steady_ms; /* the clock that counts; only club_advance moves it */
    uint32_t events_catchup, events_backlog;
    size_t events_bytes;
    bool unchecked; /* leaves the laws out */
    struct deed *last;
    /* Private. */
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct deed *deeds;
    struct club_view *views;
};

struct club_options {
    size_t memory_bytes;  /* 0: plenty */
    uint32_t plies_limit; /* 0: 5,000 */
    /* As games_settings has them; 0: the usual. */
    uint32_t events_catchup, events_backlog;
    size_t events_bytes;
    /* Puts something between the games and the file; NULL: nothing. */
    struct storage *(*wrap)(struct storage *storage);
};

/* `options` may be NULL. */
struct club *club_open(const struct club_options *options);
void club_close(struct club *club);
/* The usual club as the state of a cmocka test: CLUB_TEST(name_of_the_test). */
int club_setup(void **state);
int club_teardown(void **state);
#define CLUB_TEST(test) cmocka_unit_test_setup_teardown(test, club_setup, club_teardown)
/* The games forget everything: a new registry over the same store. */
void club_forget(struct club *club);
/* The same, and the file is closed and opened again. Not where the store is wrapped. */
void club_reopen(struct club *club);

/* Both clocks go on. */
void club_advance(struct club *club, int64_t ms);
/* games_tick, and waits until what it began for the game is over. Returns what games_tick did. */
int64_t club_tick(struct club *club, const char *id);

struct deed {
    struct action action;
    struct club *club;
    enum games_status status;  /* of games_act */
    enum action_outcome shown; /* the outcome when it was rendered */
    struct snapshot *picture;  /* the game as it was rendered; NULL: not rendered, or no game */
    char *words;
    struct move_input *inputs; /* of the moves, for notation, style and comment */
    size_t input_count;
    uint32_t if_versions[8];
    unsigned suspended, rendered, over; /* how often each callback came; `over` guarded by the club's mutex */
    struct deed *next;
};

/* A deed of the club, with may_block set. `id` is NULL for a create. */
struct deed *club_deed(struct club *club, enum action_kind kind, const char *id);
/* The same, the caller's own: for threads. */
struct deed *deed_create(struct club *club, enum action_kind kind, const char *id);
void deed_destroy(struct deed *deed);
/* The words of `text`, parted by blanks, as the moves of a create, a move or a claim. */
void deed_set_moves(struct deed *deed, const char *text);
/* The version must be this one. */
void deed_if_version(struct deed *deed, uint32_t version);
/* From any thread: begins, returns what games_act did. */
enum games_status deed_start(struct deed *deed);
/* From any thread: waits for `done` where it has to come. ACTION_OUTCOME_COUNT where nothing was decided. */
enum action_outcome deed_await(struct deed *deed);
/* `done` has come. */
bool deed_is_over(struct deed *deed);

/* Holds the game as it is in memory against the log and the laws. */
void club_check(struct club *club, const char *id);
/* Begins, waits, and checks the laws. */
enum action_outcome club_do(struct club *club, struct deed *deed);

/* Short calls (games_calls.c). The creating ones return the id. */
const char *club_create(struct club *club);
const char *club_create_fen(struct club *club, const char *fen);
const char *club_create_profile(struct club *club, const char *fen, enum game_profile profile);
/* `fen` and `moves` may be NULL. */
const char *club_create_rules(struct club *club, const char *fen, const struct game_rules *rules,
                              const char *moves);
enum action_outcome club_move(struct club *club, const char *id, const char *moves);
enum action_outcome club_move_at(struct club *club, const char *id, uint32_t ply, const char *moves);
enum action_outcome club_comment(struct club *club, const char *id, const char *text, const char *comment);
enum action_outcome club_undo(struct club *club, const char *id, uint32_t plies);
enum action_outcome club_claim(struct club *club, const char *id, enum claim_reason reason, const char *text);
enum action_outcome club_resign(struct club *club, const char *id, enum game_seat seat);
enum action_outcome club_abort(struct club *club, const char *id);
enum action_outcome club_update(struct club *club, const char *id, const struct action_update *update);
/* By an operator. */
enum action_outcome club_delete(struct club *club, const char *id);
/* A timed game; `control` as people write it, `fen` and `rules` may be NULL. */
const char *club_create_timed(struct club *club, const char *control, const char *fen,
                              const struct game_rules *rules);
const char *club_create_control(struct club *club, const struct time_control *control, const char *fen,
                                const struct game_rules *rules);
/* An action that needs nothing but the side, which may be SEAT_NONE. */
enum action_outcome club_seat(struct club *club, enum action_kind kind, const char *id, enum game_seat seat);
/* `to_ply` CLUB_LAST_MOVE: to before the last move of that side. */
#define CLUB_LAST_MOVE UINT32_MAX
enum action_outcome club_takeback(struct club *club, const char *id, enum game_seat seat, uint32_t to_ply);
enum action_outcome club_adjudicate(struct club *club, const char *id, enum game_result result,
                                    const char *comment);
enum action_outcome club_flag(struct club *club, const char *id);
enum action_outcome club_add_time(struct club *club, const char *id, enum game_seat seat, int64_t ms);
/* A move with a draw offer. */
enum action_outcome club_move_offering(struct club *club, const char *id, const char *text);
/* Plays what must be possible, in as many actions as there are words. */
void club_play(struct club *club, const char *id, const char *moves);

/* The game as it is, through games_view; it must be there. Valid until the club closes. */
const struct game *club_view(struct club *club, const char *id);
/* How games_view answers; may_block as given. */
enum games_status club_look(struct club *club, const char *id, bool may_block);
/* The game as games_view and as the log have it; NULL where it is not there. The caller's. Any thread. */
struct snapshot *club_live(struct club *club, const char *id);
struct snapshot *club_stored(struct club *club, const char *id);
/* Another daemon over the same file, with the club's clock; for games_destroy. */
struct games *club_rival(struct club *club);
struct games_counters club_counters(struct club *club);
