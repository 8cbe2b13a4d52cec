/* How a move may be said: bare bodies as curl sends them, forms, JSON, squares, promotions, castling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define FORM      "application/x-www-form-urlencoded"
#define PROMOTING "1n5k/P7/8/8/8/8/7P/4K3 w - - 0 1"
#define CASTLING  "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"

struct said {
    const char *label, *fen, *type, *body, *san;
};

static void assert_said(struct client *client, const struct said *said)
{
    const char *id = said->fen ? match_new_fen(client, said->fen) : match_new(client);
    const struct answer *answer = client_post(client, match_path(id, "/moves.txt"), said->type, said->body);
    char expected[32];
    (void)snprintf(expected, sizeof expected, "%s\n", said->san);
    if (answer->status != 201 || strcmp(answer->body, expected) != 0)
        fail_msg("%s: expected %s, got %u %s", said->label, said->san, answer->status, answer->body);
}

static void a_bare_body_that_looks_like_a_move_is_the_move(void **state)
{
    static const struct said rows[] = {
        {"SAN as a form", NULL, FORM, "e4", "e4"},
        {"SAN as text", NULL, "text/plain", "e4", "e4"},
        {"SAN as text with a charset", NULL, "text/plain;charset=utf-8", "e4", "e4"},
        {"SAN without a type", NULL, NULL, "e4", "e4"},
        {"UCI as a form", NULL, FORM, "g1f3", "Nf3"},
        {"line end", NULL, NULL, "e4\n", "e4"},
        {"white space around", NULL, FORM, " \r\n\te4 \r\n", "e4"},
        {"promotion: not split at =", PROMOTING, FORM, "a8=Q", "a8=Q"},
        {"promotion with capture", PROMOTING, FORM, "axb8=N", "axb8=N"},
        {"unescaped plus is no blank", "7k/P7/8/8/8/8/8/4K3 w - - 0 1", FORM, "a8=Q+", "a8=Q+"},
        {"unescaped plus of a piece", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", FORM, "Ra8+", "Ra8+"},
        {"hash mark", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", FORM, "Ra8#", "Ra8#\n1-0 checkmate"},
        {"queen to h5 with a hash mark that is wrong", "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", FORM, "Qh5#",
         "Qh5+"},
        {"castling", CASTLING, FORM, "O-O", "O-O"},
        {"castling with zeros", CASTLING, FORM, "0-0-0", "O-O-O"},
        {"castling in small letters", CASTLING, FORM, "o-o", "O-O"},
        {"promotion in UCI", PROMOTING, FORM, "a7a8r", "a8=R"},
        {"promotion without the sign", PROMOTING, NULL, "a8Q", "a8=Q"},
        {"long form", NULL, FORM, "e2-e4", "e4"},
        {"needless marks", NULL, FORM, "e4!?", "e4"},
        {"a figurine", NULL, NULL,
         "\xE2\x99\x98"
         "f3",
         "Nf3"},
        {"a small piece letter", NULL, FORM, "nf3", "Nf3"},
        {"percent-escaped by curl", PROMOTING, FORM, "a8%3DQ", "a8=Q"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_said(*state, &rows[i]);
}

static void what_is_no_move_as_a_whole_is_read_by_its_type(void **state)
{
    static const struct said rows[] = {
        {"a form", NULL, FORM, "move=e4", "e4"},
        {"split at the first = only", PROMOTING, FORM, "move=a8=Q", "a8=Q"},
        {"unescaped plus leaves a blank that is dropped", "7k/P7/8/8/8/8/8/4K3 w - - 0 1", FORM, "move=a8=Q+",
         "a8=Q+"},
        {"escaped", PROMOTING, FORM, "move=a8%3DQ", "a8=Q"},
        {"hash mark in a form", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", FORM, "move=Ra8#",
         "Ra8#\n1-0 checkmate"},
        {"san", NULL, FORM, "san=Nf3", "Nf3"},
        {"uci", NULL, FORM, "uci=g1f3", "Nf3"},
        {"squares", NULL, FORM, "from=g1&to=f3", "Nf3"},
        {"squares and piece", PROMOTING, FORM, "from=a7&to=a8&promotion=n", "a8=N"},
        {"empty pairs", NULL, FORM, "move=e4&&x_ui=1", "e4"},
        {"JSON without a type", NULL, NULL, "{\"move\":\"e4\"}", "e4"},
        {"JSON as a form", NULL, FORM, " {\"move\":\"e4\"}\n", "e4"},
        {"JSON", NULL, "application/json", "{\"move\":\" e4 \",\"x_ui\":1}", "e4"},
        {"JSON san", NULL, "application/json", "{\"san\":\"e4\"}", "e4"},
        {"JSON uci", NULL, "application/json; charset=utf-8", "{\"uci\":\"e2e4\"}", "e4"},
        {"JSON squares", NULL, "application/json", "{\"from\":\"e2\",\"to\":\"e4\"}", "e4"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_said(*state, &rows[i]);
}

static void promotions_are_said_in_full_or_left_to_auto(void **state)
{
    static const struct {
        const char *query, *json, *san;
    } rows[] = {
        {"", "{\"move\":\"a8=R\"}", "a8=R"},
        {"", "{\"from\":\"a7\",\"to\":\"b8\",\"promotion\":\"b\"}", "axb8=B"},
        {"", "{\"from\":\"a7\",\"to\":\"b8\",\"promotion\":\"knight\"}", "axb8=N"},
        {"?promotion=auto", "{\"move\":\"a8\"}", "a8=Q+"},
        {"?promotion=auto", "{\"uci\":\"a7a8\"}", "a8=Q+"},
        {"?promotion=auto", "{\"from\":\"a7\",\"to\":\"a8\"}", "a8=Q+"},
        {"?promotion=auto", "{\"move\":\"a8=N\"}", "a8=N"},
        {"?promotion=auto", "{\"moves\":[\"a8\"]}", "a8=Q+"},
        {"?promotion=auto", "a8", "a8=Q+"},
        {"", "{\"move\":\"a8\",\"promotion\":\"auto\"}", "a8=Q+"},
        {"", "{\"from\":\"a7\",\"to\":\"a8\",\"promotion\":\"auto\"}", "a8=Q+"},
        {"?promotion=auto", "{\"move\":\"Ke2\"}", "Ke2"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char target[64], expected[64];
        const char *id = match_new_fen(*state, "1n4k1/P7/8/8/8/8/8/4K3 w - - 0 1");
        (void)snprintf(target, sizeof target, "/moves.txt%s", rows[i].query);
        (void)snprintf(expected, sizeof expected, "%s\n", rows[i].san);
        print_message("%s %s\n", rows[i].query, rows[i].json);
        const struct answer *answer = client_post(*state, match_path(id, target), NULL, rows[i].json);
        assert_status(answer, 201);
        assert_int_equal(strncmp(answer->body, rows[i].san, strcspn(rows[i].san, "+")), 0);
    }
    const char *id = match_new_fen(*state, PROMOTING);
    const struct answer *answer =
        match_send(*state, "PUT", match_path(id, "/moves/1?promotion=auto"), "{\"move\":\"axb8\"}");
    assert_status(answer, 201);
    assert_json(answer, "move.promotion", "\"queen\"");
}

static void a_missing_promotion_piece_lists_the_four_choices(void **state)
{
    static const char *const bodies[] = {"{\"move\":\"a8\"}", "{\"uci\":\"a7a8\"}",
                                         "{\"from\":\"a7\",\"to\":\"a8\"}"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const char *id = match_new_fen(*state, "1n4k1/P7/8/8/8/8/8/4K3 w - - 0 1");
        const struct answer *answer = match_post(*state, id, "/moves", bodies[i]);
        assert_problem(answer, 422, "illegal-move");
        assert_json(answer, "reason", "\"promotion_missing\"");
        assert_int_equal(answer_count(answer, "alternatives"), 4);
        char choices[32] = "";
        for (int n = 0; n < 4; n++) {
            char path[64];
            (void)snprintf(path, sizeof path, "alternatives.%d.uci", n);
            strncat(choices, answer_text(answer, path), 5);
        }
        assert_non_null(strstr(choices, "a7a8q"));
        assert_non_null(strstr(choices, "a7a8r"));
        assert_non_null(strstr(choices, "a7a8b"));
        assert_non_null(strstr(choices, "a7a8n"));
        assert_match_at(*state, id, 1, 0);
    }
}

static void a_promotion_that_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *body, *code, *reason;
    } rows[] = {
        {"{\"move\":\"a8=K\"}", "illegal-move", "\"promotion_not_allowed\""},
        {"{\"move\":\"a8=P\"}", "illegal-move", "\"promotion_not_allowed\""},
        {"{\"move\":\"Ke2=Q\"}", "illegal-move", "\"promotion_not_allowed\""},
        {"{\"from\":\"e1\",\"to\":\"e2\",\"promotion\":\"q\"}", "illegal-move", "\"promotion_not_allowed\""},
    };
    const char *id = match_new_fen(*state, PROMOTING);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].body);
        const struct answer *answer = match_post(*state, id, "/moves", rows[i].body);
        assert_problem(answer, 422, rows[i].code);
        assert_json(answer, "reason", rows[i].reason);
    }
    assert_match_at(*state, id, 1, 0);
}

/* ---- one way to say it ---- */

