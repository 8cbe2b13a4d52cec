#include "api/view_game.h"
#include "rules/movegen.h"

static void view_claim_reasons(struct writer *json, const char *key, unsigned claims)
{
    json_array_begin(json, key);
    for (unsigned reason = CLAIM_THREEFOLD; reason < CLAIM_REASON_COUNT; reason++)
        if (claims >> reason & 1)
            json_word(json, NULL, game_claim_name((enum claim_reason)reason));
    json_array_end(json);
}

/* A claim with a move needs a position that stood twice already, or a clock that the move brings to a
 * hundred. */
static bool move_may_allow_claim(const struct game *game)
{
    return game->head.status == GAME_ACTIVE && (game->head.most_repeated >= ENDING_THREEFOLD - 1 ||
                                                game->head.position.halfmove_clock >= ENDING_FIFTY_PLIES - 1);
}

static void view_claim_move(struct writer *json, const struct position *position, move m,
                            enum claim_reason reason)
{
    char uci[NOTATION_UCI_SIZE];
    char san[NOTATION_SAN_SIZE];
    notation_format_uci(position, m, uci);
    notation_format_san(position, m, san);
    json_object_begin(json, NULL);
    json_word(json, "uci", uci);
    json_word(json, "san", san);
    json_word(json, "reason", game_claim_name(reason));
    json_object_end(json);
}

static void write_claim_move(struct writer *text, const struct position *position, move m,
                             enum claim_reason reason)
{
    char san[NOTATION_SAN_SIZE];
    notation_format_san(position, m, san);
    writer_printf(text, "with %s: %s\n", san, game_claim_name(reason));
}

typedef void (*claim_move_view)(struct writer *out, const struct position *position, move m,
                                enum claim_reason reason);

/* Each move and reason; `view` NULL only counts. */
static unsigned each_claim_move(struct writer *out, const struct game *game, claim_move_view view)
{
    if (!move_may_allow_claim(game))
        return 0;
    struct key_history history = game_history(game);
    const struct position *position = &game->head.position;
    struct movelist list;
    unsigned count = 0;
    movegen_legal(position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        unsigned claims = claim_with_move(position, &history, list.moves[i]);
        for (unsigned reason = CLAIM_THREEFOLD; reason < CLAIM_REASON_COUNT; reason++) {
            if (!(claims >> reason & 1))
                continue;
            count++;
            if (view)
                view(out, position, list.moves[i], (enum claim_reason)reason);
        }
    }
    return count;
}

static unsigned claims_now(const struct game *game)
{
    struct key_history history = game_history(game);
    return game->head.status == GAME_ACTIVE ? claim_now(&game->head.position, &history) : 0;
}

void view_draw_offer(struct writer *json, const struct game *game)
{
    const struct game_head *head = &game->head;
    json_word(json, "offered_by", game_seat_name((enum game_seat)head->offer_by));
    if (head->offer_by == SEAT_NONE)
        json_null(json, "offered_at_ply");
    else
        json_int(json, "offered_at_ply", head->offer_ply);
}

void view_draw(struct writer *json, const struct game *game, bool with_moves)
{
    view_draw_offer(json, game);
    view_claim_reasons(json, "now", claims_now(game));
    if (!with_moves) {
        json_int(json, "with_move_count", each_claim_move(NULL, game, NULL));
        return;
    }
    json_array_begin(json, "with_move");
    each_claim_move(json, game, view_claim_move);
    json_array_end(json);
}

void view_draw_text(struct writer *text, const struct game *game)
{
    const char *offered_by = game_seat_name((enum game_seat)game->head.offer_by);
    unsigned now = claims_now(game);
    writer_printf(text, "%s offers a draw\n", offered_by ? offered_by : "nobody");
    writer_text(text, now ? "to be claimed now:" : "nothing can be claimed now");
    for (unsigned reason = CLAIM_THREEFOLD; reason < CLAIM_REASON_COUNT; reason++)
        if (now >> reason & 1)
            writer_printf(text, " %s", game_claim_name((enum claim_reason)reason));
    writer_char(text, '\n');
    each_claim_move(text, game, write_claim_move);
}

static void view_plies(struct writer *json, const char *key, const uint16_t *plies, unsigned count)
{
    json_array_begin(json, key);
    for (unsigned i = 0; i < count; i++)
        json_int(json, NULL, plies[i]);
    json_array_end(json);
}

void view_claim(struct writer *json, const char *key, const struct claim_verdict *verdict)
{
    json_object_begin(json, key);
    json_word(json, "reason", game_claim_name(verdict->reason));
    json_bool(json, "valid", verdict->valid);
    json_int(json, "count", verdict->count);
    view_plies(json, "plies", verdict->plies, verdict->ply_count);
    json_int(json, "halfmove_clock", verdict->halfmove_clock);
    if (verdict->move == MOVE_NONE) {
        json_null(json, "move");
    } else {
        json_object_begin(json, "move");
        json_string(json, "san", verdict->san);
        json_string(json, "uci", verdict->uci);
        json_object_end(json);
    }
    json_bool(json, "stands_as_offer", verdict->stands_as_offer);
    json_object_end(json);
}
