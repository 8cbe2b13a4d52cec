/* api/picture_canvas and api/picture_outline: paths as pixels. Areas are those of geometry. */
#include "api/picture_canvas.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "api/picture_glyphs.h"
#include "api/picture_palette.h"
#include "api/picture_pieces.h"

static const struct paint INK = {255, 255, 255, 255};
static const double PI = 3.14159265358979;

static struct arena arena;
static struct canvas canvas;
static struct outline outline;

static int setup(void **state)
{
    (void)state;
    outline.point_count = outline.ring_count = 0;
    return canvas_init(&canvas, &arena, 100, 80) ? 0 : 1;
}

static int teardown(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

static void add(const char *path)
{
    const struct placing placing = {.scale = 1};
    outline_add_path(&outline, path, &placing);
}

/* Pixels that are covered, parts of them counted as parts. */
static double inked(void)
{
    double sum = 0;
    for (unsigned i = 0; i < canvas.width * canvas.height; i++)
        sum += canvas.pixels[i].a / 255.0;
    return sum;
}

static unsigned at(unsigned x, unsigned y)
{
    return canvas.pixels[y * canvas.width + x].a;
}

static void assert_area(double expected)
{
    if (fabs(inked() - expected) > 0.01 * expected + 0.5)
        fail_msg("covered: %f, expected: %f", inked(), expected);
    for (unsigned i = 0; i < (canvas.width + 1) * canvas.height; i++)
        assert_true(canvas.cover[i] == 0); /* ready for the next shape */
}

static void a_pixel_is_as_full_as_the_shape_covers_it(void **state)
{
    (void)state;
    add("M10.5 10 L20.25 10 L20.25 20.5 L10.5 20.5 Z");
    canvas_fill(&canvas, &outline, INK);
    assert_int_equal(at(15, 15), 255);
    assert_int_equal(at(10, 15), 128);
    assert_int_equal(at(20, 15), 64);
    assert_int_equal(at(15, 20), 128);
    assert_int_equal(at(10, 20), 64);
    assert_int_equal(at(9, 15), 0);
    assert_int_equal(at(15, 9), 0);
    assert_area(9.75 * 10.5);
}

static void polygons_and_curves_cover_their_area_either_way_round(void **state)
{
    (void)state;
    add("M10 10 L90 10 L50 70 Z");
    canvas_fill(&canvas, &outline, INK);
    assert_area(80 * 60 / 2.0);
    setup(NULL);
    add("M50 70 L90 10 L10 10 Z");
    canvas_fill(&canvas, &outline, INK);
    assert_area(80 * 60 / 2.0);
    setup(NULL);
    outline_add_circle(&outline, (struct point){50, 40}, 30);
    canvas_fill(&canvas, &outline, INK);
    assert_area(PI * 30 * 30);
    setup(NULL);
    add("M10 50 C10 10 90 10 90 50 Z"); /* a cubic of this form has 3/5 of the box of its control points */
    canvas_fill(&canvas, &outline, INK);
    assert_area(80 * 40 * 0.6);
}

static void a_ring_the_other_way_round_is_a_hole(void **state)
{
    (void)state;
    add("M10 10 L60 10 L60 60 L10 60 Z M20 20 L20 40 L40 40 L40 20 Z");
    canvas_fill(&canvas, &outline, INK);
    assert_int_equal(at(30, 30), 0);
    assert_int_equal(at(50, 50), 255);
    assert_area(50 * 50 - 20 * 20);
}

static void what_lies_outside_is_not_painted(void **state)
{
    (void)state;
    add("M-50 -50 L50 -50 L50 40 L-50 40 Z");
    canvas_fill(&canvas, &outline, INK);
    assert_area(50 * 40);
    setup(NULL);
    add("M90 70 L300 70 L300 300 L90 300 Z");
    canvas_fill(&canvas, &outline, INK);
    assert_area(10 * 10);
    setup(NULL);
    add("M200 200 L300 200 L300 300 Z");
    canvas_fill(&canvas, &outline, INK);
    assert_true(inked() == 0);
}

static void lines_are_as_wide_as_asked_with_round_ends_and_corners(void **state)
{
    (void)state;
    add("M20 20 L70 20");
    canvas_stroke(&canvas, &outline, 10, INK);
    assert_area(50 * 10 + PI * 5 * 5);
    assert_int_equal(at(40, 16), 255);
    assert_int_equal(at(40, 14), 0);
    assert_int_equal(at(16, 20), 255);
    assert_int_equal(at(14, 20), 0);
    setup(NULL);
    add("M20 20 L70 20 L70 60"); /* a corner: two lines, a square of overlap less its rounding */
    canvas_stroke(&canvas, &outline, 10, INK);
    assert_area(50 * 10 + 40 * 10 - 25 + PI * 25 / 4 + PI * 25);
    setup(NULL);
    outline_add_circle(&outline, (struct point){50, 40}, 30);
    canvas_stroke(&canvas, &outline, 4, INK);
    assert_area(PI * (32 * 32 - 28 * 28));
    setup(NULL);
    add("M20 20 L20 20");
    canvas_stroke(&canvas, &outline, 10, INK); /* no direction: nothing */
    assert_true(inked() == 0);
}

static void colours_mix_by_their_opacity(void **state)
{
    (void)state;
    canvas_rectangle(&canvas, (struct area){0, 0, 100, 80}, (struct paint){200, 100, 0, 255});
    canvas_rectangle(&canvas, (struct area){10, 10, 20, 20}, (struct paint){0, 0, 255, 128});
    struct paint mixed = canvas.pixels[15 * 100 + 15];
    assert_int_equal(mixed.a, 255);
    assert_in_range(mixed.r, 99, 101);
    assert_in_range(mixed.g, 49, 51);
    assert_in_range(mixed.b, 127, 129);
    canvas_rectangle(&canvas, (struct area){95, 75, 145, 125}, INK); /* beyond the edge */
    assert_int_equal(canvas.pixels[79 * 100 + 99].b, 255);
}

/* A fault in a table of ours would be an assertion, or a drawing beyond its square. */
static void every_drawing_is_a_path_inside_its_square(void **state)
{
    (void)state;
    const struct placing placing = {.scale = 1};
    for (int type = PIECE_PAWN; type < PIECE_COUNT; type++) {
        const struct piece_part *parts = picture_pieces[type];
        assert_int_equal(parts[0].kind, PIECE_PART_BODY);
        for (int i = 0; i < PIECE_PARTS_MAX && parts[i].kind != PIECE_PART_NONE; i++) {
            outline.point_count = outline.ring_count = 0;
            outline_add_path(&outline, parts[i].path, &placing);
            assert_true(outline.point_count > 1);
            for (unsigned n = 0; n < outline.point_count; n++) {
                assert_true(outline.points[n].x >= 2 && outline.points[n].x <= PIECE_UNITS - 2);
                assert_true(outline.points[n].y >= 2 && outline.points[n].y <= PIECE_UNITS - 2);
            }
            assert_int_equal(outline.rings[0].closed, parts[i].kind != PIECE_PART_LINE);
        }
    }
    assert_int_equal(picture_pieces[PIECE_NONE][0].kind, PIECE_PART_NONE);
    for (const char *c = "abcdefgh12345678"; *c; c++) {
        outline.point_count = outline.ring_count = 0;
        outline_add_path(&outline, picture_glyph(*c), &placing);
        for (unsigned n = 0; n < outline.point_count; n++)
            assert_true(outline.points[n].x >= 0 && outline.points[n].x <= GLYPH_WIDTH);
    }
    assert_null(picture_glyph('i'));
    assert_null(picture_glyph('0'));
    assert_null(picture_glyph('9'));
    assert_null(picture_glyph('A'));
}

/* ---- palettes ---- */

static void few_colours_are_kept_as_they_are(void **state)
{
    (void)state;
    struct palette palette;
    canvas_rectangle(&canvas, (struct area){0, 0, 100, 80}, (struct paint){10, 20, 30, 255});
    for (unsigned i = 0; i < 255; i++)
        canvas.pixels[i] = (struct paint){(uint8_t)i, 200, 7, 255};
    assert_true(palette_make(&palette, &arena, &canvas));
    assert_int_equal(palette.count, 256);
    assert_int_equal(palette.colors[0], 0x0A141E);
    uint8_t indices[100];
    palette_row(&palette, canvas.pixels + 100, 100, indices);
    for (unsigned x = 0; x < 100; x++)
        assert_int_equal(palette.colors[indices[x]], (x + 100) << 16 | 200 << 8 | 7);
}

static void rare_colours_become_the_nearest_frequent_one(void **state)
{
    (void)state;
    struct palette palette;
    for (unsigned i = 0; i < 8000; i++) { /* 250 colours of 20 pixels, and 3000 of one each */
        unsigned n = i < 5000 ? i / 20 : 0;
        canvas.pixels[i] = i < 5000
                               ? (struct paint){(uint8_t)n, 0, 0, 255}
                               : (struct paint){(uint8_t)(i % 250), (uint8_t)(1 + (i - 5000) / 250), 0, 255};
    }
    assert_true(palette_make(&palette, &arena, &canvas));
    assert_int_equal(palette.count, 256);
    uint8_t indices[100];
    for (unsigned y = 0; y < 80; y++) {
        palette_row(&palette, canvas.pixels + y * 100, 100, indices);
        for (unsigned x = 0; x < 100; x++) {
            int red = canvas.pixels[y * 100 + x].r - (int)(palette.colors[indices[x]] >> 16);
            assert_true(red == 0 || canvas.pixels[y * 100 + x].g > 0);
            assert_true(red * red <= 12 * 12);
        }
    }
}

#define TEST(test) cmocka_unit_test_setup_teardown(test, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_pixel_is_as_full_as_the_shape_covers_it),
        TEST(polygons_and_curves_cover_their_area_either_way_round),
        TEST(a_ring_the_other_way_round_is_a_hole),
        TEST(what_lies_outside_is_not_painted),
        TEST(lines_are_as_wide_as_asked_with_round_ends_and_corners),
        TEST(colours_mix_by_their_opacity),
        TEST(every_drawing_is_a_path_inside_its_square),
        TEST(few_colours_are_kept_as_they_are),
        TEST(rare_colours_become_the_nearest_frequent_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
