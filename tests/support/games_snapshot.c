#include "tests/support/games_snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "games/live.h"

static void *copy_bytes(const void *bytes, size_t size)
{
    void *copy = malloc(size ? size : 1);
    if (copy && size)
        memcpy(copy, bytes, size);
    return copy;
}

static struct game_decision *copy_decision(const struct game_decision *decision)
{
    return decision ? copy_bytes(decision, sizeof *decision + decision->length * sizeof(move)) : NULL;
}

struct snapshot *snapshot_take(const struct game *game)
{
    struct snapshot *snapshot = calloc(1, sizeof *snapshot);
    if (!snapshot)
        return NULL;
    struct game *copy = &snapshot->game;
    struct key_history history = game_history(game);
    *copy = *game;
    copy->moves = copy_bytes(game->moves, game->head.ply * sizeof *game->moves);
    copy->keys = copy_bytes(history.keys, history.count * sizeof *history.keys);
    copy->moves_capacity = copy->keys_capacity = 0;
    copy->head.keys_first = 0;
    copy->start = game->start ? copy_bytes(game->start, sizeof *game->start) : NULL;
    copy->texts = game->texts ? game_texts_copy(game->texts) : NULL;
    copy->clock = game->clock ? copy_bytes(game->clock, sizeof *game->clock) : NULL;
    copy->seats = game->seats ? copy_bytes(game->seats, sizeof *game->seats) : NULL;
    copy->head.comment = game->head.comment ? strdup(game->head.comment) : NULL;
    copy->head.end.comment = game->head.end.comment ? strdup(game->head.end.comment) : NULL;
    copy->head.end.decision = copy_decision(game->head.end.decision);
    return snapshot;
}

