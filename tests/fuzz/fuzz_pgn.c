#include <stdlib.h>
#include <string.h>

#include "rules/movegen.h"
#include "rules/pgn_clock.h"
#include "rules/pgn_read.h"
#include "rules/pgn_write.h"
#include "tests/fuzz/fuzz.h"
#include "tests/support/chance.h"

enum { WRITTEN_MAX = 1 << 16, ANSWERS_NEVER_END = 0 };

/* A game as it is written again. */
struct copy {
    struct pgn_writer writer;
    char text[WRITTEN_MAX];
    size_t length;
    bool full, movetext;
};

/* What one reading has told. */
struct reading_log {
    struct pgn_options options;
    uint64_t events; /* a hash of all that was told, but for places and warnings where `bare` */
    bool bare;
    bool thorough;       /* positions are looked at */
    unsigned stop_after; /* events; ANSWERS_NEVER_END: no stop */
    unsigned count;
    bool in_game, started, bad, refused, stopped;
    unsigned games, good_games, ply, comment_ply;
    struct position position;
    struct copy *copy; /* NULL: not wanted */
};

/* ---- hashing ---- */

static void mix(struct reading_log *log, const void *bytes, size_t length)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < length; i++)
        log->events = (log->events ^ byte[i]) * 0x100000001B3ULL;
}

static void mix_number(struct reading_log *log, int64_t number)
{
    mix(log, &number, sizeof number);
}

static void mix_place(struct reading_log *log, unsigned line, unsigned column)
{
    FUZZ_CHECK(line >= 1 && column >= 1);
    if (log->bare)
        return;
    mix_number(log, line);
    mix_number(log, column);
}

/* ---- texts ---- */

static size_t character_size(const unsigned char *c)
{
    size_t size = *c < 0x80 ? 1 : *c < 0xE0 ? 2 : *c < 0xF0 ? 3 : 4;
    FUZZ_CHECK(*c < 0x80 || (*c >= 0xC2 && *c <= 0xF4));
    for (size_t i = 1; i < size; i++)
        FUZZ_CHECK((c[i] & 0xC0) == 0x80);
    return size;
}

static void check_text(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    while (*c) {
        FUZZ_CHECK(*c >= ' ' && *c != 0x7F);
        c += character_size(c);
    }
}

/* ---- the copy ---- */

static void put(void *context, const char *bytes, size_t length)
{
    struct copy *copy = context;
    copy->full = copy->full || length > sizeof copy->text - copy->length;
    if (copy->full)
        return;
    memcpy(copy->text + copy->length, bytes, length);
    copy->length += length;
}

static void begin_copy(struct copy *copy)
{
    copy->writer = (struct pgn_writer){.write = put, .context = copy};
    copy->length = 0;
    copy->full = false;
    copy->movetext = false;
}

/* The writer, in the movetext. */
static struct pgn_writer *movetext(struct copy *copy)
{
    if (!copy->movetext)
        pgn_write_movetext(&copy->writer);
    copy->movetext = true;
    return &copy->writer;
}

static void check_copy(const struct reading_log *log);

/* ---- events ---- */

static bool event(struct reading_log *log)
{
    FUZZ_CHECK(!log->stopped);
    log->count++;
    log->stopped = log->count == log->stop_after;
    return !log->stopped;
}

static bool game_begin(void *context, const struct pgn_place *place)
{
    struct reading_log *log = context;
    FUZZ_CHECK(!log->in_game && place->index == log->games);
    log->in_game = true;
    log->started = false;
    log->bad = false;
    log->games++;
    log->ply = 0;
    log->comment_ply = 0;
    if (log->bare)
        log->events = 1;
    mix_place(log, place->line, 1);
    if (log->copy)
        begin_copy(log->copy);
    return event(log);
}

