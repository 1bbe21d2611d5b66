/** The pictures of README and manual, of a cluster with a comparison. */

import { apiOf } from '../lib/api.js';
import { APP, open } from '../lib/dashboard.js';
import { keepPicture, sizeFor } from '../lib/pictures.js';
import { newest } from '../lib/runs.js';
import { expect, test } from '../lib/test.js';

test.use({ kept: true });

test('a plan, for the manual @manual', async ({ page }) => {
  await sizeFor(page, 'plan');
  await open(page, '#/perfcompare/new?group=x86&group=arm');
  const app = page.locator(APP);
  await app.getByLabel('Profile', { exact: true }).selectOption('smoke');
  await app.getByRole('button', { name: 'Check and show plan' }).click();
  await expect(app.locator('pc-preflight')).toBeVisible();
  await keepPicture(page, 'plan');
});

test('a comparison, for README and manual @manual', async ({
  page,
  request,
}) => {
  const run = await newest(await apiOf(request, 'admin'), false);
  await sizeFor(page, 'compare');
  await open(
    page,
    `#/perfcompare/compare?baseline=x86&candidate=arm&run=${run}`,
  );
  await expect(
    page.locator(`${APP} pc-forest .f-line a`).first(),
  ).toBeVisible();
  await expect(page.locator(`${APP} .answer-title`)).toBeInViewport();
  await keepPicture(page, 'compare');
});

test('response curves, for the manual @manual', async ({ page, request }) => {
  const run = await newest(await apiOf(request, 'admin'), true);
  test.skip(run === null, 'a run of curves comes first');
  await sizeFor(page, 'curves');
  await open(
    page,
    `#/perfcompare/compare?baseline=x86&candidate=arm&run=${run}`,
  );
  const charts = page.locator(`${APP} pc-chart-card canvas`);
  await expect(charts.first()).toBeInViewport();
  await keepPicture(page, 'curves');
});
