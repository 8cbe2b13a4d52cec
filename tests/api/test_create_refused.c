/* POST /v1/games: fields that are not known, values that are none, limits at the edge and one beyond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

static void what_is_not_known_is_refused_with_the_nearest_name(void **state)
{
    static const struct {
        const char *json, *pointer, *field, *nearest;
    } rows[] = {
        {"{\"fem\":\"\"}", "\"/fem\"", "\"fem\"", "\"fen\""},
        {"{\"whit\":{}}", "\"/whit\"", "\"whit\"", "\"white\""},
        {"{\"white\":{\"nmae\":\"A\"}}", "\"/white/nmae\"", "\"nmae\"", "\"name\""},
        {"{\"rules\":{\"five_fold\":true}}", "\"/rules/five_fold\"", "\"five_fold\"", "\"fivefold\""},
        {"{\"rules\":{\"autoclaim\":[]}}", "\"/rules/autoclaim\"", "\"autoclaim\"", "\"auto_claim\""},
        {"{\"a/b~c\":1}", "\"/a~1b~0c\"", "\"a/b~c\"", "null"},
        {"{\"Fen\":\"x\"}", "\"/Fen\"", "\"Fen\"", "\"fen\""},
        {"{\"png\":\"1. e4 *\"}", "\"/png\"", "\"png\"", "\"pgn\""},
        {"{\"clok\":\"300+3\"}", "\"/clok\"", "\"clok\"", "\"clock\""},
        {"{\"clock\":{\"initial\":1}}", "\"/clock/initial\"", "\"initial\"", "\"initial_ms\""},
        {"{\"clock\":{\"stages\":[{\"time_ms\":1,\"move\":4}]}}", "\"/clock/stages/0/move\"", "\"move\"",
         "\"moves\""},
        {"{\"rules\":{\"take_back\":\"free\"}}", "\"/rules/take_back\"", "\"take_back\"", "\"takeback\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].json);
        const struct answer *answer = match_send(*state, "POST", "/v1/games", rows[i].json);
        assert_problem(answer, 400, "unknown-field");
        assert_json(answer, "pointer", rows[i].pointer);
        assert_json(answer, "field", rows[i].field);
        if (rows[i].nearest)
            assert_json(answer, "nearest", rows[i].nearest);
    }
}

static void names_that_begin_with_x_are_for_the_client(void **state)
{
    assert_status(match_send(*state, "POST", "/v1/games?x_trace=1",
                             "{\"x_note\":[1,2],\"white\":{\"x_title\":\"GM\"},\"rules\":{\"x_\":0}}"),
                  201);
    assert_status(client_curl(*state, "/v1/games", "x_note=1&white.name=A"), 201);
}

static void a_query_parameter_that_is_not_known_is_refused_too(void **state)
{
    const struct answer *answer = client_act(*state, "/v1/games?validate=true");
    assert_problem(answer, 400, "unknown-field");
    assert_json(answer, "parameter", "\"validate\"");
    answer = client_act(*state, "/v1/games?validate_only=maybe");
    assert_problem(answer, 400, "invalid-parameter");
    assert_json(answer, "parameter", "\"validate_only\"");
}

/* Nobody has a token of an open game, so nobody could read it. */
static void an_open_game_cannot_be_private(void **state)
{
    static const char JSON[] = "{\"visibility\":\"private\"}";
    const char *id = match_new(*state);
    const struct answer *answers[] = {match_send(*state, "POST", "/v1/games", JSON),
                                      client_curl(*state, "/v1/games", "visibility=private"),
                                      match_send(*state, "PATCH", match_path(id, ""), JSON)};
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        assert_problem(answers[i], 400, "invalid-parameter");
        assert_json(answers[i], "pointer", "\"/visibility\"");
        assert_non_null(strstr(answer_text(answers[i], "detail"), "private needs access"));
    }
    assert_match_at(*state, id, 1, 0);
}

