/* What does a board picture cost? Seconds are those of the processor, as the machine may have other work.
 *
 *     pictures [SECONDS]   draws the same few positions again and again for so long a form (1 by default), as api/ does
 *                          it: shapes, then SVG or PNG; prints the form, bytes, and microseconds a picture */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "api/picture.h"
#include "rules/fen.h"

static const char *const FENS[] = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", /* check */
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
};

enum { FEN_COUNT = sizeof FENS / sizeof FENS[0] };

static struct position positions[FEN_COUNT];

static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Bytes; 0: memory is out. */
static size_t draw(struct arena *arena, const struct position *position, unsigned size, bool png)
{
    const struct picture picture = {
        .position = position,
        .size = size,
        .coordinates = true,
        .check = true,
        .last_from = 12,
        .last_to = 28,
        .selected = SQUARE_NONE,
        .step = SQUARE_NONE,
    };
    const char *bytes;
    size_t length = 0;
    const struct scene *scene = picture_scene(arena, &picture);
    if (!scene)
        return 0;
    if (png)
        return picture_png(scene, arena, &bytes, &length) ? length : 0;
    struct writer svg;
    writer_init(&svg, arena, 1024);
    picture_svg(&svg, scene);
    return svg.failed ? 0 : svg.length;
}

static bool measure(unsigned size, bool png, double seconds)
{
    struct arena arena = {0};
    unsigned pictures = 0;
    size_t bytes = 0;
    double begun = now_s(), spent = 0;
    while (spent < seconds) {
        size_t length = draw(&arena, &positions[pictures % FEN_COUNT], size, png);
        arena_reset(&arena);
        if (length == 0)
            return false;
        bytes += length;
        pictures++;
        spent = now_s() - begun;
    }
    arena_finish(&arena);
    printf("%s %5u px %8zu bytes %9.1f us\n", png ? "png" : "svg", size, bytes / pictures,
           spent / pictures * 1e6);
    return true;
}

int main(int argc, char **argv)
{
    double seconds = argc > 1 ? strtod(argv[1], NULL) : 1;
    struct setup_report report;
    for (int i = 0; i < FEN_COUNT; i++) {
        report = (struct setup_report){0};
        if (!fen_parse(FENS[i], strlen(FENS[i]), false, &positions[i], &report))
            return 1;
    }
    static const unsigned SIZES[] = {160, 400, 800, 1200, 2000};
    bool good = measure(400, false, seconds);
    for (int i = 0; i < 5; i++)
        good = good && measure(SIZES[i], true, seconds);
    return good ? 0 : 1;
}
