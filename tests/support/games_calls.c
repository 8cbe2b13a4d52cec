#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "tests/support/games_club.h"

static const char *create_with(struct club *club, struct deed *deed, const char *fen)
{
    struct position start;
    if (fen) {
        struct setup_report report = {0};
        if (!fen_parse(fen, strlen(fen), false, &start, &report))
            fail_msg("%s is not a position", fen);
        deed->action.create.start = &start;
    }
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    deed->action.create.start = NULL;
    return deed->action.id;
}

const char *club_create(struct club *club)
{
    return club_create_fen(club, NULL);
}

const char *club_create_fen(struct club *club, const char *fen)
{
    return club_create_profile(club, fen, PROFILE_FIDE);
}

const char *club_create_profile(struct club *club, const char *fen, enum game_profile profile)
{
    struct game_rules rules = game_rules_default(profile);
    return club_create_rules(club, fen, &rules, NULL);
}

const char *club_create_rules(struct club *club, const char *fen, const struct game_rules *rules,
                              const char *moves)
{
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.rules = *rules;
    if (moves)
        deed_set_moves(deed, moves);
    return create_with(club, deed, fen);
}

enum action_outcome club_move(struct club *club, const char *id, const char *moves)
{
    return club_move_at(club, id, 0, moves);
}

enum action_outcome club_move_at(struct club *club, const char *id, uint32_t ply, const char *moves)
{
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, moves);
    deed->action.ply = ply;
    return club_do(club, deed);
}

enum action_outcome club_comment(struct club *club, const char *id, const char *text, const char *comment)
{
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, text);
    deed->inputs[0].comment = comment;
    return club_do(club, deed);
}

enum action_outcome club_undo(struct club *club, const char *id, uint32_t plies)
{
    struct deed *deed = club_deed(club, ACTION_UNDO, id);
    deed->action.undo_plies = plies;
    return club_do(club, deed);
}

enum action_outcome club_claim(struct club *club, const char *id, enum claim_reason reason, const char *text)
{
    struct deed *deed = club_deed(club, ACTION_CLAIM, id);
    deed->action.claim.reason = reason;
    if (text)
        deed_set_moves(deed, text);
    return club_do(club, deed);
}

enum action_outcome club_resign(struct club *club, const char *id, enum game_seat seat)
{
    struct deed *deed = club_deed(club, ACTION_RESIGN, id);
    deed->action.seat = seat;
    return club_do(club, deed);
}

enum action_outcome club_abort(struct club *club, const char *id)
{
    return club_do(club, club_deed(club, ACTION_ABORT, id));
}

enum action_outcome club_update(struct club *club, const char *id, const struct action_update *update)
{
    struct deed *deed = club_deed(club, ACTION_UPDATE, id);
    deed->action.update = *update;
    return club_do(club, deed);
}

enum action_outcome club_delete(struct club *club, const char *id)
{
    struct deed *deed = club_deed(club, ACTION_DELETE, id);
    deed->action.caller.is_operator = true;
    return club_do(club, deed);
}

const char *club_create_control(struct club *club, const struct time_control *control, const char *fen,
                                const struct game_rules *rules)
{
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.control = control;
    if (rules)
        deed->action.create.rules = *rules;
    const char *id = create_with(club, deed, fen);
    deed->action.create.control = NULL;
    return id;
}

const char *club_create_timed(struct club *club, const char *control, const char *fen,
                              const struct game_rules *rules)
{
    struct time_control read;
    size_t offset;
    if (time_control_read(control, strlen(control), &read, &offset) != TIME_OK)
        fail_msg("%s is not a time control", control);
    return club_create_control(club, &read, fen, rules);
}

enum action_outcome club_seat(struct club *club, enum action_kind kind, const char *id, enum game_seat seat)
{
    struct deed *deed = club_deed(club, kind, id);
    deed->action.seat = seat;
    return club_do(club, deed);
}

enum action_outcome club_takeback(struct club *club, const char *id, enum game_seat seat, uint32_t to_ply)
{
    struct deed *deed = club_deed(club, ACTION_TAKEBACK, id);
    bool has_ply = to_ply != CLUB_LAST_MOVE;
    deed->action.takeback =
        (struct action_takeback){.seat = seat, .has_ply = has_ply, .to_ply = has_ply ? to_ply : 0};
    return club_do(club, deed);
}

enum action_outcome club_adjudicate(struct club *club, const char *id, enum game_result result,
                                    const char *comment)
{
    struct deed *deed = club_deed(club, ACTION_ADJUDICATE, id);
    deed->action.adjudicate = (struct action_adjudicate){.result = result, .comment = comment};
    return club_do(club, deed);
}

enum action_outcome club_flag(struct club *club, const char *id)
{
    return club_do(club, club_deed(club, ACTION_FLAG, id));
}

enum action_outcome club_add_time(struct club *club, const char *id, enum game_seat seat, int64_t ms)
{
    struct deed *deed = club_deed(club, ACTION_ADD_TIME, id);
    deed->action.add_time = (struct action_add_time){.seat = seat, .ms = ms};
    return club_do(club, deed);
}

enum action_outcome club_move_offering(struct club *club, const char *id, const char *text)
{
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, text);
    deed->inputs[deed->input_count - 1].draw_offer = true;
    return club_do(club, deed);
}

void club_play(struct club *club, const char *id, const char *moves)
{
    char *words = strdup(moves);
    assert_non_null(words);
    char *rest = NULL;
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        if (club_move(club, id, word) != ACTION_DONE)
            fail_msg("%s cannot be played: outcome %d", word, club->last->action.outcome);
    free(words);
}
