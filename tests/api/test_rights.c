/* Every action by everybody, over the api: status and code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define KEY "co_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

enum asker { NOBODY, STRANGER, WHITE, BLACK, SPECTATOR, CREATOR, OPERATOR, ASKER_COUNT };

/* An answer as it is expected: a status and the code of a problem, "" for none. */
struct expected {
    unsigned status;
    const char *code;
};

#define OK                                                                                                   \
    {                                                                                                        \
        200, ""                                                                                              \
    }
#define MADE                                                                                                 \
    {                                                                                                        \
        201, ""                                                                                              \
    }
#define GONE                                                                                                 \
    {                                                                                                        \
        204, ""                                                                                              \
    }
#define REQUIRED                                                                                             \
    {                                                                                                        \
        401, "token-required"                                                                                \
    }
#define INVALID                                                                                              \
    {                                                                                                        \
        401, "token-invalid"                                                                                 \
    }
#define SEAT                                                                                                 \
    {                                                                                                        \
        403, "wrong-seat"                                                                                    \
    }
#define READS                                                                                                \
    {                                                                                                        \
        403, "spectator-only"                                                                                \
    }
#define MAKER                                                                                                \
    {                                                                                                        \
        403, "not-creator"                                                                                   \
    }
#define CONSENT                                                                                              \
    {                                                                                                        \
        403, "consent-required"                                                                              \
    }
#define TURN                                                                                                 \
    {                                                                                                        \
        409, "not-your-turn"                                                                                 \
    }
#define OWN                                                                                                  \
    {                                                                                                        \
        409, "own-offer"                                                                                     \
    }
#define LATE                                                                                                 \
    {                                                                                                        \
        409, "abort-too-late"                                                                                \
    }
#define NONE                                                                                                 \
    {                                                                                                        \
        409, "no-open-offer"                                                                                 \
    }
#define RUNS                                                                                                 \
    {                                                                                                        \
        409, "clock-running"                                                                                 \
    }
#define TAKEN                                                                                                \
    {                                                                                                        \
        409, "seat-taken"                                                                                    \
    }
#define RULES                                                                                                \
    {                                                                                                        \
        409, "not-allowed-by-rules"                                                                          \
    }

