/**
 * How long a deep link takes that nothing is kept of: login, the host's shell,
 * then our first row. In the dashboard of a mini cluster, with the run of the
 * specs and real answers:
 *
 *   dashboard-plugin/e2e/run --keep -- specs/20 specs/40
 *   PERFCOMPARE_E2E_… node cold.js       (the variables that `run` sets)
 *
 * By the browser's own clock, from the frame that has the shell to the one
 * that has a row; median of 10, and what was asked of our API meanwhile.
 */

import { chromium } from '@playwright/test';

import { keptRun } from './lib/app.js';
import { BROWSER } from './lib/browser.js';
import { APP, login } from './lib/dashboard.js';

const TURNS = 10;
const LIMIT = 2000; // ms
const LINK = `./#/perfcompare/compare?baseline=x86&candidate=arm&run=${keptRun()}`;

/** In the page: note when the shell is there, and when the first row is. */
function note(name) {
  globalThis.seen = {};
  const look = () => {
    const { seen } = globalThis;
    const root = document.querySelector(name)?.shadowRoot;
    if (!seen.shell && document.querySelector('#sidebar')?.offsetWidth) {
      seen.shell = performance.now();
    }
    if (seen.shell && root?.querySelector('.f-line a')) {
      seen.row = performance.now();
      return;
    }
    requestAnimationFrame(look);
  };
  look();
}

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: process.getuid() === 0 ? ['--no-sandbox'] : [],
});
const waited = [];
const asked = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  // a context of its own: nothing is in its cache
  const context = await browser.newContext({
    baseURL: process.env.PERFCOMPARE_E2E_URL,
    viewport: { width: 1366, height: 768 },
  });
  const page = await context.newPage();
  let requests = 0;
  page.on('response', (response) => {
    // 202 is the host's word for an answer that is fetched once more
    requests +=
      response.url().includes('/api/perfcompare/') && response.status() !== 202;
  });
  await page.addInitScript(note, APP);
  await page.goto(LINK);
  await page.locator('input[name=username]').waitFor();
  await login(page);
  await page.waitForFunction(() => globalThis.seen.row, null, {
    timeout: 120_000,
  });
  const { shell, row } = await page.evaluate(() => globalThis.seen);
  waited.push(row - shell);
  asked.push(requests);
  await context.close();
}
await browser.close();
for (const [what, values, limit] of [
  ["the host's shell -> first row (ms)", waited, LIMIT],
  ['requests of our API until then', asked, 6],
]) {
  const sorted = values.map(Math.round).sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  console.log(
    `${what}: ${middle} of ${limit} (${sorted[0]} … ${sorted.at(-1)}, n = ${sorted.length})`,
  );
  process.exitCode ||= Number(middle > limit);
}
