/** Unknown shells, the standalone page, files that do not arrive. */

import { expect, test } from '../lib/test.js';

import { ALONE, APP, ENTRY, login, open } from '../lib/dashboard.js';

test('the standalone page works with the same login', async ({ page }) => {
  // where nobody has logged in yet, that is done in the dashboard
  await open(page, '#/perfcompare/runs', 'admin', ALONE);
  await expect(page.locator(`${APP} h1, ${APP} h2`).first()).toBeVisible();
  await expect(
    page.getByRole('link', { name: /Dashboard/ }).first(),
  ).toBeVisible();
});

test('an unknown shell leads to the standalone page', async ({
  guest: page,
}) => {
  await page.route('**/main*.js', async (route) => {
    if (route.request().url().includes('perfcompare-ui')) {
      return route.continue();
    }
    const response = await route.fetch();
    const body = (await response.text())
      .replaceAll('"sidebar"', '"sidebar2"')
      .replaceAll('"content"', '"content2"');
    return route.fulfill({ response, body });
  });
  await page.goto('./');
  await login(page);
  const button = page.locator('#perfcompare-fallback');
  await expect(button).toBeVisible();
  await page.evaluate(() => {
    location.hash = '#/perfcompare/runs';
  });
  await page.waitForURL('**/perfcompare-ui/**');
  await expect(page.locator(`${APP} h1, ${APP} h2`).first()).toBeVisible();
});

test('a main.js that does not arrive is explained', async ({ page }) => {
  let blocked = true;
  await page.route('**/perfcompare-ui/main.js*', (route) =>
    blocked ? route.abort() : route.continue(),
  );
  await open(page);
  await page.click(ENTRY);
  const note = page.locator(`${APP} [role=alert]`);
  await expect(note).toContainText('main.js');
  blocked = false;
  await note.getByRole('button').click();
  await expect(page.locator(`${APP} h1, ${APP} h2`).first()).toBeVisible();
});

test('a part of the page that does not arrive is explained', async ({
  page,
}) => {
  await open(page);
  await page.click(ENTRY);
  await expect(page.locator(`${APP} h1`)).toBeVisible();
  await page.route('**/perfcompare-ui/chunk-*.js', (route) => route.abort());
  await page.locator(`${APP} nav a`, { hasText: 'Groups' }).click();
  const note = page.locator(`${APP} [role=alert]`);
  await expect(note).toContainText('could not be loaded');
  await page.unroute('**/perfcompare-ui/chunk-*.js');
  await note.getByRole('button').click();
  await expect(page.locator(`${APP} pc-group-list`)).toBeVisible();
});
