/* Pictures as answers: header fields, what is refused, limits, PNG and its cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"
#include "tests/api/picture_read.h"

/* ---- what is refused ---- */

static const struct {
    const char *query, *parameter;
} REFUSED[] = {
    {"size=79", "size"},
    {"size=2001", "size"},
    {"size=-80", "size"},
    {"size=4e2", "size"},
    {"size=", "size"},
    {"theme=blue", "theme"},
    {"theme=", "theme"},
    {"theme=Light", "theme"},
    {"orientation=w", "orientation"},
    {"coordinates=2", "coordinates"},
    {"check=maybe", "check"},
    {"last_move=e2", "last_move"},
    {"last_move=e2e2", "last_move"},
    {"last_move=e2e9", "last_move"},
    {"last_move=e2e4k", "last_move"},
    {"last_move=e2e4qq", "last_move"},
    {"arrows=e2", "arrows"},
    {"arrows=e2e2", "arrows"},
    {"arrows=e2i4", "arrows"},
    {"arrows=e2e4x", "arrows"},
    {"arrows=e2e4rr", "arrows"},
    {"arrows=e2e4,,d2d4", "arrows"},
    {"arrows=,", "arrows"},
    {"squares=e", "squares"},
    {"squares=e9", "squares"},
    {"squares=e4x", "squares"},
    {"squares=e4;d4", "squares"},
    {"targets=e9", "targets"},
    {"targets=e2e4", "targets"},
    {"targets=", "targets"},
};

static void what_a_picture_cannot_be_is_refused_by_name(void **state)
{
    static const char *const PATHS[] = {"/v1/positions/board.svg", "/v1/positions/board.png"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
        char target[128];
        print_message("%s\n", REFUSED[i].query);
        for (int j = 0; j < 2; j++) {
            (void)snprintf(target, sizeof target, "%s?%s", PATHS[j], REFUSED[i].query);
            const struct answer *answer = client_get(*state, target);
            assert_problem(answer, 400, "invalid-parameter");
            assert_string_equal(answer_text(answer, "parameter"), REFUSED[i].parameter);
            assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
        }
        (void)snprintf(target, sizeof target, "/board.svg?%s", REFUSED[i].query);
        assert_problem(match_get(*state, id, target), 400, "invalid-parameter");
    }
}

static void what_belongs_to_another_form_is_unknown(void **state)
{
    assert_problem(client_get(*state, "/v1/positions/board.svg?style=list"), 400, "unknown-field");
    assert_problem(client_get(*state, "/v1/positions/board.txt?size=400"), 400, "unknown-field");
    assert_problem(client_get(*state, "/v1/positions/board.svg?ply=1"), 400, "unknown-field");
    assert_problem(client_get(*state, "/v1/positions/board.svg?sise=100"), 400, "unknown-field");
    assert_problem(match_get(*state, match_new(*state), "/board.svg?fen=8/8"), 400, "unknown-field");
}

static void positions_and_moves_are_checked_as_everywhere(void **state)
{
    assert_problem(client_get(*state, "/v1/positions/board.svg?fen=x"), 400, "invalid-fen");
    assert_problem(client_get(*state, "/v1/positions/board.png?fen=8/8/8/8/8/8/8/8_w"), 422,
                   "illegal-position");
    const struct answer *answer = client_get(*state, "/v1/positions/board.svg?moves=e4,Ke3");
    assert_problem(answer, 422, "illegal-move");
    assert_int_equal(answer_integer(answer, "index"), 1);
    assert_problem(client_get(*state, "/v1/games/aaaaaaaaaaaa/board.svg"), 404, "game-not-found");
    assert_problem(match_get(*state, match_new(*state), "/board.png?ply=1"), 404, "ply-not-found");
}

static int setup_small(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.board_size_min = 100;
    options.limits.board_size_max = 400;
    options.limits.board_marks = 2;
    options.limits.picture_cache_bytes = 0;
    *state = client_open(&options);
    return 0;
}

static void sizes_and_marks_go_to_their_limits(void **state)
{
    static const char *const GOOD[] = {"size=100", "size=400", "arrows=a1a2,b1b2", "squares=a1,a2"};
    static const char *const BAD[] = {"size=99", "size=401", "arrows=a1a2,b1b2,c1c2", "squares=a1,a2,a3"};
    for (int i = 0; i < 4; i++) {
        char target[96];
        (void)snprintf(target, sizeof target, "/v1/positions/board.svg?%s", GOOD[i]);
        assert_status(client_get(*state, target), 200);
        (void)snprintf(target, sizeof target, "/v1/positions/board.svg?%s", BAD[i]);
        assert_problem(client_get(*state, target), 400, "invalid-parameter");
    }
}

