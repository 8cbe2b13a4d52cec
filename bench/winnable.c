/* Measures rules/winnable.h over a file of positions: two letters (W - / B -) that say who can mate, then a FEN.
 *     winnable FILE [NODES] [v]        ? instead of a letter: not asked
 *     winnable FILE games              the check after each move, over games of UCI moves
 *     winnable FILE ordinary           both sides at every fifth half-move of such games, with the small budget
 * Every YES is replayed, every answer held against the letters. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rules/fen.h"
#include "rules/movegen.h"
#include "rules/notation.h"
#include "rules/winnable.h"

struct tally {
    unsigned queries, yes, no, open, wrong;
    double total, worst;
    uint64_t nodes;
    unsigned by_method[WINNABLE_METHOD_COUNT];
    double method_time[WINNABLE_METHOD_COUNT];
};

static double now_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static bool replay(struct position p, enum color winner, const struct winnable_result *r)
{
    for (unsigned i = 0; i < r->length; i++) {
        struct position after;
        if (!movegen_is_legal(&p, r->line[i]))
            return false;
        position_play(&p, r->line[i], &after);
        p = after;
    }
    return !movegen_any(&p) && position_is_check(&p) && position_turn(&p) != winner;
}

static void ask(const char *fen, const struct position *p, enum color winner, bool can, uint32_t nodes,
                const struct winnable_scratch *scratch, struct tally *tally, bool verbose)
{
    static struct winnable_result r;
    double begin = now_us();
    winnable_decide(p, winner, nodes, scratch, &r);
    double spent = now_us() - begin;
    tally->queries++;
    tally->total += spent;
    tally->nodes += r.nodes;
    tally->worst = spent > tally->worst ? spent : tally->worst;
    tally->by_method[r.method]++;
    tally->method_time[r.method] += spent;
    tally->yes += r.verdict == WINNABLE_YES;
    tally->no += r.verdict == WINNABLE_NO;
    tally->open += r.verdict == WINNABLE_UNDETERMINED;
    bool wrong =
        (r.verdict == WINNABLE_YES && (!can || !replay(*p, winner, &r))) || (r.verdict == WINNABLE_NO && can);
    tally->wrong += wrong;
    if (wrong)
        printf("WRONG %c %s verdict %d method %d\n", winner ? 'B' : 'W', fen, r.verdict, r.method);
    if (verbose && (r.verdict == WINNABLE_UNDETERMINED || spent > 5000))
        printf("%s %c can=%d %8u nodes %7.1f ms %s\n", r.verdict == WINNABLE_UNDETERMINED ? "open" : "slow",
               winner ? 'B' : 'W', can, r.nodes, spent / 1e3, fen);
}

static void print(const char *name, const struct tally *t)
{
    static const char *const methods[] = {"none", "terminal", "material", "structure", "search"};
    printf("%s: %u queries, %u yes, %u no, %u open (%.2f %% decided), %u wrong, mean %.1f us, %.0f nodes, "
           "max %.1f ms\n",
           name, t->queries, t->yes, t->no, t->open, 100.0 * (t->yes + t->no) / t->queries, t->wrong,
           t->total / t->queries, (double)t->nodes / t->queries, t->worst / 1e3);
    for (unsigned m = 0; m < WINNABLE_METHOD_COUNT; m++)
        printf("    %-10s %6u  %10.1f us in all\n", methods[m], t->by_method[m], t->method_time[m]);
}

static unsigned dead_seen, dead_known;

static void dead_is_right(const char *text, const struct position *p, const struct winnable_scratch *scratch)
{
    bool dead = winnable_is_dead(p, scratch), known = text[0] == '-' && text[1] == '-' && movegen_any(p);
    dead_seen += dead;
    dead_known += known;
    if (dead && !known && text[0] != '?' && text[1] != '?')
        printf("WRONG dead %s\n", text);
}

/* The check after each move, over games of UCI moves. */
static int play_games(FILE *file, const struct winnable_scratch *scratch)
{
    static char text[4096];
    unsigned moves = 0, dead = 0;
    double total = 0, worst = 0;
    while (fgets(text, sizeof text, file)) {
        struct position p = position_initial(), after;
        text[strcspn(text, "\t\n")] = 0;
        for (char *word = strtok(text, " "); word; word = strtok(NULL, " "), moves++) {
            position_play(&p, notation_find_uci(&p, word), &after);
            p = after;
            double begin = now_us();
            for (unsigned i = 0; i < 10; i++)
                dead += winnable_is_dead(&p, scratch);
            double spent = (now_us() - begin) / 10;
            total += spent;
            worst = spent > worst ? spent : worst;
        }
    }
    printf("%u moves, %.3f us a check, worst %.1f us, %u dead\n", moves, total / moves, worst, dead / 10);
    return 0;
}

