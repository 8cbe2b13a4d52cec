// examples/frontend in browsers: a page of another origin, two players and a spectator.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import { test } from 'node:test';

import { seriousFaults } from './browser.mjs';
import { setElsewhere, setStage } from './page.mjs';

const PAGE = fs.readFileSync(new URL('../../examples/frontend/index.html', import.meta.url));

const stage = setStage();
const elsewhere = setElsewhere(PAGE);

// The page with what stands behind its #.
async function openPage(fragment = '') {
  const window = await stage.browser.newWindow();
  const page = `${elsewhere.on('127.0.0.1')}/?api=${encodeURIComponent(stage.daemon.origin)}`;
  await window.page.goto(`${page}${fragment}`);
  return window;
}

const says = (window, text) => window.page.getByTestId('status').getByText(text).waitFor();

async function click(window, ...names) {
  for (const name of names) await window.page.getByTestId(name).click();
}

// What the daemon keeps of the game that the window shows.
async function kept(window) {
  const id = new URLSearchParams(new URL(window.page.url()).hash.slice(1)).get('game');
  return (await fetch(`${stage.daemon.origin}/v1/games/${id}`)).json();
}

async function openGame() {
  const first = await openPage();
  await click(first, 'new');
  const windows = [];
  for (const name of ['white', 'black', 'watch']) {
    const link = await first.page.getByTestId('links').getByText(name).getAttribute('href');
    windows.push(await openPage(link.slice(link.indexOf('#'))));
  }
  return windows;
}

async function openPosition(fen, color) {
  const body = JSON.stringify({ fen, access: 'seats', visibility: 'unlisted' });
  const made = await fetch(`${stage.daemon.origin}/v1/games`, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body });
  const game = await made.json();
  return openPage(`#game=${game.id}&token=${game.tokens[color]}`);
}

test('two people play to mate, over a restart of the daemon, and a third watches', async () => {
  const [white, black, third] = await openGame();
  await says(white, 'You are to move.');
  await click(white, 'f2');
  await white.page.locator('img[src*="targets=f2"]').waitFor();
  await click(white, 'f3');
  await says(black, 'You are to move.');
  await black.page.getByTestId('move').fill('e5');
  await black.page.getByTestId('move').press('Enter');
  await says(white, 'You are to move.');
  await stage.daemon.restart('SIGKILL');
  await click(white, 'g2', 'g4');
  await says(black, 'You are to move.');
  await says(third, 'Black is to move.');
  await click(black, 'd8', 'h4');
  for (const window of [white, black, third]) {
    await says(window, '0-1: checkmate');
    await window.page.locator('img[src*="ply=4"]').waitFor();
    assert.ok(await window.page.getByTestId('picture').evaluate((image) => image.decode().then(() => image.naturalWidth > 0)));
    assert.deepEqual(await seriousFaults(window.page), []);
    window.forgive(/ERR_(CONNECTION_REFUSED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/);
    window.assertQuiet();
  }
  await white.shoot('frontend-white');
  await black.shoot('frontend-black');
  assert.equal((await kept(white)).termination, 'checkmate');
});

test('a pawn becomes what is chosen', async () => {
  const window = await openPosition('8/4P1k1/8/8/8/8/8/R3K3 w - - 0 1', 'white');
  await says(window, 'You are to move.');
  await click(window, 'e7', 'e8', 'promote-knight');
  await says(window, 'Black is to move, in check.');
  assert.equal((await kept(window)).last_move.san, 'e8=N+');
  window.assertQuiet();
});

test('what is refused is said, and a draw is agreed', async () => {
  const [white, black] = await openGame();
  await says(white, 'You are to move.');
  await white.page.getByTestId('move').fill('Ke2');
  await click(white, 'play');
  await says(white, /Ke2/);
  await click(white, 'd2', 'd4');
  await says(black, 'You are to move.');
  await click(black, 'g8', 'f6');
  await says(white, 'You are to move.');
  await click(white, 'offer');
  await says(black, 'white offers a draw.');
  await click(black, 'accept');
  await says(white, '1/2-1/2: agreement');
  white.forgive(/status of 4\d\d/);
  white.assertQuiet();
  black.assertQuiet();
});
