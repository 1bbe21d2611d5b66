/** The story ends: compare, drill down, export, delete. */

import { expect, test } from '../lib/test.js';
import { readFile, writeFile } from 'node:fs/promises';

import { apiOf } from '../lib/api.js';
import { choose, keptRun, look, tab } from '../lib/app.js';
import { cephJson } from '../lib/cluster.js';
import {
  ALONE,
  APP,
  ENTRY,
  expectOurs,
  open,
  watch,
} from '../lib/dashboard.js';
import { tooWide } from '../lib/pages.js';
import { otherRun } from '../lib/loadrun.js';

test.use({ kept: true });

const ENDED = ['completed', 'failed', 'aborted', 'cancelled', 'interrupted'];

test('the run completes and leaves no pool', async ({ request }) => {
  test.setTimeout(960_000);
  const api = await apiOf(request, 'admin');
  const path = `api/perfcompare/run/${keptRun()}?brief=true`;
  let found;
  await expect
    .poll(
      async () => {
        found = (await api.get(path)).data;
        // none in a 503: the database waits for OSDs that are under load
        return ENDED.includes(found.run?.state);
      },
      { timeout: 900_000, intervals: [1000] },
    )
    .toBe(true);
  expect(found.run.state, found.run.reason).toBe('completed');
  expect(found.run.origin).toBe('dashboard');
  expect(found.trials.length).toBeGreaterThanOrEqual(12);
  const pools = await cephJson('osd', 'pool', 'ls');
  expect(pools.filter((name) => name.startsWith('perfcompare'))).toEqual([]);
});

test('the comparison is the start page, and opens the evidence', async ({
  reader: page,
}) => {
  const errors = watch(page);
  await open(page, '', 'reader');
  await expect(page.locator(ENTRY)).toBeVisible();
  const from = Date.now();
  await page.click(ENTRY);
  const app = page.locator(APP);
  const line = app.locator('pc-forest .f-line th a').first();
  await expect(line).toBeVisible();
  test.info().annotations.push({
    type: 'entry to plot',
    description: `${Date.now() - from} ms`,
  });
  await expectOurs(page);
  await look(page, 'compare');
  await line.click();
  await expect(app.getByText('← All workloads')).toBeVisible();
  await expect(app.locator('canvas').first()).toBeVisible();
  // of one metric, latencies in two ways, the trials over time, OSDs
  await expect(app.locator('figcaption h3')).toHaveText([
    'Trials: op/s',
    'Ratio of each block: op/s',
    'Latency by percentile',
    'Latency distribution (CDF)',
    'Throughput over time',
    'CPU of the busiest host',
    'Busiest disk',
    'Network of all hosts',
    'Distribution over the OSDs',
  ]);
  await app.locator('.crumbs select').selectOption('latency');
  await expect(app.locator('.lead')).toContainText('Latency (average)');
  await expect(app.locator('figcaption h3').first()).toHaveText(
    'Trials: average latency',
  );
  await look(page, 'row');
  const hash = await page.evaluate(() => location.hash);
  await page.reload();
  await expect(app.getByText('← All workloads')).toBeVisible();
  expect(await page.evaluate(() => location.hash)).toBe(hash);
  await page.goBack();
  await expect(app.locator('pc-forest table')).toBeVisible();
  expect(errors).toEqual([]);
});