/* Both sides at every fifth half-move, asked with the small budget. */
static int ask_games(FILE *file, const struct winnable_scratch *scratch)
{
    static char text[4096];
    static struct winnable_result r;
    unsigned asked = 0, decided = 0, yes = 0, wrong = 0, nodes = 0, lengths[WINNABLE_LINE_MAX + 1] = {0};
    double total = 0, sum = 0;
    while (fgets(text, sizeof text, file)) {
        struct position p = position_initial(), after;
        text[strcspn(text, "\t\n")] = 0;
        char *word = strtok(text, " ");
        for (unsigned ply = 0;; ply++, word = strtok(NULL, " "), p = after) {
            for (unsigned c = 0; c < COLOR_COUNT && ply % 5 == 0; c++, asked++) {
                double begin = now_us();
                winnable_decide(&p, (enum color)c, WINNABLE_NODES_SMALL, scratch, &r);
                total += now_us() - begin;
                nodes += r.nodes;
                decided += r.verdict != WINNABLE_UNDETERMINED;
                yes += r.verdict == WINNABLE_YES;
                lengths[r.length] += r.verdict == WINNABLE_YES;
                sum += r.length;
                wrong += r.verdict == WINNABLE_YES && !replay(p, (enum color)c, &r);
            }
            if (!word)
                break;
            position_play(&p, notation_find_uci(&p, word), &after);
        }
    }
    unsigned median = 0;
    for (unsigned below = lengths[0]; 2 * below < yes; below += lengths[median])
        median++;
    printf("%u sides, %.2f %% decided, %u wrong, mean %.1f us, %.0f nodes; lines: mean %.1f, median %u\n",
           asked, 100.0 * decided / asked, wrong, total / asked, (double)nodes / asked, sum / yes, median);
    return wrong != 0;
}

int main(int argc, char **argv)
{
    FILE *file = argc > 1 ? fopen(argv[1], "r") : NULL;
    uint32_t nodes = argc > 2 && atoi(argv[2]) > 0 ? (uint32_t)atoi(argv[2]) : WINNABLE_NODES_DEFAULT;
    struct winnable_scratch scratch = {.bytes = (size_t)nodes * 80 + (1 << 20)};
    scratch.memory = malloc(scratch.bytes);
    char text[512];
    if (argc > 2 && strcmp(argv[2], "games") == 0)
        return file ? play_games(file, &scratch) : 1; /* the system takes the memory back */
    if (argc > 2 && strcmp(argv[2], "ordinary") == 0) {
        scratch.bytes = WINNABLE_SCRATCH_SMALL;
        return file ? ask_games(file, &scratch) : 1;
    }
    struct tally can = {0}, cannot = {0};
    while (file && fgets(text, sizeof text, file)) {
        struct position p;
        struct setup_report report;
        text[strcspn(text, "\n")] = 0;
        if (text[0] == '#' || strlen(text) < 10)
            continue;
        if (!fen_parse(text + 3, strlen(text + 3), false, &p, &report)) {
            printf("unreadable %s\n", text);
            continue;
        }
        dead_is_right(text, &p, &scratch);
        if (text[0] != '?')
            ask(text + 3, &p, COLOR_WHITE, text[0] == 'W', nodes, &scratch, text[0] == 'W' ? &can : &cannot,
                argc > 3);
        if (text[1] != '?')
            ask(text + 3, &p, COLOR_BLACK, text[1] == 'B', nodes, &scratch, text[1] == 'B' ? &can : &cannot,
                argc > 3);
    }
    print("winnable", &can);
    print("unwinnable", &cannot);
    printf("dead after a move: %u of %u seen\n", dead_seen, dead_known);
    free(scratch.memory);
    return can.wrong || cannot.wrong;
}
