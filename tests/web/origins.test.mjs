// The API from a web page: what a browser lets through is decided by the browser, so one is asked.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { setElsewhere, setStage } from './page.mjs';

const PAGE =
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>A page of somebody else</title></html>';

const stage = setStage(['--host-resolver-rules=MAP elsewhere.example 127.0.0.1']);
const elsewhere = setElsewhere(PAGE);

async function openPage(host) {
  const window = await stage.browser.newWindow();
  await window.page.goto(`${elsewhere.on(host)}/`);
  return window;
}

async function listGames() {
  return (await (await fetch(`${stage.daemon.origin}/v1/games`)).json()).data;
}

test('a browser shows the index and the cookbook', async () => {
  const window = await stage.browser.newWindow();
  const index = await window.page.goto(`${stage.daemon.origin}/v1`);
  assert.equal(index.status(), 200);
  assert.equal(JSON.parse(await window.page.locator('body').innerText()).links.createGame.method, 'POST');
  await window.page.goto(`${stage.daemon.origin}/docs`);
  assert.match(await window.page.locator('body').innerText(), /curl/);
});

test('a page of another loopback origin plays, and reads the fields that are exposed', async () => {
  const window = await openPage('127.0.0.1');
  const told = await window.page.evaluate(async (origin) => {
    const json = { 'Content-Type': 'application/json' };
    const created = await fetch(`${origin}/v1/games`, { method: 'POST', headers: json, body: '{}' });
    const game = await created.json();
    const target = `${origin}/v1/games/${game.id}/moves/1`;
    const headers = { ...json, 'If-Match': created.headers.get('ETag') };
    const moved = await fetch(target, { method: 'PUT', headers, body: '{"move":"e4"}' });
    const refused = await fetch(target, { method: 'PUT', headers: json, body: '{"move":"d4"}' });
    return {
      location: created.headers.get('Location') === `/v1/games/${game.id}`,
      san: (await moved.json()).move.san,
      tag: moved.headers.get('ETag'),
      code: (await refused.json()).code,
    };
  }, stage.daemon.origin);
  assert.deepEqual(told, { location: true, san: 'e4', tag: '"v2"', code: 'ply-conflict' });
});

test('a page of a foreign origin gets nothing, and changes nothing', async () => {
  const games = await listGames();
  const window = await openPage('elsewhere.example');
  const told = await window.page.evaluate(
    (origin) => fetch(`${origin}/v1/games`, { method: 'POST' }).then(String, (error) => error.name),
    stage.daemon.origin,
  );
  assert.equal(told, 'TypeError');
  assert.deepEqual(await listGames(), games);
});
