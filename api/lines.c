#include "api/exchange.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/line.h"
#include "api/problem.h"
#include "api/reading_problem.h"
#include "api/reply.h"
#include "api/setup_input.h"
#include "api/text.h"
#include "api/view_position.h"
#include "rules/fen.h"

struct line_input {
    struct field_text fen;
    struct field_word variant;
    struct field_texts moves;
};

static const struct field LINE_FIELDS[] = {
    {.name = "fen", .type = FIELD_TEXT, .at = offsetof(struct line_input, fen), .max = SETUP_TEXT_MAX},
    {.name = "variant",
     .type = FIELD_WORD,
     .at = offsetof(struct line_input, variant),
     .words = setup_variant_words},
    {.name = "moves",
     .type = FIELD_TEXTS,
     .at = offsetof(struct line_input, moves),
     .max_limit = offsetof(struct api_limits, moves_per_request)},
};

/* A line to be played, from wherever it came. */
struct task {
    struct position start;
    const struct text_span *tokens; /* each NUL-terminated */
    size_t count;
    enum fen_en_passant en_passant;
};

/* Every element of the list is one move. */
static bool take_list(struct exchange *exchange, const struct field_texts *moves, struct task *task)
{
    struct text_span *tokens = arena_alloc(exchange->arena, moves->count * sizeof *tokens);
    if (!tokens)
        return problem_no_memory(exchange);
    for (size_t i = 0; i < moves->count; i++) {
        struct text_span *token = &tokens[i];
        *token = (struct text_span){moves->items[i].value, moves->items[i].length};
        text_trim(&token->text, &token->length);
        token->text = arena_copy(exchange->arena, token->text, token->length);
        if (!token->text)
            return problem_no_memory(exchange);
    }
    task->tokens = tokens;
    task->count = moves->count;
    return true;
}

static bool take_text(struct exchange *exchange, struct task *task)
{
    int64_t most = exchange->api->settings.limits.moves_per_request;
    task->count = line_count(exchange->body.text);
    if (task->count > (size_t)most) {
        problem_field(exchange, "", "The line may have at most %lld moves.", (long long)most);
        return false;
    }
    task->tokens = line_split(exchange->arena, exchange->body.text, task->count);
    return task->tokens || problem_no_memory(exchange);
}

/* The body says it, or the query. */
static bool read_start(struct exchange *exchange, struct line_input *input, struct task *task)
{
    const struct query_value *fen = &exchange->query.values[QUERY_FEN];
    if (!setup_input_take_variant(exchange, &input->variant))
        return false;
    bool chess960 = input->variant.value == VARIANT_CHESS960;
    if (input->fen.given && fen->text) {
        problem_field(exchange, "/fen", "The position is given twice: in the query and in the body.");
        return false;
    }
    if (input->fen.given)
        return setup_input_read(exchange, input->fen.value, input->fen.length, chess960, "/fen", NULL,
                                &task->start);
    return setup_input_read(exchange, fen->text, fen->length, chess960, NULL, "fen", &task->start);
}

static bool read_task(struct exchange *exchange, struct task *task)
{
    struct line_input input = {0};
    task->en_passant = query_en_passant(exchange);
    if (exchange->body.kind == BODY_TEXT)
        return read_start(exchange, &input, task) && take_text(exchange, task);
    return fields_read(exchange, LINE_FIELDS, FIELDS_COUNT(LINE_FIELDS), &input) &&
           read_start(exchange, &input, task) && take_list(exchange, &input.moves, task);
}

static void view_step(struct writer *json, const struct line *line, enum fen_en_passant en_passant)
{
    char san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE];
    size_t san_length = notation_format_san(&line->before, line->move, san);
    size_t uci_length = notation_format_uci(&line->before, line->move, uci);
    json_object_begin(json, NULL);
    json_int(json, "ply", line->ply);
    json_string_n(json, "san", san, san_length);
    json_string_n(json, "uci", uci, uci_length);
    view_fen(json, "fen", &line->position, en_passant);
    json_object_end(json);
}

static void view_fault(struct writer *json, struct exchange *exchange, const struct line *line,
                       const struct task *task)
{
    if (line->ply == task->count) {
        json_null(json, "fault");
        return;
    }
    const char *token = task->tokens[line->ply].text;
    struct reading_fault fault = {.position = &line->position, .reading = line->reading, .text = token};
    const char *detail = reading_problem_detail(exchange->arena, &fault);
    json->failed = json->failed || !detail;
    json_object_begin(json, "fault");
    json_int(json, "index", line->ply);
    json_string(json, "token", token);
    json_string(json, "code", problem_kind(reading_problem_code(line->reading))->slug);
    json_string(json, "detail", detail);
    reading_problem_members(json, &fault);
    json_object_end(json);
}

static enum api_result answer_json(struct exchange *exchange, struct line *line, const struct task *task)
{
    struct writer *out = reply_begin(exchange, 200);
    json_object_begin(out, NULL);
    json_array_begin(out, "moves");
    for (size_t i = 0; i < task->count && line_play(line, &task->tokens[i]); i++)
        view_step(out, line, task->en_passant);
    json_array_end(out);
    json_object_begin(out, "position");
    view_position(out,
                  &(struct position_view){&line->position, line->ply, line->repetition, task->en_passant});
    json_object_end(out);
    view_fault(out, exchange, line, task);
    json_object_end(out);
    return reply_end(exchange);
}

/* The last position, then the fault if there is one. */
static enum api_result answer_text(struct exchange *exchange, struct line *line, const struct task *task)
{
    char fen[FEN_SIZE];
    struct writer *out = reply_begin(exchange, 200);
    size_t i = 0;
    while (i < task->count && line_play(line, &task->tokens[i]))
        i++;
    fen_format(&line->position, task->en_passant, fen);
    writer_printf(out, "%s\n", fen);
    struct reading_fault fault = {.position = &line->position, .reading = line->reading};
    if (i < task->count) {
        fault.text = task->tokens[i].text;
        const char *detail = reading_problem_detail(exchange->arena, &fault);
        out->failed = out->failed || !detail;
        writer_printf(out, "fault at %zu: ", i);
        writer_line(out, detail ? detail : "");
        writer_char(out, '\n');
    }
    return reply_end(exchange);
}

enum api_result play_line(struct exchange *exchange)
{
    struct task task = {0};
    struct line line;
    if (!read_task(exchange, &task))
        return API_DONE;
    if (!line_begin(&line, exchange->arena, &task.start, task.count))
        return problem_out_of_memory(exchange);
    if (exchange->format == FORMAT_TEXT)
        return answer_text(exchange, &line, &task);
    return answer_json(exchange, &line, &task);
}
