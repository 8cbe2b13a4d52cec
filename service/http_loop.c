#include "service/http_loop.h"

#include <limits.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "service/http_exchange.h"

/* ---- from other threads ---- */

/* Gives the lock back before it signals: the thread that wakes asks for it at once. The descriptor stays until that is
 * done. */
static void unlock_and_rouse(struct http_loop *loop)
{
    bool rouses = loop->sleeping;
    loop->sleeping = false;
    loop->rousing += rouses;
    pthread_mutex_unlock(&loop->lock);
    if (!rouses)
        return;
    (void)eventfd_write(loop->signal, 1);
    pthread_mutex_lock(&loop->lock);
    loop->rousing--;
    pthread_cond_broadcast(&loop->changed);
    pthread_mutex_unlock(&loop->lock);
}

void http_loop_resume(struct http_exchange *exchange)
{
    struct http_loop *loop = exchange->loop;
    pthread_mutex_lock(&loop->lock);
    exchange->next_woken = loop->woken;
    loop->woken = exchange;
    unlock_and_rouse(loop);
}

void http_loop_quiesce(struct http_loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    loop->quiescing = true;
    unlock_and_rouse(loop);
    pthread_mutex_lock(&loop->lock);
    while (loop->quiescing)
        pthread_cond_wait(&loop->changed, &loop->lock);
    pthread_mutex_unlock(&loop->lock);
}

static void release(struct http_loop *loop)
{
    pthread_cond_destroy(&loop->changed);
    pthread_mutex_destroy(&loop->lock);
    (void)close(loop->signal);
}

void http_loop_stop(struct http_loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    loop->stopping = true;
    unlock_and_rouse(loop);
    pthread_join(loop->thread, NULL);
    pthread_mutex_lock(&loop->lock);
    while (loop->rousing)
        pthread_cond_wait(&loop->changed, &loop->lock);
    pthread_mutex_unlock(&loop->lock);
    release(loop);
}

/* ---- the thread ---- */

/* False: the thread is to end. */
static bool do_what_is_asked(struct http_loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    struct http_exchange *exchange = loop->woken;
    loop->woken = NULL;
    if (loop->quiescing) {
        (void)MHD_quiesce_daemon(loop->mhd);
        loop->quiescing = false;
        pthread_cond_broadcast(&loop->changed);
    }
    bool goes_on = !loop->stopping;
    pthread_mutex_unlock(&loop->lock);
    while (exchange) {
        struct http_exchange *next = exchange->next_woken;
        MHD_resume_connection(exchange->mhd);
        exchange = next;
    }
    return goes_on;
}

enum {
    IDLE_ROUNDS = 16, /* reading, writing and ending a request take fewer */
    IDLE_MS = 5
};

static int rest_ms(struct http_loop *loop)
{
    loop->idle_rounds = loop->has_worked ? 0 : loop->idle_rounds + 1;
    loop->has_worked = false;
    return loop->idle_rounds < IDLE_ROUNDS ? 0 : IDLE_MS;
}

/* Milliseconds until the library has something to do by itself; -1: not before an event. */
static int patience_ms(struct http_loop *loop)
{
    MHD_UNSIGNED_LONG_LONG ms = 0;
    if (MHD_get_timeout(loop->mhd, &ms) != MHD_YES)
        return -1;
    if (ms == 0)
        return rest_ms(loop);
    return ms > INT_MAX ? INT_MAX : (int)ms;
}

/* False: something is asked of it already. */
static bool fall_asleep(struct http_loop *loop)
{
    pthread_mutex_lock(&loop->lock);
    loop->sleeping = !loop->woken && !loop->quiescing && !loop->stopping;
    bool sleeping = loop->sleeping;
    pthread_mutex_unlock(&loop->lock);
    return sleeping;
}

static void wake_up(struct http_loop *loop)
{
    eventfd_t count;
    pthread_mutex_lock(&loop->lock);
    bool roused = !loop->sleeping;
    loop->sleeping = false;
    pthread_mutex_unlock(&loop->lock);
    if (roused)
        (void)eventfd_read(loop->signal, &count);
}

static void wait_for_work(struct http_loop *loop, int events)
{
    struct pollfd sources[] = {{.fd = events, .events = POLLIN}, {.fd = loop->signal, .events = POLLIN}};
    int ms = patience_ms(loop);
    if (ms == 0 || !fall_asleep(loop))
        return;
    (void)poll(sources, 2, ms);
    wake_up(loop);
}

static void *run(void *argument)
{
    struct http_loop *loop = argument;
    int events = MHD_get_daemon_info(loop->mhd, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
    while (do_what_is_asked(loop)) {
        (void)MHD_run(loop->mhd);
        wait_for_work(loop, events);
    }
    return NULL;
}

bool http_loop_start(struct http_loop *loop)
{
    loop->signal = eventfd(0, EFD_CLOEXEC);
    if (loop->signal < 0)
        return false;
    pthread_mutex_init(&loop->lock, NULL);
    pthread_cond_init(&loop->changed, NULL);
    if (pthread_create(&loop->thread, NULL, run, loop) == 0)
        return true;
    release(loop);
    return false;
}
