/** The dashboard as its user sees it. */

import { expect } from '@playwright/test';

import { RELEASE } from './cluster.js';
import { password } from './users.js';

/** Where the dashboards differ. */
export const HOST = {
  tentacle: { start: '#/overview' },
  reef: { start: '#/dashboard' },
}[RELEASE];

export const ENTRY = '[data-perfcompare=item] a';
export const APP = 'perfcompare-app';
export const ALONE = 'perfcompare-ui/'; // without the host's shell

/** Fill in the login page that is shown. */
export async function login(page, user = 'admin') {
  await page.fill('input[name=username]', user);
  await page.fill('input[name=password]', password(user));
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => !location.hash.includes('login'));
}

/**
 * Open the dashboard, or (`base`: ALONE) our page without it; log in where it
 * asks to, wait for the shell.
 */
export async function open(page, hash = '', user = 'admin', base = '') {
  if (base) {
    const cookies = await page.context().cookies();
    if (!cookies.some(({ name }) => name === 'token')) {
      await open(page, '', user);
    }
    await page.goto('about:blank'); // another hash is no load
    await page.goto(`./${base}${hash}`);
    return;
  }
  await page.goto(`./${hash}`);
  const name = page.locator('input[name=username]');
  const shell = page.locator('#sidebar');
  await expect(name.or(shell).first()).toBeVisible();
  if (await name.isVisible()) {
    await login(page, user);
  }
  await expect(shell).toBeVisible();
}

/**
 * Expect our application in the host's shell, and nothing of the host: at
 * that very address, or at any of ours (the start page chooses its own).
 */
export async function expectOurs(page, hash) {
  const wanted = hash ?? expect.stringMatching(/^#\/perfcompare\b/);
  await expect.poll(() => hashOf(page)).toEqual(wanted);
  await expect(page.locator(`#content > ${APP}`)).toBeVisible();
  await expect(page.locator(`${APP} h1, ${APP} h2`).first()).toBeVisible();
  await expect(page.locator(`#content > :not(${APP})`).first()).toBeHidden();
  await expect(page.locator('#sidebar')).toBeVisible();
  await expect(page.locator(ENTRY)).toHaveAttribute('aria-current', 'page');
  expect(await marked(page)).toEqual([true]);
}

/** Expect a page of the host, and nothing of ours but the entry. */
export async function expectHost(page, hash) {
  await expect.poll(() => hashOf(page)).toMatch(new RegExp(`^${hash}`));
  await expect(page.locator(`#content > :not(${APP})`).first()).toBeVisible();
  await expect(page.locator(APP)).toBeHidden();
  await expect(page.locator(ENTRY)).not.toHaveAttribute('aria-current');
}

export function hashOf(page) {
  return page.evaluate(() => location.hash);
}

/** For each marked entry of the navigation, whether it is ours. */
function marked(page) {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '#sidebar li.active > a, #sidebar a.cds--side-nav__item--active',
      ),
    ].map((e) => e.closest('[data-perfcompare=item]') !== null),
  );
}

/** Click an entry of the host, in a closed menu, too. */
export function clickHost(page, hash) {
  return page.evaluate((href) => {
    document.querySelector(`#sidebar a[href="${href}"]`).click();
  }, hash);
}

/** Log out by the host's own menu. */
export async function logout(page) {
  const end = page
    .locator('button:visible, a:visible')
    .filter({ hasText: /^\s*(sign|log) ?out\s*$/i })
    .first();
  const menu = page.locator('cd-identity').locator('button, a').first();
  await expect(async () => {
    if ((await hashOf(page)).startsWith('#/login')) {
      return; // by a click that a busy machine took too long to answer
    }
    if (!(await end.isVisible())) {
      await menu.click({ timeout: 2000 });
    }
    await end.click({ timeout: 2000 });
  }).toPass();
  await page.waitForFunction(() => location.hash.startsWith('#/login'));
}

/** Collect errors of our own code; the host has some of its own. */
export function watch(page) {
  const errors = [];
  page.on('pageerror', (error) => {
    if (/perfcompare/.test(error.stack ?? '')) {
      errors.push(error.message);
    }
  });
  page.on('console', (message) => {
    const { url } = message.location();
    if (
      message.type() === 'error' &&
      /perfcompare/.test(url + message.text())
    ) {
      errors.push(`${message.text()} ${url}`);
    }
  });
  return errors;
}
