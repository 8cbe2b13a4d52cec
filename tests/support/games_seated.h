/* seated: a game with seats and all its tokens.
 *
 *     struct seated *seated = seated_create(club, NULL, NULL);
 *     assert_int_equal(seated_move(seated, ROLE_WHITE, "e4"), ACTION_DONE);
 *
 * Belongs to the club and lives until that closes. */
#pragma once

#include "tests/support/games_club.h"

struct seated {
    struct club *club;
    const char *id;
    char tokens[ROLE_COUNT][SECRET_TOKEN_SIZE]; /* those of the creation; "" for roles without one */
};

/* `control` and `moves` may be NULL. */
struct seated *seated_create(struct club *club, const char *control, const char *moves);
/* The same, and nobody finds it without a token. */
struct seated *seated_create_private(struct club *club);
/* Does a create of the caller's, with seats. */
struct seated *seated_create_with(struct club *club, struct deed *deed);

/* Whoever has that token; NULL: nobody in particular. */
void deed_by_token(struct deed *deed, const char *token);
/* A deed of somebody in that role. */
struct deed *seated_deed(struct seated *seated, enum action_kind kind, enum game_role role);

enum action_outcome seated_move(struct seated *seated, enum game_role role, const char *text);
/* Moves parted by blanks, each with the token of the side that is to move. */
void seated_play(struct seated *seated, const char *moves);
/* `name` NULL: says nothing of it. */
enum action_outcome seated_take(struct seated *seated, enum game_role role, enum game_seat seat,
                                const char *name);
enum action_outcome seated_leave(struct seated *seated, enum game_role role, enum game_seat seat);
enum action_outcome seated_renew(struct seated *seated, enum game_role role, enum game_role renewed);
/* The token that the last deed has made for that role, "" for none; in the deed. */
const char *seated_made(const struct seated *seated, enum game_role role);

/* How the game stands. */
enum game_status seated_status(struct seated *seated);
enum game_role seated_role_by(struct seated *seated, const char *token);
const char *seated_name(struct seated *seated, enum game_seat seat); /* NULL: none */
bool seated_sits(struct seated *seated, enum game_seat seat);
void seated_take_both(struct seated *seated);
