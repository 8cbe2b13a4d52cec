/* rules/pgn_write and rules/pgn_read: what is written is read as the same game. Games of random moves (which the slow
 * rules play along with) have random tags, comments and clocks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "rules/pgn_clock.h"
#include "rules/pgn_read.h"
#include "rules/pgn_write.h"
#include "tests/rules/board_print.h"
#include "tests/rules/random_games.h"

enum { PLIES_MAX = 1024, WORDS_SIZE = 512, TAGS_MAX = 16, TEXT_SIZE = 1 << 20 };

/* A game as it is written, and as it is to be read. */
struct game {
    struct position start, last;
    unsigned plies;
    move moves[PLIES_MAX];
    char comments[PLIES_MAX + 1][WORDS_SIZE]; /* by ply, squeezed */
    int64_t clocks[PLIES_MAX + 1];            /* -1: none */
    unsigned tag_count;
    struct pgn_pair tags[TAGS_MAX];
    char values[TAGS_MAX][WORDS_SIZE];
    enum pgn_result result;
};

struct trial {
    struct random_source source;
    struct game game;
    bool begun;
    unsigned games;
    char text[TEXT_SIZE];
    size_t length;
    /* what was read */
    unsigned plies, tags, comments, expected_comments;
    bool ended;
};

/* ---- random texts ---- */

/* Any characters, but no control characters and no clock command. */
static void random_words(struct random_source *source, char words[WORDS_SIZE])
{
    static const char *const pieces[] = {"a",          "Z",
                                         "0",          " ",
                                         " ",          " ",
                                         "{",          "(",
                                         ")",          "[",
                                         "]",          "[x \"",
                                         "%",          ";",
                                         "\"",         "\\",
                                         "\\\"",       "*",
                                         "1-0",        "$1",
                                         "\u00FC",     "\u265E",
                                         "\U0001F600", "[%eval 0.3]",
                                         "[%clk",      "a-very-long-word-that-cannot-be-broken",
                                         "\n"};
    size_t length = 0;
    for (unsigned n = random_below(source, 60); n > 0; n--) {
        const char *piece = pieces[random_below(source, sizeof pieces / sizeof pieces[0])];
        memcpy(words + length, piece, strlen(piece));
        length += strlen(piece);
        if (length > WORDS_SIZE - 64)
            break;
    }
    words[length] = '\0';
}

/* Words with single blanks between them. */
static void squeeze(char *text)
{
    char *out = text;
    for (const char *in = text; *in; in++) {
        char c = *in == '\n' ? ' ' : *in;
        if (c != ' ' || (out > text && out[-1] != ' '))
            *out++ = c;
    }
    while (out > text && out[-1] == ' ')
        out--;
    *out = '\0';
}

static int64_t random_clock(struct random_source *source)
{
    static const int64_t most[] = {1000, 60000, 3600000, PGN_CLOCK_MAX_MS + 1};
    return random_below(source, 3) == 0
               ? -1
               : (int64_t)(random_next(source) % (uint64_t)most[random_below(source, 4)]);
}

/* ---- writing ---- */

static void put(void *context, const char *bytes, size_t length)
{
    struct trial *trial = context;
    assert_true(length < sizeof trial->text - trial->length);
    memcpy(trial->text + trial->length, bytes, length);
    trial->length += length;
}

static void add_tag(struct game *game, const char *name, const char *value)
{
    char *kept = game->values[game->tag_count];
    assert_true(strlen(value) < WORDS_SIZE);
    (void)strcpy(kept, value);
    game->tags[game->tag_count++] = (struct pgn_pair){name, kept};
}

static void add_random_tag(struct trial *trial, const char *name)
{
    char value[WORDS_SIZE];
    random_words(&trial->source, value);
    for (char *c = value; *c; c++)
        *c = *c == '\n' ? ' ' : *c;
    add_tag(&trial->game, name, value);
}

