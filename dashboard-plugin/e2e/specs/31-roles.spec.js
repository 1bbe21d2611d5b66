/** What each kind of user finds. */

import { expect, test } from '@playwright/test';

import { APP, ENTRY, expectOurs, open } from '../lib/dashboard.js';

test('a reader finds the tab and cannot start anything', async ({ page }) => {
  await open(page, 'reader', '#/perfcompare/runs');
  await expectOurs(page, '#/perfcompare/runs');
  await page.goto('./#/perfcompare/new');
  await expect(page.locator(APP)).toContainText(/not permitted|permission/i);
});

test('a role without the scope has no entry', async ({ page }) => {
  const answered = page.waitForResponse('**/ui-api/perfcompare/status');
  await open(page, 'outsider');
  await answered;
  await page.waitForTimeout(3000);
  await expect(page.locator(ENTRY)).toHaveCount(0);
  await expect(page.locator('#perfcompare-fallback')).toHaveCount(0);
  await page.goto('./#/perfcompare');
  await expect(page.locator(APP)).toContainText(/not permitted|permission/i);
});

test('the next user of the browser has what is his', async ({ page }) => {
  await open(page, 'outsider');
  await page.context().clearCookies();
  await page.goto('about:blank');
  await open(page, 'admin');
  await expect(page.locator(ENTRY)).toBeVisible();
});
