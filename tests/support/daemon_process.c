#include "tests/support/daemon_process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ARGUMENTS_MAX = 64, PATIENCE_MS = 30000 };

bool daemon_process_init(struct daemon_process *process)
{
    *process = (struct daemon_process){.output = -1};
    const char *base = getenv("TMPDIR");
    (void)snprintf(process->folder, sizeof process->folder, "%s/arbiter-test-XXXXXX", base ? base : "/tmp");
    process->has_folder = mkdtemp(process->folder) != NULL;
    return process->has_folder;
}

/* The folder is flat: a database and its companions. */
static void remove_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        (void)unlinkat(dirfd(folder), entry->d_name, 0);
    (void)closedir(folder);
    (void)rmdir(path);
}

void daemon_process_finish(struct daemon_process *process)
{
    if (process->pid) {
        daemon_process_signal(process, SIGKILL);
        (void)daemon_process_wait(process);
    }
    if (process->output >= 0)
        (void)close(process->output);
    if (process->has_folder)
        remove_folder(process->folder);
    *process = (struct daemon_process){.output = -1};
}

bool daemon_process_binary(char path[DAEMON_PATH_SIZE])
{
    const char *given = getenv("ARBITERD");
    if (given) { /* a test may go to another folder */
        char *whole = realpath(given, NULL);
        bool fits = whole && snprintf(path, DAEMON_PATH_SIZE, "%s", whole) < DAEMON_PATH_SIZE;
        free(whole);
        return fits;
    }
    ssize_t length = readlink("/proc/self/exe", path, DAEMON_PATH_SIZE - sizeof "arbiterd");
    if (length <= 0)
        return false;
    path[length] = '\0';
    for (char *slash = strrchr(path, '/'); slash && slash != path; slash = strrchr(path, '/')) {
        memcpy(slash + 1, "arbiterd", sizeof "arbiterd");
        if (access(path, X_OK) == 0)
            return true;
        *slash = '\0';
    }
    return false;
}

/* Settings of whoever runs the tests must not reach the daemon. */
static void clean_environment(void)
{
    for (char **variable = environ; *variable;) {
        char name[64];
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(*variable, "="), *variable);
        if (strncmp(name, "ARBITER_", strlen("ARBITER_")) != 0 || unsetenv(name) != 0)
            variable++;
    }
}

static bool names(const char *const *arguments, const char *flag)
{
    for (; *arguments; arguments++)
        if (strcmp(*arguments, flag) == 0)
            return true;
    return false;
}

/* As the service manager does it: descriptor 3, and two variables. */
static void hand_over(int fd)
{
    char pid[16];
    (void)snprintf(pid, sizeof pid, "%d", (int)getpid());
    if (fd == 3)
        (void)fcntl(fd, F_SETFD, 0);
    else
        (void)dup2(fd, 3);
    (void)setenv("LISTEN_FDS", "1", 1);
    (void)setenv("LISTEN_PID", pid, 1);
}

static _Noreturn void become_daemon(const struct daemon_process *process, const char *binary,
                                    char *const *arguments, int output)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)dup2(output, STDERR_FILENO);
    clean_environment();
    if (process->handed_over)
        hand_over(process->handed_over);
    (void)execv(binary, arguments);
    _exit(127);
}

static bool spawn(struct daemon_process *process, const char *binary, char *const *arguments)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    if (process->output >= 0)
        (void)close(process->output);
    process->output = ends[0];
    process->pending_length = 0;
    process->port = 0;
    process->pid = fork();
    if (process->pid == 0)
        become_daemon(process, binary, arguments, ends[1]);
    (void)close(ends[1]);
    return process->pid > 0;
}

bool daemon_process_start(struct daemon_process *process, const char *const *arguments)
{
    char binary[DAEMON_PATH_SIZE], database[DAEMON_PATH_SIZE + 32];
    char *all[ARGUMENTS_MAX] = {binary};
    size_t count = 1;
    if (!daemon_process_binary(binary))
        return false;
    for (const char *const *a = arguments; *a && count < ARGUMENTS_MAX - 3; a++)
        memcpy(&all[count++], a, sizeof *a); /* execv's parameter is not const, but is not written to */
    (void)snprintf(database, sizeof database, "--db=sqlite:%s/arbiter.db", process->folder);
    if (!names(arguments, "--db"))
        all[count++] = database;
    return spawn(process, binary, all);
}

bool daemon_process_read_line(struct daemon_process *process, char line[DAEMON_LINE_SIZE])
{
    for (;;) {
        char *end = memchr(process->pending, '\n', process->pending_length);
        if (end || process->pending_length == sizeof process->pending - 1) {
            size_t length = end ? (size_t)(end - process->pending) : process->pending_length;
            memcpy(line, process->pending, length);
            line[length] = '\0';
            size_t taken = length + (end != NULL);
            process->pending_length -= taken;
            memmove(process->pending, process->pending + taken, process->pending_length);
            return true;
        }
        struct pollfd readable = {.fd = process->output, .events = POLLIN};
        if (poll(&readable, 1, PATIENCE_MS) != 1)
            return false;
        ssize_t got = read(process->output, process->pending + process->pending_length,
                           sizeof process->pending - 1 - process->pending_length);
        if (got <= 0)
            return false;
        process->pending_length += (size_t)got;
    }
}

bool daemon_process_wait_line(struct daemon_process *process, const char *text, char line[DAEMON_LINE_SIZE])
{
    while (daemon_process_read_line(process, line))
        if (strstr(line, text))
            return true;
    return false;
}

bool daemon_process_wait_ready(struct daemon_process *process)
{
    char line[DAEMON_LINE_SIZE];
    if (!daemon_process_wait_line(process, "listening on ", line))
        return false;
    const char *colon = strrchr(line, ':');
    if (strstr(line, "http://") && colon)
        process->port = (unsigned)strtoul(colon + 1, NULL, 10);
    return true;
}

bool daemon_process_run(struct daemon_process *process, const char *const *arguments)
{
    const char *all[ARGUMENTS_MAX] = {"--listen", "127.0.0.1:0"};
    for (size_t count = 2; arguments && *arguments && count < ARGUMENTS_MAX - 1; count++)
        all[count] = *arguments++;
    return (process->has_folder || daemon_process_init(process)) && daemon_process_start(process, all) &&
           daemon_process_wait_ready(process);
}

void daemon_process_signal(const struct daemon_process *process, int number)
{
    (void)kill(process->pid, number);
}

int daemon_process_wait(struct daemon_process *process)
{
    int status = 0;
    pid_t ended = 0;
    do {
        ended = waitpid(process->pid, &status, 0);
    } while (ended < 0 && errno == EINTR);
    process->pid = 0;
    if (ended < 0)
        return -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int daemon_process_stop(struct daemon_process *process)
{
    daemon_process_signal(process, SIGTERM);
    return daemon_process_wait(process);
}
