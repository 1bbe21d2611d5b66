/** What each kind of user finds. */

import { expect, test } from '../lib/test.js';

import { goTo } from '../lib/app.js';
import { RELEASE } from '../lib/cluster.js';
import { APP, ENTRY, hashOf, login, open } from '../lib/dashboard.js';

const PAGES = ['/compare', '/runs', '/runs/12345678', '/new', '/groups'];

test('a role without the scope has no entry, and no page', async ({ as }) => {
  const page = await as('outsider');
  const answered = page.waitForResponse('**/ui-api/perfcompare/status');
  await open(page, '', 'outsider');
  await (await answered).finished();
  // what the answer leads to has been done
  await page.evaluate(() => new Promise((done) => setTimeout(done)));
  await expect(page.locator(ENTRY)).toHaveCount(0);
  await expect(page.locator('#perfcompare-fallback')).toHaveCount(0);
  const app = page.locator(APP);
  for (const path of PAGES) {
    await goTo(page, path);
    await expect(app).toContainText('You are not permitted');
    await expect(app.locator('table, form, canvas')).toHaveCount(0);
  }
});

test('a manager comes to a deep link, whatever his start page', async ({
  as,
}) => {
  const page = await as('manager');
  await open(page, '#/perfcompare/groups', 'manager');
  await expect(page.locator(APP).getByRole('table').first()).toBeVisible();
  if (RELEASE === 'reef') {
    await page.waitForTimeout(10_000); // its start page fails late
  }
  // Tentacle draws this role no navigation
  expect(await hashOf(page)).toBe('#/perfcompare/groups');
  await expect(page.locator(`#content > ${APP}`)).toBeVisible();
});

test('the next user of the browser has what is his', async ({
  guest: page,
}) => {
  await open(page, '', 'outsider');
  await page.context().clearCookies();
  await page.goto('about:blank');
  await page.goto('./');
  await login(page);
  await expect(page.locator(ENTRY)).toBeVisible();
});