static void choose_tags(struct trial *trial)
{
    static const char *const texts[] = {"Event", "Site", "Date", "Round", "White", "Black"};
    struct game *game = &trial->game;
    struct position usual = position_initial();
    char fen[FEN_SIZE];
    game->tag_count = 0;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        add_random_tag(trial, texts[i]);
    add_tag(game, "Result", pgn_result_name(game->result));
    if (!position_same(&game->start, &usual) || random_below(&trial->source, 2)) {
        fen_format(&game->start, FEN_EN_PASSANT_LEGAL, fen);
        add_tag(game, "FEN", fen);
        add_tag(game, "SetUp", "1");
    }
    if (game->start.chess960)
        add_tag(game, "Variant", "Chess960");
    add_random_tag(trial, "Words");
}

static void write_annotation(struct trial *trial, struct pgn_writer *pgn, unsigned ply)
{
    struct game *game = &trial->game;
    char *words = game->comments[ply];
    words[0] = '\0';
    if (random_below(&trial->source, 2))
        random_words(&trial->source, words);
    game->clocks[ply] = ply > 0 ? random_clock(&trial->source) : -1;
    squeeze(words);
    trial->expected_comments += *words || game->clocks[ply] >= 0;
    pgn_write_annotation(pgn, game->clocks[ply], words);
}

static void write_game(struct trial *trial)
{
    struct game *game = &trial->game;
    struct position position = game->start;
    struct pgn_writer pgn = {.write = put, .context = trial};
    trial->length = 0;
    trial->expected_comments = 0;
    choose_tags(trial);
    pgn_write_tags(&pgn, game->tags, game->tag_count);
    pgn_write_movetext(&pgn);
    write_annotation(trial, &pgn, 0);
    for (unsigned i = 0; i < game->plies; i++) {
        struct position before = position;
        pgn_write_move(&pgn, &before, game->moves[i]);
        write_annotation(trial, &pgn, i + 1);
        position_play(&before, game->moves[i], &position);
    }
    pgn_write_result(&pgn, pgn_result_name(game->result));
}

/* Export form: lines of less than 80 columns, unless a tag or a single word is longer (PGN standard 3.2). */
static void check_lines(const struct trial *trial)
{
    const char *line = trial->text;
    const char *end = trial->text + trial->length;
    while (line < end) {
        const char *next = memchr(line, '\n', (size_t)(end - line));
        assert_non_null(next);
        unsigned columns = 0;
        bool breakable = false;
        for (const char *c = line; c < next; c++) {
            columns += ((unsigned char)*c & 0xC0) != 0x80;
            breakable = breakable || *c == ' ';
        }
        assert_true(columns < 80 || !breakable || line[0] == '[' || line[0] == ' ');
        assert_int_not_equal(line[0], '%');
        line = next + 1;
    }
}

/* ---- reading ---- */

static bool read_tag(void *context, const struct pgn_tag *tag)
{
    struct trial *trial = context;
    const struct pgn_pair *expected = &trial->game.tags[trial->tags++];
    assert_true(trial->tags <= trial->game.tag_count && !tag->repeated);
    assert_string_equal(tag->name, expected->name);
    assert_string_equal(tag->value, expected->value);
    return true;
}

static bool read_start(void *context, const struct position *position)
{
    const struct trial *trial = context;
    assert_memory_equal(position, &trial->game.start, sizeof *position);
    return true;
}

static bool read_move(void *context, const struct pgn_move *m)
{
    struct trial *trial = context;
    assert_true(trial->plies < trial->game.plies);
    assert_int_equal(m->move, trial->game.moves[trial->plies++]);
    assert_int_equal(m->ply, trial->plies);
    return true;
}

static bool read_comment(void *context, const struct pgn_comment *comment)
{
    struct trial *trial = context;
    assert_int_equal(comment->ply, trial->plies);
    assert_string_equal(comment->text, trial->game.comments[comment->ply]);
    assert_int_equal(comment->clock_ms, trial->game.clocks[comment->ply]);
    trial->comments++;
    return true;
}

