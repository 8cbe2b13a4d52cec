#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/load.h"

enum { COMPLAINTS = 5, IDS_LINE = 128, STEPS_OF_MIX = 3 };

/* ---- what is wrong ---------------------------------------------------------------------------------------- */

void scenario_complain(struct load *load, const struct client *client, const char *what,
                       const struct answer *answer)
{
    const struct wrongs *wrongs = &load->wrongs;
    if (wrongs->status + wrongs->position + wrongs->version + wrongs->body + wrongs->connection > COMPLAINTS)
        return;
    (void)fprintf(stderr, "load: %s: %s of game \"%s\", half-move %u", what, REQUEST_NAMES[client->asked],
                  client->id, client->ply + 1);
    if (answer)
        (void)fprintf(stderr, ": %u %.*s", answer->status,
                      answer->body_length < 300 ? (int)answer->body_length : 300, answer->body);
    (void)fputc('\n', stderr);
}

bool scenario_is_clean(const struct load *load)
{
    const struct wrongs *wrongs = &load->wrongs;
    return wrongs->status + wrongs->position + wrongs->version + wrongs->body + wrongs->connection == 0;
}

/* ---- what is asked ---------------------------------------------------------------------------------------- */

static unsigned random_below(struct load *load, size_t limit)
{
    load->random = load->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)((load->random >> 33) % limit);
}

static void begin_game(struct load *load, struct client *client, unsigned plies)
{
    client->game = &load->games.all[load->next_game++ % load->games.count];
    client->plies = plies < client->game->plies ? plies : client->game->plies;
    client->ply = 0;
    client->step = 0;
    client->id[0] = '\0';
}

/* The next move, or the game itself where it is still to be created. */
static void ask_move(const struct client *client, struct ask *ask)
{
    bool exists = client->id[0] != '\0';
    *ask = (struct ask){.kind = exists ? REQUEST_MOVE : REQUEST_CREATE,
                        .id = client->id,
                        .uci = exists ? client->game->moves[client->ply] : ""};
}

static bool next_game(struct load *load, struct client *client, unsigned plies)
{
    if (load->options.count > 0 && load->next_game >= load->options.count)
        return false;
    begin_game(load, client, load->options.has_plies ? load->options.plies : plies);
    return true;
}

static bool next_of_play(struct load *load, struct client *client, struct ask *ask)
{
    if (!client->game && !next_game(load, client, UINT_MAX))
        return false;
    ask_move(client, ask);
    return true;
}

static bool next_of_create(struct load *load, struct client *client, struct ask *ask)
{
    if (!client->game && !next_game(load, client, 0))
        return false;
    ask_move(client, ask);
    return true;
}

static bool next_of_mix(struct load *load, struct client *client, struct ask *ask)
{
    static const enum request_kind steps[STEPS_OF_MIX] = {REQUEST_LEGAL, REQUEST_GAME, REQUEST_MOVE};
    if (!client->game && !next_game(load, client, UINT_MAX))
        return false;
    ask_move(client, ask);
    if (ask->kind == REQUEST_MOVE)
        ask->kind = steps[client->step++ % STEPS_OF_MIX];
    return true;
}

/* Games of a file one after the other, so that each is read first once; others as it happens. */
static bool read_pool(struct load *load, struct client *client, struct ask *ask, enum request_kind kind)
{
    client->slot =
        load->options.ids ? load->asked % load->options.pool : random_below(load, load->options.pool);
    *ask = (struct ask){.kind = kind, .id = load->pool[client->slot].id, .uci = ""};
    return true;
}

static bool next_of_legal(struct load *load, struct client *client, struct ask *ask)
{
    return read_pool(load, client, ask, REQUEST_LEGAL);
}

static bool next_of_game(struct load *load, struct client *client, struct ask *ask)
{
    return read_pool(load, client, ask, REQUEST_GAME);
}

const struct scenario SCENARIOS[] = {
    {.name = "play", .has_clients = true, .next = next_of_play},
    {.name = "create", .has_clients = true, .next = next_of_create},
    {.name = "mix", .has_clients = true, .next = next_of_mix},
    {.name = "legal", .has_clients = true, .reads_pool = true, .next = next_of_legal},
    {.name = "game", .has_clients = true, .reads_pool = true, .next = next_of_game},
    {.name = "idle", .has_clients = true, .reads_pool = true, .run = load_idle},
    {.name = "streams", .run = load_streams},
    {0},
};

const struct scenario *scenario_find(const char *name)
{
    for (const struct scenario *scenario = SCENARIOS; scenario->name; scenario++)
        if (strcmp(scenario->name, name) == 0)
            return scenario;
    return NULL;
}

/* ---- the games that are read ------------------------------------------------------------------------------ */

