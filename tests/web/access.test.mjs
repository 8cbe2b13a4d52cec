// The page keeps nobody out: axe-core in each of its states, on a phone and on a desktop, light and dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seriousFaults } from './browser.mjs';
import {
  fragmentOf, move, openPage, press, says, setStage, shows, SIZES, stands, startGame, take, type, widthBeyond,
} from './page.mjs';

const PROMOTION = '8/4P1k1/8/8/8/8/8/R3K3 w - - 0 1';

const stage = setStage();

// Colours and places that are still on their way are brought to their end.
async function settle(page) {
  await page.evaluate(() => document.getAnimations().forEach((animation) => animation.finish()));
}

async function assertOpenToAll(window, name) {
  for (const colorScheme of ['light', 'dark']) {
    await window.page.emulateMedia({ colorScheme });
    await settle(window.page);
    await window.shoot(`${name}-${colorScheme}`);
    assert.deepEqual(await seriousFaults(window.page), [], `${name}, ${colorScheme}`);
  }
  assert.ok((await widthBeyond(window.page)) <= 0, `${name} is wider than the window`);
}

// What the form shows when more of it is opened, and when it refuses.
async function walkThroughForm(window, name) {
  for (const choice of ['start-chess960', 'clock-custom', 'access-seats'])
    await window.page.getByTestId(choice).check();
  await press(window, 'more-options', 'start');
  await shows(window, 'new-error', 'A time is minutes');
  await assertOpenToAll(window, `${name}-form`);
  await window.page.getByTestId('start-fen').check();
  await window.page.getByTestId('fen').fill(PROMOTION);
  await shows(window, 'fen-verdict', /White to move/);
  await assertOpenToAll(window, `${name}-position`);
}

async function walkThroughGame(window, name, options) {
  await startGame(window, 'start-standard', { 'clock-text': '5 + 3', 'own-name': 'Ada' });
  await assertOpenToAll(window, `${name}-invitation`);
  const other = await openPage(stage, await fragmentOf(window, 'invite-link'), options);
  await says(window, 'Your move');
  await move(window, 'e2', 'e4');
  await says(other, 'Your move');
  await type(other, 'e5');
  await press(other, 'act-draw', 'share');
  await says(window, 'Your move');
  await window.page.getByTestId('draw-accept').waitFor();
  await take(window, 'g1', 'f3');
  await assertOpenToAll(window, `${name}-game`);
  await assertOpenToAll(other, `${name}-opponent`);
  await press(window, 'act-resign');
  await window.page.getByTestId('ask').waitFor();
  await assertOpenToAll(window, `${name}-question`);
  await press(window, 'ask-white');
  for (const player of [window, other]) await says(player, '0–1 Black wins by resignation');
  await press(window, 'move-1');
  await assertOpenToAll(window, `${name}-end`);
  other.assertQuiet();
  await other.context.close();
}

async function walkThroughPromotion(window, name) {
  await press(window, 'act-new');
  await startGame(window, 'start-fen', 'access-open', 'clock-none', { fen: PROMOTION });
  await move(window, 'e7', 'e8');
  await window.page.getByTestId('promotion').waitFor();
  await assertOpenToAll(window, `${name}-promotion`);
  await press(window, 'promote-q');
  await type(window, 'Kf6');
  await stands(window, 'f6', 'black king');
  await window.page.getByTestId('move-text').fill('Kd9');
  await press(window, 'play');
  await shows(window, 'error', /\w/);
  await assertOpenToAll(window, `${name}-refusal`);
  window.forgive(/status of 4\d\d/);
}

for (const [size, viewport] of Object.entries(SIZES)) {
  test(`everything on a ${size}, light and dark`, async () => {
    const window = await openPage(stage, '', { viewport });
    await walkThroughForm(window, size);
    await walkThroughGame(window, size, { viewport });
    await walkThroughPromotion(window, size);
    await window.page.goto(`${stage.daemon.origin}/#/nothing`);
    await window.page.getByTestId('missing').waitFor();
    await assertOpenToAll(window, `${size}-missing`);
    window.assertQuiet();
    await window.context.close();
  });
}
