/** Between the host's pages and ours, in every way there is. */

import { expect, test } from '../lib/test.js';

import {
  APP,
  clickHost,
  ENTRY,
  expectHost,
  expectOurs,
  hashOf,
  HOST,
  login,
  logout,
  open,
  watch,
} from '../lib/dashboard.js';

test('clicks, history, typed addresses and reload', async ({ page }) => {
  const errors = watch(page);
  await open(page);
  await expect(page.locator(ENTRY)).toHaveCount(1);
  await page.click(ENTRY);
  await expectOurs(page);
  await clickHost(page, '#/osd');
  await expectHost(page, '#/osd');
  await page.click(ENTRY);
  await expectOurs(page);
  await clickHost(page, '#/osd'); // the host believes to be there
  await expectHost(page, '#/osd');
  await page.goBack();
  await expectOurs(page);
  await page.goBack();
  await expectHost(page, '#/osd');
  await page.goForward();
  await expectOurs(page);
  await page.goForward();
  await expectHost(page, '#/osd');
  await page.click(ENTRY);
  await page.click('a.navbar-brand, cds-header-name a, .cds--header__name');
  await expectHost(page, HOST.start);
  await page.evaluate(() => {
    location.hash = '#/perfcompare/runs?page=1';
  });
  await expectOurs(page, '#/perfcompare/runs?page=1');
  await page.evaluate(() => {
    location.hash = '#/hosts';
  });
  await expectHost(page, '#/hosts');
  await page.click(ENTRY);
  await page.reload();
  await expectOurs(page);
  await page.goBack();
  await expectHost(page, '#/hosts');
  await page.goForward();
  await expectOurs(page);
  expect(errors).toEqual([]);
});

for (const [way, leave] of [
  ['a click', (page) => clickHost(page, '#/osd')],
  ['the history', (page) => page.goBack()],
]) {
  test(`an answer that comes after ${way} takes nobody back`, async ({
    page,
  }) => {
    // the start page chooses its own address, by the runs that it asks for
    const run = {
      id: '1a7e0000',
      groups: ['x86', 'arm'],
      label: '',
      origin: 'cli',
      trials: 12,
    };
    const held = [];
    await page.route('**/api/perfcompare/run?*', (route) => {
      held.push(route);
    });
    await open(page, '#/osd');
    await page.click(ENTRY);
    await expectOurs(page, '#/perfcompare');
    await expect.poll(() => held.length).toBeGreaterThan(0);
    await leave(page);
    await expectHost(page, '#/osd');
    for (const route of held.splice(0)) {
      await route.fulfill({ json: { runs: [run], total: 1 } });
    }
    // time for what the answer leads to
    await page.waitForTimeout(2000);
    await expectHost(page, '#/osd');
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    await page.click(ENTRY);
    await expectOurs(page);
  });
}

test("the host's error page leads to ours and back", async ({ page }) => {
  await open(page);
  await page.evaluate(() => {
    location.hash = '#/perfcomparex';
  });
  await expectHost(page, '#/(error|404)');
  await page.click(ENTRY);
  await expectOurs(page);
  await clickHost(page, '#/hosts');
  await expectHost(page, '#/hosts');
});

test('a deep link works with and without a login', async ({ guest: page }) => {
  const deep = '#/perfcompare/groups?x=1';
  await page.goto(`./${deep}`);
  await expect(page.locator('input[name=username]')).toBeVisible();
  expect(await hashOf(page)).toMatch(/^#\/login/);
  await login(page);
  await expectOurs(page, deep);
  const second = await page.context().newPage();
  await second.goto(`./${deep}`);
  await expectOurs(second, deep);
  await second.close();
});

test('links of ours open pages, in the history, and in a new tab', async ({
  page,
}) => {
  await open(page);
  await page.click(ENTRY);
  await expectOurs(page);
  const runs = page.locator(`${APP} a[href="#/perfcompare/runs"]`).first();
  await runs.click();
  await expectOurs(page, '#/perfcompare/runs');
  await page.goBack();
  await expectOurs(page);
  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    runs.click({ modifiers: ['Control'] }),
  ]);
  await expectOurs(tab, '#/perfcompare/runs');
  await tab.close();
  await expectOurs(page);
});

test('a logout ends it, the next login starts at the host', async ({
  guest: page,
}) => {
  await open(page);
  await page.click(ENTRY);
  await expectOurs(page);
  await logout(page);
  await expect(page.locator('#sidebar')).toHaveCount(0);
  await expect(page.locator(APP)).toHaveCount(0);
  await login(page);
  await expectHost(page, HOST.start);
  await page.click(ENTRY);
  await expectOurs(page);
  await expect(page.locator(ENTRY)).toHaveCount(1);
});

test('a session that ends leads to the login, and on', async ({
  guest: page,
}) => {
  await open(page);
  await page.click(ENTRY);
  await expectOurs(page);
  await page.context().clearCookies();
  await page.waitForFunction(() => location.hash.startsWith('#/login'));
  await expect(page.locator(APP)).toHaveCount(0);
  await login(page);
  await expect(page.locator(ENTRY)).toHaveCount(1);
  await page.click(ENTRY);
  await expectOurs(page);
});

test('there is one scroll bar, and the end can be reached', async ({
  page,
}) => {
  await open(page);
  await page.click(ENTRY);
  await expectOurs(page);
  await page.evaluate((name) => {
    const filler = document.createElement('div');
    filler.style.height = '4000px';
    filler.textContent = 'long';
    document.querySelector(name).shadowRoot.appendChild(filler);
  }, APP);
  const scrollers = () =>
    page.evaluate((name) => {
      const found = [];
      let element = document.querySelector(name);
      for (; element; element = element.parentElement) {
        const { overflowY } = getComputedStyle(element);
        const root = element === document.documentElement;
        const can = root
          ? overflowY !== 'hidden'
          : /auto|scroll/.test(overflowY);
        if (can && element.scrollHeight > element.clientHeight + 1) {
          found.push(element.localName);
        }
      }
      return found;
    }, APP);
  await expect.poll(async () => (await scrollers()).length).toBe(1);
  const top = await page.locator(`${APP} h1, ${APP} h2`).first().boundingBox();
  expect(top.y).toBeGreaterThan(40); // below the host's header
});
