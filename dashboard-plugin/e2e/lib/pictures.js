/** The pictures of README and manual: as large, and as still, each time. */

import { mkdirSync } from 'node:fs';

import { APP } from './dashboard.js';

const RESULTS = process.env.PERFCOMPARE_E2E_RESULTS ?? 'results';
const FOLDER = process.env.PERFCOMPARE_E2E_PICTURES ?? `${RESULTS}/manual`;

/** Whether pictures are made, or only that they can be is tested. */
export const MAKING = Boolean(process.env.PERFCOMPARE_E2E_PICTURES);

const HEIGHTS = { plan: 1060, run: 1050, compare: 900, curves: 768 };

/** Set the size of a picture, before its page is opened. */
export async function sizeFor(page, name) {
  await page.setViewportSize({ width: 1400, height: HEIGHTS[name] });
}

/** Let a run go on for as long as its picture needs; in a test it does not. */
export async function goOn(page) {
  if (MAKING) {
    await page.waitForTimeout(60_000);
  }
}

/** Keep what is seen as the picture `name` of the manual. */
export async function keepPicture(page, name) {
  mkdirSync(FOLDER, { recursive: true });
  await page.evaluate(() => document.activeElement.blur());
  await page.locator(APP).hover({ position: { x: 1, y: 1 } });
  await page.screenshot({ path: `${FOLDER}/${name}.png` });
}
