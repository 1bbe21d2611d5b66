/** What forms ask for arrives, and what was asked for comes back. */

import { apiOf, idle } from '../lib/api.js';
import { choose, keptRun, look } from '../lib/app.js';
import { cephJson, SELDOM, until } from '../lib/cluster.js';
import { APP, open, watch } from '../lib/dashboard.js';
import { show } from '../lib/pages.js';
import { runOfOne } from '../lib/runs.js';
import { expect, test } from '../lib/test.js';

test.use({ kept: true });

const API = 'api/perfcompare';
const PROFILE = `description: mine
rounds: 1
workloads:
- {op: write, size: 8K, concurrency: 3, duration: 3, warmup: 1}
`;
// of each kind of load, with what its built-in profiles do not have
const ASKED = {
  S3: {
    workloads: ['s3-mixed', 's3-get'],
    sizes: ['16K'],
    concurrency: ['4'],
    mix: 'get=60,put=30,delete=10',
    cache: 'cached',
    gateways: 2,
    buckets: 3,
    keys: 'zipf:0.9',
    think_time: '2ms',
  },
  RBD: {
    workloads: ['rbd-randrw'],
    sizes: ['8K'],
    concurrency: ['4'],
    images: 2,
    image_size: '64M',
    cache: 'device',
    read_share: 70,
    rbd_rate: 500,
  },
};

/** Check the form that is shown; return the request and the plan. */
async function planned(page, path = '/plan') {
  const app = page.locator(APP);
  const button = app.getByRole('button', { name: 'Check and show plan' });
  const [answer] = await Promise.all([
    page.waitForResponse(
      (found) => found.url().endsWith(path) && found.status() === 200,
    ),
    button.click(),
  ]);
  await expect(app.locator('pc-plan')).toBeVisible();
  return [answer.request().postDataJSON(), (await answer.json()).plan];
}

/** Return a part of a plan without what names its run. */
function withoutRun(plan, key) {
  return JSON.parse(JSON.stringify(plan[key]).replaceAll(plan.run, ''));
}

/** Start a run and end it before it does anything; return its id. */
async function begun(api, body) {
  await idle(api);
  const ticket = await api.post(`${API}/run`, {
    groups: ['x86'],
    profile: 'smoke',
    rounds: 1,
    duration: 3,
    ...body,
  });
  expect(ticket.status, ticket.text).toBe(201);
  return ticket.data.run;
}

for (const [title, options] of Object.entries(ASKED)) {
  test(`a run of ${title} is repeated with all that was asked for`, async ({
    page,
    request,
  }) => {
    const api = await apiOf(request, 'admin');
    const id = await begun(api, options);
    await api.post(`${API}/run/${id}/cancel`);
    await idle(api);
    await open(page, `#/perfcompare/runs/${id}`);
    const app = page.locator(APP);
    await choose(app, id, 'Repeat…', 'link');
    // the bar above may say for a moment that the run is under way
    await expect(
      app.locator('pc-run-form').getByRole('link', { name: `run ${id}` }),
    ).toBeVisible();
    await expect(app.getByRole('heading', { name: title })).toBeVisible();
    const [sent, plan] = await planned(page);
    expect(sent).toMatchObject({
      groups: ['x86'],
      profile: 'smoke',
      rounds: 1,
      duration: 3,
    });
    const { data } = await api.get(`${API}/run/${id}`);
    for (const key of Object.keys(options)) {
      expect(plan.options[key], key).toEqual(data.run.plan.options[key]);
    }
    expect(plan.profile.version).toBe(data.run.plan.profile.version);
    await look(page, `repeat-${title}`);
    await api.remove(`${API}/run/${id}`);
  });
}

