/** A recovery test: its plan, its start, its end. */

import { expect, test } from '../lib/test.js';

import { apiOf, idle } from '../lib/api.js';
import { choose, look } from '../lib/app.js';
import { ceph, cephJson, until } from '../lib/cluster.js';
import { APP, open, watch } from '../lib/dashboard.js';

test.use({ kept: true });

// Two OSDs on two hosts leave a pool no place to move to, and hosts of two
// device classes are no group: for these tests all are of one class.
const GROUP = 'everywhere';
const HOSTS = ['x86-1', 'x86-2', 'arm-1', 'arm-2'];
let others = [];

async function classify(name) {
  for (const osd of others) {
    await ceph('osd', 'crush', 'rm-device-class', `osd.${osd}`);
    await ceph('osd', 'crush', 'set-device-class', name, `osd.${osd}`);
  }
  await until(async () => {
    const { pgmap } = await cephJson('status');
    const states = pgmap.pgs_by_state.map((found) => found.state_name);
    expect(states).toEqual(['active+clean']);
  }, 180);
}

test.beforeAll(async ({ playwright, baseURL }) => {
  const { nodes } = await cephJson('osd', 'tree');
  others = nodes
    .filter(({ name }) => name.startsWith('arm-'))
    .flatMap(({ children }) => children);
  await classify('x86');
  const request = await playwright.request.newContext({ baseURL });
  const api = await apiOf(request, 'admin');
  await api.remove(`api/perfcompare/group/${GROUP}`);
  const body = { group: GROUP, hosts: HOSTS };
  const made = await api.post('api/perfcompare/group', body);
  expect(made.status, made.text).toBe(201);
  await request.dispose();
});

test.afterAll(async () => {
  try {
    await ceph('perfcompare', 'group', 'rm', GROUP);
  } finally {
    await classify('arm');
  }
});

const FORM = `#/perfcompare/recoveries/new?group=${GROUP}`;

test('a manager may move data, and sees what takes more', async ({ as }) => {
  const page = await as('manager');
  await open(page, FORM, 'manager');
  const app = page.locator(APP);
  await app.getByRole('radio', { name: /^osd-stop/ }).check();
  await app.getByRole('button', { name: 'Check and show plan' }).click();
  await expect(app.getByText('perfcompare-failure').first()).toBeVisible();
  await expect(
    app.getByRole('button', { name: 'Start the test' }),
  ).toBeDisabled();
});

test('a backfill is planned, started, stopped and deleted', async ({
  page,
  request,
}) => {
  const errors = watch(page);
  const api = await apiOf(request, 'admin');
  await idle(api);
  await open(page, FORM);
  const app = page.locator(APP);
  const start = app.getByRole('button', { name: 'Start the test' });
  await expect(start).toBeDisabled();
  await app.getByText('More settings').click();
  for (const [label, text] of [
    ['Size of an object and of an operation', '16K'],
    ['Bytes for each OSD, written before', '1M'],
    ['PGs of each benchmark pool', '8'],
  ]) {
    await app.getByLabel(label, { exact: true }).fill(text);
  }
  await app.getByRole('button', { name: 'Check and show plan' }).click();
  await expect(app.locator('pc-plan ul')).toContainText(GROUP);
  await look(page, 'test-plan');
  const consent = app.locator('.consent input');
  if (await consent.isVisible()) {
    await consent.check();
  }
  await start.click();
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(/^#\/perfcompare\/recoveries\/[0-9a-f]{8}/);
  const hash = await page.evaluate(() => location.hash);
  const id = hash.slice('#/perfcompare/recoveries/'.length);
  await expect(app.locator('pc-run-live')).toBeVisible();
  await look(page, 'test-live');
  await choose(app, id, 'Stop load now…');
  await app.getByRole('button', { name: 'Stop the load' }).click();
  await expect(app.locator('pc-actions [role=status]')).toContainText(
    'Its load is dead.',
  );
  await until(async () => {
    const { data } = await api.get('api/perfcompare/status');
    expect(data.progress).toBeNull();
  }, 180);
  const pools = await cephJson('osd', 'pool', 'ls');
  expect(pools.filter((name) => name.startsWith('perfcompare'))).toEqual([]);
  await expect(app.locator('pc-run-live')).toHaveCount(0);
  await choose(app, id, 'Delete…');
  await app.getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(app.locator('pc-recovery-list')).toBeVisible();
  expect((await api.get(`api/perfcompare/recovery/${id}`)).status).toBe(404);
  expect(errors).toEqual([]);
});