bool scenario_fill_pool(struct load *load, struct client *client, struct ask *ask)
{
    if (!client->game) {
        if (load->pool_begun == load->options.pool)
            return false;
        client->slot = load->pool_begun++;
        begin_game(load, client, UINT_MAX);
        if (!load->options.is_deep)
            client->plies = 1 + (unsigned)(client->slot % client->plies);
    }
    ask_move(client, ask);
    return true;
}

static bool read_ids(struct load *load)
{
    char line[IDS_LINE];
    size_t count = 0;
    FILE *file = fopen(load->options.ids, "re");
    if (!file)
        return false;
    while (count < load->options.pool && fgets(line, sizeof line, file)) {
        struct pool_game *game = &load->pool[count];
        game->plies = UINT_MAX;
        game->is_ready = sscanf(line, "%63s", game->id) == 1;
        count += game->is_ready;
    }
    (void)fclose(file);
    load->options.pool = (unsigned)count;
    load->pool_begun = load->pool_ready = count;
    return count > 0;
}

bool scenario_init_pool(struct load *load)
{
    load->pool = calloc(load->options.pool, sizeof *load->pool);
    if (load->pool && (!load->options.ids || read_ids(load)))
        return true;
    (void)fprintf(stderr, "load: no games to be read\n");
    return false;
}

static void finish_pool_game(struct load *load, const struct client *client)
{
    struct pool_game *game = &load->pool[client->slot];
    if (game->is_ready)
        return;
    memcpy(game->id, client->id, sizeof game->id);
    game->plies = client->ply;
    game->is_ready = true;
    load->pool_ready++;
}

/* ---- what is answered ------------------------------------------------------------------------------------- */

static void check_version(struct load *load, const struct client *client, const struct answer *answer,
                          unsigned plies)
{
    if (!*load->target.version || plies == UINT_MAX ||
        answer_number(answer, load->target.version) == (long)plies + 1)
        return;
    load->wrongs.version++;
    scenario_complain(load, client, "not the version", answer);
}

static void check_end(struct load *load, const struct client *client, const struct answer *answer)
{
    size_t length = 0;
    if (!*load->target.fen || client->ply < client->game->plies)
        return;
    const char *fen = answer_text(answer, load->target.fen, &length);
    if (fen && bench_games_same_position(client->game->fen, fen, length))
        return;
    load->wrongs.position++;
    scenario_complain(load, client, "not the position", answer);
}

static void end_game(struct load *load, struct client *client)
{
    if (load->pool_ready < load->pool_begun)
        finish_pool_game(load, client);
    load->finished++;
    client->game = NULL;
    client->id[0] = '\0';
}

static void take_created(struct load *load, struct client *client, const struct answer *answer)
{
    size_t length = 0;
    const char *id = answer_text(answer, load->target.id, &length);
    if (!id || length == 0 || length >= CLIENT_ID_SIZE) {
        load->wrongs.body++;
        scenario_complain(load, client, "no id", answer);
        client->game = NULL;
        return;
    }
    memcpy(client->id, id, length);
    client->id[length] = '\0';
    check_version(load, client, answer, 0);
    load->created++;
    if (client->plies == 0)
        end_game(load, client);
}

static void take_moved(struct load *load, struct client *client, const struct answer *answer)
{
    client->ply++;
    check_version(load, client, answer, client->ply);
    if (client->ply < client->plies)
        return;
    check_end(load, client, answer);
    end_game(load, client);
}

/* A game that nobody plays on reads the same each time. */
static void take_pool_read(struct load *load, const struct client *client, const struct answer *answer)
{
    struct pool_game *game = &load->pool[client->slot];
    char **body = &game->bodies[client->asked];
    size_t *length = &game->lengths[client->asked];
    if (!load->target.is_stable)
        return;
    if (!*body) {
        if (client->asked == REQUEST_GAME)
            check_version(load, client, answer, game->plies);
        *body = malloc(answer->body_length + 1);
        *length = answer->body_length;
        if (*body)
            memcpy(*body, answer->body, answer->body_length);
        return;
    }
    if (*length == answer->body_length && memcmp(*body, answer->body, *length) == 0)
        return;
    load->wrongs.body++;
    scenario_complain(load, client, "another answer than before", answer);
}

static void take_read(struct load *load, const struct client *client, const struct answer *answer)
{
    if (!client->game)
        take_pool_read(load, client, answer);
    else if (client->asked == REQUEST_GAME)
        check_version(load, client, answer, client->ply);
}

void scenario_take(struct load *load, struct client *client, const struct answer *answer)
{
    if (answer->status / 100 != 2) {
        load->wrongs.status++;
        scenario_complain(load, client, "refused", answer);
        client->game = NULL;
        client->id[0] = '\0';
        return;
    }
    switch (client->asked) {
    case REQUEST_CREATE:
        take_created(load, client, answer);
        return;
    case REQUEST_MOVE:
        take_moved(load, client, answer);
        return;
    case REQUEST_LEGAL:
    case REQUEST_GAME:
        take_read(load, client, answer);
        return;
    case REQUEST_KIND_COUNT:
        break;
    }
}
