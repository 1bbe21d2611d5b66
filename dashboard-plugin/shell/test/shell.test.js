import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Pending } from '../src/pending.js';
import { speak } from '../src/languages.js';
import { PATIENCE, Shell } from '../src/shell.js';
import { REEF, TENTACLE, turn, windowOf } from './dom.js';

/** A shell that was started in a window, with what the dashboard answers. */
async function started(html, { hash, permissions = ['read'], load } = {}) {
  const window = windowOf(html, hash ?? '#/overview');
  window.fetch = async () => ({
    ok: true,
    status: 200,
    json: async () => ({ dashboard_ui: 'full', permissions }),
  });
  const shell = new Shell(
    window,
    new Pending(() => window.sessionStorage),
    'https://ceph.example/prefix/perfcompare-ui/',
    load ?? (async () => {}),
    speak('de'),
  );
  shell.start();
  shell.sync();
  await turn();
  const find = (selector) => window.document.querySelector(selector);
  const press = (selector) =>
    find(selector).dispatchEvent(
      new window.MouseEvent('click', { bubbles: true, cancelable: true }),
    );
  return { window, shell, find, press };
}

for (const [name, html] of [
  ['Tentacle', TENTACLE],
  ['Reef', REEF],
]) {
  test(`${name}: the entry opens our page and marks itself`, async () => {
    const { window, find, press } = await started(html);
    press('[data-perfcompare=item] a');
    assert.equal(window.location.hash, '#/perfcompare');
    const element = find('#content > perfcompare-app');
    assert.equal(element.getAttribute('path'), '');
    assert.equal(element.lang, 'de');
    assert.ok(find('html').classList.contains('perfcompare-on'));
    assert.equal(
      find('#sidebar [aria-current]').closest('[data-perfcompare=item]') !==
        null,
      true,
    );
    window.history.pushState(null, '', '#/osd');
    assert.ok(!find('html').classList.contains('perfcompare-on'));
    assert.equal(find('[data-perfcompare=item] [aria-current]'), null);
  });
}

test('who may not read has no entry', async () => {
  const { find } = await started(TENTACLE, { permissions: [] });
  assert.equal(find('[data-perfcompare=item]'), null);
  assert.equal(find('#perfcompare-fallback'), null);
});

test('the entry comes back when the host draws its shell anew', async () => {
  const { window, shell, find } = await started(TENTACLE);
  find('#sidebar').outerHTML = TENTACLE;
  shell.sync();
  assert.ok(find('[data-perfcompare=item]'));
  window.history.pushState(null, '', '#/login');
  find('#sidebar').remove();
  shell.sync();
  assert.equal(find('[data-perfcompare=item]'), null);
});

test('the application moves through the history by its event', async () => {
  const { window, find, press } = await started(TENTACLE);
  press('[data-perfcompare=item] a');
  const event = new window.CustomEvent('perfcompare-navigate', {
    bubbles: true,
    cancelable: true,
    detail: { path: '/runs/1?tab=journal', replace: false },
  });
  find('perfcompare-app').dispatchEvent(event);
  assert.ok(event.defaultPrevented);
  assert.equal(window.location.hash, '#/perfcompare/runs/1?tab=journal');
  assert.equal(
    find('perfcompare-app').getAttribute('path'),
    '/runs/1?tab=journal',
  );
});

/** The application asks for a page, without anybody's click. */
function wish(window, element, path) {
  const event = new window.CustomEvent('perfcompare-navigate', {
    bubbles: true,
    cancelable: true,
    detail: { path, replace: true },
  });
  element.dispatchEvent(event);
  return event;
}

test('what the application asks for late leaves the host in peace', async () => {
  for (const go of [
    (window) => window.history.pushState(null, '', '#/osd'),
    (window) => (window.location.hash = '#/osd'), // its events are to come
  ]) {
    const { window, shell, find, press } = await started(TENTACLE);
    press('[data-perfcompare=item] a');
    const element = find('perfcompare-app');
    go(window);
    shell.sync();
    const event = wish(window, element, '/compare?baseline=x86');
    assert.ok(event.defaultPrevented);
    assert.equal(window.location.hash, '#/osd');
    await turn();
    shell.sync();
    assert.equal(window.location.hash, '#/osd');
    assert.ok(!find('html').classList.contains('perfcompare-on'));
    assert.equal(find('[data-perfcompare=item] [aria-current]'), null);
    assert.equal(element.getAttribute('path'), '');
  }
});

test('what is asked for between a change and its events is late, too', async () => {
  const { window, find, press } = await started(TENTACLE);
  press('[data-perfcompare=item] a');
  window.location.hash = '#/osd';
  wish(window, find('perfcompare-app'), '/compare?baseline=x86');
  assert.equal(window.location.hash, '#/osd');
  await turn();
  assert.ok(!find('html').classList.contains('perfcompare-on'));
});

