// web/src/session.js without a browser: what it tells of a game whose changes it hears in two ways.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Session } from '../../web/src/session.js';

const BEFORE = { version: 2, ply: 0, status: 'active', access: 'open', turn: 'white', fen: 'x', takeback: null, draw: null };

// A session of a game that the server has as `there`, and all that it tells.
function sessionOf(t, there) {
  const session = new Session('abcdefghjkmn', { role: null, token: null });
  const told = [];
  session.set({ ...BEFORE });
  session.dests = { fen: BEFORE.fen, targets: {} };
  session.addEventListener('change', (event) => told.push(event.detail));
  t.mock.method(globalThis, 'fetch', async (path) => {
    const answer = path.includes('/moves') ? { data: [], next_ply: null } : there;
    return new Response(JSON.stringify(answer), { headers: { 'Content-Type': 'application/json' } });
  });
  return { session, told };
}

const news = (told) => told.filter(({ before }) => before?.version === BEFORE.version);

test('what a whole game tells before its event comes is told once, with the game as it was', async (t) => {
  const takeback = { offered_by: 'white', to_ply: 0 };
  const { session, told } = sessionOf(t, { ...BEFORE, version: 3, takeback });
  await session.refresh();
  session.take({ type: 'takeback.offered', version: 3, data: { game: { takeback } } });
  assert.equal(news(told).length, 1);
  assert.equal(news(told)[0].before.takeback, null);
  assert.deepEqual(session.game.takeback, takeback);
});

test('a whole game that an event has overtaken is left alone', async (t) => {
  const { session } = sessionOf(t, { ...BEFORE });
  const caughtUp = session.catchUp();
  session.take({ type: 'draw.offered', version: 3, data: { game: { draw: { offered_by: 'white' } } } });
  await caughtUp;
  assert.equal(session.game.version, 3);
  assert.equal(session.game.draw.offered_by, 'white');
});
