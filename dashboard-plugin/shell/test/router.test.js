import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Pending } from '../src/pending.js';
import { Router } from '../src/router.js';
import { TENTACLE, turn, typeHash, windowOf } from './dom.js';

/** A router in a window, with a host that listens as Angular does. */
function routed(hash = '#/overview', html = TENTACLE) {
  const window = windowOf(html, hash);
  const calls = [];
  const pending = new Pending(() => window.sessionStorage);
  const router = new Router(window, pending, {
    enter: (h) => calls.push(h),
    leave: () => calls.push('leave'),
  });
  const booted = router.install();
  const seen = [];
  window.addEventListener('popstate', () => seen.push(window.location.hash));
  return { window, router, pending, calls, seen, booted };
}

function click(window, html, init = {}) {
  const box = window.document.createElement('div');
  box.innerHTML = html;
  window.document.body.appendChild(box);
  const event = new window.MouseEvent('click', {
    bubbles: true,
    cancelable: true,
    composed: true,
    ...init,
  });
  box.querySelector('[data-x]').dispatchEvent(event);
  return event;
}

test('the host never hears of our hashes', () => {
  const { window, calls, seen } = routed();
  typeHash(window, '#/perfcompare/runs');
  assert.deepEqual(seen, []);
  assert.deepEqual(calls, ['#/perfcompare/runs']);
  typeHash(window, '#/osd');
  assert.deepEqual(seen, ['#/osd']);
  assert.equal(calls.at(-1), 'leave');
});

test('the host going elsewhere ends our page', () => {
  const { window, router, calls } = routed();
  router.go('#/perfcompare');
  assert.ok(router.active);
  window.history.pushState(null, '', '#/hosts');
  assert.ok(!router.active);
  assert.equal(calls.at(-1), 'leave');
  assert.equal(window.location.hash, '#/hosts');
});

test('a deep link lets the host boot, and comes after it', () => {
  const { window, router, booted, calls } = routed('#/perfcompare/runs?x=1');
  assert.ok(booted);
  assert.equal(window.location.hash, '#/');
  window.history.replaceState(null, '', '#/'); // Angular's first write
  assert.ok(!router.active);
  window.history.replaceState(null, '', '#/overview');
  assert.equal(window.location.hash, '#/perfcompare/runs?x=1');
  assert.deepEqual(calls, ['#/perfcompare/runs?x=1']);
});

test("an error of the host's start page does not hide a deep link", () => {
  const { window, router } = routed('#/perfcompare/runs');
  window.history.replaceState(null, '', '#/dashboard');
  window.history.pushState({ message: 'denied' }, '', '#/error');
  assert.ok(router.active);
  assert.equal(window.location.hash, '#/perfcompare/runs');
  assert.equal(window.history.state.message, 'denied');
  click(window, '<p data-x>anything</p>');
  window.history.pushState(null, '', '#/error');
  assert.ok(!router.active);
  assert.equal(window.location.hash, '#/error');
});

test('a deep link waits for the login', () => {
  const { window, router } = routed('#/perfcompare/runs/3');
  window.history.replaceState(null, '', '#/login?returnUrl=%2Foverview');
  assert.ok(!router.active);
  assert.match(window.location.hash, /^#\/login/);
  window.history.pushState(null, '', '#/overview');
  assert.equal(window.location.hash, '#/perfcompare/runs/3');
});

test('after a logout the next login starts on a page of the host', () => {
  const { window, router, pending } = routed();
  router.go('#/perfcompare');
  window.history.pushState(null, '', '#/login');
  assert.equal(pending.hash, null);
  window.history.pushState(null, '', '#/overview');
  assert.equal(window.location.hash, '#/overview');
});

test('a session that ended comes back to our page', () => {
  for (const [login, expired] of [
    ['#/login?returnUrl=%2Fosd', false],
    ['#/login', true],
  ]) {
    const { window, router } = routed();
    router.go('#/perfcompare/runs');
    router.expired = expired;
    window.history.pushState(null, '', login);
    window.history.pushState(null, '', '#/overview');
    assert.equal(window.location.hash, '#/perfcompare/runs');
  }
});

test('our hash typed on the login page waits for the login', () => {
  const { window, calls } = routed();
  window.history.replaceState(null, '', '#/login');
  typeHash(window, '#/perfcompare');
  assert.equal(window.location.hash, '#/login');
  assert.deepEqual(calls, []);
});

test('a click on our link is handled without the browser', () => {
  const { window, router } = routed();
  const event = click(
    window,
    '<a href="#/perfcompare/runs"><b data-x>Runs</b></a>',
  );
  assert.ok(event.defaultPrevented);
  assert.ok(router.active);
  assert.equal(window.location.hash, '#/perfcompare/runs');
});

test('clicks that open tabs and links of the application are left', () => {
  const { window, router } = routed();
  const link = '<a data-x href="#/perfcompare/runs">Runs</a>';
  for (const init of [{ ctrlKey: true }, { shiftKey: true }, { button: 1 }]) {
    assert.ok(!click(window, link, init).defaultPrevented);
  }
  const app = `<perfcompare-app>${link}</perfcompare-app>`;
  window.addEventListener('click', (e) => e.preventDefault()); // jsdom would go
  click(window, app);
  assert.ok(!router.active);
});

test('a click on the page that the host believes to show works', () => {
  for (const link of [
    '<a data-x href="#/overview">Overview</a>',
    '<button data-x routerlink="/overview">Overview</button>',
    '<perfcompare-app><a data-x href="#/overview">O</a></perfcompare-app>',
  ]) {
    const { window, router } = routed();
    window.history.replaceState(null, '', '#/overview?x=1');
    router.go('#/perfcompare');
    click(window, link);
    assert.ok(!router.active, link);
    assert.equal(window.location.hash, '#/overview?x=1');
  }
});

test('back and forward go through our pages', async () => {
  const { window, router } = routed('#/overview');
  router.go('#/perfcompare');
  router.go('#/perfcompare/runs');
  window.history.back();
  await turn();
  await turn();
  assert.equal(window.location.hash, '#/perfcompare');
  assert.ok(router.active);
});

test('the application can replace its page', () => {
  const { window, router } = routed();
  router.go('#/perfcompare');
  const before = window.history.length;
  router.go('#/perfcompare?group=x', true);
  assert.equal(window.history.length, before);
  assert.equal(window.location.hash, '#/perfcompare?group=x');
});
