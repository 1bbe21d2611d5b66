/** Rows of all kinds, with the evidence that each has, in both widths. */

import { expect, test } from '../lib/test.js';

import { apiOf } from '../lib/api.js';
import { keptRun, look } from '../lib/app.js';
import { ceph } from '../lib/cluster.js';
import { ALONE, APP, open, watch } from '../lib/dashboard.js';
import { otherRun } from '../lib/loadrun.js';
import { show, tooWide } from '../lib/pages.js';

test.use({ kept: true });

const WIDTHS = [
  [1366, ''],
  [390, ALONE],
];
const SEVERAL = 30;
const NOTE = 'a backup ran beside it';
const RBD = '4bd0e000';
let imported;

/** What another tool measured of a group: the same operation by many names. */
function resultsOf(factor) {
  const lines = ['round,workload,ops_per_s,note'];
  for (let at = 0; at < SEVERAL; at += 1) {
    for (let round = 1; round <= 6; round += 1) {
      const rate = (1000 + 10 * at + round) * factor;
      const note = at === 3 && round === 2 ? NOTE : '';
      lines.push(
        `${round},oltp-${String(at).padStart(2, '0')},${rate},${note}`,
      );
    }
  }
  return `${lines.join('\n')}\n`;
}

test.beforeAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  const api = await apiOf(request, 'admin');
  imported = {};
  for (const [group, factor] of [
    ['ours', 1],
    ['theirs', 0.5],
  ]) {
    const body = { text: resultsOf(factor), group, label: `file of ${group}` };
    const stored = await api.post('api/perfcompare/run/import', body);
    expect(stored.status, stored.text).toBe(201);
    imported[group] = stored.data.id;
  }
  const kept = `api/perfcompare/run/${keptRun()}/export`;
  const text = await otherRun('rbd', (await api.get(kept)).text, RBD);
  const stored = await api.post('api/perfcompare/run/import', { text });
  expect(stored.status, stored.text).toBe(201);
  await request.dispose();
});

test.afterAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  const api = await apiOf(request, 'admin');
  for (const id of [...Object.values(imported ?? {}), RBD]) {
    await api.remove(`api/perfcompare/run/${id}`);
  }
  await request.dispose();
});

for (const [width, base] of WIDTHS) {
  test(`files of another tool, in ${width} pixels`, async ({ as }) => {
    const page = await as('reader', base);
    const errors = watch(page);
    await page.setViewportSize({ width, height: 768 });
    const sides = `baseline=ours@${imported.ours}&candidate=theirs@${imported.theirs}`;
    await open(page, `#/perfcompare/compare?${sides}`, 'reader', base);
    const app = page.locator(APP);
    const lines = app.locator('pc-forest .f-line');
    await expect(lines).toHaveCount(SEVERAL);
    await expect(app.locator('.answer-title')).toContainText('theirs');
    await expect(app.locator('.answer-title')).toContainText(
      `in ${SEVERAL} of ${SEVERAL}`,
    );
    await expect(lines.filter({ hasText: 'oltp-07' })).toHaveCount(1);
    // of what was not recorded the line says nothing
    await expect(app.locator('.identity p').first()).not.toContainText('OSD');
    await expect(app).not.toContainText(/\b0 OSDs|size 0|\b0 B\b|±–|q = –/);
    // what the file notes of a trial is told beside the answer, and that the
    // file tells no times
    const notes = app.locator('details', { hasText: 'Notes of trials: 2' });
    await notes.locator('summary').click();
    await expect(notes).toContainText(
      `note of 2 of ${2 * 6 * SEVERAL} trials, first round 2, oltp-03 on ours: ${NOTE}`,
    );
    await notes.locator('summary').click();
    if (width > 1000) {
      // by the first screen, with two notices above
      const seen = await lines.evaluateAll(
        (all) =>
          all.filter((one) => one.getBoundingClientRect().bottom <= innerHeight)
            .length,
      );
      expect(seen).toBeGreaterThanOrEqual(14);
    }
    await look(page, `imports-${width}`, true);

    // the matrix has a line for each name
    await app.getByRole('button', { name: 'Matrix', exact: true }).click();
    await expect(app.locator('table.matrix tbody tr')).toHaveCount(SEVERAL);
    await expect(app.locator('table.matrix')).toContainText('oltp-29');
    await look(page, `imports-matrix-${width}`, true);

    // head and names stay while the table scrolls, which it tells of
    await app.getByRole('button', { name: 'Table', exact: true }).click();
    const table = app.locator('pc-compare-table');
    await expect(table.locator('tbody tr')).toHaveCount(SEVERAL);
    await expect(table.locator('thead th')).toHaveText([
      /Workload/,
      /Ratio/,
      /Verdict/,
      ...Array((await table.locator('thead th').count()) - 3).fill(/./),
    ]);
    const hint = app.getByText('More columns to the right');
    await expect(hint).toBeVisible();
    const box = table.locator('.scroll-x');
    const before = await box.boundingBox();
    await box.evaluate((one) => one.scrollTo(10_000, 200));
    await expect(hint).toBeHidden();
    const at = await box.boundingBox();
    expect(at).toEqual(before); // or a click would meet another row
    const head = await table.locator('thead th').first().boundingBox();
    expect(Math.abs(head.y - at.y)).toBeLessThan(3);
    const name = await table.locator('tbody th').nth(9).boundingBox();
    expect(Math.abs(name.x - at.x)).toBeLessThan(3);
    expect(await tooWide(page)).toEqual([]);
    await look(page, `imports-table-${width}`, true);

    await table.getByRole('link', { name: 'oltp-03' }).click();
    await expect(app.locator('#row-title')).toContainText('oltp-03');
    await expect(
      app.getByText('what was imported has no samples'),
    ).toBeVisible();
    await expect(app).toContainText('not recorded');
    await expect(app).not.toContainText(/numpy|manifests of both|size 0/);
    await look(page, `imports-row-${width}`, true);

    await show(page, `/runs/${imported.ours}`, 'pc-run-trials tbody tr');
    await expect(app).toContainText('not recorded');
    await expect(app).not.toContainText(
      /conditioning|min_size 0|\b0 B\b|Seed 0|\b0 OSDs/,
    );
    const noted = app.locator('pc-run-evidence section').last();
    await noted.locator('summary').click();
    await expect(noted).toContainText(`round 2, oltp-03 on ours: ${NOTE}`);
    expect(await ceph('perfcompare', 'show', imported.ours)).toContain(
      `note (round 2, oltp-03 on ours): ${NOTE}`,
    );
    await look(page, `imports-run-${width}`, true);
    expect(errors).toEqual([]);
  });

  test(`a row of images has both directions, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    await page.setViewportSize({ width, height: 768 });
    const row = `baseline=x86&candidate=arm&run=${RBD}&row=rbd-randrw-4K-c16`;
    await open(page, `#/perfcompare/compare?${row}`, 'reader', base);
    const panel = page.locator(`${APP} pc-operations-panel`);
    await expect(panel.locator('tbody th')).toHaveText([
      'read',
      'read',
      'write',
      'write',
    ]);
    await expect(panel.locator('tbody tr').first()).toContainText(
      /x86.*op\/s.*B\/s.*[mµ]?s/s,
    );
    // a percentile that one side alone has says there why the other has none
    const tail = page.locator(`${APP} pc-latency-panel tr`, {
      hasText: 'clients, p99.9',
    });
    await expect(tail.locator('td').first()).toHaveText(/^[\d.,]+ [mµ]?s$/);
    await expect(tail.locator('td').last()).toHaveText(
      '– p99.9 (too few operations: 5,000)',
    );
    await tail.scrollIntoViewIfNeeded();
    await look(page, `rbd-${width}`, true);
    expect(await tooWide(page)).toEqual([]);
  });

  test(`a row has percentiles, CDF and trials over time, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    await page.setViewportSize({ width, height: 768 });
    const row = `baseline=x86&candidate=arm&run=${keptRun()}&row=write-4K-c16`;
    await open(page, `#/perfcompare/compare?${row}`, 'reader', base);
    const app = page.locator(APP);
    for (const [panel, title, header] of [
      ['pc-latency-panel', 'Latency by percentile', /x86.*arm/s],
      ['pc-latency-panel', 'Latency distribution (CDF)', /x86.*arm/s],
      ['pc-course-panel', 'Throughput over time', /x86.*arm/s],
      ['pc-course-panel', 'Network of all hosts', /x86.*arm/s],
    ]) {
      const card = app
        .locator(`${panel} pc-chart-card`)
        .filter({ has: page.getByRole('heading', { name: title }) });
      await expect(card.locator('canvas')).toBeVisible();
      await card.getByText('Show as table').click();
      await expect(card.locator('table').first()).toContainText(header);
      await card.getByText('Show as table').click();
    }
    await look(page, `evidence-${width}`, true);
    expect(await tooWide(page)).toEqual([]);
  });
}