/* ---- header fields ---- */

static void pictures_of_games_carry_the_tag_of_their_version(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    static const char *const FORMS[][2] = {{"/board.svg", "\"v2.svg\""}, {"/board.png", "\"v2.png\""}};
    for (int i = 0; i < 2; i++) {
        const struct answer *answer = match_get(*state, id, FORMS[i][0]);
        assert_status(answer, 200);
        assert_string_equal(answer_header(answer, "ETag"), FORMS[i][1]);
        assert_string_equal(answer_header(answer, "Cache-Control"), "no-cache");
        assert_status(
            match_ask_with(*state, "GET", match_path(id, FORMS[i][0]), "If-None-Match", FORMS[i][1]), 304);
        assert_status(
            match_ask_with(*state, "GET", match_path(id, FORMS[i][0]), "If-None-Match", "\"v1.svg\""), 200);
    }
    match_post(*state, id, "/resign", "{}");
    assert_string_equal(answer_header(match_get(*state, id, "/board.svg"), "Cache-Control"), "max-age=300");
    /* Of a game nothing is for ever: moves are taken back, games are deleted. */
    assert_string_equal(answer_header(match_get(*state, id, "/board.png?ply=0"), "Cache-Control"),
                        "max-age=300");
}

static void pictures_of_positions_may_be_kept_for_ever(void **state)
{
    static const char FOR_EVER[] = "public, max-age=31536000, immutable";
    assert_string_equal(answer_header(client_get(*state, "/v1/positions/board.svg"), "Cache-Control"),
                        FOR_EVER);
    assert_string_equal(answer_header(client_get(*state, "/v1/positions/board.png"), "Cache-Control"),
                        FOR_EVER);
    assert_string_equal(answer_header(client_get(*state, "/v1/positions/board.txt"), "Cache-Control"),
                        "public, max-age=3600");
}

static void a_picture_shows_any_ply_and_the_end(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "f3 e5 g4 Qh4#");
    const struct svg *svg = svg_read(match_get(*state, id, "/board.svg"));
    assert_string_equal(svg_content(svg, "title"), "Chess board, 0-1, checkmate");
    assert_string_equal(svg_attribute(svg_at(svg, "use", 700, 400), "href"), svg_reference(svg, "bq"));
    assert_non_null(svg_at(svg, "rect", 300, 0));
    svg = svg_read(match_get(*state, id, "/board.svg?ply=1"));
    assert_string_equal(svg_content(svg, "title"), "Chess board, Black to move");
    assert_string_equal(svg_attribute(svg_at(svg, "use", 500, 500), "href"), svg_reference(svg, "wp"));
    assert_string_equal(svg_attribute(svg_at(svg, "use", 300, 0), "href"), svg_reference(svg, "bq"));
    svg = svg_read(match_get(*state, id, "/board.svg?ply=0&last_move=true"));
    assert_int_equal(svg_count(svg, "rect", NULL, NULL), 0);
    assert_int_equal(
        svg_count(svg_read(match_get(*state, id, "/board.svg?targets=e1")), "circle", NULL, NULL), 0);
}

static void a_game_takes_what_a_position_takes(void **state)
{
    static const char REST[] = "orientation=black&size=300&theme=dark&check=true&last_move=a1a2&arrows=e2e4y&"
                               "squares=d4b&targets=g8&coordinates=false";
    const char *id = match_new(*state);
    char game[256], position[256];
    match_play(*state, id, "e4");
    (void)snprintf(game, sizeof game, "/board.svg?%s", REST);
    (void)snprintf(position, sizeof position, "/v1/positions/board.svg?moves=e4&%s", REST);
    assert_string_equal(match_get(*state, id, game)->body, client_get(*state, position)->body);
}

