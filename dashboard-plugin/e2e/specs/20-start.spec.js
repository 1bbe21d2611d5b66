/** The story begins: groups, plan, start, live. */

import { expect, test } from '../lib/test.js';

import { apiOf, idle } from '../lib/api.js';
import { goTo, keepRun, look, tab } from '../lib/app.js';
import { ceph } from '../lib/cluster.js';
import { APP, ENTRY, expectOurs, open, watch } from '../lib/dashboard.js';

test.use({ kept: true });

// of the OSDs of class arm: where it is the host alone that is looked at, they
// are native ones
const NATIVE = Boolean(process.env.PERFCOMPARE_E2E_HOST_ONLY);
const ARCH = NATIVE ? 'x86_64' : 'aarch64';
// what is the host's needs no verdict; with the round before them, 12 trials
const ROUNDS = NATIVE ? '2' : '';
// of OSDs on other hosts nobody sees that they are
const EMULATED = ['--device-class', 'arm', '--note', 'emulated (qemu-user)'];

/** Remove what a try that failed has started. */
async function forget(api) {
  await idle(api);
  const { data } = await api.get('api/perfcompare/run?limit=20');
  for (const { id } of data.runs) {
    await api.remove(`api/perfcompare/run/${id}`);
  }
}

/** The run has ended before a second try: start the same again. */
async function startAnew(api) {
  await forget(api);
  const { data } = await api.post('api/perfcompare/run', {
    groups: ['x86', 'arm'],
    profile: 'smoke',
    label: 'end to end',
    ...(ROUNDS && { rounds: Number(ROUNDS) }),
  });
  keepRun(data.run);
  return data.run;
}

test('a first-time user is told what to do', async ({ page }) => {
  await open(page);
  const from = Date.now();
  await page.click(ENTRY);
  const app = page.locator(APP);
  await expect(app.getByText('ceph perfcompare group detect')).toBeVisible();
  const ms = Date.now() - from;
  test
    .info()
    .annotations.push({ type: 'entry to page', description: `${ms} ms` });
  await expectOurs(page);
  await look(page, 'empty');
});

test('groups are detected and used', async ({ page }) => {
  const errors = watch(page);
  await open(page, '#/perfcompare/groups');
  const app = page.locator(APP);
  await app.getByRole('button', { name: 'Detect by architecture' }).click();
  await expect(app.getByText(ARCH).first()).toBeVisible();
  await look(page, 'groups');
  if (!NATIVE) {
    await ceph('perfcompare', 'group', 'set', 'arm', ...EMULATED);
    await page.reload();
    await expect(app.getByText('emulated (qemu-user)').first()).toBeVisible();
  }
  expect(errors).toEqual([]);
});

test('a profile of one’s own is defined, and removed', async ({ page }) => {
  await open(page, '#/perfcompare/profiles/_new?from=smoke');
  const app = page.locator(APP);
  await expect(app.locator('textarea')).toHaveValue(/workloads/);
  await app.getByLabel('Name').fill('mine');
  await app.getByRole('button', { name: 'Save' }).click();
  const line = app.getByRole('row', { name: /^mine/ });
  await expect(line).toBeVisible();
  await line.getByRole('button', { name: 'Delete…' }).click();
  await app.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(line).toHaveCount(0);
});

test('leftovers are cleaned up after a question', async ({ page }) => {
  await open(page, '#/perfcompare/checks');
  const app = page.locator(APP);
  await app.getByRole('button', { name: 'Clean up…' }).click();
  await app.getByRole('button', { name: 'Clean up', exact: true }).click();
  await expect(app.getByText('Nothing was left.')).toBeVisible();
});

test('a smoke run is planned, then started', async ({ page, request }) => {
  const errors = watch(page);
  await forget(await apiOf(request, 'admin'));
  await open(page, '#/perfcompare/new');
  const app = page.locator(APP);
  const start = app.getByRole('button', { name: 'Start the run' });
  await expect(start).toBeDisabled();
  await app.getByRole('checkbox', { name: /^x86/ }).check();
  await app.getByRole('checkbox', { name: /^arm/ }).check();
  await app.getByLabel('Profile', { exact: true }).selectOption('smoke');
  await app.getByLabel('Label', { exact: true }).fill('end to end');
  await app.getByText('More settings').click();
  // what is asked for is what the module declares, with its defaults
  await expect(app.getByRole('checkbox', { name: 'S3 stat' })).toBeVisible();
  await app.locator('#rounds').fill('-3');
  await expect(app.locator('#rounds-fault')).toContainText('less than 1');
  await app.locator('#rounds').fill(ROUNDS);
  await app.getByRole('button', { name: 'Check and show plan' }).click();
  await expect(start).toBeEnabled();
  await expect(app.getByText('write-4K-c16').first()).toBeVisible();
  await look(page, 'plan');
  await start.click();
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(/^#\/perfcompare\/runs\/[0-9a-f]{8}/);
  keepRun((await page.evaluate(() => location.hash)).slice(19, 27));
  expect(errors).toEqual([]);
});

test.describe(() => {
  // the next file that would use it loads the dashboard anew
  test.use({ kept: false });

  test('the run is seen live, and nobody is disturbed', async ({
    reader: page,
    request,
  }) => {
    const api = await apiOf(request, 'admin');
    const { data: before } = await api.get('api/perfcompare/status');
    const id = before.progress?.run ?? (await startAnew(api));
    await open(page, `#/perfcompare/runs/${id}`, 'reader');
    const app = page.locator(APP);
    await expect(app.getByText(/\d+ %/).first()).toBeVisible();
    await expect(app.getByText(/left/).first()).toBeVisible();
    // the load of this moment: drawn by group, and as a table
    const live = app.locator('pc-run-live');
    // where the host is busy, pools and objects take more than a minute
    await expect(live.locator('canvas')).toBeVisible({ timeout: 180_000 });
    await expect(live.locator('.keys li').first()).toContainText(/x86|arm/);
    await live.getByText('Show as table').click();
    await expect(live.locator('tbody tr').first()).toContainText(
      /(write|rand)-4K-c16 on (x86|arm)/,
    );
    await look(page, 'live');
    // the first run is seen where its result will be, before there is one
    await goTo(page, '/compare');
    await expect(app.locator('pc-compare-running')).toContainText('%');
    await look(page, 'first-run');
    const { data } = await api.get('api/perfcompare/status');
    expect(data.progress.run).toBe(id);
    // what each page of the host polls; a progress event of ours broke it
    expect((await api.get('api/summary')).status).toBe(200);
    const second = await api.post('api/perfcompare/run', {
      groups: ['arm', 'x86'],
      profile: 'smoke',
    });
    expect(second.status).toBe(409);
    expect(second.data.detail).toContain(id);
    const active = await api.remove(`api/perfcompare/run/${id}`);
    expect(active.status).toBe(409);
    await goTo(page, '/runs');
    await tab(page, 'Runs').click();
    const entry = app.getByRole('link', { name: id, exact: true });
    await expect(entry).toBeVisible();
  });
});
