#include "api/stream_cursor.h"

#include <string.h>

#include "api/scalar.h"

bool stream_cursor_parse(const char *text, size_t length, uint32_t *version)
{
    int64_t value;
    if (!scalar_integer(text, length, &value) || value < 0 || value > UINT32_MAX)
        return false;
    *version = (uint32_t)value;
    return true;
}

bool stream_cursor_next(const char **rest, const char **id, uint32_t *version)
{
    const char *text = *rest;
    size_t length = strcspn(text, ",");
    if (length <= GAME_ID_LENGTH || text[GAME_ID_LENGTH] != ':' || !game_id_is_valid(text, GAME_ID_LENGTH) ||
        !stream_cursor_parse(text + GAME_ID_LENGTH + 1, length - GAME_ID_LENGTH - 1, version))
        return false;
    *id = text;
    *rest = text + length + (text[length] == ',' && text[length + 1]);
    return **rest != ',';
}
