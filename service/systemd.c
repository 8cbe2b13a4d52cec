#include "service/systemd.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* 0: missing, or no number. */
static int64_t read_number(const char *variable)
{
    const char *text = getenv(variable);
    char *end = NULL;
    long long number = text ? strtoll(text, &end, 10) : 0;
    return text && *text && *end == '\0' && number > 0 ? number : 0;
}

/* A variable with a process number is meant for that process only: it may have been inherited. */
static bool is_for_us(const char *variable)
{
    return read_number(variable) == getpid();
}

bool systemd_notify(const char *state)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t length = path ? strlen(path) : 0;
    if (length < 2 || length >= sizeof address.sun_path || (path[0] != '/' && path[0] != '@'))
        return false;
    memcpy(address.sun_path, path, length);
    if (path[0] == '@')
        address.sun_path[0] = '\0'; /* the abstract name space */
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return false;
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length);
    ssize_t sent = sendto(fd, state, strlen(state), MSG_NOSIGNAL, (const struct sockaddr *)&address, size);
    (void)close(fd);
    return sent == (ssize_t)strlen(state);
}

int64_t systemd_watchdog_ms(void)
{
    if (getenv("WATCHDOG_PID") && !is_for_us("WATCHDOG_PID"))
        return 0;
    int64_t half_ms = read_number("WATCHDOG_USEC") / 2000;
    return half_ms ? half_ms : read_number("WATCHDOG_USEC") > 0;
}

int systemd_listen_fds(void)
{
    int64_t count = is_for_us("LISTEN_PID") ? read_number("LISTEN_FDS") : 0;
    return count < INT_MAX ? (int)count : INT_MAX;
}
