/* watcher: somebody who watches a game of a club and writes down what is told. */
#pragma once

#include "games/events.h"
#include "tests/support/games_club.h"

/* Renders all that an event and its game say, but for names and metadata, and the id of the store. To be called for each
 * registry of the club; events are not rendered while `fails`. */
void watcher_prepare(struct club *club);
extern atomic_bool watcher_rendering_fails;

struct watcher {
    struct subscriber subscriber;
    struct club *club;
    enum games_status status; /* of the subscription */
    struct event_text **told;
    size_t count, room;
    unsigned clocks_told; /* that have no row; not among those */
    bool cut;
    atomic_uint pokes;
};

/* Begins to watch, from the start or behind a version. */
struct watcher *watcher_begin(struct club *club, const char *id);
struct watcher *watcher_resume(struct club *club, const char *id, uint32_t cursor);
/* A watcher that has not begun, to be filled. */
struct watcher *watcher_create(struct club *club, const char *id);
void watcher_start(struct watcher *watcher);
/* Writes down what there is now. */
void watcher_take(struct watcher *watcher);
/* Takes what there is and leaves; what was told stays. */
void watcher_stop(struct watcher *watcher);
/* Stops where it has not been stopped. */
void watcher_destroy(struct watcher *watcher);

/* The n-th that was told. */
const struct event_text *watcher_told(const struct watcher *watcher, size_t n);
/* Its text, NUL-terminated; the watcher's until the next call. */
const char *watcher_text(const struct watcher *watcher, size_t n);

/* A club whose games may be watched, as the state of a cmocka test. */
int watcher_set_up(void **state);
/* The n-th that was told is this one; its text has this part. */
void watcher_expect(const struct watcher *watcher, size_t n, enum event_kind kind, uint32_t version);
void watcher_expect_text(const struct watcher *watcher, size_t n, const char *part);
