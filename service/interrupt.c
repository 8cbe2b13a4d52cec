#include "service/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t number_noted;

static sigset_t our_signals(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

/* The first time from ppoll, where alone the signals are let in. */
static void note(int number)
{
    if (number_noted)
        _exit(128 + number);
    number_noted = number;
}

void interrupt_begin(void)
{
    const struct sigaction noting = {.sa_handler = note};
    const struct sigaction ignoring = {.sa_handler = SIG_IGN};
    sigset_t set = our_signals();
    sigaddset(&set, SIGUSR1);
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    (void)sigaction(SIGINT, &noting, NULL);
    (void)sigaction(SIGTERM, &noting, NULL);
    (void)sigaction(SIGPIPE, &ignoring, NULL);
}

int interrupt_signal(void)
{
    return number_noted;
}

bool interrupt_await(int fd)
{
    static const struct timespec at_once = {0};
    const sigset_t ours = our_signals();
    struct pollfd wanted = {.fd = fd, .events = POLLIN};
    sigset_t let_in;
    (void)pthread_sigmask(SIG_SETMASK, NULL, &let_in);
    sigdelset(&let_in, SIGINT);
    sigdelset(&let_in, SIGTERM);
    /* ppoll lets no signal in where the file is ready. */
    int pending = number_noted == 0 ? sigtimedwait(&ours, NULL, &at_once) : 0;
    if (pending > 0)
        number_noted = pending;
    if (number_noted == 0 && fd >= 0)
        (void)ppoll(&wanted, 1, NULL, &let_in);
    if (number_noted == 0)
        return true;
    (void)pthread_sigmask(SIG_SETMASK, &let_in, NULL);
    return false;
}
