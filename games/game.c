#include "games/game.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "games/text_room.h"
#include "rules/movegen.h"

const char *const game_status_words[] = {
    [GAME_WAITING] = "waiting", [GAME_ACTIVE] = "active",   [GAME_ENDED] = "ended",
    [GAME_ABORTED] = "aborted", [GAME_STATUS_COUNT] = NULL,
};

const char *const game_result_words[] = {
    [RESULT_NONE] = "*",       [RESULT_WHITE_WINS] = "1-0", [RESULT_BLACK_WINS] = "0-1",
    [RESULT_DRAW] = "1/2-1/2", [RESULT_COUNT] = NULL,
};

static const struct {
    const char *name, *article;
    bool is_of_move;
} terminations[TERMINATION_COUNT] = {
    [TERMINATION_NONE] = {"", NULL, false},
    [TERMINATION_CHECKMATE] = {"checkmate", "5.1.1", true},
    [TERMINATION_STALEMATE] = {"stalemate", "5.2.1", true},
    [TERMINATION_DEAD_POSITION] = {"dead_position", "5.2.2", true},
    [TERMINATION_FIVEFOLD_REPETITION] = {"fivefold_repetition", "9.6.1", true},
    [TERMINATION_SEVENTYFIVE_MOVES] = {"seventyfive_moves", "9.6.2", true},
    [TERMINATION_THREEFOLD_REPETITION] = {"threefold_repetition", "9.2", true},
    [TERMINATION_FIFTY_MOVES] = {"fifty_moves", "9.3", true},
    [TERMINATION_RESIGNATION] = {"resignation", "5.1.2", false},
    [TERMINATION_RESIGNATION_UNWINNABLE] = {"resignation_unwinnable", "5.1.2", false},
    [TERMINATION_ABORTED] = {"aborted", NULL, false},
    [TERMINATION_AGREEMENT] = {"agreement", "5.2.3", false},
    [TERMINATION_MOVE_LIMIT] = {"move_limit", NULL, true},
    [TERMINATION_TIMEOUT] = {"timeout", "6.9", false},
    [TERMINATION_TIMEOUT_UNWINNABLE] = {"timeout_unwinnable", "6.9", false},
    [TERMINATION_ABANDONMENT] = {"abandonment", NULL, false},
    [TERMINATION_RULES_INFRACTION] = {"rules_infraction", "7.5.5", false},
    [TERMINATION_ADJUDICATION] = {"adjudication", NULL, false},
    [TERMINATION_RECORDED] = {"recorded", NULL, false},
};

const char *const game_seat_words[] = {"", "white", "black", NULL};
const char *const game_access_words[] = {"open", "seats", NULL};
const char *const game_visibility_words[] = {"public", "unlisted", "private", NULL};
const char *const game_profile_words[] = {"fide", "online", NULL};
const char *const game_failed_claim_words[] = {"offer", "refuse", NULL};
const char *const game_dead_words[] = {"exact", "material", "off", NULL};
const char *const game_draw_offers_words[] = {"anytime", "with_move", "off", NULL};
const char *const game_takeback_words[] = {"consent", "free", "off", NULL};
const char *const game_claim_words[] = {"", "threefold_repetition", "fifty_moves", NULL};

/* The empty word stands for nothing. */
static const char *word_or_null(const char *word)
{
    return word[0] ? word : NULL;
}

const char *game_status_name(enum game_status status)
{
    return game_status_words[status];
}

const char *game_result_name(enum game_result result)
{
    return game_result_words[result];
}

const char *game_termination_name(enum game_termination termination)
{
    return word_or_null(terminations[termination].name);
}

const char *game_termination_article(enum game_termination termination)
{
    return terminations[termination].article;
}

bool game_termination_is_of_move(enum game_termination termination)
{
    return terminations[termination].is_of_move;
}

const char *game_seat_name(enum game_seat seat)
{
    return word_or_null(game_seat_words[seat]);
}

const char *game_access_name(enum game_access access)
{
    return game_access_words[access];
}

