// The daemon goes away in mid-game and comes back: no move is lost, and the pages find it again by themselves.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  closeAll, fragmentOf, hears, kept, lists, move, openPage, openPair, press, says, setStage, shows, square, stands,
  startGame, take, type,
} from './page.mjs';

const stage = setStage();

// Whatever Chromium says of a connection that is refused or breaks off is expected here.
const BROKEN =
  /ERR_(CONNECTION_REFUSED|CONNECTION_RESET|INCOMPLETE_CHUNKED_ENCODING|EMPTY_RESPONSE|SOCKET_NOT_CONNECTED)|status of 503/;

async function openThree() {
  const white = await openPage(stage);
  await startGame(white, 'access-seats');
  const black = await openPage(stage, await fragmentOf(white, 'invite-link'));
  const third = await openPage(stage, await fragmentOf(white, 'watch-link'));
  return [white, black, third];
}

for (const signal of ['SIGTERM', 'SIGKILL']) {
  test(`a game goes on after ${signal}, with a move that was played while nobody answered`, async () => {
    const windows = await openThree();
    const [white, black, third] = windows;
    await move(white, 'd2', 'd4');
    await says(black, 'Your move');
    await move(black, 'g8', 'f6');
    await says(white, 'Your move');
    const before = await kept(stage, white);
    await take(white, 'c2', 'c4');

    await stage.daemon.stop(signal);
    for (const window of windows) await shows(window, 'connection', 'Connecting…');
    await square(white, 'c4').click();
    await shows(white, 'connection', /^Not connected: your move is sent/);
    await stands(white, 'c4', 'white pawn'); // it stays where it was put
    await stage.daemon.start();
    await lists(white, 'd4', 'Nf6', 'c4');
    for (const window of windows) await shows(window, 'connection', 'Live');
    await lists(black, 'd4', 'Nf6', 'c4');
    await move(black, 'e7', 'e6');
    for (const window of windows) {
      await lists(window, 'd4', 'Nf6', 'c4', 'e6');
      window.forgive(BROKEN);
      window.assertQuiet();
    }
    const game = await kept(stage, white);
    assert.deepEqual(game.sans, ['d4', 'Nf6', 'c4', 'e6']);
    assert.equal(game.version, before.version + 2);
    await closeAll(windows);
  });
}

// What the clock of the side below or above shows, in seconds.
async function shownSeconds(window, box) {
  const text = await window.page.locator(`#${box} .time`).innerText();
  const [minutes, seconds] = text.split(':').map(Number);
  return minutes * 60 + seconds;
}

// The page knows nothing of it while the service is down, and its clock runs; then that time is given back (README).
test('a clock that ran on while the service was down shows what is left', async () => {
  const window = await openPage(stage);
  await startGame(window, 'clock-5+3');
  await move(window, 'e2', 'e4');
  await window.page.locator('#player-top .time.running').waitFor();
  await stage.daemon.stop();
  const ended = await shownSeconds(window, 'player-top');
  await shows(window, 'connection', 'Connecting…');
  while ((await shownSeconds(window, 'player-top')) > ended - 5) await window.page.waitForTimeout(100);
  await stage.daemon.start();
  await window.page.evaluate(() => window.dispatchEvent(new Event('online'))); // it need not wait for its next try
  await shows(window, 'connection', 'Live');
  const shown = await shownSeconds(window, 'player-top');
  const { id } = await kept(stage, window);
  const { clock } = await (await fetch(`${stage.daemon.origin}/v1/games/${id}/clock`)).json();
  assert.ok(Math.abs(shown - clock.black_ms / 1000) < 2, `${shown} s are shown, ${clock.black_ms} ms are left`);
  assert.ok(shown > ended - 3, `${ended} s were left at the end, and ${shown} s at the next start`);
  window.forgive(BROKEN);
  window.assertQuiet();
  await window.context.close();
});

test('a promotion that is made while nobody answers is asked for when somebody does', async () => {
  const window = await openPage(stage);
  await startGame(window, 'start-fen', { fen: '8/4P1k1/8/8/8/8/8/R3K3 w - - 0 1' });
  await type(window, 'Ra2', 'Kg6');
  await take(window, 'a2', 'a8'); // what may be moved is known now, and nothing of the pawn
  await stage.daemon.stop('SIGKILL');
  await shows(window, 'connection', 'Connecting…');
  await move(window, 'e7', 'e8');
  await shows(window, 'connection', /^Not connected: your move is sent/);
  await stage.daemon.start();
  await press(window, 'promote-r');
  await lists(window, 'Ra2', 'Kg6', 'e8=R');
  window.forgive(BROKEN);
  window.assertQuiet();
  await window.context.close();
});

test('what happened while a page heard nothing is told when it has caught up', async () => {
  const [white, black] = await openPair(stage);
  await move(white, 'e2', 'e4');
  await says(black, 'Your move');
  await white.page.route(/\/events/, (route) => route.abort());
  await stage.daemon.restart();
  await shows(black, 'connection', 'Live');
  await type(black, 'e5');
  await press(black, 'act-resign', 'ask-black');
  await says(black, '1–0 White wins by resignation');
  await white.page.unroute(/\/events/);
  await white.page.evaluate(() => window.dispatchEvent(new Event('online'))); // it need not wait for its next try
  await says(white, '1–0 White wins by resignation');
  await hears(white, 'White wins by resignation.');
  await lists(white, 'e4', 'e5');
  for (const window of [white, black]) {
    window.forgive(/ERR_FAILED/);
    window.forgive(BROKEN);
    window.assertQuiet();
  }
  await closeAll([white, black]);
});
