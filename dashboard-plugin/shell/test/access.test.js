import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Access } from '../src/access.js';

function answering(...answers) {
  const asked = [];
  const access = new Access(
    '/ui-api/perfcompare/status',
    async (url, init) => {
      asked.push([url, init.headers.Accept]);
      const [status, body] = answers.shift() ?? [500];
      if (status === 0) {
        throw new TypeError('network');
      }
      return { status, ok: status < 300, json: async () => body };
    },
    () => {},
  );
  return { access, asked };
}

const full = { dashboard_ui: 'full', permissions: ['read'] };

test('only who may read has the entry, and only in full mode', async () => {
  for (const [answer, allowed] of [
    [[200, full], true],
    [[200, { ...full, permissions: [] }], false],
    [[200, { ...full, dashboard_ui: 'standalone' }], false],
    [[403], false],
    [[404], false],
    [[401], null],
    [[500], null],
    [[200, null], null],
    [[0], null],
  ]) {
    const { access } = answering(answer);
    await access.ask();
    assert.equal(access.allowed, allowed, JSON.stringify(answer));
  }
});

test('the dashboard is asked once, and again only where it failed', async () => {
  const { access, asked } = answering([500], [200, full]);
  await access.ask(0);
  await access.ask(10_000);
  assert.equal(asked.length, 1);
  await access.ask(20_000);
  await access.ask(90_000);
  assert.equal(asked.length, 2);
  assert.equal(access.allowed, true);
  assert.equal(asked[0][1], 'application/vnd.ceph.api.v1.0+json');
});

test('an answer for who logged out is not taken for the next user', async () => {
  const { access } = answering([200, full]);
  const asking = access.ask();
  access.forget();
  await asking;
  assert.equal(access.allowed, null);
});
