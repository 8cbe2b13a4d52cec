/* seats: a game that is played with a token for each seat: who holds what, and which role that gives.
 *
 * Layer: games. Memory: one block of a live game, NULL in open games. Only digests of tokens are kept; they are
 * compared in constant time.
 * Source: API 4.5 and 9. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"
#include "games/secret.h"

/* What somebody is to a game. */
enum game_role {
    ROLE_NONE, /* no token, or none of this game */
    ROLE_WHITE,
    ROLE_BLACK,
    ROLE_SPECTATOR,
    ROLE_CREATOR,
    ROLE_OPERATOR, /* of the service: holds no token of the game */
    ROLE_COUNT
};

/* ROLE_WHITE … ROLE_CREATOR have a token each. */
enum { GAME_TOKENS = ROLE_CREATOR };

/* The words of the API and of the store for roles that have a token, ended by NULL; "" for ROLE_NONE. */
extern const char *const game_role_words[GAME_TOKENS + 2];
/* False: no role that has a token has this word. */
bool game_role_parse(const char *word, enum game_role *role);

/* Who asks for something. Zero: somebody without a token. */
struct caller {
    bool has_token; /* something was sent as one, well-formed or not */
    bool is_operator;
    uint8_t digest[SECRET_DIGEST_SIZE]; /* of what was sent */
};

/* Of this process alone: the log knows nothing of it. */
struct seat_presence {
    uint32_t streams;   /* open event streams with the token of the seat */
    int64_t seen_at_ms; /* when a stream or a long poll with the token has ended last; 0: none has */
};

struct game_seats {
    uint8_t digests[GAME_TOKENS][SECRET_DIGEST_SIZE]; /* of the token of role ROLE_WHITE + i */
    bool taken[COLOR_COUNT];
    struct seat_presence presence[COLOR_COUNT];
};

/* What the caller is to that game. */
enum game_role game_role_of(const struct game *game, const struct caller *caller);
/* Something was sent as a token, and is none of this game: told wherever tokens are looked at. Open games look at none. */
bool game_token_is_wrong(const struct game *game, const struct caller *caller);
/* Private games exist only for those who have a token of them, and for operators. */
bool game_may_read(const struct game *game, const struct caller *caller);
/* SEAT_NONE for roles that are no player's. */
enum game_seat game_role_seat(enum game_role role);
/* Of a colour. */
enum game_role game_seat_role(enum game_seat seat);
/* Somebody sits there. False in open games. */
bool game_seat_is_taken(const struct game *game, enum game_seat seat);

/* A new token for a role that has one; the old one dies. */
void seats_issue(struct game_seats *seats, enum game_role role, char token[SECRET_TOKEN_SIZE]);

/* "white=<64 digits> black=… spectator=… creator=…" for the store, and back. */
enum { SEATS_TEXT_SIZE = GAME_TOKENS * (SECRET_HEX_SIZE + sizeof "spectator=") };
void seats_format(const struct game_seats *seats, char text[SEATS_TEXT_SIZE]);
/* Reads what seats_format wrote; nobody sits yet. */
bool seats_parse(const char *text, struct game_seats *seats);