const char *game_visibility_name(enum game_visibility visibility)
{
    return game_visibility_words[visibility];
}

const char *game_profile_name(enum game_profile profile)
{
    return game_profile_words[profile];
}

const char *game_failed_claim_name(enum game_failed_claim failed_claim)
{
    return game_failed_claim_words[failed_claim];
}

const char *game_dead_name(enum ending_dead dead)
{
    return game_dead_words[dead];
}

const char *game_draw_offers_name(enum game_draw_offers offers)
{
    return game_draw_offers_words[offers];
}

const char *game_takeback_name(enum game_takeback takeback)
{
    return game_takeback_words[takeback];
}

const char *game_claim_name(enum claim_reason reason)
{
    return word_or_null(game_claim_words[reason]);
}

/* The index of a word, or -1. */
static int find_word(const char *const words[], const char *name)
{
    for (int i = 0; name && name[0] && words[i]; i++)
        if (strcmp(words[i], name) == 0)
            return i;
    return -1;
}

/* NOLINTBEGIN(bugprone-macro-parentheses): a name and a type cannot stand in parentheses */
#define PARSE(function, type, words)                                                                         \
    bool function(const char *name, enum type *value)                                                        \
    {                                                                                                        \
        int i = find_word(words, name);                                                                      \
        if (i < 0)                                                                                           \
            return false;                                                                                    \
        *value = (enum type)i;                                                                               \
        return true;                                                                                         \
    }

PARSE(game_status_parse, game_status, game_status_words)
PARSE(game_result_parse, game_result, game_result_words)
PARSE(game_seat_parse, game_seat, game_seat_words)
PARSE(game_access_parse, game_access, game_access_words)
PARSE(game_visibility_parse, game_visibility, game_visibility_words)
PARSE(game_profile_parse, game_profile, game_profile_words)
PARSE(game_failed_claim_parse, game_failed_claim, game_failed_claim_words)
PARSE(game_dead_parse, ending_dead, game_dead_words)
PARSE(game_claim_parse, claim_reason, game_claim_words)
PARSE(game_draw_offers_parse, game_draw_offers, game_draw_offers_words)
PARSE(game_takeback_parse, game_takeback, game_takeback_words)
/* NOLINTEND(bugprone-macro-parentheses) */

bool game_termination_parse(const char *name, enum game_termination *termination)
{
    for (int i = 0; name && name[0] && i < TERMINATION_COUNT; i++)
        if (strcmp(terminations[i].name, name) == 0) {
            *termination = (enum game_termination)i;
            return true;
        }
    return false;
}

struct game_rules game_rules_default(enum game_profile profile)
{
    bool online = profile == PROFILE_ONLINE;
    return (struct game_rules){
        .profile = (uint8_t)profile,
        .failed_claim = online ? FAILED_CLAIM_REFUSE : FAILED_CLAIM_OFFER,
        .auto_claim = online ? 1U << CLAIM_THREEFOLD | 1U << CLAIM_FIFTY : 0,
        .dead = ENDING_DEAD_EXACT,
        .fivefold = true,
        .seventyfive = true,
        .claim_penalty_ms = GAME_CLAIM_PENALTY_MS,
    };
}

/* ---- rules as the store keeps them: words, for enums may grow, and options may be added ---- */

enum option_kind { OPTION_WORD, OPTION_FLAG, OPTION_NUMBER16, OPTION_NUMBER32 };

static const struct rule_option {
    const char *name;
    enum option_kind kind;
    size_t at; /* in struct game_rules */
    const char *const *words;
} rule_options[] = {
    {"profile", OPTION_WORD, offsetof(struct game_rules, profile), game_profile_words},
    {"failed_claim", OPTION_WORD, offsetof(struct game_rules, failed_claim), game_failed_claim_words},
    {"dead_position", OPTION_WORD, offsetof(struct game_rules, dead), game_dead_words},
    {"draw_offers", OPTION_WORD, offsetof(struct game_rules, draw_offers), game_draw_offers_words},
    {"takeback", OPTION_WORD, offsetof(struct game_rules, takeback), game_takeback_words},
    {"fivefold", OPTION_FLAG, offsetof(struct game_rules, fivefold), NULL},
    {"seventyfive", OPTION_FLAG, offsetof(struct game_rules, seventyfive), NULL},
    {"draw_offers_from_move", OPTION_NUMBER16, offsetof(struct game_rules, draw_offers_from_move), NULL},
    {"move_limit", OPTION_NUMBER16, offsetof(struct game_rules, move_limit), NULL},
    {"claim_penalty_ms", OPTION_NUMBER32, offsetof(struct game_rules, claim_penalty_ms), NULL},
    {"abandon_after_ms", OPTION_NUMBER32, offsetof(struct game_rules, abandon_after_ms), NULL},
};

