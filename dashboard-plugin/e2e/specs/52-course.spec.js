/** The page of a recovery: its answer, its course, then its figures. */

import { expect, test } from '../lib/test.js';

import { look } from '../lib/app.js';
import { APP, open, watch } from '../lib/dashboard.js';
import { tooWide } from '../lib/pages.js';
import { DETAIL, seriesOf } from '../lib/recovery.js';

const { id } = DETAIL.item;

for (const [width, base] of [
  [1366, ''],
  [390, 'perfcompare-ui/'],
]) {
  test(`a recovery has its answer first, in ${width} pixels`, async ({
    reader: page,
  }) => {
    const errors = watch(page);
    await page.route(`**/api/perfcompare/recovery/${id}*`, (route) =>
      route.fulfill({ json: DETAIL }),
    );
    await page.route(`**/api/perfcompare/recovery/${id}/series*`, (route) => {
      const { searchParams } = new URL(route.request().url());
      return route.fulfill({ json: seriesOf(searchParams.get('source')) });
    });
    await page.setViewportSize({ width, height: 768 });
    await open(page, '', 'reader');
    await page.goto(`./${base}#/perfcompare/recoveries/${id}`);
    const app = page.locator(APP);
    const answer = app.locator('pc-recovery-detail .lead');
    await expect(answer).toContainText(/x86\s*21 s\s*arm\s*42 s/);
    await expect(answer).toContainText('so not judged');
    await expect(answer).toBeInViewport();
    await expect(app.locator('canvas')).toBeInViewport();
    await expect(app.locator('.keys li')).toHaveText([/x86/, /arm/]);
    const phases = app.locator('details').filter({ hasText: 'Phases' });
    await expect(phases.locator('table')).toBeHidden();
    await phases.locator('summary').click();
    await expect(phases.locator('table')).toBeVisible();
    expect(await tooWide(page)).toEqual([]);
    await look(page, `recovery-${width}`);
    expect(errors).toEqual([]);
  });
}
