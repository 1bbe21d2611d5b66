/**
 * What the page costs a browser, in the dashboard of a mini cluster:
 *
 *   dashboard-plugin/e2e/run --keep -- -g 'first-time'
 *   PERFCOMPARE_E2E_… node bench.js      (the variables that `run` sets)
 *
 * Sizes of the JavaScript; click on the entry -> plot drawn; interactions
 * with 200 workloads and with 1,000 OSDs. Answers of the API are made up of
 * what the unit tests use: what is measured is the browser.
 */

import { chromium } from '@playwright/test';
import { readFile, readdir } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';

import { BROWSER } from './lib/browser.js';
import { UI } from './lib/cluster.js';
import { APP, ENTRY, open } from './lib/dashboard.js';

const TURNS = 7;
const FIXTURES = new URL('../app/src/testing/fixtures/', import.meta.url);
const fixture = async (name) =>
  JSON.parse(await readFile(new URL(`${name}.json`, FIXTURES), 'utf8'));

function told(name, values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted[sorted.length >> 1];
  const range = `${sorted[0]} … ${sorted.at(-1)}, n = ${sorted.length}`;
  console.log(`${name}: ${middle} ms (${range})`);
}

for (const name of (await readdir(UI)).filter((one) => one.endsWith('.js'))) {
  const text = await readFile(`${UI}/${name}`);
  const packed = gzipSync(text, { level: 9 }).length;
  console.log(`${name}: ${text.length} bytes, ${packed} with gzip`);
}

const comparison = await fixture('comparison');
const many = structuredClone(comparison);
many.rows = Array.from({ length: 200 }, (_, at) => ({
  ...comparison.rows[at % comparison.rows.length],
  workload: `workload-${at}`,
  size: 4096 * (1 + Math.floor(at / 4)),
  concurrency: String(1 + (at % 4)),
}));
const trial = await fixture('trial');
const [osd] = Object.values(trial.evidence.osds);
trial.evidence.osds = Object.fromEntries(
  Array.from({ length: 1000 }, (_, id) => [
    id,
    Object.fromEntries(
      Object.entries(osd).map(([k, v]) => [k, v * (1 + (id % 97) / 97)]),
    ),
  ]),
);

const browser = await chromium.launch({
  executablePath: BROWSER,
  args: process.getuid() === 0 ? ['--no-sandbox'] : [],
});
const context = await browser.newContext({
  baseURL: process.env.PERFCOMPARE_E2E_URL,
  viewport: { width: 1400, height: 900 },
});
const page = await context.newPage();
const answers = {
  comparison: many,
  group: await fixture('groups'),
  run: await fixture('runs'),
  'run/0a1b2c3d': await fixture('run'),
  'run/0a1b2c3d/series': await fixture('series'),
  'run/0a1b2c3d/trial': trial,
};
await page.route('**/api/perfcompare/**', (route) => {
  const { pathname } = new URL(route.request().url());
  const data = answers[pathname.split('/api/perfcompare/')[1]];
  return data ? route.fulfill({ json: data }) : route.continue();
});

/** Do something in the page; return milliseconds until it is painted. */
const painted = (work, argument) =>
  page.evaluate(
    async ([source, name, value]) => {
      const root = document.querySelector(name).shadowRoot;
      const from = performance.now();
      await new Function('root', 'value', source)(root, value);
      await new Promise((done) =>
        requestAnimationFrame(() => setTimeout(done)),
      );
      return Math.round(performance.now() - from);
    },
    [work, APP, argument],
  );

const opened = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  await open(page);
  await page.locator(ENTRY).waitFor();
  const from = Date.now();
  await page.click(ENTRY);
  await page.locator(`${APP} pc-forest .f-line a`).first().waitFor();
  opened.push(Date.now() - from);
}
told('click on the entry -> plot of 200 workloads', opened);

const click = (text) =>
  `[...root.querySelectorAll('button')]
    .find((b) => b.textContent.trim() === '${text}').click()`;
const perOsd = `root.querySelector('.results-bar input[type=checkbox]').click()`;
const switched = [];
for (let turn = 0; turn < 2 * TURNS; turn += 1) {
  switched.push(await painted(perOsd));
}
told('absolute <-> per OSD, 200 workloads', switched);
const tables = [];
for (let turn = 0; turn < TURNS; turn += 1) {
  tables.push(await painted(click('Table')));
  tables.push(await painted(click('Plot')));
}
told('plot <-> table, 200 workloads', tables);

answers.comparison = comparison;
const row = comparison.rows[0].workload;
await page.goto('about:blank');
await page.goto(
  `./#/perfcompare/compare?baseline=x86&candidate=arm&row=${row}`,
);
const counter = page.locator(`${APP} select`).filter({ hasText: 'replica' });
await page.locator(`${APP} canvas >> nth=3`).waitFor();
console.log(`OSD counters to choose: ${await counter.count()}`);
const chosen = [];
for (let turn = 0; turn < TURNS * 2; turn += 1) {
  chosen.push(
    await painted(
      `const s = [...root.querySelectorAll('.toolbar select')].at(-1);
       s.selectedIndex = value % s.options.length;
       s.dispatchEvent(new Event('change'))`,
      turn,
    ),
  );
}
told('another counter of 2 x 1,000 OSDs', chosen);
await browser.close();
