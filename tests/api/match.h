/* match: what tests of the game routes ask again and again.
 *
 * Ids and targets live in the arena of an answer of the client, so until it closes. Creating and playing fail
 * the test where they are refused. */
#pragma once

#include "tests/support/api_client.h"

#define START_FEN "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* A new game; its id. */
const char *match_new(struct client *client);
const char *match_new_json(struct client *client, const char *json);
const char *match_new_fen(struct client *client, const char *fen);
/* "/v1/games/<id>" and the rest, in one of eight buffers that take turns. */
const char *match_path(const char *id, const char *rest);

/* A request without a body. */
const struct answer *match_ask(struct client *client, const char *method, const char *target);
/* The same with one header field. */
const struct answer *match_ask_with(struct client *client, const char *method, const char *target,
                                    const char *name, const char *value);
/* With a body of JSON. */
const struct answer *match_send(struct client *client, const char *method, const char *target,
                                const char *json);
const struct answer *match_send_with(struct client *client, const char *method, const char *target,
                                     const char *json, const char *name, const char *value);
/* POST with JSON to a route of the game. */
const struct answer *match_post(struct client *client, const char *id, const char *rest, const char *json);
const struct answer *match_get(struct client *client, const char *id, const char *rest);
/* As text/plain. */
const char *match_text(struct client *client, const char *id, const char *rest);

/* One request with all these moves, parted by blanks. */
const struct answer *match_play(struct client *client, const char *id, const char *moves);
/* The moves as an array of JSON texts, parted by blanks in `moves`. */
void match_moves_json(const char *moves, char *json, size_t size);

/* The answer has that status; shows the body where it has another. */
void assert_status(const struct answer *answer, unsigned status);
/* The member has that value, written as compact JSON. */
void assert_json(const struct answer *answer, const char *path, const char *json);

struct member {
    const char *name, *json; /* NULL: any value */
};
/* The object at `path` has these members, all of them and no others, in whatever order. */
void assert_members(const struct answer *answer, const char *path, const struct member *members,
                    size_t count);
#define ASSERT_MEMBERS(answer, path, members)                                                                \
    assert_members(answer, path, members, sizeof(members) / sizeof((members)[0]))

/* The game is at that version and ply: nothing was changed by what was refused. */
void assert_match_at(struct client *client, const char *id, int version, int ply);
