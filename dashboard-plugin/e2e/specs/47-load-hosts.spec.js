/** Load hosts beside the checks: one that was registered, and never came. */

import { apiOf } from '../lib/api.js';
import { look } from '../lib/app.js';
import { ceph, cephJson } from '../lib/cluster.js';
import { APP, open, watch } from '../lib/dashboard.js';
import { tooWide } from '../lib/pages.js';
import { expect, test } from '../lib/test.js';

const HOST = 'generator-2';

for (const [width, base] of [
  [1366, ''],
  [390, 'perfcompare-ui/'],
]) {
  test(`a load host is looked at, switched and removed, in ${width} pixels`, async ({
    page,
    request,
  }) => {
    const errors = watch(page);
    const api = await apiOf(request, 'admin');
    await api.remove(`api/perfcompare/load-host/${HOST}`); // of a try that failed
    await page.setViewportSize({ width, height: 768 });
    await open(page);
    await page.goto(`./${base}#/perfcompare/checks`);
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

    await press(`Disable ${HOST}`);
    await expect(line.locator('td').first()).toHaveText('disabled');
    await press(`Enable ${HOST}`);
    await expect(line.locator('td').first()).not.toHaveText('disabled');
    await press(`Remove… ${HOST}`);
    const asked = page.getByRole('dialog');
    await expect(asked).toContainText(`The load of ${HOST} ends`);
    await look(page, `load-host-removed-${width}`, true);
    await asked.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(line).toHaveCount(0);
    expect(await ceph('auth', 'ls')).not.toContain(added.entity);
    expect(errors).toEqual([]);
  });
}
