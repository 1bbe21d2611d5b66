#!/usr/bin/env node
/**
 * A comparison of 56 workloads in Chromium: what its user waits for.
 *
 *   dashboard-plugin/e2e/run --prepare && qa/bench/page.mjs
 *
 * Needs no cluster: the page is served from here, with answers made of what
 * its unit tests use, so the figures are those of page and browser alone.
 * Medians of 10 by the browser's own clock, each against its limit; a ratio
 * above 1 ends it with an error.
 */

import { readFile, readdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { extname } from 'node:path';

import { BROWSER } from '../../dashboard-plugin/e2e/lib/browser.js';

const PLUGIN = new URL('../../dashboard-plugin/', import.meta.url);
const { chromium } = createRequire(new URL('e2e/package.json', PLUGIN))(
  '@playwright/test',
);
const ROWS = 56;
const TURNS = 10;
const LIMITS = {
  'first paint (ms)': 1000,
  'cold deep link -> all rows (ms)': 2000,
  'requests of the API': 6,
  'another order (ms)': 200,
  'another metric (ms)': 200,
  'find, by letter (ms)': 200,
  'plot -> table (ms)': 200,
  'longest task (ms)': 500,
};

const fixture = async (name) =>
  JSON.parse(
    await readFile(
      new URL(`app/src/testing/fixtures/${name}.json`, PLUGIN),
      'utf8',
    ),
  );
const comparison = await fixture('comparison');
comparison.rows = Array.from({ length: ROWS }, (_, at) => ({
  ...comparison.rows[at % comparison.rows.length],
  workload: `workload-${at}`,
  size: 4096 * (1 + Math.floor(at / 4)),
  concurrency: String(1 + (at % 4)),
}));
const answers = {
  '/status': await fixture('status-idle'),
  '/group': await fixture('groups'),
  '/run': await fixture('runs'),
  '/comparison': comparison,
};
const TYPES = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.html': 'text/html',
};
const dist = new Map();
for (const name of await readdir(new URL('dist/', PLUGIN))) {
  if (TYPES[extname(name)]) {
    dist.set(name, await readFile(new URL(`dist/${name}`, PLUGIN)));
  }
}

const asked = [];
const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const path = pathname.split('/api/perfcompare')[1];
  if (path !== undefined) {
    asked.push(path);
    const found = answers[path];
    response.writeHead(found ? 200 : 404, {
      'content-type': 'application/json',
    });
    response.end(JSON.stringify(found ?? { detail: `no ${path}` }));
    return;
  }
  const name = pathname.replace('/perfcompare-ui/', '') || 'index.html';
  const file = dist.get(name);
  response.writeHead(file ? 200 : 404, {
    'content-type': TYPES[extname(name)] ?? 'text/plain',
  });
  response.end(file);
});
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();
const run = answers['/run'].runs[0].id;
const address = (base) =>
  `http://127.0.0.1:${port}/perfcompare-ui/#/perfcompare/compare` +
  `?baseline=${base}&candidate=arm&run=${run}`;

/** In the page: wait for all rows, and for the frame that paints them. */
const arrived = (count) =>
  new Promise((resolve) => {
    const look = () => {
      const root = document.querySelector('perfcompare-app')?.shadowRoot;
      if (root?.querySelectorAll('.f-line').length !== count) {
        requestAnimationFrame(look);
        return;
      }
      requestAnimationFrame(() => setTimeout(() => resolve(performance.now())));
    };
    look();
  });

/** In the page: do something; milliseconds until the next frame is painted. */
const painted = async ([source, value]) => {
  const root = document.querySelector('perfcompare-app').shadowRoot;
  const from = performance.now();
  new Function('root', 'value', source)(root, value);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - from;
};

const choose = (label) =>
  `const s = root.querySelector('${label} select');
   s.selectedIndex = value % s.options.length;
   s.dispatchEvent(new Event('change', { bubbles: true }))`;
const find = `const i = root.querySelector('input.find');
  i.value = value; i.dispatchEvent(new Event('input', { bubbles: true }))`;
const view = `[...root.querySelectorAll('.results-view button')]
  .find((one) => one.textContent.trim() === value).click()`;

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: process.getuid() === 0 ? ['--no-sandbox'] : [],
});
const seen = Object.fromEntries(Object.keys(LIMITS).map((key) => [key, []]));
for (let turn = 0; turn < TURNS; turn += 1) {
  // a context of its own: nothing is in its cache
  const context = await browser.newContext({
    viewport: { width: 1366, height: 768 },
  });
  const page = await context.newPage();
  await page.addInitScript(() => {
    globalThis.longTasks = [0];
    new PerformanceObserver((list) =>
      globalThis.longTasks.push(...list.getEntries().map((e) => e.duration)),
    ).observe({ type: 'longtask', buffered: true });
  });
  asked.length = 0;
  await page.goto(address('x86'));
  const all = await page.evaluate(arrived, ROWS);
  seen['cold deep link -> all rows (ms)'].push(all);
  seen['requests of the API'].push(asked.length);
  seen['first paint (ms)'].push(
    await page.evaluate(
      () => performance.getEntriesByName('first-contentful-paint')[0].startTime,
    ),
  );
  const of = async (key, source, value) =>
    seen[key].push(await page.evaluate(painted, [source, value]));
  for (const [at, letters] of ['w', 'wo', 'workload-1'].entries()) {
    await of('another order (ms)', choose('.results-sort'), at + 1);
    await of('another metric (ms)', choose('.results-metric'), at + 1);
    await of('find, by letter (ms)', find, letters);
    await page.evaluate(painted, [find, '']);
  }
  await page.evaluate(painted, [choose('.results-metric'), 0]);
  await page.evaluate(painted, [view, 'Table']);
  await page.locator('perfcompare-app pc-compare-table').waitFor();
  await page.evaluate(painted, [view, 'Plot']);
  await of('plot -> table (ms)', view, 'Table');
  const rows = page.locator('perfcompare-app pc-compare-table tbody tr');
  if ((await rows.count()) !== ROWS) {
    throw new Error(`the table has ${await rows.count()} rows, not ${ROWS}`);
  }
  seen['longest task (ms)'].push(
    await page.evaluate(() => Math.max(...globalThis.longTasks)),
  );
  await context.close();
}
await browser.close();
server.close();
let failed = false;
for (const [name, limit] of Object.entries(LIMITS)) {
  const sorted = [...seen[name]].sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  const [low, high] = [sorted[0], sorted.at(-1)].map((one) => one.toFixed(0));
  failed ||= !(middle <= limit);
  console.log(
    `${name}: ${middle.toFixed(0)} of ${limit}, ratio ` +
      `${(middle / limit).toFixed(2)} (${low} … ${high}, n = ${sorted.length})`,
  );
}
process.exitCode = failed ? 1 : 0;
