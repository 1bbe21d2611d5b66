/** The run of a response curve: asked for early, looked at when it has ended. */

import { expect } from '@playwright/test';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';

import { idle } from './api.js';
import { FOLDER } from './cluster.js';
import { APP, open } from './dashboard.js';

const CURVE = `${FOLDER}/e2e-curve`;

export const LADDER = ['1', '2', '4', '8'];
const ASKED = {
  sizes: '4K',
  duration: '3',
  rounds: '1',
  curve: LADDER.join(','),
  slo: 'p50=8ms',
};

/** The id of the run that was asked for, or null. */
export function keptCurve() {
  return existsSync(CURVE) ? readFileSync(CURVE, 'utf8') : null;
}

/** Ask for it in the form; return its id. */
export async function askForCurve(page, api) {
  await idle(api);
  await open(page, '#/perfcompare/new?group=x86&group=arm');
  const app = page.locator(APP);
  await app.getByLabel('Profile', { exact: true }).selectOption('smoke');
  await app.getByText('More settings').click();
  await app
    .getByRole('checkbox', { name: 'RBD random read', exact: true })
    .check();
  for (const [key, value] of Object.entries(ASKED)) {
    await app.locator(`#${key}`).fill(value);
  }
  await app.getByRole('button', { name: 'Check and show plan' }).click();
  const plan = app.locator('pc-plan');
  await expect(plan).toContainText(
    'curves of 4 points in flight, judged at p50 ≤ 8 ms',
  );
  const consent = app.getByRole('checkbox', { name: /consent|mean it/i });
  if (await consent.count()) {
    await consent.first().check();
  }
  await app.getByRole('button', { name: 'Start the run' }).click();
  await expect
    .poll(() => page.evaluate(() => location.hash))
    .toMatch(/^#\/perfcompare\/runs\/[0-9a-f]{8}/);
  const run = (await page.evaluate(() => location.hash)).slice(19, 27);
  writeFileSync(CURVE, run);
  return run;
}
