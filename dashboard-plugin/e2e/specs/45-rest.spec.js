/** What is done with an answer: other metrics, orders, files, a repetition. */

import { readFile } from 'node:fs/promises';

import { apiOf } from '../lib/api.js';
import { keptRun, look } from '../lib/app.js';
import { ALONE, APP, open, watch } from '../lib/dashboard.js';
import { otherRun } from '../lib/loadrun.js';
import { show, tooWide } from '../lib/pages.js';
import { runOfOne, SINGLE } from '../lib/runs.js';
import { expect, test } from '../lib/test.js';

test.use({ kept: true });

const API = 'api/perfcompare';
const WIDTHS = [
  [1366, ''],
  [390, ALONE],
];
const compare = (run = keptRun()) =>
  `/compare?baseline=x86&candidate=arm&run=${run}`;
const UNDECIDED = '0dec1ded';

/** Go to an address of ours, in a window of this width. */
async function come(page, width, base, path, user = 'reader') {
  await page.setViewportSize({ width, height: 768 });
  await open(page, `#/perfcompare${path}`, user, base);
  return page.locator(APP);
}

test.afterAll(async ({ playwright, baseURL }) => {
  const request = await playwright.request.newContext({ baseURL });
  const api = await apiOf(request, 'admin');
  const { runs } = (await api.get(`${API}/run?limit=50`)).data;
  const made = ({ id, label }) => label === SINGLE || id === UNDECIDED;
  for (const { id } of runs.filter(made)) {
    await api.remove(`${API}/run/${id}`);
  }
  await request.dispose();
});

for (const [width, base] of WIDTHS) {
  test(`metric and order of the plot, in ${width} pixels`, async ({ as }) => {
    const page = await as('reader', base);
    const errors = watch(page);
    const app = await come(page, width, base, compare());
    const lines = app.locator('pc-forest .f-line');
    await expect(lines).toHaveCount(2);
    const values = app.locator('pc-forest caption');
    const metric = app.locator('.results-metric select');
    const offered = await metric
      .locator('option:enabled')
      .evaluateAll((options) => options.map(({ value }) => value));
    for (const value of offered) {
      await metric.selectOption(value);
      await expect(metric).toHaveValue(value);
      await expect(lines).toHaveCount(2);
    }
    for (const name of ['Throughput', 'Latency (average)']) {
      await metric.selectOption({ label: name });
      await expect(values).toContainText(name);
      await expect(lines).toHaveCount(2);
    }
    // fewer milliseconds are better: the ends change places
    await expect(app.locator('.f-ends span').first()).toContainText(
      'arm faster',
    );
    const names = lines.locator('th a');
    const sort = app.locator('.results-sort select');
    await sort.selectOption({ label: 'name' });
    await expect(names).toHaveText(['rand-4K-c16', 'write-4K-c16']);
    await sort.selectOption({ label: 'operation and size' });
    await expect(app.locator('.f-group')).not.toHaveCount(0);
    // the address has it all, for whoever it is sent to
    await sort.selectOption({ label: 'name' });
    await page.reload();
    await expect(names).toHaveText(['rand-4K-c16', 'write-4K-c16']);
    await expect(values).toContainText('Latency (average)');
    await names.first().focus();
    await page.keyboard.press('End');
    await expect(names.last()).toBeFocused();
    await page.keyboard.press('Home');
    await expect(names.first()).toBeFocused();
    await look(page, `metric-${width}`, true);
    expect(await tooWide(page)).toEqual([]);
    expect(errors).toEqual([]);
  });

  test(`the headline leads to a filled form, in ${width} pixels`, async ({
    as,
    request,
  }) => {
    const page = await as('admin', base);
    const api = await apiOf(request, 'admin');
    const kept = await api.get(`${API}/run/${keptRun()}/export`);
    const text = await otherRun('undecided', kept.text, UNDECIDED);
    await api.remove(`${API}/run/${UNDECIDED}`); // of the other width
    const stored = await api.post(`${API}/run/import`, { text });
    expect(stored.status, stored.text).toBe(201);
    const app = await come(page, width, base, compare(UNDECIDED), 'admin');
    await expect(app.locator('.answer-title')).toContainText(
      'Nothing is decided',
    );
    const button = app.getByRole('link', { name: /^Repeat with \d+ rounds$/ });
    const rounds = (await button.innerText()).match(/\d+/)[0];
    await button.click();
    await expect(app.getByText(`run ${UNDECIDED}`)).toBeVisible();
    await expect(app.locator('#rounds')).toHaveValue(rounds);
    const [answer] = await Promise.all([
      page.waitForResponse(
        (found) => found.url().endsWith('/plan') && found.status() === 200,
      ),
      app.getByRole('button', { name: 'Check and show plan' }).click(),
    ]);
    const { groups, profile, rounds: sent } = answer.request().postDataJSON();
    expect([[...groups].sort(), profile, sent]).toEqual([
      ['arm', 'x86'],
      'smoke',
      Number(rounds),
    ]);
    await expect(app.locator('pc-plan')).toContainText('write-4K-c16');
    // who does not see it is told
    await expect(
      app.locator('.form-result [role=status]').first(),
    ).toContainText('The plan is shown');
    await look(page, `again-${width}`, true);
    expect(await tooWide(page)).toEqual([]);
  });

  test(`tables tell of what is beside them, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    const app = await come(page, width, base, '/runs');
    await expect(app.locator('pc-run-list tbody tr').first()).toBeVisible();
    const hint = app.getByText('More columns to the right');
    await (width < 1000
      ? expect(hint).toBeVisible()
      : expect(hint).toBeHidden());
    await look(page, `list-${width}`, true);
    await page.goto(`./${base}#/perfcompare/runs/${keptRun()}`);
    await expect(app.locator('pc-run-trials tbody tr').first()).toBeVisible();
    for (const box of await app.locator('.scroll-x:visible').all()) {
      const more = await box.evaluate(
        (one) => one.scrollWidth > one.clientWidth + 8,
      );
      const said = await box.evaluate(
        ({ previousElementSibling: one }) =>
          one?.classList.contains('scroll-hint') && !one.hidden,
      );
      expect(said).toBe(more);
    }
  });

  test(`a run of one group has its evidence, in ${width} pixels`, async ({
    as,
    request,
  }) => {
    const page = await as('admin', base);
    test.setTimeout(600_000);
    const id = await runOfOne(await apiOf(request, 'admin'));
    const app = await come(page, width, base, `/runs/${id}`, 'admin');
    const parts = app.locator('pc-run-evidence section');
    await expect(parts).toHaveCount(4);
    for (const part of await parts.all()) {
      await part.locator('summary').click();
    }
    await expect(parts.nth(0)).toContainText(/write-4K-c16 · x86: \w/);
    await expect(parts.nth(1).locator('tbody tr')).toHaveCount(4);
    await expect(parts.nth(1)).toContainText('osd.0');
    await expect(parts.nth(2)).toContainText(/x86-1.*%.*[kM]B\/s/s);
    await expect(parts.nth(3)).toContainText(/note of \d|Nothing was noted/);
    await look(page, `one-group-${width}`, true);
    expect(await tooWide(page)).toEqual([]);
  });
}

