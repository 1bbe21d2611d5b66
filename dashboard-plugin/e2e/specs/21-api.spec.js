/** REST: who may do what; a run is under way meanwhile. */

import { expect, test } from '../lib/test.js';

import { apiOf } from '../lib/api.js';
import { ceph, cephJson } from '../lib/cluster.js';

// where it is the host alone that is looked at, all OSDs are native ones
const FOUND = process.env.PERFCOMPARE_E2E_HOST_ONLY ? ['x86'] : ['arm', 'x86'];
const REQUEST = { groups: ['arm', 'x86'], profile: 'smoke' };

test('without a login nothing of the API answers', async ({ request }) => {
  const api = await apiOf(request);
  for (const path of [
    'api/perfcompare/status',
    'api/perfcompare/run',
    'ui-api/perfcompare/status',
  ]) {
    expect((await api.get(path)).status, path).toBe(401);
  }
});

test('an administrator and a cluster manager may do all', async ({
  request,
}) => {
  for (const user of ['admin', 'manager']) {
    const api = await apiOf(request, user);
    const { data } = await api.get('api/perfcompare/status');
    expect(data.permissions).toEqual(['read', 'create', 'update', 'delete']);
    expect(data.version).toMatch(/^\d+\.\d+/);
  }
});

test('a reader reads, plans and detects, and changes nothing', async ({
  request,
}) => {
  const api = await apiOf(request, 'reader');
  const status = await api.get('api/perfcompare/status');
  expect(status.data.permissions).toEqual(['read']);
  for (const path of [
    'group',
    'osd',
    'profile',
    'run',
    'doctor',
    'recovery',
    'gateways',
    'exporter',
  ]) {
    expect((await api.get(`api/perfcompare/${path}`)).status, path).toBe(200);
  }
  const plan = await api.post('api/perfcompare/plan', REQUEST);
  expect(plan.status).toBe(200);
  expect(plan.data.plan.bytes_written).toBeGreaterThan(0);
  expect(plan.data.text).toContain('smoke');
  const proposals = await api.post('api/perfcompare/group/detect', {
    apply: false,
  });
  expect(proposals.status).toBe(200);
  const named = proposals.data.proposals.map((p) => p.spec.name);
  expect(named.sort()).toEqual(FOUND);
  for (const [method, path, body] of [
    ['post', 'run', REQUEST],
    ['post', 'group', { group: 'a', device_class: 'arm' }],
    ['post', 'group/detect', { apply: true }],
    ['put', 'group/arm', { device_class: 'arm' }],
    ['post', 'run/12345678/cancel'],
    ['post', 'stop'],
    ['post', 'cleanup'],
    ['remove', 'run/12345678'],
    ['remove', 'group/arm'],
    ['post', 'run/import', { text: '{}' }],
    ['post', 'recovery', { groups: ['x86'] }],
    ['post', 'recovery/12345678/cancel'],
    ['remove', 'recovery/12345678'],
    ['put', 'gateways/arm', { endpoints: ['http://a:1'] }],
    ['remove', 'gateways/arm'],
    ['put', 'exporter/access', { username: 'u', password: 'p' }],
    ['remove', 'exporter/access'],
  ]) {
    const answer = await api[method](`api/perfcompare/${path}`, body);
    expect(answer.status, `${method} ${path}`).toBe(403);
  }
});

test('only an administrator makes OSDs fail', async ({ request }) => {
  const wish = { groups: ['x86'], scenario: 'osd-stop' };
  const manager = await apiOf(request, 'manager');
  const status = await manager.get('api/perfcompare/status');
  expect(status.data.failure_tests).toBe(false);
  const refused = await manager.post('api/perfcompare/recovery', wish);
  expect(refused.status).toBe(403);
  expect(refused.data.detail).toContain('perfcompare-failure');
  const admin = await apiOf(request, 'admin');
  // past that, the module has its own switch
  const off = await admin.post('api/perfcompare/recovery', wish);
  expect(off.status).toBe(403);
  expect(off.data.detail).toContain('allow_failure_tests');
});

