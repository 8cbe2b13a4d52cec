// scenario: what the examples of openapi.yaml are recorded from. Each call(…) is one request; its answer is the example
// of its operation, or of `as`. An operation that has no example is missing here.
//
//     call(operationId, { path, query, fields, body, type, accept, as, status, items, lines })
//
// `items` keeps the first ones of long lists, `lines` those of long texts.

const SCHOLAR = `[Event "Club evening"]
[White "Anna"]
[Black "Ben"]
[Result "1-0"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0
`;
const DOUBLED = 'r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3';

async function service(call) {
  await call('getHelp', { lines: 8 });
  await call('getDocs', { lines: 1 });
  await call('getIndex', { items: 3 });
  await call('getLimits', { items: 3 });
  await call('listProblems', { items: 3 });
  await call('getProblem', { path: { slug: 'illegal-move' } });
  await call('getHealth');
  await call('getReadiness');
  await call('getMetrics', { lines: 6 });
  await call('getVersion');
}

async function positions(call) {
  await call('getPosition', { query: { fen: DOUBLED, moves: 'Nf6' } });
  await call('listPositionLegalMoves', { query: { fen: '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1', from: 'e2' } });
  await call('getPositionBoard', { query: { fen: DOUBLED, moves: 'Nf6' }, accept: 'application/json' });
  await call('playLine', { body: { moves: ['e4', 'e5', 'Qh5', 'Nc6', 'Bc4', 'Ke7', 'Qxd5'] } });
  await call('validatePosition', { body: { fen: '4k3/8/8/8/8/8/8/P3K2R w KQ - 0 1' } });
  await call('decideWinnable', { body: { fen: '8/8/8/4k3/8/8/8/4KB2 w - - 0 1', color: 'white' } });
  await call('getPerft', { query: { depth: 3, fen: '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1', divide: true } });
  await call('getChess960Position', { path: { n: 518 } });
}

async function batch(call) {
  const question = { id: 1, op: 'perft', fen: '8/8/8/4k3/8/8/4P3/4K3 w - - 0 1', depth: 2 };
  await call('runBatch', { body: `${JSON.stringify(question)}\n`, type: 'application/x-ndjson' });
}

async function pgn(call) {
  const type = 'application/vnd.chess-pgn';
  await call('validatePgn', { body: `${SCHOLAR}\n1. e4 e5 2. Ke3 *\n`, type });
  await call('importPgn', { body: SCHOLAR, type });
}

async function game(call) {
  const created = await call('createGame', {
    body: { white: { name: 'Anna' }, black: { name: 'Ben' }, clock: '300+0', metadata: { round: 4 } },
  });
  const path = { id: created.id };
  const play = (move, options) => call('playMove', { path, body: { move }, ...options });
  await play('e4');
  await play('Ke2', { status: 422, as: 'problem.illegal-move' });
  await call('playMove', { path, body: { mvoe: 'e5' }, status: 400, as: 'problem.unknown-field' });
  await call('putMove', { path: { ...path, ply: 2 }, body: { move: 'e5' } });
  await call('putMove', { path: { ...path, ply: 2 }, body: { move: 'c5' }, status: 409, as: 'problem.ply-conflict' });
  await play('Nf3');
  await call('getGame', { path });
  await call('getGameStatus', { path });
  await call('getGamePgn', { path, query: { clocks: false } });
  await call('getGameFen', { path });
  await call('getBoard', { path });
  await call('getGamePosition', { path });
  await call('getMove', { path: { ...path, ply: 1 } });
  await call('listMoves', { path, query: { limit: 2 } });
  await call('listLegalMoves', { path, query: { group: 'dests' } });
  await call('getClock', { path });
  // Whole, so that what is told of the cursor fits the events.
  await call('streamEvents', { path, query: { after: 3 }, accept: 'application/json' });
  await call('streamManyEvents', { query: { game: path.id, after: `${path.id}:3` }, accept: 'application/json' });
  await call('addTime', { path, body: { color: 'black', ms: 15000 } });
  await call('flagGame', { path, status: 409, as: 'problem.clock-running' });
  await call('updateGame', { path, body: { metadata: { round: 5 } } });
  await call('requestTakeback', { path, body: { color: 'white' } });
  await call('withdrawTakeback', { path });
  await call('requestTakeback', { path, body: { color: 'white' } });
  await call('declineTakeback', { path });
  await call('requestTakeback', { path, body: { color: 'white' } });
  await call('acceptTakeback', { path });
  await call('resignGame', { path, body: { color: 'black' } });
  await play('d4', { status: 409, as: 'problem.game-over' });
  await call('forkGame', { path, query: { ply: 1 } });
  await call('listGames', { query: { player: 'Anna', status: 'ended', limit: 1 } });
  await call('getGame', { path: { id: 'zzzzzzzzzzzz' }, status: 404, as: 'problem.game-not-found' });
}

async function draws(call) {
  const fresh = async (body = {}) => ({ id: (await call('createGame', { body })).id });
  let path = await fresh({ moves: ['Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1'] });
  await call('listRepetitions', { path });
  await call('offerDraw', { path });
  await call('declineDraw', { path });
  await call('getDraw', { path });
  await call('claimDraw', { path, body: { reason: 'threefold_repetition', move: 'Ng8' } });
  path = await fresh({ moves: ['e4', 'e5'] });
  await call('offerDraw', { path, body: { color: 'white' } });
  await call('acceptDraw', { path });
  path = await fresh({ moves: ['e4'] });
  await call('undoMoves', { path, body: { plies: 1 } });
  await call('abortGame', { path });
  await call('deleteGame', { path });
  path = await fresh({ moves: ['e4', 'e5'] });
  await call('reportIllegalMove', { path, body: { color: 'white' } });
  await call('adjudicateGame', { path, body: { result: '1/2-1/2', comment: 'The light failed.' } });
  // So little time that it is over when somebody asks.
  path = await fresh({ clock: { initial_ms: 1 }, moves: ['e4', 'e5'] });
  await call('flagGame', { path });
}

async function seats(call) {
  const { id, tokens } = await call('createGame', {
    body: { access: 'seats', white: { name: 'Anna' } },
    as: 'createGame.seats',
  });
  const path = { id };
  const as = (token) => ({ fields: { Authorization: `Bearer ${token}` } });
  await call('getSeats', { path });
  const seat = await call('takeSeat', { path, body: { color: 'black', name: 'Ben' } });
  await call('takeSeat', { path, body: { color: 'black' }, status: 409, as: 'problem.seat-taken' });
  await call('leaveSeat', { path: { id, color: 'black' }, ...as(seat.token) });
  await call('playMove', { path, body: { move: 'e4' }, status: 401, as: 'problem.token-required' });
  await call('playMove', { path, body: { move: 'e4' }, ...as(tokens.white), as: 'playMove.seats' });
  await call('createStreamTicket', { path, ...as(tokens.white) });
  await call('renewToken', { path, body: { role: 'spectator' }, ...as(tokens.creator) });
}

export async function perform(call) {
  await service(call);
  await positions(call);
  await batch(call);
  await pgn(call);
  await game(call);
  await draws(call);
  await seats(call);
}
