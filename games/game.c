#include "games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/movegen.h"

static const char *const status_names[GAME_STATUS_COUNT] = {
    [GAME_WAITING] = "waiting",
    [GAME_ACTIVE] = "active",
    [GAME_ENDED] = "ended",
    [GAME_ABORTED] = "aborted",
};

static const char *const result_names[RESULT_COUNT] = {
    [RESULT_NONE] = "*",
    [RESULT_WHITE_WINS] = "1-0",
    [RESULT_BLACK_WINS] = "0-1",
    [RESULT_DRAW] = "1/2-1/2",
};

static const struct {
    const char *name, *article;
} terminations[TERMINATION_COUNT] = {
    [TERMINATION_CHECKMATE] = {"checkmate", "5.1.1"},
    [TERMINATION_STALEMATE] = {"stalemate", "5.2.1"},
    [TERMINATION_DEAD_POSITION] = {"dead_position", "5.2.2"},
    [TERMINATION_FIVEFOLD_REPETITION] = {"fivefold_repetition", "9.6.1"},
    [TERMINATION_SEVENTYFIVE_MOVES] = {"seventyfive_moves", "9.6.2"},
    [TERMINATION_THREEFOLD_REPETITION] = {"threefold_repetition", "9.2"},
    [TERMINATION_FIFTY_MOVES] = {"fifty_moves", "9.3"},
    [TERMINATION_RESIGNATION] = {"resignation", "5.1.2"},
    [TERMINATION_RESIGNATION_UNWINNABLE] = {"resignation_unwinnable", "5.1.2"},
    [TERMINATION_ABORTED] = {"aborted", NULL},
};

static const char *const seat_names[SEAT_COUNT] = {[SEAT_WHITE] = "white", [SEAT_BLACK] = "black"};
static const char *const access_names[ACCESS_COUNT] = {[ACCESS_OPEN] = "open"};
static const char *const visibility_names[VISIBILITY_COUNT] = {
    [VISIBILITY_PUBLIC] = "public",
    [VISIBILITY_UNLISTED] = "unlisted",
    [VISIBILITY_PRIVATE] = "private",
};
static const char *const profile_names[PROFILE_COUNT] = {
    [PROFILE_FIDE] = "fide", [PROFILE_ONLINE] = "online"};
static const char *const failed_claim_names[FAILED_CLAIM_COUNT] = {
    [FAILED_CLAIM_OFFER] = "offer",
    [FAILED_CLAIM_REFUSE] = "refuse",
};
enum { DEAD_COUNT = ENDING_DEAD_OFF + 1 };
static const char *const dead_names[DEAD_COUNT] = {
    [ENDING_DEAD_EXACT] = "exact",
    [ENDING_DEAD_MATERIAL] = "material",
    [ENDING_DEAD_OFF] = "off",
};
static const char *const claim_names[CLAIM_REASON_COUNT] = {
    [CLAIM_THREEFOLD] = "threefold_repetition",
    [CLAIM_FIFTY] = "fifty_moves",
};

const char *game_status_name(enum game_status status)
{
    return status_names[status];
}

const char *game_result_name(enum game_result result)
{
    return result_names[result];
}

const char *game_termination_name(enum game_termination termination)
{
    return terminations[termination].name;
}

const char *game_termination_article(enum game_termination termination)
{
    return terminations[termination].article;
}

const char *game_seat_name(enum game_seat seat)
{
    return seat_names[seat];
}

const char *game_access_name(enum game_access access)
{
    return access_names[access];
}

const char *game_visibility_name(enum game_visibility visibility)
{
    return visibility_names[visibility];
}

const char *game_profile_name(enum game_profile profile)
{
    return profile_names[profile];
}

const char *game_failed_claim_name(enum game_failed_claim failed_claim)
{
    return failed_claim_names[failed_claim];
}

const char *game_dead_name(enum ending_dead dead)
{
    return dead_names[dead];
}

const char *game_claim_name(enum claim_reason reason)
{
    return claim_names[reason];
}

int game_word(const char *const words[], int count, const char *name)
{
    for (int i = 0; name && i < count; i++)
        if (words[i] && strcmp(words[i], name) == 0)
            return i;
    return -1;
}

/* name -> enum, for each table above. */
/* NOLINTBEGIN(bugprone-macro-parentheses): a name and a type cannot stand in parentheses */
#define PARSE(function, type, words, count)                                                                  \
    bool function(const char *name, enum type *value)                                                        \
    {                                                                                                        \
        int i = game_word(words, count, name);                                                               \
        if (i < 0)                                                                                           \
            return false;                                                                                    \
        *value = (enum type)i;                                                                               \
        return true;                                                                                         \
    }

PARSE(game_status_parse, game_status, status_names, GAME_STATUS_COUNT)
PARSE(game_result_parse, game_result, result_names, RESULT_COUNT)
PARSE(game_seat_parse, game_seat, seat_names, SEAT_COUNT)
PARSE(game_access_parse, game_access, access_names, ACCESS_COUNT)
PARSE(game_visibility_parse, game_visibility, visibility_names, VISIBILITY_COUNT)
PARSE(game_profile_parse, game_profile, profile_names, PROFILE_COUNT)
PARSE(game_failed_claim_parse, game_failed_claim, failed_claim_names, FAILED_CLAIM_COUNT)
PARSE(game_dead_parse, ending_dead, dead_names, DEAD_COUNT)
PARSE(game_claim_parse, claim_reason, claim_names, CLAIM_REASON_COUNT)
/* NOLINTEND(bugprone-macro-parentheses) */

bool game_termination_parse(const char *name, enum game_termination *termination)
{
    for (int i = 0; name && i < TERMINATION_COUNT; i++)
        if (terminations[i].name && strcmp(terminations[i].name, name) == 0) {
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
        .dead = ENDING_DEAD_MATERIAL,
        .fivefold = true,
        .seventyfive = true,
    };
}

void game_rules_format(const struct game_rules *rules, char text[GAME_RULES_SIZE])
{
    (void)snprintf(text, GAME_RULES_SIZE,
                   "profile=%s failed_claim=%s auto_claim=%u dead_position=%s fivefold=%d seventyfive=%d",
                   profile_names[rules->profile], failed_claim_names[rules->failed_claim], rules->auto_claim,
                   dead_names[rules->dead], rules->fivefold, rules->seventyfive);
}

bool game_rules_parse(const char *text, struct game_rules *rules)
{
    char profile[16];
    char failed[16];
    char dead[16];
    unsigned auto_claim;
    int fivefold;
    int seventyfive;
    /* NOLINTNEXTLINE(cert-err34-c): our own writer wrote it; the words are checked below */
    if (sscanf(
            text,
            "profile=%15s failed_claim=%15s auto_claim=%3u dead_position=%15s fivefold=%1d seventyfive=%1d",
            profile, failed, &auto_claim, dead, &fivefold, &seventyfive) != 6)
        return false;
    int p = game_word(profile_names, PROFILE_COUNT, profile);
    int f = game_word(failed_claim_names, FAILED_CLAIM_COUNT, failed);
    int d = game_word(dead_names, DEAD_COUNT, dead);
    if (p < 0 || f < 0 || d < 0)
        return false;
    *rules = (struct game_rules){.profile = (uint8_t)p,
                                 .failed_claim = (uint8_t)f,
                                 .auto_claim = (uint8_t)auto_claim,
                                 .dead = (uint8_t)d,
                                 .fivefold = fivefold != 0,
                                 .seventyfive = seventyfive != 0};
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