static bool tag(void *context, const struct pgn_tag *t)
{
    struct reading_log *log = context;
    FUZZ_CHECK(log->in_game && !log->started);
    FUZZ_CHECK(*t->name && strlen(t->name) <= PGN_TAG_NAME_MAX && strlen(t->value) <= PGN_TAG_VALUE_MAX);
    check_text(t->value);
    mix(log, t->name, strlen(t->name) + 1);
    mix(log, t->value, strlen(t->value) + 1);
    mix_number(log, t->repeated);
    if (log->copy)
        pgn_write_tag(&log->copy->writer, t->name, t->value);
    return event(log);
}

static bool start(void *context, const struct position *position)
{
    struct reading_log *log = context;
    FUZZ_CHECK(log->in_game && !log->started && !log->bad);
    if (log->thorough)
        fuzz_check_position(position);
    log->started = true;
    log->position = *position;
    mix_number(log, (int64_t)position->key);
    return event(log);
}

static bool play(void *context, const struct pgn_move *m)
{
    struct reading_log *log = context;
    struct position after;
    FUZZ_CHECK(log->started && !log->bad);
    FUZZ_CHECK(m->ply == ++log->ply && m->ply <= PGN_PLIES_MAX);
    FUZZ_CHECK(memcmp(m->before, &log->position, sizeof log->position) == 0);
    FUZZ_CHECK(movegen_is_legal(m->before, m->move));
    position_play(m->before, m->move, &after);
    FUZZ_CHECK(memcmp(m->after, &after, sizeof after) == 0);
    log->position = after;
    mix_number(log, m->move);
    mix_place(log, m->line, m->column);
    if (log->copy)
        pgn_write_move(movetext(log->copy), m->before, m->move);
    return event(log);
}

static void check_words(const char *text)
{
    check_text(text);
    FUZZ_CHECK(*text != ' ' && !strstr(text, "  ") && !strchr(text, '\n'));
    FUZZ_CHECK(!*text || text[strlen(text) - 1] != ' ');
}

/* A closing brace comes out of the rest of a line only, and is written as a round one. */
static void mix_words(struct reading_log *log, const char *text)
{
    for (; *text; text++)
        mix(log, *text == '}' ? ")" : text, 1);
    mix(log, " ", 1);
}

/* Comments on one move count as one: before the first they are told as one, if they stand together. */
static bool comment(void *context, const struct pgn_comment *c)
{
    struct reading_log *log = context;
    FUZZ_CHECK(log->started && !log->bad && c->ply == log->ply);
    FUZZ_CHECK(strlen(c->text) == c->length && c->length <= PGN_COMMENT_MAX);
    FUZZ_CHECK(c->length > 0 || c->clock_ms >= 0);
    FUZZ_CHECK(c->clock_ms >= -1 && c->clock_ms <= PGN_CLOCK_MAX_MS && (c->ply > 0 || c->clock_ms < 0));
    check_words(c->text);
    if (!log->bare || c->ply > 0)
        mix_number(log, c->clock_ms);
    mix_words(log, c->text);
    if (log->copy)
        pgn_write_annotation(movetext(log->copy), c->clock_ms, c->text);
    return event(log);
}

static bool nag(void *context, unsigned ply, unsigned number)
{
    struct reading_log *log = context;
    FUZZ_CHECK(log->started && !log->bad && ply == log->ply && number <= 255);
    if (!log->bare)
        mix_number(log, number);
    return event(log);
}

static bool fault(void *context, const struct pgn_fault *f)
{
    struct reading_log *log = context;
    FUZZ_CHECK(f->code < PGN_FAULT_CODE_COUNT && f->severity < PGN_SEVERITY_COUNT);
    FUZZ_CHECK(*f->detail && *pgn_fault_code_name(f->code) && *pgn_severity_name(f->severity));
    check_text(f->token);
    FUZZ_CHECK(f->ply == 0 || f->ply == log->ply + 1);
    FUZZ_CHECK(log->in_game || (f->severity == PGN_ERROR && log->games == 0));
    log->refused = log->refused || !log->in_game;
    log->bad = log->bad || f->severity == PGN_ERROR;
    mix_place(log, f->line, f->column);
    if (!log->bare) {
        mix_number(log, f->code);
        mix(log, f->token, strlen(f->token));
        mix(log, f->detail, strlen(f->detail));
    }
    return event(log);
}

