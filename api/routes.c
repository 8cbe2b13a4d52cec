#include "api/handlers.h"
#include "api/route.h"

#define GET    METHOD_GET
#define POST   METHOD_POST
#define PUT    METHOD_PUT
#define PATCH  METHOD_PATCH
#define DELETE METHOD_DELETE
#define JSON   FORMAT_JSON
#define TEXT   FORMAT_TEXT
#define PGN    FORMAT_PGN
#define FEN    FORMAT_FEN
#define SVG    FORMAT_SVG
#define PNG    FORMAT_PNG

/* Not QUERY_BIT, to which FEN would come as the format. */
#define Q(parameter) (UINT64_C(1) << QUERY_##parameter)
#define FIELDS       (BODY_BIT(JSON) | BODY_BIT(FORM))
#define FIELDS_TEXT  (FIELDS | BODY_BIT(TEXT))
/* Ends that archives of other sites do not know. */
#define RULES (Q(DEAD_POSITION) | Q(FIVEFOLD) | Q(SEVENTYFIVE))
#define SETUP (Q(FEN) | Q(MOVES) | Q(VARIANT))
#define PICTURE                                                                                              \
    (Q(ORIENTATION) | Q(COORDINATES) | Q(SIZE) | Q(THEME) | Q(CHECK) | Q(LAST_MOVE) | Q(ARROWS) |            \
     Q(SQUARES) | Q(TARGETS))

/* What acts_once says. */
enum { ANEW = false, ONCE = true };