/* Men strewn over a board may stand as no game can bring them about. */
static bool read_fault(void *context, const struct pgn_fault *fault)
{
    const struct trial *trial = context;
    if (fault->code == PGN_FAULT_FEN && fault->severity == PGN_WARNING)
        return true;
    board_print_failure(&trial->game.last, "no fault", fault->detail, "%u:%u '%s'\n%.*s", fault->line,
                        fault->column, fault->token, (int)trial->length, trial->text);
    return false;
}

static bool read_end(void *context, const struct pgn_game *game)
{
    struct trial *trial = context;
    assert_true(game->good && game->marked && !trial->ended);
    assert_int_equal(game->plies, trial->game.plies);
    assert_int_equal(game->result, trial->game.result);
    assert_int_equal(game->tag, trial->game.result);
    assert_int_equal(game->marker, trial->game.result);
    assert_memory_equal(game->final, &trial->game.last, sizeof *game->final);
    trial->ended = true;
    return true;
}

static void read_game(struct trial *trial)
{
    static struct pgn_reader reader;
    const struct pgn_handler handler = {.context = trial,
                                        .tag = read_tag,
                                        .start = read_start,
                                        .move = read_move,
                                        .comment = read_comment,
                                        .fault = read_fault,
                                        .game_end = read_end};
    trial->plies = trial->tags = trial->comments = 0;
    trial->ended = false;
    pgn_reader_init(&reader, &handler, NULL);
    for (size_t at = 0, size; at < trial->length; at += size) {
        size = 1 + random_below(&trial->source, 200);
        size = size < trial->length - at ? size : trial->length - at;
        assert_true(pgn_read(&reader, trial->text + at, size));
    }
    assert_true(pgn_read_end(&reader));
    assert_true(trial->ended);
    assert_int_equal(trial->tags, trial->game.tag_count);
    assert_int_equal(trial->comments, trial->expected_comments);
}

/* ---- games ---- */

static void try_game(struct trial *trial)
{
    if (!trial->begun)
        return;
    write_game(trial);
    check_lines(trial);
    read_game(trial);
    trial->games++;
    trial->begun = false;
}

/* The move that leads from the last position to this one. */
static move find_move(const struct position *before, const struct position *after)
{
    struct movelist legal;
    movegen_legal(before, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        struct position next;
        position_play(before, legal.moves[i], &next);
        if (memcmp(&next, after, sizeof next) == 0)
            return legal.moves[i];
    }
    fail_msg("no legal move leads from one position of a game to the next");
    return MOVE_NONE;
}

/* By the slow rules where the board decides, else any. */
static enum pgn_result choose_result(struct random_source *source, const struct slow_board *board)
{
    if (slow_is_checkmate(board))
        return board->turn == 'w' ? PGN_RESULT_BLACK_WINS : PGN_RESULT_WHITE_WINS;
    if (slow_is_stalemate(board))
        return PGN_RESULT_DRAW;
    return (enum pgn_result)random_below(source, PGN_RESULT_COUNT);
}

static void look(const struct random_step *step, void *context)
{
    struct trial *trial = context;
    struct game *game = &trial->game;
    if (step->ply == 0) {
        try_game(trial);
        trial->begun = true;
        game->start = step->position;
        game->plies = 0;
    } else {
        assert_true(game->plies < PLIES_MAX);
        game->moves[game->plies++] = find_move(&game->last, &step->position);
    }
    game->last = step->position;
    game->result = choose_result(&trial->source, &step->slow);
}

static void games_written_are_read_as_the_same(void **state)
{
    (void)state;
    struct trial *trial = calloc(1, sizeof *trial);
    struct random_games games = random_games_settings();
    assert_non_null(trial);
    games.look = look;
    games.context = trial;
    games.positions /= 4;
    trial->source.state = games.seed ^ 0x504E47;
    assert_true(random_games_play(&games) > 0);
    try_game(trial);
    print_message("%u games\n", trial->games);
    assert_true(trial->games > 5);
    free(trial);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(games_written_are_read_as_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
