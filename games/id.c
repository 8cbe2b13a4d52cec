#include "games/id.h"

#include <sys/random.h>

static const char alphabet[] = "abcdefghjkmnpqrstuvwxyz23456789"; /* no i, l, o, 0, 1 */
enum { LETTERS = sizeof alphabet - 1, FAIR = 256 - 256 % LETTERS, BYTES = 32 };

/* Is it in the alphabet? Every request with an id asks this for each letter. */
static bool is_letter(char c)
{
    if (c >= '2' && c <= '9')
        return true;
    return c >= 'a' && c <= 'z' && c != 'i' && c != 'l' && c != 'o';
}

bool game_id_is_valid(const char *id, size_t length)
{
    if (length != GAME_ID_LENGTH)
        return false;
    for (size_t i = 0; i < GAME_ID_LENGTH; i++)
        if (!is_letter(id[i]))
            return false;
    return true;
}

/* Bytes above the last whole multiple of the alphabet are thrown away, so that every letter is as likely. */
bool id_make(char id[GAME_ID_SIZE])
{
    unsigned char bytes[BYTES];
    int length = 0;
    while (length < GAME_ID_LENGTH) {
        if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
            return false;
        for (int i = 0; i < BYTES && length < GAME_ID_LENGTH; i++)
            if (bytes[i] < FAIR)
                id[length++] = alphabet[bytes[i] % LETTERS];
    }
    id[length] = '\0';
    return true;
}