for (const [width, base] of [
  [1366, ''],
  [390, ALONE],
]) {
  test(`the answer comes first, in ${width} pixels`, async ({ as }) => {
    const page = await as('reader', base);
    await page.setViewportSize({ width, height: 768 });
    const compare = `baseline=x86&candidate=arm&run=${keptRun()}`;
    await open(page, `#/perfcompare/compare?${compare}`, 'reader', base);
    const app = page.locator(APP);
    const lines = app.locator('pc-forest .f-line');
    await expect(lines).toHaveCount(2);
    // who, in how many, and the first row, without scrolling
    await expect(app.locator('.answer-title')).toBeInViewport();
    await expect(app.locator('.answer-title')).toContainText('arm');
    await expect(lines.first()).toBeInViewport();
    await expect(tab(page, 'Groups')).toBeInViewport({ ratio: 1 });
    await expect(app.locator('.identity')).toContainText(keptRun());
    await expect(lines.first().locator('svg.f-strip path')).toHaveCount(1);
    expect(await tooWide(page)).toEqual([]);
    // each count is a filter; together they are all workloads
    const chips = app.locator('.chip:not(.chip-why)');
    let sum = 0;
    for (const chip of await chips.all()) {
      const count = parseInt(await chip.locator('strong').innerText(), 10);
      await chip.click();
      await expect(lines).toHaveCount(count);
      await chip.click();
      sum += count;
    }
    expect(sum).toBe(2);
    await app.getByLabel('Find workloads').fill('rand');
    await expect(lines).toHaveCount(1);
    await app.getByRole('button', { name: 'Show all' }).click();
    await expect(lines).toHaveCount(2);
    const links = lines.locator('th a');
    await links.first().focus();
    await page.keyboard.press('ArrowDown');
    await expect(links.nth(1)).toBeFocused();
    await page.keyboard.press('Enter');
    // the heading of the row has the focus, and the host's title names it
    await expect(app.locator('#row-title')).toBeFocused();
    if (!base) {
      await expect(page).toHaveTitle(/4K-c16/);
    }
    await app.getByText('← All workloads').click();
    await app.getByRole('button', { name: 'Table' }).click();
    const table = app.locator('pc-compare-table');
    const sort = table.getByRole('button', { name: /^Ratio/ });
    await sort.click();
    await expect(sort.locator('..')).toHaveAttribute('aria-sort', 'ascending');
    expect(await page.evaluate(() => location.hash)).toContain('by=ratio');
    await expect(table.locator('tbody tr')).toHaveCount(2);
    await look(page, `answer-${width}`);
  });
}

for (const [width, base] of [
  [1366, ''],
  [390, ALONE],
]) {
  test(`runs are found and sorted, in ${width} pixels`, async ({ as }) => {
    const page = await as('reader', base);
    await page.setViewportSize({ width, height: 768 });
    await open(page, `#/perfcompare/runs`, 'reader', base);
    const app = page.locator(APP);
    const lines = app.locator('pc-run-list tbody tr');
    const find = app.getByLabel('Find runs');
    await expect(lines).toHaveCount(1);
    // judged in the background: two workloads came to something
    await expect(lines.locator('pc-run-verdicts .tag').first()).toBeVisible();
    await expect(lines).toContainText('write-4K-c16');
    await find.fill('END to x86');
    await expect(app.getByText('Found with “END to x86”: 1')).toBeVisible();
    await expect(lines).toContainText(keptRun());
    await app.getByLabel('Sort').selectOption('longest');
    await expect
      .poll(() => page.evaluate(() => location.hash))
      .toMatch(/find=END\+to\+x86&sort=longest/);
    await page.reload();
    await expect(lines).toContainText(keptRun());
    await look(page, `found-${width}`);
    expect(await tooWide(page)).toEqual([]);
    await find.fill('no such run');
    await expect(app.getByText('No run has “no such run”')).toBeVisible();
    await app.getByRole('button', { name: 'Show all' }).click();
    await expect(lines).toHaveCount(1);
  });
}

test('raw samples are there, as the API gives them', async ({ request }) => {
  const api = await apiOf(request, 'reader');
  const run = `api/perfcompare/run/${keptRun()}`;
  const { trials } = (await api.get(run)).data;
  const { round, block, attempt, position } = trials.at(-1);
  const key =
    `round=${round}&block=${block}&attempt=${attempt}` +
    `&position=${position}`;
  const series = await api.get(`${run}/series?${key}`);
  expect(series.status).toBe(200);
  expect(series.data.t.length).toBeGreaterThan(3);
  expect(series.data.columns.length).toBeGreaterThan(0);
  expect((await api.get(`${run}/trial?${key}`)).status).toBe(200);
  expect((await api.get(`${run}/journal`)).data).toEqual([]);
  const wrong = await api.get(`${run}/series?${key}&source=osd.99`);
  expect(wrong.status).toBe(404);
  const one = 'api/perfcompare/comparison?baseline=x86&candidate=arm';
  const { data } = await api.get(`${one}&run=${keptRun()}`);
  expect(data.rows.length).toBe(2);
});

