#include "tests/torture/ledger.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char complaint[8192];

__attribute__((format(printf, 1, 2))) static const char *complain(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(complaint, sizeof complaint, format, arguments);
    va_end(arguments);
    return complaint;
}

/* ---- JSON that is known to be sound ---- */

/* The end of the object, list or text that begins at `at`. */
static const char *end_of(const char *at)
{
    int depth = 0;
    bool in_text = false;
    do {
        if (in_text && *at == '\\')
            at++;
        else if (*at == '"')
            in_text = !in_text;
        else if (!in_text)
            depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (depth > 0 || in_text);
    return at;
}

static const char *value_of(const char *json, const char *name)
{
    char quoted[64];
    (void)snprintf(quoted, sizeof quoted, "\"%s\":", name);
    const char *found = strstr(json, quoted);
    return found ? found + strlen(quoted) : NULL;
}

bool ledger_member(const char *json, const char *name, char *value, size_t size)
{
    const char *at = value_of(json, name);
    if (!at || *at == '{' || *at == '[' || strncmp(at, "null", 4) == 0)
        return false;
    at += *at == '"';
    (void)snprintf(value, size, "%.*s", (int)strcspn(at, "\",}]\n"), at);
    return true;
}

static unsigned number_of(const char *json, const char *name)
{
    char value[24] = "0";
    (void)ledger_member(json, name, value, sizeof value);
    return (unsigned)strtoul(value, NULL, 10);
}

/* The object without a member that is an object. */
static void cut(char *json, const char *name)
{
    char quoted[64];
    (void)snprintf(quoted, sizeof quoted, ",\"%s\":{", name);
    char *found = strstr(json, quoted);
    if (!found)
        return;
    const char *end = end_of(found + strlen(quoted) - 1);
    memmove(found, end, strlen(end) + 1);
}

/* The game in an answer as it is the same whoever asks, for free(). */
static char *game_in(const char *body)
{
    const char *object = value_of(body, "game");
    if (!object)
        object = body;
    if (*object != '{')
        return NULL;
    char *game = strndup(object, (size_t)(end_of(object) - object));
    cut(game, "clock"); /* it runs */
    cut(game, "tokens");
    return game;
}

/* ---- what is told ---- */

void ledger_finish(struct ledger *ledger)
{
    for (size_t i = 0; i < ledger->game_count; i++)
        free(ledger->games[i].told);
    for (size_t i = 0; i < LEDGER_RECEIPTS; i++)
        free(ledger->receipts[i].answer);
    memset(ledger, 0, sizeof *ledger);
}

struct ledger_game *ledger_add(struct ledger *ledger, const char *id)
{
    if (ledger->game_count == LEDGER_GAMES)
        return NULL;
    struct ledger_game *game = &ledger->games[ledger->game_count++];
    memset(game, 0, sizeof *game);
    (void)snprintf(game->id, sizeof game->id, "%s", id);
    return game;
}

void ledger_begin(struct ledger_game *game, enum ledger_air air)
{
    game->in_the_air = air;
}

/* The moves that the answer says were played, which stand before its game. */
static void take_moves(struct ledger_game *game, const char *body)
{
    const char *end = value_of(body, "game");
    for (const char *at = value_of(body, "ply"); end && at && at < end; at = value_of(at, "ply")) {
        unsigned ply = (unsigned)strtoul(at, NULL, 10);
        if (ply > 0 && ply <= LEDGER_PLIES)
            (void)ledger_member(at, "san", game->sans[ply - 1], LEDGER_SAN_SIZE);
    }
}

bool ledger_take(struct ledger_game *game, const char *body)
{
    char status[16] = "";
    char *told = game_in(body);
    if (!told)
        return false;
    take_moves(game, body);
    free(game->told);
    game->told = told;
    game->plies = number_of(told, "ply");
    (void)ledger_member(told, "status", status, sizeof status);
    game->over = strcmp(status, "ended") == 0 || strcmp(status, "aborted") == 0;
    game->in_the_air = LEDGER_NOTHING;
    return true;
}

void ledger_refused(struct ledger_game *game)
{
    game->in_the_air = LEDGER_NOTHING;
}

void ledger_deleted(struct ledger_game *game)
{
    game->in_the_air = LEDGER_NOTHING;
    game->deleted = true;
}

struct ledger_receipt *ledger_keyed(struct ledger *ledger, struct ledger_game *game)
{
    struct ledger_receipt *receipt = &ledger->receipts[ledger->receipt_count++ % LEDGER_RECEIPTS];
    free(receipt->answer);
    *receipt = (struct ledger_receipt){.game = game};
    return receipt;
}

void ledger_answered(struct ledger_receipt *receipt, const struct http_reply *reply)
{
    receipt->status = reply->status;
    receipt->answer = strdup(reply->body);
}

/* ---- what is found ---- */

static bool ask(struct http_client *client, const char *method, const char *target, const char *fields,
                const char *body, struct http_reply *reply)
{
    *reply = (struct http_reply){0};
    if (http_client_ask(client, method, target, fields, body, reply))
        return true;
    (void)complain("%s %s was not answered", method, target);
    return false;
}

/* What was in the air counts as done now, or was done. */
static const char *finish_receipt(struct ledger *ledger, struct ledger_receipt *receipt,
                                  const struct http_reply *reply)
{
    char id[LEDGER_ID_SIZE] = "";
    if (reply->status != 200 && reply->status != 201)
        return complain("a repeat of %s %s is refused: %u %s", receipt->target, receipt->body, reply->status,
                        reply->body);
    ledger_answered(receipt, reply);
    (void)ledger_member(reply->body, "id", id, sizeof id);
    struct ledger_game *game = receipt->game ? receipt->game : ledger_add(ledger, id);
    if (game)
        (void)ledger_take(game, reply->body);
    receipt->game = game;
    return NULL;
}

static const char *check_receipt(struct ledger *ledger, struct ledger_receipt *receipt,
                                 struct http_client *client)
{
    char replayed[8] = "";
    struct http_reply reply;
    const char *wrong = NULL;
    if (!ask(client, "POST", receipt->target, receipt->fields, receipt->body, &reply))
        return complaint;
    (void)http_reply_field(&reply, "Idempotent-Replayed", replayed, sizeof replayed);
    if (receipt->status == 0)
        wrong = finish_receipt(ledger, receipt, &reply);
    else if (reply.status != receipt->status || strcmp(reply.body, receipt->answer) != 0 ||
             strcmp(replayed, "true") != 0)
        wrong = complain("the receipt of %s %s%s is lost: it said %u %s\nnow %u %s", receipt->target,
                         receipt->fields, receipt->body, receipt->status, receipt->answer, reply.status,
                         reply.body);
    http_reply_finish(&reply);
    return wrong;
}

/* A receipt lives as long as its game. */
static bool is_to_be_told(const struct ledger_receipt *receipt)
{
    return *receipt->target && !(receipt->game && receipt->game->deleted) &&
           !(receipt->game && (receipt->game->in_the_air & LEDGER_DELETION));
}

/* A move that is not played asks who is there before anything else. */
static const char *check_tokens(const struct ledger_game *game, struct http_client *client)
{
    char target[64], fields[LEDGER_TEXT_SIZE];
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves?validate_only", game->id);
    for (int i = 0; i <= LEDGER_SEATS; i++) {
        const char *token = i < LEDGER_SEATS ? game->tokens[i] : game->dead;
        struct http_reply reply;
        if (!*token)
            continue;
        (void)snprintf(fields, sizeof fields,
                       "Content-Type: application/json\r\nAuthorization: Bearer %s\r\n", token);
        if (!ask(client, "POST", target, fields, "{\"move\":\"a3\"}", &reply))
            return complaint;
        unsigned status = reply.status;
        http_reply_finish(&reply);
        if (status >= 500 || (status == 401) != (i == LEDGER_SEATS))
            return complain("game %s: token %d of it gives %u", game->id, i, status);
    }
    return NULL;
}

/* What is told now against what was told. */
static const char *check_told(struct ledger_game *game, const char *body)
{
    char *now = game_in(body);
    if (!now)
        return complain("game %s is told as %s", game->id, body);
    bool is_same = game->told && strcmp(now, game->told) == 0;
    bool is_later = (game->in_the_air & LEDGER_CHANGE) && game->told &&
                    number_of(now, "version") == number_of(game->told, "version") + 1;
    const char *wrong = NULL;
    if (game->told && !is_same && !is_later)
        wrong = complain("game %s was acknowledged as\n%s\nand is now\n%s", game->id, game->told, now);
    if (!game->told && game->in_the_air == LEDGER_NOTHING && number_of(now, "ply") != game->plies)
        wrong = complain("game %s came with %u plies and is now\n%s", game->id, game->plies, now);
    free(now);
    return wrong;
}

/* The lines of moves.txt against the moves that were acknowledged, which are taken over where they are not known: an
 * answer to a create does not name those that came with it. */
static const char *check_moves(struct ledger_game *game, const char *text, unsigned known)
{
    unsigned ply = 0;
    for (const char *at = text + strspn(text, "\n"); *at; at += strspn(at, "\n"), ply++) {
        int length = (int)strcspn(at, "\n");
        char *san = game->sans[ply < LEDGER_PLIES ? ply : LEDGER_PLIES - 1];
        if (ply < known && *san && (strncmp(at, san, (size_t)length) != 0 || san[length]))
            return complain("game %s: ply %u was %s and is %.*s", game->id, ply + 1, san, length, at);
        (void)snprintf(san, LEDGER_SAN_SIZE, "%.*s", length, at);
        at += length;
    }
    if (ply != game->plies)
        return complain("game %s has %u plies, and %u moves", game->id, game->plies, ply);
    return NULL;
}

static const char *check_game_that_is_there(struct ledger_game *game, const char *body,
                                            struct http_client *client)
{
    char target[64];
    struct http_reply reply;
    const char *wrong = check_told(game, body);
    if (wrong)
        return wrong;
    unsigned known = game->plies;
    (void)ledger_take(game, body);
    known = known < game->plies ? known : game->plies;
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves.txt?limit=500", game->id);
    if (!ask(client, "GET", target, NULL, NULL, &reply))
        return complaint;
    wrong =
        reply.status == 200 ? check_moves(game, reply.body, known) : complain("%s: %u", target, reply.status);
    http_reply_finish(&reply);
    return wrong ? wrong : check_tokens(game, client);
}

static const char *check_game(struct ledger_game *game, struct http_client *client)
{
    char target[64];
    struct http_reply reply;
    const char *wrong = NULL;
    (void)snprintf(target, sizeof target, "/v1/games/%s", game->id);
    if (!ask(client, "GET", target, NULL, NULL, &reply))
        return complaint;
    if (reply.status == 404 && (game->in_the_air & LEDGER_DELETION))
        ledger_deleted(game);
    else if (game->deleted && reply.status != 404)
        wrong = complain("game %s was deleted, and is back", game->id);
    else if (!game->deleted && reply.status != 200)
        wrong = complain("game %s is gone: %u %s", game->id, reply.status, reply.body);
    else if (!game->deleted)
        wrong = check_game_that_is_there(game, reply.body, client);
    http_reply_finish(&reply);
    return wrong;
}

const char *ledger_check(struct ledger *ledger, struct http_client *client)
{
    for (size_t i = 0; i < LEDGER_RECEIPTS; i++) {
        struct ledger_receipt *receipt = &ledger->receipts[i];
        const char *wrong = is_to_be_told(receipt) ? check_receipt(ledger, receipt, client) : NULL;
        if (wrong)
            return wrong;
    }
    for (size_t i = 0; i < ledger->game_count; i++) {
        const char *wrong = check_game(&ledger->games[i], client);
        if (wrong)
            return wrong;
    }
    return NULL;
}
