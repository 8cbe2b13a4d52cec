/* text_room: texts put together in memory that holds the longest of them.
 *
 *     struct text_room room = text_room_begin(text, GAME_RULES_SIZE);
 *     text_room_put(&room, "profile=");
 *     text_room_put_number(&room, 17);
 *
 * Layer: games, private. NUL-terminated after each call; what does not fit is a bug and is cut. For what is written with
 * each game or each answer: printf takes ten times as long for the same. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct text_room {
    char *at, *end; /* the NUL; behind the memory */
};

/* `size` is at least 1. */
struct text_room text_room_begin(char *memory, size_t size);
void text_room_put(struct text_room *room, const char *words);
void text_room_put_number(struct text_room *room, uint32_t number);
