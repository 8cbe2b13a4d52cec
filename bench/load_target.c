#include "bench/load_target.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *const REQUEST_NAMES[REQUEST_KIND_COUNT] = {"create", "move", "legal", "game"};

static const struct target ARBITER = {
    .forms = {[REQUEST_CREATE] = {"POST", "/v1/games", "{}"},
              [REQUEST_MOVE] = {"POST", "/v1/games/{id}/moves", "{\"move\":\"{uci}\"}"},
              [REQUEST_LEGAL] = {"GET", "/v1/games/{id}/legal-moves", ""},
              [REQUEST_GAME] = {"GET", "/v1/games/{id}", ""}},
    .id = "\"id\":",
    .fen = "\"fen\":",
    .version = "\"version\":",
    .is_stable = true,
};

/* ---- the address ----------------------------------------------------------------------------------------- */

static bool is_loopback(const struct target *target)
{
    const void *address = &target->address;
    if (target->address.ss_family == AF_INET6)
        return IN6_IS_ADDR_LOOPBACK(&((const struct sockaddr_in6 *)address)->sin6_addr);
    return ntohl(((const struct sockaddr_in *)address)->sin_addr.s_addr) >> 24 == IN_LOOPBACKNET;
}

static bool read_address(struct target *target, char *host, unsigned long port)
{
    size_t length = strlen(host);
    if (length > 2 && host[0] == '[' && host[length - 1] == ']') {
        struct sockaddr_in6 six = {.sin6_family = AF_INET6, .sin6_port = htons((in_port_t)port)};
        host[length - 1] = '\0';
        bool is_read = inet_pton(AF_INET6, host + 1, &six.sin6_addr) == 1;
        memcpy(&target->address, &six, sizeof six);
        target->address_length = sizeof six;
        return is_read;
    }
    struct sockaddr_in four = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
    const char *text = strcmp(host, "localhost") == 0 ? "127.0.0.1" : host;
    bool is_read = inet_pton(AF_INET, text, &four.sin_addr) == 1;
    memcpy(&target->address, &four, sizeof four);
    target->address_length = sizeof four;
    return is_read;
}

static bool read_url(struct target *target, const char *url)
{
    static const char scheme[] = "http://";
    char host[TARGET_TEXT_SIZE];
    if (strncmp(url, scheme, strlen(scheme)) != 0)
        return false;
    int length = snprintf(target->host, sizeof target->host, "%s", url + strlen(scheme));
    if (length <= 0 || (size_t)length >= sizeof target->host)
        return false;
    if (target->host[length - 1] == '/')
        target->host[length - 1] = '\0';
    memcpy(host, target->host, sizeof host);
    char *colon = strrchr(host, ':');
    if (!colon)
        return false;
    *colon = '\0';
    char *end = NULL;
    unsigned long port = strtoul(colon + 1, &end, 10);
    return *end == '\0' && port > 0 && port < 65536 && read_address(target, host, port) &&
           is_loopback(target);
}

/* ---- the file -------------------------------------------------------------------------------------------- */

static bool copy_text(char *to, size_t size, const char *from)
{
    int length = snprintf(to, size, "%s", from);
    return length >= 0 && (size_t)length < size;
}

static bool read_form(struct request_form *form, const char *value)
{
    *form = (struct request_form){0};
    int body = 0;
    if (sscanf(value, "%7s %255s %n", form->method, form->path, &body) != 2)
        return false;
    return copy_text(form->body, sizeof form->body, value + body);
}

static bool read_member(char member[TARGET_MEMBER_SIZE], const char *name)
{
    if (*name == '\0') {
        *member = '\0';
        return true;
    }
    int length = snprintf(member, TARGET_MEMBER_SIZE, "\"%s\":", name);
    return length > 0 && length < TARGET_MEMBER_SIZE;
}

static bool add_header(struct target *target, const char *line)
{
    size_t used = strlen(target->headers);
    size_t room = sizeof target->headers - used;
    int length = snprintf(target->headers + used, room, "%s\r\n", line);
    return length > 0 && (size_t)length < room;
}

