/** Whatever breaks of ours, the dashboard stays. */

import { expect, test } from '../lib/test.js';
import { rename, readFile, writeFile } from 'node:fs/promises';

import { apiOf } from '../lib/api.js';
import { ceph, MODULE, restartManager, UI, until } from '../lib/cluster.js';
import { ENTRY, open } from '../lib/dashboard.js';

/** Expect the dashboard as it is without us. */
async function expectStock(request) {
  const page = await request.get('./');
  expect(page.status()).toBe(200);
  expect(await page.text()).not.toContain('perfcompare');
  const api = await apiOf(request, 'admin', true);
  expect((await api.get('api/health/minimal')).status).toBe(200);
  expect((await api.get('api/perfcompare/status')).status).toBe(404);
  expect((await api.get('docs/openapi.json')).text).not.toContain(
    'perfcompare/',
  );
}

for (const [what, text] of [
  ['a mistake of syntax', 'def (:\n'],
  [
    'a controller that cannot be made',
    `
from dashboard.controllers import APIRouter, RESTController

@APIRouter('/perfcompare/broken')
class Broken(RESTController):
    def __init__(self):
        raise RuntimeError('broken')

    def list(self):
        return []
`,
  ],
]) {
  test(`the dashboard goes on with ${what}`, async ({ request, page }) => {
    const file = `${MODULE}/dashboard/rest_profiles.py`;
    const whole = await readFile(file);
    try {
      await writeFile(file, text);
      await restartManager(request);
      await expectStock(request);
      if (what === 'a mistake of syntax') {
        await open(page);
        await expect(page.locator('#content')).toBeVisible();
        await expect(page.locator(ENTRY)).toHaveCount(0);
      }
    } finally {
      await writeFile(file, whole);
    }
  });
}

test('without the installed page the dashboard is the stock one', async ({
  request,
}) => {
  await rename(`${UI}/shell.js`, `${UI}/shell.js.away`);
  try {
    await restartManager(request);
    const page = await request.get('./');
    expect(await page.text()).not.toContain('perfcompare');
    expect(page.headers()['last-modified']).toBeTruthy();
  } finally {
    // the next test restarts the Manager
    await rename(`${UI}/shell.js.away`, `${UI}/shell.js`);
  }
});

test('a disabled module is said, and how to enable it', async ({ request }) => {
  // the Manager restarts by this
  await ceph('mgr', 'module', 'disable', 'perfcompare');
  const api = await until(async () => {
    const found = await apiOf(request, 'admin');
    const { status } = await found.get('api/perfcompare/status');
    expect(status).toBe(503);
    return found;
  }, 60);
  const { data } = await api.get('api/perfcompare/run');
  expect(data.detail).toContain('ceph mgr module enable perfcompare');
  // with the installed page its line is back
  expect(await (await request.get('./')).text()).toContain('perfcompare-ui');
});
