/* 5.1.2, 6.9, 7.5.5: who resigns, oversteps the time or makes a second illegal move has lost, but for a draw where the
 * opponent cannot mate by any series of legal moves. All cases of the kinds resign and flag_fall of the collection
 * go all three ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/movegen.h"
#include "tests/support/games_club.h"

enum { TIME_MS = 60000, RESIGN_CASES = 4, FLAG_CASES = 41 };

/* One case: the side that loses unless the other cannot mate, and the result. */
struct loss {
    char id[32], fen[128];
    enum game_seat loser;
    enum game_result result;
};

/* The text of a member; the collection is written by one program, one case a line. */
static bool member(const char *line, const char *name, char *value, size_t size)
{
    char key[32];
    (void)snprintf(key, sizeof key, "\"%s\": \"", name);
    const char *from = strstr(line, key);
    if (!from)
        return false;
    from += strlen(key);
    size_t length = strcspn(from, "\"");
    assert_true(length < size);
    memcpy(value, from, length);
    value[length] = '\0';
    return true;
}

static bool read_case(const char *line, const char *kind, const char *loser, struct loss *loss)
{
    char word[32];
    if (!member(line, "kind", word, sizeof word) || strcmp(word, kind) != 0)
        return false;
    assert_true(member(line, "id", loss->id, sizeof loss->id) &&
                member(line, "fen", loss->fen, sizeof loss->fen));
    assert_true(member(line, loser, word, sizeof word) && game_seat_parse(word, &loss->loser));
    assert_true(member(line, "result", word, sizeof word) && game_result_parse(word, &loss->result));
    return true;
}

static unsigned for_each_case(struct club *club, const char *kind, const char *loser,
                              void (*try)(struct club *club, const struct loss *loss))
{
    FILE *file = fopen("tests/data/rules.jsonl", "r");
    assert_non_null(file);
    char *line = NULL;
    size_t size = 0;
    unsigned count = 0;
    struct loss loss;
    while (getline(&line, &size, file) > 0)
        if (read_case(line, kind, loser, &loss)) {
            try(club, &loss);
            count++;
        }
    free(line);
    (void)fclose(file);
    return count;
}

/* ---- what must come out ------------------------------------------------------------------------------- */

/* A line is played by legal moves only and mates the loser. */
static void expect_helpmate(const struct loss *loss, const struct game *game)
{
    const struct game_decision *decision = game->head.end.decision;
    struct position position = game->head.position;
    for (unsigned i = 0; i < decision->length; i++) {
        struct position before = position;
        if (!movegen_is_legal(&before, decision->line[i]))
            fail_msg("%s: move %u of the line is not legal", loss->id, i);
        position_play(&before, decision->line[i], &position);
    }
    if (movegen_count(&position) != 0 || !position_is_check(&position) ||
        game_seat_of(position_turn(&position)) != loss->loser)
        fail_msg("%s: the line ends without a mate", loss->id);
}

static void expect_outcome(struct club *club, const char *id, const struct loss *loss)
{
    const struct game *game = club_view(club, id);
    const struct game_end *end = &game->head.end;
    if (end->result != loss->result)
        fail_msg("%s: result %s instead of %s", loss->id, game_result_name((enum game_result)end->result),
                 game_result_name(loss->result));
    assert_int_equal(end->by, loss->loser);
    assert_non_null(end->decision);
    if ((end->decision->verdict == WINNABLE_NO) != (loss->result == RESULT_DRAW))
        fail_msg("%s: the verdict is %s", loss->id, winnable_verdict_name(end->decision->verdict));
    if (end->decision->verdict == WINNABLE_YES)
        expect_helpmate(loss, game);
}

static void expect_termination(struct club *club, const char *id, enum game_termination lost,
                               enum game_termination drawn)
{
    const struct game_end *end = &club_view(club, id)->head.end;
    assert_int_equal(end->termination, end->result == RESULT_DRAW ? drawn : lost);
}

/* ---- three ways to lose ------------------------------------------------------------------------------- */

static struct game_rules living_rules(void)
{
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.dead = ENDING_DEAD_OFF; /* some of the positions are dead */
    return rules;
}

static void resign(struct club *club, const struct loss *loss)
{
    struct game_rules rules = living_rules();
    const char *id = club_create_rules(club, loss->fen, &rules, NULL);
    assert_int_equal(club_resign(club, id, loss->loser), ACTION_DONE);
    expect_outcome(club, id, loss);
    expect_termination(club, id, TERMINATION_RESIGNATION, TERMINATION_RESIGNATION_UNWINNABLE);
}

static void move_illegally(struct club *club, const struct loss *loss)
{
    struct game_rules rules = living_rules();
    const char *id = club_create_rules(club, loss->fen, &rules, NULL);
    assert_int_equal(club_seat(club, ACTION_ILLEGAL_MOVE, id, loss->loser), ACTION_DONE);
    assert_int_equal(club_seat(club, ACTION_ILLEGAL_MOVE, id, loss->loser), ACTION_DONE);
    expect_outcome(club, id, loss);
    expect_termination(club, id, TERMINATION_RULES_INFRACTION, TERMINATION_RULES_INFRACTION);
}

/* Only the side to move can overstep its time. */
static unsigned overstepped;

static void overstep(struct club *club, const struct loss *loss)
{
    static const struct time_control control = {
        .immediate = true, .stage_count = 1, .stages = {{.time_ms = TIME_MS}}};
    struct game_rules rules = living_rules();
    const char *id = club_create_control(club, &control, loss->fen, &rules);
    if (game_turn(club_view(club, id)) != loss->loser)
        return;
    overstepped++;
    club_advance(club, TIME_MS);
    (void)club_tick(club, id);
    expect_outcome(club, id, loss);
    expect_termination(club, id, TERMINATION_TIMEOUT, TERMINATION_TIMEOUT_UNWINNABLE);
    club_forget(club);
    assert_int_equal(club_flag(club, id), ACTION_REPLAYED);
}

static void resignation_loses_unless_the_opponent_cannot_mate_5_1_2(void **state)
{
    assert_int_equal(for_each_case(*state, "resign", "resigns", resign), RESIGN_CASES);
    assert_int_equal(for_each_case(*state, "flag_fall", "flagged", resign), FLAG_CASES);
}

static void a_second_illegal_move_loses_unless_the_opponent_cannot_mate_7_5_5(void **state)
{
    assert_int_equal(for_each_case(*state, "resign", "resigns", move_illegally), RESIGN_CASES);
    assert_int_equal(for_each_case(*state, "flag_fall", "flagged", move_illegally), FLAG_CASES);
}

static void a_fallen_flag_loses_unless_the_opponent_cannot_mate_6_9(void **state)
{
    overstepped = 0;
    (void)for_each_case(*state, "resign", "resigns", overstep);
    (void)for_each_case(*state, "flag_fall", "flagged", overstep);
    assert_true(overstepped >= 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(resignation_loses_unless_the_opponent_cannot_mate_5_1_2),
        CLUB_TEST(a_second_illegal_move_loses_unless_the_opponent_cannot_mate_7_5_5),
        CLUB_TEST(a_fallen_flag_loses_unless_the_opponent_cannot_mate_6_9),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
