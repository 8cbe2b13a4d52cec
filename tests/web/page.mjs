// page: what people do on the page at /, and what it shows and says to them; what each file of tests begins with.
//
//     const stage = setStage();
//     ...
//     const white = await openPage(stage);
//     await startGame(white, 'access-seats');
//     const black = await openPage(stage, await fragmentOf(white, 'invite-link'));
//     await move(white, 'e2', 'e4');
//     await says(black, 'Your move');
//
// Everything waits until it is so, for as long as the window has patience.
import assert from 'node:assert/strict';
import http from 'node:http';
import { after, before } from 'node:test';

import { startDaemon } from '../support/daemon.mjs';
import { openBrowser } from './browser.mjs';

export const SIZES = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } };

// The daemon and the browser of a file of tests: they are there while its tests run. `switches`: of Chromium.
export function setStage(switches = []) {
  const stage = {};
  before(async () => {
    stage.daemon = await startDaemon(['--log-level', 'warn']);
    stage.browser = await openBrowser(switches);
  });
  after(async () => {
    await stage.browser?.close();
    await stage.daemon?.close();
  });
  return stage;
}

// A server of other origins on loopback, with one page; on(host) is such an origin.
export function setElsewhere(page) {
  const server = http.createServer((request, response) => response.setHeader('Content-Type', 'text/html').end(page));
  before(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(() => server.close());
  return { on: (host) => `http://${host}:${server.address().port}` };
}

export const closeAll = (windows) => Promise.all(windows.map((window) => window.context.close()));

// Pixels by which a page is wider than its window.
export function widthBeyond(page) {
  return page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
}

// Keeps each sentence that a screen reader is told.
function listen() {
  window.heard = [];
  const keep = (changes) => {
    for (const { target } of changes) {
      const region = target.closest?.('#announcer') ?? target.parentElement?.closest('#announcer');
      if (region?.textContent) window.heard.push(region.textContent);
    }
  };
  new MutationObserver(keep).observe(document, { childList: true, characterData: true, subtree: true });
}

// The page with what stands behind its #; a game is there when this is done.
export async function openPage(stage, fragment = '', options = {}) {
  const window = await stage.browser.newWindow(options);
  await window.page.addInitScript(listen);
  await window.page.goto(`${stage.daemon.origin}/${fragment}`);
  if (fragment) await gameReady(window);
  return window;
}

export async function gameReady(window) {
  await window.page.locator('#game:not([hidden]):not(.loading)').waitFor();
  await window.page.getByTestId('connection').getByText(/^Live$|^$/).waitFor({ state: 'attached' });
}

// Starts a game with these radio buttons pressed and these fields filled: startGame(window, 'access-seats', { fen }).
export async function startGame(window, ...choices) {
  for (const choice of choices) {
    if (typeof choice === 'string') await window.page.getByTestId(choice).check();
    else for (const [name, text] of Object.entries(choice)) await window.page.getByTestId(name).fill(text);
  }
  await press(window, 'start');
  await gameReady(window);
}

// What stands behind the # of a link in a field.
export async function fragmentOf(window, field) {
  const text = await window.page.getByTestId(field).inputValue();
  return text.slice(text.indexOf('#'));
}

// Two windows of one game by seat links: who made it, and who was invited.
export async function openPair(stage, ...choices) {
  const first = await openPage(stage);
  await startGame(first, 'access-seats', ...choices);
  const second = await openPage(stage, await fragmentOf(first, 'invite-link'));
  await first.page.getByTestId('invite').waitFor({ state: 'hidden' }); // the seat was taken by opening the link
  return [first, second];
}

export async function press(window, ...names) {
  for (const name of names) await window.page.getByTestId(name).click();
}

export const square = (window, name) => window.page.locator(`#board [data-square="${name}"]`);

// What stands on a square, by the square's name for a screen reader: stands(window, 'e8', 'white knight').
export function stands(window, name, piece) {
  return square(window, name).and(window.page.getByLabel(`${name}, ${piece}`)).waitFor();
}

// Takes a piece up when it is its turn, and sees that it may go there.
export async function take(window, from, to) {
  await window.page.getByTestId('status').getByText(/Your move|to move/).waitFor();
  await square(window, from).click();
  await window.page.locator(`#board [data-square="${to}"].move-target`).waitFor();
}

export async function move(window, from, to) {
  await take(window, from, to);
  await square(window, to).click();
}

export async function type(window, ...moves) {
  for (const text of moves) {
    const played = await window.page.getByTestId('moves').getByRole('button').count();
    await window.page.getByTestId('move-text').fill(text);
    await window.page.getByTestId('move-text').press('Enter');
    await window.page.getByTestId(`move-${played + 1}`).waitFor();
  }
}

export const says = (window, text) => window.page.getByTestId('status').getByText(text).waitFor();

export const shows = (window, name, text) => window.page.getByTestId(name).getByText(text).waitFor();

export function hears(window, sentence) {
  return window.page.waitForFunction((part) => window.heard.some((text) => text.includes(part)), sentence);
}

// The moves in the list, as they stand there.
export function listed(window) {
  return window.page.getByTestId('moves').getByRole('button').allInnerTexts();
}

export async function lists(window, ...moves) {
  await window.page.getByTestId(`move-${moves.length}`).waitFor();
  assert.deepEqual(await listed(window), moves);
}

// The game that the window shows, as the daemon has it, with the names of its moves.
export async function kept(stage, window) {
  const { origin } = stage.daemon;
  const id = new URL(window.page.url()).hash.split('/')[1];
  const game = await (await fetch(`${origin}/v1/games/${id}`)).json();
  const moves = await (await fetch(`${origin}/v1/games/${id}/moves`)).json();
  return { ...game, sans: moves.data.map((played) => played.san) };
}
