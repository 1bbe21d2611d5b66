/** The dashboard below a path of a proxy. */

import { ceph, restartManager } from '../lib/cluster.js';
import { APP, ENTRY, login } from '../lib/dashboard.js';
import { expect, test } from '../lib/test.js';

test('all works below a url_prefix', async ({ guest: page, request }) => {
  const option = ['mgr', 'mgr/dashboard/url_prefix'];
  await ceph('config', 'set', ...option, '/ceph');
  try {
    await restartManager(request, 'ceph/');
    const refused = await request.get('ceph/api/perfcompare/status');
    expect(refused.status()).toBe(401);
    await page.goto('ceph/#/perfcompare/groups');
    await login(page);
    await expect(page.locator(ENTRY)).toBeVisible();
    await expect(page.locator(`${APP} pc-group-list`)).toBeVisible();
    await page.goto('ceph/perfcompare-ui');
    await expect(page).toHaveURL(/\/ceph\/perfcompare-ui\/index\.html/);
    await expect(page.locator(`${APP} h1`)).toBeVisible();
  } finally {
    await ceph('config', 'rm', ...option);
  }
});
