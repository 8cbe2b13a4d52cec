#include "api/view_game.h"

#include <string.h>

#include "api/exchange.h"
#include "api/view_clock.h"
#include "api/view_decision.h"
#include "api/view_move.h"
#include "api/view_position.h"
#include "rules/chess960.h"
#include "rules/fen.h"
#include "rules/movegen.h"

static const char *turn_name(const struct game *game)
{
    return fen_color_name(position_turn(&game->head.position));
}

void view_last_move(struct writer *json, const char *key, const struct game *game)
{
    if (game->head.ply == 0) {
        json_null(json, key);
        return;
    }
    struct position before = game_position_at(game, game->head.ply - 1U);
    struct move_view view = {
        .before = &before,
        .after = &game->head.position,
        .move = game->moves[game->head.ply - 1],
        .ply = game->head.ply,
        .repetition = game->head.repetition,
        .played_at_ms = game->head.move_at_ms,
        .clock_ms = game->head.move_clock_ms,
        .spent_ms = game->head.move_spent_ms,
        .comment = game->head.comment,
    };
    view_move(json, key, &view);
}

static void view_player(struct writer *json, const struct game *game, enum game_seat seat, const char *name)
{
    json_object_begin(json, game_seat_name(seat));
    json_string(json, "name", name);
    json_bool(json, "taken", game_seat_is_taken(game, seat));
    json_object_end(json);
}

/* null: the rule is not in force. */
static void view_number_rule(struct writer *json, const char *key, uint32_t value)
{
    if (value)
        json_int(json, key, value);
    else
        json_null(json, key);
}

/* What the event decides, not the Laws. */
static void view_event_rules(struct writer *json, const struct game_rules *rules)
{
    json_word(json, "failed_claim", game_failed_claim_name((enum game_failed_claim)rules->failed_claim));
    json_int(json, "claim_penalty_ms", rules->claim_penalty_ms);
    json_word(json, "draw_offers", game_draw_offers_name((enum game_draw_offers)rules->draw_offers));
    view_number_rule(json, "draw_offers_from_move", rules->draw_offers_from_move);
    json_word(json, "takeback", game_takeback_name((enum game_takeback)rules->takeback));
    view_number_rule(json, "abandon_after_ms", rules->abandon_after_ms);
    view_number_rule(json, "move_limit", rules->move_limit);
}

static void view_rules(struct writer *json, const struct game_rules *rules)
{
    json_object_begin(json, "rules");
    json_word(json, "profile", game_profile_name((enum game_profile)rules->profile));
    json_array_begin(json, "auto_claim");
    for (unsigned reason = CLAIM_THREEFOLD; reason < CLAIM_REASON_COUNT; reason++)
        if (rules->auto_claim >> reason & 1)
            json_word(json, NULL, game_claim_name((enum claim_reason)reason));
    json_array_end(json);
    json_bool(json, "fivefold", rules->fivefold);
    json_bool(json, "seventyfive", rules->seventyfive);
    json_word(json, "dead_position", game_dead_name((enum ending_dead)rules->dead));
    view_event_rules(json, rules);
    json_object_end(json);
}

/* SEAT_NONE: the game has ended otherwise. */
static enum game_seat whose_flag_fell(const struct game_end *end)
{
    bool fell = end->termination == TERMINATION_TIMEOUT || end->termination == TERMINATION_TIMEOUT_UNWINNABLE;
    return fell ? (enum game_seat)end->by : SEAT_NONE;
}

static void view_end_decision(struct writer *json, const struct game *game)
{
    const struct game_end *end = &game->head.end;
    if (!end->decision) {
        json_null(json, "decision");
        return;
    }
    struct decision_view view = {
        .position = &game->head.position,
        .verdict = end->decision->verdict,
        .method = end->decision->method,
        .nodes = end->decision->nodes,
        .line = end->decision->line,
        .length = end->decision->length,
    };
    json_object_begin(json, "decision");
    json_word(json, "flagged", game_seat_name(whose_flag_fell(end)));
    view_decision(json, &view);
    json_object_end(json);
}

/* The end hangs on what there is on the board, wherever it stands. */
static bool is_of_material(const struct game_end *end)
{
    const struct game_decision *decision = end->decision;
    return end->dead_method == WINNABLE_MATERIAL ||
           (decision && decision->verdict == WINNABLE_NO && decision->method == WINNABLE_MATERIAL);
}

static void view_termination_detail(struct writer *json, const struct game *game)
{
    const struct game_end *end = &game->head.end;
    if (end->termination == TERMINATION_NONE) {
        json_null(json, "termination_detail");
        return;
    }
    json_object_begin(json, "termination_detail");
    json_word(json, "article", game_termination_article((enum game_termination)end->termination));
    json_word(json, "by", game_seat_name((enum game_seat)end->by));
    json_bool(json, "material", is_of_material(end));
    json_word(json, "method", view_method_name((enum winnable_method)end->dead_method));
    json_array_begin(json, "also");
    for (unsigned t = TERMINATION_CHECKMATE; t < TERMINATION_COUNT; t++)
        if (end->also >> t & 1)
            json_word(json, NULL, game_termination_name((enum game_termination)t));
    json_array_end(json);
    if (end->claim != CLAIM_NONE) {
        struct claim_verdict verdict;
        claim_describe(&verdict, game, (enum claim_reason)end->claim, end->claim_move);
        verdict.valid = true;
        view_claim(json, "claim", &verdict);
    } else {
        json_null(json, "claim");
    }
    view_end_decision(json, game);
    json_string(json, "comment", end->comment);
    json_object_end(json);
}

