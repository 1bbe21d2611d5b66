/** The specs' own test: pages of users who are logged in already. */

import { test as base } from '@playwright/test';

const SLOWER = Number(process.env.PERFCOMPARE_E2E_THROTTLE ?? 1);

/**
 * `as(user)` opens a page. All pages of a user share a browser context: the
 * Manager packs the host's bundle, megabytes, for each browser that asks.
 * Of `guest` nothing is kept but that cache.
 */
export const test = base.extend({
  contexts: [
    async ({ browser }, use) => {
      const kept = new Map();
      await use(async (user) => {
        if (!kept.has(user)) {
          kept.set(user, await browser.newContext());
        }
        return kept.get(user);
      });
      for (const context of kept.values()) {
        await context.close();
      }
    },
    { scope: 'worker' },
  ],
  as: async ({ contexts }, use, info) => {
    const pages = [];
    await use(async (user) => {
      const context = await contexts(user);
      if (user === 'guest') {
        await forget(context);
      }
      const page = await context.newPage();
      pages.push(page);
      if (SLOWER > 1) {
        // a slow machine's browser: what comes late there is found here
        const session = await context.newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      }
      return page;
    });
    for (const [at, page] of pages.entries()) {
      if (info.status !== info.expectedStatus && !page.isClosed()) {
        const path = info.outputPath(`page-${at}.png`);
        await page.screenshot({ path }).catch(() => {});
      }
      await page.close();
    }
  },
  page: async ({ as }, use) => use(await as('admin')),
  reader: async ({ as }, use) => use(await as('reader')),
  guest: async ({ as }, use) => use(await as('guest')),
});

export { expect } from '@playwright/test';

/** Empty cookies and storage; the cache of files stays. */
async function forget(context) {
  await context.clearCookies();
  const page = await context.newPage();
  await page.goto('perfcompare-ui/standalone.css');
  await page.evaluate(() => localStorage.clear());
  await page.close();
}