for (const [width, base] of WIDTHS) {
  test(`trials have CPU, disk and network of both sides beside them, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    const app = await come(page, width, base, `${compare()}&row=write-4K-c16`);
    const panel = app.locator('pc-course-panel');
    await expect(panel.locator('canvas').first()).toBeVisible();
    await expect(panel.locator('figcaption h3')).toHaveText([
      'Throughput over time',
      'CPU of the busiest host',
      'Busiest disk',
      'Network of all hosts',
    ]);
    const network = panel.locator('pc-chart-card').last();
    await network.scrollIntoViewIfNeeded();
    await expect(network.locator('canvas')).toBeVisible();
    await look(page, `overlay-${width}`, true);
    for (const card of await panel.locator('pc-chart-card').all()) {
      await card.getByText('Show as table').click();
      await expect(card.locator('tbody')).toContainText(/x86.*arm/s);
    }
    expect(await tooWide(page)).toEqual([]);
  });

  test(`what limited is read or reached, in ${width} pixels`, async ({
    as,
  }) => {
    const page = await as('reader', base);
    const LIMITS = ['metadata device', 'none found'];
    await page.route('**/api/perfcompare/comparison?*', async (route) => {
      const answer = await route.fetch();
      const json = await answer.json();
      for (const row of json.rows ?? []) {
        row.baseline.limited.limit = LIMITS[0];
        row.candidate.limited.limit = LIMITS[1];
      }
      await route.fulfill({ response: answer, json });
    });
    const app = await come(page, width, base, compare());
    const line = app.locator('pc-forest .f-line').first();
    await expect(line).toBeVisible();
    const limits = line.locator('.limit');
    if (width > 1000) {
      await expect(limits).toHaveText([
        `x86: ${LIMITS[0]}`,
        `arm: ${LIMITS[1]}`,
      ]);
      const place = await line.locator('.f-limit').boundingBox();
      for (const one of await limits.all()) {
        const inside = await one.evaluate((element) => {
          const words = document.createRange();
          words.selectNodeContents(element.lastChild);
          const { right, height } = words.getBoundingClientRect();
          return { right, height };
        });
        expect(inside.right).toBeLessThanOrEqual(place.x + place.width);
        expect(inside.height).toBeLessThan(16);
      }
      expect(place.height).toBeLessThan(27);
    }
    await look(page, `limits-${width}`, true);
    await line.locator('th a').click();
    await expect(
      app.locator('pc-finding-list').getByRole('heading', {
        name: `x86: ${LIMITS[0]}`,
      }),
    ).toBeVisible();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test(`what is missing leads on, in ${width} pixels`, async ({ as }) => {
    const page = await as('reader', base);
    for (const [at, path] of [
      '/runs/ffffffff',
      '/recoveries/ffffffff',
      `${compare()}&row=no-such-row`,
      '/nowhere',
    ].entries()) {
      const app = await come(page, width, base, path);
      const said = app.locator('[role=alert]').first();
      await expect(said).toBeVisible();
      await expect(app.locator('.page a:visible').first()).toBeVisible();
      await look(page, `missing-${at}-${width}`, true);
      expect(await tooWide(page)).toEqual([]);
    }
  });

  test(`a date is on one line, in ${width} pixels`, async ({ as }) => {
    const page = await as('reader', base);
    const app = await come(page, width, base, `/runs/${keptRun()}`);
    const times = app.locator('time');
    await expect(times.first()).toBeVisible();
    for (const one of await times.all()) {
      expect(await one.evaluate((time) => time.getClientRects().length)).toBe(
        1,
      );
    }
    expect(await tooWide(page)).toEqual([]);
  });
}

test('the picture of the plot has what the plot has', async ({
  reader: page,
}) => {
  const app = await come(page, 1366, '', compare());
  await expect(app.locator('pc-forest .f-line')).toHaveCount(2);
  await app.locator('.results-metric select').selectOption('latency');
  await app.locator('summary').filter({ hasText: 'Export' }).click();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    app.getByRole('button', { name: 'SVG', exact: true }).click(),
  ]);
  const svg = (await readFile(await download.path())).toString();
  for (const text of [
    'Latency (average)',
    'Limited by',
    '← arm faster',
    'emulated: arm',
  ]) {
    expect(svg).toContain(text);
  }
});

test('on paper, with margins, the plot is one', async ({ as }) => {
  const page = await as('reader', ALONE);
  // as wide as A4 between a browser's own margins
  await page.setViewportSize({ width: 718, height: 1000 });
  await open(page, `#/perfcompare${compare()}`, 'reader', ALONE);
  const app = page.locator(APP);
  await expect(app.locator('pc-forest .f-line')).toHaveCount(2);
  await page.emulateMedia({ media: 'print' });
  const line = app.locator('pc-forest .f-line').first();
  await expect(line.locator('.f-values')).toBeVisible();
  const strip = await line.locator('.f-plot').boundingBox();
  expect(strip.width).toBeGreaterThan(150);
  expect(await tooWide(page)).toEqual([]);
  // nothing to click is printed
  await expect(app.locator('details:not([open]):visible')).toHaveCount(0);
  await page.emulateMedia({ media: null });
});

test('beginning and end of a run are told, without a look', async ({ as }) => {
  const page = await as('reader', ALONE);
  let now = null;
  const idleStatus = { last: '', permissions: ['read'], version: '0.1.0' };
  await page.route('**/api/perfcompare/status', (route) =>
    route.fulfill({ json: { ...idleStatus, warnings: [], progress: now } }),
  );
  await open(page, '#/perfcompare/groups', 'reader', ALONE);
  const told = page.locator(`${APP} .frame > [role=status]`);
  await show(page, '/groups', 'pc-group-list table, pc-group-list .card');
  await expect(told).toHaveText('');
  now = {
    run: keptRun(),
    state: 'trial',
    trial: '',
    message: '',
    fraction: 0.4,
    round: 1,
    rounds: 3,
    eta: 60,
    ops_per_s: null,
    bytes_per_s: null,
    scenario: '',
  };
  await expect(told).toHaveText(`Run ${keptRun()} is under way`);
  now = null;
  await expect(told).toContainText(`Run ended: ${keptRun()}`);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});
