#include <stdlib.h>

#include "games/game.h"

void replay_begin(struct replay *replay, const struct game *game, uint64_t *keys)
{
    *replay = (struct replay){.moves = game->moves, .keys = keys, .plies = game->head.ply, .repetition = 1};
    replay->after = game_start(game);
    keys[0] = replay->after.key;
}

/* Castling or the loss of a right cannot be undone either, but only the clock of 9.3 is certain to be in
 * every position; the keys differ for the rest. */
bool replay_next(struct replay *replay)
{
    if (replay->ply == replay->plies)
        return false;
    replay->before = replay->after;
    replay->move = replay->moves[replay->ply++];
    position_play(&replay->before, replay->move, &replay->after);
    if (replay->after.halfmove_clock == 0)
        replay->irreversible = replay->ply;
    uint64_t key = replay->keys[replay->ply] = replay->after.key;
    replay->repetition = 1;
    for (unsigned i = replay->ply; i >= replay->irreversible + 2;) {
        i -= 2; /* the side to move is part of the key */
        replay->repetition += replay->keys[i] == key;
    }
    return true;
}

struct position game_position_at(const struct game *game, unsigned ply)
{
    struct position position;
    const struct game_head *head = &game->head;
    if (ply == head->ply)
        return head->position;
    if (ply + 1 == head->ply) {
        position_unplay(&head->position, game->moves[ply], &head->past, &position);
        return position;
    }
    position = game_start(game);
    for (unsigned i = 0; i < ply; i++) {
        struct position before = position;
        position_play(&before, game->moves[i], &position);
    }
    return position;
}

unsigned replay_occurrences(const struct game *game, const struct position *wanted, unsigned last,
                            uint16_t *plies, unsigned room)
{
    struct position position = game_start(game);
    unsigned count = 0;
    for (unsigned ply = 0;; ply++) {
        if (position.key == wanted->key && position_same(&position, wanted)) {
            if (count < room)
                plies[count] = (uint16_t)ply;
            count++;
        }
        if (ply == last)
            return count;
        struct position before = position;
        position_play(&before, game->moves[ply], &position);
    }
}
