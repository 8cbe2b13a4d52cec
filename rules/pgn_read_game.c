#include <string.h>

#include "rules/movegen.h"
#include "rules/pgn_read_parts.h"
#include "rules/pgn_text.h"

/* ---- faults ------------------------------------------------------------------------------------------ */

static void tell(struct pgn_reader *reader, bool go_on)
{
    reader->stopped = reader->stopped || !go_on;
}

static void tell_fault(struct pgn_reader *reader, struct pgn_fault *fault, const char *token)
{
    char text[FEN_TEXT_MAX * PGN_TEXT_GROWTH + 1];
    bool converted;
    if (reader->stopped || !reader->handler.fault)
        return;
    pgn_text_copy(token, strlen(token), text, sizeof text, &converted);
    fault->token = text;
    tell(reader, reader->handler.fault(reader->handler.context, fault));
}

static unsigned next_ply(const struct pgn_reader *reader)
{
    return reader->section == PGN_MOVETEXT ? reader->game.plies + 1 : 0;
}

void pgn_read_game_error(struct pgn_reader *reader, enum pgn_fault_code code, struct pgn_point at,
                         const char *token, const char *detail)
{
    if (reader->section == PGN_BETWEEN_GAMES)
        pgn_read_game_begin(reader, at);
    if (!reader->game.good && (reader->section == PGN_MOVETEXT || reader->errors == PGN_ERRORS_MAX))
        return;
    reader->game.good = false;
    reader->errors++;
    struct pgn_fault fault = {code, PGN_ERROR, at.line, at.column, next_ply(reader), NULL, detail};
    tell_fault(reader, &fault, token);
}

void pgn_read_game_warn(struct pgn_reader *reader, enum pgn_fault_code code, struct pgn_point at,
                        const char *token, const char *detail)
{
    if (reader->warnings == PGN_WARNINGS_MAX)
        return;
    reader->warnings++;
    struct pgn_fault fault = {code, PGN_WARNING, at.line, at.column, next_ply(reader), NULL, detail};
    tell_fault(reader, &fault, token);
}

void pgn_read_game_refuse_text(struct pgn_reader *reader, enum pgn_fault_code code, const char *detail)
{
    struct pgn_fault fault = {code, PGN_ERROR, 1, 1, 0, NULL, detail};
    tell_fault(reader, &fault, "");
}

/* ---- its life ---------------------------------------------------------------------------------------- */

void pgn_read_game_begin(struct pgn_reader *reader, struct pgn_point at)
{
    reader->section = PGN_TAGS;
    reader->game = (struct pgn_game){
        .place = {reader->index++, at.line},
        .good = true,
        .tags_only = true,
    };
    reader->warnings = 0;
    reader->errors = 0;
    reader->started = false;
    reader->tagged = false;
    reader->both_lost = false;
    reader->move_due = true;
    reader->depth = 0;
    reader->variant = PGN_VARIANT_UNSAID;
    reader->is_set_up = false;
    reader->tag_count = 0;
    reader->fen_length = 0;
    if (!reader->stopped && reader->handler.game_begin)
        tell(reader, reader->handler.game_begin(reader->handler.context, &reader->game.place));
}

/* What was said before the first move, and before it was known from where. */
static void tell_waiting_comment(struct pgn_reader *reader)
{
    struct pgn_comment comment = {0, reader->text, reader->text_length, -1};
    if (reader->text_length > 0 && reader->handler.comment && !reader->stopped)
        tell(reader, reader->handler.comment(reader->handler.context, &comment));
    reader->text_length = 0;
}

static void start(struct pgn_reader *reader)
{
    if (!reader->game.good || !pgn_read_tags_position(reader, &reader->initial)) {
        reader->text_length = 0;
        return;
    }
    reader->started = true;
    reader->position = reader->initial;
    if (reader->handler.start && !reader->stopped)
        tell(reader, reader->handler.start(reader->handler.context, &reader->initial));
    tell_waiting_comment(reader);
}

void pgn_read_game_start(struct pgn_reader *reader)
{
    if (reader->section == PGN_MOVETEXT)
        return;
    if (reader->section == PGN_BETWEEN_GAMES)
        pgn_read_game_begin(reader, reader->begun);
    start(reader);
    reader->section = PGN_MOVETEXT;
    reader->game.tags_only = false;
}

void pgn_read_game_mark(struct pgn_reader *reader, enum pgn_result marker)
{
    pgn_read_game_start(reader);
    reader->marker_line = reader->begun.line;
    reader->game.marker = marker;
    reader->game.marked = true;
    pgn_read_game_finish(reader);
}

/* ---- its result -------------------------------------------------------------------------------------- */

/* Mate or stalemate on the board (5.1.1, 5.2.1). */
static bool is_over(const struct position *position, enum pgn_result *result)
{
    if (movegen_any(position))
        return false;
    if (!position_is_check(position))
        *result = PGN_RESULT_DRAW;
    else
        *result = position_turn(position) == COLOR_WHITE ? PGN_RESULT_BLACK_WINS : PGN_RESULT_WHITE_WINS;
    return true;
}

static bool is_other(enum pgn_result written, enum pgn_result result)
{
    return written != PGN_RESULT_UNKNOWN && written != result;
}

/* The board decides; but where tag and marker both say otherwise, moves are missing or wrong. */
static void settle_by_board(struct pgn_reader *reader, enum pgn_result result)
{
    struct pgn_game *game = &reader->game;
    bool tag = is_other(game->tag, result);
    bool marker = is_other(game->marker, result);
    if (tag && marker)
        pgn_read_game_error(reader, PGN_FAULT_RESULT, reader->begun, pgn_result_name(game->marker),
                            "Tag and marker both contradict the mate or stalemate on the board.");
    else if (tag || marker)
        pgn_read_game_warn(reader, PGN_FAULT_RESULT, tag ? reader->result_at : reader->begun,
                           pgn_result_name(tag ? game->tag : game->marker),
                           "This contradicts the mate or stalemate on the board, which counts.");
    game->result = result;
}

static void settle_by_text(struct pgn_reader *reader)
{
    struct pgn_game *game = &reader->game;
    if (reader->tagged && game->marked && game->tag != game->marker)
        pgn_read_game_warn(reader, PGN_FAULT_RESULT, reader->begun, pgn_result_name(game->marker),
                           "The tag Result and this marker differ; the tag counts, unless it is \"*\".");
    game->result = game->tag != PGN_RESULT_UNKNOWN ? game->tag : game->marker;
}

static void settle(struct pgn_reader *reader)
{
    enum pgn_result result;
    if (!reader->game.marked)
        pgn_read_game_warn(reader, PGN_FAULT_RESULT, reader->begun, "",
                           "No result marker ends this game: 1-0, 0-1, 1/2-1/2 or *.");
    if (reader->started && reader->game.good && is_over(&reader->position, &result))
        settle_by_board(reader, result);
    else
        settle_by_text(reader);
}

void pgn_read_game_finish(struct pgn_reader *reader)
{
    if (reader->section == PGN_BETWEEN_GAMES)
        return;
    if (reader->section == PGN_TAGS)
        start(reader);
    if (reader->depth > 0)
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->variation_at, "(",
                            "This variation is never closed.");
    settle(reader);
    if (reader->started) {
        reader->game.initial = &reader->initial;
        reader->game.final = &reader->position;
    }
    if (!reader->stopped && reader->handler.game_end)
        tell(reader, reader->handler.game_end(reader->handler.context, &reader->game));
    reader->section = PGN_BETWEEN_GAMES;
    reader->text_length = 0;
}
