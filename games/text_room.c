#include "games/text_room.h"

#include <assert.h>
#include <string.h>

enum { DIGITS_MAX = 10 };

struct text_room text_room_begin(char *memory, size_t size)
{
    *memory = '\0';
    return (struct text_room){memory, memory + size};
}

static void put_bytes(struct text_room *room, const char *bytes, size_t length)
{
    size_t left = (size_t)(room->end - room->at) - 1;
    assert(length <= left);
    if (length > left)
        length = left;
    memcpy(room->at, bytes, length);
    room->at += length;
    *room->at = '\0';
}

void text_room_put(struct text_room *room, const char *words)
{
    put_bytes(room, words, strlen(words));
}

void text_room_put_number(struct text_room *room, uint32_t number)
{
    char digits[DIGITS_MAX], *first = digits + DIGITS_MAX;
    do {
        *--first = (char)('0' + number % 10);
        number /= 10;
    } while (number);
    put_bytes(room, first, (size_t)(digits + DIGITS_MAX - first));
}
