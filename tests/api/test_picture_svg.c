/* Boards as SVG: what is seen on them and what they say of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"
#include "tests/api/picture_read.h"

static const struct answer *ask(struct client *client, const char *query)
{
    char target[512];
    (void)snprintf(target, sizeof target, "/v1/positions/board.svg?%s", query);
    const struct answer *answer = client_get(client, target);
    assert_status(answer, 200);
    return answer;
}

static const struct svg *draw(struct client *client, const char *query)
{
    return svg_read(ask(client, query));
}

/* The corner of a square, White below. */
static int x_of(const char *where)
{
    return (where[0] - 'a') * 100;
}

static int y_of(const char *where)
{
    return ('8' - where[1]) * 100;
}

static const struct svg_element *on(const struct svg *svg, const char *element, const char *where)
{
    return svg_at(svg, element, x_of(where), y_of(where));
}

/* <circle> around the middle of that square; NULL: none. */
static const struct svg_element *circle_on(const struct svg *svg, const char *where)
{
    const struct svg_element *circle;
    for (unsigned n = 0; (circle = svg_nth(svg, n, "circle", NULL, NULL)); n++) {
        if ((int)svg_number(circle, "cx") == x_of(where) + 50 &&
            (int)svg_number(circle, "cy") == y_of(where) + 50)
            return circle;
    }
    return NULL;
}

static bool is_disc(const struct svg_element *circle)
{
    return circle && strcmp(svg_attribute(circle, "fill"), "none") != 0;
}

static bool is_ring(const struct svg_element *circle)
{
    return circle && strcmp(svg_attribute(circle, "fill"), "none") == 0 && *svg_attribute(circle, "stroke");
}

/* ---- the whole ---- */

static void a_picture_has_its_size_and_says_in_words_what_it_shows(void **state)
{
    const struct svg *svg = draw(*state, "fen=4k2r/8/8/8/8/8/PP6/R3K3_b_k&size=512");
    const struct svg_element *root = &svg->elements[0];
    assert_string_equal(svg_attribute(root, "xmlns"), "http://www.w3.org/2000/svg");
    assert_string_equal(svg_attribute(root, "width"), "512");
    assert_string_equal(svg_attribute(root, "height"), "512");
    assert_string_equal(svg_attribute(root, "viewBox"), "0 0 800 800");
    assert_string_equal(svg_attribute(root, "role"), "img");
    assert_string_equal(svg_attribute(svg_nth(svg, 0, "desc", NULL, NULL), "id"), svg_id(svg, "desc"));
    char both[64];
    (void)snprintf(both, sizeof both, "%s %s", svg_id(svg, "title"), svg_id(svg, "desc"));
    assert_string_equal(svg_attribute(root, "aria-labelledby"), both);
    assert_string_equal(svg_content(svg, "title"), "Chess board, Black to move");
    assert_string_equal(svg_content(svg, "desc"),
                        "White: king e1; rook a1; pawns a2, b2. Black: king e8; rook h8.");
    assert_string_equal(svg_attribute(&draw(*state, "")->elements[0], "width"), "400");
}

/* What a page with several of them finds by an id is the same thing in each. */
static void no_other_picture_has_its_ids(void **state)
{
    static const char *const QUERIES[] = {"",           "theme=dark",        "size=401",
                                          "moves=e4",   "coordinates=false", "squares=e4",
                                          "squares=e5", "orientation=black"};
    enum { COUNT = sizeof QUERIES / sizeof QUERIES[0] };
    char titles[COUNT][64];
    for (size_t i = 0; i < COUNT; i++) {
        (void)snprintf(titles[i], sizeof titles[i], "%s", svg_id(draw(*state, QUERIES[i]), "title"));
        assert_in_range(titles[i][0], 'a', 'z'); /* as a style sheet wants names to begin */
        for (size_t j = 0; j < i; j++)
            assert_string_not_equal(titles[i], titles[j]);
    }
    assert_string_equal(svg_id(draw(*state, ""), "title"), titles[0]);
    const struct svg *svg = draw(*state, "fen=4k3/8/8/8/8/8/8/K3R3_b&targets=e8");
    for (unsigned i = 0; i < svg->count; i++) {
        const char *id = svg_attribute(&svg->elements[i], "id");
        assert_true(!*id || strncmp(id, svg_id(svg, ""), strlen(svg_id(svg, ""))) == 0);
    }
}