enum { RULE_OPTIONS = sizeof rule_options / sizeof rule_options[0] };

static const struct {
    const char *name;
    enum claim_reason reason;
} auto_claims[] = {{"auto_threefold", CLAIM_THREEFOLD}, {"auto_fifty", CLAIM_FIFTY}};

static uint32_t option_number(const struct rule_option *option, const void *at)
{
    uint16_t number16;
    uint32_t number32 = 0;
    switch (option->kind) {
    case OPTION_WORD:
        return *(const uint8_t *)at;
    case OPTION_FLAG:
        return *(const bool *)at;
    case OPTION_NUMBER16:
        memcpy(&number16, at, sizeof number16);
        return number16;
    case OPTION_NUMBER32:
        memcpy(&number32, at, sizeof number32);
        break;
    }
    return number32;
}

/* "name=": before it a blank, but for the first one. */
static void put_name(struct text_room *room, const char *name, bool first)
{
    if (!first)
        text_room_put(room, " ");
    text_room_put(room, name);
    text_room_put(room, "=");
}

void game_rules_format(const struct game_rules *rules, char text[GAME_RULES_SIZE])
{
    struct text_room room = text_room_begin(text, GAME_RULES_SIZE);
    for (size_t i = 0; i < RULE_OPTIONS; i++) {
        const struct rule_option *option = &rule_options[i];
        uint32_t number = option_number(option, (const char *)rules + option->at);
        put_name(&room, option->name, i == 0);
        if (option->kind == OPTION_WORD)
            text_room_put(&room, option->words[number]);
        else
            text_room_put_number(&room, number);
    }
    for (size_t i = 0; i < sizeof auto_claims / sizeof auto_claims[0]; i++) {
        put_name(&room, auto_claims[i].name, false);
        text_room_put_number(&room, rules->auto_claim >> auto_claims[i].reason & 1U);
    }
}

static bool read_number(const char *text, uint64_t most, uint64_t *number)
{
    char *end;
    *number = strtoull(text, &end, 10);
    return end != text && !*end && *number <= most;
}

static bool set_option(struct game_rules *rules, const struct rule_option *option, const char *value)
{
    void *at = (char *)rules + option->at;
    uint64_t number = 0;
    int word = -1;
    switch (option->kind) {
    case OPTION_WORD:
        word = find_word(option->words, value);
        *(uint8_t *)at = (uint8_t)word;
        return word >= 0;
    case OPTION_FLAG:
        *(bool *)at = value[0] == '1';
        return read_number(value, 1, &number);
    case OPTION_NUMBER16:
        if (!read_number(value, UINT16_MAX, &number))
            return false;
        memcpy(at, &(uint16_t){(uint16_t)number}, sizeof(uint16_t));
        return true;
    case OPTION_NUMBER32:
        if (!read_number(value, UINT32_MAX, &number))
            return false;
        memcpy(at, &(uint32_t){(uint32_t)number}, sizeof(uint32_t));
        return true;
    }
    return false;
}

