#include "tests/http/valid.h"

#include <stdio.h>
#include <string.h>

#define JSON   "application/json"
#define FORM   "application/x-www-form-urlencoded"
#define TEXT   "text/plain"
#define PGN    "application/vnd.chess-pgn"
#define LINES  "application/x-ndjson"
#define ASKS   "Accept: application/json\r\n"
#define AS_C   "Authorization: Bearer $C\r\n"
#define AS_W   "Authorization: Bearer $W\r\n"
#define AS_V   "Authorization: Bearer $V\r\n"
#define ONCE   "Idempotency-Key: $K\r\n"
#define GAME   "/v1/games/$G"
#define SEATED "/v1/games/$S"
#define ROOKS  "8/8/8/4k3/8/8/4P3/4K3%20w%20-%20-%200%201"

/* clang-format off: a table */
const struct valid_request valid_requests[] = {
    {"getHelp", "GET", "/", NULL, "Accept: text/plain\r\n", NULL},
    {"getDocs", "GET", "/docs", NULL, "Accept-Encoding: gzip\r\n", NULL},
    {"getAsset", "GET", "/assets/none.css", NULL, NULL, NULL},
    {"getIndex", "GET", "/v1", NULL, "Origin: https://example.org\r\n", NULL},
    {"getLimits", "GET", "/v1/limits", NULL, ASKS, NULL},
    {"listProblems", "GET", "/v1/problems", NULL, NULL, NULL},
    {"getProblem", "GET", "/v1/problems/illegal-move", NULL, NULL, NULL},
    {"getOpenapiJson", "HEAD", "/openapi.json", NULL, "If-None-Match: \"none\"\r\n", NULL},
    {"getOpenapiYaml", "HEAD", "/openapi.yaml", NULL, NULL, NULL},
    {"getHealth", "GET", "/healthz", NULL, NULL, NULL},
    {"getReadiness", "GET", "/readyz", NULL, NULL, NULL},
    {"getMetrics", "GET", "/metrics", NULL, NULL, NULL},
    {"getVersion", "OPTIONS", "/version", NULL, NULL, NULL},
    {"getVersion", "GET", "/version", NULL, NULL, NULL},
    {"getPosition", "GET", "/v1/positions?fen=startpos&moves=e4%20e5", NULL, ASKS, NULL},
    {"listPositionLegalMoves", "GET", "/v1/positions/legal-moves?fen=" ROOKS "&from=e2", NULL, NULL, NULL},
    {"getPositionBoard", "GET", "/v1/positions/board?fen=" ROOKS "&style=ascii", NULL, NULL, NULL},
    {"getPositionBoard", "GET", "/v1/positions/board?fen=" ROOKS, NULL, "Accept: image/svg+xml\r\n", NULL},
    {"playLine", "POST", "/v1/positions/line", JSON, NULL, "{\"moves\":[\"e4\",\"e5\",\"Qh5\"]}"},
    {"validatePosition", "POST", "/v1/positions/validate", TEXT, NULL, "4k3/8/8/8/8/8/8/P3K2R w KQ - 0 1"},
    {"decideWinnable", "POST", "/v1/positions/winnable", JSON, NULL,
     "{\"fen\":\"8/8/8/4k3/8/8/8/4KB2 w - - 0 1\",\"color\":\"white\"}"},
    {"getPerft", "GET", "/v1/positions/perft?depth=2&divide=true", NULL, NULL, NULL},
    {"runBatch", "POST", "/v1/positions/batch", LINES, NULL,
     "{\"id\":1,\"op\":\"perft\",\"fen\":\"8/8/8/4k3/8/8/4P3/4K3 w - - 0 "
     "1\",\"depth\":2}\n{\"id\":2,\"op\":\"legal-moves\"}\n"},
    {"getChess960Position", "GET", "/v1/chess960/518", NULL, "Accept: */*;q=0.1, text/plain\r\n", NULL},
    {"validatePgn", "POST", "/v1/pgn/validate", PGN, NULL, "[White \"Anna\"]\n\n1. e4 e5 2. Ke3 *\n"},
    {"importPgn", "POST", "/v1/pgn/import", PGN, ONCE,
     "[White \"Anna\"]\n\n1. e4 {a} e5 2. Qh5 *\n\n1. d4 *\n"},
    {"createGame", "POST", "/v1/games", JSON, ONCE,
     "{\"white\":{\"name\":\"Anna\"},\"clock\":\"300+0\",\"metadata\":{\"round\":4}}"},
    {"createGame", "POST", "/v1/games?validate_only=true", FORM, NULL, "access=seats&moves=e4+e5"},
    {"createGame", "POST", "/v1/games", PGN, NULL, "1. e4 e5 *"},
    {"listGames", "GET", "/v1/games?status=ongoing&limit=3&order=asc", NULL, NULL, NULL},
    {"getGame", "GET", GAME, NULL, "If-None-Match: W/\"1\"\r\n", NULL},
    {"getGame", "HEAD", SEATED, NULL, AS_V, NULL},
    {"updateGame", "PATCH", GAME, JSON, NULL, "{\"metadata\":{\"round\":5}}"},
    {"deleteGame", "DELETE", SEATED, NULL, AS_W, NULL},
    {"getGameStatus", "GET", GAME "/status", NULL, NULL, NULL},
    {"getGamePgn", "GET", GAME "/pgn?comments=false", NULL, NULL, NULL},
    {"getGameFen", "GET", GAME "/fen", NULL, ASKS, NULL},
    {"forkGame", "POST", GAME "/fork?ply=0", JSON, ONCE, "{}"},
    {"playMove", "POST", GAME "/moves", JSON, NULL, "{\"move\":\"e4\"}"},
    {"playMove", "POST", GAME "/moves", TEXT, NULL, "e5"},
    {"playMove", "POST", SEATED "/moves", JSON, AS_W ONCE, "{\"move\":\"d4\",\"comment\":\"\\u00e9\"}"},
    {"listMoves", "GET", GAME "/moves?limit=2", NULL, "Range: bytes=0-1\r\n", NULL},
    {"getMove", "GET", GAME "/moves/1", NULL, NULL, NULL},
    {"putMove", "PUT", GAME "/moves/1", JSON, NULL, "{\"move\":\"e4\"}"},
    {"listLegalMoves", "GET", GAME "/legal-moves?group=dests", NULL, NULL, NULL},
    {"undoMoves", "POST", GAME "/undo", JSON, NULL, "{\"plies\":1}"},
    {"getBoard", "GET", GAME "/board?orientation=black", NULL, NULL, NULL},
    {"getBoard", "GET", GAME "/board.png", NULL, NULL, NULL},
    {"getGamePosition", "GET", GAME "/position", NULL, NULL, NULL},
    {"listRepetitions", "GET", GAME "/repetitions?min_count=2", NULL, NULL, NULL},
    {"streamEvents", "GET", GAME "/events?after=0&wait=0", NULL, ASKS, NULL},
    {"streamEvents", "GET", SEATED "/events?wait=0&ticket=$T", NULL, ASKS, NULL},
    {"streamManyEvents", "GET", "/v1/events?game=$G&wait=0", NULL, ASKS, NULL},
    {"getDraw", "GET", GAME "/draw", NULL, NULL, NULL},
    {"claimDraw", "POST", GAME "/draw/claim", JSON, NULL, "{\"reason\":\"threefold_repetition\"}"},
    {"offerDraw", "POST", SEATED "/draw/offer", FORM, AS_W, ""},
    {"acceptDraw", "POST", GAME "/draw/accept", JSON, NULL, "{}"},
    {"declineDraw", "POST", GAME "/draw/decline", JSON, NULL, "{}"},
    {"resignGame", "POST", GAME "/resign", FORM, NULL, "color=mauve"},
    {"abortGame", "POST", SEATED "/abort", JSON, NULL, "{}"},
    {"adjudicateGame", "POST", SEATED "/adjudicate", JSON, NULL, "{\"result\":\"1/2-1/2\"}"},
    {"reportIllegalMove", "POST", GAME "/illegal-move", JSON, NULL, "{\"color\":\"white\"}"},
    {"requestTakeback", "POST", GAME "/takeback", JSON, NULL, "{\"color\":\"white\"}"},
    {"withdrawTakeback", "DELETE", GAME "/takeback", NULL, NULL, NULL},
    {"acceptTakeback", "POST", GAME "/takeback/accept", JSON, NULL, "{}"},
    {"declineTakeback", "POST", GAME "/takeback/decline", JSON, NULL, "{}"},
    {"getSeats", "GET", SEATED "/seats", NULL, AS_V, NULL},
    {"takeSeat", "POST", SEATED "/seats", JSON, AS_W, "{\"color\":\"white\",\"name\":\"Anna\"}"},
    {"leaveSeat", "DELETE", SEATED "/seats/white", NULL, AS_W, NULL},
    {"renewToken", "POST", SEATED "/tokens", JSON, AS_C ONCE, "{\"role\":\"spectator\"}"},
    {"createStreamTicket", "POST", SEATED "/stream-tickets", JSON, AS_W, "{}"},
    {"getClock", "GET", GAME "/clock", NULL, NULL, NULL},
    {"addTime", "POST", GAME "/clock/add", JSON, ONCE, "{\"color\":\"black\",\"ms\":15000}"},
    {"flagGame", "POST", GAME "/flag", JSON, NULL, "{}"},
};
/* clang-format on */