static bool game_end(void *context, const struct pgn_game *game)
{
    struct reading_log *log = context;
    FUZZ_CHECK(log->in_game && game->good == !log->bad && game->plies == log->ply);
    FUZZ_CHECK(game->place.index + 1 == log->games);
    FUZZ_CHECK((game->final != NULL) == log->started && (game->initial != NULL) == log->started);
    FUZZ_CHECK(game->good <= log->started);
    if (game->final)
        FUZZ_CHECK(memcmp(game->final, &log->position, sizeof log->position) == 0);
    if (game->final && log->thorough)
        fuzz_check_position(game->final);
    FUZZ_CHECK(game->result == game->tag || game->result == game->marker || !movegen_any(game->final));
    log->in_game = false;
    log->good_games += game->good;
    mix_number(log, game->result);
    mix_number(log, game->tag);
    if (log->copy && game->good) {
        pgn_write_result(movetext(log->copy), pgn_result_name(game->marker));
        if (!log->copy->full)
            check_copy(log);
    }
    return event(log);
}

/* ---- readings ---- */

static const struct pgn_handler events = {
    .game_begin = game_begin,
    .tag = tag,
    .start = start,
    .move = play,
    .comment = comment,
    .nag = nag,
    .fault = fault,
    .game_end = game_end,
};

static unsigned next_chunk(uint64_t *state)
{
    return chance_below(state, 4) ? 1 + chance_below(state, 16) : 1 + chance_below(state, 1024);
}

/* In pieces that `seed` chooses; 0: in one. Each piece is a copy of its own size. */
static void read_all(struct reading_log *log, const char *text, size_t length, uint64_t seed)
{
    struct pgn_reader *reader = malloc(sizeof *reader);
    struct pgn_handler handler = events;
    bool going = true, in_pieces = seed != 0;
    if (!reader)
        abort();
    handler.context = log;
    pgn_reader_init(reader, &handler, &log->options);
    for (size_t at = 0, size; at < length && going; at += size) {
        size = in_pieces ? next_chunk(&seed) : length;
        size = size < length - at ? size : length - at;
        char *piece = malloc(size);
        if (!piece)
            abort();
        memcpy(piece, text + at, size);
        going = pgn_read(reader, piece, size);
        free(piece);
    }
    going = pgn_read_end(reader) && going;
    FUZZ_CHECK(going == !log->stopped);
    FUZZ_CHECK(log->stopped || (!log->in_game && (log->games > 0) == !log->refused));
    free(reader);
}

/* The game written and read again is the same game, and a good one. */
static void check_copy(const struct reading_log *log)
{
    struct reading_log again = {.options = log->options, .bare = true};
    read_all(&again, log->copy->text, log->copy->length, 0);
    FUZZ_CHECK(again.games == 1 && again.good_games == 1);
    FUZZ_CHECK(again.events == log->events);
}

void fuzz_pgn(const uint8_t *data, size_t size)
{
    static struct copy copy;
    if (size < 3)
        return;
    struct pgn_options options = {.chess960 = data[0] & 1, .variations = data[0] & 2};
    const char *text = (const char *)data + 3;
    struct reading_log whole = {.options = options, .thorough = true};
    struct reading_log pieces = {.options = options};
    struct reading_log stopped = {.options = options, .stop_after = data[2]};
    struct reading_log bare = {.options = options, .bare = true, .copy = &copy};
    read_all(&whole, text, size - 3, 0);
    read_all(&pieces, text, size - 3, 1u + data[1]);
    FUZZ_CHECK(whole.events == pieces.events && whole.count == pieces.count);
    if (stopped.stop_after > 0)
        read_all(&stopped, text, size - 3, 0);
    read_all(&bare, text, size - 3, 0);
}
