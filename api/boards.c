/* getBoard, getPositionBoard: a board of a game or of a loose position, as text, JSON or picture. */
#include "api/act.h"
#include "api/handlers.h"
#include "api/line_input.h"
#include "api/cache.h"
#include "api/picture_input.h"
#include "api/board_words.h"
#include "api/rate.h"
#include "api/reply.h"
#include "api/setup_input.h"
#include "api/view_board.h"
#include "api/view_position.h"
#include "rules/ending.h"
#include "rules/movegen.h"

/* The same picture for the same URL, for ever (API 7); words may be others in a newer release. */
static const char CACHE_PICTURE[] = "public, max-age=31536000, immutable";
static const char CACHE_WORDS[] = "public, max-age=3600";

/* What is on a board. */
struct moment {
    struct position before, position; /* around `last` */
    move last;                        /* MOVE_NONE: no move led here */
    const char *end;                  /* "1-0, checkmate"; NULL: it goes on */
    const struct game *game;          /* NULL: a loose position */
};

/* ---- games --------------------------------------------------------------------------------------------- */

static bool end_of_game(struct exchange *exchange, struct moment *moment)
{
    const struct game_end *end = &moment->game->head.end;
    const char *termination = game_termination_name((enum game_termination)end->termination);
    if (!termination)
        return true;
    moment->end =
        arena_printf(exchange->arena, "%s, %s", game_result_name((enum game_result)end->result), termination);
    return moment->end != NULL;
}

/* At `?ply=`, or now. False: the response is a problem. */
static bool moment_of_game(struct exchange *exchange, const struct game *game, struct moment *moment)
{
    int64_t ply = query_integer(exchange, QUERY_PLY, game->head.ply);
    if (ply > game->head.ply) {
        game_problem(exchange, PROBLEM_PLY_NOT_FOUND, "The game has not come to that half-move.", game);
        return false;
    }
    *moment = (struct moment){.game = game, .last = MOVE_NONE};
    if (ply > 0) {
        moment->before = game_position_at(game, (unsigned)ply - 1);
        moment->last = game->moves[ply - 1];
        position_play(&moment->before, moment->last, &moment->position);
    } else {
        moment->position = game_start(game);
    }
    if (ply < game->head.ply || end_of_game(exchange, moment))
        return true;
    return problem_no_memory(exchange);
}

/* ---- loose positions ----------------------------------------------------------------------------------- */

static const char *end_of_position(const struct position *position)
{
    static const struct ending_rules BOARD_ONLY = {.dead = ENDING_DEAD_EXACT};
    switch (ending_judge(position, movegen_count(position), 1, &BOARD_ONLY).first) {
    case ENDING_CHECKMATE:
        return position_turn(position) == COLOR_WHITE ? "0-1, checkmate" : "1-0, checkmate";
    case ENDING_STALEMATE:
        return "1/2-1/2, stalemate";
    case ENDING_DEAD_POSITION:
        return "1/2-1/2, dead_position";
    case ENDING_NONE:
    case ENDING_FIVEFOLD:
    case ENDING_SEVENTYFIVE:
    case ENDING_COUNT:
        break;
    }
    return NULL;
}

/* Of fen and moves. False: the response is a problem. */
static bool moment_of_query(struct exchange *exchange, struct moment *moment)
{
    struct position start;
    struct line line;
    if (!setup_input_query(exchange, &start) || !line_input_query(exchange, &start, &line))
        return false;
    *moment = (struct moment){.before = line.before,
                              .position = line.position,
                              .last = line.ply ? line.move : MOVE_NONE,
                              .end = end_of_position(&line.position)};
    return true;
}

/* ---- text and JSON ------------------------------------------------------------------------------------- */

/* {fen, orientation, status, result, pieces: [{square, color, piece}]}: for clients that draw themselves. Status and
 * result are those of the game. */
static void write_json(struct writer *json, const struct moment *moment, enum color orientation)
{
    const struct position *position = &moment->position;
    json_object_begin(json, NULL);
    view_fen(json, "fen", position, FEN_EN_PASSANT_LEGAL);
    json_string(json, "orientation", fen_color_name(orientation));
    if (moment->game) {
        const struct game_head *head = &moment->game->head;
        json_string(json, "status", game_status_name((enum game_status)head->status));
        json_string(json, "result", game_result_name((enum game_result)head->end.result));
    }
    json_array_begin(json, "pieces");
    for (bitboard left = position_occupied(position); left;) {
        square s = bitboard_pop(&left);
        json_object_begin(json, NULL);
        view_square(json, "square", s);
        json_string(json, "color", fen_color_name(position_color_at(position, s)));
        json_string(json, "piece", fen_piece_name(position_piece_at(position, s)));
        json_object_end(json);
    }
    json_array_end(json);
    json_object_end(json);
}

