/* kill -9 under load: what was acknowledged is there after the restart, and the games go on.
 *
 * Threads create games and play random legal moves. At a random number of acknowledged moves the daemon is
 * killed, whatever it is doing, and started again on the same file. Every game must then hold all the moves
 * that were acknowledged, in order; at most the one that was on its way may be there too. The seed is
 * printed; ARBITER_TEST_SEED repeats it. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"

enum {
    ROUNDS = 10,
    THREADS = 4,
    GAMES_MAX = 32,
    PLIES_MAX = 300,
    LOG_SIZE = PLIES_MAX * 8,
    TARGET_SIZE = 96
};

/* What the daemon has acknowledged of one game. */
struct acknowledged {
    char id[16];
    unsigned plies;
    bool over;           /* ended, or long enough */
    char sans[LOG_SIZE]; /* a line each, as GET moves.txt has them */
};

struct player {
    unsigned seed, count;
    struct acknowledged games[GAMES_MAX];
    const char *fault; /* what went wrong other than the end of the daemon */
    pthread_t thread;
};

static struct player players[THREADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static unsigned moves_acknowledged, players_left;

static unsigned below(unsigned *seed, unsigned end)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % end;
}

/* ---- playing ---- */

/* One request; false where the daemon is gone. */
static bool ask(struct http_client *client, const char *method, const char *target, const char *body,
                struct http_reply *reply)
{
    *reply = (struct http_reply){0};
    return http_client_ask(client, method, target, NULL, body, reply);
}

static bool create(struct http_client *client, struct player *player)
{
    struct http_reply reply;
    if (!ask(client, "POST", "/v1/games.txt", "", &reply))
        return false;
    if (reply.status == 201 && reply.body_length == 13) {
        struct acknowledged *game = &player->games[player->count++];
        *game = (struct acknowledged){0};
        memcpy(game->id, reply.body, 12);
    } else {
        player->fault = "a create was refused";
    }
    http_reply_finish(&reply);
    return true;
}

/* A word of "a b c\n" by chance. */
static bool choose_word(const char *words, unsigned *seed, char word[16])
{
    unsigned count = 0;
    for (const char *at = words + strspn(words, " \n"); *at; at += strspn(at, " \n")) {
        size_t length = strcspn(at, " \n");
        if (below(seed, ++count) == 0)
            (void)snprintf(word, 16, "%.*s", (int)length, at);
        at += length;
    }
    return count > 0;
}

static void acknowledge(struct acknowledged *game, const char *answer)
{
    size_t length = strlen(game->sans), line = strcspn(answer, "\n") + 1;
    memcpy(game->sans + length, answer, line);
    game->sans[length + line] = '\0';
    game->plies++;
    game->over = answer[line] != '\0' || game->plies == PLIES_MAX - 2; /* a second line tells the end */
    pthread_mutex_lock(&mutex);
    moves_acknowledged++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
}

static bool play(struct http_client *client, struct player *player, struct acknowledged *game)
{
    char target[TARGET_SIZE], san[16] = "";
    struct http_reply reply;
    (void)snprintf(target, sizeof target, "/v1/games/%s/legal-moves.txt", game->id);
    if (!ask(client, "GET", target, NULL, &reply))
        return false;
    bool chosen = reply.status == 200 && choose_word(reply.body, &player->seed, san);
    http_reply_finish(&reply);
    if (!chosen) {
        player->fault = "a game that goes on has no legal moves";
        return true;
    }
    bool put = below(&player->seed, 2) == 0;
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves", game->id);
    if (put)
        (void)snprintf(target + strlen(target), sizeof target - strlen(target), "/%u", game->plies + 1);
    (void)snprintf(target + strlen(target), sizeof target - strlen(target), ".txt");
    if (!ask(client, put ? "PUT" : "POST", target, san, &reply))
        return false;
    if (reply.status == 201)
        acknowledge(game, reply.body);
    else
        player->fault = "a legal move was refused";
    http_reply_finish(&reply);
    return true;
}

static bool step(struct http_client *client, struct player *player)
{
    bool room = player->count < GAMES_MAX;
    if (player->count == 0 || (room && below(&player->seed, 16) == 0))
        return create(client, player);
    unsigned first = below(&player->seed, player->count);
    for (unsigned i = 0; i < player->count; i++) {
        struct acknowledged *game = &player->games[(first + i) % player->count];
        if (!game->over)
            return play(client, player, game);
    }
    return room && create(client, player);
}

