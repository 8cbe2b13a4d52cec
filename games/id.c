#include "games/id.h"

#include <string.h>
#include <sys/random.h>

static const char alphabet[] = "abcdefghjkmnpqrstuvwxyz23456789"; /* no i, l, o, 0, 1 */
enum { LETTERS = sizeof alphabet - 1, FAIR = 256 - 256 % LETTERS, BYTES = 32 };

bool game_id_is_valid(const char *id, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!id[i] || !strchr(alphabet, id[i]))
            return false;
    return length == GAME_ID_LENGTH;
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
