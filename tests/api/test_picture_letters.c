/* The letters and digits at the edge of a board. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "api/picture_glyphs.h"
#include "tests/api/match.h"
#include "tests/api/picture_read.h"

static const struct svg *draw(struct client *client, const char *query)
{
    char target[256];
    (void)snprintf(target, sizeof target, "/v1/positions/board.svg?%s", query);
    const struct answer *answer = client_get(client, target);
    assert_status(answer, 200);
    return svg_read(answer);
}

static const char *const NO_BITS = "fen=8/8/8/4k3/8/8/8/4K2R_w&last_move=false&";

static unsigned letters(struct client *client, const char *rest)
{
    char query[128];
    (void)snprintf(query, sizeof query, "%s%s", NO_BITS, rest);
    const struct svg *svg = draw(client, query);
    unsigned count = 0;
    const struct svg_element *path;
    for (unsigned n = 0; (path = svg_nth(svg, n, "path", NULL, NULL)); n++)
        count += *svg_attribute(path, "transform") != '\0';
    return count;
}

static void eight_letters_and_eight_digits_stand_at_the_edge(void **state)
{
    assert_int_equal(letters(*state, ""), 16);
    assert_int_equal(letters(*state, "orientation=black&size=80"), 16);
    assert_int_equal(letters(*state, "coordinates=true"), 16);
    assert_int_equal(letters(*state, "coordinates=false"), 0);
}

/* Relative luminance, WCAG 2.2. */
static double luminance(const char *color)
{
    static const double SHARES[] = {0.2126, 0.7152, 0.0722};
    double sum = 0;
    long rgb = strtol(color + 1, NULL, 16);
    for (int i = 0; i < 3; i++) {
        double part = (double)(rgb >> (16 - 8 * i) & 0xFF) / 255;
        sum += SHARES[i] * (part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4));
    }
    return sum;
}

static double contrast(double a, double b)
{
    return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

/* The file letter g stands on g1, a dark square, which last moves and marks paint over. */
static void a_letter_stands_out_from_a_square_that_is_painted_over(void **state)
{
    static const struct {
        const char *query;
        long ground; /* of g1: the colours of the theme, mixed by hand */
    } rows[] = {
        {"theme=light", 0xB58B63},
        {"theme=light&last_move=g1f3", 0xC7A731},
        {"theme=dark", 0x5F6C7B},
        {"theme=dark&last_move=g1f3", 0x949262},
        {"theme=contrast&last_move=g1f3", 0xFFD400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct svg *svg = draw(*state, rows[i].query);
        const struct svg_element *path, *letter = NULL;
        for (unsigned n = 0; (path = svg_nth(svg, n, "path", NULL, NULL)); n++) {
            int x = 0;
            if (sscanf(svg_attribute(path, "transform"), "translate(%d", &x) == 1 && x > 650 && x < 700)
                letter = path;
        }
        char ground[8];
        (void)snprintf(ground, sizeof ground, "#%06lx", rows[i].ground);
        print_message("%s\n", rows[i].query);
        assert_true(contrast(luminance(svg_attribute(letter, "stroke")), luminance(ground)) >= 2.95);
    }
}

/* Seven pixels high, with lines of one. */
static void letters_of_small_boards_are_readable(void **state)
{
    static const unsigned SIZES[] = {160, 200, 400, 1200};
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        char query[32];
        (void)snprintf(query, sizeof query, "size=%u", SIZES[i]);
        const struct svg *svg = draw(*state, query);
        const struct svg_element *path;
        unsigned letters = 0;
        for (unsigned n = 0; (path = svg_nth(svg, n, "path", NULL, NULL)); n++) {
            double scale;
            if (sscanf(svg_attribute(path, "transform"), "translate(%*d %*d) scale(%lf)", &scale) != 1)
                continue;
            letters++;
            assert_true(scale * GLYPH_HEIGHT * SIZES[i] / 800 >= 6.9);
            assert_true(scale * svg_number(path, "stroke-width") * SIZES[i] / 800 >= 0.98);
        }
        assert_int_equal(letters, 16);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(eight_letters_and_eight_digits_stand_at_the_edge),
        CLIENT_TEST(a_letter_stands_out_from_a_square_that_is_painted_over),
        CLIENT_TEST(letters_of_small_boards_are_readable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