static void write_text(struct exchange *exchange, const struct moment *moment, enum color orientation)
{
    struct writer words;
    writer_init(&words, exchange->arena, 64);
    if (moment->last != MOVE_NONE)
        board_words_move(&words, &moment->before, moment->last);
    writer_char(&words, '\0');
    struct board_view board = {
        .position = &moment->position,
        .style = (enum board_style)query_integer(exchange, QUERY_STYLE, BOARD_ASCII),
        .orientation = orientation,
        .coordinates = query_bool(exchange, QUERY_COORDINATES, true),
        .last_move = moment->last == MOVE_NONE ? NULL : words.data,
        .end = moment->end,
    };
    if (words.failed)
        exchange->out.failed = true;
    else
        view_board(&exchange->out, &board);
}

/* After reply_begin. */
static enum api_result answer(struct exchange *exchange, const struct moment *moment)
{
    enum color orientation = (enum color)query_integer(exchange, QUERY_ORIENTATION, COLOR_WHITE);
    if (exchange->format == FORMAT_JSON)
        write_json(&exchange->out, moment, orientation);
    else
        write_text(exchange, moment, orientation);
    return reply_end(exchange);
}

static void show_board(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct moment moment;
    if (!moment_of_game(exchange, game, &moment))
        return;
    reply_begin(exchange, 200);
    game_headers(exchange, game);
    answer(exchange, &moment);
}

enum api_result get_board(struct exchange *exchange)
{
    return game_get_kept(exchange, show_board);
}

enum api_result get_position_board(struct exchange *exchange)
{
    struct moment moment;
    if (!moment_of_query(exchange, &moment))
        return API_DONE;
    reply_begin(exchange, 200);
    reply_cache(exchange, CACHE_WORDS);
    return answer(exchange, &moment);
}

/* ---- pictures ------------------------------------------------------------------------------------------ */

/* Lives in the arena. The scene is made under the lock of the game, and drawn when that is free again. */
struct board_task {
    struct picture_input input;
    struct scene *scene;
};

/* False: the response is a problem. */
static bool make_scene(struct exchange *exchange, struct board_task *task, const struct moment *moment)
{
    task->input.picture.position = &moment->position;
    task->input.picture.end = moment->end;
    if (picture_input_last(&task->input, exchange->arena, &moment->before, moment->last)) {
        if (!moment->end)
            picture_input_targets(&task->input);
        task->scene = picture_scene(exchange->arena, &task->input.picture);
    }
    if (!task->scene)
        problem_out_of_memory(exchange);
    return task->scene != NULL;
}

static void take_game(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct moment moment;
    if (!moment_of_game(exchange, game, &moment) || !make_scene(exchange, exchange->task, &moment))
        return;
    reply_begin(exchange, 200);
    game_headers(exchange, game);
}

static enum api_result draw_png(struct exchange *exchange, const struct scene *scene)
{
    struct cache *cache = exchange->api->pictures;
    struct cache_part parts[SCENE_PARTS];
    struct cache_found found;
    const char *bytes;
    size_t length;
    scene_parts(scene, parts);
    if (cache_find(cache, parts, SCENE_PARTS, exchange->arena, &found)) {
        exchange->response->slot = found.slot;
        return reply_bytes(exchange, found.bytes, found.length);
    }
    if (!rate_check_besides(exchange, RATE_HEAVY))
        return API_DONE;
    if (!exchange->request->may_block)
        return API_BLOCKS;
    if (!picture_png(scene, exchange->arena, &bytes, &length))
        return problem_out_of_memory(exchange);
    cache_keep(cache, parts, SCENE_PARTS, bytes, length);
    return reply_bytes(exchange, bytes, length);
}

static enum api_result draw(struct exchange *exchange, const struct scene *scene)
{
    if (exchange->format == FORMAT_PNG)
        return draw_png(exchange, scene);
    picture_svg(&exchange->out, scene);
    return reply_end(exchange);
}

/* NULL: the response is a problem. */
static struct board_task *begin_task(struct exchange *exchange)
{
    struct board_task *task = arena_alloc(exchange->arena, sizeof *task);
    if (!task) {
        problem_out_of_memory(exchange);
        return NULL;
    }
    task->scene = NULL;
    exchange->task = task;
    return picture_input_read(exchange, &task->input) ? task : NULL;
}

enum api_result get_board_picture(struct exchange *exchange)
{
    const struct board_task *task = begin_task(exchange);
    enum api_result result = task ? game_get(exchange, take_game) : API_DONE;
    return task && task->scene && result == API_DONE ? draw(exchange, task->scene) : result;
}

enum api_result get_position_board_picture(struct exchange *exchange)
{
    struct board_task *task = begin_task(exchange);
    struct moment moment;
    if (!task || !moment_of_query(exchange, &moment) || !make_scene(exchange, task, &moment))
        return API_DONE;
    reply_begin(exchange, 200);
    reply_cache(exchange, CACHE_PICTURE);
    return draw(exchange, task->scene);
}
