#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "games/events.h"
#include "service/commands/commands.h"
#include "service/daemon.h"
#include "service/log.h"
#include "service/monotonic.h"
#include "service/operators.h"
#include "service/settings.h"
#include "service/systemd.h"

static const char HELP[] =
    "Usage: arbiterd [serve] [OPTION...]\n"
    "\n"
    "Runs the service until SIGTERM or SIGINT. The first one lets requests end that have\n"
    "begun, a second one (100 ms later or more) ends at once. SIGHUP reads the operators'\n"
    "keys and the config file's log-level again. SIGUSR1 logs how much is open and in memory.\n"
    "\n"
    "Every option is also an environment variable (--idle-timeout: ARBITER_IDLE_TIMEOUT) and\n"
    "a line of the config file (idle-timeout = 30s). A flag counts more than a variable, a\n"
    "variable more than the file. An option that may be repeated is so as a flag and as a line;\n"
    "a variable has its values with commas between them. TIME: 500ms, 30s, 2m. SIZE: 64KiB, 256MiB.\n"
    "\n"
    "  --help                          This text.\n"
    "  --check-config                  Read all settings, start nothing, and end, as\n"
    "                                  `arbiterd config --check` does.\n"
    "  --dry-run                       The same, and open the store, which has to be there, to read.\n";

/* A signal that comes so soon after the first one is the same wish: timeout(1), a shell or a service manager
 * signals the process and its group too. */
enum { SAME_WISH_MS = 100 };

/* When the first signal had come. */
static _Atomic int64_t ending_since_ms;

/* From now on each of them ends the process, whatever it waits for. */
static void end_at_once(int number)
{
    if (monotonic_ms() - ending_since_ms >= SAME_WISH_MS)
        _exit(128 + number);
}

static sigset_t our_signals(void)
{
    static const int NUMBERS[] = {SIGTERM, SIGINT, SIGHUP, SIGUSR1};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++)
        sigaddset(&set, NUMBERS[i]);
    return set;
}

