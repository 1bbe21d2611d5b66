import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  hashOf,
  isBare,
  isEmpty,
  isLogin,
  isOurs,
  pathOf,
  samePage,
} from '../src/hash.js';

test('only the route itself and what is below it is ours', () => {
  for (const hash of [
    '#/perfcompare',
    '#/perfcompare/runs/1?tab=journal',
    '#/perfcompare?x=1',
  ]) {
    assert.ok(isOurs(hash), hash);
  }
  for (const hash of [
    '',
    '#/',
    '#/perfcomparex',
    '#/osd',
    '#/osd/perfcompare',
  ]) {
    assert.ok(!isOurs(hash), hash);
  }
});

test('the path keeps everything after the route', () => {
  assert.equal(pathOf('#/perfcompare'), '');
  assert.equal(pathOf('#/perfcompare/runs?a=1'), '/runs?a=1');
  assert.equal(pathOf('#/osd'), '');
});

test('the hash of a URL is found as pushState takes it', () => {
  const location = { hash: '#/now' };
  const base = 'https://ceph.example/prefix/';
  assert.equal(hashOf(undefined, location, base), '#/now');
  assert.equal(hashOf(null, location, base), '#/now');
  assert.equal(hashOf('#/osd?x=1', location, base), '#/osd?x=1');
  assert.equal(hashOf('/prefix/#/osd', location, base), '#/osd');
  assert.equal(hashOf(new URL('https://c/#/a'), location, base), '#/a');
  assert.equal(hashOf('http://[', location, base), '');
});

test('pages are the same whatever their queries and last slashes', () => {
  assert.ok(samePage('#/osd?x=1', '#/osd/'));
  assert.ok(!samePage('#/osd', '#/osds'));
});

test('pages without a login and pages without a shell are known', () => {
  assert.ok(isLogin('#/login?returnUrl=%2Foverview'));
  assert.ok(isLogin('#/login-change-password'));
  assert.ok(isLogin('#/sso/404'));
  assert.ok(!isLogin('#/logins'));
  assert.ok(isBare('#/api-docs'));
  assert.ok(isEmpty('#/') && isEmpty('') && !isEmpty('#/osd'));
});
