/* POST /v1/games: every way in which a game comes into being, and every way in which it does not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

static void assert_no_games(struct client *client)
{
    assert_json(client_get(client, "/v1/games"), "data", "[]");
}

static void an_empty_body_makes_the_usual_game_with_every_member_of_its_shape(void **state)
{
    const struct answer *answer = client_act(*state, "/v1/games");
    static const struct member MEMBERS[] = {
        {"id", NULL},
        {"url", NULL},
        {"version", "1"},
        {"variant", "\"standard\""},
        {"chess960_number", "null"},
        {"initial_fen", "\"" START_FEN "\""},
        {"status", "\"active\""},
        {"result", "\"*\""},
        {"winner", "null"},
        {"termination", "null"},
        {"termination_detail", "null"},
        {"ended_at", "null"},
        {"fen", "\"" START_FEN "\""},
        {"turn", "\"white\""},
        {"ply", "0"},
        {"check", "false"},
        {"legal_move_count", "20"},
        {"halfmove_clock", "0"},
        {"repetition_count", "1"},
        {"position_key", NULL},
        {"last_move", "null"},
        {"white", "{\"name\":null,\"taken\":false}"},
        {"black", "{\"name\":null,\"taken\":false}"},
        {"access", "\"open\""},
        {"visibility", "\"public\""},
        {"rules", NULL},
        {"clock", "null"},
        {"draw", "{\"offered_by\":null,\"offered_at_ply\":null,\"now\":[],\"with_move_count\":0}"},
        {"takeback", "null"},
        {"metadata", "{}"},
        {"created_at", "\"2026-01-02T03:04:05.678Z\""},
        {"updated_at", "\"2026-01-02T03:04:05.678Z\""},
        {"links", NULL},
    };
    assert_status(answer, 201);
    ASSERT_MEMBERS(answer, "", MEMBERS);
    const char *id = answer_text(answer, "id");
    assert_int_equal(strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789"), 12);
    assert_int_equal(strlen(id), 12);
    assert_int_equal(strspn(answer_text(answer, "position_key"), "0123456789abcdef"), 16);
    assert_string_equal(answer_text(answer, "url") + strlen("http://127.0.0.1:8080"), match_path(id, ""));
    assert_string_equal(answer_text(answer, "links.self"), match_path(id, ""));
    assert_string_equal(answer_header(answer, "Location"), match_path(id, ""));
    assert_string_equal(answer_header(answer, "ETag"), "\"v1\"");
    assert_string_equal(answer_header(answer, "Content-Type"), "application/json");
}

static void every_link_of_a_game_leads_somewhere(void **state)
{
    const struct answer *answer = client_act(*state, "/v1/games");
    const cJSON *link;
    assert_true(answer_count(answer, "links") >= 4);
    cJSON_ArrayForEach(link, answer_at(answer, "links"))
    {
        assert_status(client_get(*state, link->valuestring), 200);
    }
}

static void the_rules_follow_the_profile_and_are_echoed(void **state)
{
    static const struct member FIDE[] = {
        {"profile", "\"fide\""},        {"auto_claim", "[]"},           {"fivefold", "true"},
        {"seventyfive", "true"},        {"dead_position", "\"exact\""}, {"failed_claim", "\"offer\""},
        {"claim_penalty_ms", "120000"}, {"draw_offers", "\"anytime\""}, {"draw_offers_from_move", "null"},
        {"takeback", "\"consent\""},    {"abandon_after_ms", "null"},   {"move_limit", "null"},
    };
    static const struct member ONLINE[] = {
        {"profile", "\"online\""},
        {"auto_claim", "[\"threefold_repetition\",\"fifty_moves\"]"},
        {"fivefold", "true"},
        {"seventyfive", "true"},
        {"dead_position", "\"exact\""},
        {"failed_claim", "\"refuse\""},
        {"claim_penalty_ms", "120000"},
        {"draw_offers", "\"anytime\""},
        {"draw_offers_from_move", "null"},
        {"takeback", "\"consent\""},
        {"abandon_after_ms", "null"},
        {"move_limit", "null"},
    };
    static const struct member MIXED[] = {
        {"profile", "\"online\""}, {"auto_claim", "[\"fifty_moves\"]"}, {"fivefold", "false"},
        {"seventyfive", "false"},  {"dead_position", "\"off\""},        {"failed_claim", "\"offer\""},
        {"claim_penalty_ms", "0"}, {"draw_offers", "\"with_move\""},    {"draw_offers_from_move", "30"},
        {"takeback", "\"free\""},  {"abandon_after_ms", "2678400000"},  {"move_limit", "10000"},
    };
    const char *id = match_new(*state);
    ASSERT_MEMBERS(match_get(*state, id, ""), "rules", FIDE);
    id = match_new_json(*state, "{\"rules\":{\"profile\":\"online\"}}");
    ASSERT_MEMBERS(match_get(*state, id, ""), "rules", ONLINE);
    id = match_new_json(*state, "{\"rules\":{\"fivefold\":false,\"seventyfive\":false,\"profile\":\"online\","
                                "\"auto_claim\":[\"fifty_moves\"],\"failed_claim\":\"offer\","
                                "\"dead_position\":\"off\",\"claim_penalty_ms\":0,"
                                "\"draw_offers\":\"with_move\",\"draw_offers_from_move\":30,"
                                "\"takeback\":\"free\",\"abandon_after_ms\":2678400000,"
                                "\"move_limit\":10000}}");
    ASSERT_MEMBERS(match_get(*state, id, ""), "rules", MIXED);
    client_forget(*state);
    ASSERT_MEMBERS(match_get(*state, id, ""), "rules", MIXED);
    id = match_new_json(*state, "{\"rules\":{\"draw_offers_from_move\":null,\"abandon_after_ms\":null,"
                                "\"move_limit\":null}}");
    ASSERT_MEMBERS(match_get(*state, id, ""), "rules", FIDE);
    id = match_new_json(*state, "{\"rules\":{\"profile\":\"online\",\"auto_claim\":[]}}");
    assert_json(match_get(*state, id, ""), "rules.auto_claim", "[]");
    client_forget(*state);
    assert_json(match_get(*state, id, ""), "rules.profile", "\"online\"");
    assert_json(match_get(*state, id, ""), "rules.auto_claim", "[]");
}

static void names_metadata_and_visibility_are_kept_over_a_restart(void **state)
{
    const char *id = match_new_json(
        *state,
        "{\"white\":{\"name\":\"M\\u00fcller\"},\"black\":{\"name\":null},\"visibility\":\"unlisted\","
        "\"metadata\":{\"round\": 3, \"board\": [1, 2.50, \"x\"], \"big\": 12345678901234567890}}");
    for (int i = 0; i < 2; i++) {
        const struct answer *answer = match_get(*state, id, "");
        assert_string_equal(answer_text(answer, "white.name"), "Müller");
        assert_true(answer_is_null(answer, "black.name"));
        assert_string_equal(answer_text(answer, "visibility"), "unlisted");
        assert_non_null(strstr(answer->body, "\"metadata\":{\"round\":3,\"board\":[1,2.50,\"x\"],"
                                             "\"big\":12345678901234567890}"));
        client_forget(*state);
    }
}

static void a_form_says_the_same_as_json(void **state)
{
    const struct answer *answer =
        client_curl(*state, "/v1/games",
                    "white.name=Anna+K.&black.name=&rules.profile=online&rules.fivefold=false&"
                    "moves=e4,e5+Nf3&visibility=unlisted&metadata={\"a\":1}");
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "white.name"), "Anna K.");
    assert_true(answer_is_null(answer, "black.name"));
    assert_string_equal(answer_text(answer, "rules.failed_claim"), "refuse");
    assert_false(answer_bool(answer, "rules.fivefold"));
    assert_int_equal(answer_integer(answer, "ply"), 3);
    assert_string_equal(answer_text(answer, "visibility"), "unlisted");
    assert_json(answer, "metadata", "{\"a\":1}");
}

static void an_object_nests_as_deep_in_a_form_as_in_json(void **state)
{
    unsigned levels =
        (unsigned)api_limits_default().json_depth - 2; /* of arrays: two objects are around them */
    for (unsigned more = 0; more <= 1; more++) {
        char arrays[200] = "", json[300], form[300];
        memset(arrays, '[', levels + more);
        memset(arrays + levels + more, ']', levels + more);
        (void)snprintf(json, sizeof json, "{\"metadata\":{\"a\":%s}}", arrays);
        (void)snprintf(form, sizeof form, "metadata={\"a\":%s}", arrays);
        assert_status(client_post(*state, "/v1/games", "application/json", json), more ? 400 : 201);
        const struct answer *answer = client_curl(*state, "/v1/games", form);
        assert_status(answer, more ? 400 : 201);
        if (more)
            assert_non_null(strstr(answer_text(answer, "detail"), "The nesting is too deep."));
    }
}