static void words_tell_the_last_move_and_every_mark(void **state)
{
    static const struct {
        const char *query, *words;
    } rows[] = {
        {"moves=e4", " Last move: White pawn e2 to e4."},
        {"moves=e4,d5,exd5", " Last move: White pawn e4 takes pawn d5."},
        {"moves=e4,a6,e5,d5,exd6", " Last move: White pawn e5 takes pawn d6 en passant."},
        {"fen=r3k3/8/8/8/8/8/8/4K3_b_q&moves=O-O-O", " Last move: Black castles queenside."},
        {"fen=4k3/8/8/8/8/8/8/4K2R_w_K&moves=O-O", " Last move: White castles kingside."},
        {"fen=7k/P7/8/8/8/8/8/K7_w&moves=a8=N", " Last move: White pawn a7 to a8, becomes a knight."},
        {"last_move=g1f3", " Last move: g1 to f3."},
        {"targets=b1", " From b1 to a3, c3."},
        {"targets=a1", " From a1 nowhere."},
        {"arrows=e2e4,g1f3r", " Arrows: e2 to e4, g1 to f3."},
        {"squares=e4,d5b", " Marked: e4, d5."},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].query);
        const char *desc = svg_content(draw(*state, rows[i].query), "desc");
        size_t length = strlen(rows[i].words);
        assert_true(strlen(desc) > length);
        assert_string_equal(desc + strlen(desc) - length, rows[i].words);
    }
}

