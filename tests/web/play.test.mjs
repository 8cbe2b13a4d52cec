// Games on the page, as people play them: by link, at one board, with clocks, to each kind of end.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  closeAll, fragmentOf, gameReady, hears, kept, lists, move, openPage, openPair, press, says, setStage, shows,
  square, stands, startGame, type,
} from './page.mjs';

const stage = setStage();

test('two people play to mate by seat links; one reloads, and a third watches', async () => {
  const [white, black] = await openPair(stage, { 'own-name': 'Ada' });
  const third = await openPage(stage, await fragmentOf(white, 'watch-link'));
  assert.doesNotMatch(black.page.url(), /c[wbsc]_/); // the seat does not stay in the address
  await says(white, 'Your move');
  await says(black, 'White is thinking');
  await move(white, 'e2', 'e4');
  await says(black, 'Your move');
  await hears(black, 'White: pawn to e4. Your move.');
  await hears(third, 'White: pawn to e4');
  await square(white, 'd1').click(); // taken up while Black thinks
  await move(black, 'e7', 'e5');
  await square(white, 'h5').and(white.page.locator('.move-target')).click();
  await says(black, 'Your move');

  await black.page.reload();
  await gameReady(black);
  await says(black, 'Your move');
  await lists(black, 'e4', 'e5', 'Qh5');
  await move(black, 'b8', 'c6');
  await move(white, 'f1', 'c4');
  await move(black, 'g8', 'f6');
  await move(white, 'h5', 'f7');

  for (const window of [white, black, third]) {
    await says(window, '1–0 White wins by checkmate');
    await shows(window, 'article', '5.1.1');
    await hears(window, 'White: queen takes pawn on f7, mate');
    await lists(window, 'e4', 'e5', 'Qh5', 'Nc6', 'Bc4', 'Nf6', 'Qxf7#');
    await stands(window, 'f7', 'white queen');
    await window.page.getByTestId('type-move').waitFor({ state: 'hidden' });
    window.assertQuiet();
  }
  await shows(third, 'player-bottom', 'Ada');
  const game = await kept(stage, white);
  assert.equal(game.termination, 'checkmate');
  assert.equal(game.sans.length, 7);
  await closeAll([white, black, third]);
});

test('a pawn becomes what is chosen, or stays where it was', async () => {
  const window = await openPage(stage);
  await startGame(window, 'start-fen', { fen: '8/4P1k1/8/8/8/8/8/R3K3 w - - 0 1' });
  await move(window, 'e7', 'e8');
  assert.equal(await window.page.getByTestId('promotion').getByRole('button').count(), 5);
  await press(window, 'promotion-cancel');
  await stands(window, 'e7', 'white pawn');
  assert.equal((await kept(stage, window)).ply, 0);
  await move(window, 'e7', 'e8');
  await press(window, 'promote-n');
  await lists(window, 'e8=N+');
  await says(window, 'Black to move: check');
  await hears(window, 'White: pawn to e8 and becomes a knight, check');
  await stands(window, 'e8', 'white knight');
  assert.deepEqual((await kept(stage, window)).sans, ['e8=N+']);
  window.assertQuiet();
  await closeAll([window]);
});

test('a draw is claimed with the move that would repeat the position', async () => {
  const [white, black] = await openPair(stage);
  await press(white, 'act-claim');
  await white.page.getByTestId('ask').getByText('There is nothing to claim now').waitFor();
  await press(white, 'ask-cancel');
  for (const [index, text] of ['Nf3', 'Nf6', 'Ng1', 'Ng8', 'Nf3', 'Nf6', 'Ng1'].entries()) {
    const player = index % 2 ? black : white;
    await says(player, 'Your move');
    await type(player, text);
  }
  await says(black, 'Your move');
  await black.page.locator('#act-claim.ready').waitFor(); // a move of the other side has made it so
  assert.equal(await white.page.locator('#act-claim.ready').count(), 0);
  await press(black, 'act-claim', 'ask-threefold_repetition f6g8');
  for (const window of [white, black]) {
    await says(window, '½–½ Draw by repetition');
    await shows(window, 'article', '9.2');
    await shows(window, 'explanation', 'The claim was made with Ng8.');
    await hears(window, 'Draw by repetition.');
    window.assertQuiet();
  }
  const game = await kept(stage, white);
  assert.deepEqual([game.result, game.termination, game.ply], ['1/2-1/2', 'threefold_repetition', 7]);
  await closeAll([white, black]);
});

