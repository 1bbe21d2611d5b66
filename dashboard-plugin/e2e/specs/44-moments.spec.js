/** Moments of a run that pass too fast, or should not come: by the status. */

import { expect, test } from '../lib/test.js';

import { keptRun, look } from '../lib/app.js';
import { ALONE, APP, open } from '../lib/dashboard.js';
import { show, tooWide } from '../lib/pages.js';

test.use({ kept: true });

const REQUESTS = 6;
const ROW = 'write-4K-c16';
const WIDTHS = [
  [1366, ''],
  [390, ALONE],
];
const compare = () => `/compare?baseline=x86&candidate=arm&run=${keptRun()}`;

/** Let the Manager tell of the run as if it were under way. */
async function underWay(page) {
  const now = {
    run: keptRun(),
    state: 'trial',
    trial: `${ROW} on x86`,
    message: 'second 1 of 10',
    fraction: 0.4,
    round: 2,
    rounds: 6,
    eta: 60,
    eta_least: 12,
    ops_per_s: 800,
    bytes_per_s: 800 * 4096,
    scenario: '',
  };
  await page.route('**/api/perfcompare/status', (route) =>
    route.fulfill({
      json: {
        last: '',
        permissions: ['read'],
        version: '0.1.0',
        warnings: [],
        progress: now,
      },
    }),
  );
  return now;
}

for (const [width, base] of WIDTHS) {
  test(`a run has bands, a range of time left, an end, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    const now = await underWay(page);
    await page.route(`**/api/perfcompare/run/${keptRun()}*`, async (route) => {
      const answer = await route.fetch();
      const json = await answer.json();
      if (json.run) {
        // else it is being made, and asked for again
        json.run.state = 'trial';
        json.run.ended = null;
        json.trials = json.trials.slice(0, 8);
      }
      await route.fulfill({ response: answer, json });
    });
    await page.setViewportSize({ width, height: 768 });
    await open(page, `#/perfcompare/runs/${keptRun()}`, 'reader', base);
    const live = page.locator(`${APP} pc-run-live`);
    const left = live.locator('dl div').filter({ hasText: 'Time left' });
    await expect(left).toContainText('20 s to 1 min');
    // one range, wherever it is told
    const pill = page.locator(`${APP} .live-pill`);
    await expect(pill).toContainText('40 % · 20 s to 1 min left');
    const table = live.locator('pc-chart-card tbody tr');
    await expect(live.locator('canvas')).toBeVisible();
    await live.getByText('Show as table').click();
    await expect(table.filter({ hasText: `${ROW} on x86` })).not.toHaveCount(0);
    // nothing is measured between trials: a gap, then the other group
    const seen = await table.count();
    Object.assign(now, { state: 'cooling', trial: '', ops_per_s: null });
    await page.waitForResponse('**/api/perfcompare/status');
    Object.assign(now, {
      state: 'trial',
      trial: `${ROW} on arm`,
      ops_per_s: 9,
    });
    await expect(table.filter({ hasText: `${ROW} on arm` })).not.toHaveCount(0);
    expect(await table.count()).toBeGreaterThan(seen);
    await live.getByText('Show as table').click();
    await look(page, `bands-${width}`, true);
    expect(await tooWide(page)).toEqual([]);
    Object.assign(now, { state: 'finishing', fraction: 1, ops_per_s: null });
    await expect(left).toContainText('cleaning up');
    await expect(pill).toContainText('100 % · cleaning up');
    Object.assign(now, { state: 'trial', fraction: 0.4 });
    await page.route('**/api/perfcompare/run?*', async (route) => {
      const answer = await route.fetch();
      const json = await answer.json();
      for (const one of json.runs ?? []) {
        one.state = 'trial';
      }
      await route.fulfill({ response: answer, json });
    });
    await page.goto(`./${base}#/perfcompare/runs`);
    await expect(page.locator(`${APP} pc-run-list`)).toContainText(
      '40 % · 20 s to 1 min left',
    );
    await page.goto(`./${base}#/perfcompare${compare()}`);
    await expect(page.locator(`${APP} pc-compare-running`)).toContainText(
      '20 s to 1 min left',
    );
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test(`a module that fails leaves what is shown, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    const now = await underWay(page);
    await page.setViewportSize({ width, height: 768 });
    await open(page, `#/perfcompare${compare()}`, 'reader', base);
    const app = page.locator(APP);
    await expect(app.locator('pc-forest .f-line')).toHaveCount(2);
    await page.route('**/api/perfcompare/comparison?*', (route) =>
      route.fulfill({ status: 503, json: { detail: 'it is restarting' } }),
    );
    now.trial = `${ROW} on arm`; // the next step: it is loaded again
    const banner = app.locator('.notice-error[role=alert]').first();
    await expect(banner).toContainText('it is restarting');
    await expect(app.locator('pc-forest .f-line')).toHaveCount(2);
    await look(page, `banner-${width}`, true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test(`wrong settings are marked at their fields, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('admin', base);
    await page.setViewportSize({ width, height: 768 });
    await open(page, `#/perfcompare/new`, 'admin', base);
    const app = page.locator(APP);
    await app.getByLabel('Profile', { exact: true }).selectOption('smoke');
    await app.getByText('More settings').click();
    for (const name of [
      'S3 put',
      'S3 get',
      'S3 list',
      'S3 multipart',
      'RBD random read and write',
    ]) {
      await expect(
        app.getByRole('checkbox', { name, exact: true }),
      ).toBeVisible();
    }
    const rounds = app.locator('#rounds');
    await expect(rounds).toHaveAttribute('placeholder', /\d/);
    for (const [typed, said] of [
      ['-3', '“-3” is less than 1'],
      ['banana', '“banana” is not a number'],
    ]) {
      await rounds.fill(typed);
      await expect(app.locator('#rounds-fault')).toContainText(said);
      await expect(rounds).toHaveAttribute('aria-invalid', 'true');
      await expect(rounds).toHaveValue(typed);
    }
    await rounds.scrollIntoViewIfNeeded();
    await look(page, `form-wrong-${width}`, true);
    expect(await tooWide(page)).toEqual([]);
  });
}

test('a page asks for six things at most', async ({ as }) => {
  const page = await as('reader', ALONE);
  await open(page, '#/perfcompare/runs', 'reader', ALONE);
  let asked = [];
  page.on('response', (response) => {
    const [, path] = /api\/perfcompare\/(.*)/.exec(response.url()) ?? [];
    // the status is asked for again and again, as long as the page is open;
    // 202 is the host's word for an answer that is fetched once more
    const again = path === 'status' && asked.includes(path);
    if (path && !again && response.status() !== 202) {
      asked.push(path);
    }
  });
  for (const [path, complete] of [
    [compare(), 'pc-forest .f-line'],
    [`${compare()}&row=${ROW}`, 'pc-course-panel canvas'],
    ['/runs', 'pc-run-list tbody a'],
    [`/runs/${keptRun()}`, 'pc-run-trials tbody tr'],
    ['/recoveries', 'pc-recovery-list .card'],
    ['/groups', 'pc-group-list table, pc-group-list .card'],
    ['/new', 'pc-run-form form, [role=alert]'],
  ]) {
    await page.goto('about:blank');
    asked = [];
    await page.goto(`./perfcompare-ui/#/perfcompare${path}`);
    await show(page, path, complete);
    await page.waitForLoadState('networkidle');
    expect(asked.length, `${path}: ${asked.join(' ')}`).toBeLessThanOrEqual(
      REQUESTS,
    );
  }
});