static void let_signals_end_us(void)
{
    const struct sigaction ending = {.sa_handler = end_at_once};
    const struct sigaction ignoring = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGTERM, &ending, NULL);
    (void)sigaction(SIGINT, &ending, NULL);
    (void)sigaction(SIGHUP, &ignoring, NULL);
    (void)sigaction(SIGUSR1, &ignoring, NULL);
    const sigset_t set = our_signals();
    ending_since_ms = monotonic_ms();
    (void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

/* What can change while the service runs. A file that is wrong changes nothing. */
static void reload(const struct daemon *daemon, char *const *arguments)
{
    const struct settings_switch none[] = {{.name = NULL}};
    struct options *options = NULL;
    if (settings_read("serve", arguments, none, &options) != EXIT_DONE) {
        log_event(daemon->log, LOG_LEVEL_ERROR, "the settings were not read again: they are wrong",
                  (char *)NULL);
        return;
    }
    char error[OPERATORS_ERROR_SIZE];
    log_set_level(daemon->log, (enum log_level)options_values(options)->log_level);
    if (operators_read(daemon->operators, options_values(options)->operator_keys, error)) {
        games_admit_again(daemon->games);
        log_event(daemon->log, LOG_LEVEL_INFO,
                  "log-level and operator-keys were read again; other settings need a restart", (char *)NULL);
    } else {
        log_event(daemon->log, LOG_LEVEL_ERROR, "the operators' keys were not read again: the old ones count",
                  "reason", error, (char *)NULL);
    }
    options_destroy(options);
}

static void feed_watchdog(const struct daemon *daemon)
{
    if (daemon_answers(daemon))
        (void)systemd_notify("WATCHDOG=1");
    else
        log_event(daemon->log, LOG_LEVEL_ERROR, "the service does not answer its own health request",
                  (char *)NULL);
}

/* The next signal that ends the service. */
static int wait_for_end(const struct daemon *daemon, char *const *arguments)
{
    const sigset_t set = our_signals();
    int64_t interval_ms = systemd_watchdog_ms();
    const struct timespec interval = {.tv_sec = (time_t)(interval_ms / 1000),
                                      .tv_nsec = (long)(interval_ms % 1000) * 1000000};
    for (;;) {
        int number = sigtimedwait(&set, NULL, interval_ms ? &interval : NULL);
        if (number == SIGHUP)
            reload(daemon, arguments);
        else if (number == SIGUSR1)
            daemon_tell_state(daemon);
        else if (number > 0)
            return number;
        else if (errno == EAGAIN)
            feed_watchdog(daemon);
    }
}

static void announce(const struct daemon *daemon)
{
    for (size_t i = 0; i < daemon->listener_count; i++)
        (void)fprintf(stderr, "listening on %s\n", daemon->listeners[i].url);
    log_event(daemon->log, LOG_LEVEL_INFO, "ready", "version", ARBITER_VERSION, (char *)NULL);
    char state[LISTENER_URL_SIZE + 32];
    (void)snprintf(state, sizeof state, "READY=1\nSTATUS=Serving %s", daemon->listeners[0].url);
    (void)systemd_notify(state);
}

/* Those that are near no setting are probably not meant for us. */
static void warn_of_variables(const struct daemon *daemon)
{
    char error[OPTIONS_ERROR_SIZE];
    bool is_near = false;
    for (char *const *at = environ; (at = options_unknown_variable(at, &is_near, error)) != NULL; at++)
        if (is_near)
            log_event(daemon->log, LOG_LEVEL_WARN, "a variable is no setting and was not read", "reason",
                      error, (char *)NULL);
}

static void serve_until_signal(const struct daemon *daemon, char *const *arguments)
{
    warn_of_variables(daemon);
    announce(daemon);
    int number = wait_for_end(daemon, arguments);
    let_signals_end_us();
    (void)systemd_notify("STOPPING=1\nSTATUS=Waiting for requests that have begun");
    log_event(daemon->log, LOG_LEVEL_INFO, "draining", "signal", strsignal(number), (char *)NULL);
}

/* Somebody may still wake such a request: its memory may not be freed. Nothing acknowledged is lost. */
static void leave_unanswered(const struct daemon *daemon)
{
    log_event(daemon->log, LOG_LEVEL_ERROR, "ended with requests that nobody has answered", (char *)NULL);
    log_destroy(daemon->log);
    _exit(EXIT_FAILED);
}

static enum exit_code run(const struct options *options, char *const *arguments)
{
    struct daemon daemon;
    enum exit_code code = daemon_start(&daemon, options);
    if (code == EXIT_DONE)
        serve_until_signal(&daemon, arguments);
    else
        let_signals_end_us();
    if (!daemon_drain(&daemon))
        leave_unanswered(&daemon);
    if (code == EXIT_DONE)
        log_event(daemon.log, LOG_LEVEL_INFO, "stopped", (char *)NULL);
    daemon_finish(&daemon);
    return code;
}

static void set_signals(void)
{
    const sigset_t set = our_signals();
    const struct sigaction ignoring = {.sa_handler = SIG_IGN};
    /* Before any thread exists, so that all of them inherit it: only the main thread takes signals. */
    (void)pthread_sigmask(SIG_BLOCK, &set, NULL);
    (void)sigaction(SIGPIPE, &ignoring, NULL);
    (void)sigaction(SIGUSR2, &ignoring, NULL);
}

enum exit_code command_serve(char *const *arguments)
{
    bool help = false, check = false, try = false;
    const struct settings_switch switches[] = {{.name = "--help", .is_given = &help},
                                               {.name = "--check-config", .is_given = &check},
                                               {.name = "--dry-run", .is_given = &try},
                                               {.name = NULL}};
    struct options *options = NULL;
    enum exit_code code = settings_read("serve", arguments, switches, &options);
    if (code != EXIT_DONE)
        return code;
    if (help) {
        (void)fputs(HELP, stdout);
        options_print_help(stdout);
    } else if (try) {
        code = settings_check("serve", options);
        if (code == EXIT_DONE)
            code = daemon_try(options);
    } else if (check) {
        code = settings_check("serve", options);
    } else {
        set_signals();
        code = run(options, arguments);
    }
    options_destroy(options);
    return code;
}