static void a_move_is_said_in_exactly_one_way(void **state)
{
    static const struct {
        const char *body, *code, *pointer;
    } rows[] = {
        {NULL, "invalid-parameter", "\"/move\""},
        {"{}", "invalid-parameter", "\"/move\""},
        {"{\"ply\":1}", "invalid-parameter", "\"/move\""},
        {"{\"move\":\"e4\",\"san\":\"e4\"}", "invalid-parameter", "\"/move\""},
        {"{\"uci\":\"e2e4\",\"from\":\"e2\",\"to\":\"e4\"}", "invalid-parameter", "\"/move\""},
        {"{\"move\":\"e4\",\"moves\":[\"e4\"]}", "invalid-parameter", "\"/move\""},
        {"{\"from\":\"e2\"}", "invalid-parameter", "\"/to\""},
        {"{\"to\":\"e4\"}", "invalid-parameter", "\"/from\""},
        {"{\"from\":\"e2\",\"to\":\"e9\"}", "invalid-parameter", "\"/to\""},
        {"{\"move\":\"e4\",\"promotion\":\"q\"}", "invalid-parameter", "\"/promotion\""},
        {"{\"from\":\"e2\",\"to\":\"e4\",\"promotion\":\"k\"}", "invalid-parameter", "\"/promotion\""},
        {"{\"move\":5}", "invalid-parameter", "\"/move\""},
        {"{\"move\":null}", "invalid-parameter", "\"/move\""},
        {"{\"move\":[\"e4\"]}", "invalid-parameter", "\"/move\""},
        {"{\"move\":\"e4\",\"ply\":0}", "invalid-parameter", "\"/ply\""},
        {"{\"move\":\"e4\",\"ply\":\"1\"}", "invalid-parameter", "\"/ply\""},
        {"{\"move\":\"e4\",\"ply\":1.5}", "invalid-parameter", "\"/ply\""},
        {"{\"move\":\"e4\",\"ply\":20001}", "invalid-parameter", "\"/ply\""},
        {"{\"move\":\"e4\",\"notation\":\"loose\"}", "invalid-parameter", "\"/notation\""},
        {"{\"moves\":[\"e4\"],\"comment\":\"x\"}", "invalid-parameter", "\"/comment\""},
        {"{\"move\":\"e4\",\"comment\":\"a\\u001b[31m\"}", "invalid-parameter", "\"/comment\""},
        {"{\"move\":\"e4\",\"comment\":\"a\\u202eb\"}", "invalid-parameter", "\"/comment\""},
        {"{\"move\":\"e4\",\"comment\":\"[%clk 9:59:59] hi\"}", "invalid-parameter", "\"/comment\""},
        {"{\"move\":\"e4\",\"comment\":\"hi [%EMT 0:00:01]\"}", "invalid-parameter", "\"/comment\""},
        {"{\"move\":\"e4\",\"plu\":1}", "unknown-field", "\"/plu\""},
        {"{\"mvoe\":\"e4\"}", "unknown-field", "\"/mvoe\""},
        {"{\"move\":\"e4\",\"offer_draw\":true}", "unknown-field", "\"/offer_draw\""},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].body ? rows[i].body : "no body");
        const struct answer *answer = match_send(*state, "POST", match_path(id, "/moves"), rows[i].body);
        assert_problem(answer, 400, rows[i].code);
        assert_json(answer, "pointer", rows[i].pointer);
    }
    assert_json(match_post(*state, id, "/moves", "{\"mvoe\":\"e4\"}"), "nearest", "\"move\"");
    assert_match_at(*state, id, 1, 0);
}

