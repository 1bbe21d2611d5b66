/** The page of a recovery: its answer, its course, then its figures. */

import { expect, test } from '../lib/test.js';

import { look } from '../lib/app.js';
import { ALONE, APP, open, watch } from '../lib/dashboard.js';
import { tooWide } from '../lib/pages.js';
import { DETAIL, ofThree, seriesOf } from '../lib/recovery.js';

test.use({ kept: true });

const { id } = DETAIL.item;

for (const [width, base] of [
  [1366, ''],
  [390, ALONE],
]) {
  test(`a recovery has its answer first, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    const errors = watch(page);
    await page.route(`**/api/perfcompare/recovery/${id}*`, (route) =>
      route.fulfill({ json: DETAIL }),
    );
    await page.route(`**/api/perfcompare/recovery/${id}/series*`, (route) => {
      const { searchParams } = new URL(route.request().url());
      return route.fulfill({ json: seriesOf(searchParams.get('source')) });
    });
    await page.setViewportSize({ width, height: 768 });
    await open(page, `#/perfcompare/recoveries/${id}`, 'reader', base);
    const app = page.locator(APP);
    const answer = app.locator('pc-recovery-detail .lead');
    await expect(answer).toContainText(/x86\s*18 s\s*arm\s*39 s/);
    await expect(answer).toContainText('so not judged');
    await expect(answer).toBeInViewport();
    await expect(app.locator('canvas')).toBeInViewport();
    await expect(app.locator('.keys li')).toHaveText([/x86/, /arm/]);
    await expect(
      app.getByText('arm, repetition 1, PGs moved: given up'),
    ).toBeVisible();
    const phases = app.locator('details').filter({ hasText: 'Phases' });
    await expect(phases.locator('table')).toBeHidden();
    await phases.locator('summary').click();
    await expect(phases.locator('table')).toBeVisible();
    expect(await tooWide(page)).toEqual([]);
    await look(page, `recovery-${width}`);
    expect(errors).toEqual([]);
  });
}

test('on paper a recovery has its answer and its chart', async ({
  reader: page,
}) => {
  await page.route(`**/api/perfcompare/recovery/${id}*`, (route) =>
    route.fulfill({ json: DETAIL }),
  );
  await page.route(`**/api/perfcompare/recovery/${id}/series*`, (route) => {
    const { searchParams } = new URL(route.request().url());
    return route.fulfill({ json: seriesOf(searchParams.get('source')) });
  });
  await open(page, `#/perfcompare/recoveries/${id}`, 'reader');
  const app = page.locator(APP);
  await expect(app.locator('canvas')).toBeVisible();
  await page.emulateMedia({ media: 'print' });
  await expect(page.locator('#sidebar')).toBeHidden();
  await expect(app.locator('nav.tabs')).toBeHidden();
  await expect(app.locator('pc-recovery-detail .lead')).toBeVisible();
  await expect(app.locator('canvas')).toBeVisible();
  // nothing to click is printed
  await expect(app.locator('details:not([open]):visible')).toHaveCount(0);
  const pdf = await page.pdf({ format: 'A4' });
  const pages = pdf.toString('latin1').match(/\/Type\s*\/Page\b/g).length;
  expect(pages).toBeLessThanOrEqual(2);
  await page.emulateMedia({ media: null });
});

test('of three groups any two are compared, and all are drawn', async ({
  reader: page,
}) => {
  const asked = [];
  await page.route(`**/api/perfcompare/recovery/${id}*`, (route) => {
    const { searchParams } = new URL(route.request().url());
    const pair = ['baseline', 'candidate'].map((one) => searchParams.get(one));
    asked.push(pair);
    return route.fulfill({ json: ofThree(pair[0] ? pair : ['x86', 'arm']) });
  });
  await page.route(`**/api/perfcompare/recovery/${id}/series*`, (route) => {
    const { searchParams } = new URL(route.request().url());
    return route.fulfill({ json: seriesOf(searchParams.get('source')) });
  });
  await open(page, `#/perfcompare/recoveries/${id}`, 'reader');
  const app = page.locator(APP);
  await expect(app.locator('pc-recovery-detail .lead')).toContainText(
    /x86\s*18 s\s*arm\s*39 s\s*old\s*52 s/,
  );
  await expect(app.locator('.keys li')).toHaveText([/x86/, /arm/, /old/]);
  const times = app.locator('section', { hasText: 'Times' }).last();
  await expect(times.locator('tbody')).toContainText(/18 s\s*39 s/);
  const [baseline, candidate] = ['Baseline', 'Candidate'].map((side) =>
    app.locator('.pair').getByLabel(side),
  );
  await candidate.selectOption('old');
  await expect(times.locator('tbody')).toContainText(/18 s\s*52 s/);
  // of the same group twice they change places
  await baseline.selectOption('old');
  await expect(times.locator('tbody')).toContainText(/52 s\s*18 s/);
  expect(asked.at(-1)).toEqual(['old', 'x86']);
  expect(await page.evaluate(() => location.hash)).toContain(
    'baseline=old&candidate=x86',
  );
  await look(page, 'recovery-three', true);
  // the chart is as wide as paper while it is printed
  const width = () => app.locator('canvas').evaluate((one) => one.clientWidth);
  const before = await width();
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await expect.poll(width).toBeLessThan(Math.min(before, 700));
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await expect.poll(width).toBe(before);
});