test('a run is exported, deleted and imported', async ({ page, request }) => {
  const api = await apiOf(request, 'admin');
  const id = keptRun();
  const kept = test.info().project.outputDir + '-kept.json';
  const before = await api.get(`api/perfcompare/run/${id}/export`);
  if (before.status === 200) {
    await writeFile(kept, before.text);
  } else {
    // a try that failed has deleted it
    const text = await readFile(kept, 'utf8');
    await api.post('api/perfcompare/run/import', { text });
  }
  await open(page, `#/perfcompare/runs/${id}`);
  const app = page.locator(APP);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    choose(app, id, 'Export JSON'),
  ]);
  const file = await download.path();
  const text = await readFile(file, 'utf8');
  const direct = await api.get(`api/perfcompare/run/${id}/export`);
  expect(text === direct.text).toBe(true); // not a diff of megabytes
  expect(direct.headers['content-disposition']).toContain(`${id}.json`);
  expect(direct.headers['content-type']).toContain('application/json');
  await look(page, 'run');
  await choose(app, id, 'Delete…');
  await app.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(/^#\/perfcompare\/runs(\?|$)/);
  const gone = await api.get(`api/perfcompare/run/${id}`);
  expect(gone.status).toBe(404);
  await app.getByRole('button', { name: 'Import…' }).click();
  await app.locator('input[type=file]').setInputFiles({
    name: 'run.json',
    mimeType: 'application/json',
    buffer: Buffer.from(text),
  });
  await look(page, 'import');
  await app.getByRole('button', { name: 'Import', exact: true }).click();
  await expect(app.getByText('Imported:')).toBeVisible();
  expect((await api.get(`api/perfcompare/run/${id}`)).status).toBe(200);
});

test('a row of S3 has its operations and endpoints', async ({
  as,
  request,
}) => {
  const api = await apiOf(request, 'admin');
  const direct = await api.get(`api/perfcompare/run/${keptRun()}/export`);
  const id = '53e2e000';
  await api.remove(`api/perfcompare/run/${id}`); // of a try that failed
  const text = await otherRun('s3', direct.text, id);
  const stored = await api.post('api/perfcompare/run/import', { text });
  expect(stored.status, stored.text).toBe(201);
  const row = `/compare?baseline=x86&candidate=arm&run=${id}`;
  for (const [width, base] of [
    [1400, ''],
    [400, ALONE],
  ]) {
    const page = await as('admin', base);
    const app = page.locator(APP);
    await page.setViewportSize({ width, height: 900 });
    await open(page, `#/perfcompare${row}&row=s3-mixed-4K-c16`, 'admin', base);
    const panel = app.locator('pc-operations-panel');
    // of two groups: four operations, the first byte, two endpoints
    await expect(panel.locator('tbody tr')).toHaveCount(14);
    const put = panel.locator('tbody tr').filter({ hasText: /^\s*put/ });
    await expect(put).toHaveCount(2);
    await expect(put.first()).toContainText(/x86.*op\/s.*B\/s.*[mµ]?s/s);
    await expect(put.first().locator('td').last()).toHaveText(/^[1-9]\d*$/);
    await expect(panel).toContainText('get, time to first byte');
    await expect(panel).toContainText('http://arm-2.example.com:8000');
    await expect(app.locator('canvas').first()).toBeVisible();
    await panel.scrollIntoViewIfNeeded();
    await look(page, `s3-${width}`);
    expect(await tooWide(page)).toEqual([]);
    await page.goto(`./${base}#/perfcompare${row}&row=rand-4K-c16`);
    await expect(app.locator('canvas').first()).toBeVisible();
    await expect(app.locator('pc-operations-panel table')).toHaveCount(0);
  }
  expect((await api.remove(`api/perfcompare/run/${id}`)).status).toBe(204);
});