static void forms_that_cannot_be_read_are_malformed(void **state)
{
    static const char *const bodies[] = {"move=e4&move=e5", "move=%zz", "move=%ff", "move=a%00"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        print_message("%s\n", bodies[i]);
        assert_problem(client_curl(*state, match_path(id, "/moves"), bodies[i]), 400, "malformed-request");
    }
    assert_problem(client_post(*state, match_path(id, "/moves"), "text/plain", "\xFF\xFE"), 400,
                   "malformed-request");
}

static void texts_that_are_no_move_are_unparseable_with_the_place(void **state)
{
    static const char *const bodies[] = {"hello", "e9", "e4 e5", "1. e4", "Xf3", "=", "e4&ply=2", "-"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        print_message("%s\n", bodies[i]);
        const struct answer *answer = client_curl(*state, match_path(id, "/moves"), bodies[i]);
        assert_problem(answer, 400, "unparseable-move");
        assert_true(answer_integer(answer, "offset") >= 0);
        assert_json(answer, "game.ply", "0");
    }
    char length[520];
    memset(length, 'N', sizeof length - 1);
    length[512] = '\0';
    assert_problem(client_curl(*state, match_path(id, "/moves"), length), 400, "unparseable-move");
    assert_match_at(*state, id, 1, 0);
}

