/* The load generator: load SCENARIO --url URL --games FILE [OPTION...]; usage() tells all.
 *
 * Prints one line of JSON. Exit status 0: every answer was what it should be; 1: not so, stderr tells of the first few;
 * 2: wrong use. */
#include "bench/load.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>

static void usage(FILE *to)
{
    (void)fputs("usage: load SCENARIO --url http://127.0.0.1:PORT --games FILE [OPTION...]\n"
                "\n"
                "  play     each client creates a game, plays it move by move, and takes the next\n"
                "  create   games are created, and played for --plies half-moves each\n"
                "  legal    the legal moves of one of --pool games, which are set up first\n"
                "  game     one of these games\n"
                "  mix      before each move its client reads the legal moves and the game\n"
                "  idle     each connection asks once, rests for --seconds, and asks once more\n"
                "  streams  --connections event streams on --watched games, with a move a second in each\n"
                "\n"
                "  --url URL          the server, on this machine's loopback\n"
                "  --conf FILE        its words, where they are not Arbiter's (load_target.h)\n"
                "  --games FILE       games, as bench/games makes them\n"
                "  --connections N    32\n"
                "  --seconds S        5, after --warmup S (1)\n"
                "  --every S          a line each S seconds, of these alone\n"
                "  --rate R           so many requests a second, each measured from when it was due\n"
                "  --patient          a request whose connection was lost is sent again, and no fault\n"
                "  --pid PID          the server's processor time and memory are told\n"
                "  --plies N          at most so many of each game\n"
                "  --count N          games to be created; the end comes with them\n"
                "  --requests N       to be asked; the end comes with them\n"
                "  --pool N           games to be read, 200; --deep plays each of them to its end\n"
                "  --ids FILE         read the first --pool of these instead, an id a line, in their order\n"
                "  --watched N        games with streams, 1\n",
                to);
}

static const struct option OPTIONS[] = {
    {"url", required_argument, NULL, 'u'},
    {"conf", required_argument, NULL, 'c'},
    {"games", required_argument, NULL, 'g'},
    {"connections", required_argument, NULL, 'n'},
    {"seconds", required_argument, NULL, 's'},
    {"warmup", required_argument, NULL, 'w'},
    {"every", required_argument, NULL, 'v'},
    {"rate", required_argument, NULL, 'r'},
    {"patient", no_argument, NULL, 't'},
    {"pid", required_argument, NULL, 'p'},
    {"plies", required_argument, NULL, 'l'},
    {"count", required_argument, NULL, 'k'},
    {"pool", required_argument, NULL, 'o'},
    {"deep", no_argument, NULL, 'd'},
    {"ids", required_argument, NULL, 'i'},
    {"watched", required_argument, NULL, 'e'},
    {"requests", required_argument, NULL, 'q'},
    {"help", no_argument, NULL, 'h'},
    {0},
};

/* A whole number; anything else is wrong use. */
static unsigned read_number(const char *text, unsigned minimum)
{
    char *end = NULL;
    unsigned long number = strtoul(text, &end, 10);
    if (end != text && *end == '\0' && *text != '-' && number >= minimum && number <= 100000000)
        return (unsigned)number;
    (void)fprintf(stderr, "load: %s: a number of at least %u is wanted\n", text, minimum);
    exit(2);
}

static double read_seconds(const char *text)
{
    char *end = NULL;
    double number = strtod(text, &end);
    if (end != text && *end == '\0' && number >= 0 && number < 1e6)
        return number;
    (void)fprintf(stderr, "load: %s: a number is wanted\n", text);
    exit(2);
}

static void read_texts(struct load_options *options, int letter, const char *value)
{
    switch (letter) {
    case 'u':
        options->url = value;
        break;
    case 'c':
        options->conf = value;
        break;
    case 'g':
        options->games = value;
        break;
    case 'i':
        options->ids = value;
        break;
    case 'h':
        usage(stdout);
        exit(0);
    default:
        usage(stderr);
        exit(2);
    }
}

static void read_option(struct load_options *options, int letter, const char *value)
{
    switch (letter) {
    case 'n':
        options->connections = read_number(value, 1);
        break;
    case 's':
        options->seconds = read_seconds(value);
        break;
    case 'w':
        options->warmup = read_seconds(value);
        break;
    case 'r':
        options->rate = read_seconds(value);
        break;
    case 'v':
        options->every = read_seconds(value);
        break;
    case 't':
        options->is_patient = true;
        break;
    case 'p':
        options->pid = (int)read_number(value, 1);
        break;
    case 'l':
        options->plies = read_number(value, 0);
        options->has_plies = true;
        break;
    case 'k':
        options->count = read_number(value, 1);
        break;
    case 'q':
        options->requests = read_number(value, 1);
        break;
    case 'o':
        options->pool = read_number(value, 1);
        break;
    case 'd':
        options->is_deep = true;
        break;
    case 'e':
        options->watched = read_number(value, 1);
        break;
    default:
        read_texts(options, letter, value);
    }
}

/* As many descriptors as the system gives: a connection is one. */
static void raise_descriptors(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

int main(int argc, char **argv)
{
    static struct load load = {
        .options = {.connections = 32, .seconds = 5, .warmup = 1, .pool = 200, .watched = 1}};
    int letter = 0;
    while ((letter = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1)
        read_option(&load.options, letter, optarg);
    load.scenario = optind + 1 == argc ? scenario_find(argv[optind]) : NULL;
    if (!load.scenario || !load.options.url || !load.options.games) {
        usage(stderr);
        return 2;
    }
    if (!target_init(&load.target, load.options.url, load.options.conf) ||
        !bench_games_read(&load.games, load.options.games))
        return 2;
    if (load.options.count > 0 || load.options.requests > 0)
        load.options.warmup = 0;
    raise_descriptors();
    load.random = 1;
    load.epoll = epoll_create1(EPOLL_CLOEXEC);
    bool is_good = load.epoll >= 0 && load_run(&load);
    load_report(&load);
    return !is_good;
}