test('a profile of one’s own is run, changed, and run as it was', async ({
  page,
  request,
}) => {
  const errors = watch(page);
  const api = await apiOf(request, 'admin');
  await idle(api);
  await api.remove(`${API}/profile/mine`);
  const made = await api.post(`${API}/profile`, {
    profile: 'mine',
    text: PROFILE,
  });
  expect(made.status, made.text).toBe(201);
  await open(page, '#/perfcompare/new?group=x86');
  const app = page.locator(APP);
  const profile = app.getByLabel('Profile', { exact: true });
  await profile.selectOption('mine');
  await expect(app.getByText('write-8K-c3 (3 s, 3)')).toBeVisible();
  const [sent, plan] = await planned(page);
  expect(sent).toEqual({ groups: ['x86'], profile: 'mine' });
  expect(plan.profile.workloads.map(({ name }) => name)).toEqual([
    'write-8K-c3',
  ]);
  await expect(app.locator('pc-plan')).toContainText('write-8K-c3');
  // what a check advises is found beside the field that it is about
  await app.getByText('More settings').click();
  await expect(
    app.locator('.field', { has: page.locator('#rounds') }),
  ).toContainText('--rounds');
  // what starts is what was shown, or nothing does
  const start = app.getByRole('button', { name: 'Start the run' });
  const put = (text) => api.put(`${API}/profile/mine`, { text });
  expect((await put(PROFILE.replace('8K', '32K'))).status).toBe(200);
  await start.click();
  await expect(app.locator('.start [role=alert]')).toContainText('has changed');
  // the browser tells of the refusal as well
  expect(errors.splice(0)).toEqual([expect.stringContaining('409')]);
  expect((await put(PROFILE)).status).toBe(200);
  await planned(page);
  await start.click();
  const hash = () => page.evaluate(() => location.hash);
  await expect.poll(hash).toMatch(/^#\/perfcompare\/runs\/[0-9a-f]{8}/);
  const id = (await hash()).slice(19, 27);
  const ended = async () => {
    const { data } = await api.get(`${API}/run/${id}?brief=true`);
    expect(data.run.state, data.run.reason).toBe('completed');
  };
  await until(ended, 240, SELDOM);
  await show(page, '/runs?find=mine', 'pc-run-list tbody tr');
  const line = app.locator('pc-run-list tbody tr').filter({ hasText: id });
  await expect(line).toContainText('mine');
  await expect(line).toContainText('write-8K-c3');
  await show(page, `/runs/${id}`, 'pc-run-trials tbody tr');
  await expect(
    app.locator('pc-run-trials tbody tr').filter({ hasText: 'op/s' }),
  ).not.toHaveCount(0);

  // the name means something else by now: the run is repeated as it was
  for (const [changed, said] of [
    [true, 'The profile mine has changed since'],
    [false, 'The profile mine was removed since'],
  ]) {
    const text = PROFILE.replace('8K', '16K');
    const { status } = changed
      ? await api.put(`${API}/profile/mine`, { text })
      : await api.remove(`${API}/profile/mine`);
    expect(status).toBe(changed ? 200 : 204);
    await show(page, `/runs/${id}`, 'pc-run-trials tbody tr');
    await choose(app, id, 'Repeat…', 'link');
    await expect(app.getByText(said)).toContainText(id);
    await expect(profile).toHaveValue(`mine@${id}`);
    const [again, former] = await planned(page);
    expect(again).toMatchObject({ profile: `mine@${id}` });
    for (const key of ['profile', 'groups', 'bytes_written', 'seconds']) {
      expect(withoutRun(former, key), key).toEqual(withoutRun(plan, key));
    }
    await app.getByText(said).scrollIntoViewIfNeeded();
    await look(page, `repeat-${changed ? 'changed' : 'gone'}`, true);
  }
  await api.remove(`${API}/run/${id}`);
  expect(errors).toEqual([]);
});

test('a group is compared with itself at another time', async ({
  page,
  request,
}) => {
  test.setTimeout(600_000);
  const api = await apiOf(request, 'admin');
  const before = keptRun();
  const after = await runOfOne(api);
  await open(page, `#/perfcompare/compare?baseline=x86&candidate=arm`);
  const app = page.locator(APP);
  await app.locator('summary').filter({ hasText: 'Change…' }).click();
  for (const [side, run] of [
    ['Baseline', before],
    ['Candidate', after],
  ]) {
    const one = app.getByRole('group', { name: side });
    await one.getByLabel('Group').selectOption('x86');
    await one.getByLabel('Run').selectOption(run);
  }
  await app.getByLabel('Release').check();
  await page.keyboard.press('Escape');
  const hash = () => page.evaluate(() => location.hash);
  await expect.poll(hash).toContain(`baseline=x86%40${before}`);
  expect(await hash()).toContain(`candidate=x86%40${after}`);
  await expect(
    app.locator('pc-forest .f-line a', { hasText: 'write-4K-c16' }).first(),
  ).toBeVisible();
  await expect(app.locator('pc-identity')).toContainText('Across release');
  await look(page, 'two-times');
  // the link alone leads there, too
  const link = await hash();
  await show(page, '/runs', 'pc-run-list tbody a');
  await show(page, link.slice('#/perfcompare'.length), '.f-line a');
  await expect(app.locator('pc-identity')).toContainText(after);
});

test('gateways of a group are set and forgotten', async ({ page }) => {
  await open(page, '#/perfcompare/groups');
  const app = page.locator(APP);
  const card = app.locator('pc-gateway-sets');
  const sets = () => cephJson('perfcompare', 'gateways', 'ls');
  await card.getByRole('button', { name: 'Set gateways of a group' }).click();
  await card.getByLabel('Group').selectOption('arm');
  await card.getByLabel('Addresses, with commas').fill('ftp://nowhere');
  await card.getByLabel('Access key').fill('ACCESS');
  await card.getByLabel('Secret key').fill('hidden-secret');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card.getByRole('alert')).toContainText(
    'an endpoint is not valid',
  );
  const urls = 'http://127.0.0.1:7480, http://127.0.0.1:7481';
  await card.getByLabel('Addresses, with commas').fill(urls);
  await card.getByLabel('DNS name').fill('s3.example.com');
  await card.getByRole('button', { name: 'Save' }).click();
  const row = card.getByRole('row', { name: /^arm/ });
  await expect(row).toContainText(urls);
  await look(page, 'gateways');
  const found = JSON.stringify(await sets());
  expect(found).toContain('http://127.0.0.1:7481');
  expect(found).toContain('s3.example.com');
  expect(found).not.toContain('hidden-secret');
  await row.getByRole('button', { name: 'Forget…' }).click();
  await app.getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(row).toHaveCount(0);
  expect(await sets()).toEqual([]);
});

