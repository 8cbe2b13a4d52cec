/* All cases of kind pgn_import in tests/data/rules.jsonl, through POST /v1/pgn/validate. Their oracle stands in the
 * file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

enum { LINE_SIZE = 1 << 16, CASES_LEAST = 60 };

static const cJSON *member(const cJSON *object, const char *name)
{
    return cJSON_GetObjectItemCaseSensitive(object, name);
}

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(member(object, name));
}

/* ---- the text of a case ------------------------------------------------------------------------------ */

struct bytes {
    char *text;
    size_t length;
};

static struct bytes copy(const char *text, size_t length, unsigned times)
{
    struct bytes bytes = {malloc(length * times + 1), length * times};
    assert_non_null(bytes.text);
    for (unsigned i = 0; i < times; i++)
        memcpy(bytes.text + i * length, text, length);
    bytes.text[bytes.length] = '\0';
    return bytes;
}

/* RFC 4648 4. */
static struct bytes decode(const char *text)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    struct bytes bytes = {malloc(strlen(text) + 1), 0};
    assert_non_null(bytes.text);
    unsigned held = 0, bits = 0;
    for (; *text && *text != '='; text++) {
        const char *letter = strchr(letters, *text);
        assert_non_null(letter);
        held = held << 6 | (unsigned)(letter - letters);
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            bytes.text[bytes.length++] = (char)(held >> bits & 0xFF);
        }
    }
    return bytes;
}

static struct bytes text_of_case(const cJSON *input)
{
    const char *pgn = text_of(input, "pgn");
    const char *base64 = text_of(input, "pgn_base64");
    const cJSON *repeat = member(input, "pgn_repeat");
    if (base64)
        return decode(base64);
    if (!pgn) {
        pgn = text_of(repeat, "text");
        return copy(pgn, strlen(pgn), (unsigned)cJSON_GetNumberValue(member(repeat, "count")));
    }
    return copy(pgn, strlen(pgn), 1);
}

/* ---- what is expected -------------------------------------------------------------------------------- */

static void expect_text(const char *id, const char *name, const char *expected, const cJSON *actual)
{
    const char *text = cJSON_GetStringValue(actual);
    if (!text || strcmp(text, expected) != 0)
        fail_msg("%s: %s is %s, not %s", id, name, text ? text : "null", expected);
}

static void expect_game(const char *id, const cJSON *expected, const cJSON *game)
{
    if (cJSON_GetNumberValue(member(expected, "plies")) != cJSON_GetNumberValue(member(game, "plies")))
        fail_msg("%s: %g plies", id, cJSON_GetNumberValue(member(game, "plies")));
    expect_text(id, "fen", text_of(expected, "fen"), member(game, "fen"));
    expect_text(id, "result", text_of(expected, "result"), member(game, "result"));
    const cJSON *tag;
    cJSON_ArrayForEach(tag, member(expected, "tags"))
    {
        expect_text(id, tag->string, cJSON_GetStringValue(tag), member(member(game, "tags"), tag->string));
    }
    const cJSON *fault;
    cJSON_ArrayForEach(fault, member(game, "faults"))
    {
        expect_text(id, "severity of a good game's fault", "warning", member(fault, "severity"));
    }
}

/* The words of the cases are those of the faults but for this one. */
static const char *code_of(const char *error)
{
    return strcmp(error, "game_over") == 0 ? "moves_after_end" : error;
}

/* The first error, of the games in their order or of the text as a whole. */
static const cJSON *first_error(const struct answer *answer)
{
    const cJSON *game, *fault;
    cJSON_ArrayForEach(game, answer_at(answer, "games"))
    {
        cJSON_ArrayForEach(fault, member(game, "faults"))
        {
            if (strcmp(text_of(fault, "severity"), "error") == 0)
                return fault;
        }
    }
    return cJSON_GetArrayItem(answer_at(answer, "faults"), 0);
}

static void expect_error(const char *id, const cJSON *expect, const struct answer *answer)
{
    const cJSON *fault = first_error(answer);
    if (!fault)
        fail_msg("%s: no error in %s", id, answer->body);
    expect_text(id, "code", code_of(text_of(expect, "error")), member(fault, "code"));
    const cJSON *ply = member(expect, "at_ply");
    if (ply && cJSON_GetNumberValue(ply) != cJSON_GetNumberValue(member(fault, "ply")))
        fail_msg("%s: at ply %g", id, cJSON_GetNumberValue(member(fault, "ply")));
    if (member(expect, "token"))
        expect_text(id, "token", text_of(expect, "token"), member(fault, "token"));
}

static void run_case(struct client *client, const cJSON *record)
{
    const char *id = text_of(record, "id");
    const cJSON *expect = member(record, "expect");
    struct bytes pgn = text_of_case(member(record, "input"));
    const struct call call = {.method = "POST",
                              .target = "/v1/pgn/validate",
                              .body = pgn.length ? pgn.text : NULL,
                              .body_length = pgn.length,
                              .headers = {{"Content-Type", "application/vnd.chess-pgn"}}};
    const struct answer *answer = client_send(client, &call);
    free(pgn.text);
    if (answer->status != 200)
        fail_msg("%s: %s", id, answer->body);
    if (member(expect, "error")) {
        expect_error(id, expect, answer);
        return;
    }
    const cJSON *games = member(expect, "games");
    if (answer_count(answer, "games") != cJSON_GetArraySize(games))
        fail_msg("%s: %d games: %s", id, answer_count(answer, "games"), answer->body);
    for (int i = 0; i < cJSON_GetArraySize(games); i++)
        expect_game(id, cJSON_GetArrayItem(games, i), cJSON_GetArrayItem(answer_at(answer, "games"), i));
}

static void every_case_of_the_collection_reads_as_it_says(void **state)
{
    static char line[LINE_SIZE];
    unsigned cases = 0;
    FILE *file = fopen("tests/data/rules.jsonl", "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        assert_non_null(strchr(line, '\n'));
        cJSON *record = cJSON_Parse(line);
        assert_non_null(record);
        if (strcmp(text_of(record, "kind"), "pgn_import") == 0) {
            run_case(*state, record);
            cases++;
        }
        cJSON_Delete(record);
    }
    (void)fclose(file);
    assert_true(cases >= CASES_LEAST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(every_case_of_the_collection_reads_as_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
