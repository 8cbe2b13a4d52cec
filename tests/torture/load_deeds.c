/* What clients of a load do. */
#include "tests/torture/load.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/chance.h"

enum { IMPORT_LINES = 4, IMPORT_MOST = 6, BODY_SIZE = 4096 };

static bool once_in(struct load_client *client, unsigned times)
{
    return chance_below(&client->seed, times) == 0;
}

/* ---- one action ---- */

static void count(struct load *load, unsigned *counter)
{
    (void)pthread_mutex_lock(&load->mutex);
    ++*counter;
    (void)pthread_cond_signal(&load->changed);
    (void)pthread_mutex_unlock(&load->mutex);
}

static void blame(struct load_client *client, const char *method, const char *target,
                  const struct http_reply *reply)
{
    (void)snprintf(client->fault, sizeof client->fault, "%s %s: %u %s", method, target, reply->status,
                   reply->body);
}

/* A 503 says when to come again. Others than these are refusals of the game. */
static void take_refusal(struct load_client *client, const char *method, const char *target,
                         const struct http_reply *reply)
{
    char after[16];
    bool is_unavailable = reply->status == 503 && http_reply_field(reply, "Retry-After", after, sizeof after);
    if (is_unavailable)
        count(client->load, &client->load->unavailable);
    else if (reply->status >= 500 || reply->status == 400 || reply->status == 404)
        blame(client, method, target, reply);
}

static void write_fields(struct load_client *client, const struct load_call *call,
                         char fields[LEDGER_TEXT_SIZE])
{
    size_t length = (size_t)snprintf(fields, LEDGER_TEXT_SIZE, "Content-Type: application/json\r\n");
    if (call->token && *call->token)
        length += (size_t)snprintf(fields + length, LEDGER_TEXT_SIZE - length, "Authorization: Bearer %s\r\n",
                                   call->token);
    if (call->keyed)
        (void)snprintf(fields + length, LEDGER_TEXT_SIZE - length, "Idempotency-Key: key-%td-%u\r\n",
                       client - client->load->clients, client->keys++);
}

static struct ledger_receipt *keep(struct load_client *client, struct ledger_game *game, const char *target,
                                   const char *fields, const char *body)
{
    struct ledger_receipt *receipt = ledger_keyed(&client->ledger, game);
    (void)snprintf(receipt->target, sizeof receipt->target, "%s", target);
    (void)snprintf(receipt->fields, sizeof receipt->fields, "%s", fields);
    (void)snprintf(receipt->body, sizeof receipt->body, "%s", body);
    return receipt;
}

static void take_answer(struct load_client *client, struct ledger_game *game, const struct load_call *call,
                        const struct http_reply *reply)
{
    if (strcmp(call->method, "DELETE") == 0 && reply->status == 204)
        ledger_deleted(game);
    else if (!ledger_take(game, reply->body))
        blame(client, call->method, call->rest, reply);
    count(client->load, &client->load->acknowledged);
}

/* False: the daemon is gone. */
static bool act(struct load_client *client, struct ledger_game *game, const struct load_call *call,
                struct http_reply *reply)
{
    char target[LEDGER_TEXT_SIZE], fields[LEDGER_TEXT_SIZE];
    (void)snprintf(target, sizeof target, "/v1/games/%s%s", game->id, call->rest);
    write_fields(client, call, fields);
    struct ledger_receipt *receipt =
        call->keyed ? keep(client, game, target, fields, call->body ? call->body : "") : NULL;
    ledger_begin(game, strcmp(call->method, "DELETE") == 0 ? LEDGER_DELETION : LEDGER_CHANGE);
    if (!http_client_ask(&client->http, call->method, target, fields, call->body, reply))
        return false;
    if (reply->status >= 300) {
        ledger_refused(game);
        take_refusal(client, call->method, target, reply);
    } else {
        take_answer(client, game, call, reply);
    }
    if (receipt && reply->status < 300)
        ledger_answered(receipt, reply);
    else if (receipt)
        *receipt->target = '\0';
    return true;
}

bool load_act(struct load_client *client, struct ledger_game *game, const struct load_call *call)
{
    struct http_reply reply = {0};
    bool answered = act(client, game, call, &reply);
    http_reply_finish(&reply);
    return answered;
}

/* ---- games that are made ---- */

