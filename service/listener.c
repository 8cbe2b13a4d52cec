#include "service/listener.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 4096, /* the kernel cuts it to net.core.somaxconn */
    HOST_SIZE = 64,
};

static const char UNIX_PREFIX[] = "unix:";

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    struct sockaddr_un local;
};

static bool fail(char error[LISTENER_ERROR_SIZE], const char *address, const char *reason)
{
    (void)snprintf(error, LISTENER_ERROR_SIZE, "cannot listen on %.100s: %s", address, reason);
    return false;
}

/* "[::1]:80" and "127.0.0.1:80" into host and port. */
static bool split(const char *text, char host[HOST_SIZE], in_port_t *port)
{
    const char *colon = strrchr(text, ':');
    if (!colon || colon[1] < '0' || colon[1] > '9')
        return false;
    char *end = NULL;
    unsigned long number = strtoul(colon + 1, &end, 10);
    if (*end || number > 65535)
        return false;
    bool bracketed = *text == '[' && colon > text && colon[-1] == ']';
    size_t length = (size_t)(colon - text) - (bracketed ? 2 : 0);
    if (length >= HOST_SIZE || (!bracketed && memchr(text, ':', length)))
        return false;
    memcpy(host, text + bracketed, length);
    host[length] = '\0';
    *port = htons((in_port_t)number);
    return true;
}

/* Numbers only: a name that resolves to several addresses, or to others tomorrow,
 * is no place to listen on. */
static socklen_t read_host(const char *host, in_port_t port, union address *address)
{
    memset(address, 0, sizeof *address);
    if (strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    if (strcmp(host, "") == 0 || strcmp(host, "*") == 0)
        host = "::"; /* and IPv4 through it: see open_socket */
    if (inet_pton(AF_INET, host, &address->v4.sin_addr) == 1) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = port;
        return sizeof address->v4;
    }
    if (inet_pton(AF_INET6, host, &address->v6.sin6_addr) == 1) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = port;
        return sizeof address->v6;
    }
    return 0;
}

static enum request_scope scope_of(const union address *address)
{
    if (address->any.sa_family == AF_UNIX)
        return REQUEST_SCOPE_UNIX;
    if (address->any.sa_family == AF_INET)
        return ntohl(address->v4.sin_addr.s_addr) >> 24 == 127 ? REQUEST_SCOPE_LOOPBACK
                                                               : REQUEST_SCOPE_NETWORK;
    return IN6_IS_ADDR_LOOPBACK(&address->v6.sin6_addr) ? REQUEST_SCOPE_LOOPBACK : REQUEST_SCOPE_NETWORK;
}

/* What the kernel has bound the socket to: scope and url. */
static bool describe(struct listener *listener)
{
    union address address;
    char host[INET6_ADDRSTRLEN];
    socklen_t size = sizeof address;
    memset(&address, 0, sizeof address);
    if (getsockname(listener->fd, &address.any, &size) != 0)
        return false;
    listener->scope = scope_of(&address);
    switch (address.any.sa_family) {
    case AF_UNIX:
        (void)snprintf(listener->url, sizeof listener->url, "unix:%s", address.local.sun_path);
        return true;
    case AF_INET:
        (void)inet_ntop(AF_INET, &address.v4.sin_addr, host, sizeof host);
        (void)snprintf(listener->url, sizeof listener->url, "http://%s:%d", host, ntohs(address.v4.sin_port));
        return true;
    case AF_INET6:
        (void)inet_ntop(AF_INET6, &address.v6.sin6_addr, host, sizeof host);
        (void)snprintf(listener->url, sizeof listener->url, "http://[%s]:%d", host,
                       ntohs(address.v6.sin6_port));
        return true;
    default:
        errno = EAFNOSUPPORT;
        return false;
    }
}

