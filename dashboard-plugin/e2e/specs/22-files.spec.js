/** The page's files and the hook of the dashboard's own index page. */

import { expect, test } from '../lib/test.js';

import { ceph, until } from '../lib/cluster.js';
import { APP, ENTRY, open } from '../lib/dashboard.js';

const TAG = /<script src="perfcompare-ui\/shell\.js\?v=[0-9a-f]{12}">/;

test('the index page has our line and its own validator', async ({
  request,
}) => {
  const page = await request.get('./');
  expect(await page.text()).toMatch(TAG);
  const { etag, 'last-modified': modified } = page.headers();
  expect(etag).toMatch(/^W\/"perfcompare-/);
  expect(modified).toBeUndefined();
  const status = async (headers) =>
    (await request.get('index.html', { headers })).status();
  expect(await status({ 'If-None-Match': etag })).toBe(304);
  expect(await status({ 'If-None-Match': '"other"' })).toBe(200);
  // a page that was cached before the installation is refreshed
  const later = new Date(Date.now() + 1e9).toUTCString();
  expect(await status({ 'If-Modified-Since': later })).toBe(200);
  expect(await status({ Range: 'bytes=0-9' })).toBe(200);
  expect(await status({ 'Accept-Language': 'de;q=x' })).toBe(400);
  const head = await request.head('./');
  expect(head.status()).toBe(200);
});

test('each language of the dashboard has our line', async ({ request }) => {
  for (const language of ['de', 'ja', 'xx']) {
    const page = await request.get('./', {
      headers: { 'Accept-Language': language },
    });
    expect(await page.text(), language).toMatch(TAG);
  }
});

test('files are served by name, with type, and nothing else is', async ({
  request,
}) => {
  for (const [name, type] of [
    ['', 'text/html'],
    ['index.html', 'text/html'],
    ['shell.js', 'application/javascript'],
    ['main.js', 'application/javascript'],
    ['standalone.css', 'text/css'],
  ]) {
    const file = await request.get(`perfcompare-ui/${name}`);
    expect(file.status(), name).toBe(200);
    expect(file.headers()['content-type'], name).toContain(type);
  }
  for (const name of [
    'nothing.js',
    '%2e%2e/perfcompare/module.py',
    '..%2fperfcompare/module.py',
    '/etc/passwd',
    '%5c..%5cx',
    'shell.js%00.html',
  ]) {
    const file = await request.get(`perfcompare-ui/${name}`);
    expect(file.status(), name).toBe(404);
  }
  expect((await request.post('perfcompare-ui/shell.js')).status()).not.toBe(
    200,
  );
});

test('parts of the page are kept by their name, all else is asked for', async ({
  page,
}) => {
  const kept = {};
  page.on('response', (response) => {
    const [, name] = /perfcompare-ui\/([^?]+\.js)/.exec(response.url()) ?? [];
    if (name) {
      kept[name] = response.headers()['cache-control'];
    }
  });
  await open(page);
  await page.click(ENTRY);
  await expect(page.locator(`${APP} h1`)).toBeVisible();
  const first = Object.keys(kept).length;
  await page.locator(`${APP} nav a`, { hasText: 'Groups' }).click();
  await expect(page.locator(`${APP} pc-group-list`)).toBeVisible();
  expect(Object.keys(kept).length).toBeGreaterThan(first);
  for (const [name, value] of Object.entries(kept)) {
    const chunk = /^(?:[\w-]+\/)?chunk-[\w-]{8}\.js$/.test(name);
    expect(value, name).toContain(chunk ? 'immutable' : 'no-cache');
  }
});

test('the option dashboard_ui takes effect at once', async ({ request }) => {
  const option = 'mgr/perfcompare/dashboard_ui';
  const state = async () => ({
    tab: TAG.test(await (await request.get('./')).text()),
    page: (await request.get('perfcompare-ui/')).status(),
  });
  try {
    await ceph('config', 'set', 'mgr', option, 'standalone');
    await until(async () =>
      expect(await state()).toEqual({ tab: false, page: 200 }),
    );
    await ceph('config', 'set', 'mgr', option, 'off');
    await until(async () =>
      expect(await state()).toEqual({ tab: false, page: 404 }),
    );
    const stock = await request.get('./');
    expect(stock.headers()['last-modified']).toBeTruthy();
  } finally {
    // a running mgr does not notice `config rm`, in any release
    await ceph('config', 'set', 'mgr', option, 'full');
  }
  await until(async () =>
    expect(await state()).toEqual({ tab: true, page: 200 }),
  );
});