static bool read_setting(struct target *target, const char *name, const char *value)
{
    for (unsigned kind = 0; kind < REQUEST_KIND_COUNT; kind++)
        if (strcmp(name, REQUEST_NAMES[kind]) == 0)
            return read_form(&target->forms[kind], value);
    if (strcmp(name, "id") == 0)
        return read_member(target->id, value);
    if (strcmp(name, "fen") == 0)
        return read_member(target->fen, value);
    if (strcmp(name, "version") == 0)
        return read_member(target->version, value);
    if (strcmp(name, "header") == 0)
        return add_header(target, value);
    target->is_stable = strcmp(value, "yes") == 0;
    return strcmp(name, "stable") == 0 && (target->is_stable || strcmp(value, "no") == 0);
}

/* The line without white space at both ends. */
static char *trim(char *text)
{
    text += strspn(text, " \t");
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]))
        text[--length] = '\0';
    return text;
}

static bool read_line(struct target *target, char *line)
{
    char *text = trim(line);
    if (*text == '\0' || *text == '#')
        return true;
    char *equals = strchr(text, '=');
    if (!equals)
        return false;
    *equals = '\0';
    return read_setting(target, trim(text), trim(equals + 1));
}

static bool read_file(struct target *target, const char *path)
{
    char line[1024];
    unsigned number = 0;
    FILE *file = fopen(path, "re");
    if (!file) {
        (void)fprintf(stderr, "load: %s: %s\n", path, strerror(errno));
        return false;
    }
    bool is_good = true;
    while (is_good && fgets(line, sizeof line, file)) {
        number++;
        is_good = read_line(target, line);
    }
    (void)fclose(file);
    if (!is_good)
        (void)fprintf(stderr, "load: %s:%u: this is not understood\n", path, number);
    return is_good;
}

bool target_init(struct target *target, const char *url, const char *file)
{
    *target = ARBITER;
    if (!read_url(target, url)) {
        (void)fprintf(stderr, "load: %s: http://ADDRESS:PORT is wanted, on this machine's loopback\n", url);
        return false;
    }
    return !file || read_file(target, file);
}

/* ---- requests -------------------------------------------------------------------------------------------- */

struct place {
    const char *name, *value;
};

enum { PLACES = 3 };

/* That which the form has here; NULL: none. */
static const struct place *place_at(const char *form, const struct place places[PLACES])
{
    for (size_t i = 0; *form == '{' && i < PLACES; i++)
        if (strncmp(form, places[i].name, strlen(places[i].name)) == 0)
            return &places[i];
    return NULL;
}

/* Appends `form` with what stands for its places; at most up to `end`. */
static char *fill_in(char *at, const char *end, const char *form, const struct place places[PLACES])
{
    while (*form && at < end) {
        const struct place *place = place_at(form, places);
        if (!place) {
            *at++ = *form++;
            continue;
        }
        for (const char *value = place->value; *value && at < end; value++)
            *at++ = *value;
        form += strlen(place->name);
    }
    return at;
}

size_t target_request(const struct target *target, enum request_kind kind,
                      const struct request_values *values, char request[TARGET_REQUEST_SIZE])
{
    char ply[16];
    (void)snprintf(ply, sizeof ply, "%u", values->ply);
    const struct place places[PLACES] = {{"{id}", values->id}, {"{uci}", values->uci}, {"{ply}", ply}};
    const struct request_form *form = &target->forms[kind];
    char path[2 * TARGET_TEXT_SIZE];
    char body[2 * TARGET_TEXT_SIZE];
    *fill_in(path, path + sizeof path - 1, form->path, places) = '\0';
    size_t body_length = (size_t)(fill_in(body, body + sizeof body - 1, form->body, places) - body);
    body[body_length] = '\0';
    bool has_body = strcmp(form->method, "GET") != 0;
    char length_line[96] = "";
    if (has_body)
        (void)snprintf(length_line, sizeof length_line,
                       "Content-Type: application/json\r\nContent-Length: %zu\r\n", body_length);
    int length =
        snprintf(request, TARGET_REQUEST_SIZE, "%s %s HTTP/1.1\r\nHost: %s\r\n%s%s\r\n%s", form->method, path,
                 target->host, target->headers, length_line, has_body ? body : "");
    return length > 0 && length < TARGET_REQUEST_SIZE ? (size_t)length : 0;
}

int target_connect(const struct target *target)
{
    int on = 1;
    int fd = socket(target->address.ss_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (connect(fd, (const struct sockaddr *)&target->address, target->address_length) != 0 ||
        fcntl(fd, F_SETFL, O_NONBLOCK) != 0) {
        int error = errno;
        (void)close(fd);
        errno = error;
        return -1;
    }
    (void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}