test('a draw is offered, declined, offered again and agreed', async () => {
  const [white, black] = await openPair(stage, 'side-black');
  await says(black, 'Your move'); // who was invited has the white pieces
  await type(black, 'd4');
  await says(white, 'Your move');
  await type(white, 'd5');
  await says(black, 'Your move');
  await press(black, 'act-draw');
  await hears(white, 'White offers a draw.');
  await press(white, 'draw-decline');
  await black.page.getByTestId('offer').waitFor({ state: 'hidden' });
  await type(black, 'c4');
  await says(white, 'Your move');
  await press(white, 'act-draw');
  await press(black, 'draw-accept');
  for (const window of [white, black]) {
    await says(window, '½–½ Draw by agreement');
    window.assertQuiet();
  }
  assert.equal((await kept(stage, white)).termination, 'agreement');
  await closeAll([white, black]);
});

// Each event says what has become of the game; the whole of it is asked for where that leaves out something.
test('many may watch: they ask for nothing while a game goes on', async () => {
  const [white, black] = await openPair(stage);
  const third = await openPage(stage, await fragmentOf(white, 'watch-link'));
  const asked = { white: 0, third: 0 };
  for (const [name, window] of Object.entries({ white, third }))
    window.page.on('request', (request) => { asked[name] += request.method() === 'GET'; });
  for (const [index, text] of ['e4', 'e5', 'Nf3', 'Nc6'].entries()) {
    await type(index % 2 ? black : white, text);
    for (const window of [white, black, third]) await window.page.getByTestId(`move-${index + 1}`).waitFor();
  }
  await press(white, 'act-draw');
  await shows(third, 'offer', 'White offers a draw.');
  await says(third, 'White to move');
  assert.equal(asked.third, 0);
  await press(black, 'draw-decline');
  await third.page.getByTestId('offer').waitFor({ state: 'hidden' });
  await type(white, 'Bb5');
  await says(third, 'Black to move');
  await press(black, 'act-resign', 'ask-black');
  for (const window of [white, third]) await shows(window, 'explanation', 'Black resigned');
  await third.page.getByTestId('article').getByText('5.1.2').waitFor();
  assert.equal(asked.third, 1);
  assert.ok(asked.white <= 7, `${asked.white}`); // at each of three turns the game and what may be moved, and the end
  await closeAll([white, black, third]);
});

test('a flag falls, and the game is over in every window', async () => {
  const [white, black] = await openPair(stage, 'clock-custom', { 'clock-text': '0.04' });
  await move(white, 'e2', 'e4');
  await says(black, 'Your move');
  await type(black, 'e5');
  for (const window of [white, black]) {
    await says(window, '0–1 Black wins on time');
    await shows(window, 'explanation', 'White’s flag fell');
    await shows(window, 'article', '6.9');
    await hears(window, 'Black wins on time.');
    window.assertQuiet();
  }
  assert.match(await white.page.getByTestId('player-bottom').getByRole('timer').innerText(), /^0:00/);
  assert.equal((await kept(stage, white)).termination, 'timeout');
  await closeAll([white, black]);
});

test('what the Laws do not allow is refused in words, and nothing moves', async () => {
  const window = await openPage(stage);
  await startGame(window);
  await window.page.getByTestId('move-text').fill('Ke2');
  await press(window, 'play');
  await shows(window, 'error', /Ke2|e2/);
  assert.equal((await kept(stage, window)).ply, 0);
  await square(window, 'e2').click();
  await square(window, 'e4').and(window.page.locator('.move-target')).waitFor();
  assert.equal(await window.page.locator('#board .move-target').count(), 2); // e3 and e4 alone
  window.forgive(/status of 4\d\d/);
  window.assertQuiet();
  await closeAll([window]);
});

test('a piece that was let go when the board was turned stays so when the opponent has moved', async () => {
  const [white, black] = await openPair(stage);
  await move(white, 'e2', 'e4');
  await says(black, 'Your move');
  await square(white, 'd2').click();
  await white.page.locator('#board [data-square="d2"].move-start').waitFor();
  await press(white, 'flip');
  await white.page.locator('#board .move-start').waitFor({ state: 'detached' });
  await type(black, 'e5');
  await says(white, 'Your move');
  assert.equal(await white.page.locator('#board .move-start').count(), 0);
  for (const window of [white, black]) window.assertQuiet();
  await closeAll([white, black]);
});