static void take_tokens(struct ledger_game *game, const char *body)
{
    static const char *const NAMES[LEDGER_SEATS] = {"white", "black", "creator"};
    const char *tokens = strstr(body, "\"tokens\":{");
    for (int i = 0; tokens && i < LEDGER_SEATS; i++)
        (void)ledger_member(tokens, NAMES[i], game->tokens[i], LEDGER_TOKEN_SIZE);
}

static void take_new_game(struct load_client *client, struct ledger_receipt *receipt,
                          const struct http_reply *reply)
{
    char id[LEDGER_ID_SIZE] = "";
    (void)ledger_member(reply->body, "id", id, sizeof id);
    struct ledger_game *game = ledger_add(&client->ledger, id);
    if (!game || !ledger_take(game, reply->body)) {
        blame(client, "POST", "/v1/games", reply);
        return;
    }
    take_tokens(game, reply->body);
    if (receipt) {
        receipt->game = game;
        ledger_answered(receipt, reply);
    }
    count(client->load, &client->load->acknowledged);
}

bool load_make(struct load_client *client, const char *body, bool keyed)
{
    static const char TARGET[] = "/v1/games";
    struct http_reply reply = {0};
    const struct load_call call = {.keyed = keyed};
    char fields[LEDGER_TEXT_SIZE];
    write_fields(client, &call, fields);
    struct ledger_receipt *receipt = keyed ? keep(client, NULL, TARGET, fields, body) : NULL;
    if (!http_client_ask(&client->http, "POST", TARGET, fields, body, &reply))
        return false;
    if (reply.status == 201)
        take_new_game(client, receipt, &reply);
    else
        take_refusal(client, "POST", TARGET, &reply);
    if (receipt && reply.status != 201)
        *receipt->target = '\0';
    http_reply_finish(&reply);
    return true;
}

static bool create(struct load_client *client, struct ledger_game *unused)
{
    static const char *const BODIES[] = {
        "{}",
        "{\"white\":{\"name\":\"Ada\"},\"black\":{\"name\":\"Bob\"},\"metadata\":{\"round\":1}}",
        "{\"moves\":[\"e4\",\"e5\",\"Nf3\",\"Nc6\"]}",
        "{\"clock\":\"3000+3\"}",
        "{\"fen\":\"8/8/8/4k3/8/8/4P3/4K3 w - - 0 1\"}",
    };
    char bulky[BODY_SIZE];
    (void)unused;
    unsigned bulk = client->load->bulk_bytes;
    if (bulk) {
        (void)snprintf(bulky, sizeof bulky, "{\"metadata\":{\"bulk\":\"%0*u\"}}", (int)bulk, 1u);
        return load_make(client, bulky, false);
    }
    return load_make(client, BODIES[chance_below(&client->seed, sizeof BODIES / sizeof BODIES[0])],
                     once_in(client, 2));
}

/* With both seats taken. */
static bool create_seated(struct load_client *client, struct ledger_game *unused)
{
    (void)unused;
    size_t before = client->ledger.game_count;
    if (!load_make(client, "{\"access\":\"seats\"}", false))
        return false;
    if (client->ledger.game_count == before)
        return true;
    struct ledger_game *game = &client->ledger.games[before];
    const struct load_call sit[] = {
        {.method = "POST",
         .rest = "/seats",
         .body = "{\"name\":\"Ada\"}",
         .token = game->tokens[LEDGER_WHITE]},
        {.method = "POST",
         .rest = "/seats",
         .body = "{\"name\":\"Bob\"}",
         .token = game->tokens[LEDGER_BLACK]},
    };
    return load_act(client, game, &sit[0]) && load_act(client, game, &sit[1]);
}

static const struct {
    const char *text, *result;
    unsigned plies;
    const char *sans[8];
} LINES[IMPORT_LINES] = {
    {"1. e4 e5 2. Nf3 Nc6 3. Bb5 a6", "*", 6, {"e4", "e5", "Nf3", "Nc6", "Bb5", "a6"}},
    {"1. d4 d5 2. c4", "1/2-1/2", 3, {"d4", "d5", "c4"}},
    {"1. f3 e5 2. g4 Qh4#", "0-1", 4, {"f3", "e5", "g4", "Qh4#"}},
    {"1. c4", "1-0", 1, {"c4"}},
};