/* Rows of one path stand together, those of one method in the order in which their formats are preferred. */
/* clang-format off */
const struct route route_table[] = {
    /* Service */
    {GET, "/", "getHelp", get_help, {TEXT, FORMAT_HTML}, 0, 0, RATE_READS, ANEW},
    {GET, "/docs", "getDocs", get_docs, {TEXT, FORMAT_HTML}, 0, 0, RATE_READS, ANEW},
    {GET, "/assets/{name}", "getAsset", get_asset, {FORMAT_CSS, FORMAT_JAVASCRIPT, FORMAT_WOFF2}, 0, 0,
     RATE_READS, ANEW},
    {GET, "/v1", "getIndex", get_index, {JSON}, 0, 0, RATE_READS, ANEW},
    {GET, "/v1/limits", "getLimits", get_limits, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {GET, "/v1/problems", "listProblems", list_problems, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {GET, "/v1/problems/{slug}", "getProblem", get_problem, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {GET, "/openapi.json", "getOpenapiJson", get_openapi_json, {JSON}, 0, 0, RATE_READS, ANEW},
    {GET, "/openapi.yaml", "getOpenapiYaml", get_openapi_yaml, {FORMAT_YAML, TEXT}, 0, 0, RATE_READS, ANEW},
    {GET, "/healthz", "getHealth", get_health, {JSON, TEXT}, 0, 0, RATE_NONE, ANEW},
    {GET, "/readyz", "getReadiness", get_readiness, {JSON, TEXT}, 0, 0, RATE_NONE, ANEW},
    {GET, "/metrics", "getMetrics", get_metrics, {FORMAT_METRICS}, 0, 0, RATE_NONE, ANEW},
    {GET, "/version", "getVersion", get_version, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},

    /* Positions without a game */
    {GET, "/v1/positions", "getPosition", get_position, {JSON, TEXT}, 0,
     Q(FEN) | Q(MOVES) | Q(VARIANT) | Q(FEN_EP), RATE_READS, ANEW},
    {GET, "/v1/positions/legal-moves", "listPositionLegalMoves", list_position_legal_moves, {JSON, TEXT}, 0,
     Q(FEN) | Q(VARIANT) | Q(FROM) | Q(TO) | Q(PIECE) | Q(GROUP) | Q(FEN_EP), RATE_READS, ANEW},
    {GET, "/v1/positions/board", "getPositionBoard", get_position_board, {TEXT, JSON}, 0,
     SETUP | Q(ORIENTATION) | Q(STYLE) | Q(COORDINATES), RATE_READS, ANEW},
    {GET, "/v1/positions/board", "getPositionBoard", get_position_board_picture, {SVG, PNG}, 0,
     SETUP | PICTURE, RATE_READS, ANEW},
    {POST, "/v1/positions/line", "playLine", play_line, {JSON, TEXT}, FIELDS_TEXT,
     Q(FEN) | Q(VARIANT) | Q(FEN_EP), RATE_READS, ANEW},
    {POST, "/v1/positions/validate", "validatePosition", validate_position, {JSON, TEXT}, FIELDS_TEXT,
     Q(VARIANT) | Q(FEN_EP), RATE_READS, ANEW},
    {POST, "/v1/positions/winnable", "decideWinnable", decide_winnable, {JSON, TEXT}, FIELDS_TEXT, Q(VARIANT),
     RATE_HEAVY, ANEW},
    {GET, "/v1/positions/perft", "getPerft", get_perft, {JSON, TEXT}, 0,
     Q(FEN) | Q(VARIANT) | Q(DEPTH) | Q(DIVIDE), RATE_HEAVY, ANEW},
    {POST, "/v1/positions/batch", "runBatch", run_batch, {FORMAT_NDJSON}, BODY_BIT(LINES), 0, RATE_HEAVY,
     ANEW},
    {GET, "/v1/chess960/{n}", "getChess960Position", get_chess960_position, {JSON, TEXT}, 0, 0, RATE_READS,
     ANEW},

    /* PGN without a game */
    {POST, "/v1/pgn/validate", "validatePgn", validate_pgn, {JSON, TEXT}, BODY_BIT(PGN) | BODY_MANY_GAMES,
     Q(VARIANT) | RULES, RATE_HEAVY, ANEW},
    {POST, "/v1/pgn/import", "importPgn", import_pgn, {FORMAT_NDJSON}, BODY_BIT(PGN) | BODY_MANY_GAMES,
     Q(VARIANT) | RULES | Q(VISIBILITY), RATE_CREATES, ONCE},

    /* Games */
    {POST, "/v1/games", "createGame", create_game, {JSON, TEXT}, FIELDS_TEXT | BODY_BIT(PGN),
     Q(VARIANT) | Q(VALIDATE_ONLY) | RULES, RATE_CREATES, ONCE},
    {GET, "/v1/games", "listGames", list_games, {JSON, TEXT}, 0,
     Q(STATUS) | Q(PLAYER) | Q(SINCE) | Q(UNTIL) | Q(ORDER) | Q(LIMIT) | Q(CURSOR), RATE_READS, ANEW},
    {GET, "/v1/games/{id}", "getGame", get_game, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {GET, "/v1/games/{id}", "getGamePgn", get_game_pgn, {PGN}, 0, Q(COMMENTS) | Q(TAGS) | Q(CLOCKS),
     RATE_READS, ANEW},
    {GET, "/v1/games/{id}", "getGameFen", get_game_fen, {FEN}, 0, Q(PLY) | Q(FEN_EP), RATE_READS, ANEW},
    {PATCH, "/v1/games/{id}", "updateGame", update_game, {JSON}, FIELDS, 0, RATE_MOVES, ANEW},
    {DELETE, "/v1/games/{id}", "deleteGame", delete_game, {JSON, TEXT}, 0, 0, RATE_MOVES, ANEW},
    {GET, "/v1/games/{id}/status", "getGameStatus", get_game_status, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {GET, "/v1/games/{id}/pgn", "getGamePgn", get_game_pgn, {PGN, TEXT}, 0, Q(COMMENTS) | Q(TAGS) | Q(CLOCKS),
     RATE_READS, ANEW},
    {GET, "/v1/games/{id}/fen", "getGameFen", get_game_fen, {TEXT, JSON, FEN}, 0, Q(PLY) | Q(FEN_EP), RATE_READS,
     ANEW},
    {POST, "/v1/games/{id}/fork", "forkGame", fork_game, {JSON, TEXT}, FIELDS, Q(PLY), RATE_CREATES, ONCE},

    /* Moves */
    {POST, "/v1/games/{id}/moves", "playMove", play_move, {JSON, TEXT}, FIELDS_TEXT,
     Q(VALIDATE_ONLY) | Q(PROMOTION), RATE_MOVES, ONCE},
    {GET, "/v1/games/{id}/moves", "listMoves", list_moves, {JSON, TEXT}, 0, Q(FROM_PLY) | Q(LIMIT) | Q(ORDER),
     RATE_READS, ANEW},
    {GET, "/v1/games/{id}/moves/{ply}", "getMove", get_move, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {PUT, "/v1/games/{id}/moves/{ply}", "putMove", put_move, {JSON, TEXT}, FIELDS_TEXT, Q(PROMOTION),
     RATE_MOVES, ANEW},
    {GET, "/v1/games/{id}/legal-moves", "listLegalMoves", list_legal_moves, {JSON, TEXT}, 0,
     Q(FROM) | Q(TO) | Q(PIECE) | Q(PLY) | Q(GROUP) | Q(FEN_EP), RATE_READS, ANEW},
    {POST, "/v1/games/{id}/undo", "undoMoves", undo_moves, {JSON, TEXT}, FIELDS_TEXT, 0, RATE_MOVES, ONCE},

    /* Board and position of a game */
    {GET, "/v1/games/{id}/board", "getBoard", get_board, {TEXT, JSON}, 0,
     Q(PLY) | Q(ORIENTATION) | Q(STYLE) | Q(COORDINATES), RATE_READS, ANEW},
    {GET, "/v1/games/{id}/board", "getBoard", get_board_picture, {SVG, PNG}, 0, Q(PLY) | PICTURE,
     RATE_READS, ANEW},
    {GET, "/v1/games/{id}/position", "getGamePosition", get_game_position, {JSON}, 0, Q(PLY) | Q(FEN_EP),
     RATE_READS, ANEW},
    {GET, "/v1/games/{id}/repetitions", "listRepetitions", list_repetitions, {JSON}, 0, Q(MIN_COUNT),
     RATE_READS, ANEW},

    /* Events */
    {GET, "/v1/games/{id}/events", "streamEvents", stream_events, {FORMAT_SSE, FORMAT_NDJSON, JSON}, 0,
     Q(AFTER) | Q(WAIT) | Q(TICKET), RATE_READS, ANEW},
    {GET, "/v1/events", "streamManyEvents", stream_many_events, {FORMAT_SSE, FORMAT_NDJSON, JSON}, 0,
     Q(GAME) | Q(AFTER) | Q(WAIT), RATE_READS, ANEW},

    /* Ends of a game */
    {GET, "/v1/games/{id}/draw", "getDraw", get_draw, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {POST, "/v1/games/{id}/draw/claim", "claimDraw", claim_draw, {JSON, TEXT}, FIELDS_TEXT, 0, RATE_MOVES,
     ONCE},
    {POST, "/v1/games/{id}/draw/offer", "offerDraw", offer_draw, {JSON, TEXT}, FIELDS_TEXT, 0, RATE_MOVES,
     ONCE},
    {POST, "/v1/games/{id}/draw/accept", "acceptDraw", accept_draw, {JSON, TEXT}, FIELDS_TEXT, 0, RATE_MOVES,
     ONCE},
    {POST, "/v1/games/{id}/draw/decline", "declineDraw", decline_draw, {JSON, TEXT}, FIELDS_TEXT, 0,
     RATE_MOVES, ONCE},
    {POST, "/v1/games/{id}/resign", "resignGame", resign_game, {JSON, TEXT}, FIELDS_TEXT, 0, RATE_MOVES,
     ONCE},
    {POST, "/v1/games/{id}/abort", "abortGame", abort_game, {JSON, TEXT}, FIELDS, 0, RATE_MOVES, ONCE},
    {POST, "/v1/games/{id}/adjudicate", "adjudicateGame", adjudicate_game, {JSON, TEXT}, FIELDS_TEXT, 0,
     RATE_MOVES, ONCE},
    {POST, "/v1/games/{id}/illegal-move", "reportIllegalMove", report_illegal_move, {JSON, TEXT}, FIELDS_TEXT,
     0, RATE_MOVES, ONCE},

    /* Taking moves back */
    {POST, "/v1/games/{id}/takeback", "requestTakeback", request_takeback, {JSON, TEXT}, FIELDS_TEXT, 0,
     RATE_MOVES, ONCE},
    {DELETE, "/v1/games/{id}/takeback", "withdrawTakeback", withdraw_takeback, {JSON, TEXT}, FIELDS_TEXT, 0,
     RATE_MOVES, ANEW},
    {POST, "/v1/games/{id}/takeback/accept", "acceptTakeback", accept_takeback, {JSON, TEXT}, FIELDS_TEXT, 0,
     RATE_MOVES, ONCE},
    {POST, "/v1/games/{id}/takeback/decline", "declineTakeback", decline_takeback, {JSON, TEXT}, FIELDS_TEXT,
     0, RATE_MOVES, ONCE},

    /* Seats and tokens */
    {GET, "/v1/games/{id}/seats", "getSeats", get_seats, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {POST, "/v1/games/{id}/seats", "takeSeat", take_seat, {JSON, TEXT}, FIELDS_TEXT, 0, RATE_MOVES, ONCE},
    {DELETE, "/v1/games/{id}/seats/{color}", "leaveSeat", leave_seat, {JSON, TEXT}, 0, 0, RATE_MOVES, ANEW},
    {POST, "/v1/games/{id}/tokens", "renewToken", renew_token, {JSON, TEXT}, FIELDS_TEXT, 0, RATE_MOVES,
     ONCE},
    {POST, "/v1/games/{id}/stream-tickets", "createStreamTicket", create_stream_ticket, {JSON, TEXT}, FIELDS,
     0, RATE_READS, ANEW},

    /* Clocks */
    {GET, "/v1/games/{id}/clock", "getClock", get_clock, {JSON, TEXT}, 0, 0, RATE_READS, ANEW},
    {POST, "/v1/games/{id}/clock/add", "addTime", add_time, {JSON, TEXT}, FIELDS, 0, RATE_MOVES, ONCE},
    {POST, "/v1/games/{id}/flag", "flagGame", flag_game, {JSON, TEXT}, FIELDS, 0, RATE_MOVES, ONCE},
};
/* clang-format on */

const size_t route_count = sizeof route_table / sizeof route_table[0];
