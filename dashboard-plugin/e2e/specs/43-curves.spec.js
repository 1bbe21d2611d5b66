/** Response curves: measured and shown, and over offered load. */

import { apiOf } from '../lib/api.js';
import { look } from '../lib/app.js';
import { SELDOM, until } from '../lib/cluster.js';
import { askForCurve, keptCurve, LADDER } from '../lib/curves.js';
import { ALONE, APP, open, watch } from '../lib/dashboard.js';
import { otherRun } from '../lib/loadrun.js';
import { tooWide } from '../lib/pages.js';
import { newest } from '../lib/runs.js';
import { expect, test } from '../lib/test.js';

test.use({ kept: true });

const API = 'api/perfcompare';
const OFFERED = '0ffe2ed0';
const WIDTHS = [
  [1366, ''],
  [390, ALONE],
];

test('a curve that was asked for is measured and shown', async ({
  as,
  request,
}) => {
  test.setTimeout(900_000);
  const api = await apiOf(request, 'admin');
  // started in 41, unless that came to nothing
  const known = test.info().retry ? null : keptCurve();
  const run = known ?? (await askForCurve(await as('admin'), api));
  const ended = async () => {
    const { data } = await api.get(`${API}/status`);
    expect(data.progress).toBeNull();
  };
  await until(ended, 600, SELDOM);
  const { data } = await api.get(`${API}/run/${run}`);
  expect(data.run.state, data.run.reason).toBe('completed');

  const hash = `#/perfcompare/compare?baseline=x86&candidate=arm&run=${run}`;
  for (const [width, base] of WIDTHS) {
    const page = await as('admin', base);
    const errors = watch(page);
    const app = page.locator(APP);
    await page.setViewportSize({ width, height: 768 });
    await open(page, hash, 'admin', base);
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
    expect(errors).toEqual([]);
  }
});

test('equal load is offered, and who falls behind is marked', async ({
  as,
  request,
}) => {
  const api = await apiOf(request, 'admin');
  await api.remove(`${API}/run/${OFFERED}`); // of a try that failed
  const measured = await newest(api, true);
  const { text: kept } = await api.get(`${API}/run/${measured}/export`);
  const text = await otherRun('rates', kept, OFFERED);
  const stored = await api.post(`${API}/run/import`, { text });
  expect(stored.status, stored.text).toBe(201);
  const hash = `#/perfcompare/compare?baseline=x86&candidate=arm&run=${OFFERED}`;
  for (const [width, base] of WIDTHS) {
    const page = await as('admin', base);
    const errors = watch(page);
    const app = page.locator(APP);
    await page.setViewportSize({ width, height: 768 });
    await open(page, hash, 'admin', base);
    const curve = app.getByRole('region', {
      name: /rbd-randread-4K.*p95 ≤ 1 s/,
    });
    await expect(curve).toBeVisible();
    await expect(curve).toContainText(/arm did .* of 400\/s offered, and fell/);
    const [latency, cpu] = ['Latency over offered load', 'CPU time'].map(
      (one) =>
        curve.locator('pc-chart-card').filter({
          has: page.getByRole('heading', { name: one }),
        }),
    );
    await expect(latency.locator('canvas')).toBeVisible();
    await expect(cpu.locator('canvas').first()).toBeVisible();
    await latency.getByText('Show as table').click();
    await expect(latency.locator('tbody tr')).toHaveCount(2 * LADDER.length);
    await expect(latency.locator('tbody')).toContainText(/400.*arm/s);
    await latency.getByText('Show as table').click();
    expect(await tooWide(page)).toEqual([]);
    await look(page, `offered-${width}`, true);
    expect(errors).toEqual([]);
  }
  await api.remove(`${API}/run/${OFFERED}`);
});
