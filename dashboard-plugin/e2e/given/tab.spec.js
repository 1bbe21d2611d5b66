/** The tab, and what it shows of the newest run, in any dashboard. */

import { look, tab } from '../lib/app.js';
import {
  APP,
  clickHost,
  ENTRY,
  expectHost,
  expectOurs,
  open,
  watch,
} from '../lib/dashboard.js';
import { expect, test } from '../lib/test.js';

test('the comparison is shown, between pages of the host', async ({ page }) => {
  const errors = watch(page);
  await open(page);
  await expect(page.locator(ENTRY)).toHaveCount(1);
  await page.click(ENTRY);
  await expectOurs(page);
  const app = page.locator(APP);
  const line = app.locator('pc-forest .f-line th a').first();
  await expect(line).toBeVisible();
  await look(page, 'given-compare');
  await line.click();
  await expect(app.getByText('← All workloads')).toBeVisible();
  await expect(app.locator('canvas').first()).toBeVisible();
  await look(page, 'given-row');
  await tab(page, 'Runs').click();
  const newest = app.locator('pc-run-list tbody tr').first();
  await expect(newest).toContainText('completed');
  await clickHost(page, '#/osd');
  await expectHost(page, '#/osd');
  await page.goBack();
  await expectOurs(page);
  expect(errors).toEqual([]);
});
