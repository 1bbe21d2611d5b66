/** Load hosts: one that was registered and never came; what two did of a load. */

import { apiOf } from '../lib/api.js';
import { keptRun, look } from '../lib/app.js';
import { ceph, cephJson } from '../lib/cluster.js';
import { ALONE, APP, open, watch } from '../lib/dashboard.js';
import { otherRun } from '../lib/loadrun.js';
import { tooWide } from '../lib/pages.js';
import { expect, test } from '../lib/test.js';

test.use({ kept: true });

const HOST = 'generator-2';
const SHARED = '4057e000';
const WIDTHS = [
  [1366, ''],
  [390, ALONE],
];

for (const [width, base] of WIDTHS) {
  test(`a load host is looked at, switched and removed, in ${width} pixels`, async ({
    as,
    request,
  }) => {
    const page = await as('admin', base);
    const errors = watch(page);
    const api = await apiOf(request, 'admin');
    await api.remove(`api/perfcompare/load-host/${HOST}`); // of a try that failed
    await page.setViewportSize({ width, height: 768 });
    await open(page, '#/perfcompare/checks', 'admin', base);
    const card = page.locator(`${APP} pc-load-host-list`);
    await expect(card).toContainText('None: load comes from the host of');
    await expect(card).toContainText('ceph perfcompare load-host add');

    const added = await cephJson('perfcompare', 'load-host', 'add', HOST);
    await page.reload();
    const line = card.getByRole('row', { name: new RegExp(`^${HOST}`) });
    await expect(line).toBeVisible();
    // what is not known of it is a dash, never 0
    await expect(line.locator('td').nth(1)).toHaveText('–');
    await expect(line.locator('td').nth(3)).toHaveText('–');
    const press = (name) => line.getByRole('button', { name }).click();
    await press(`Check ${HOST}`);
    await expect(card.locator('[role=status] h3')).toContainText(HOST);
    await expect(card.locator('[role=status] li').first()).toContainText(
      'agent',
    );
    await card.scrollIntoViewIfNeeded();
    await look(page, `load-host-${width}`, true);
    expect(await tooWide(page)).toEqual([]);

    const asked = page.getByRole('dialog');
    await press(`Disable… ${HOST}`);
    await expect(asked).toContainText('loses its trial');
    await asked.getByRole('button', { name: 'Disable', exact: true }).click();
    await expect(line.locator('td').first()).toHaveText('disabled');
    await press(`Enable ${HOST}`);
    await expect(line.locator('td').first()).not.toHaveText('disabled');
    await press(`Remove… ${HOST}`);
    await expect(asked).toContainText(`The load of ${HOST} ends`);
    await look(page, `load-host-removed-${width}`, true);
    await asked.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(line).toHaveCount(0);
    expect(await ceph('auth', 'ls')).not.toContain(added.entity);
    expect(errors).toEqual([]);
  });
}

test('what each load host did is told', async ({ as, request }) => {
  const api = await apiOf(request, 'admin');
  await api.remove(`api/perfcompare/run/${SHARED}`); // of a try that failed
  const kept = `api/perfcompare/run/${keptRun()}/export`;
  const text = await otherRun('hosts', (await api.get(kept)).text, SHARED);
  const stored = await api.post('api/perfcompare/run/import', { text });
  expect(stored.status, stored.text).toBe(201);
  for (const [width, base] of WIDTHS) {
    const page = await as('admin', base);
    await page.setViewportSize({ width, height: 768 });
    await open(page, `#/perfcompare/runs/${SHARED}`, 'admin', base);
    const hosts = page.locator(`${APP} pc-run-evidence section`).nth(2);
    await hosts.locator('summary').click();
    const shares = hosts.locator('pc-load-shares tbody tr');
    await expect(shares.first()).toContainText(
      /load-1.*60 %.*25 %.*-2\.00 ms ± 400 µs.*0$/,
    );
    // the errors of all trials of the workload and group
    await expect(shares.nth(1)).toContainText(/load-2.*40 %.*[1-9]\d*$/);
    await shares.first().scrollIntoViewIfNeeded();
    expect(await tooWide(page)).toEqual([]);
    await look(page, `load-shares-${width}`, true);
  }
  await api.remove(`api/perfcompare/run/${SHARED}`);
});
