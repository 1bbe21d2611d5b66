/** A run that is watched, and cancelled. */

import { expect, test } from '../lib/test.js';

import { apiOf, idle } from '../lib/api.js';
import { choose } from '../lib/app.js';
import { cephJson, until } from '../lib/cluster.js';
import { APP, open } from '../lib/dashboard.js';
import { goOn, keepPicture, MAKING, sizeFor } from '../lib/pictures.js';

test.use({ kept: true });

// without objects that are made first, to be read; as many trials as are left
const SHORT = MAKING ? {} : { workloads: ['write'], rounds: 6 };

test('a run is cancelled and leaves nothing behind @manual', async ({
  page,
  request,
}) => {
  test.setTimeout(600_000); // two trials of each group on a busy machine
  const api = await apiOf(request, 'admin');
  await idle(api);
  const ticket = await api.post('api/perfcompare/run', {
    groups: ['x86', 'arm'],
    profile: 'smoke',
    label: 'a first look',
    ...SHORT,
  });
  expect(ticket.status, ticket.text).toBe(201);
  const id = ticket.data.run;
  await sizeFor(page, 'run');
  await open(page, `#/perfcompare/runs/${id}`);
  const app = page.locator(APP);
  // both groups have been under load
  const keys = app.locator('pc-run-live .keys li');
  await expect(keys).toHaveText([/x86/, /arm/], { timeout: 240_000 });
  await goOn(page);
  await keepPicture(page, 'run');
  await choose(app, id, 'Cancel…');
  await app.getByRole('button', { name: 'Cancel the run' }).click();
  await expect(app.getByText('cancelled').first()).toBeVisible({
    timeout: 90_000,
  });
  const rules = app.locator('pc-abort-rules');
  await expect(rules.locator('table')).toBeHidden();
  await rules.locator('summary').click();
  await expect(rules.getByRole('row', { name: /^ERROR_BUDGET/ })).toContainText(
    /none|\d of \d/,
  );
  await until(async () => {
    const { data } = await api.get(`api/perfcompare/run/${id}/journal`);
    expect(data).toEqual([]);
  });
  const pools = await cephJson('osd', 'pool', 'ls');
  expect(pools.filter((name) => name.startsWith('perfcompare'))).toEqual([]);
  const users = await cephJson('auth', 'ls');
  expect(
    users.auth_dump.filter(({ entity }) => entity.includes('perfcompare')),
  ).toEqual([]);
});