static void the_title_says_how_it_ended(void **state)
{
    static const struct {
        const char *fen, *title;
    } rows[] = {
        {"R5k1/5ppp/8/8/8/8/8/4K3_b", "Chess board, 1-0, checkmate"},
        {"7k/5Q2/6K1/8/8/8/8/8_b", "Chess board, 1/2-1/2, stalemate"},
        {"7k/8/8/8/8/8/8/K6N_w", "Chess board, 1/2-1/2, dead position"},
        {"4k3/8/8/8/8/8/8/K3R3_b", "Chess board, Black to move, in check"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char query[96];
        (void)snprintf(query, sizeof query, "fen=%s", rows[i].fen);
        assert_string_equal(svg_content(draw(*state, query), "title"), rows[i].title);
    }
}

/* Web pages may show it, and a chat may pass it on: nothing in it acts or is fetched. */
static void nothing_in_it_acts_or_comes_from_elsewhere(void **state)
{
    const struct answer *answer =
        ask(*state, "moves=f3,e5,g4,Qh4&arrows=e2e4&squares=e4&targets=e1&theme=dark&size=1200");
    const struct svg *svg = svg_read(answer);
    static const char *const KNOWN[] = {"svg",  "title",          "desc", "defs", "g",      "path",
                                        "rect", "radialGradient", "stop", "use",  "circle", "polygon"};
    for (unsigned i = 0; i < svg->count; i++) {
        bool is_known = false;
        for (size_t j = 0; j < sizeof KNOWN / sizeof KNOWN[0]; j++)
            is_known = is_known || (svg->elements[i].name.length == strlen(KNOWN[j]) &&
                                    memcmp(svg->elements[i].name.text, KNOWN[j], strlen(KNOWN[j])) == 0);
        assert_true(is_known);
        for (unsigned j = 0; j < svg->elements[i].attributes; j++)
            assert_true(strncmp(svg->elements[i].names[j].text, "on", 2) != 0);
    }
    const char *address = strstr(answer->body, "http");
    assert_non_null(address);
    assert_null(strstr(address + 1, "http")); /* the name space alone */
}

/* ---- pieces ---- */

/* Each letter of the placement is a <use> of the drawing of that name, and there are no more. */
static void check_pieces(const struct svg *svg, const char *fen, bool turned)
{
    int file = 0, rank = 7;
    unsigned pieces = 0;
    for (const char *c = fen; *c && *c != '_'; c++) {
        if (*c == '/') {
            file = 0;
            rank--;
        } else if (*c >= '1' && *c <= '8') {
            file += *c - '0';
        } else {
            const char what[] = {*c >= 'a' ? 'b' : 'w', (char)(*c | 0x20), '\0'};
            const struct svg_element *use =
                svg_at(svg, "use", (turned ? 7 - file : file) * 100, (turned ? rank : 7 - rank) * 100);
            assert_string_equal(svg_attribute(use, "href"), svg_reference(svg, what));
            assert_non_null(svg_nth(svg, 0, "g", "id", svg_id(svg, what)));
            pieces++;
            file++;
        }
    }
    assert_int_equal(svg_count(svg, "use", NULL, NULL), pieces);
}

static void every_piece_stands_where_it_stands(void **state)
{
    static const char *const FENS[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR_w_KQkq",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R_w_KQkq",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8_w",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1_w",
    };
    for (size_t i = 0; i < sizeof FENS / sizeof FENS[0]; i++) {
        char query[160];
        (void)snprintf(query, sizeof query, "fen=%s", FENS[i]);
        check_pieces(draw(*state, query), FENS[i], false);
        (void)snprintf(query, sizeof query, "fen=%s&orientation=black", FENS[i]);
        check_pieces(draw(*state, query), FENS[i], true);
    }
}

static void a_drawing_is_there_once_and_only_where_it_is_used(void **state)
{
    const struct svg *svg = draw(*state, "fen=4k2r/8/8/8/8/8/PP6/R3K3_b_k");
    assert_int_equal(svg_count(svg, "g", NULL, NULL), 5); /* wk wr wp bk br */
    assert_int_equal(svg_count(svg, "g", "id", svg_id(svg, "wp")), 1);
    assert_int_equal(svg_count(svg, "g", "id", svg_id(svg, "bq")), 0);
}

/* ---- squares ---- */

static void the_last_move_is_shown_unless_it_is_not_wanted(void **state)
{
    const struct svg *svg = draw(*state, "moves=e4,Nf6");
    assert_int_equal(svg_count(svg, "rect", NULL, NULL), 2);
    const struct svg_element *from = on(svg, "rect", "g8"), *to = on(svg, "rect", "f6");
    assert_non_null(from);
    assert_string_equal(svg_attribute(from, "fill"), svg_attribute(to, "fill"));
    assert_int_equal(svg_count(draw(*state, "moves=e4&last_move=false"), "rect", NULL, NULL), 0);
    assert_int_equal(svg_count(draw(*state, ""), "rect", NULL, NULL), 0);
    svg = draw(*state, "moves=e4&last_move=a7a8q"); /* instead */
    assert_int_equal(svg_count(svg, "rect", NULL, NULL), 2);
    assert_true(on(svg, "rect", "a7") && on(svg, "rect", "a8"));
    svg = draw(*state, "fen=4k3/8/8/8/8/8/8/4K2R_w_K&moves=O-O");
    assert_true(on(svg, "rect", "e1") && on(svg, "rect", "g1"));
}

static void a_king_in_check_glows(void **state)
{
    const struct svg *svg = draw(*state, "fen=4k3/8/8/8/8/8/8/K3R3_b");
    assert_int_equal(svg_count(svg, "radialGradient", "id", svg_id(svg, "glow")), 1);
    assert_int_equal(svg_count(svg, "rect", NULL, NULL), 1);
    char fill[64];
    (void)snprintf(fill, sizeof fill, "url(%s)", svg_reference(svg, "glow"));
    assert_string_equal(svg_attribute(on(svg, "rect", "e8"), "fill"), fill);
    svg = draw(*state, "fen=4k3/8/8/8/8/8/8/K3R3_b&check=false");
    assert_int_equal(svg_count(svg, "rect", NULL, NULL), 0);
    assert_int_equal(svg_count(svg, "radialGradient", NULL, NULL), 0);
    assert_int_equal(svg_count(draw(*state, ""), "radialGradient", NULL, NULL), 0);
}

static void marks_and_arrows_have_their_colours(void **state)
{
    const struct svg *svg = draw(*state, "squares=e4,d5g,c6r,b7b,%20a3y&arrows=g1f3,b1c3r,a1a8b,h8a1y");
    assert_int_equal(svg_count(svg, "rect", NULL, NULL), 5);
    assert_string_equal(svg_attribute(on(svg, "rect", "e4"), "fill"),
                        svg_attribute(on(svg, "rect", "d5"), "fill"));
    static const char *const OTHERS[] = {"d5", "c6", "b7", "a3"};
    for (int i = 0; i < 4; i++) {
        for (int j = 0; j < i; j++)
            assert_string_not_equal(svg_attribute(on(svg, "rect", OTHERS[i]), "fill"),
                                    svg_attribute(on(svg, "rect", OTHERS[j]), "fill"));
    }
    assert_int_equal(svg_count(svg, "polygon", NULL, NULL), 4);
    const struct svg_element *up =
        svg_nth(svg, 2, "polygon", NULL, NULL); /* a1 to a8: straight up the middle of the file */
    float x[7], y[7];
    assert_int_equal(sscanf(svg_attribute(up, "points"), "%f,%f %f,%f %f,%f %f,%f %f,%f %f,%f %f,%f", &x[0],
                            &y[0], &x[1], &y[1], &x[2], &y[2], &x[3], &y[3], &x[4], &y[4], &x[5], &y[5],
                            &x[6], &y[6]),
                     14);
    assert_true(x[3] == 50 && y[3] > 30 && y[3] < 70); /* the tip, in a8 */
    assert_true(x[0] + x[6] == 100 && y[0] == y[6] && y[0] > 700);
    assert_string_not_equal(svg_attribute(svg_nth(svg, 0, "polygon", NULL, NULL), "fill"),
                            svg_attribute(svg_nth(svg, 1, "polygon", NULL, NULL), "fill"));
    assert_int_equal(svg_count(draw(*state, "arrows=&squares="), "polygon", NULL, NULL), 0);
}

/* ---- targets ---- */

static void a_disc_marks_a_quiet_target_and_a_ring_a_capture(void **state)
{
    const struct svg *svg = draw(*state, "fen=4k3/8/2p5/8/3N4/8/4P3/4K3_w&targets=d4");
    static const char *const QUIET[] = {"b3", "b5", "c2", "e6", "f3", "f5"};
    for (size_t i = 0; i < sizeof QUIET / sizeof QUIET[0]; i++)
        assert_true(is_disc(circle_on(svg, QUIET[i])));
    assert_true(is_ring(circle_on(svg, "c6")));
    assert_null(circle_on(svg, "e2")); /* its own pawn */
    assert_int_equal(svg_count(svg, "circle", NULL, NULL), 7);
    assert_non_null(on(svg, "rect", "d4"));
    assert_int_equal(svg_count(svg, "path", "stroke-dasharray", "9 9"), 0);
}

/* In the colours that both have alone. */
static void a_mark_is_seen_beside_a_selection(void **state)
{
    static const char *const THEMES[] = {"light", "dark", "contrast"};
    for (int i = 0; i < 3; i++) {
        char query[128], mark[64], opacity[64], selection[64];
        (void)snprintf(query, sizeof query, "squares=e2r&theme=%s", THEMES[i]);
        const struct svg_element *rect = on(draw(*state, query), "rect", "e2");
        (void)snprintf(mark, sizeof mark, "%s", svg_attribute(rect, "fill"));
        (void)snprintf(opacity, sizeof opacity, "%s", svg_attribute(rect, "fill-opacity"));
        (void)snprintf(query, sizeof query, "targets=e2&theme=%s", THEMES[i]);
        (void)snprintf(selection, sizeof selection, "%s",
                       svg_attribute(on(draw(*state, query), "rect", "e2"), "fill"));
        (void)snprintf(query, sizeof query, "squares=d5,e2r&targets=e2&theme=%s", THEMES[i]);
        const struct svg *svg = draw(*state, query);
        assert_int_equal(svg_count(svg, "rect", NULL, NULL), 2); /* nothing lies upon the mark */
        assert_string_equal(svg_attribute(on(svg, "rect", "e2"), "fill"), mark);
        assert_string_equal(svg_attribute(on(svg, "rect", "e2"), "fill-opacity"), opacity);
        const struct svg_element *frame =
            svg_nth(svg, 0, "path", "d", "M400 600h100v100h-100zm9 9v82h82v-82z");
        assert_non_null(frame);
        assert_string_equal(svg_attribute(frame, "fill"), selection);
        assert_string_equal(svg_attribute(frame, "fill-opacity"), "");
    }
}

static void a_dashed_line_leads_to_the_two_squares_of_a_pawn(void **state)
{
    const struct svg *svg = draw(*state, "targets=e2");
    assert_true(is_disc(circle_on(svg, "e3")) && is_disc(circle_on(svg, "e4")));
    assert_int_equal(svg_count(svg, "circle", NULL, NULL), 2);
    const struct svg_element *line = svg_nth(svg, 0, "path", "stroke-dasharray", "9 9");
    int x, from, x2, to;
    assert_int_equal(sscanf(svg_attribute(line, "d"), "M%d %dL%d %d", &x, &from, &x2, &to), 4);
    assert_true(x == 450 && x2 == 450 && from > 550 && from < 650 && to > 450 && to < 500);
    svg = draw(*state, "moves=e4&targets=d7");
    line = svg_nth(svg, 0, "path", "stroke-dasharray", "9 9");
    assert_int_equal(sscanf(svg_attribute(line, "d"), "M%d %dL%d %d", &x, &from, &x2, &to), 4);
    assert_true(x == 350 && x2 == 350 && from > 150 && from < 250 && to > 300 && to < 350);
    svg = draw(*state, "moves=Nf3,e5,Nxe5&targets=e7"); /* nothing there */
    assert_int_equal(svg_count(svg, "path", "stroke-dasharray", "9 9"), 0);
}

static void en_passant_is_a_capture_on_an_empty_square(void **state)
{
    const struct svg *svg = draw(*state, "moves=e4,a6,e5,d5&targets=e5");
    assert_true(is_ring(circle_on(svg, "d6")));
    assert_true(is_disc(circle_on(svg, "e6")));
    assert_int_equal(svg_count(svg, "circle", NULL, NULL), 2);
}

static void castling_is_shown_at_the_king_or_in_chess960_at_the_rook(void **state)
{
    const struct svg *svg = draw(*state, "fen=4k3/8/8/8/8/8/3PPP2/R3K2R_w_KQ&targets=e1");
    static const char *const KING[] = {"d1", "f1", "c1", "g1"};
    for (size_t i = 0; i < sizeof KING / sizeof KING[0]; i++)
        assert_true(is_disc(circle_on(svg, KING[i])));
    assert_int_equal(svg_count(svg, "circle", NULL, NULL), 4);
    svg = draw(*state, "fen=4k3/8/8/8/8/8/3PPP2/R3K2R_w_KQ&targets=e1&variant=chess960");
    assert_true(is_disc(circle_on(svg, "a1")) && is_disc(circle_on(svg, "h1")));
    assert_null(circle_on(svg, "g1"));
}

static void promotions_to_one_square_are_one_target(void **state)
{
    const struct svg *svg = draw(*state, "fen=1n5k/P7/8/8/8/8/8/K7_w&targets=a7");
    assert_true(is_disc(circle_on(svg, "a8")) && is_ring(circle_on(svg, "b8")));
    assert_int_equal(svg_count(svg, "circle", NULL, NULL), 2);
}

static void what_cannot_move_has_no_targets(void **state)
{
    static const char *const QUERIES[] = {
        "targets=e7",                               /* the other side's */
        "targets=e5",                               /* empty */
        "targets=a1",                               /* blocked */
        "fen=4r1k1/8/8/8/8/8/4N3/4K3_w&targets=e2", /* pinned */
        "fen=R5k1/5ppp/8/8/8/8/8/4K3_b&targets=g8", /* mated */
        "fen=7k/8/8/8/8/8/8/K6N_w&targets=h1",      /* dead: no move may be made any more */
    };
    for (size_t i = 0; i < sizeof QUERIES / sizeof QUERIES[0]; i++) {
        print_message("%s\n", QUERIES[i]);
        assert_int_equal(svg_count(draw(*state, QUERIES[i]), "circle", NULL, NULL), 0);
    }
}

/* ---- themes and sizes ---- */

static void themes_have_their_own_colours(void **state)
{
    static const char *const THEMES[] = {"theme=light", "theme=dark", "theme=contrast"};
    char boards[3][16];
    for (int i = 0; i < 3; i++) {
        const struct svg_element *board =
            svg_nth(draw(*state, THEMES[i]), 0, "path", "d", "M0 0h800v800h-800z");
        (void)snprintf(boards[i], sizeof boards[i], "%s", svg_attribute(board, "fill"));
        assert_int_equal(boards[i][0], '#');
        for (int j = 0; j < i; j++)
            assert_string_not_equal(boards[i], boards[j]);
    }
    const struct svg_element *usual = svg_nth(draw(*state, ""), 0, "path", "d", "M0 0h800v800h-800z");
    assert_string_equal(svg_attribute(usual, "fill"), boards[0]);
}

/* Otherwise the outlines of small pieces would be fainter than a pixel. */
static void lines_are_never_thinner_than_a_pixel(void **state)
{
    static const unsigned SIZES[] = {80, 160, 400, 1200, 2000};
    for (size_t i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
        char query[32];
        (void)snprintf(query, sizeof query, "size=%u", SIZES[i]);
        const struct svg *svg = draw(*state, query);
        double pixel = 800.0 / SIZES[i];
        for (unsigned n = 0; n < svg->count; n++) {
            const struct svg_element *path = &svg->elements[n];
            if (path->name.length == 4 && *svg_attribute(path, "stroke-width") &&
                !*svg_attribute(path, "transform"))
                assert_true(svg_number(path, "stroke-width") >= pixel - 0.06);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_picture_has_its_size_and_says_in_words_what_it_shows),
        CLIENT_TEST(no_other_picture_has_its_ids),
        CLIENT_TEST(words_tell_the_last_move_and_every_mark),
        CLIENT_TEST(the_title_says_how_it_ended),
        CLIENT_TEST(nothing_in_it_acts_or_comes_from_elsewhere),
        CLIENT_TEST(every_piece_stands_where_it_stands),
        CLIENT_TEST(a_drawing_is_there_once_and_only_where_it_is_used),
        CLIENT_TEST(the_last_move_is_shown_unless_it_is_not_wanted),
        CLIENT_TEST(a_king_in_check_glows),
        CLIENT_TEST(marks_and_arrows_have_their_colours),
        CLIENT_TEST(a_disc_marks_a_quiet_target_and_a_ring_a_capture),
        CLIENT_TEST(a_mark_is_seen_beside_a_selection),
        CLIENT_TEST(a_dashed_line_leads_to_the_two_squares_of_a_pawn),
        CLIENT_TEST(en_passant_is_a_capture_on_an_empty_square),
        CLIENT_TEST(castling_is_shown_at_the_king_or_in_chess960_at_the_rook),
        CLIENT_TEST(promotions_to_one_square_are_one_target),
        CLIENT_TEST(what_cannot_move_has_no_targets),
        CLIENT_TEST(themes_have_their_own_colours),
        CLIENT_TEST(lines_are_never_thinner_than_a_pixel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
