/**
 * The pictures of the README and the manual, of the cluster of qa/demo:
 *
 *   dashboard-plugin/e2e/run --prepare
 *   cd dashboard-plugin/e2e && PERFCOMPARE_E2E_DIR=… node pictures.js [NAME…]
 *
 * `plan` any time, `run` while a run is under way, `compare` afterwards; all
 * if none is named. They are written into the manual.
 */

import { chromium } from '@playwright/test';

import { goTo } from './lib/app.js';
import { cephJson, mini } from './lib/cluster.js';
import { APP, open } from './lib/dashboard.js';
import { save } from './lib/users.js';

const IMAGES = new URL('../../doc/mgr/perfcompare/images/', import.meta.url);
const HEIGHTS = { plan: 1060, run: 1050, compare: 900 };
const wanted = process.argv.slice(2);

const { user, password, urls } = JSON.parse(
  await mini('status', '--json'),
).dashboard;
save({ [user]: password });

const browser = await chromium.launch({
  executablePath: process.env.PERFCOMPARE_E2E_BROWSER ?? '/usr/bin/chromium',
  args: process.getuid() === 0 ? ['--no-sandbox'] : [],
});
const page = await browser.newPage({ baseURL: Object.values(urls)[0] });
await open(page, '#/perfcompare/runs', user);
const app = page.locator(APP);

const shown = {
  async plan() {
    await goTo(page, '/new');
    await app.locator('pc-run-form form').waitFor();
    for (const name of ['x86', 'arm']) {
      await app.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check();
    }
    await app.getByLabel('Profile', { exact: true }).selectOption('smoke');
    await app.getByRole('button', { name: 'Check and show plan' }).click();
    await app.locator('pc-preflight').waitFor();
  },
  async run() {
    const { progress } = await cephJson('perfcompare', 'status');
    await goTo(page, `/runs/${progress.run}`);
    await app.locator('pc-run-live canvas').waitFor({ timeout: 300_000 });
    await page.waitForTimeout(60_000); // lines of several trials
  },
  async compare() {
    await goTo(page, '/compare?baseline=x86&candidate=arm');
    await app.locator('pc-forest .f-line a').first().waitFor();
  },
};

for (const name of wanted.length ? wanted : Object.keys(shown)) {
  await page.setViewportSize({ width: 1400, height: HEIGHTS[name] });
  await shown[name]();
  await page.evaluate(() => document.activeElement.blur());
  await page.screenshot({
    path: new URL(`${name}.png`, IMAGES).pathname,
    // what the host has to say about a cluster without Prometheus
    style: '.toast-container, #toast-container { display: none !important }',
  });
  console.log(`${name}.png`);
}
await browser.close();
