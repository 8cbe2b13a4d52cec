/* How fast is PGN read? Seconds are those of the processor, as the machine may have other work.
 *
 *     pgn make MEGABYTES [notes]   writes games of random moves (fixed seed) to standard output; with notes: each
 *                                  move has a clock, each fourth a few words
 *     pgn read FILE                reads the file in pieces of 64 KiB; prints MB, games, half-moves, seconds, MB/s,
 *                                  and the peak of memory
 *     pgn moves FILE               only reads its moves and plays them, with the same functions, everything else
 *                                  having been done before: the floor of any reader that checks moves */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "rules/movegen.h"
#include "rules/notation.h"
#include "rules/pgn_read.h"
#include "rules/pgn_write.h"

enum { PIECE_BYTES = 1 << 16, PLIES_MIN = 40, PLIES_SPREAD = 120, TEXTS_BYTES = 1 << 28 };

static uint64_t random_state = 20230101;

static unsigned random_below(unsigned n)
{
    random_state = random_state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)((random_state >> 33) % n);
}

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- make ---- */

static size_t written;

static void put(void *context, const char *bytes, size_t length)
{
    written += fwrite(bytes, 1, length, context);
}

static void write_game(struct pgn_writer *pgn, bool notes, unsigned number)
{
    struct position position = position_initial();
    struct movelist legal;
    char round[16];
    snprintf(round, sizeof round, "%u", number);
    const struct pgn_pair tags[] = {{"Event", "Random moves"}, {"Site", "Here"}, {"Date", "2026.11.30"},
                                    {"Round", round},          {"White", "Ada"}, {"Black", "Charles"},
                                    {"WhiteElo", "2400"},      {"ECO", "A00"}};
    pgn_write_tags(pgn, tags, sizeof tags / sizeof tags[0]);
    pgn_write_movetext(pgn);
    unsigned plies = PLIES_MIN + random_below(PLIES_SPREAD);
    for (unsigned ply = 0; ply < plies && movegen_legal(&position, &legal) > 0; ply++) {
        struct position before = position;
        move m = legal.moves[random_below(legal.count)];
        pgn_write_move(pgn, &before, m);
        if (notes)
            pgn_write_annotation(pgn, random_below(7200000), ply % 4 ? NULL : "a few words about this move");
        position_play(&before, m, &position);
    }
    pgn_write_result(pgn, movegen_any(&position) || !position_is_check(&position) ? "*"
                          : position_turn(&position) == COLOR_WHITE               ? "0-1"
                                                                                  : "1-0");
    pgn->write(pgn->context, "\n", 1);
}

static int make(double megabytes, bool notes)
{
    for (unsigned number = 1; (double)written < megabytes * 1e6; number++) {
        struct pgn_writer pgn = {.write = put, .context = stdout};
        write_game(&pgn, notes, number);
    }
    return fflush(stdout) ? 1 : 0;
}

/* ---- read ---- */

struct tally {
    size_t games, bad, plies, comments, clocks;
};

static bool count_move(void *context, const struct pgn_move *m)
{
    struct tally *tally = context;
    (void)m;
    tally->plies++;
    return true;
}

static bool count_comment(void *context, const struct pgn_comment *comment)
{
    struct tally *tally = context;
    tally->comments += comment->length > 0;
    tally->clocks += comment->clock_ms >= 0;
    return true;
}

static bool count_game(void *context, const struct pgn_game *game)
{
    struct tally *tally = context;
    tally->games++;
    tally->bad += !game->good;
    return true;
}

static int read_file(FILE *file)
{
    static struct pgn_reader reader;
    static char piece[PIECE_BYTES];
    struct tally tally = {0};
    struct pgn_handler handler = {
        .context = &tally, .move = count_move, .comment = count_comment, .game_end = count_game};
    size_t bytes = 0, length;
    double begun = now_s();
    pgn_reader_init(&reader, &handler, NULL);
    while ((length = fread(piece, 1, sizeof piece, file)) > 0) {
        pgn_read(&reader, piece, length);
        bytes += length;
    }
    pgn_read_end(&reader);
    double seconds = now_s() - begun;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%.1f MB, %zu games (%zu bad), %zu half-moves, %zu comments, %zu clocks: %.2f s, %.1f MB/s, %.0f "
           "half-moves/s; peak %ld KiB\n",
           (double)bytes / 1e6, tally.games, tally.bad, tally.plies, tally.comments, tally.clocks, seconds,
           (double)bytes / 1e6 / seconds, (double)tally.plies / seconds, usage.ru_maxrss);
    return tally.bad > 0;
}

/* ---- moves ---- */

/* SAN of the moves, NUL-terminated; an empty one ends a game. */
struct texts {
    char *bytes;
    size_t length;
};

static void add_text(struct texts *texts, const char *text)
{
    size_t size = strlen(text) + 1;
    if (size > TEXTS_BYTES - texts->length)
        exit(2);
    memcpy(texts->bytes + texts->length, text, size);
    texts->length += size;
}

static bool keep_move(void *context, const struct pgn_move *m)
{
    char san[NOTATION_SAN_SIZE];
    notation_format_san(m->before, m->move, san);
    add_text(context, san);
    return true;
}

static bool keep_end(void *context, const struct pgn_game *game)
{
    (void)game;
    add_text(context, "");
    return true;
}

static int play_moves(FILE *file)
{
    static struct pgn_reader reader;
    static char piece[PIECE_BYTES];
    struct texts texts = {malloc(TEXTS_BYTES), 0};
    struct pgn_handler handler = {.context = &texts, .move = keep_move, .game_end = keep_end};
    struct position position = position_initial();
    struct reading reading;
    size_t length, plies = 0;
    pgn_reader_init(&reader, &handler, NULL);
    while ((length = fread(piece, 1, sizeof piece, file)) > 0)
        pgn_read(&reader, piece, length);
    pgn_read_end(&reader);
    double begun = now_s();
    for (const char *text = texts.bytes; text < texts.bytes + texts.length; text += length + 1) {
        length = strlen(text);
        if (length == 0) {
            position = position_initial();
            continue;
        }
        notation_read(&position, text, length, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE, &reading);
        struct position before = position;
        position_play(&before, reading.move, &position);
        plies++;
    }
    double seconds = now_s() - begun;
    printf("%zu half-moves: %.2f s, %.0f half-moves/s\n", plies, seconds, (double)plies / seconds);
    free(texts.bytes);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc >= 3 && strcmp(argv[1], "make") == 0)
        return make(atof(argv[2]), argc > 3);
    FILE *file = argc == 3 ? fopen(argv[2], "rb") : NULL;
    if (file && strcmp(argv[1], "read") == 0)
        return read_file(file);
    if (file && strcmp(argv[1], "moves") == 0)
        return play_moves(file);
    fprintf(stderr, "usage: pgn make MEGABYTES [notes] | pgn read FILE | pgn moves FILE\n");
    return 2;
}