/* Each line of the answer is the id of a game, in order. */
static void take_imported(struct load_client *client, unsigned first, const char *body)
{
    for (const char *at = strstr(body, "\"id\":"); at; at = strstr(at + 1, "\"id\":"), first++) {
        char id[LEDGER_ID_SIZE] = "";
        (void)ledger_member(at, "id", id, sizeof id);
        struct ledger_game *game = ledger_add(&client->ledger, id);
        if (!game)
            return;
        unsigned line = first % IMPORT_LINES;
        game->plies = LINES[line].plies;
        game->over = strcmp(LINES[line].result, "*") != 0;
        for (unsigned i = 0; i < game->plies; i++)
            (void)snprintf(game->sans[i], LEDGER_SAN_SIZE, "%s", LINES[line].sans[i]);
        count(client->load, &client->load->acknowledged);
    }
}

static bool import(struct load_client *client, struct ledger_game *unused)
{
    char text[BODY_SIZE] = "";
    struct http_reply reply = {0};
    (void)unused;
    unsigned games = 1 + chance_below(&client->seed, IMPORT_MOST),
             first = chance_below(&client->seed, IMPORT_LINES);
    for (unsigned i = 0; i < games; i++) {
        unsigned line = (first + i) % IMPORT_LINES;
        size_t length = strlen(text);
        (void)snprintf(text + length, sizeof text - length,
                       "[Event \"Import\"]\n[Result \"%s\"]\n\n%s %s\n\n", LINES[line].result,
                       LINES[line].text, LINES[line].result);
    }
    if (!http_client_ask(&client->http, "POST", "/v1/pgn/import",
                         "Content-Type: application/vnd.chess-pgn\r\n", text, &reply))
        return false;
    if (reply.status == 200)
        take_imported(client, first, reply.body);
    else
        take_refusal(client, "POST", "/v1/pgn/import", &reply);
    http_reply_finish(&reply);
    return true;
}

/* ---- games that go on ---- */

/* A word of "a b c\n" by chance. */
static bool choose_word(const char *words, uint64_t *seed, char word[LEDGER_SAN_SIZE])
{
    unsigned count = 0;
    for (const char *at = words + strspn(words, " \n"); *at; at += strspn(at, " \n")) {
        size_t length = strcspn(at, " \n");
        if (chance_below(seed, ++count) == 0)
            (void)snprintf(word, LEDGER_SAN_SIZE, "%.*s", (int)length, at);
        at += length;
    }
    return count > 0;
}

/* False: the daemon is gone. An empty word: there is none. */
static bool choose_move(struct load_client *client, const struct ledger_game *game, char san[LEDGER_SAN_SIZE])
{
    char target[LEDGER_TEXT_SIZE];
    struct http_reply reply = {0};
    *san = '\0';
    (void)snprintf(target, sizeof target, "/v1/games/%s/legal-moves.txt", game->id);
    if (!http_client_ask(&client->http, "GET", target, NULL, NULL, &reply))
        return false;
    if (reply.status == 200)
        (void)choose_word(reply.body, &client->seed, san);
    else
        blame(client, "GET", target, &reply); /* reads go on whatever the disk does */
    http_reply_finish(&reply);
    return true;
}

static bool resign(struct load_client *client, struct ledger_game *game)
{
    const struct load_call call = {
        .method = "POST", .rest = "/resign", .body = "{}", .token = game->tokens[game->plies % 2]};
    return load_act(client, game, &call);
}

static bool play(struct load_client *client, struct ledger_game *game)
{
    char san[LEDGER_SAN_SIZE], rest[32], body[64];
    if (game->plies + 2 >= LEDGER_PLIES)
        return resign(client, game);
    if (!choose_move(client, game, san))
        return false;
    if (!*san)
        return true;
    bool puts = once_in(client, 2);
    (void)snprintf(rest, sizeof rest, "/moves/%u", game->plies + 1);
    (void)snprintf(body, sizeof body, "{\"move\":\"%s\"}", san);
    const struct load_call call = {.method = puts ? "PUT" : "POST",
                                   .rest = puts ? rest : "/moves",
                                   .body = body,
                                   .token = game->tokens[game->plies % 2],
                                   .keyed = !puts && once_in(client, 2)};
    return load_act(client, game, &call);
}

/* Open games only. */
static bool undo(struct load_client *client, struct ledger_game *game)
{
    const struct load_call call = {.method = "POST", .rest = "/undo", .body = "{}"};
    return *game->tokens[LEDGER_CREATOR] || load_act(client, game, &call);
}