static void text_is_the_id_alone(void **state)
{
    const struct answer *answer = client_act(*state, "/v1/games.txt");
    assert_status(answer, 201);
    assert_int_equal(answer->length, 13);
    assert_string_equal(answer_header(answer, "ETag"), "\"v1.txt\"");
    assert_int_equal(strncmp(answer_header(answer, "Location") + strlen("/v1/games/"), answer->body, 12), 0);
    answer = match_ask_with(*state, "POST", "/v1/games", "Accept", "text/plain");
    assert_int_equal(answer->length, 13);
}

static void validate_only_checks_everything_and_makes_nothing(void **state)
{
    const struct answer *answer = client_act(*state, "/v1/games?validate_only=true");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Location"), "");
    assert_string_equal(answer_header(answer, "ETag"), "");
    assert_json(answer, "id", "null");
    assert_json(answer, "url", "null");
    assert_json(answer, "links", "{}");
    answer = match_send(*state, "POST", "/v1/games.txt?validate_only=true", "{\"moves\":[\"e4\"]}");
    assert_string_equal(answer->body, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n");
    /* openapi, info: in queries and forms a flag may stand alone */
    static const char *const flags[] = {"validate_only", "validate_only&moves=e4",
                                        "rules.fivefold&validate_only"};
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; i++)
        assert_status(client_curl(*state, "/v1/games", flags[i]), 200);
    answer = match_send(*state, "POST", "/v1/games", "{\"validate_only\":true,\"moves\":[\"e4\"]}");
    assert_status(answer, 200);
    assert_int_equal(answer_integer(answer, "ply"), 1);
    answer = match_send(*state, "POST", "/v1/games?validate_only=true", "{\"moves\":[\"e5\"]}");
    assert_problem(answer, 422, "illegal-move");
    assert_no_games(*state);
}