test('what is shown follows the address, whatever events are lost', async () => {
  const { window, shell, find, press } = await started(TENTACLE);
  const { history } = window;
  const { replaceState } = Object.getPrototypeOf(history); // tells nobody
  press('[data-perfcompare=item] a');
  replaceState.call(history, null, '', '#/osd');
  shell.sync();
  assert.ok(!find('html').classList.contains('perfcompare-on'));
  assert.equal(find('[data-perfcompare=item] [aria-current]'), null);
  replaceState.call(history, null, '', '#/perfcompare/runs');
  shell.sync();
  assert.ok(find('html').classList.contains('perfcompare-on'));
  assert.equal(find('perfcompare-app').getAttribute('path'), '/runs');
  assert.ok(find('[data-perfcompare=item] [aria-current]'));
});

test("the document's title is ours while we are shown", async () => {
  const { window, find, press } = await started(TENTACLE);
  window.document.title = 'Ceph';
  press('[data-perfcompare=item] a');
  find('perfcompare-app').dispatchEvent(
    new window.CustomEvent('perfcompare-title', {
      bubbles: true,
      detail: { title: 'Runs' },
    }),
  );
  assert.equal(window.document.title, 'Runs');
  window.history.pushState(null, '', '#/osd');
  assert.equal(window.document.title, 'Ceph');
  // the host may have another one meanwhile; ours is not told again
  window.document.title = 'Ceph: OSDs';
  press('[data-perfcompare=item] a');
  assert.equal(window.document.title, 'Runs');
  window.history.pushState(null, '', '#/osd');
  assert.equal(window.document.title, 'Ceph: OSDs');
});

test('a title that is told late leaves the host its own', async () => {
  const { window, find, press } = await started(TENTACLE);
  window.document.title = 'Ceph';
  press('[data-perfcompare=item] a');
  const element = find('perfcompare-app');
  window.history.pushState(null, '', '#/osd');
  element.dispatchEvent(
    new window.CustomEvent('perfcompare-title', {
      bubbles: true,
      detail: { title: 'Runs' },
    }),
  );
  assert.equal(window.document.title, 'Ceph');
  press('[data-perfcompare=item] a');
  assert.equal(window.document.title, 'Runs');
});

test('the application rests while the host shows its own pages', async () => {
  const { window, find, press } = await started(TENTACLE);
  press('[data-perfcompare=item] a');
  const element = find('perfcompare-app');
  assert.ok(!element.hasAttribute('resting'));
  window.history.pushState(null, '', '#/osd');
  assert.ok(element.hasAttribute('resting'));
  press('[data-perfcompare=item] a');
  assert.ok(!element.hasAttribute('resting'));
});

test('an unknown shell gets a button to the standalone page', async () => {
  const { shell, find } = await started('<nav id="sidebar"></nav>');
  const now = Date.now();
  shell.sync(now);
  assert.equal(find('#perfcompare-fallback'), null);
  shell.sync(now + PATIENCE + 1000);
  assert.equal(
    find('#perfcompare-fallback').href,
    'https://ceph.example/prefix/perfcompare-ui/',
  );
});

test('our page stays where the host lists no entries', async () => {
  const { window, shell, find } = await started(
    '<nav id="sidebar"></nav><div id="content"><main></main></div>',
  );
  const now = Date.now();
  window.history.pushState(null, '', '#/perfcompare');
  shell.sync(now);
  shell.sync(now + PATIENCE + 1000);
  assert.ok(find('#content > perfcompare-app'));
  assert.equal(find('#perfcompare-fallback'), null);
  window.history.pushState(null, '', '#/overview');
  shell.sync(now);
  shell.sync(now + PATIENCE + 1000);
  assert.ok(find('#perfcompare-fallback'));
});

test('who may not read gets no button either', async () => {
  const { shell, find } = await started('', { permissions: [] });
  shell.sync(Date.now());
  shell.sync(Date.now() + PATIENCE + 1000);
  assert.equal(find('#perfcompare-fallback'), null);
});

test('a missing main.js is explained, and can be tried again', async (t) => {
  t.mock.method(console, 'error', () => {});
  const tries = [];
  const { find, press } = await started(TENTACLE, {
    load: async (n) => {
      tries.push(n);
      if (n === 0) {
        throw new TypeError('Failed to fetch');
      }
    },
  });
  press('[data-perfcompare=item] a');
  await turn();
  assert.match(find('perfcompare-app [role=alert]').textContent, /main\.js/);
  press('perfcompare-app button');
  await turn();
  assert.equal(find('perfcompare-app [role=alert]'), null);
  assert.deepEqual(tries, [0, 1]);
});

test('a deep link hides the default page before it is drawn', async () => {
  const { window, find } = await started(TENTACLE, {
    hash: '#/perfcompare/runs',
  });
  assert.ok(find('html').classList.contains('perfcompare-on'));
  window.history.replaceState(null, '', '#/overview');
  assert.equal(
    find('#content > perfcompare-app').getAttribute('path'),
    '/runs',
  );
});
