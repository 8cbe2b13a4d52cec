/* pieces: prints the pieces as a style sheet for the web page, of the table that pictures are drawn from.
 *
 *     pieces > pieces.css
 *
 * A rule a piece, named as in ".wk" for the white king, with the drawing as its background image: an SVG in a data
 * URL. Runs on the building machine. */
#include <stdio.h>
#include <string.h>

#include "api/picture_pieces.h"
#include "api/picture_style.h"

/* What would end the URL or the text around it is written in percent escapes. */
static void put(const char *text)
{
    for (; *text; text++) {
        if (strchr("#<>%\"", *text))
            printf("%%%02X", (unsigned)*text);
        else
            putchar(*text);
    }
}

static void put_color(const char *attribute, struct paint paint)
{
    char text[32];
    (void)snprintf(text, sizeof text, " %s='#%02x%02x%02x'", attribute, paint.r, paint.g, paint.b);
    put(text);
}

static void put_width(float width)
{
    char text[40];
    (void)snprintf(text, sizeof text, " stroke-width='%.1f'", (double)width);
    put(text);
}

static void put_part(const struct picture_style *style, const struct piece_part *part,
                     const struct piece_paint *paint)
{
    put("<path");
    if (part->kind == PIECE_PART_BODY) {
        put_color("fill", paint->body);
        put_color("stroke", paint->outline);
        put_width(style->outline);
    } else if (part->kind == PIECE_PART_LINE) {
        put(" fill='none'");
        put_color("stroke", paint->line);
        put_width(style->line);
    } else {
        put_color("fill", paint->line);
    }
    put(" d='");
    put(part->path);
    put("'/>");
}

static void put_piece(enum color color, enum piece_type type)
{
    static const char LETTERS[PIECE_COUNT] = {' ', 'p', 'n', 'b', 'r', 'q', 'k'};
    const struct picture_style *style = picture_style(THEME_LIGHT);
    const struct piece_part *parts = picture_pieces[type];
    printf(".%c%c { background-image: url(\"data:image/svg+xml,", color == COLOR_WHITE ? 'w' : 'b',
           LETTERS[type]);
    put("<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 100 100' stroke-linecap='round' "
        "stroke-linejoin='round'>");
    for (int i = 0; i < PIECE_PARTS_MAX && parts[i].kind != PIECE_PART_NONE; i++)
        put_part(style, &parts[i], &style->pieces[color]);
    put("</svg>");
    puts("\"); }");
}

int main(void)
{
    for (int color = COLOR_WHITE; color < COLOR_COUNT; color++) {
        for (int type = PIECE_PAWN; type < PIECE_COUNT; type++)
            put_piece((enum color)color, (enum piece_type)type);
    }
    return fflush(stdout) ? 1 : 0;
}
