#include "api/color_input.h"

#include "api/fields.h"

bool color_input_read(struct exchange *exchange, enum game_seat *seat)
{
    struct field_word color = {0};
    static const struct field table[] = {{.name = "color", .type = FIELD_WORD, .words = game_seat_words}};
    if (!fields_read_or_text(exchange, table, FIELDS_COUNT(table), &color))
        return false;
    *seat = (enum game_seat)color.value; /* SEAT_NONE where it is not given */
    return true;
}
