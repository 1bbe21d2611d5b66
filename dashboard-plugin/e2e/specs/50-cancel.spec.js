/** A run that is cancelled. */

import { expect, test } from '../lib/test.js';

import { apiOf, idle } from '../lib/api.js';
import { choose } from '../lib/app.js';
import { cephJson, until } from '../lib/cluster.js';
import { APP, open } from '../lib/dashboard.js';

test('a run is cancelled and leaves nothing behind', async ({
  page,
  request,
}) => {
  const api = await apiOf(request, 'admin');
  await idle(api);
  const ticket = await api.post('api/perfcompare/run', {
    groups: ['x86'],
    profile: 'smoke',
    workloads: ['write'],
    label: 'to be cancelled',
  });
  expect(ticket.status, ticket.text).toBe(201);
  const id = ticket.data.run;
  await until(async () => {
    const { data } = await api.get('api/perfcompare/status');
    expect(['preparing', 'trial', 'cooling']).toContain(data.progress.state);
  });
  await open(page, `#/perfcompare/runs/${id}`);
  const app = page.locator(APP);
  await choose(app, id, 'Cancel…');
  await app.getByRole('button', { name: 'Cancel the run' }).click();
  await expect(app.getByText('cancelled').first()).toBeVisible({
    timeout: 90_000,
  });
  await until(async () => {
    const { data } = await api.get(`api/perfcompare/run/${id}/journal`);
    expect(data).toEqual([]);
  });
  const pools = await cephJson('osd', 'pool', 'ls');
  expect(pools.filter((name) => name.startsWith('perfcompare'))).toEqual([]);
  const keys = await cephJson('auth', 'ls');
  expect(
    keys.auth_dump.filter((key) => key.entity.includes('perfcompare')),
  ).toEqual([]);
});