/* In a timed game after 1 e4 e5 (API 4.5, 5 and 9), where Black has offered what `offer` says. */
/* clang-format off */
static const struct row {
    const char *method, *rest, *json, *offer;
    struct expected expected[ASKER_COUNT];
} rows[] = {
    /*                                                                nobody    stranger white    black    spectator creator  operator */
    {"POST", "/moves", "{\"move\":\"Nf3\"}", NULL,                   {REQUIRED, INVALID, MADE,    TURN,    READS,    SEAT,    SEAT}},
    {"PUT", "/moves/3", "{\"move\":\"Nf3\"}", NULL,                  {REQUIRED, INVALID, MADE,    TURN,    READS,    SEAT,    SEAT}},
    {"PUT", "/moves/1", "{\"move\":\"e4\"}", NULL,                   {REQUIRED, INVALID, OK,      OK,      READS,    SEAT,    SEAT}},
    {"POST", "/moves", "{\"moves\":[\"Nf3\",\"Nc6\"]}", NULL,        {REQUIRED, INVALID, SEAT,    SEAT,    READS,    SEAT,    SEAT}},
    {"POST", "/moves?validate_only=true", "{\"move\":\"d4\"}", NULL, {REQUIRED, INVALID, OK,      TURN,    READS,    SEAT,    SEAT}},
    {"POST", "/undo", "{}", NULL,                                    {REQUIRED, INVALID, CONSENT, CONSENT, CONSENT,  CONSENT, CONSENT}},
    {"POST", "/draw/claim", "{}", NULL,                              {REQUIRED, INVALID, OK,      TURN,    READS,    SEAT,    SEAT}},
    {"POST", "/draw/offer", "{}", NULL,                              {REQUIRED, INVALID, MADE,    MADE,    READS,    SEAT,    SEAT}},
    {"POST", "/draw/offer", "{\"color\":\"white\"}", NULL,           {REQUIRED, INVALID, MADE,    SEAT,    READS,    SEAT,    SEAT}},
    {"POST", "/draw/accept", "{}", "/draw/offer",                    {REQUIRED, INVALID, OK,      OWN,     READS,    SEAT,    SEAT}},
    {"POST", "/draw/decline", "{}", "/draw/offer",                   {REQUIRED, INVALID, OK,      OWN,     READS,    SEAT,    SEAT}},
    {"POST", "/resign", "{}", NULL,                                  {REQUIRED, INVALID, OK,      OK,      READS,    SEAT,    SEAT}},
    {"POST", "/resign", "{\"color\":\"black\"}", NULL,               {REQUIRED, INVALID, SEAT,    OK,      READS,    SEAT,    SEAT}},
    {"POST", "/abort", "{}", NULL,                                   {REQUIRED, INVALID, LATE,    LATE,    READS,    LATE,    LATE}},
    {"POST", "/adjudicate", "{\"result\":\"1-0\"}", NULL,            {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    OK,      OK}},
    {"POST", "/illegal-move", "{\"color\":\"white\"}", NULL,         {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    OK,      OK}},
    {"POST", "/takeback", "{}", NULL,                                {REQUIRED, INVALID, MADE,    MADE,    READS,    SEAT,    SEAT}},
    {"POST", "/takeback/accept", "{}", "/takeback",                  {REQUIRED, INVALID, OK,      OWN,     READS,    SEAT,    SEAT}},
    {"POST", "/takeback/decline", "{}", "/takeback",                 {REQUIRED, INVALID, OK,      OWN,     READS,    SEAT,    SEAT}},
    {"DELETE", "/takeback", "{}", "/takeback",                       {REQUIRED, INVALID, NONE,    OK,      READS,    SEAT,    SEAT}},
    {"POST", "/flag", "{}", NULL,                                    {RUNS,     RUNS,    RUNS,    RUNS,    RUNS,     RUNS,    RUNS}},
    {"POST", "/clock/add", "{\"color\":\"white\",\"ms\":9}", NULL,   {REQUIRED, INVALID, SEAT,    OK,      READS,    OK,      OK}},
    {"POST", "/clock/add", "{\"color\":\"black\",\"ms\":9}", NULL,   {REQUIRED, INVALID, OK,      SEAT,    READS,    OK,      OK}},
    {"PATCH", "", "{\"white\":{\"name\":\"Anna\"}}", NULL,           {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    OK,      OK}},
    {"DELETE", "", "{}", NULL,                                       {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    GONE,    GONE}},
    {"POST", "/seats", "{\"color\":\"white\"}", NULL,                {TAKEN,    INVALID, OK,      SEAT,    READS,    TAKEN,   TAKEN}},
    {"DELETE", "/seats/white", "{}", NULL,                           {REQUIRED, INVALID, RULES,   SEAT,    READS,    RULES,   RULES}},
    {"POST", "/tokens", "{\"role\":\"white\"}", NULL,                {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    MADE,    MADE}},
    {"POST", "/stream-tickets", "{}", NULL,                          {MADE,     INVALID, MADE,    MADE,    MADE,     MADE,    MADE}},
    {"POST", "/fork", "{}", NULL,                                    {MADE,     MADE,    MADE,    MADE,    MADE,     MADE,    MADE}},
    {"GET", "", "{}", NULL,                                          {OK,       OK,      OK,      OK,      OK,       OK,      OK}},
    {"GET", "/seats", "{}", NULL,                                    {OK,       OK,      OK,      OK,      OK,       OK,      OK}},
    {"GET", "/events.json", "{}", NULL,                              {OK,       INVALID, OK,      OK,      OK,       OK,      OK}},
};
/* clang-format on */

