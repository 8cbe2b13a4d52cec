/* rules/pgn_read and rules/pgn_write: the cases of kind pgn_import and pgn_export in tests/data/rules.jsonl.
 *
 * Fivefold repetition, seventy-five moves and dead positions are judged here, move by move, as a caller of the
 * reader does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/ending.h"
#include "rules/fen.h"
#include "rules/pgn_read.h"
#include "rules/pgn_write.h"
#include "tests/rules/case_record.h"
#include "tests/rules/given.h"

enum {
    LINE_MAX_BYTES = 1 << 16,
    TEXT_MAX = 1 << 16,
    KEYS_MAX = PGN_PLIES_MAX + 1,
    TAGS_MAX = 16,
    NAME_SIZE = 32
};

/* ---- import ---- */

struct import {
    const struct record *c;
    const cJSON *games; /* NULL: an error is expected */
    enum record_outcome outcome;
    unsigned count;
    const char *error; /* the first */
    unsigned error_ply;
    char token[PGN_TOKEN_MAX + 1];
    uint64_t keys[KEYS_MAX];
    unsigned key_count;
    bool over;
    unsigned tag_count;
    struct {
        char name[NAME_SIZE], value[PGN_TAG_VALUE_MAX + 1];
    } tags[TAGS_MAX];
};

static void expect(struct import *import, const char *question, const char *expected, const char *actual)
{
    import->outcome =
        record_worse(import->outcome, record_compare(import->c, NULL, question, expected, actual));
}

static void keep_error(struct import *import, const char *error, unsigned ply, const char *token)
{
    if (import->error)
        return;
    import->error = error;
    import->error_ply = ply;
    (void)snprintf(import->token, sizeof import->token, "%s", token);
}

/* Has an automatic end come with this position? */
static bool ends(struct import *import, const struct position *position)
{
    const struct ending_rules rules = {.fivefold = true, .seventyfive = true, .dead = ENDING_DEAD_EXACT};
    import->keys[import->key_count++] = position->key;
    struct key_history history = {import->keys, import->key_count};
    unsigned repetition = key_history_count(&history, position->key);
    return ending_judge(position, movegen_count(position), repetition, &rules).first != ENDING_NONE;
}

static bool import_start(void *context, const struct position *position)
{
    struct import *import = context;
    import->key_count = 0;
    import->over = ends(import, position);
    return true;
}

static bool import_move(void *context, const struct pgn_move *m)
{
    struct import *import = context;
    if (import->over)
        keep_error(import, "game_over", m->ply, "");
    import->over = ends(import, m->after);
    return true;
}

static bool import_fault(void *context, const struct pgn_fault *fault)
{
    struct import *import = context;
    if (fault->severity == PGN_ERROR)
        keep_error(import, pgn_fault_code_name(fault->code), fault->ply, fault->token);
    return true;
}

static const cJSON *expected_game(const struct import *import, unsigned index)
{
    return cJSON_GetArrayItem(import->games, (int)index);
}

static bool import_tag(void *context, const struct pgn_tag *tag)
{
    struct import *import = context;
    assert_true(strlen(tag->name) < NAME_SIZE && strlen(tag->value) < sizeof import->tags[0].value);
    unsigned at = 0;
    while (at < import->tag_count && strcmp(import->tags[at].name, tag->name) != 0)
        at++;
    assert_true(at < TAGS_MAX && (at < import->tag_count) == tag->repeated);
    import->tag_count += at == import->tag_count;
    (void)strcpy(import->tags[at].name, tag->name);
    (void)strcpy(import->tags[at].value, tag->value);
    return true;
}

static void check_tags(struct import *import, const cJSON *expected)
{
    const cJSON *tag;
    cJSON_ArrayForEach(tag, cJSON_GetObjectItemCaseSensitive(expected, "tags"))
    {
        const char *value = "no such tag";
        for (unsigned i = 0; i < import->tag_count; i++)
            if (strcmp(import->tags[i].name, tag->string) == 0)
                value = import->tags[i].value;
        expect(import, tag->string, tag->valuestring, value);
    }
}