const size_t valid_request_count = sizeof valid_requests / sizeof valid_requests[0];

/* ---- names ------------------------------------------------------------------------------------------------- */

static const char *value_of(char name, struct valid_names *names, char key[VALID_NAME_SIZE])
{
    switch (name) {
    case 'G':
        return names->game;
    case 'S':
        return names->seated;
    case 'C':
        return names->creator;
    case 'W':
        return names->white;
    case 'V':
        return names->spectator;
    case 'T':
        return names->ticket;
    default:
        (void)snprintf(key, VALID_NAME_SIZE, "repeatable-by-a-client-%u", names->keys++);
        return key;
    }
}

static size_t append(char *out, size_t length, size_t size, const char *text, struct valid_names *names)
{
    char key[VALID_NAME_SIZE];
    for (; text && *text && length + VALID_NAME_SIZE < size; text++) {
        if (*text != '$') {
            out[length++] = *text;
            continue;
        }
        text++;
        const char *value = value_of(*text, names, key);
        memcpy(out + length, value, strlen(value));
        length += strlen(value);
    }
    out[length] = '\0';
    return length;
}

size_t valid_write(const struct valid_request *request, struct valid_names *names, const char *id,
                   char out[VALID_SIZE])
{
    char body[VALID_SIZE / 2], line[2 * VALID_NAME_SIZE];
    size_t body_length = append(body, 0, sizeof body, request->body, names);
    size_t length = append(out, 0, VALID_SIZE, request->method, names);
    length = append(out, length, VALID_SIZE, " ", names);
    length = append(out, length, VALID_SIZE, request->target, names);
    (void)snprintf(line, sizeof line, " HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: %s\r\n", id);
    length = append(out, length, VALID_SIZE, line, names);
    length = append(out, length, VALID_SIZE, request->fields, names);
    if (request->body) {
        (void)snprintf(line, sizeof line, "Content-Type: %s\r\nContent-Length: %zu\r\n", request->type,
                       body_length);
        length = append(out, length, VALID_SIZE, line, names);
    }
    length = append(out, length, VALID_SIZE, "\r\n", names);
    return append(out, length, VALID_SIZE, body, names);
}

