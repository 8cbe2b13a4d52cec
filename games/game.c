#include "games/game.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/movegen.h"

const char *const game_status_words[] = {
    [GAME_WAITING] = "waiting", [GAME_ACTIVE] = "active",   [GAME_ENDED] = "ended",
    [GAME_ABORTED] = "aborted", [GAME_STATUS_COUNT] = NULL,
};

static const char *const result_words[RESULT_COUNT + 1] = {
    [RESULT_NONE] = "*",
    [RESULT_WHITE_WINS] = "1-0",
    [RESULT_BLACK_WINS] = "0-1",
    [RESULT_DRAW] = "1/2-1/2",
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
};

const char *const game_seat_words[] = {"", "white", "black", NULL};
const char *const game_access_words[] = {"open", NULL};
const char *const game_visibility_words[] = {"public", "unlisted", "private", NULL};
const char *const game_profile_words[] = {"fide", "online", NULL};
const char *const game_failed_claim_words[] = {"offer", "refuse", NULL};
const char *const game_dead_words[] = {"exact", "material", "off", NULL};
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
    return result_words[result];
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
PARSE(game_result_parse, game_result, result_words)
PARSE(game_seat_parse, game_seat, game_seat_words)
PARSE(game_access_parse, game_access, game_access_words)
PARSE(game_visibility_parse, game_visibility, game_visibility_words)
PARSE(game_profile_parse, game_profile, game_profile_words)
PARSE(game_failed_claim_parse, game_failed_claim, game_failed_claim_words)
PARSE(game_dead_parse, ending_dead, game_dead_words)
PARSE(game_claim_parse, claim_reason, game_claim_words)
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
        .dead = ENDING_DEAD_MATERIAL,
        .fivefold = true,
        .seventyfive = true,
    };
}

/* Words only, for the store keeps them for ever and enums may grow. */
void game_rules_format(const struct game_rules *rules, char text[GAME_RULES_SIZE])
{
    (void)snprintf(text, GAME_RULES_SIZE,
                   "profile=%s failed_claim=%s auto_threefold=%d auto_fifty=%d dead_position=%s fivefold=%d "
                   "seventyfive=%d",
                   game_profile_words[rules->profile], game_failed_claim_words[rules->failed_claim],
                   rules->auto_claim >> CLAIM_THREEFOLD & 1, rules->auto_claim >> CLAIM_FIFTY & 1,
                   game_dead_words[rules->dead], rules->fivefold, rules->seventyfive);
}

bool game_rules_parse(const char *text, struct game_rules *rules)
{
    char words[3][16];
    int flags[4];
    enum game_profile profile;
    enum game_failed_claim failed_claim;
    enum ending_dead dead;
    /* NOLINTNEXTLINE(cert-err34-c): our own writer wrote it, and the words are checked */
    if (sscanf(text,
               "profile=%15s failed_claim=%15s auto_threefold=%1d auto_fifty=%1d dead_position=%15s "
               "fivefold=%1d seventyfive=%1d",
               words[0], words[1], &flags[0], &flags[1], words[2], &flags[2], &flags[3]) != 7)
        return false;
    if (!game_profile_parse(words[0], &profile) || !game_failed_claim_parse(words[1], &failed_claim) ||
        !game_dead_parse(words[2], &dead))
        return false;
    *rules = (struct game_rules){
        .profile = (uint8_t)profile,
        .failed_claim = (uint8_t)failed_claim,
        .auto_claim = (uint8_t)((flags[0] != 0) << CLAIM_THREEFOLD | (flags[1] != 0) << CLAIM_FIFTY),
        .dead = (uint8_t)dead,
        .fivefold = flags[2] != 0,
        .seventyfive = flags[3] != 0,
    };
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