static void *run_player(void *context)
{
    struct player *player = context;
    struct http_client client = {.fd = -1};
    if (http_client_open(&client, "127.0.0.1", daemon_process.port)) {
        while (!player->fault && step(&client, player)) {
        }
        http_client_close(&client);
    }
    pthread_mutex_lock(&mutex);
    players_left--;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return NULL;
}

/* Lets them play until so many moves are acknowledged, and kills the daemon while they go on. */
static void play_and_kill(unsigned moves)
{
    moves_acknowledged = 0;
    players_left = THREADS;
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&players[i].thread, NULL, run_player, &players[i]), 0);
    pthread_mutex_lock(&mutex);
    while (moves_acknowledged < moves && players_left == THREADS)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    daemon_process_signal(&daemon_process, SIGKILL);
    assert_int_equal(daemon_process_wait(&daemon_process), 128 + SIGKILL);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_join(players[i].thread, NULL), 0);
        if (players[i].fault)
            fail_msg("%s", players[i].fault);
    }
    assert_true(moves_acknowledged >= moves);
}

/* ---- looking ---- */

static void start(void)
{
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--log-level", "warn", NULL};
    if (!daemon_process_start(&daemon_process, arguments) || !daemon_process_wait_ready(&daemon_process))
        fail_msg("the daemon did not start: %s", daemon_process.pending);
}

/* Holds what the daemon has against what it acknowledged, and takes over the move that was on its way. */
static void check_game(struct http_client *client, struct acknowledged *game)
{
    char target[TARGET_SIZE];
    struct http_reply reply;
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves.txt?limit=500", game->id);
    assert_true(ask(client, "GET", target, NULL, &reply));
    if (reply.status != 200)
        fail_msg("game %s is gone: %u %s", game->id, reply.status, reply.body);
    size_t length = strlen(game->sans);
    const char *stored = strcmp(reply.body, "\n") == 0 ? "" : reply.body;
    if (strncmp(stored, game->sans, length) != 0)
        fail_msg("game %s: acknowledged:\n%sstored:\n%s", game->id, game->sans, stored);
    const char *more = stored + length;
    assert_true(*more == '\0' || strchr(more, '\n')[1] == '\0'); /* one thread, one move on its way */
    game->plies += *more != '\0';
    assert_true(strlen(stored) < LOG_SIZE);
    strcpy(game->sans, stored);
    http_reply_finish(&reply);
    (void)snprintf(target, sizeof target, "/v1/games/%s/status.txt", game->id);
    assert_true(ask(client, "GET", target, NULL, &reply));
    assert_int_equal(reply.status, 200);
    game->over = game->over || strncmp(reply.body, "active ", 7) != 0;
    http_reply_finish(&reply);
}

static unsigned check_all(void)
{
    unsigned games = 0;
    struct http_client client;
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    for (int i = 0; i < THREADS; i++)
        for (unsigned n = 0; n < players[i].count; n++, games++)
            check_game(&client, &players[i].games[n]);
    http_client_close(&client);
    return games;
}

static void acknowledged_moves_survive_kill_9_ten_times(void **state)
{
    (void)state;
    const char *given = getenv("ARBITER_TEST_SEED");
    unsigned seed = given ? (unsigned)strtoul(given, NULL, 10) : (unsigned)time(NULL);
    bool small = getenv("ARBITER_TEST_POSITIONS") != NULL; /* under a sanitizer */
    unsigned moves = 0, games = 0;
    print_message("ARBITER_TEST_SEED=%u\n", seed);
    for (int i = 0; i < THREADS; i++)
        players[i] = (struct player){.seed = seed + (unsigned)i * 7919u};
    start();
    for (int round = 0; round < (small ? 4 : ROUNDS); round++) {
        play_and_kill(1 + below(&seed, small ? 60 : 1500));
        moves += moves_acknowledged;
        start();
        games = check_all();
    }
    print_message("%u moves in %u games\n", moves, games);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    start(); /* a clean end changes nothing either */
    assert_int_equal(check_all(), games);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(acknowledged_moves_survive_kill_9_ten_times),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