/* The text behind `mark` up to a quotation mark. False: it is not there. */
static bool take(const char *text, const char *mark, char out[VALID_NAME_SIZE])
{
    const char *at = strstr(text, mark);
    if (!at)
        return false;
    at += strlen(mark);
    size_t length = strcspn(at, "\"");
    (void)snprintf(out, VALID_NAME_SIZE, "%.*s", (int)length, at);
    return length > 0 && length < VALID_NAME_SIZE;
}

static bool make(struct http_client *client, const char *target, const char *fields, const char *body,
                 struct http_reply *reply)
{
    return http_client_ask(client, "POST", target, fields, body, reply) && reply->status / 100 == 2;
}

bool valid_renew(struct valid_names *names, struct http_client *client)
{
    char target[VALID_SIZE], fields[VALID_SIZE];
    struct http_reply reply;
    static const char TYPE[] = "Content-Type: application/json\r\n";
    bool made = make(client, "/v1/games", TYPE, "{\"clock\":\"300+0\"}", &reply) &&
                take(reply.body, "\"id\":\"", names->game);
    http_reply_finish(&reply);
    made = made && make(client, "/v1/games", TYPE, "{\"access\":\"seats\"}", &reply) &&
           take(reply.body, "\"id\":\"", names->seated) && take(reply.body, "\"white\":\"", names->white) &&
           take(reply.body, "\"creator\":\"", names->creator) &&
           take(reply.body, "\"spectator\":\"", names->spectator);
    http_reply_finish(&reply);
    (void)append(target, 0, sizeof target, SEATED "/stream-tickets", names);
    (void)append(fields, 0, sizeof fields, AS_W "Content-Type: application/json\r\n", names);
    made = made && make(client, target, fields, "{}", &reply) &&
           take(reply.body, "\"ticket\":\"", names->ticket);
    http_reply_finish(&reply);
    return made;
}
