#include "service/selfcheck.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "service/monotonic.h"

static bool wait_for(int fd, short events, int64_t until_ms)
{
    int64_t left = until_ms - monotonic_coarse_ms();
    struct pollfd ready = {.fd = fd, .events = events};
    return left > 0 && poll(&ready, 1, (int)left) == 1;
}

/* A listening socket that is bound to "every address" is reached over loopback by the same name. */
static bool connect_to(int fd, int listening, int64_t until_ms)
{
    struct sockaddr_storage address;
    socklen_t size = sizeof address;
    if (getsockname(listening, (struct sockaddr *)&address, &size) != 0)
        return false;
    if (connect(fd, (const struct sockaddr *)&address, size) == 0)
        return true;
    int status = 0;
    socklen_t status_size = sizeof status;
    return errno == EINPROGRESS && wait_for(fd, POLLOUT, until_ms) &&
           getsockopt(fd, SOL_SOCKET, SO_ERROR, &status, &status_size) == 0 && status == 0;
}

static bool ask(int fd, int64_t until_ms)
{
    static const char REQUEST[] = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    static const char ANSWER[] = "HTTP/1.1 200 ";
    char got[sizeof ANSWER - 1];
    size_t length = 0;
    if (send(fd, REQUEST, sizeof REQUEST - 1, MSG_NOSIGNAL) != (ssize_t)(sizeof REQUEST - 1))
        return false;
    while (length < sizeof got && wait_for(fd, POLLIN, until_ms)) {
        ssize_t part = recv(fd, got + length, sizeof got - length, 0);
        if (part <= 0)
            return false;
        length += (size_t)part;
    }
    return length == sizeof got && memcmp(got, ANSWER, sizeof got) == 0;
}

bool selfcheck_answers(int fd, int64_t timeout_ms)
{
    int64_t until_ms = monotonic_coarse_ms() + timeout_ms;
    int domain = 0;
    socklen_t size = sizeof domain;
    if (getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0)
        return false;
    int own = socket(domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (own < 0)
        return false;
    bool answers = connect_to(own, fd, until_ms) && ask(own, until_ms);
    (void)close(own);
    return answers;
}
