/** Each page, for each kind of user, in each width. */

import { allPages, show, tooWide } from '../lib/pages.js';
import { look } from '../lib/app.js';
import { ALONE, APP, open } from '../lib/dashboard.js';
import { expect, test } from '../lib/test.js';

test.use({ kept: true });

// The host's navigation does not give way on a telephone: there, it is the
// standalone page that one reads.
for (const [width, other, base] of [
  [1366, 1024, ''],
  [390, 400, ALONE],
]) {
  test(`each page fits into ${width} and ${other} pixels`, async ({ as }) => {
    const page = await as('admin', base);
    const fits = expect.configure({ soft: true });
    await open(page, '#/perfcompare/runs', 'admin', base);
    for (const [name, path, complete] of allPages()) {
      await page.setViewportSize({ width, height: 768 });
      await show(page, path, complete);
      await look(page, `${name}-${width}`, true);
      fits(await tooWide(page), name).toEqual([]);
      await page.setViewportSize({ width: other, height: 768 });
      // what is drawn follows the window a moment later
      await fits
        .poll(() => tooWide(page), { message: `${name} in ${other}` })
        .toEqual([]);
    }
  });
}

test('a reader sees all, and is offered nothing to change', async ({
  reader: page,
}) => {
  await open(page, '#/perfcompare/runs', 'reader');
  const app = page.locator(APP);
  for (const [name, path, complete] of allPages()) {
    await show(page, path, complete);
    for (const menu of await app.locator('pc-actions summary').all()) {
      await menu.click();
      await expect(
        app.getByRole('button', { name: 'Export JSON' }),
      ).toBeVisible();
      await page.keyboard.press('Escape');
    }
    for (const words of [
      /^(new run|import|repeat|cancel|delete|edit|remove)/i,
      /^(start the run|stop load|define|add|create|clean up)/i,
    ]) {
      await expect(
        app
          .locator('button:enabled, a.button, .menu-item')
          .filter({ hasText: words }),
        `${name}: ${words}`,
      ).toHaveCount(0);
    }
  }
  for (const [path, answer] of [
    ['/new', 'pc-plan'],
    // to plan is to look; what is planned has no place on this cluster
    ['/recoveries/new', '[role=alert]'],
  ]) {
    await show(page, path, 'form');
    await app.getByRole('button', { name: 'Check and show plan' }).click();
    await expect(app.locator(answer)).toBeVisible();
    await expect(
      app.getByRole('button', { name: /^Start the/ }),
    ).toBeDisabled();
    await expect(app).toContainText('takes the permission “create”');
  }
});
