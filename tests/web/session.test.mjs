// web/src/session.js without a browser: what it tells of a game whose changes it hears in two ways.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Session } from '../../web/src/session.js';

const BEFORE = { version: 2, ply: 0, status: 'active', access: 'open', turn: 'white', fen: 'x', takeback: null, draw: null };

const json = (body, status = 200) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json' } });

// A session of a game that the server has as `there`, and all that it tells.
function sessionOf(t, there) {
  const session = new Session('abcdefghjkmn', { role: null, token: null });
  const told = [];
  session.set({ ...BEFORE });
  session.dests = { fen: BEFORE.fen, targets: {} };
  session.addEventListener('change', (event) => told.push(event.detail));
  t.mock.method(globalThis, 'fetch', async (path) => {
    return json(path.includes('/moves') ? { data: [], next_ply: null } : there);
  });
  return { session, told };
}

// The same game, whose moves are answered in this way; what was sent.
function playing(t, answer) {
  const { session } = sessionOf(t, BEFORE);
  const sent = [];
  t.mock.method(globalThis, 'fetch', async (path, { method, body }) => {
    if (method !== 'PUT') return json({ dests: {} });
    sent.push(`${path.split('/').at(-1)} ${JSON.parse(body).move}`);
    return answer(session);
  });
  return { session, sent };
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

test('a move that is made while another is on its way is the next one', async (t) => {
  const { session, sent } = playing(t, ({ game }) => {
    const ply = game.ply + 1;
    return json({ game: { ...game, ply, version: game.version + 1 }, move: { ply, fen: `after ${ply}` } });
  });
  await Promise.all([session.play({ move: 'e4' }), session.play({ move: 'e5' })]);
  assert.deepEqual(sent, ['1 e4', '2 e5']);
});

test('where that one is refused it is not sent', async (t) => {
  const { session, sent } = playing(t, () => json({ code: 'illegal-move', detail: 'No.' }, 422));
  const plays = await Promise.allSettled([session.play({ move: 'Ke2' }), session.play({ move: 'e5' })]);
  assert.deepEqual(plays.map(({ reason }) => reason?.message), ['No.',
    'The move before it was refused, so this one was not sent.']);
  assert.deepEqual(sent, ['1 Ke2']);
});
