#include "api/view_clock.h"

#include "rules/fen.h"

/* A clock at one moment. */
struct reading_of_clock {
    const struct game *game;
    int64_t elapsed_ms; /* of the move under way */
    int64_t at_ms;      /* Unix ms, by the wall clock of now */
};

static int64_t shown_ms(const struct reading_of_clock *reading, enum color color)
{
    const struct clock *clock = reading->game->clock;
    if (game_running(reading->game) != game_seat_of(color))
        return clock->remaining_ms[color];
    return clock_shows_ms(clock, color, reading->elapsed_ms);
}

static void view_stages(struct writer *json, const struct time_control *control)
{
    json_array_begin(json, "stages");
    for (unsigned i = 0; i < control->stage_count; i++) {
        const struct time_stage *stage = &control->stages[i];
        json_object_begin(json, NULL);
        if (stage->moves)
            json_int(json, "moves", stage->moves);
        else
            json_null(json, "moves");
        json_int(json, "time_ms", stage->time_ms);
        json_int(json, "increment_ms", stage->increment_ms);
        json_object_end(json);
    }
    json_array_end(json);
}

static void view_control(struct writer *json, const struct time_control *control)
{
    char words[TIME_CONTROL_WORDS_SIZE];
    time_control_format_words(control, words);
    json_word(json, "words", words);
    json_word(json, "mode", time_mode_words[control->mode]);
    view_stages(json, control);
    json_int(json, "delay_ms", control->delay_ms);
    json_int(json, "bank_ms", control->bank_ms);
    json_word(json, "start", time_start_words[control->immediate]);
}

static void view_reading(struct writer *json, const char *key, const struct reading_of_clock *reading)
{
    const struct game *game = reading->game;
    const struct clock *clock = game->clock;
    enum game_seat running = game_running(game);
    json_object_begin(json, key);
    view_control(json, &clock->control);
    json_word(json, "running", game_seat_name(running));
    json_int(json, "white_ms", shown_ms(reading, COLOR_WHITE));
    json_int(json, "black_ms", shown_ms(reading, COLOR_BLACK));
    json_int(json, "white_stage", clock_stage(&clock->control, game_moves_made(game, SEAT_WHITE)));
    json_int(json, "black_stage", clock_stage(&clock->control, game_moves_made(game, SEAT_BLACK)));
    json_time(json, "as_of", reading->at_ms);
    if (running == SEAT_NONE)
        json_null(json, "flag_at");
    else
        json_time(json, "flag_at",
                  reading->at_ms + clock_allowed_ms(clock, game_color(running)) - reading->elapsed_ms);
    json_object_end(json);
}

void view_clock(struct writer *json, const char *key, const struct game *game, int64_t epoch_ms)
{
    const struct game_head *head = &game->head;
    int64_t since_at_ms = head->since_at_ms + game_wall_shift_ms(game, epoch_ms);
    struct reading_of_clock reading = {game, 0, head->end.at_ms ? head->end.at_ms : since_at_ms};
    if (game->clock)
        view_reading(json, key, &reading);
    else
        json_null(json, key);
}

/* A move that was committed just now may have begun after the time that the caller has. */
static int64_t elapsed_at(const struct game *game, int64_t service_ms)
{
    if (game_running(game) == SEAT_NONE || service_ms < game->head.since_ms)
        return 0;
    return service_ms - game->head.since_ms;
}

void view_clock_now(struct writer *json, const char *key, const struct game *game, int64_t service_ms,
                    int64_t epoch_ms)
{
    struct reading_of_clock reading = {game, elapsed_at(game, service_ms), epoch_ms + service_ms};
    view_reading(json, key, &reading);
}

static void write_seconds(struct writer *text, int64_t ms)
{
    writer_printf(text, "%lld.%03d s", (long long)(ms / 1000), (int)(ms % 1000));
}

void view_clock_line(struct writer *text, const struct game *game, int64_t service_ms)
{
    struct reading_of_clock reading = {game, elapsed_at(game, service_ms), 0};
    enum game_seat running = game_running(game);
    writer_text(text, "white ");
    write_seconds(text, shown_ms(&reading, COLOR_WHITE));
    writer_text(text, ", black ");
    write_seconds(text, shown_ms(&reading, COLOR_BLACK));
    if (running == SEAT_NONE)
        writer_text(text, ", stopped\n");
    else
        writer_printf(text, ", running: %s\n", game_seat_name(running));
}
