#include "tests/rules/pgn_log.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/notation.h"

__attribute__((format(printf, 2, 3))) static bool add(struct pgn_log *log, const char *format, ...)
{
    va_list arguments;
    size_t room = sizeof log->text - log->length;
    assert_int_not_equal(log->events, log->stop_after ? log->stop_after : UINT32_MAX);
    log->events++;
    va_start(arguments, format);
    int length = vsnprintf(log->text + log->length, room, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && (size_t)length + 1 < room);
    log->length += (size_t)length;
    log->text[log->length++] = ' ';
    log->text[log->length] = '\0';
    return log->events != log->stop_after;
}

static bool game_begin(void *context, const struct pgn_place *place)
{
    struct pgn_log *log = context;
    log->games++;
    return add(log, "#%u@%u", place->index, place->line);
}

static bool tag(void *context, const struct pgn_tag *t)
{
    return add(context, "%s=%s%s", t->name, t->value, t->repeated ? "!" : "");
}

static bool start(void *context, const struct position *position)
{
    char fen[FEN_SIZE];
    struct position usual = position_initial();
    const char *chess960 = position->chess960 ? "960" : "";
    if (position_same(position, &usual))
        return add(context, "start%s", chess960);
    fen_format(position, FEN_EN_PASSANT_LEGAL, fen);
    return add(context, "start%s(%s)", chess960, fen);
}

static bool play(void *context, const struct pgn_move *m)
{
    struct pgn_log *log = context;
    char san[NOTATION_SAN_SIZE];
    assert_int_equal(m->ply, ++log->plies);
    if (log->no_moves)
        return true;
    notation_format_san(m->before, m->move, san);
    return add(log, "%s", san);
}

static bool comment(void *context, const struct pgn_comment *c)
{
    assert_int_equal(strlen(c->text), c->length);
    if (c->clock_ms < 0)
        return add(context, "{%s}", c->text);
    return add(context, "{%s|%lld}", c->text, (long long)c->clock_ms);
}

static bool nag(void *context, unsigned ply, unsigned number)
{
    (void)ply;
    return add(context, "$%u", number);
}

static bool fault(void *context, const struct pgn_fault *f)
{
    struct pgn_log *log = context;
    assert_true(strlen(f->detail) > 10);
    if (f->severity == PGN_WARNING && !log->warnings)
        return true;
    return add(log, "%s:%s@%u:%u/%u'%s'", pgn_severity_name(f->severity), pgn_fault_code_name(f->code),
               f->line, f->column, f->ply, f->token);
}

static bool game_end(void *context, const struct pgn_game *game)
{
    struct pgn_log *log = context;
    log->good_games += game->good;
    assert_int_equal(log->plies, game->plies);
    log->plies = 0;
    return add(log, "=%s%s", pgn_result_name(game->result), game->good ? "" : "!");
}

static void read_pieces(struct pgn_log *log, const char *text, size_t length,
                        const struct pgn_options *options, size_t size)
{
    struct pgn_reader *reader = malloc(sizeof *reader);
    struct pgn_handler handler = {log, game_begin, tag, start, play, comment, nag, fault, game_end};
    bool going = true;
    assert_non_null(reader);
    *log =
        (struct pgn_log){.warnings = log->warnings, .no_moves = log->no_moves, .stop_after = log->stop_after};
    pgn_reader_init(reader, &handler, options);
    for (size_t at = 0; at < length; at += size)
        going = pgn_read(reader, text + at, size < length - at ? size : length - at);
    assert_int_equal(pgn_read_end(reader), going && !(log->stop_after && log->events >= log->stop_after));
    free(reader);
}

void pgn_log_read(struct pgn_log *log, const char *text, size_t length, const struct pgn_options *options)
{
    static const size_t sizes[] = {1, 7};
    struct pgn_log *other = malloc(sizeof *other);
    assert_non_null(other);
    read_pieces(log, text, length, options, length ? length : 1);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        *other = *log;
        read_pieces(other, text, length, options, sizes[i]);
        assert_string_equal(other->text, log->text);
    }
    free(other);
}

void pgn_log_check(const struct pgn_log_case *cases, size_t count, bool warnings)
{
    static struct pgn_log log;
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        log = (struct pgn_log){.warnings = warnings};
        pgn_log_read(&log, cases[i].text, strlen(cases[i].text), NULL);
        if (log.length > 0)
            log.text[log.length - 1] = '\0';
        if (strcmp(log.text, cases[i].expected) == 0)
            continue;
        failed++;
        print_message("%s\n  text      %s\n  expected  %s\n  actual    %s\n", cases[i].label, cases[i].text,
                      cases[i].expected, log.text);
    }
    assert_int_equal(failed, 0);
}
