// The pages that the daemon serves: they load, complain of nothing, and keep nobody out, at each size and in each
// light.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import { seriousFaults } from './browser.mjs';
import { setStage, SIZES, widthBeyond } from './page.mjs';

const stage = setStage();

async function open(path, options) {
  const window = await stage.browser.newWindow(options);
  const strangers = [];
  window.page.on('request', (request) => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(stage.daemon.origin)) strangers.push(request.url());
  });
  const answer = await window.page.goto(stage.daemon.origin + path, { waitUntil: 'networkidle' });
  assert.equal(answer.status(), 200);
  assert.match(answer.headers()['content-type'], /^text\/html/);
  assert.deepEqual(strangers, []); // it works where there is no other network
  return window;
}

for (const [size, viewport] of Object.entries(SIZES)) {
  for (const colorScheme of ['light', 'dark']) {
    test(`the page on a ${size}, ${colorScheme}`, async () => {
      const window = await open('/', { viewport, colorScheme });
      assert.match(await window.page.locator('h1').first().innerText(), /chess|arbiter/i);
      assert.ok((await widthBeyond(window.page)) <= 0);
      assert.deepEqual(await seriousFaults(window.page), []);
      await window.shoot(`page-${size}-${colorScheme}`);
      window.assertQuiet();
    });

    test(`the reference on a ${size}, ${colorScheme}`, async () => {
      const window = await open('/docs', { viewport, colorScheme });
      assert.match(await window.page.locator('h1').first().innerText(), /API/);
      assert.doesNotMatch(await window.page.locator('main').innerText(), /\*\*/); // each mark of a description is set
      assert.ok((await widthBeyond(window.page)) <= 0);
      // All of it takes long, and its operations are made alike.
      assert.deepEqual(
        await seriousFaults(window.page, { include: ['nav', 'header', '#cookbook', '#createGame'] }),
        [],
      );
      window.assertQuiet();
    });
  }
}

test('the reference has every operation of the document', async () => {
  const { paths } = await (await fetch(`${stage.daemon.origin}/openapi.json`)).json();
  const names = Object.values(paths).flatMap((item) => Object.values(item).map((operation) => operation.operationId));
  const window = await stage.browser.newWindow();
  await window.page.goto(`${stage.daemon.origin}/docs`);
  const shown = await window.page.locator('article').evaluateAll((articles) => articles.map((article) => article.id));
  assert.ok(names.length > 50);
  assert.deepEqual(
    names.filter((name) => !shown.includes(name)),
    [],
  );
});