static bool set_named_option(struct game_rules *rules, const char *name, const char *value)
{
    for (size_t i = 0; i < RULE_OPTIONS; i++)
        if (strcmp(rule_options[i].name, name) == 0)
            return set_option(rules, &rule_options[i], value);
    for (size_t i = 0; i < sizeof auto_claims / sizeof auto_claims[0]; i++)
        if (strcmp(auto_claims[i].name, name) == 0) {
            unsigned bit = 1U << auto_claims[i].reason;
            uint64_t flag;
            if (!read_number(value, 1, &flag))
                return false;
            rules->auto_claim =
                (uint8_t)(value[0] == '1' ? rules->auto_claim | bit : rules->auto_claim & ~bit);
            return true;
        }
    return false;
}

/* The options that every text names; one that it does not name is younger than the text, and has the value that changes
 * nothing. */
static const char *const oldest_options[] = {
    "profile=",       "failed_claim=", "auto_threefold=", "auto_fifty=",
    "dead_position=", "fivefold=",     "seventyfive="};

static bool has_oldest_options(const char *text)
{
    for (size_t i = 0; i < sizeof oldest_options / sizeof oldest_options[0]; i++)
        if (!strstr(text, oldest_options[i]))
            return false;
    return true;
}

bool game_rules_parse(const char *text, struct game_rules *rules)
{
    char copy[GAME_RULES_SIZE];
    struct game_rules read = {.claim_penalty_ms = GAME_CLAIM_PENALTY_MS};
    if (strlen(text) >= sizeof copy || !has_oldest_options(text))
        return false;
    memcpy(copy, text, strlen(text) + 1);
    for (char *rest = copy, *word; (word = strsep(&rest, " "));) {
        char *value = strchr(word, '=');
        if (!value)
            return false;
        *value++ = '\0';
        if (!set_named_option(&read, word, value))
            return false;
    }
    *rules = read;
    return true;
}

struct position game_start(const struct game *game)
{
    return game->start ? *game->start : position_initial();
}

struct key_history game_history(const struct game *game)
{
    return (struct key_history){game->keys + game->head.keys_first, game->head.keys_count};
}

enum game_seat game_winner(const struct game *game)
{
    switch ((enum game_result)game->head.end.result) {
    case RESULT_WHITE_WINS:
        return SEAT_WHITE;
    case RESULT_BLACK_WINS:
        return SEAT_BLACK;
    case RESULT_NONE:
    case RESULT_DRAW:
    case RESULT_COUNT:
        break;
    }
    return SEAT_NONE;
}

enum game_seat game_running(const struct game *game)
{
    if (!game->clock || game->head.status != GAME_ACTIVE)
        return SEAT_NONE;
    return game->head.ply > 0 || game->clock->control.immediate ? game_turn(game) : SEAT_NONE;
}

int64_t game_wall_shift_ms(const struct game *game, int64_t epoch_ms)
{
    if (game_running(game) == SEAT_NONE)
        return 0;
    return epoch_ms + game->head.since_ms - game->head.since_at_ms;
}

unsigned game_moves_made(const struct game *game, enum game_seat seat)
{
    return game_turn(game) == seat ? game->head.ply / 2U : (game->head.ply + 1U) / 2U;
}

int64_t game_flag_deadline(const struct game *game)
{
    enum game_seat running = game_running(game);
    if (running == SEAT_NONE)
        return GAME_NO_DEADLINE;
    return game->head.since_ms + clock_allowed_ms(game->clock, game_color(running));
}

static int64_t abandon_deadline(const struct game *game)
{
    if (!game->rules.abandon_after_ms || game->head.status != GAME_ACTIVE)
        return GAME_NO_DEADLINE;
    return game->head.since_ms + game->rules.abandon_after_ms;
}

int64_t game_deadline(const struct game *game)
{
    int64_t flag = game_flag_deadline(game);
    int64_t abandon = abandon_deadline(game);
    return flag < abandon ? flag : abandon;
}

const char *game_rule_against_offer(const struct game *game, bool with_move)
{
    const struct game_rules *rules = &game->rules;
    unsigned plies = game->head.ply + with_move;
    if (rules->draw_offers == DRAW_OFFERS_OFF || (rules->draw_offers == DRAW_OFFERS_WITH_MOVE && !with_move))
        return "draw_offers";
    return plies / 2 < rules->draw_offers_from_move ? "draw_offers_from_move" : NULL;
}