test('a role without the scope sees nothing', async ({ request }) => {
  const api = await apiOf(request, 'outsider');
  expect((await api.get('api/perfcompare/run')).status).toBe(403);
  const { status, data } = await api.get('ui-api/perfcompare/status');
  expect(status).toBe(200);
  expect(data.permissions).toEqual([]);
});

test('a group is defined once, changed and removed', async ({ request }) => {
  const api = await apiOf(request, 'admin');
  const path = 'api/perfcompare/group';
  const group = { group: 'two-hosts', hosts: ['x86-1', 'x86-2'] };
  await api.remove(`${path}/two-hosts`); // of a try that failed
  expect((await api.post(path, group)).status).toBe(201);
  const again = await api.post(path, group);
  expect(again.status).toBe(409);
  expect(again.data.detail).toContain("'two-hosts' exists");
  const changed = await api.put(`${path}/two-hosts`, {
    hosts: ['x86-1', 'x86-2'],
    watts: 120,
  });
  expect(changed.data.spec.watts).toBe(120);
  expect((await api.remove(`${path}/two-hosts`)).status).toBe(204);
  expect((await api.get(`${path}/two-hosts`)).status).toBe(404);
});

test('a load host is listed, checked, disabled and shut out', async ({
  request,
}) => {
  const api = await apiOf(request, 'admin');
  const path = 'api/perfcompare/load-host';
  await api.remove(`${path}/generator-1`); // of a try that failed
  const added = await cephJson(
    'perfcompare',
    'load-host',
    'add',
    'generator-1',
  );
  const [, key] = /key = (\S+)/.exec(added.keyring);
  const listed = await api.get(path);
  expect(listed.data).toMatchObject([{ host: 'generator-1', seen: null }]);
  const checked = await api.get(`${path}/generator-1`);
  expect(checked.data.host.host).toBe('generator-1');
  expect(JSON.stringify(checked.data.findings)).toContain('agent');
  expect(checked.data.findings[0]).toMatchObject({ id: 'CLIENT' });
  expect(listed.text + checked.text).not.toContain(key);
  const disabled = await api.put(`${path}/generator-1`, { enabled: false });
  expect(disabled.data.state).toBe('disabled');
  const enabled = await api.put(`${path}/generator-1`, { enabled: true });
  expect(enabled.data.state).not.toBe('disabled');
  expect((await api.remove(`${path}/generator-1`)).status).toBe(204);
  expect((await api.get(path)).data).toEqual([]);
  expect((await api.get(`${path}/generator-1`)).status).toBe(404);
  expect(await ceph('auth', 'ls')).not.toContain(added.entity);
});

test('the OpenAPI document describes every call', async ({ request }) => {
  const { data } = await (
    await apiOf(request, 'admin')
  ).get('docs/openapi.json');
  const ours = Object.entries(data.paths).filter(([path]) =>
    path.startsWith('/api/perfcompare'),
  );
  const calls = ours.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, call]) => [
      `${method} ${path}`,
      call,
    ]),
  );
  expect(calls.length).toBeGreaterThanOrEqual(36);
  for (const [name, call] of calls) {
    expect(call.tags, name).toEqual(['Perfcompare']);
    expect(call.summary, name).toBeTruthy();
    expect(call.security, name).toBeTruthy();
    for (const parameter of call.parameters) {
      expect(parameter.description, `${name} ${parameter.name}`).toBeTruthy();
    }
  }
  const plan = data.paths['/api/perfcompare/plan'].post.requestBody.content;
  const { schema } = plan['application/json'];
  expect(schema.required).toEqual(['groups']);
  for (const name of ['groups', 'profile', 'consent', 'rate']) {
    expect(schema.properties[name].description, name).toBeTruthy();
  }
  expect(data.tags.map((tag) => tag.name)).toContain('Perfcompare');
});