static void other_types_are_refused_with_those_that_are_read(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = client_post(*state, match_path(id, "/moves"), "application/xml", "<e4/>");
    assert_problem(answer, 415, "unsupported-media-type");
    assert_string_equal(answer_header(answer, "Accept-Post"),
                        "application/json, application/x-www-form-urlencoded, text/plain");
    assert_problem(client_post(*state, match_path(id, "/moves"), "text/plain; charset=latin1", "e4"), 415,
                   "unsupported-media-type");
    assert_problem(client_post(*state, match_path(id, "/moves"), "application/vnd.chess-pgn", "1. e4 *"), 415,
                   "unsupported-media-type");
}

static void strict_notation_takes_only_what_we_write(void **state)
{
    static const struct {
        const char *move;
        unsigned status;
    } rows[] = {{"Nf3", 201}, {"g1f3", 201}, {"nf3", 422}, {"Ngf3", 422}, {"Nf3+", 422}, {"G1F3", 422}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[64];
        const char *id = match_new(*state);
        (void)snprintf(body, sizeof body, "{\"move\":\"%s\",\"notation\":\"strict\"}", rows[i].move);
        print_message("%s\n", rows[i].move);
        const struct answer *answer = match_post(*state, id, "/moves", body);
        if (rows[i].status == 201)
            assert_status(answer, 201);
        else
            assert_true(answer->status == 422 || answer->status == 400);
    }
}

