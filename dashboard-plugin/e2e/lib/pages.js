/** All pages of the application, once there is a run with results. */

import { expect } from '@playwright/test';

import { goTo, keptRun } from './app.js';
import { APP } from './dashboard.js';

/** [name, path, what shows that it is complete] */
export function allPages() {
  const run = keptRun();
  const compare = `/compare?baseline=x86&candidate=arm&run=${run}`;
  return [
    ['compare', compare, 'pc-forest .f-line a'],
    ['matrix', `${compare}&view=matrix`, 'table.matrix a'],
    ['table', `${compare}&view=table`, 'pc-compare-table tbody a'],
    ['row', `${compare}&row=write-4K-c16`, 'pc-chart-card canvas >> nth=3'],
    ['runs', '/runs', 'pc-run-list tbody a'],
    ['run', `/runs/${run}`, 'pc-run-trials tbody tr'],
    ['new', '/new', 'pc-run-form form, [role=alert]'],
    ['recoveries', '/recoveries', 'pc-recovery-list .card'],
    ['test', '/recoveries/new', 'pc-recovery-form form, [role=alert]'],
    ['profiles', '/profiles', 'pc-profiles-page tbody tr'],
    ['profile', '/profiles/quick', 'pc-profile-form textarea'],
    ['checks', '/checks', 'pc-checks-page tbody tr'],
    ['groups', '/groups', 'pc-group-list table, pc-group-list .card'],
  ];
}

/** Go there, and wait until it is complete. */
export async function show(page, path, complete) {
  await goTo(page, path);
  await expect(page.locator(APP).locator(complete).first()).toBeVisible();
}

/** What of the application is wider than its place, by its own scroll bar. */
export function tooWide(page) {
  return page.evaluate((name) => {
    const app = document.querySelector(name);
    const found = [];
    for (const one of [document.documentElement, app]) {
      if (one.scrollWidth > one.clientWidth + 1) {
        found.push(`${one.localName}: ${one.scrollWidth}`);
      }
    }
    if (!found.length) {
      return found;
    }
    const right = app.getBoundingClientRect().right;
    for (const one of app.shadowRoot.querySelectorAll('*')) {
      const box = one.getBoundingClientRect();
      if (box.right > right + 1 && !one.closest('.scroll-x, details.menu')) {
        found.push(`${one.localName}.${one.className} ${box.right}`);
      }
    }
    return found.slice(0, 8);
  }, APP);
}
