/** The application's pages, by what is written on them. */

import AxeBuilder from '@axe-core/playwright';
import { expect } from '@playwright/test';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

import { FOLDER } from './cluster.js';
import { APP } from './dashboard.js';

const RUN = `${FOLDER}/e2e-run`;
const SHOTS = process.env.PERFCOMPARE_E2E_SHOTS; // a folder, to see all pages

/** Go to a page of the application, as a typed address does. */
export async function goTo(page, path) {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, `#/perfcompare${path}`);
}

/** A tab of the application. */
export function tab(page, name) {
  return page.locator(APP).getByRole('link', { name, exact: true }).first();
}

/** Open the menu of a run or a recovery test, and choose from it.
 *
 * A page that moves closes its menus, as it should: then it is opened again.
 */
export async function choose(app, id, name, role = 'button') {
  const item = app.getByRole(role, { name, exact: true });
  await expect(async () => {
    if (!(await item.isVisible())) {
      await app.getByLabel(`Actions of ${id}`).click({ timeout: 5_000 });
    }
    await item.click({ timeout: 5_000 });
  }).toPass({ timeout: 60_000 });
}

/** Keep the id of the run that the story is about. */
export function keepRun(id) {
  writeFileSync(RUN, id);
}

export function keptRun() {
  return readFileSync(RUN, 'utf8');
}

/** Keep a picture, where someone wants to see them. */
export async function picture(page, name) {
  if (!SHOTS) {
    return; // of a test that fails there is one anyway
  }
  mkdirSync(SHOTS, { recursive: true });
  await page.screenshot({ path: `${SHOTS}/${name}.png` });
}

/** Expect no violation of accessibility that is serious, or `any`; keep a picture. */
export async function look(page, name, any = false) {
  await picture(page, name);
  // a page that stays has it already, and what it is made of takes long to read
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(new AxeBuilder({ page }).script());
  }
  const axe = new AxeBuilder({ page, axeSource: 'void 0' })
    .include(APP)
    .options({ resultTypes: ['violations'] });
  // in the page itself, not in a blank one beside it: there are no frames of
  // other origins, which is what that leaves out
  const { violations } = await axe.setLegacyMode(true).analyze();
  const found = violations
    .filter(
      ({ impact }) => any || impact === 'serious' || impact === 'critical',
    )
    .map(({ id, nodes }) => `${id}: ${nodes[0].target.join(' ')}`);
  expect(found, name).toEqual([]);
}
