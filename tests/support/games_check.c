#include "tests/support/games_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/notation.h"
#include "tests/support/games_laws.h"

__attribute__((format(printf, 2, 3))) static bool found(char text[CHECK_TEXT_SIZE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, CHECK_TEXT_SIZE, format, arguments);
    va_end(arguments);
    return true;
}

/* ---- the moves, played plainly ------------------------------------------------------------------------ */

/* How often the position at `ply` stood in the game up to it (Law 9.2.3). */
static unsigned times_stood(const struct position *positions, unsigned ply)
{
    unsigned count = 0;
    for (unsigned i = 0; i <= ply; i++)
        count += position_same(&positions[i], &positions[ply]);
    return count;
}

static bool history_is_wrong(const struct game *game, const struct position *positions, char *text)
{
    const struct game_head *head = &game->head;
    unsigned first = 0; /* nothing before it can come again */
    for (unsigned ply = 1; ply <= head->ply; ply++)
        if (positions[ply].halfmove_clock == 0)
            first = ply;
    if (head->keys_count != head->ply - first + 1)
        return found(text, "%u keys, but %u positions may come again", head->keys_count,
                     head->ply - first + 1);
    unsigned most = 0;
    for (unsigned ply = first; ply <= head->ply; ply++) {
        if (game->keys[ply - first] != positions[ply].key)
            return found(text, "the key of ply %u is another", ply);
        unsigned count = times_stood(positions, ply);
        most = count > most ? count : most;
    }
    if (head->repetition != times_stood(positions, head->ply))
        return found(text, "repetition is %u, not %u", head->repetition, times_stood(positions, head->ply));
    if (head->most_repeated != most)
        return found(text, "most_repeated is %u, not %u", head->most_repeated, most);
    return false;
}

static bool board_is_wrong(const struct game *game, char *text)
{
    const struct game_head *head = &game->head;
    struct position *positions = calloc(head->ply + 1U, sizeof *positions);
    if (!positions)
        return found(text, "no memory");
    positions[0] = game_start(game);
    for (unsigned ply = 0; ply < head->ply; ply++)
        position_play(&positions[ply], game->moves[ply], &positions[ply + 1]);
    const char *difference = snapshot_position_difference(&positions[head->ply], &head->position);
    bool wrong = difference ? found(text, "the position is not that of the moves: %s", difference)
                            : history_is_wrong(game, positions, text);
    free(positions);
    return wrong;
}

/* ---- the store ---------------------------------------------------------------------------------------- */

struct reader {
    const struct game *game;
    char *text;
    struct position position; /* before the next row of `moves` */
    int64_t at_ms;
    int64_t white_ms, black_ms, service_ms; /* of the last action */
    uint32_t version, ply;
    bool wrong;
};