static const struct answer *ask(struct client *client, const char *bearer, const struct row *row,
                                const char *id)
{
    return match_send_with(client, row->method, match_path(id, row->rest), row->json,
                           bearer ? "Authorization" : "X-Nothing", bearer ? bearer : "x");
}

static const char *begin_game(struct client *client, const char *offer, char bearers[ASKER_COUNT][64])
{
    static const char *const roles[ASKER_COUNT] = {[WHITE] = "tokens.white",
                                                   [BLACK] = "tokens.black",
                                                   [SPECTATOR] = "tokens.spectator",
                                                   [CREATOR] = "tokens.creator"};
    const struct answer *made =
        match_send(client, "POST", "/v1/games", "{\"access\":\"seats\",\"clock\":\"300+3\"}");
    const char *id = answer_text(made, "id");
    for (int asker = WHITE; asker <= CREATOR; asker++)
        (void)snprintf(bearers[asker], 64, "Bearer %s", answer_text(made, roles[asker]));
    (void)snprintf(bearers[STRANGER], 64, "Bearer cw_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb");
    (void)snprintf(bearers[OPERATOR], 64, "Bearer %s", KEY);
    const struct row moves[] = {{"POST", "/moves", "{\"move\":\"e4\"}", NULL, {{0}}},
                                {"POST", "/moves", "{\"move\":\"e5\"}", NULL, {{0}}},
                                {"POST", offer, "{}", NULL, {{0}}}};
    assert_status(ask(client, bearers[WHITE], &moves[0], id), 201);
    assert_status(ask(client, bearers[BLACK], &moves[1], id), 201);
    if (offer)
        assert_status(ask(client, bearers[BLACK], &moves[2], id), 201);
    return id;
}

static void expect(const struct answer *answer, const struct row *row, enum asker asker)
{
    const struct expected *expected = &row->expected[asker];
    print_message("%s %s by %d: %u %s\n", row->method, row->rest, asker, answer->status, answer->code);
    assert_status(answer, expected->status);
    assert_string_equal(answer->code, expected->code);
    if (expected->status == 401)
        assert_int_equal(strncmp(answer_header(answer, "WWW-Authenticate"), "Bearer", 6), 0);
}

static void every_action_by_everybody_is_answered_as_the_contract_says(void **state)
{
    char bearers[ASKER_COUNT][64];
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int asker = 0; asker < ASKER_COUNT; asker++) {
            const char *id = begin_game(*state, rows[i].offer, bearers);
            expect(ask(*state, asker == NOBODY ? NULL : bearers[asker], &rows[i], id), &rows[i],
                   (enum asker)asker);
        }
}

/* An open game is as open as ever: what is sent as a token is not looked at. */
static void in_an_open_game_everybody_may_do_everything(void **state)
{
    char bearers[ASKER_COUNT][64];
    (void)begin_game(*state, NULL, bearers);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (int asker = 0; asker < ASKER_COUNT; asker++) {
            const char *id = match_new_json(*state, "{\"clock\":\"300+3\",\"moves\":[\"e4\",\"e5\"]}");
            const char *bearer = asker == NOBODY ? NULL : bearers[asker];
            const struct row offer = {"POST", rows[i].offer, "{\"color\":\"black\"}", NULL, {{0}}};
            if (rows[i].offer)
                assert_status(ask(*state, bearer, &offer, id), 201);
            const struct answer *answer = ask(*state, bearer, &rows[i], id);
            if (answer->status == 401 || answer->status == 403)
                fail_msg("%s %s: %u", rows[i].method, rows[i].rest, answer->status);
        }
}

static int set_up(void **state)
{
    *state = client_open(&(struct client_options){.operator_key = KEY});
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_action_by_everybody_is_answered_as_the_contract_says, set_up,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(in_an_open_game_everybody_may_do_everything, set_up, client_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
