/* http_watch: a client of one stream for tests; reads its body piece by piece as it comes.
 *
 * Memory: the watch owns what it has read. What waits gives up after HTTP_CLIENT_TIMEOUT_S seconds. */
#pragma once

#include "tests/support/http_client.h"

struct http_watch {
    struct http_client client;
    unsigned status;
    char *head;   /* status line and fields; NUL-terminated */
    bool chunked; /* else the body ends with the connection */
    bool over;    /* the last chunk has come */
    bool ended;   /* the connection has */
    bool broken;  /* the connection ended before it, or what came is no chunk */
    char *text;   /* what of the body was not taken yet */
    size_t length, capacity;
    char *taken;
};

/* GET with these further field lines (NULL: none), and the head of the answer. */
bool http_watch_open(struct http_watch *watch, unsigned port, const char *target, const char *fields);
/* The same over a connection that is there, which becomes the watch's; `request` is the whole head. */
bool http_watch_begin(struct http_watch *watch, const struct http_client *client, const char *request);
void http_watch_close(struct http_watch *watch);

/* The body up to the next `mark` and with it; the watch's until the next call. NULL: it does not come. */
const char *http_watch_until(struct http_watch *watch, const char *mark);
/* Reads what is there without waiting; then lines can be taken. False: nothing more will come. */
bool http_watch_poll(struct http_watch *watch);
/* The next whole line with its end, out of what was read; NULL: there is none yet. */
const char *http_watch_line(struct http_watch *watch);
/* The rest of the body, when the server has ended it as it should; NULL: it has not. */
const char *http_watch_rest(struct http_watch *watch);
/* The value of a field of the head into `value`. */
bool http_watch_field(const struct http_watch *watch, const char *name, char *value, size_t size);
