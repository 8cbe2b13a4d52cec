/* http_client: a small blocking HTTP/1.1 client for tests; shows exactly what the server sent.
 *
 * Memory: a client owns the bytes it has read, a reply its own copy; both have an end function. Everything
 * that waits gives up after HTTP_CLIENT_TIMEOUT_S seconds and says false. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum { HTTP_CLIENT_TIMEOUT_S = 20 };

struct http_client {
    int fd;
    char *data; /* read, not yet taken */
    size_t length, capacity;
};

/* `host` is a numeric address. */
bool http_client_open(struct http_client *client, const char *host, unsigned port);
bool http_client_open_unix(struct http_client *client, const char *path);
void http_client_close(struct http_client *client);

bool http_client_send(struct http_client *client, const char *bytes, size_t length);
bool http_client_send_text(struct http_client *client, const char *text);
/* Ends the sending side. */
void http_client_half_close(struct http_client *client);

struct http_reply {
    unsigned status;
    char *head; /* status line and fields, each ended by "\r\n", NUL-terminated */
    char *body; /* decoded, NUL-terminated */
    size_t body_length;
};

/* The next reply, 1xx too. `is_head`: it answers a HEAD. False: the connection ended, timed out, or the bytes
 * are no HTTP. */
bool http_client_read(struct http_client *client, bool is_head, struct http_reply *reply);
void http_reply_finish(struct http_reply *reply);
/* The value of a field into `value`; false where there is none. */
bool http_reply_field(const struct http_reply *reply, const char *name, char *value, size_t size);

/* One request and its reply. `fields` are whole lines ended by "\r\n", or NULL; a Host field is added. `body`
 * NULL: none, and no length. The exchange is recorded (tests/support/recording.h). */
bool http_client_ask(struct http_client *client, const char *method, const char *target, const char *fields,
                     const char *body, struct http_reply *reply);

/* The server has ended the connection, and sent nothing more. */
bool http_client_is_closed(struct http_client *client);
