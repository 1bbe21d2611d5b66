import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Pending } from '../src/pending.js';

function storage() {
  const kept = new Map();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
}

test('a page survives a reload and is given out once', () => {
  const store = storage();
  new Pending(() => store).set('#/perfcompare/runs');
  const after = new Pending(() => store);
  assert.equal(after.take(), '#/perfcompare/runs');
  assert.equal(after.hash, null);
  assert.equal(new Pending(() => store).hash, null);
});

test('a page is forgotten after ten minutes', () => {
  const store = storage();
  new Pending(
    () => store,
    () => 0,
  ).set('#/perfcompare');
  const after = (now) =>
    new Pending(
      () => store,
      () => now,
    ).hash;
  assert.equal(after(599_999), '#/perfcompare');
  assert.equal(after(600_000), null);
});

test('what another program stored is not followed', () => {
  for (const value of ['', '{', '[]', '["#/osd", 9e15]', '[7, 9e15]', '3']) {
    const store = storage();
    store.setItem('perfcompare-pending', value);
    assert.equal(new Pending(() => store).hash, null);
  }
});

test('forbidden storage is no obstacle', () => {
  const pending = new Pending(() => {
    throw new Error('forbidden');
  });
  pending.set('#/perfcompare');
  assert.equal(pending.take(), '#/perfcompare');
});