static bool same_word(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool check_columns(void *context, const struct storage_game *row)
{
    struct reader *reader = context;
    const struct game *game = reader->game;
    const struct game_end *end = &game->head.end;
    static const struct game_texts none;
    const struct game_texts *texts = game->texts ? game->texts : &none;
    const char *expected[] = {game_status_name((enum game_status)game->head.status),
                              game_result_name((enum game_result)end->result),
                              game_termination_name((enum game_termination)end->termination),
                              game_access_name((enum game_access)game->access),
                              game_visibility_name((enum game_visibility)game->visibility),
                              texts->white_name,
                              texts->black_name,
                              texts->metadata};
    const char *stored[] = {row->status,     row->result,     row->termination, row->access,
                            row->visibility, row->white_name, row->black_name,  row->metadata};
    for (size_t i = 0; i < sizeof stored / sizeof stored[0] && !reader->wrong; i++)
        if (!same_word(stored[i], expected[i]))
            reader->wrong = found(reader->text, "a column of the game says %s instead of %s",
                                  stored[i] ? stored[i] : "nothing", expected[i] ? expected[i] : "nothing");
    bool watched = game_is_watched(game) && game->head.status == GAME_ACTIVE;
    if (!reader->wrong && row->watched != watched)
        reader->wrong = found(reader->text, "watched is %d in status %u", row->watched, game->head.status);
    if (!reader->wrong && row->ended_at_ms != end->at_ms)
        reader->wrong = found(reader->text, "ended_at is %lld instead of %lld", (long long)row->ended_at_ms,
                              (long long)end->at_ms);
    return true;
}

static bool check_action(void *context, const struct storage_action *row)
{
    struct reader *reader = context;
    if (row->version != reader->version + 1 && !reader->wrong)
        reader->wrong = found(reader->text, "version %u follows version %u", row->version, reader->version);
    if (row->at_ms < reader->at_ms && !reader->wrong)
        reader->wrong = found(reader->text, "version %u is older than the one before", row->version);
    if (game_is_watched(reader->game) != (row->service_ms >= 0) && !reader->wrong)
        reader->wrong =
            found(reader->text, "version %u at service time %lld", row->version, (long long)row->service_ms);
    reader->version = row->version;
    reader->at_ms = row->at_ms;
    reader->white_ms = row->white_ms;
    reader->black_ms = row->black_ms;
    reader->service_ms = row->service_ms;
    return true;
}

/* What the last action left on the clocks is what they show. */
static bool clocks_are_wrong(const struct reader *reader)
{
    const struct clock *clock = reader->game->clock;
    if (clock && (clock->remaining_ms[COLOR_WHITE] != reader->white_ms ||
                  clock->remaining_ms[COLOR_BLACK] != reader->black_ms))
        return found(reader->text, "the log leaves %lld and %lld on the clocks", (long long)reader->white_ms,
                     (long long)reader->black_ms);
    if (game_is_watched(reader->game) && reader->game->head.since_ms > reader->service_ms)
        return found(reader->text, "a move began at %lld, after the last action",
                     (long long)reader->game->head.since_ms);
    return false;
}

/* The last move in force, as its row has it. */
static bool times_are_wrong(const struct reader *reader, const struct storage_action *row)
{
    const struct game_head *head = &reader->game->head;
    bool white = row->seat && strcmp(row->seat, "white") == 0;
    int64_t clock_ms = white ? row->white_ms : row->black_ms;
    if (head->move_spent_ms != row->spent_ms || head->move_clock_ms != clock_ms)
        return found(reader->text, "the last move took %lld and left %lld in the log",
                     (long long)row->spent_ms, (long long)clock_ms);
    if ((row->spent_ms >= 0) != (reader->game->clock != NULL))
        return found(reader->text, "a move took %lld", (long long)row->spent_ms);
    return false;
}

static bool check_move(void *context, const struct storage_action *row)
{
    struct reader *reader = context;
    if (reader->wrong || ++reader->ply > reader->game->head.ply || row->ply != reader->ply) {
        if (!reader->wrong)
            reader->wrong = found(reader->text, "the move of ply %u stands at %u", row->ply, reader->ply);
        return true;
    }
    struct position before = reader->position;
    move m = reader->game->moves[reader->ply - 1];
    char uci[NOTATION_UCI_SIZE];
    char san[NOTATION_SAN_SIZE];
    notation_format_uci(&before, m, uci);
    notation_format_san(&before, m, san);
    position_play(&before, m, &reader->position);
    if (!same_word(row->move, uci) || !same_word(row->san, san) || row->position_key != reader->position.key)
        reader->wrong = found(reader->text, "ply %u is stored as %s, %s instead of %s, %s", row->ply,
                              row->move ? row->move : "nothing", row->san ? row->san : "nothing", uci, san);
    if (!reader->wrong && row->ply == reader->game->head.ply)
        reader->wrong = times_are_wrong(reader, row);
    return true;
}

static bool store_is_wrong(struct storage *storage, const struct game *game, char *text)
{
    struct reader reader = {.game = game, .text = text, .position = game_start(game)};
    struct storage_rows log = {.context = &reader, .game = check_columns, .action = check_action};
    if (storage_load(storage, game->id, &log) != STORAGE_OK)
        return found(text, "the log cannot be read");
    if (!reader.wrong && (reader.version != game->head.version || reader.at_ms != game->head.updated_at_ms))
        return found(text, "the log ends with version %u at %lld", reader.version, (long long)reader.at_ms);
    if (!reader.wrong)
        reader.wrong = clocks_are_wrong(&reader);
    struct storage_rows moves = {.context = &reader, .action = check_move};
    if (storage_moves(storage, game->key, &(struct storage_span){.from = 1, .limit = GAME_PLIES_LIMIT},
                      &moves) != STORAGE_OK)
        return found(text, "the moves cannot be read");
    if (!reader.wrong && reader.ply != game->head.ply)
        return found(text, "%u moves are stored of %u", reader.ply, game->head.ply);
    return reader.wrong;
}

bool check_finds_fault(struct storage *storage, const struct snapshot *snapshot, char text[CHECK_TEXT_SIZE])
{
    const struct game *game = &snapshot->game;
    return laws_find_fault(game, text) || board_is_wrong(game, text) || store_is_wrong(storage, game, text);
}