static int open_socket(const union address *address, socklen_t size)
{
    int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    int on = 1, off = 0;
    /* A restart must not wait for connections of the last process to leave TIME_WAIT. */
    if (address->any.sa_family != AF_UNIX)
        (void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    /* "::" takes IPv4 too; another IPv6 address is only itself. */
    if (address->any.sa_family == AF_INET6)
        (void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY,
                         IN6_IS_ADDR_UNSPECIFIED(&address->v6.sin6_addr) ? &off : &on, sizeof on);
    if (bind(fd, &address->any, size) == 0 && listen(fd, BACKLOG) == 0)
        return fd;
    int reason = errno;
    (void)close(fd);
    errno = reason;
    return -1;
}

static bool open_network(struct listener *listener, const char *text, char error[LISTENER_ERROR_SIZE])
{
    char host[HOST_SIZE];
    in_port_t port = 0;
    union address address;
    socklen_t size = split(text, host, &port) ? read_host(host, port, &address) : 0;
    if (size == 0)
        return fail(error, text, "give HOST:PORT with a numeric host, [IPV6]:PORT, :PORT or unix:PATH");
    listener->fd = open_socket(&address, size);
    /* A machine without IPv6 still has every address of IPv4. */
    if (listener->fd < 0 && errno == EAFNOSUPPORT && (host[0] == '\0' || host[0] == '*'))
        listener->fd = open_socket(&address, read_host("0.0.0.0", port, &address));
    if (listener->fd >= 0 && describe(listener))
        return true;
    return fail(error, text,
                errno == EADDRINUSE ? "the port is in use: stop the other program or choose another port"
                                    : strerror(errno));
}

/* A socket file whose process is gone refuses connections: only such a one may be removed. */
static bool is_stale(const union address *address, socklen_t size)
{
    struct stat status;
    if (lstat(address->local.sun_path, &status) != 0 || !S_ISSOCK(status.st_mode))
        return false;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    bool refused = fd >= 0 && connect(fd, &address->any, size) != 0 && errno == ECONNREFUSED;
    if (fd >= 0)
        (void)close(fd);
    return refused;
}

static bool is_unix_path(const char *path)
{
    return *path != '\0' && strlen(path) < sizeof((union address *)NULL)->local.sun_path;
}

static bool open_unix(struct listener *listener, const char *text, mode_t mode,
                      char error[LISTENER_ERROR_SIZE])
{
    const char *path = text + strlen(UNIX_PREFIX);
    union address address = {.local = {.sun_family = AF_UNIX}};
    socklen_t size = sizeof address.local;
    if (!is_unix_path(path))
        return fail(error, text, "the path of a Unix socket has 1 to 107 bytes");
    memcpy(address.local.sun_path, path, strlen(path));
    /* The mask makes the socket with its mode: no moment in which others could connect. */
    mode_t mask = umask(0777 & ~mode);
    listener->fd = open_socket(&address, size);
    if (listener->fd < 0 && errno == EADDRINUSE) {
        if (is_stale(&address, size) && unlink(path) == 0)
            listener->fd = open_socket(&address, size);
        else
            errno = EADDRINUSE;
    }
    (void)umask(mask);
    if (listener->fd < 0 || !describe(listener))
        return fail(error, text,
                    errno == EADDRINUSE ? "another process listens there, or the file is no socket"
                                        : strerror(errno));
    listener->remove = listener->url + strlen(UNIX_PREFIX);
    return true;
}

static bool is_unix(const char *address)
{
    return strncmp(address, UNIX_PREFIX, strlen(UNIX_PREFIX)) == 0;
}

bool listener_is_address(const char *address)
{
    char host[HOST_SIZE];
    in_port_t port = 0;
    union address unused;
    if (is_unix(address))
        return is_unix_path(address + strlen(UNIX_PREFIX));
    return split(address, host, &port) && read_host(host, port, &unused) > 0;
}

bool listener_is_reached(const char *text)
{
    char host[HOST_SIZE];
    in_port_t port = 0;
    union address address;
    return !is_unix(text) && split(text, host, &port) && read_host(host, port, &address) > 0 &&
           scope_of(&address) == REQUEST_SCOPE_NETWORK;
}

bool listener_open(struct listener *listener, const char *address, mode_t mode,
                   char error[LISTENER_ERROR_SIZE])
{
    *listener = (struct listener){.fd = -1};
    bool open =
        is_unix(address) ? open_unix(listener, address, mode, error) : open_network(listener, address, error);
    if (!open)
        listener_close(listener);
    return open;
}

bool listener_adopt(struct listener *listener, int fd, char error[LISTENER_ERROR_SIZE])
{
    int listens = 0;
    socklen_t size = sizeof listens;
    *listener = (struct listener){.fd = fd, .handed_over = true};
    if (getsockopt(fd, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) != 0 || !listens)
        return fail(error, "the socket handed over",
                    "it does not listen (a stream socket with Accept=no is needed)");
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) != 0 || fcntl(fd, F_SETFL, O_NONBLOCK) != 0 || !describe(listener))
        return fail(error, "the socket handed over", strerror(errno));
    return true;
}

void listener_close(struct listener *listener)
{
    if (listener->remove)
        (void)unlink(listener->remove);
    if (listener->fd >= 0)
        (void)close(listener->fd);
    listener->remove = NULL;
    listener->fd = -1;
}