/* ---- positions ---- */

#define PROMOTING "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1"

static void a_bare_fen_is_read_however_it_is_sent(void **state)
{
    static const char FORM[] = "application/x-www-form-urlencoded";
    static const struct {
        const char *label, *type, *body;
    } rows[] = {
        {"blanks as a form", FORM, PROMOTING},
        {"underscores as a form", FORM, "8/4P1k1/8/8/8/8/8/4K3_w_-_-_0_1"},
        {"pluses as a form", FORM, "8/4P1k1/8/8/8/8/8/4K3+w+-+-+0+1"},
        {"escapes as a form", FORM, "8/4P1k1/8/8/8/8/8/4K3%20w%20-%20-%200%201"},
        {"escaped slashes as a form", FORM, "8%2F4P1k1%2F8%2F8%2F8%2F8%2F8%2F4K3+w+-+-+0+1"},
        {"a field of a form", FORM, "fen=8/4P1k1/8/8/8/8/8/4K3+w+-+-+0+1"},
        {"text", "text/plain", PROMOTING "\n"},
        {"text with a charset", "text/plain; charset=UTF-8", PROMOTING},
        {"underscores as text", "text/plain", "8/4P1k1/8/8/8/8/8/4K3_w_-_-_0_1"},
        {"no type", NULL, PROMOTING "\r\n"},
        {"no type, pluses", NULL, "8/4P1k1/8/8/8/8/8/4K3+w+-+-+0+1"},
        {"missing fields", FORM, "8/4P1k1/8/8/8/8/8/4K3"},
        {"missing fields but the side", NULL, "8/4P1k1/8/8/8/8/8/4K3 w"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct answer *answer = client_post(*state, "/v1/games", rows[i].type, rows[i].body);
        if (answer->status != 201 || strcmp(answer_text(answer, "initial_fen"), PROMOTING) != 0)
            fail_msg("%s: %u %s", rows[i].label, answer->status, answer->body);
    }
}

static void json_takes_the_fen_too_and_writes_it_normalised(void **state)
{
    const struct answer *answer =
        match_send(*state, "POST", "/v1/games",
                   "{\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b HAha e3 0 1\"}");
    assert_status(answer, 201);
    assert_string_equal(answer_text(answer, "initial_fen"),
                        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
    assert_string_equal(answer_text(answer, "turn"), "black");
}

static void a_finished_position_is_a_game_that_has_ended(void **state)
{
    static const struct {
        const char *label, *fen, *termination, *result, *article;
    } rows[] = {
        {"mate", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "\"checkmate\"", "\"1-0\"", "\"5.1.1\""},
        {"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "\"stalemate\"", "\"1/2-1/2\"", "\"5.2.1\""},
        {"bare kings", "7k/8/8/8/8/8/8/K7 w - - 0 1", "\"dead_position\"", "\"1/2-1/2\"", "\"5.2.2\""},
        {"150 half-moves", "7k/8/8/8/8/8/R7/K7 w - - 150 120", "\"seventyfive_moves\"", "\"1/2-1/2\"",
         "\"9.6.2\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].label);
        const struct answer *answer = client_post(*state, "/v1/games", NULL, rows[i].fen);
        assert_status(answer, 201);
        assert_json(answer, "status", "\"ended\"");
        assert_json(answer, "version", "1");
        assert_json(answer, "termination", rows[i].termination);
        assert_json(answer, "result", rows[i].result);
        assert_json(answer, "termination_detail.article", rows[i].article);
        assert_json(answer, "termination_detail.by", "null");
        assert_json(answer, "ended_at", "\"2026-01-02T03:04:05.678Z\"");
        assert_json(answer, "legal_move_count", "0");
    }
}

static void a_fen_that_cannot_be_read_names_its_faults(void **state)
{
    const struct answer *answer =
        match_send(*state, "POST", "/v1/games", "{\"fen\":\"8/8/8/9/8/8/8/8 w - -\"}");
    assert_problem(answer, 400, "invalid-fen");
    assert_json(answer, "pointer", "\"/fen\"");
    assert_string_equal(answer_text(answer, "faults.0.code"), "bad_field_1");
    assert_int_equal(answer_integer(answer, "faults.0.offset"), 6);
    answer = client_curl(*state, "/v1/games", "8/8/8/8/8/8/8/8 w - - 0 1");
    assert_problem(answer, 422, "illegal-position");
    assert_int_equal(answer_count(answer, "faults"), 2);
    answer = client_post(*state, "/v1/games", NULL, "hello");
    assert_problem(answer, 400, "invalid-fen");
    assert_no_games(*state);
}

/* ---- Chess960 ---- */

static void chess960_begins_by_number_by_fen_and_by_variant_alone(void **state)
{
    static const struct {
        const char *label, *json, *number, *fen;
    } rows[] = {
        {"the first", "{\"chess960_number\":0}", "0",
         "\"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\""},
        {"the last, variant said too", "{\"chess960_number\":959,\"variant\":\"chess960\"}", "959",
         "\"rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1\""},
        {"variant alone", "{\"variant\":\"chess960\"}", "518", "\"" START_FEN "\""},
        {"a FEN that is one of them",
         "{\"variant\":\"chess960\",\"fen\":\"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"}",
         "0", "\"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\""},
        {"a FEN that tells by itself",
         "{\"fen\":\"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"}", "0",
         "\"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\""},
        {"a FEN that is none of them",
         "{\"variant\":\"chess960\",\"fen\":\"6k1/8/8/8/8/8/8/1RK4R w BH - 0 1\"}", "null",
         "\"6k1/8/8/8/8/8/8/1RK4R w KQ - 0 1\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].label);
        const struct answer *answer = match_send(*state, "POST", "/v1/games", rows[i].json);
        assert_status(answer, 201);
        assert_json(answer, "variant", "\"chess960\"");
        assert_json(answer, "chess960_number", rows[i].number);
        assert_json(answer, "initial_fen", rows[i].fen);
        client_forget(*state);
        answer = match_get(*state, answer_text(answer, "id"), "");
        assert_json(answer, "variant", "\"chess960\"");
        assert_json(answer, "initial_fen", rows[i].fen);
    }
}

static void the_variant_can_be_said_in_the_query(void **state)
{
    const struct answer *answer = client_act(*state, "/v1/games?variant=chess960");
    assert_status(answer, 201);
    assert_json(answer, "variant", "\"chess960\"");
    answer = client_post(*state, "/v1/games?variant=chess960", NULL, "6k1/8/8/8/8/8/8/1RK4R w BH - 0 1");
    assert_status(answer, 201);
    assert_json(answer, "variant", "\"chess960\"");
    answer = match_send(*state, "POST", "/v1/games?variant=chess960", "{\"variant\":\"standard\"}");
    assert_problem(answer, 400, "invalid-parameter");
}

/* ---- moves ---- */

static void moves_at_creation_are_a_version_each(void **state)
{
    const struct answer *answer =
        match_send(*state, "POST", "/v1/games", "{\"moves\":[\"e4\",\"c7c5\",\" Nf3 \"]}");
    assert_status(answer, 201);
    assert_json(answer, "version", "4");
    assert_json(answer, "ply", "3");
    assert_json(answer, "last_move.san", "\"Nf3\"");
    assert_string_equal(answer_header(answer, "ETag"), "\"v4\"");
    assert_json(match_send(*state, "POST", "/v1/games", "{\"moves\":[]}"), "version", "1");
}

static void a_bad_move_at_creation_makes_no_game_and_names_its_index(void **state)
{
    const struct answer *answer =
        match_send(*state, "POST", "/v1/games", "{\"moves\":[\"e4\",\"e5\",\"Ke3\",\"d5\"]}");
    assert_problem(answer, 422, "illegal-move");
    assert_json(answer, "index", "2");
    assert_json(answer, "pointer", "\"/moves/2\"");
    assert_json(answer, "reason", "\"piece_cannot_reach\"");
    assert_false(answer_has(answer, "game"));
    answer = match_send(*state, "POST", "/v1/games", "{\"moves\":[\"e4\",\"hello\"]}");
    assert_problem(answer, 400, "unparseable-move");
    assert_json(answer, "pointer", "\"/moves/1\"");
    assert_no_games(*state);
}

static void a_move_after_the_end_makes_no_game_and_shows_none(void **state)
{
    const struct answer *answer =
        match_send(*state, "POST", "/v1/games", "{\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4#\",\"a3\"]}");
    assert_problem(answer, 409, "game-over");
    assert_json(answer, "index", "4");
    assert_json(answer, "pointer", "\"/moves/4\"");
    assert_false(answer_has(answer, "game"));
    answer = match_send(*state, "POST", "/v1/games",
                        "{\"fen\":\"7k/8/8/8/8/8/8/K7 w - - 0 1\",\"moves\":[\"Kb2\"]}");
    assert_problem(answer, 409, "game-over");
    assert_json(answer, "index", "0");
    assert_false(answer_has(answer, "game"));
    assert_no_games(*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(an_empty_body_makes_the_usual_game_with_every_member_of_its_shape),
        CLIENT_TEST(every_link_of_a_game_leads_somewhere),
        CLIENT_TEST(the_rules_follow_the_profile_and_are_echoed),
        CLIENT_TEST(names_metadata_and_visibility_are_kept_over_a_restart),
        CLIENT_TEST(a_form_says_the_same_as_json),
        CLIENT_TEST(an_object_nests_as_deep_in_a_form_as_in_json),
        CLIENT_TEST(text_is_the_id_alone),
        CLIENT_TEST(validate_only_checks_everything_and_makes_nothing),
        CLIENT_TEST(a_bare_fen_is_read_however_it_is_sent),
        CLIENT_TEST(json_takes_the_fen_too_and_writes_it_normalised),
        CLIENT_TEST(a_finished_position_is_a_game_that_has_ended),
        CLIENT_TEST(a_fen_that_cannot_be_read_names_its_faults),
        CLIENT_TEST(chess960_begins_by_number_by_fen_and_by_variant_alone),
        CLIENT_TEST(the_variant_can_be_said_in_the_query),
        CLIENT_TEST(moves_at_creation_are_a_version_each),
        CLIENT_TEST(a_bad_move_at_creation_makes_no_game_and_names_its_index),
        CLIENT_TEST(a_move_after_the_end_makes_no_game_and_shows_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