static void view_end(struct writer *json, const struct game *game)
{
    const struct game_end *end = &game->head.end;
    json_word(json, "status", game_status_name((enum game_status)game->head.status));
    json_word(json, "result", game_result_name((enum game_result)end->result));
    json_word(json, "winner", game_seat_name(game_winner(game)));
    json_word(json, "termination", game_termination_name((enum game_termination)end->termination));
}

/* The usual first position needs no look at a board. */
static void view_usual_origin(struct writer *json)
{
    static const char MEMBERS[] = "\"variant\":\"standard\",\"chess960_number\":null,\"initial_fen\":"
                                  "\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"";
    json_raw(json, NULL, MEMBERS, sizeof MEMBERS - 1);
}

static void view_origin(struct writer *json, const struct game *game)
{
    if (!game->start) {
        view_usual_origin(json);
        return;
    }
    int number = game->start->chess960 ? chess960_number(game->start) : -1;
    json_word(json, "variant", game->start->chess960 ? "chess960" : "standard");
    if (number >= 0)
        json_int(json, "chess960_number", number);
    else
        json_null(json, "chess960_number");
    view_fen(json, "initial_fen", game->start, FEN_EN_PASSANT_LEGAL);
}

static void view_now(struct writer *json, const struct game *game)
{
    const struct position *position = &game->head.position;
    view_fen(json, "fen", position, FEN_EN_PASSANT_LEGAL);
    json_word(json, "turn", turn_name(game));
    json_int(json, "ply", game->head.ply);
    json_bool(json, "check", position_is_check(position));
    json_int(json, "legal_move_count", game_is_over(game) ? 0 : movegen_count(position));
    json_int(json, "halfmove_clock", position->halfmove_clock);
    json_int(json, "repetition_count", game->head.repetition);
    json_hex64(json, "position_key", position->key);
}

static bool is_kept(const struct game *game)
{
    return game->id[0] != '\0';
}

enum { LINKS_MAX = 11 };

/* The links are one text, in which the id is put again and again. */
#define PUT_LINK(at, game, name, below)                                                                      \
    (at) = put_game_path(put_literal((at), "\"" name "\":\""), (game));                                      \
    (at) = put_literal((at), below "\",")

static char *put_links(char *at, const struct game *game)
{
    PUT_LINK(at, game, "self", "");
    PUT_LINK(at, game, "moves", "/moves");
    PUT_LINK(at, game, "legal_moves", "/legal-moves");
    PUT_LINK(at, game, "board", "/board");
    PUT_LINK(at, game, "position", "/position");
    PUT_LINK(at, game, "draw", "/draw");
    PUT_LINK(at, game, "pgn", "/pgn");
    PUT_LINK(at, game, "fen", "/fen");
    PUT_LINK(at, game, "seats", "/seats");
    PUT_LINK(at, game, "events", "/events");
    if (game->clock) {
        PUT_LINK(at, game, "clock", "/clock");
    }
    return at - 1; /* the last comma */
}

static void view_links(struct writer *json, const struct game *game)
{
    enum {
        LONGEST_BYTES = sizeof "\"legal_moves\":\"/legal-moves\"," + GAME_PATH_LENGTH,
        LINKS_BYTES = sizeof "{}" + (size_t)LINKS_MAX * LONGEST_BYTES
    };
    char *at = json_begin(json, "links", LINKS_BYTES);
    if (!at)
        return;
    *at++ = '{';
    if (is_kept(game))
        at = put_links(at, game);
    *at++ = '}';
    writer_wrote(json, at);
}

static void view_people(struct writer *json, const struct game *game)
{
    const struct game_texts *texts = game->texts;
    view_player(json, game, SEAT_WHITE, texts ? texts->white_name : NULL);
    view_player(json, game, SEAT_BLACK, texts ? texts->black_name : NULL);
    json_word(json, "access", game_access_name((enum game_access)game->access));
    json_word(json, "visibility", game_visibility_name((enum game_visibility)game->visibility));
}

static void view_metadata(struct writer *json, const struct game *game)
{
    const char *metadata = game->texts && game->texts->metadata ? game->texts->metadata : "{}";
    json_raw(json, "metadata", metadata, strlen(metadata));
}

/* The origin may be the client's own word, which is escaped as any. */
static void view_url(struct writer *json, const struct exchange *exchange, const struct game *game)
{
    const char *origin = exchange_origin(exchange);
    size_t length = origin ? strlen(origin) : 0;
    char *url = origin ? arena_alloc(exchange->arena, length + GAME_PATH_LENGTH) : NULL;
    if (!url) {
        json->failed = true;
        return;
    }
    json_string_n(json, "url", url, (size_t)(put_game_path(put_bytes(url, origin, length), game) - url));
}

