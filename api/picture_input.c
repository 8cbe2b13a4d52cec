#include "api/picture_input.h"

#include <stddef.h>
#include <string.h>

#include "api/exchange.h"
#include "api/board_words.h"
#include "api/problem.h"
#include "api/scalar.h"
#include "api/text.h"
#include "rules/movegen.h"
#include "rules/notation.h"

enum { USUAL_SIZE = 400 };

static bool refuse(struct exchange *exchange, const char *name, const char *what)
{
    problem_parameter(exchange, name, "%s must be %s.", name, what);
    return false;
}

/* As squares are read. */
static char small(char letter)
{
    return (char)(letter | 0x20);
}

static bool read_squares(const char *text, square *from, square *to)
{
    return scalar_square(text, 2, from) && scalar_square(text + 2, 2, to) && *from != *to;
}

/* "true", "false", or a move as UCI has it, which need not be legal here. */
static bool read_last(struct exchange *exchange, struct picture_input *input)
{
    const struct query_value *value = &exchange->query.values[QUERY_LAST_MOVE];
    bool shown = true;
    if (!value->text || scalar_bool(value->text, value->length, &shown)) {
        input->last = shown ? PICTURE_LAST_SHOWN : PICTURE_LAST_HIDDEN;
        return true;
    }
    struct picture *picture = &input->picture;
    input->last = PICTURE_LAST_SQUARES;
    bool promotes = value->length == 5 && strchr("qrbn", small(value->text[4]));
    if ((value->length == 4 || promotes) && read_squares(value->text, &picture->last_from, &picture->last_to))
        return true;
    return refuse(exchange, "last_move", "true, false, or two squares such as e2e4");
}

/* Green where there is no letter. */
static bool read_hue(const char *text, size_t length, uint8_t *hue)
{
    static const char LETTERS[HUE_COUNT] = {'g', 'r', 'b', 'y'};
    *hue = HUE_GREEN;
    if (length == 0)
        return true;
    while (*hue < HUE_COUNT && LETTERS[*hue] != small(*text))
        ++*hue;
    return length == 1 && *hue < HUE_COUNT;
}

/* There is room for all that may be asked for. */
#define HAS_ROOM(name, initial, minimum, maximum, unit, sentence)                                            \
    _Static_assert(offsetof(struct api_limits, name) != offsetof(struct api_limits, board_marks) ||          \
                       (maximum) <= (int64_t)PICTURE_MARKS_MAX,                                              \
                   "board_marks");
API_LIMITS(HAS_ROOM)

static bool take_arrow(struct picture *picture, struct text_span item)
{
    struct picture_arrow *arrow = &picture->arrows[picture->arrow_count++];
    return item.length >= 4 && read_squares(item.text, &arrow->from, &arrow->to) &&
           read_hue(item.text + 4, item.length - 4, &arrow->hue);
}

static bool take_mark(struct picture *picture, struct text_span item)
{
    struct picture_mark *mark = &picture->marks[picture->mark_count++];
    return item.length >= 2 && scalar_square(item.text, 2, &mark->at) &&
           read_hue(item.text + 2, item.length - 2, &mark->hue);
}

/* The items of a list parted by commas. */
static bool read_list(struct exchange *exchange, enum query_parameter parameter, struct picture *picture,
                      bool (*take)(struct picture *picture, struct text_span item), const char *what)
{
    int64_t most = exchange->api->settings.limits.board_marks;
    const char *at = query_text(exchange, parameter);
    for (int64_t count = 0; at && *at; count++) {
        struct text_span item = {at, strcspn(at, ",")};
        at += item.length + (at[item.length] == ',');
        text_trim(&item.text, &item.length);
        if (count == most) {
            problem_parameter(exchange, query_name(parameter), "%s may be at most %lld.",
                              query_name(parameter), (long long)most);
            return false;
        }
        if (!take(picture, item))
            return refuse(exchange, query_name(parameter), what);
    }
    return true;
}

bool picture_input_read(struct exchange *exchange, struct picture_input *input)
{
    *input = (struct picture_input){0};
    input->picture = (struct picture){
        .orientation = (enum color)query_integer(exchange, QUERY_ORIENTATION, COLOR_WHITE),
        .theme = (enum picture_theme)query_integer(exchange, QUERY_THEME, THEME_LIGHT),
        .size = (unsigned)query_integer(exchange, QUERY_SIZE, USUAL_SIZE),
        .coordinates = query_bool(exchange, QUERY_COORDINATES, true),
        .check = query_bool(exchange, QUERY_CHECK, true),
        .last_from = SQUARE_NONE,
        .last_to = SQUARE_NONE,
        .selected = (square)query_integer(exchange, QUERY_TARGETS, SQUARE_NONE),
        .step = SQUARE_NONE,
    };
    return read_last(exchange, input) &&
           read_list(exchange, QUERY_ARROWS, &input->picture, take_arrow,
                     "a list such as e2e4,g1f3r: from and to, and g, r, b or y for the colour") &&
           read_list(exchange, QUERY_SQUARES, &input->picture, take_mark,
                     "a list such as e4,d5r: a square, and g, r, b or y for the colour");
}

bool picture_input_last(struct picture_input *input, struct arena *arena, const struct position *before,
                        move last)
{
    if (input->last != PICTURE_LAST_SHOWN || last == MOVE_NONE)
        return true;
    struct picture *picture = &input->picture;
    struct move_facts facts = position_move_facts(before, last);
    struct writer words;
    picture->last_from = facts.from;
    picture->last_to = facts.to;
    writer_init(&words, arena, 64);
    board_words_move(&words, before, last);
    writer_char(&words, '\0');
    picture->last_move = words.data;
    return !words.failed;
}

/* A king that castles is shown where he goes, in Chess960 on his rook, as `dests` has it. */
void picture_input_targets(struct picture_input *input)
{
    struct picture *picture = &input->picture;
    const struct position *position = picture->position;
    struct movelist legal = {0};
    if (picture->selected == SQUARE_NONE)
        return;
    movegen_legal(position, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        move m = legal.moves[i];
        if (move_from(m) != picture->selected)
            continue;
        struct move_facts facts = position_move_facts(position, m);
        bitboard to = bit(notation_uci_target(position, m));
        if (facts.captured == PIECE_NONE)
            picture->quiet |= to;
        else
            picture->captures |= to;
        int ranks = (int)square_rank(facts.to) - (int)square_rank(facts.from);
        if (facts.piece == PIECE_PAWN && (ranks == 2 || ranks == -2))
            picture->step = facts.to;
    }
}
