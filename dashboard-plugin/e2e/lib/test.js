/** The specs' own test: pages of users who are logged in already. */

import { expect, test as base } from '@playwright/test';

import { goTo } from './app.js';
import { APP } from './dashboard.js';

const SLOWER = Number(process.env.PERFCOMPARE_E2E_THROTTLE ?? 1);

// what the host has to say about a cluster without Prometheus, over our page
const QUIET = '.toast-container, #toast-container { display: none !important }';

/**
 * `as(user)` opens a page. All pages of a user share a browser context: the
 * Manager packs the host's bundle, megabytes, for each browser that asks.
 * With `kept` a user's page is used by one test after the other: the browser
 * needs seconds to begin with that bundle. What is about the host's shell, or
 * about loading, has a page of its own; `as(user, ALONE)` gives one to our page
 * without the host, so that the host's need not be loaded again. Of `guest`
 * nothing is kept but the cache.
 */
export const test = base.extend({
  kept: [false, { option: true }],
  users: [
    async ({ browser }, use) => {
      const known = new Map();
      await use(async (user) => {
        if (!known.has(user)) {
          // what moves is drawn again and again, and no spec looks at it
          const context = await browser.newContext({ reducedMotion: 'reduce' });
          await context.addInitScript(quieten, QUIET);
          known.set(user, { context });
        }
        return known.get(user);
      });
      for (const { context } of known.values()) {
        await context.close();
      }
    },
    { scope: 'worker' },
  ],
  as: async ({ users, kept }, use, info) => {
    const used = [];
    await use(async (user, base = '') => {
      const own = await users(user);
      if (user === 'guest') {
        await forget(own.context);
      }
      const stays = kept && !base;
      const known = stays ? own.page : undefined;
      const page = known ?? (await own.context.newPage());
      if (stays) {
        own.page = page;
      }
      if (!used.some((one) => one.page === page)) {
        used.push({ own, page, stays });
      }
      if (SLOWER > 1 && !known) {
        // a slow machine's browser: what comes late there is found here
        const session = await own.context.newCDPSession(page);
        await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
      }
      return page;
    });
    for (const [at, { own, page, stays }] of used.entries()) {
      const failed = info.status !== info.expectedStatus;
      if (failed && !page.isClosed()) {
        const path = info.outputPath(`page-${at}.png`);
        await page.screenshot({ path }).catch(() => {});
      }
      if (stays && (failed || page.isClosed())) {
        own.page = undefined;
      }
      await (own.page === page
        ? reset(page, info.project.use.viewport)
        : page.close());
    }
  },
  page: async ({ as }, use) => use(await as('admin')),
  reader: async ({ as }, use) => use(await as('reader')),
  guest: async ({ as }, use) => use(await as('guest')),
});

export { expect };

/** Leave nothing of a test to the next one, but the page that is open. */
async function reset(page, viewport) {
  page.removeAllListeners();
  if (page.url().includes('#/perfcompare')) {
    // what is shown at the same address again is not asked for again
    await goTo(page, '/none');
    await expect(page.locator(`${APP} h1`).first()).toBeVisible();
    await expect(page.locator(`${APP} [role=alert]`).first()).toBeVisible();
  }
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.setViewportSize(viewport);
  await page.emulateMedia({
    media: null,
    colorScheme: null,
    forcedColors: null,
  });
}

function quieten(rules) {
  document.addEventListener('DOMContentLoaded', () => {
    const style = document.createElement('style');
    style.textContent = rules;
    document.head.append(style);
  });
}

/** Empty cookies and storage; the cache of files stays. */
async function forget(context) {
  await context.clearCookies();
  const page = await context.newPage();
  await page.goto('perfcompare-ui/standalone.css');
  await page.evaluate(() => localStorage.clear());
  await page.close();
}