static void view_address(struct writer *json, const struct exchange *exchange, const struct game *game)
{
    if (!is_kept(game)) {
        json_null(json, "id");
        json_null(json, "url");
        return;
    }
    json_word(json, "id", game->id);
    view_url(json, exchange, game);
}

static void view_takeback(struct writer *json, const struct game *game)
{
    if (game->head.takeback_by == SEAT_NONE) {
        json_null(json, "takeback");
        return;
    }
    json_object_begin(json, "takeback");
    json_word(json, "offered_by", game_seat_name((enum game_seat)game->head.takeback_by));
    json_int(json, "to_ply", game->head.takeback_ply);
    json_object_end(json);
}

/* `last_move`: where the Move object of the last move stands in this text already, or NULL. */
static void view_members(struct writer *json, const struct exchange *exchange, const struct game *game,
                         const struct json_place *last_move)
{
    view_address(json, exchange, game);
    json_int(json, "version", game->head.version);
    view_origin(json, game);
    view_end(json, game);
    view_termination_detail(json, game);
    if (game->head.end.at_ms)
        json_time(json, "ended_at", game->head.end.at_ms);
    else
        json_null(json, "ended_at");
    view_now(json, game);
    if (last_move)
        json_repeat(json, "last_move", last_move);
    else
        view_last_move(json, "last_move", game);
    view_people(json, game);
    view_rules(json, &game->rules);
    view_clock(json, "clock", game, game->clock ? exchange_epoch_ms(exchange) : 0);
    json_object_begin(json, "draw");
    view_draw(json, game, false);
    json_object_end(json);
    view_takeback(json, game);
    view_metadata(json, game);
    json_time(json, "created_at", game->created_at_ms);
    json_time(json, "updated_at", game->head.updated_at_ms);
    view_links(json, game);
}

void view_game(struct writer *json, const char *key, const struct exchange *exchange, const struct game *game)
{
    json_object_begin(json, key);
    view_members(json, exchange, game, NULL);
    json_object_end(json);
}

void view_game_and_move(struct writer *json, const struct exchange *exchange, const struct game *game)
{
    size_t from = json->length + json->comma + strlen("\"move\":");
    view_last_move(json, "move", game);
    if (json->failed)
        return;
    struct json_place last_move = {from, json->length - from};
    json_object_begin(json, "game");
    view_members(json, exchange, game, &last_move);
    json_object_end(json);
}

void view_game_created(struct writer *json, const struct exchange *exchange, const struct game *game,
                       const struct action *action)
{
    json_object_begin(json, NULL);
    view_members(json, exchange, game, NULL);
    if (game->seats) {
        json_object_begin(json, "tokens");
        for (unsigned i = 0; i < GAME_TOKENS; i++)
            json_string(json, game_role_words[ROLE_WHITE + i], action->tokens[i]);
        json_object_end(json);
    }
    json_object_end(json);
}

static void view_status(struct writer *json, const struct game *game, int64_t epoch_ms)
{
    view_end(json, game);
    json_word(json, "turn", turn_name(game));
    json_int(json, "ply", game->head.ply);
    json_int(json, "version", game->head.version);
    json_bool(json, "check", position_is_check(&game->head.position));
    view_clock(json, "clock", game, epoch_ms);
}

void view_game_status(struct writer *json, const struct exchange *exchange, const struct game *game)
{
    json_object_begin(json, NULL);
    view_status(json, game, exchange_epoch_ms(exchange));
    json_object_end(json);
}

void view_game_state(struct writer *json, const char *key, const struct game *game, int64_t epoch_ms)
{
    json_object_begin(json, key);
    view_status(json, game, epoch_ms);
    view_fen(json, "fen", &game->head.position, FEN_EN_PASSANT_LEGAL);
    json_object_begin(json, "draw");
    view_draw_offer(json, game);
    json_object_end(json);
    view_takeback(json, game);
    json_object_end(json);
}

void view_game_brief(struct writer *json, const struct game *game)
{
    json_object_begin(json, "game");
    json_word(json, "id", game->id);
    json_int(json, "version", game->head.version);
    json_int(json, "ply", game->head.ply);
    json_word(json, "status", game_status_name((enum game_status)game->head.status));
    json_word(json, "result", game_result_name((enum game_result)game->head.end.result));
    json_word(json, "termination", game_termination_name((enum game_termination)game->head.end.termination));
    json_word(json, "turn", turn_name(game));
    view_fen(json, "fen", &game->head.position, FEN_EN_PASSANT_LEGAL);
    json_object_end(json);
}

void view_fen_line(struct writer *text, const struct position *position, enum fen_en_passant en_passant)
{
    char fen[FEN_SIZE];
    writer_bytes(text, fen, fen_format(position, en_passant, fen));
    writer_char(text, '\n');
}

void view_result_line(struct writer *text, const struct game *game)
{
    const char *termination = game_termination_name((enum game_termination)game->head.end.termination);
    writer_printf(text, "%s %s\n", game_result_name((enum game_result)game->head.end.result),
                  termination ? termination : game_status_name((enum game_status)game->head.status));
}