test('credentials of exporters are set and forgotten', async ({ page }) => {
  await open(page, '#/perfcompare/checks');
  const app = page.locator(APP);
  const card = app.locator('pc-exporter-access');
  const access = async () =>
    (await cephJson('perfcompare', 'exporter', 'ls')).access;
  await card.getByRole('button', { name: 'Set CA and credentials' }).click();
  await card.getByLabel('User of the exporters').fill('reader');
  await card.getByLabel('Password').first().fill('hidden-secret');
  await card.getByRole('button', { name: 'Save' }).click();
  await expect(card).toContainText('credentials of exporters');
  expect(await access()).toMatchObject({ credentials: true });
  await card.getByRole('button', { name: 'Forget them…' }).click();
  await app.getByRole('button', { name: 'Forget', exact: true }).click();
  await expect(card).toContainText('Access that is set: none');
  expect(await access()).toMatchObject({ credentials: false });
});

for (const [title, operation, label, extra] of [
  ['S3', 's3-mixed', 'S3 mixed', {}],
  [
    'RBD',
    'rbd-randrw',
    'RBD random read and write',
    { images: '2', block_size: '8K' },
  ],
]) {
  test(`a recovery test beside ${title} is planned for any group`, async ({
    page,
  }) => {
    await open(page, '#/perfcompare/recoveries/new?group=arm');
    const app = page.locator(APP);
    await app.getByRole('radio', { name: /^osd-down/ }).check();
    await app.getByText('More settings').click();
    await app.getByRole('checkbox', { name: label, exact: true }).check();
    for (const [key, value] of Object.entries({
      repetitions: '1',
      size: '64K',
      data: '4M',
      ...extra,
    })) {
      await app.locator(`#${key}`).fill(value);
    }
    const [sent, plan] = await planned(page, '/recovery/plan');
    expect(sent).toMatchObject({ groups: ['arm'], workloads: [operation] });
    expect(plan.groups.map(({ name }) => name)).toEqual(['arm']);
    await expect(app.locator('pc-plan ul')).toContainText('arm');
    await look(page, `recovery-${title}`);
  });
}
