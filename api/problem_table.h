/* problem_table: the rows of api/problem.h.
 *
 * Layer: api. X(NAME, slug, status, title, sentence). The sentence is what GET /v1/problems/{slug} tells:
 * what it means and what to do. */
#pragma once

#define PROBLEM_TABLE(X)                                                                                     \
    X(MALFORMED_REQUEST, "malformed-request", 400, "The request cannot be read",                             \
      "The target, a header field or the body breaks the grammar of its format; the detail says where.")     \
    X(UNKNOWN_FIELD, "unknown-field", 400, "A field is not known",                                           \
      "A member or query parameter of that name does not exist here. Names that begin with x_ are ignored.") \
    X(INVALID_PARAMETER, "invalid-parameter", 400, "A value is not allowed",                                 \
      "A member, query parameter or header field has the wrong type, or a value that it cannot have.")       \
    X(INVALID_FEN, "invalid-fen", 400, "The FEN cannot be read",                                             \
      "The text is not a FEN. Where it has fields, faults[] lists each that cannot be read, with its "       \
      "byte offset.")                                                                                        \
    X(INVALID_PGN, "invalid-pgn", 400, "The PGN cannot be read",                                             \
      "The text is not a PGN game. With curl send files by --data-binary, which keeps the ends of lines.")   \
    X(UNPARSEABLE_MOVE, "unparseable-move", 400, "The move cannot be read",                                  \
      "The text is neither SAN nor UCI, whatever the position, or not as `uci` or strict notation asks.")    \
    X(TOKEN_REQUIRED, "token-required", 401, "A token is required",                                          \
      "A game with seats asks for a token, and some services ask for a key of whoever makes games: "         \
      "send it as Authorization: Bearer.")                                                                   \
    X(TOKEN_INVALID, "token-invalid", 401, "The token is not valid",                                         \
      "The token is nobody's in this game and no operator's key: it was mistyped, or replaced by a "         \
      "newer one. A ticket is used once, and soon.")                                                         \
    X(WRONG_SEAT, "wrong-seat", 403, "The token is not for that seat",                                       \
      "The action is for a player, and not, or not in this way, for the one whose token this is.")           \
    X(SPECTATOR_ONLY, "spectator-only", 403, "The token only reads",                                         \
      "A spectator's token may read the game and nothing else.")                                             \
    X(NOT_CREATOR, "not-creator", 403, "Only the creator may do this",                                       \
      "The action needs the creator's token, or the key of an operator.")                                    \
    X(CONSENT_REQUIRED, "consent-required", 403, "The opponent must agree",                                  \
      "In this game the action is proposed first, and takes effect when the opponent agrees.")               \
    X(ORIGIN_NOT_ALLOWED, "origin-not-allowed", 403, "This web page may not use the service",                \
      "Requests from web pages are answered only for allowed origins: see --allow-origin.")                  \
    X(NOT_FOUND, "not-found", 404, "There is nothing here",                                                  \
      "No resource has this path. GET /v1 lists what there is.")                                             \
    X(GAME_NOT_FOUND, "game-not-found", 404, "There is no such game",                                        \
      "No game has this id: it was mistyped, never existed, or was deleted. A private game looks the "       \
      "same to whoever has no token of it.")                                                                 \
    X(PLY_NOT_FOUND, "ply-not-found", 404, "The game has no such half-move",                                 \
      "Half-moves are numbered from 1; ply 0 is the position before the first.")                             \
    X(METHOD_NOT_ALLOWED, "method-not-allowed", 405, "The method is not allowed here",                       \
      "The resource exists but does not take this method; the Allow field lists those it takes.")            \
    X(NOT_ACCEPTABLE, "not-acceptable", 406, "No acceptable format",                                         \
      "The resource cannot be had in any format that the Accept field or the suffix names.")                 \
    X(NOT_YOUR_TURN, "not-your-turn", 409, "It is the other side's turn",                                    \
      "The move belongs to the other side.")                                                                 \
    X(GAME_OVER, "game-over", 409, "The game is over",                                                       \
      "The game has ended, and what was asked can be done only before.")                                     \
    X(GAME_NOT_STARTED, "game-not-started", 409, "The game has not begun",                                   \
      "It begins when both seats are taken, or with the first move.")                                        \
    X(PLY_CONFLICT, "ply-conflict", 409, "Another half-move stands there",                                   \
      "The game has another move at this ply, or has not come so far; expected_ply is the next one.")        \
    X(SEAT_TAKEN, "seat-taken", 409, "The seat is taken", "Somebody else has this side already.")            \
    X(NO_OPEN_OFFER, "no-open-offer", 409, "There is no open offer",                                         \
      "Nothing has been offered, or the offer has lapsed.")                                                  \
    X(OWN_OFFER, "own-offer", 409, "The offer is one's own",                                                 \
      "Only the side that received an offer can answer it.")                                                 \
    X(OFFER_EXISTS, "offer-exists", 409, "The opponent's offer stands",                                      \
      "The opponent has made the same offer already: accept it instead.")                                    \
    X(NOT_ALLOWED_BY_RULES, "not-allowed-by-rules", 409, "The rules of this game exclude it",                \
      "An option of the game, a limit, or an article of the Laws excludes the action now: rule names it.")   \
    X(NOTHING_TO_UNDO, "nothing-to-undo", 409, "There is no move to take back",                              \
      "The game has fewer half-moves than were to be taken back.")                                           \
    X(ABORT_TOO_LATE, "abort-too-late", 409, "It is too late to abort",                                      \
      "A game can be aborted until both sides have moved; later it can be resigned.")                        \
    X(CLOCK_RUNNING, "clock-running", 409, "The clock still runs",                                           \
      "The player has time left: remaining_ms.")                                                             \
    X(NO_CLOCK, "no-clock", 409, "The game has no clock", "The game is played without time limits.")         \
    X(IDEMPOTENCY_IN_PROGRESS, "idempotency-in-progress", 409, "The first request is still running",         \
      "A request with the same Idempotency-Key has not been answered yet: repeat in a moment.")              \
    X(VERSION_MISMATCH, "version-mismatch", 412, "The game has changed",                                     \
      "If-Match names another version than the game has; game shows the present one.")                       \
    X(PAYLOAD_TOO_LARGE, "payload-too-large", 413, "The body is too large",                                  \
      "The body is longer, or has more games or lines, than GET /v1/limits allows for its kind.")            \
    X(URI_TOO_LONG, "uri-too-long", 414, "The target is too long",                                           \
      "Path and query together are longer than GET /v1/limits allows.")                                      \
    X(UNSUPPORTED_MEDIA_TYPE, "unsupported-media-type", 415, "The body is of a type that is not read here",  \
      "The Accept-Post field, or Accept-Patch, lists the media types that this resource takes; none is "     \
      "taken with a Content-Encoding.")                                                                      \
    X(MISDIRECTED_REQUEST, "misdirected-request", 421, "The Host is not ours",                               \
      "On a loopback address the Host must be a loopback name or one given with --allow-host.")              \
    X(ILLEGAL_MOVE, "illegal-move", 422, "The move is not legal",                                            \
      "The move was understood and the Laws do not allow it; reason, squares and pieces say why.")           \
    X(AMBIGUOUS_MOVE, "ambiguous-move", 422, "Several moves fit",                                            \
      "The text fits more than one legal move; candidates lists them.")                                      \
    X(CLAIM_NOT_VALID, "claim-not-valid", 422, "The claim is not correct",                                   \
      "The position does not give the right to claim a draw; count and needed say how far it is.")           \
    X(ILLEGAL_POSITION, "illegal-position", 422, "The position cannot be played",                            \
      "The FEN was read, and no game can go on from it; faults[] lists everything that is wrong.")           \
    X(TOO_EXPENSIVE, "too-expensive", 422, "The work is too much for one request",                           \
      "What was asked would go beyond a limit: see GET /v1/limits.")                                         \
    X(IDEMPOTENCY_KEY_REUSED, "idempotency-key-reused", 422, "The key belongs to another request",           \
      "The same Idempotency-Key was sent with another query, body or type of body.")                         \
    X(RATE_LIMITED, "rate-limited", 429, "Too many requests",                                                \
      "The client has used up its share; Retry-After says when to come back.")                               \
    X(TOO_MANY_STREAMS, "too-many-streams", 429, "Too many streams",                                         \
      "As many event streams are open as may be: of the client, of its address, or of the service.")         \
    X(HEADERS_TOO_LARGE, "headers-too-large", 431, "The head of the request is too large",                   \
      "The request line and header fields are longer, or more, than GET /v1/limits allows.")                 \
    X(INTERNAL, "internal", 500, "The service has failed",                                                   \
      "Something went wrong that is not the client's fault; the log has it under request_id.")               \
    X(STORAGE_UNAVAILABLE, "storage-unavailable", 503, "The store cannot be reached",                        \
      "The store of the games cannot be read or written; nothing has changed.")                              \
    X(STORAGE_BUSY, "storage-busy", 503, "The store or the service is busy",                                 \
      "The store is held by somebody else, or the service has no memory or thread to spare; nothing "        \
      "has changed: repeat in a moment.")                                                                    \
    X(SHUTTING_DOWN, "shutting-down", 503, "The service is shutting down",                                   \
      "The service ends or restarts; nothing has changed: repeat in a moment.")
