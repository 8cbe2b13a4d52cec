// browser: Debian's Chromium without a window, for tests of pages.
//
//     const browser = await openBrowser();
//     const window = await browser.newWindow({ viewport: { width: 390, height: 844 } });
//     await window.page.goto(`${daemon.origin}/`);
//     assert.deepEqual(await seriousFaults(window.page), []);
//     window.assertQuiet();       // nothing on the console, no script that failed
//     await browser.close();
//
// Windows share nothing, as if each belonged to another person. TEST_CHROMIUM names another binary, SHOTS a folder
// for screenshots.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';

import { take } from '../support/packages.mjs';

const { chromium } = take('playwright-core');
const AXE = fs.readFileSync(take.resolve('axe-core/axe.min.js'), 'utf8');

const PATIENCE_MS = 15000;
const NODES_MAX = 3; // of a fault, in its sentence

class Window {
  constructor(context, page) {
    this.context = context;
    this.page = page;
    this.complaints = [];
    page.on('pageerror', (error) => this.complaints.push(`${error}`));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') this.complaints.push(message.text());
    });
  }

  // What was expected is taken away before: a test that stops the daemon hears of it.
  forgive(pattern) {
    this.complaints = this.complaints.filter((complaint) => !pattern.test(complaint));
  }

  assertQuiet() {
    assert.deepEqual(this.complaints, []);
  }

  async shoot(name) {
    if (process.env.SHOTS)
      await this.page.screenshot({ path: path.join(process.env.SHOTS, `${name}.png`), fullPage: true });
  }
}

class Browser {
  constructor(browser) {
    this.browser = browser;
  }

  async newWindow(options = {}) {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    context.setDefaultTimeout(PATIENCE_MS);
    return new Window(context, await context.newPage());
  }

  close() {
    return this.browser.close();
  }
}

// `switches`: of Chromium, beside the usual.
export async function openBrowser(switches = []) {
  const options = ['--disable-background-networking', '--disable-component-update', '--no-first-run', ...switches];
  if (process.getuid() === 0) options.push('--no-sandbox'); // a container runs its tests as root
  return new Browser(
    await chromium.launch({ executablePath: process.env.TEST_CHROMIUM ?? '/usr/bin/chromium', args: options }),
  );
}

// What axe-core finds that keeps somebody from using the page, or what `where` names of it: sentences. It is evaluated,
// not loaded, so that the page's own policy stays in force.
export async function seriousFaults(page, where = null) {
  await page.evaluate(AXE);
  const found = await page.evaluate((part) => window.axe.run(part ?? document, { resultTypes: ['violations'] }), where);
  return found.violations
    .filter((fault) => fault.impact === 'serious' || fault.impact === 'critical')
    .map((fault) => `${fault.id}: ${fault.help} (${fault.nodes.slice(0, NODES_MAX).map((node) => node.target.join(' ')).join('; ')})`);
}
