// web/src/feed.js without a browser: how it waits, and what it tells.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';

import { Unreachable } from '../../web/src/api.js';
import { Feed } from '../../web/src/feed.js';

// A feed whose game is brought up to date by these answers in turn: a version, null (it is over), or an error.
function feedOf(...answers) {
  const told = { asked: 0, states: [] };
  const feed = new Feed('abcdefghjkmn', {
    token: () => null,
    rejected: () => {},
    catchUp: async () => {
      const answer = await answers[told.asked++];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    event: () => {},
    state: (state) => told.states.push(state),
  });
  return { feed, told };
}

test('it leaves the server alone for as long as that asks, whatever the page sees meanwhile', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { feed, told } = feedOf(new Unreachable(60), null);
  const run = feed.run();
  await setImmediate();
  feed.wake();
  t.mock.timers.tick(59999);
  await setImmediate();
  assert.equal(told.asked, 1);
  t.mock.timers.tick(1);
  await run;
  assert.equal(told.asked, 2);
  assert.equal(told.states.at(-1), 'closed');
});

test('where nothing was asked it goes on as soon as the page is looked at', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { feed, told } = feedOf(new Unreachable(0), null);
  const run = feed.run();
  await setImmediate();
  feed.wake();
  await run;
  assert.equal(told.asked, 2);
});

test('one that was stopped says nothing more: another one may be at work', async () => {
  let arrive;
  const { feed, told } = feedOf(new Promise((resolve) => (arrive = resolve)));
  const run = feed.run();
  feed.stop();
  arrive(7);
  await run;
  assert.deepEqual(told.states, ['connecting']);
});

test('one that is stopped while it waits ends at once', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { feed, told } = feedOf(new Unreachable(60));
  const run = feed.run();
  await setImmediate();
  feed.stop();
  await run;
  assert.equal(told.asked, 1);
});

test('one that is stopped while it asks for a ticket opens no stream', async (t) => {
  let answer;
  let opened = 0;
  globalThis.EventSource = class { constructor() { opened++; } };
  t.after(() => delete globalThis.EventSource);
  t.mock.method(globalThis, 'fetch', () => new Promise((resolve) => (answer = resolve)));
  const { feed } = feedOf(7);
  feed.hooks.token = () => 'aw_token';
  const run = feed.run();
  await setImmediate();
  feed.stop();
  answer(new Response('{"ticket":"t"}', { headers: { 'Content-Type': 'application/json' } }));
  await run;
  assert.equal(opened, 0);
});