static void query_and_body_must_agree_on_validate_only(void **state)
{
    const struct answer *answer =
        match_send(*state, "POST", "/v1/games?validate_only=true", "{\"validate_only\":false}");
    assert_problem(answer, 400, "invalid-parameter");
    assert_json(answer, "pointer", "\"/validate_only\"");
    assert_problem(match_send(*state, "POST", "/v1/games?validate_only=false", "{\"validate_only\":true}"),
                   400, "invalid-parameter");
    assert_status(match_send(*state, "POST", "/v1/games?validate_only", "{\"validate_only\":true}"), 200);
}

static void names_of_a_form_that_are_none_are_unknown_fields(void **state)
{
    const char *id = match_new(*state);
    static const char *const names[] = {"white[name]", "white%5Bname%5D", "m\u00f8ve", "Move"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char form[64];
        (void)snprintf(form, sizeof form, "%s=e5", names[i]);
        assert_problem(client_curl(*state, "/v1/games", form), 400, "unknown-field");
        assert_problem(client_curl(*state, match_path(id, "/moves"), form), 400, "unknown-field");
    }
}

static void values_of_the_wrong_kind_are_refused_with_their_place(void **state)
{
    static const struct {
        const char *json, *pointer;
    } rows[] = {
        {"{\"fen\":1}", "\"/fen\""},
        {"{\"fen\":null}", "\"/fen\""},
        {"{\"fen\":\"\"}", "\"/fen\""},
        {"{\"moves\":\"e4 e5\"}", "\"/moves\""},
        {"{\"moves\":[\"e4\",5]}", "\"/moves/1\""},
        {"{\"chess960_number\":960}", "\"/chess960_number\""},
        {"{\"chess960_number\":-1}", "\"/chess960_number\""},
        {"{\"chess960_number\":1.5}", "\"/chess960_number\""},
        {"{\"chess960_number\":\"5\"}", "\"/chess960_number\""},
        {"{\"chess960_number\":5,\"variant\":\"standard\"}", "\"/variant\""},
        {"{\"fen\":\"6k1/8/8/8/8/8/8/1RK4R w BH - 0 1\",\"variant\":\"standard\"}", "\"/variant\""},
        {"{\"chess960_number\":5,\"fen\":\"8/8/8/8/8/8/8/8\"}", "\"/chess960_number\""},
        {"{\"variant\":\"atomic\"}", "\"/variant\""},
        {"{\"access\":\"seat\"}", "\"/access\""},
        {"{\"visibility\":\"secret\"}", "\"/visibility\""},
        {"{\"white\":\"Anna\"}", "\"/white\""},
        {"{\"white\":null}", "\"/white\""},
        {"{\"white\":{\"name\":7}}", "\"/white/name\""},
        {"{\"rules\":[]}", "\"/rules\""},
        {"{\"rules\":{\"profile\":\"FIDE\"}}", "\"/rules/profile\""},
        {"{\"rules\":{\"auto_claim\":\"fifty_moves\"}}", "\"/rules/auto_claim\""},
        {"{\"rules\":{\"auto_claim\":[\"fifty\"]}}", "\"/rules/auto_claim/0\""},
        {"{\"rules\":{\"fivefold\":\"true\"}}", "\"/rules/fivefold\""},
        {"{\"rules\":{\"dead_position\":\"proven\"}}", "\"/rules/dead_position\""},
        {"{\"rules\":{\"draw_offers\":\"never\"}}", "\"/rules/draw_offers\""},
        {"{\"rules\":{\"draw_offers_from_move\":-1}}", "\"/rules/draw_offers_from_move\""},
        {"{\"rules\":{\"draw_offers_from_move\":1001}}", "\"/rules/draw_offers_from_move\""},
        {"{\"rules\":{\"takeback\":true}}", "\"/rules/takeback\""},
        {"{\"rules\":{\"claim_penalty_ms\":null}}", "\"/rules/claim_penalty_ms\""},
        {"{\"rules\":{\"claim_penalty_ms\":2678400001}}", "\"/rules/claim_penalty_ms\""},
        {"{\"rules\":{\"abandon_after_ms\":0}}", "\"/rules/abandon_after_ms\""},
        {"{\"rules\":{\"abandon_after_ms\":2678400001}}", "\"/rules/abandon_after_ms\""},
        {"{\"rules\":{\"move_limit\":0}}", "\"/rules/move_limit\""},
        {"{\"rules\":{\"move_limit\":10001}}", "\"/rules/move_limit\""},
        {"{\"rules\":{\"failed_claim\":true}}", "\"/rules/failed_claim\""},
        {"{\"metadata\":[]}", "\"/metadata\""},
        {"{\"metadata\":\"{}\"}", "\"/metadata\""},
        {"{\"validate_only\":1}", "\"/validate_only\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].json);
        const struct answer *answer = match_send(*state, "POST", "/v1/games", rows[i].json);
        assert_problem(answer, 400, "invalid-parameter");
        assert_json(answer, "pointer", rows[i].pointer);
    }
    assert_json(client_get(*state, "/v1/games"), "data", "[]");
}

static void bodies_that_cannot_be_read_are_malformed(void **state)
{
    static const char *const rows[] = {
        "{", "[]", "\"e4\"", "{\"a\":1,}", "{\"fen\":\"\\ud800\"}", "{\"white\":{},\"white\":{}}"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i]);
        assert_problem(match_send(*state, "POST", "/v1/games", rows[i]), 400, "malformed-request");
    }
}

