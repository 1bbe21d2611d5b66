import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Highlight } from '../src/highlight.js';
import { speak } from '../src/languages.js';
import { NavEntry } from '../src/nav.js';
import { REEF, TENTACLE, turn, windowOf } from './dom.js';

const LABEL = speak('de').label;

for (const [name, html] of [
  ['Tentacle', TENTACLE],
  ['Reef', REEF],
]) {
  test(`${name}: one entry, made of one of the host's`, () => {
    const { document } = windowOf(html);
    const nav = new NavEntry(document, LABEL);
    assert.ok(nav.add() && nav.add());
    const items = document.querySelectorAll('[data-perfcompare=item]');
    assert.equal(items.length, 1);
    const link = items[0].querySelector('a');
    assert.equal(link.getAttribute('href'), '#/perfcompare');
    assert.equal(items[0].textContent.trim(), LABEL);
    assert.equal(items[0].outerHTML.includes('tc_'), false);
    assert.equal(items[0].outerHTML.includes('routerlink'), false);
    assert.equal(document.querySelectorAll('#logs').length, +(html === REEF));
    nav.remove();
    assert.equal(document.querySelector('[data-perfcompare]'), null);
  });

  test(`${name}: the entry is marked as the host marks its own`, () => {
    const { document } = windowOf(html);
    const nav = new NavEntry(document, LABEL);
    nav.add();
    const link = document.querySelector('[data-perfcompare=item] a');
    nav.mark(true);
    assert.equal(link.getAttribute('aria-current'), 'page');
    assert.ok(link.closest('[class*=active]'));
    nav.mark(false);
    assert.equal(link.getAttribute('aria-current'), null);
    assert.equal(link.closest('[class*=active]'), null);
  });

  test(`${name}: the host's mark goes, stays off and comes back`, async () => {
    const { document } = windowOf(html);
    const side = document.getElementById('sidebar');
    const before = side.innerHTML;
    const highlight = new Highlight(document);
    highlight.takeOff();
    assert.equal(side.querySelector('[aria-current], .active'), null);
    const link = side.querySelector('a');
    link.setAttribute('aria-current', 'page'); // the host's router is late
    await turn();
    assert.equal(link.getAttribute('aria-current'), null);
    highlight.putBack();
    await turn();
    assert.equal(link.getAttribute('aria-current'), 'page');
    if (html === TENTACLE) {
      assert.equal(side.innerHTML.length, before.length);
    }
  });
}

test('an unknown shell gets no entry', () => {
  const { document } = windowOf(
    '<nav id="sidebar"><a href="#/osd">O</a></nav>',
  );
  assert.equal(new NavEntry(document, LABEL).add(), false);
  assert.equal(new NavEntry(windowOf('').document, LABEL).add(), false);
});