test('media are meant to differ: chosen, and the headline', async ({
  reader: page,
}) => {
  const sides = `baseline=x86&candidate=arm&run=${RBD}`;
  await open(page, `#/perfcompare/compare?${sides}`, 'reader');
  const app = page.locator(APP);
  const identity = app.locator('pc-identity');
  const line = app.locator('pc-forest .f-line').first();
  await expect(line).toBeVisible();
  await expect(identity).not.toContainText('Across');
  await identity.locator('summary').filter({ hasText: 'Change…' }).click();
  await app.getByLabel('media', { exact: true }).check();
  await app.getByLabel('compression', { exact: true }).check();
  await page.keyboard.press('Escape');
  await expect(identity).toContainText(/Across media:.*drives hdd.*drives ssd/);
  await expect(identity).toContainText(
    'Across compression: nothing of it differs between the sides',
  );
  await expect(line).toBeVisible();
  await look(page, 'across-media', true);
  // whoever gets the address sees the same
  const hash = await page.evaluate(() => location.hash);
  expect(hash).toContain('across=media&across=compression');
  await page.reload();
  await expect(identity).toContainText('Across media:');
});

for (const [width, base] of WIDTHS) {
  test(`forced colours keep what is pressed, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    await page.setViewportSize({ width, height: 768 });
    await page.emulateMedia({ forcedColors: 'active' });
    const compare = `baseline=x86&candidate=arm&run=${keptRun()}`;
    await open(page, `#/perfcompare/compare?${compare}`, 'reader', base);
    const app = page.locator(APP);
    const views = app.locator('.results-view button');
    await expect(views.first()).toBeVisible();
    const ground = (one) =>
      one.evaluate((element) => getComputedStyle(element).backgroundColor);
    expect(await ground(views.nth(0))).not.toBe(await ground(views.nth(1)));
    const chip = app.locator('.chip').first();
    const before = await ground(chip);
    await chip.click();
    await page.mouse.move(0, 0);
    await expect.poll(() => ground(chip)).not.toBe(before);
    // the mark of the baseline is seen on what is behind it
    const mark = app.locator('.side-baseline .side-mark').first();
    expect(
      await mark.evaluate((one) => getComputedStyle(one).forcedColorAdjust),
    ).toBe('none');
    await look(page, `forced-${width}`, true);
  });
}