static void other_types_are_told_what_is_taken(void **state)
{
    static const char *const types[] = {"application/xml", "application/x-ndjson", "image/png"};
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        const struct answer *answer = client_post(*state, "/v1/games", types[i], "<a/>");
        assert_problem(answer, 415, "unsupported-media-type");
        assert_string_equal(answer_header(answer, "Accept-Post"),
                            "application/json, application/x-www-form-urlencoded, text/plain, "
                            "application/vnd.chess-pgn");
    }
}

static void a_name_has_sixty_four_bytes_at_most(void **state)
{
    static const struct {
        const char *label, *letter;
        int count;
        unsigned status;
    } rows[] = {
        {"64 letters", "a", 64, 201},
        {"65 letters", "a", 65, 400},
        {"32 letters of two bytes", "\xC3\xA9", 32, 201},
        {"33 letters of two bytes", "\xC3\xA9", 33, 400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[256];
        int put = snprintf(body, sizeof body, "{\"white\":{\"name\":\"");
        for (int n = 0; n < rows[i].count; n++)
            put += snprintf(body + put, sizeof body - (size_t)put, "%s", rows[i].letter);
        (void)snprintf(body + put, sizeof body - (size_t)put, "\"}}");
        print_message("%s\n", rows[i].label);
        const struct answer *answer = match_send(*state, "POST", "/v1/games", body);
        assert_status(answer, rows[i].status);
        if (rows[i].status == 400)
            assert_json(answer, "pointer", "\"/white/name\"");
    }
}

static unsigned create_with_metadata(struct client *client, size_t bytes)
{
    static char body[8192];
    int put = snprintf(body, sizeof body, "{\"metadata\": {\"a\": \"");
    memset(body + put, 'x', bytes - strlen("{\"a\":\"\"}"));
    (void)snprintf(body + put + bytes - strlen("{\"a\":\"\"}"), 16, "\"}}");
    return match_send(client, "POST", "/v1/games", body)->status;
}

static void metadata_has_four_kilobytes_at_most_without_its_blanks(void **state)
{
    assert_int_equal(create_with_metadata(*state, 4096), 201);
    assert_int_equal(create_with_metadata(*state, 4097), 400);
}

/* Knights go out and home; with fivefold off this can go on. */
static char *shuffle(unsigned moves)
{
    static const char *const steps[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    char *body = malloc(64 + (size_t)moves * 8);
    assert_non_null(body);
    size_t put = (size_t)sprintf(body, "{\"rules\":{\"fivefold\":false,\"seventyfive\":false},\"moves\":[");
    for (unsigned i = 0; i < moves; i++)
        put += (size_t)sprintf(body + put, "%s\"%s\"", i ? "," : "", steps[i % 4]);
    (void)sprintf(body + put, "]}");
    return body;
}

static void a_request_has_a_thousand_moves_at_most(void **state)
{
    char *body = shuffle(1000);
    const struct answer *answer = match_send(*state, "POST", "/v1/games", body);
    free(body);
    assert_status(answer, 201);
    assert_json(answer, "ply", "1000");
    assert_json(answer, "version", "1001");
    assert_json(answer, "repetition_count", "251");
    body = shuffle(1001);
    answer = match_send(*state, "POST", "/v1/games", body);
    free(body);
    assert_problem(answer, 400, "invalid-parameter");
    assert_json(answer, "pointer", "\"/moves\"");
}

static void a_game_has_no_more_plies_than_its_limit(void **state)
{
    (void)state;
    struct client *client = client_open(&(struct client_options){.plies_limit = 100});
    char *body = shuffle(101);
    const struct answer *answer = match_send(client, "POST", "/v1/games", body);
    free(body);
    assert_problem(answer, 422, "too-expensive");
    assert_json(answer, "index", "100");
    assert_json(answer, "pointer", "\"/moves/100\"");
    assert_json(answer, "limit", "100");
    assert_false(answer_has(answer, "game"));
    body = shuffle(100);
    const char *id = match_new_json(client, body);
    free(body);
    answer = client_curl(client, match_path(id, "/moves"), "Nf3");
    assert_problem(answer, 422, "too-expensive");
    assert_json(answer, "game.ply", "100");
    assert_match_at(client, id, 101, 100);
    client_close(client);
}

static void a_body_without_a_pgn_has_sixty_four_kilobytes_at_most(void **state)
{
    enum { LIMIT = 65536 };
    const char *id = match_new(*state);
    char *body = malloc(LIMIT + 2);
    assert_non_null(body);
    memset(body, ' ', LIMIT + 1);
    body[0] = '{';
    body[1] = '"';
    memcpy(body + 2, "x_a\":\"", 6);
    memset(body + 8, 'a', LIMIT + 1 - 8);
    body[LIMIT - 2] = '"';
    body[LIMIT - 1] = '}';
    body[LIMIT] = '\0';
    assert_status(match_send(*state, "POST", match_path(id, "/fork"), body), 201);
    body[LIMIT - 2] = 'a';
    body[LIMIT - 1] = '"';
    body[LIMIT] = '}';
    body[LIMIT + 1] = '\0';
    assert_problem(match_send(*state, "POST", match_path(id, "/fork"), body), 413, "payload-too-large");
    free(body);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(what_is_not_known_is_refused_with_the_nearest_name),
        CLIENT_TEST(names_that_begin_with_x_are_for_the_client),
        CLIENT_TEST(a_query_parameter_that_is_not_known_is_refused_too),
        CLIENT_TEST(an_open_game_cannot_be_private),
        CLIENT_TEST(query_and_body_must_agree_on_validate_only),
        CLIENT_TEST(names_of_a_form_that_are_none_are_unknown_fields),
        CLIENT_TEST(values_of_the_wrong_kind_are_refused_with_their_place),
        CLIENT_TEST(bodies_that_cannot_be_read_are_malformed),
        CLIENT_TEST(other_types_are_told_what_is_taken),
        CLIENT_TEST(a_name_has_sixty_four_bytes_at_most),
        CLIENT_TEST(metadata_has_four_kilobytes_at_most_without_its_blanks),
        CLIENT_TEST(a_request_has_a_thousand_moves_at_most),
        CLIENT_TEST(a_body_without_a_pgn_has_sixty_four_kilobytes_at_most),
        cmocka_unit_test(a_game_has_no_more_plies_than_its_limit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
