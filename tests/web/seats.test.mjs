// Seats on the page: who may move, taking back by consent, a link that is renewed, and a game that is private.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  closeAll, fragmentOf, gameReady, hears, kept, lists, move, openPage, openPair, press, says, setStage, shows,
  square, stands, startGame, type,
} from './page.mjs';

const stage = setStage();

test('a move is taken back when the opponent agrees', async () => {
  const [white, black] = await openPair(stage);
  await move(white, 'e2', 'e4');
  await says(black, 'Your move');
  await press(white, 'act-takeback');
  await hears(black, 'White asks to take back 1. e4.');
  await press(black, 'takeback-accept');
  for (const window of [white, black]) {
    await stands(window, 'e2', 'white pawn');
    await hears(window, 'Taken back. White to move.');
    await window.page.getByTestId('no-moves').waitFor();
  }
  await move(white, 'd2', 'd4');
  await lists(black, 'd4');
  assert.deepEqual((await kept(stage, white)).sans, ['d4']);
  for (const window of [white, black]) window.assertQuiet();
  await closeAll([white, black]);
});

test('a renewed link plays, and the one before only watches', async () => {
  const [white, black] = await openPair(stage);
  await press(white, 'share', 'renew', 'ask-black');
  await shows(black, 'error', /You watch now/);
  await white.page.getByTestId('invite-link').waitFor();
  const again = await openPage(stage, await fragmentOf(white, 'invite-link'));
  await move(white, 'e2', 'e4');
  await says(again, 'Your move');
  await says(black, 'Black to move');
  await black.page.getByTestId('type-move').waitFor({ state: 'hidden' });
  await move(again, 'c7', 'c5');
  for (const window of [white, again, black]) await lists(window, 'e4', 'c5');
  for (const window of [white, again]) window.assertQuiet();
  black.forgive(/status of 401/); // its stream is asked for with the old token
  black.assertQuiet();
  await closeAll([white, black, again]);
});

test('whoever watches cannot move, and a private game shows itself by its links alone', async () => {
  const white = await openPage(stage);
  await press(white, 'more-options');
  await white.page.getByTestId('visibility').selectOption('private');
  await startGame(white, 'access-seats');
  const id = new URL(white.page.url()).hash.slice(2);
  const watcher = await openPage(stage, await fragmentOf(white, 'watch-link'));
  await says(watcher, 'Waiting for the players');
  const black = await openPage(stage, await fragmentOf(white, 'invite-link'));
  await says(watcher, 'White to move');
  await watcher.page.reload();
  await gameReady(watcher);
  assert.equal(await square(watcher, 'e2').getAttribute('role'), 'img'); // nothing that can be pressed
  await type(white, 'e4');
  await lists(watcher, 'e4');
  for (const window of [white, black, watcher]) window.assertQuiet();

  const stranger = await openPage(stage);
  await stranger.page.goto(`${stage.daemon.origin}/#/${id}`);
  await stranger.page.getByTestId('missing').waitFor();
  stranger.forgive(/status of 404/);
  stranger.assertQuiet();
  await closeAll([white, black, watcher, stranger]);
});
