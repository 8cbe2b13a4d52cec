#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"
#include "games/payload.h"
#include "games/seats.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_input.h"

enum { KEY_SIZE = 32, VALUE_SIZE = 256 };

/* ---- payloads --------------------------------------------------------------------------------------------------- */

static char *value_of(const char *payload, const char *key)
{
    char *value = NULL;
    FUZZ_CHECK(payload_text(payload, key, &value));
    FUZZ_CHECK((value != NULL) == payload_has(payload, key));
    return value;
}

/* Words and numbers are texts of one line, short enough. */
static void check_forms(const char *payload, const char *key, const char *value)
{
    char word[PAYLOAD_WORD_SIZE];
    int64_t number = 0, again = 0;
    struct payload written = {0};
    if (payload_word(payload, key, word))
        FUZZ_CHECK(value && strlen(word) < sizeof word && (strchr(word, '\\') || strcmp(word, value) == 0));
    if (!payload_number(payload, key, &number))
        return;
    payload_add_number(&written, key, number);
    FUZZ_CHECK(payload_number(written.text, key, &again) && again == number);
    payload_finish(&written);
}

/* Any text as the value of a key comes back, with others around it. */
static void check_value(const char *key, const char *value)
{
    struct payload payload = {0};
    payload_add(&payload, "before", value);
    payload_add(&payload, key, value);
    payload_add(&payload, "not", NULL);
    payload_add_number(&payload, "after", INT64_MIN);
    FUZZ_CHECK(!payload.failed && strlen(payload.text) == payload.length);
    char *first = value_of(payload.text, "before"), *again = value_of(payload.text, key);
    int64_t after = 0;
    FUZZ_CHECK(strcmp(first, value) == 0 && strcmp(again, value) == 0);
    FUZZ_CHECK(payload_number(payload.text, "after", &after) && after == INT64_MIN);
    FUZZ_CHECK(!payload_has(payload.text, "not"));
    free(again);
    free(first);
    payload_finish(&payload);
}

/* Each line of a text, by its key. */
static void check_payload(const char *text)
{
    const char *rest = text;
    char key[KEY_SIZE], value[VALUE_SIZE];
    for (const char *line = text; game_tags_next(&rest, key, sizeof key, value, sizeof value); line = rest) {
        bool is_pair = strcspn(line, "=") < strcspn(line, "\n");
        FUZZ_CHECK(strlen(key) < sizeof key && strlen(value) < sizeof value && rest > line);
        if (!is_pair || strlen(key) + 1 == sizeof key)
            continue;
        FUZZ_CHECK(payload_has(text, key));
        char *found = value_of(text, key);
        check_forms(text, key, found);
        if (strcmp(key, "before") != 0 && strcmp(key, "after") != 0 && strcmp(key, "not") != 0)
            check_value(key, found);
        free(found);
    }
    FUZZ_CHECK(!*rest);
}

/* ---- rules and seats -------------------------------------------------------------------------------------------- */

static void check_rules(const char *text)
{
    struct game_rules rules, again;
    char written[GAME_RULES_SIZE], rewritten[GAME_RULES_SIZE];
    if (!game_rules_parse(text, &rules))
        return;
    FUZZ_CHECK(rules.profile < PROFILE_COUNT && rules.failed_claim < FAILED_CLAIM_COUNT);
    FUZZ_CHECK(rules.dead < ENDING_DEAD_COUNT && rules.draw_offers < DRAW_OFFERS_COUNT);
    FUZZ_CHECK(rules.takeback < TAKEBACK_COUNT && rules.auto_claim < 1u << CLAIM_REASON_COUNT);
    FUZZ_CHECK(rules.claim_penalty_ms <= TIME_MS_MAX && rules.abandon_after_ms <= TIME_MS_MAX);
    FUZZ_CHECK(rules.draw_offers_from_move <= GAME_DRAW_OFFERS_FROM_MOVE_MAX);
    FUZZ_CHECK(rules.move_limit <= GAME_MOVE_LIMIT_MAX);
    game_rules_format(&rules, written);
    FUZZ_CHECK(strlen(written) < sizeof written && game_rules_parse(written, &again));
    game_rules_format(&again, rewritten);
    FUZZ_CHECK(strcmp(written, rewritten) == 0);
}

/* Upper-case digits are read too; nothing else is read that is not written so. */
static void check_seats(const char *text)
{
    struct game_seats seats;
    char written[SEATS_TEXT_SIZE];
    if (!seats_parse(text, &seats))
        return;
    seats_format(&seats, written);
    FUZZ_CHECK(strlen(written) == strlen(text));
    for (size_t i = 0; text[i]; i++)
        FUZZ_CHECK(text[i] == written[i] ||
                   (text[i] >= 'A' && text[i] <= 'F' && (text[i] | 0x20) == written[i]));
    FUZZ_CHECK(!seats.taken[COLOR_WHITE] && !seats.taken[COLOR_BLACK]);
}

/* ---- words -------------------------------------------------------------------------------------------------------- */

#define CHECK_WORD(type, object, count)                                                                      \
    do {                                                                                                     \
        enum type value = (count);                                                                           \
        bool read = object##_parse(word, &value);                                                            \
        FUZZ_CHECK(read == (value != (count)));                                                              \
        FUZZ_CHECK(!read || strcmp(object##_name(value), word) == 0);                                        \
    } while (0)

static void check_word(const char *word)
{
    CHECK_WORD(game_status, game_status, GAME_STATUS_COUNT);
    CHECK_WORD(game_result, game_result, RESULT_COUNT);
    CHECK_WORD(game_termination, game_termination, TERMINATION_COUNT);
    CHECK_WORD(game_seat, game_seat, SEAT_COUNT);
    CHECK_WORD(game_access, game_access, ACCESS_COUNT);
    CHECK_WORD(game_visibility, game_visibility, VISIBILITY_COUNT);
    CHECK_WORD(game_profile, game_profile, PROFILE_COUNT);
    CHECK_WORD(game_failed_claim, game_failed_claim, FAILED_CLAIM_COUNT);
    CHECK_WORD(ending_dead, game_dead, ENDING_DEAD_COUNT);
    CHECK_WORD(claim_reason, game_claim, CLAIM_REASON_COUNT);
    CHECK_WORD(game_draw_offers, game_draw_offers, DRAW_OFFERS_COUNT);
    CHECK_WORD(game_takeback, game_takeback, TAKEBACK_COUNT);
    enum game_role role = ROLE_COUNT;
    bool read = game_role_parse(word, &role);
    FUZZ_CHECK(read == (role != ROLE_COUNT) && (!read || strcmp(game_role_words[role], word) == 0));
}

void fuzz_stored(const uint8_t *data, size_t size)
{
    char *text = fuzz_copy((struct text_span){(const char *)data, size});
    check_payload(text);
    check_value("key", text);
    check_rules(text);
    check_seats(text);
    check_word(text);
    free(text);
}