void snapshot_free(struct snapshot *snapshot)
{
    if (!snapshot)
        return;
    free(snapshot->game.moves);
    free(snapshot->game.keys);
    free((void *)(uintptr_t)snapshot->game.start);
    free((void *)(uintptr_t)snapshot->game.texts);
    free(snapshot->game.clock);
    free(snapshot->game.seats);
    free(snapshot->game.head.comment);
    free(snapshot->game.head.end.comment);
    free(snapshot->game.head.end.decision);
    free(snapshot);
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

#define DIFFER(member)                                                                                       \
    if (a->member != b->member)                                                                              \
    return #member

const char *snapshot_position_difference(const struct position *a, const struct position *b)
{
    for (int i = 0; i < COLOR_COUNT; i++)
        DIFFER(by_color[i]);
    for (int i = 0; i < PIECE_COUNT; i++)
        DIFFER(by_type[i]);
    DIFFER(key);
    DIFFER(castling_rooks);
    DIFFER(turn);
    DIFFER(en_passant);
    DIFFER(double_step);
    DIFFER(chess960);
    DIFFER(halfmove_clock);
    DIFFER(fullmove_number);
    return NULL;
}

static const char *decision_difference(const struct game_decision *a, const struct game_decision *b)
{
    if (!a || !b)
        return a == b ? NULL : "decision";
    DIFFER(verdict);
    DIFFER(method);
    DIFFER(nodes);
    DIFFER(length);
    return memcmp(a->line, b->line, a->length * sizeof *a->line) == 0 ? NULL : "line";
}

static const char *clock_difference(const struct clock *a, const struct clock *b)
{
    if (!a || !b)
        return a == b ? NULL : "clock";
    DIFFER(remaining_ms[COLOR_WHITE]);
    DIFFER(remaining_ms[COLOR_BLACK]);
    DIFFER(control.mode);
    DIFFER(control.stage_count);
    DIFFER(control.immediate);
    DIFFER(control.delay_ms);
    DIFFER(control.bank_ms);
    for (unsigned i = 0; i < a->control.stage_count; i++) {
        DIFFER(control.stages[i].moves);
        DIFFER(control.stages[i].time_ms);
        DIFFER(control.stages[i].increment_ms);
    }
    return NULL;
}

static const char *seats_difference(const struct game_seats *a, const struct game_seats *b)
{
    if (!a || !b)
        return a == b ? NULL : "seats";
    DIFFER(taken[COLOR_WHITE]);
    DIFFER(taken[COLOR_BLACK]);
    return memcmp(a->digests, b->digests, sizeof a->digests) == 0 ? NULL : "tokens";
}

static const char *end_difference(const struct game_end *a, const struct game_end *b)
{
    DIFFER(at_ms);
    DIFFER(termination);
    DIFFER(result);
    DIFFER(by);
    DIFFER(claim);
    DIFFER(dead_method);
    DIFFER(claim_move);
    DIFFER(also);
    if (!same_text(a->comment, b->comment))
        return "comment of the end";
    return decision_difference(a->decision, b->decision);
}

static const char *head_difference(const struct game_head *a, const struct game_head *b)
{
    DIFFER(version);
    DIFFER(ply);
    DIFFER(status);
    DIFFER(updated_at_ms);
    DIFFER(move_at_ms);
    DIFFER(since_ms);
    DIFFER(since_at_ms);
    DIFFER(move_clock_ms);
    DIFFER(move_spent_ms);
    DIFFER(illegal[COLOR_WHITE]);
    DIFFER(illegal[COLOR_BLACK]);
    DIFFER(takeback_by);
    if (a->takeback_by != SEAT_NONE)
        DIFFER(takeback_ply);
    DIFFER(keys_count);
    DIFFER(repetition);
    DIFFER(most_repeated);
    DIFFER(offer_by);
    if (a->offer_by != SEAT_NONE)
        DIFFER(offer_ply);
    if (!same_text(a->comment, b->comment))
        return "comment";
    const char *difference = end_difference(&a->end, &b->end);
    return difference ? difference : snapshot_position_difference(&a->position, &b->position);
}

static const char *rules_difference(const struct game_rules *a, const struct game_rules *b)
{
    DIFFER(profile);
    DIFFER(failed_claim);
    DIFFER(auto_claim);
    DIFFER(dead);
    DIFFER(fivefold);
    DIFFER(seventyfive);
    DIFFER(draw_offers);
    DIFFER(draw_offers_from_move);
    DIFFER(takeback);
    DIFFER(move_limit);
    DIFFER(claim_penalty_ms);
    DIFFER(abandon_after_ms);
    return NULL;
}

static const char *texts_difference(const struct game_texts *a, const struct game_texts *b)
{
    static const struct game_texts none;
    a = a ? a : &none;
    b = b ? b : &none;
    if (!same_text(a->white_name, b->white_name))
        return "white_name";
    if (!same_text(a->black_name, b->black_name))
        return "black_name";
    if (!same_text(a->tags, b->tags))
        return "tags";
    if (!same_text(a->comment, b->comment))
        return "comment before the first move";
    return same_text(a->metadata, b->metadata) ? NULL : "metadata";
}

static const char *game_difference(const struct game *a, const struct game *b)
{
    DIFFER(key);
    DIFFER(created_at_ms);
    DIFFER(access);
    DIFFER(visibility);
    if (strcmp(a->id, b->id) != 0)
        return "id";
    if (!a->start != !b->start)
        return "start";
    const char *difference = a->start ? snapshot_position_difference(a->start, b->start) : NULL;
    difference = difference ? difference : rules_difference(&a->rules, &b->rules);
    difference = difference ? difference : texts_difference(a->texts, b->texts);
    difference = difference ? difference : clock_difference(a->clock, b->clock);
    difference = difference ? difference : seats_difference(a->seats, b->seats);
    return difference ? difference : head_difference(&a->head, &b->head);
}

const char *snapshot_difference(const struct snapshot *a, const struct snapshot *b)
{
    if (!a || !b)
        return a == b ? NULL : "existence";
    const char *difference = game_difference(&a->game, &b->game);
    if (difference)
        return difference;
    if (memcmp(a->game.moves, b->game.moves, a->game.head.ply * sizeof *a->game.moves) != 0)
        return "moves";
    if (memcmp(a->game.keys, b->game.keys, a->game.head.keys_count * sizeof *a->game.keys) != 0)
        return "keys";
    return NULL;
}