static bool import_end(void *context, const struct pgn_game *game)
{
    struct import *import = context;
    const cJSON *expected = expected_game(import, import->count++);
    char fen[FEN_SIZE], plies[16], expected_plies[16];
    if (!import->games)
        return true;
    if (!expected || !game->final) {
        expect(import, "games", expected ? "a position" : "no more games", "another");
        return true;
    }
    fen_format(game->final, FEN_EN_PASSANT_LEGAL, fen);
    (void)snprintf(plies, sizeof plies, "%u", game->plies);
    (void)snprintf(expected_plies, sizeof expected_plies, "%u", (unsigned)record_number(expected, "plies"));
    expect(import, "plies", expected_plies, plies);
    expect(import, "fen", record_text(expected, "fen"), fen);
    expect(import, "result", record_text(expected, "result"), pgn_result_name(game->result));
    check_tags(import, expected);
    import->tag_count = 0;
    return true;
}

static unsigned base64_value(char c)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = strchr(letters, c);
    assert_non_null(found);
    return (unsigned)(found - letters);
}

static size_t decode_base64(const char *text, char *bytes)
{
    size_t length = 0;
    unsigned bits = 0, held = 0;
    for (; *text && *text != '='; text++) {
        held = held << 6 | base64_value(*text);
        bits += 6;
        if (bits < 8)
            continue;
        bits -= 8;
        bytes[length++] = (char)(held >> bits & 0xFF);
    }
    return length;
}

static bool read_input(struct pgn_reader *reader, const cJSON *input)
{
    static char bytes[TEXT_MAX];
    const char *text = record_text(input, "pgn");
    const cJSON *repeat = cJSON_GetObjectItemCaseSensitive(input, "pgn_repeat");
    if (text)
        return pgn_read(reader, text, strlen(text));
    if (!repeat)
        return pgn_read(reader, bytes, decode_base64(record_text(input, "pgn_base64"), bytes));
    text = record_text(repeat, "text");
    for (uint64_t i = 0; i < record_number(repeat, "count"); i++)
        if (!pgn_read(reader, text, strlen(text)))
            return false;
    return true;
}

static void check_error(struct import *import)
{
    char ply[16], expected_ply[16];
    const cJSON *wanted = import->c->expect;
    expect(import, "error", record_text(wanted, "error"), import->error ? import->error : "none");
    if (record_text(wanted, "token"))
        expect(import, "token", record_text(wanted, "token"), import->token);
    if (!cJSON_HasObjectItem(wanted, "at_ply"))
        return;
    (void)snprintf(ply, sizeof ply, "%u", import->error_ply);
    (void)snprintf(expected_ply, sizeof expected_ply, "%u", (unsigned)record_number(wanted, "at_ply"));
    expect(import, "at_ply", expected_ply, ply);
}

static enum record_outcome run_import(const struct record *c)
{
    static struct pgn_reader reader;
    static struct import import;
    import = (struct import){.c = c, .games = cJSON_GetObjectItemCaseSensitive(c->expect, "games")};
    struct pgn_handler handler = {
        .context = &import,
        .tag = import_tag,
        .start = import_start,
        .move = import_move,
        .fault = import_fault,
        .game_end = import_end,
    };
    pgn_reader_init(&reader, &handler, NULL);
    bool read = read_input(&reader, c->input) && pgn_read_end(&reader);
    expect(&import, "reading", "to the end", read ? "to the end" : "stopped");
    if (!import.games) {
        check_error(&import);
        return import.outcome;
    }
    expect(&import, "error", "none", import.error ? import.error : "none");
    if (import.count != (unsigned)cJSON_GetArraySize(import.games))
        expect(&import, "number of games", "as expected", "another");
    return import.outcome;
}

/* ---- export ---- */

struct text {
    char bytes[TEXT_MAX];
    size_t length;
};

static void add(void *context, const char *bytes, size_t length)
{
    struct text *text = context;
    assert_true(length < TEXT_MAX - text->length);
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
    text->bytes[text->length] = '\0';
}

