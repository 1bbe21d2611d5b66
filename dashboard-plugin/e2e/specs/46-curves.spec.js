/** A response curve, from the form to the picture. */

import { apiOf, idle } from '../lib/api.js';
import { look } from '../lib/app.js';
import { until } from '../lib/cluster.js';
import { APP, open, watch } from '../lib/dashboard.js';
import { tooWide } from '../lib/pages.js';
import { expect, test } from '../lib/test.js';

const API = 'api/perfcompare';
const LADDER = ['1', '2', '4', '8'];
const ASKED = {
  sizes: '4K',
  duration: '3',
  rounds: '1',
  curve: LADDER.join(','),
  slo: 'p50=8ms',
};

test('a curve is asked for, measured and shown', async ({ page, request }) => {
  test.setTimeout(900_000);
  const errors = watch(page);
  const api = await apiOf(request, 'admin');
  await idle(api);
  await open(page, '#/perfcompare/new?group=x86&group=arm');
  const app = page.locator(APP);
  await app.getByLabel('Profile', { exact: true }).selectOption('smoke');
  await app.getByText('More settings').click();
  await app
    .getByRole('checkbox', { name: 'RBD random read', exact: true })
    .check();
  for (const [key, value] of Object.entries(ASKED)) {
    await app.locator(`#${key}`).fill(value);
  }
  await app.getByRole('button', { name: 'Check and show plan' }).click();
  const plan = app.locator('pc-plan');
  await expect(plan).toContainText(
    'curves of 4 points in flight, judged at p50 ≤ 8 ms',
  );
  const consent = app.getByRole('checkbox', { name: /consent|mean it/i });
  if (await consent.count()) {
    await consent.first().check();
  }
  await app.getByRole('button', { name: 'Start the run' }).click();
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(/^#\/perfcompare\/runs\/[0-9a-f]{8}/);
  const run = (await page.evaluate(() => location.hash)).slice(19, 27);
  await until(async () => {
    const { data } = await api.get(`${API}/status`);
    expect(data.progress).toBeNull();
  }, 600);
  const { data } = await api.get(`${API}/run/${run}`);
  expect(data.run.state, data.run.reason).toBe('completed');

  const hash = `#/perfcompare/compare?baseline=x86&candidate=arm&run=${run}`;
  for (const [width, base] of [
    [1366, ''],
    [390, 'perfcompare-ui/'],
  ]) {
    await page.setViewportSize({ width, height: 768 });
    await page.goto(`./${base}${hash}`);
    const curve = app.getByRole('region', {
      name: 'rbd-randread-4K: p50 ≤ 8 ms',
    });
    await expect(curve).toBeVisible();
    // one round decides nothing, and is shown for what it is
    await expect(curve).toContainText('1 of 1 round');
    await expect(curve.locator('pc-verdict').first()).toContainText(
      'inconclusive',
    );
    await expect(app.locator('.answer-title')).toContainText(
      'Nothing is decided yet',
    );
    await expect(curve.locator('canvas').first()).toBeVisible();
    await curve.getByText('Show as table').first().click();
    const rows = curve.locator('pc-chart-card').first().locator('tbody tr');
    await expect(rows).toHaveCount(2 * LADDER.length);
    await expect(rows.first()).toContainText('x86');
    expect(await tooWide(page)).toEqual([]);
    await look(page, `curves-${width}`, true);
  }
  expect(errors).toEqual([]);
});