static bool take_back(struct load_client *client, struct ledger_game *game)
{
    const struct load_call calls[] = {
        {.method = "POST", .rest = "/takeback", .body = "{}", .token = game->tokens[LEDGER_WHITE]},
        {.method = "POST", .rest = "/takeback/accept", .body = "{}", .token = game->tokens[LEDGER_BLACK]},
    };
    return load_act(client, game, &calls[0]) && load_act(client, game, &calls[1]);
}

static bool offer_draw(struct load_client *client, struct ledger_game *game)
{
    const struct load_call calls[] = {
        {.method = "POST", .rest = "/draw/offer", .body = "{}", .token = game->tokens[game->plies % 2]},
        {.method = "POST",
         .rest = "/draw/decline",
         .body = "{}",
         .token = game->tokens[(game->plies + 1) % 2]},
    };
    return load_act(client, game, &calls[0]) && (once_in(client, 2) || load_act(client, game, &calls[1]));
}

static bool rename_players(struct load_client *client, struct ledger_game *game)
{
    char body[96];
    (void)snprintf(body, sizeof body, "{\"metadata\":{\"number\":%u}}", chance_below(&client->seed, 100000));
    const struct load_call call = {
        .method = "PATCH", .rest = "", .body = body, .token = game->tokens[LEDGER_CREATOR]};
    return load_act(client, game, &call);
}

/* The old token dies. While the answer is not there nobody knows which one lives. */
static bool renew_token(struct load_client *client, struct ledger_game *game)
{
    char *token = game->tokens[LEDGER_WHITE], before[LEDGER_TOKEN_SIZE];
    struct http_reply reply = {0};
    const struct load_call call = {.method = "POST",
                                   .rest = "/tokens",
                                   .body = "{\"role\":\"white\"}",
                                   .token = game->tokens[LEDGER_CREATOR]};
    if (!*game->tokens[LEDGER_CREATOR])
        return true;
    memcpy(before, token, sizeof before);
    *token = '\0';
    bool answered = act(client, game, &call, &reply);
    if (answered && reply.status == 201) {
        memcpy(game->dead, before, sizeof before);
        (void)ledger_member(reply.body, "token", token, LEDGER_TOKEN_SIZE);
    } else if (answered) {
        memcpy(token, before, sizeof before);
    }
    http_reply_finish(&reply);
    return answered;
}

static bool delete_game(struct load_client *client, struct ledger_game *game)
{
    const struct load_call call = {.method = "DELETE", .rest = "", .token = game->tokens[LEDGER_CREATOR]};
    return load_act(client, game, &call);
}

/* ---- any of these ---- */

static const struct {
    unsigned weight;
    enum { NO_GAME, LIVE_GAME, ANY_GAME } of;
    bool (*act)(struct load_client *client, struct ledger_game *game);
} ACTIONS[] = {
    {60, LIVE_GAME, play},      {6, NO_GAME, create},          {2, NO_GAME, create_seated},
    {2, NO_GAME, import},       {4, LIVE_GAME, undo},          {3, LIVE_GAME, take_back},
    {3, LIVE_GAME, offer_draw}, {4, ANY_GAME, rename_players}, {2, LIVE_GAME, resign},
    {2, ANY_GAME, renew_token}, {2, ANY_GAME, delete_game},
};

static size_t choose_action(struct load_client *client)
{
    unsigned whole = 0;
    size_t last = sizeof ACTIONS / sizeof ACTIONS[0] - 1;
    for (size_t i = 0; i <= last; i++)
        whole += ACTIONS[i].weight;
    unsigned at = chance_below(&client->seed, whole);
    for (size_t i = 0; i < last; i++) {
        if (at < ACTIONS[i].weight)
            return i;
        at -= ACTIONS[i].weight;
    }
    return last;
}

bool load_step(struct load_client *client)
{
    size_t action = choose_action(client);
    if (client->ledger.game_count == 0 || client->load->bulk_bytes)
        return create(client, NULL);
    struct ledger_game *game =
        &client->ledger.games[chance_below(&client->seed, (unsigned)client->ledger.game_count)];
    bool fits =
        ACTIONS[action].of == NO_GAME || (!game->deleted && (ACTIONS[action].of == ANY_GAME || !game->over));
    return !fits || ACTIONS[action].act(client, game);
}