/* ---- castling ---- */

static void castling_is_read_in_every_spelling(void **state)
{
    static const char *const kingside[] = {"O-O", "0-0", "o-o", "e1g1", "e1h1", "O-O+"};
    static const char *const queenside[] = {"O-O-O", "0-0-0", "o-o-o", "e1c1", "e1a1"};
    for (size_t i = 0; i < 11; i++) {
        bool king = i < 6;
        const char *id = match_new_fen(*state, CASTLING);
        const struct answer *answer =
            client_curl(*state, match_path(id, "/moves"), king ? kingside[i] : queenside[i - 6]);
        assert_status(answer, 201);
        assert_json(answer, "move.san", king ? "\"O-O\"" : "\"O-O-O\"");
        assert_json(answer, "move.uci", king ? "\"e1g1\"" : "\"e1c1\"");
        assert_json(answer, "move.castling", king ? "\"kingside\"" : "\"queenside\"");
        assert_json(answer, "move.rook",
                    king ? "{\"from\":\"h1\",\"to\":\"f1\"}" : "{\"from\":\"a1\",\"to\":\"d1\"}");
    }
}

static void chess960_castles_by_king_takes_rook(void **state)
{
    /* King f1, rooks b1 and g1: kingside only the rook and king change places nearly. */
    static const char FEN[] = "{\"variant\":\"chess960\",\"fen\":\"4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1\"}";
    static const struct {
        const char *move, *uci, *castling, *to, *rook;
    } rows[] = {
        {"O-O", "\"f1g1\"", "\"kingside\"", "\"g1\"", "{\"from\":\"g1\",\"to\":\"f1\"}"},
        {"f1g1", "\"f1g1\"", "\"kingside\"", "\"g1\"", "{\"from\":\"g1\",\"to\":\"f1\"}"},
        {"0-0-0", "\"f1b1\"", "\"queenside\"", "\"c1\"", "{\"from\":\"b1\",\"to\":\"d1\"}"},
        {"f1b1", "\"f1b1\"", "\"queenside\"", "\"c1\"", "{\"from\":\"b1\",\"to\":\"d1\"}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = match_new_json(*state, FEN);
        const struct answer *answer = client_curl(*state, match_path(id, "/moves"), rows[i].move);
        assert_status(answer, 201);
        assert_json(answer, "move.uci", rows[i].uci);
        assert_json(answer, "move.castling", rows[i].castling);
        assert_json(answer, "move.to", rows[i].to);
        assert_json(answer, "move.rook", rows[i].rook);
        client_forget(*state);
        assert_json(match_get(*state, id, "/moves"), "data.0.uci", rows[i].uci);
    }
    const char *id = match_new_json(*state, FEN);
    assert_problem(client_curl(*state, match_path(id, "/moves"), "f1c1"), 422, "illegal-move");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_bare_body_that_looks_like_a_move_is_the_move),
        CLIENT_TEST(what_is_no_move_as_a_whole_is_read_by_its_type),
        CLIENT_TEST(promotions_are_said_in_full_or_left_to_auto),
        CLIENT_TEST(a_missing_promotion_piece_lists_the_four_choices),
        CLIENT_TEST(a_promotion_that_cannot_be_is_refused),
        CLIENT_TEST(a_move_is_said_in_exactly_one_way),
        CLIENT_TEST(forms_that_cannot_be_read_are_malformed),
        CLIENT_TEST(texts_that_are_no_move_are_unparseable_with_the_place),
        CLIENT_TEST(other_types_are_refused_with_those_that_are_read),
        CLIENT_TEST(strict_notation_takes_only_what_we_write),
        CLIENT_TEST(castling_is_read_in_every_spelling),
        CLIENT_TEST(chess960_castles_by_king_takes_rook),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
