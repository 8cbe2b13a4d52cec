#include "games/seats.h"

#include <string.h>

#include "games/text_room.h"

const char *const game_role_words[] = {"", "white", "black", "spectator", "creator", NULL};

bool game_role_parse(const char *word, enum game_role *role)
{
    int found = ROLE_WHITE;
    while (found <= GAME_TOKENS && strcmp(game_role_words[found], word) != 0)
        found++;
    if (found > GAME_TOKENS)
        return false;
    *role = (enum game_role)found;
    return true;
}

/* All four are compared, whichever it is. */
enum game_role game_role_of(const struct game *game, const struct caller *caller)
{
    enum game_role role = caller->is_operator ? ROLE_OPERATOR : ROLE_NONE;
    if (!game->seats || !caller->has_token)
        return role;
    for (unsigned i = 0; i < GAME_TOKENS; i++)
        if (secret_equal(game->seats->digests[i], caller->digest))
            role = (enum game_role)(ROLE_WHITE + i);
    return role;
}

bool game_token_is_wrong(const struct game *game, const struct caller *caller)
{
    return game->seats && caller->has_token && game_role_of(game, caller) == ROLE_NONE;
}

bool game_may_read(const struct game *game, const struct caller *caller)
{
    return game->visibility != VISIBILITY_PRIVATE || game_role_of(game, caller) != ROLE_NONE;
}

enum game_seat game_role_seat(enum game_role role)
{
    return role == ROLE_WHITE ? SEAT_WHITE : role == ROLE_BLACK ? SEAT_BLACK : SEAT_NONE;
}

enum game_role game_seat_role(enum game_seat seat)
{
    return seat == SEAT_WHITE ? ROLE_WHITE : ROLE_BLACK;
}

bool game_seat_is_taken(const struct game *game, enum game_seat seat)
{
    return game->seats && game->seats->taken[game_color(seat)];
}

void seats_issue(struct game_seats *seats, enum game_role role, char token[SECRET_TOKEN_SIZE])
{
    static const char purposes[ROLE_COUNT] = {[ROLE_WHITE] = SECRET_WHITE,
                                              [ROLE_BLACK] = SECRET_BLACK,
                                              [ROLE_SPECTATOR] = SECRET_SPECTATOR,
                                              [ROLE_CREATOR] = SECRET_CREATOR};
    secret_make_token(purposes[role], token);
    secret_digest(token, SECRET_TOKEN_LENGTH, seats->digests[role - ROLE_WHITE]);
}

void seats_format(const struct game_seats *seats, char text[SEATS_TEXT_SIZE])
{
    struct text_room room = text_room_begin(text, SEATS_TEXT_SIZE);
    for (unsigned i = 0; i < GAME_TOKENS; i++) {
        char hex[SECRET_HEX_SIZE];
        secret_format_hex(seats->digests[i], hex);
        text_room_put(&room, i ? " " : "");
        text_room_put(&room, game_role_words[ROLE_WHITE + i]);
        text_room_put(&room, "=");
        text_room_put(&room, hex);
    }
}

bool seats_parse(const char *text, struct game_seats *seats)
{
    *seats = (struct game_seats){0};
    for (unsigned i = 0; i < GAME_TOKENS; i++) {
        const char *word = game_role_words[ROLE_WHITE + i];
        size_t length = strlen(word);
        if (strncmp(text, word, length) != 0 || text[length] != '=')
            return false;
        text += length + 1;
        length = strcspn(text, " ");
        if (!secret_parse_hex(text, length, seats->digests[i]))
            return false;
        text += length;
        text += i + 1 < GAME_TOKENS && *text == ' ';
    }
    return *text == '\0';
}
