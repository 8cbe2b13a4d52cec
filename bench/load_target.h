/* load_target: which server is asked, and in what words.
 *
 * Arbiter's own unless a file says otherwise: lines `name = value`, # begins a comment.
 *     create, move, legal, game   METHOD PATH [BODY], with {id}, {uci} and {ply} in path and body
 *     id, fen, version            the names of these members of answers; nothing: they are not looked at
 *     stable                      no: the same question may be answered in other words
 *     header                      a line that goes with every request */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/socket.h>

enum request_kind { REQUEST_CREATE, REQUEST_MOVE, REQUEST_LEGAL, REQUEST_GAME, REQUEST_KIND_COUNT };

extern const char *const REQUEST_NAMES[REQUEST_KIND_COUNT];

enum { TARGET_TEXT_SIZE = 256, TARGET_MEMBER_SIZE = 40, TARGET_REQUEST_SIZE = 2048 };

struct request_form {
    char method[8];
    char path[TARGET_TEXT_SIZE], body[TARGET_TEXT_SIZE];
};

struct target {
    struct sockaddr_storage address;
    socklen_t address_length;
    char host[TARGET_TEXT_SIZE];
    struct request_form forms[REQUEST_KIND_COUNT];
    /* As they stand in JSON, `"fen":`; empty: not looked at. */
    char id[TARGET_MEMBER_SIZE], fen[TARGET_MEMBER_SIZE], version[TARGET_MEMBER_SIZE];
    bool is_stable;
    char headers[2 * TARGET_TEXT_SIZE];
};

/* `url` is http://ADDRESS:PORT with an address of this machine's loopback: 127.x.x.x, [::1] or localhost. `file` may be
 * NULL. False: it has told on stderr why not. */
bool target_init(struct target *target, const char *url, const char *file);

/* What stands for {id}, {uci} and {ply} in a form: the game, its next move, and the number of this half-move, from 1. */
struct request_values {
    const char *id, *uci;
    unsigned ply;
};

/* The whole request, at most TARGET_REQUEST_SIZE bytes. Returns its length; 0: it is too long. */
size_t target_request(const struct target *target, enum request_kind kind,
                      const struct request_values *values, char request[TARGET_REQUEST_SIZE]);

/* A connection, not blocking; -1: errno. */
int target_connect(const struct target *target);