static void write_tags(struct pgn_writer *pgn, const struct record *c, const struct position *first)
{
    struct pgn_pair pairs[TAGS_MAX];
    char fen[FEN_SIZE];
    size_t count = 0;
    struct position usual = position_initial();
    const cJSON *tag;
    pairs[count++] = (struct pgn_pair){"Result", record_text(c->input, "result")};
    cJSON_ArrayForEach(tag, cJSON_GetObjectItemCaseSensitive(c->input, "tags"))
    {
        assert_true(count < TAGS_MAX - 3);
        pairs[count++] = (struct pgn_pair){tag->string, tag->valuestring};
    }
    if (!position_same(first, &usual)) {
        fen_format(first, FEN_EN_PASSANT_LEGAL, fen);
        pairs[count++] = (struct pgn_pair){"FEN", fen};
        pairs[count++] = (struct pgn_pair){"SetUp", "1"};
    }
    if (first->chess960)
        pairs[count++] = (struct pgn_pair){"Variant", "Chess960"};
    pgn_write_tags(pgn, pairs, count);
}

static void write_moves(struct pgn_writer *pgn, const struct record *c, struct position position)
{
    const cJSON *uci;
    cJSON_ArrayForEach(uci, cJSON_GetObjectItemCaseSensitive(c->input, "moves"))
    {
        struct position before = position;
        move m = given_move(&before, uci->valuestring);
        assert_int_not_equal(m, MOVE_NONE);
        pgn_write_move(pgn, &before, m);
        position_play(&before, m, &position);
    }
}

/* The names of the tags, each with a blank behind it. */
static void tag_names(const char *text, char names[TEXT_MAX])
{
    char *out = names;
    for (; *text == '['; text = strchr(text, '\n') + 1)
        out += sprintf(out, "%.*s ", (int)strcspn(text + 1, " "), text + 1);
    *out = '\0';
}

static void join(const cJSON *array, char joined[TEXT_MAX])
{
    char *out = joined;
    const cJSON *item;
    cJSON_ArrayForEach(item, array) out += sprintf(out, "%s ", item->valuestring);
    *out = '\0';
}

/* In one line, without the end of the last. */
static void unwrap(char *movetext)
{
    size_t length = strlen(movetext);
    assert_true(length > 0 && movetext[length - 1] == '\n');
    movetext[length - 1] = '\0';
    for (; *movetext; movetext++)
        if (*movetext == '\n')
            *movetext = ' ';
}

static enum record_outcome run_export(const struct record *c)
{
    static struct text text;
    static char names[TEXT_MAX], expected[TEXT_MAX];
    struct position position;
    if (!record_position(c, "fen", &position))
        return RECORD_FAILED;
    text = (struct text){0};
    struct pgn_writer pgn = {.write = add, .context = &text};
    write_tags(&pgn, c, &position);
    pgn_write_movetext(&pgn);
    write_moves(&pgn, c, position);
    pgn_write_result(&pgn, record_text(c->input, "result"));
    char *movetext = strstr(text.bytes, "\n\n");
    assert_non_null(movetext);
    unwrap(movetext + 2);
    tag_names(text.bytes, names);
    join(cJSON_GetObjectItemCaseSensitive(c->expect, "tag_order"), expected);
    return record_worse(
        record_compare(c, &position, "tag_order", expected, names),
        record_compare(c, &position, "movetext", record_text(c->expect, "movetext"), movetext + 2));
}

/* ---- all of them ---- */

static void run_kind(const char *kind, enum record_outcome (*run)(const struct record *), unsigned least)
{
    static char line[LINE_MAX_BYTES];
    FILE *file = fopen("tests/data/rules.jsonl", "r");
    unsigned count = 0, failed = 0;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        cJSON *object = cJSON_Parse(line);
        assert_non_null(object);
        if (strcmp(record_text(object, "kind"), kind) == 0) {
            struct record c = {record_text(object, "id"), cJSON_GetObjectItemCaseSensitive(object, "input"),
                               cJSON_GetObjectItemCaseSensitive(object, "expect")};
            count++;
            failed += run(&c) == RECORD_FAILED;
        }
        cJSON_Delete(object);
    }
    assert_int_equal(fclose(file), 0);
    print_message("%s: %u cases run\n", kind, count);
    assert_int_equal(failed, 0);
    assert_true(count >= least);
}

static void pgn_is_read_as_the_cases_say(void **state)
{
    (void)state;
    run_kind("pgn_import", run_import, 67);
}

static void pgn_is_written_as_the_cases_say(void **state)
{
    (void)state;
    run_kind("pgn_export", run_export, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pgn_is_read_as_the_cases_say),
        cmocka_unit_test(pgn_is_written_as_the_cases_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
