#include "api/line_input.h"

#include "api/exchange.h"
#include "api/problem.h"
#include "api/reading_problem.h"

static void write_index(struct writer *json, const void *context)
{
    const struct line *line = context;
    json_int(json, "index", line->ply);
}

static void refuse_move(struct exchange *exchange, const struct line *line, const struct text_span *token)
{
    struct reading_fault fault = {
        .position = &line->position,
        .reading = line->reading,
        .text = token->text,
        .more = write_index,
        .context = line,
    };
    reading_problem(exchange, &fault);
}

static bool play(struct exchange *exchange, struct line *line, const struct text_span *tokens, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!line_play(line, &tokens[i])) {
            refuse_move(exchange, line, &tokens[i]);
            return false;
        }
    }
    return true;
}

bool line_input_query(struct exchange *exchange, const struct position *start, struct line *line)
{
    const char *moves = query_has(exchange, QUERY_MOVES) ? query_text(exchange, QUERY_MOVES) : "";
    size_t count = line_count(moves);
    int64_t most = exchange->api->settings.limits.moves_per_request;
    if (count > (size_t)most) {
        problem_parameter(exchange, "moves", "moves may be at most %lld moves.", (long long)most);
        return false;
    }
    const struct text_span *tokens = line_split(exchange->arena, moves, count);
    if (!tokens || !line_begin(line, exchange->arena, start, count))
        return problem_no_memory(exchange);
    return play(exchange, line, tokens, count);
}
