// web/src/clock.js and the time of the server, without a browser: what a clock shows after one of the two was set.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { noteEventTime, request, serverNow } from '../../web/src/api.js';
import { shownMs } from '../../web/src/clock.js';
import { Session } from '../../web/src/session.js';

const HOUR_MS = 3600000;
const iso = (ms) => new Date(ms).toISOString();

// A server whose clock is so far ahead of ours, as it can be set. What takes it `ms` to answer is told by `slow`.
function serve(t, ahead) {
  const server = { ahead, asked: [], fields: {}, slow: 0 };
  t.mock.timers.enable({ apis: ['Date'], now: 1767323045678 });
  t.mock.method(globalThis, 'fetch', async (path) => {
    server.asked.push(path);
    t.mock.timers.setTime(Date.now() + server.slow);
    const server_time = iso(Date.now() + server.ahead);
    const headers = { 'Content-Type': 'application/json', ...server.fields };
    return new Response(JSON.stringify({ server_time }), { headers });
  });
  return server;
}

const isAhead = (ms) => assert.equal(serverNow() - Date.now(), ms);

test('of two answers the quicker one tells the time, and after a step any', async (t) => {
  const server = serve(t, 5000);
  noteEventTime(iso(Date.now() + 4000)); // a second under way
  isAhead(4000);
  await request('GET', '/');
  isAhead(5000);
  server.slow = 800; // all of it on the way to the server: half of it is not known
  await request('GET', '/');
  isAhead(5000);
  for (const step of [HOUR_MS, -HOUR_MS, 2000, 5000]) {
    server.ahead = step;
    await request('GET', '/');
    assert.ok(Math.abs(serverNow() - Date.now() - step) <= 400);
  }
});

test('an answer that is told again is of another time', async (t) => {
  const server = serve(t, 0);
  await request('GET', '/');
  server.ahead = -30000;
  server.fields = { 'Idempotent-Replayed': 'true' };
  await request('POST', '/', { key: 'x' });
  isAhead(0);
});

test('an event of a later time than can be tells of a step, one that was long under way of none', async (t) => {
  serve(t, 0);
  await request('GET', '/');
  noteEventTime(iso(Date.now() - 20000));
  isAhead(0);
  noteEventTime(iso(Date.now() + HOUR_MS));
  isAhead(HOUR_MS);
});

test('a clock that is told anew is shown by the time of now', async (t) => {
  const server = serve(t, 0);
  const clock = { running: 'white', white_ms: 300000, black_ms: 300000, flag_at: iso(Date.now() + 250000) };
  const session = new Session('abcdefghjkmn', { role: null, token: null });
  session.set({ version: 3, ply: 2, status: 'active', access: 'open', turn: 'white', fen: 'x', clock });
  await session.readClock();
  assert.equal(shownMs(session.game.clock, 'white'), 250000);
  server.ahead = -HOUR_MS;
  const told = { ...clock, flag_at: iso(Date.now() - HOUR_MS + 250000) };
  session.take({
    type: 'clock.updated', version: 3, data: { game: { clock: told }, reason: 'wall_clock' }, server_time: iso(Date.now() - HOUR_MS),
  });
  await new Promise(setImmediate);
  assert.equal(shownMs(session.game.clock, 'white'), 250000);
  assert.equal(shownMs(session.game.clock, 'black'), 300000);
  assert.deepEqual(server.asked, Array(2).fill('/v1/games/abcdefghjkmn/clock'));
});
