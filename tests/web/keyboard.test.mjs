// Whole games without a mouse, and what a screen reader is told of them.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { gameReady, hears, kept, lists, openPage, says, setStage, shows, stands, startGame } from './page.mjs';

const TABS_MAX = 60;

const stage = setStage();

// What has the focus: its name in tests, or of the board the square.
function focused(window) {
  return window.page.evaluate(() => {
    const inner = document.activeElement.shadowRoot?.activeElement;
    return inner?.dataset.square ?? document.activeElement.dataset.testid ?? document.activeElement.id;
  });
}

async function strike(window, ...keys) {
  for (const key of keys) await window.page.keyboard.press(key);
}

async function tabTo(window, name, key = 'Tab') {
  for (let tabs = 0; tabs < TABS_MAX; tabs++) {
    await strike(window, key);
    const at = await focused(window);
    if (name instanceof RegExp ? name.test(at) : at === name) return;
  }
  assert.fail(`${TABS_MAX} tabs do not lead to ${name}`);
}

const toBoard = (window, key) => tabTo(window, /^[a-h][1-8]$/, key);

// By arrows over the board, which has White below.
async function walk(window, to) {
  const at = await focused(window);
  const files = to.charCodeAt(0) - at.charCodeAt(0);
  const ranks = to.charCodeAt(1) - at.charCodeAt(1);
  await strike(window, ...Array(Math.abs(files)).fill(files > 0 ? 'ArrowRight' : 'ArrowLeft'));
  await strike(window, ...Array(Math.abs(ranks)).fill(ranks > 0 ? 'ArrowUp' : 'ArrowDown'));
  assert.equal(await focused(window), to);
}

async function moveByKeys(window, from, to) {
  await walk(window, from);
  await strike(window, 'Enter');
  await window.page.locator(`#board [data-square="${to}"].move-target`).waitFor();
  await walk(window, to);
  await strike(window, 'Enter');
}

async function typeIn(window, field, text) {
  await tabTo(window, field);
  await window.page.keyboard.insertText(text);
}

test('a game from the first key to mate, read aloud, and looked through again', async () => {
  const window = await openPage(stage);
  await strike(window, 'Tab', 'Enter'); // past the head of the page
  assert.equal(await focused(window), 'main');
  await typeIn(window, 'white-name', 'Ada');
  await tabTo(window, 'start');
  await strike(window, 'Enter');
  await gameReady(window);
  await toBoard(window);
  await moveByKeys(window, 'f2', 'f3');
  await hears(window, 'White: pawn to f3');
  assert.equal(await window.page.getByTestId('announcer').getAttribute('aria-live'), 'polite');
  await moveByKeys(window, 'e7', 'e5');
  await hears(window, 'Black: pawn to e5');
  await typeIn(window, 'move-text', 'g4');
  await strike(window, 'Enter');
  await hears(window, 'White: pawn to g4');
  assert.equal(await focused(window), 'move-text'); // the next move may be typed at once
  await toBoard(window, 'Shift+Tab');
  await moveByKeys(window, 'd8', 'h4');
  await hears(window, 'Black: queen to h4, mate. Black wins by checkmate.');
  await says(window, '0–1 Black wins by checkmate');
  assert.deepEqual((await kept(stage, window)).sans, ['f3', 'e5', 'g4', 'Qh4#']);

  await tabTo(window, 'move-2');
  await strike(window, 'Enter');
  await hears(window, '1. Black: pawn to e5');
  await stands(window, 'd8', 'black queen');
  await strike(window, 'ArrowLeft', 'ArrowLeft');
  await hears(window, 'The first position');
  await stands(window, 'f2', 'white pawn');
  await strike(window, 'End');
  await stands(window, 'h4', 'black queen');
  await tabTo(window, 'act-new');
  await strike(window, 'Enter');
  await window.page.getByTestId('home').waitFor();
  window.assertQuiet();
  await window.context.close();
});

test('the chooser and the questions, without a mouse', async () => {
  const window = await openPage(stage);
  await tabTo(window, 'start-standard');
  await strike(window, 'ArrowRight', 'ArrowRight');
  assert.equal(await focused(window), 'start-fen');
  await typeIn(window, 'fen', '8/4P1k1/8/8/8/8/8/R3K3 w - - 0 1');
  await shows(window, 'fen-verdict', /White to move/);
  await strike(window, 'Enter');
  await gameReady(window);
  await toBoard(window);
  await moveByKeys(window, 'e7', 'e8');
  await window.page.getByTestId('promotion').waitFor();
  await tabTo(window, 'promote-r');
  await strike(window, 'Enter');
  await lists(window, 'e8=R');
  await hears(window, 'White: pawn to e8 and becomes a rook');

  await tabTo(window, 'act-resign');
  await strike(window, 'Enter');
  await window.page.getByTestId('ask').waitFor();
  await strike(window, 'Escape');
  await window.page.getByTestId('ask').waitFor({ state: 'hidden' });
  assert.equal(await focused(window), 'act-resign'); // the focus comes back
  await strike(window, 'Enter');
  await tabTo(window, 'ask-black');
  await strike(window, 'Enter');
  await says(window, '1–0 White wins by resignation');
  await hears(window, 'White wins by resignation.');
  window.assertQuiet();
  await window.context.close();
});

test('the focus stays in the game when it ends', async () => {
  const window = await openPage(stage);
  const mated = { fen: '6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1' };
  await startGame(window, 'start-fen', mated);
  await typeIn(window, 'move-text', 'Ra8');
  await strike(window, 'Enter');
  await says(window, '1–0 White wins by checkmate');
  await window.page.locator('#game-title:focus').waitFor();
  await tabTo(window, 'act-new');
  await strike(window, 'Enter');
  await startGame(window, 'start-fen', mated);
  await toBoard(window);
  await moveByKeys(window, 'a1', 'a8');
  await says(window, '1–0 White wins by checkmate');
  await window.page.locator('#game-title:focus').waitFor();
  window.assertQuiet();
  await window.context.close();
});