static void letters_of_marks_may_be_large(void **state)
{
    static const char *const rows[][2] = {
        {"arrows=e2e4R,d2d4b", "arrows=E2E4r,D2D4B"},
        {"squares=e4Y,d5", "squares=E4y,D5G"},
        {"last_move=e7e8Q", "last_move=E7E8q"},
        {"targets=e2", "targets=E2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char target[96];
        (void)snprintf(target, sizeof target, "/v1/positions/board.svg?%s", rows[i][0]);
        const struct answer *one = client_get(*state, target);
        assert_status(one, 200);
        (void)snprintf(target, sizeof target, "/v1/positions/board.svg?%s", rows[i][1]);
        assert_string_equal(client_get(*state, target)->body, one->body);
    }
}

/* ---- PNG ---- */

static uint32_t color_of(const struct svg_element *element)
{
    return (uint32_t)strtoul(svg_attribute(element, "fill") + 1, NULL, 16);
}

/* Around the middle of the squares of an empty part of the board, and of what the SVG says. */
static void check_squares(const struct png *png, const struct svg *svg)
{
    uint32_t light = color_of(svg_nth(svg, 0, "path", "d", "M0 0h800v800h-800z"));
    uint32_t dark = color_of(svg_nth(svg, 0, "path", "fill-rule", "evenodd"));
    for (unsigned row = 2; row < 6; row++) {
        for (unsigned column = 0; column < 8; column++) {
            unsigned x = (2 * column + 1) * png->width / 16, y = (2 * row + 1) * png->height / 16;
            assert_int_equal(png_at(png, x, y), (row + column) % 2 ? dark : light);
        }
    }
}

static void png_has_the_size_and_the_colours_of_the_svg(void **state)
{
    static const char *const QUERIES[] = {"size=80",   "size=123&theme=dark",
                                          "size=400",  "size=401&theme=contrast",
                                          "size=1200", "size=2000&theme=dark"};
    static const unsigned SIZES[] = {80, 123, 400, 401, 1200, 2000};
    for (int i = 0; i < 6; i++) {
        char target[64];
        struct png png;
        (void)snprintf(target, sizeof target, "/v1/positions/board.png?%s", QUERIES[i]);
        const struct answer *answer = client_get(*state, target);
        assert_status(answer, 200);
        assert_string_equal(answer_header(answer, "Content-Type"), "image/png");
        png_read(answer->body, answer->length, &png);
        assert_int_equal(png.width, SIZES[i]);
        assert_int_equal(png.height, SIZES[i]);
        (void)snprintf(target, sizeof target, "/v1/positions/board.svg?%s", QUERIES[i]);
        check_squares(&png, svg_read(client_get(*state, target)));
        png_finish(&png);
    }
}

static void png_shows_a_mark_beside_a_selection(void **state)
{
    static const char *const THEMES[] = {"light", "dark", "contrast"};
    for (int i = 0; i < 3; i++) {
        char target[128];
        struct png both, mark;
        (void)snprintf(target, sizeof target, "/v1/positions/board.png?size=400&squares=e2r&theme=%s",
                       THEMES[i]);
        const struct answer *answer = client_get(*state, target);
        png_read(answer->body, answer->length, &mark);
        (void)snprintf(target, sizeof target,
                       "/v1/positions/board.png?size=400&squares=e2r&targets=e2&theme=%s", THEMES[i]);
        answer = client_get(*state, target);
        png_read(answer->body, answer->length, &both);
        for (unsigned n = 0; n < 50; n++) { /* along an edge of the square, and within */
            assert_int_equal(png_at(&both, 200 + n, 301), png_at(&both, 201, 301));
            assert_int_equal(png_at(&both, 200 + n, 348), png_at(&both, 201, 301));
            assert_int_equal(png_at(&both, 201, 300 + n), png_at(&both, 201, 301));
            assert_int_equal(png_at(&both, 248, 300 + n), png_at(&both, 201, 301));
        }
        assert_int_not_equal(png_at(&both, 201, 301), png_at(&mark, 201, 301));
        assert_int_equal(png_at(&both, 207, 307), png_at(&mark, 207, 307));
        assert_int_equal(png_at(&both, 225, 325), png_at(&mark, 225, 325));
        png_finish(&both);
        png_finish(&mark);
    }
}

static void png_shows_pieces_of_both_colours_on_both_squares(void **state)
{
    struct png png;
    const struct answer *answer =
        client_get(*state, "/v1/positions/board.png?size=800&fen=3qk3/8/8/8/8/8/8/3QK3_w");
    png_read(answer->body, answer->length, &png);
    const struct svg *svg =
        svg_read(client_get(*state, "/v1/positions/board.svg?fen=3qk3/8/8/8/8/8/8/3QK3_w"));
    uint32_t body[2];
    static const char *const IDS[] = {"wq", "bq"};
    for (int i = 0; i < 2; i++) {
        unsigned n = 0; /* the first path inside the group */
        while (strcmp(svg_attribute(&svg->elements[n], "id"), svg_id(svg, IDS[i])) != 0)
            n++;
        body[i] = color_of(&svg->elements[n + 1]);
    }
    assert_int_equal(png_at(&png, 350, 770), body[0]); /* inside the queens' bodies */
    assert_int_equal(png_at(&png, 350, 70), body[1]);
    assert_int_equal(png_at(&png, 450, 770), body[0]);
    assert_int_equal(png_at(&png, 450, 70), body[1]);
    png_finish(&png);
}

static void png_says_in_words_what_it_shows(void **state)
{
    struct png png;
    const struct answer *answer =
        client_get(*state, "/v1/positions/board.png?fen=4k3/8/8/8/8/8/8/K3R3_b&size=80");
    png_read(answer->body, answer->length, &png);
    assert_string_equal(png.title, "Chess board, Black to move, in check");
    assert_string_equal(png.description, "White: king a1; rook e1. Black: king e8.");
    png_finish(&png);
}

static bool same_body(const struct answer *a, const struct answer *b)
{
    return a->length == b->length && memcmp(a->body, b->body, a->length) == 0;
}

/* Drawing is work for the pool; what was drawn before is not. */
static void a_png_is_drawn_on_the_pool_and_only_once(void **state)
{
    static const char TARGET[] = "/v1/positions/board.png?size=120";
    const struct answer *first = client_get(*state, TARGET);
    assert_true(first->blocked);
    const struct answer *second = client_get(*state, TARGET);
    assert_false(second->blocked);
    assert_true(same_body(first, second));
    const char *id = match_new(*state); /* the same to be seen: the same picture */
    const struct answer *game = match_get(*state, id, "/board.png?size=120");
    assert_false(game->blocked);
    assert_true(same_body(first, game));
    assert_true(client_get(*state, "/v1/positions/board.png?size=121")->blocked);
    assert_true(client_get(*state, "/v1/positions/board.png?size=120&theme=dark")->blocked);
    assert_true(client_get(*state, "/v1/positions/board.png?size=120&moves=e4")->blocked);
    assert_false(client_get(*state, "/v1/positions/board.svg?size=122")->blocked);
}

static void without_a_cache_it_is_drawn_each_time(void **state)
{
    const struct answer *first = client_get(*state, "/v1/positions/board.png?size=120");
    const struct answer *second = client_get(*state, "/v1/positions/board.png?size=120");
    assert_true(first->blocked && second->blocked);
    assert_true(same_body(first, second));
}

static void the_head_of_a_picture_is_that_of_the_picture(void **state)
{
    const struct answer *head = match_ask(*state, "HEAD", "/v1/positions/board.svg");
    assert_status(head, 200);
    assert_string_equal(answer_header(head, "Content-Type"), "image/svg+xml");
}

#define SMALL_TEST(test) cmocka_unit_test_setup_teardown(test, setup_small, client_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(what_a_picture_cannot_be_is_refused_by_name),
        CLIENT_TEST(what_belongs_to_another_form_is_unknown),
        CLIENT_TEST(positions_and_moves_are_checked_as_everywhere),
        SMALL_TEST(sizes_and_marks_go_to_their_limits),
        CLIENT_TEST(pictures_of_games_carry_the_tag_of_their_version),
        CLIENT_TEST(pictures_of_positions_may_be_kept_for_ever),
        CLIENT_TEST(a_picture_shows_any_ply_and_the_end),
        CLIENT_TEST(a_game_takes_what_a_position_takes),
        CLIENT_TEST(letters_of_marks_may_be_large),
        CLIENT_TEST(png_shows_a_mark_beside_a_selection),
        CLIENT_TEST(png_has_the_size_and_the_colours_of_the_svg),
        CLIENT_TEST(png_shows_pieces_of_both_colours_on_both_squares),
        CLIENT_TEST(png_says_in_words_what_it_shows),
        CLIENT_TEST(a_png_is_drawn_on_the_pool_and_only_once),
        SMALL_TEST(without_a_cache_it_is_drawn_each_time),
        CLIENT_TEST(the_head_of_a_picture_is_that_of_the_picture),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
