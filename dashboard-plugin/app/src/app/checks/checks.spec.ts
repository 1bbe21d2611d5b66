import { TestBed } from '@angular/core/testing';
import { answers, idle } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { ChecksPage } from './checks-page';

const TOOL = {
  name: 'rados',
  path: null,
  version: null,
  problem: 'not installed',
  need: 'all loads',
  deb: 'ceph-common',
  rpm: 'ceph-common',
  required: true,
};
const REPORT = {
  tools: [TOOL],
  exporters: [],
  exporters_problem: '',
  results: ['3 results wait for the database'],
  stored: '',
  refused: '',
};
const EXPORTERS = {
  source: 'auto',
  prometheus_url: '',
  access: { ca: false, credentials: true, prometheus_credentials: false },
  exporters: [
    {
      host: 'node1',
      roles: ['osd'],
      url: 'http://node1:9100/metrics',
      origin: 'address',
      reachable: false,
      problem: 'timed out',
      more: [{ url: 'http://node1:9290/metrics', reachable: true, problem: '' }],
    },
  ],
};
const UNDONE = {
  removed: ['pool perfcompare.1'],
  kept: [],
  leftovers: [{ what: 'key x', reason: 'denied', remedy: 'remove it' }],
};

const HOSTS = [
  {
    host: 'load-1',
    state: 'ready',
    added: 1.7e9,
    seen: 3.2,
    hostname: 'load-1',
    arch: 'x86_64',
    cores: 8,
    memory_bytes: 2 ** 34,
    kernel: '6.1',
    rados: '20.2.4',
    programs: { fio: 'fio-3.39', rbd: '20.2.4' },
    addresses: ['10.0.0.7'],
    osds: [],
    clock_offset: 0.0004,
    clock_bound: 0.0008,
    refused: 2,
    last_refusal: 'not JSON',
  },
];
const FINDINGS = [
  { id: 'CLIENT', severity: 'ok', message: 'heard 3 s ago', remedy: '' },
  { id: 'CLIENT', severity: 'warn', message: 'clock steps', remedy: 'run chrony' },
];

async function open(permissions: string[]) {
  const stage = new Stage(
    answers({
      'GET /status': [200, { ...idle(), permissions }],
      'GET /doctor': [200, REPORT],
      'GET /exporter': [200, EXPORTERS],
      'PUT /exporter/access': [200, {}],
      'DELETE /exporter/access': [200, { removed: true }],
      'POST /cleanup': [200, UNDONE],
      'GET /load-host': [200, HOSTS],
      'GET /load-host/load-1': [200, { host: HOSTS[0], findings: FINDINGS }],
      'PUT /load-host/load-1': [200, HOSTS[0]],
      'DELETE /load-host/load-1': [200, { removed: 'load-1' }],
    }),
    '/checks',
  );
  const fixture = TestBed.createComponent(ChecksPage);
  await settle(fixture);
  return { stage, fixture, root: fixture.nativeElement as HTMLElement };
}

describe('ChecksPage', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('says what is missing, and which package has it', async () => {
    const { root } = await open(['read']);
    expect(text(root)).toContain('A tool is missing');
    expect(text(root)).toContain('install the package ceph-common');
    expect(text(root)).toMatch(/node1.*does not answer: timed out/);
    expect(text(root)).toContain('3 results wait');
    const rows = [...root.querySelectorAll('[aria-labelledby=exporters-title] tbody tr')];
    expect(rows.map((row) => [...row.children].map(text))).toEqual([
      ['node1', 'osd', 'http://node1:9100/metrics', 'address', 'does not answer: timed out'],
      ['node1', 'osd', 'http://node1:9290/metrics', 'option', 'answers'],
    ]);
  });

  it('offers a reader nothing to change', async () => {
    const { root } = await open(['read']);
    const buttons = [...root.querySelectorAll('button')].map(text);
    expect(buttons).toEqual(['Check load-1']);
  });

  it('sets access to exporters, and forgets it after a question', async () => {
    const { stage, fixture, root } = await open(['read', 'update', 'delete']);
    expect(text(root)).toContain('Access that is set: credentials of exporters.');
    button(root, 'Set CA and credentials').click();
    await settle(fixture);
    expect(button(root, 'Save').disabled).toBe(true);
    expect(text(root)).toContain('What is left empty stays as it is set.');
    for (const [name, value] of [
      ['username', 'u'],
      ['password', 'p'],
    ]) {
      const field = root.querySelector(`#exporters-${name}`) as HTMLInputElement;
      field.value = value;
      field.dispatchEvent(new Event('input'));
    }
    await settle(fixture);
    button(root, 'Save').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/exporter/access')[0].body).toEqual({
      username: 'u',
      password: 'p',
    });
    button(root, 'Forget them…').click();
    await settle(fixture);
    button(root.querySelector('dialog') as HTMLElement, 'Forget').click();
    await settle(fixture);
    expect(stage.requests('DELETE', '/exporter/access')).toHaveLength(1);
  });

  it('cleans up after a question, and says what it did', async () => {
    const { stage, fixture, root } = await open(['read', 'update']);
    button(root, 'Clean up…').click();
    await settle(fixture);
    expect(stage.requests('POST', '/cleanup')).toHaveLength(0);
    button(root.querySelector('dialog') as HTMLElement, 'Clean up').click();
    await settle(fixture);
    expect(stage.requests('POST', '/cleanup')).toHaveLength(1);
    const said = text(root.querySelector('[aria-labelledby=cleanup-title] [role=status]'));
    expect(said).toContain('Removed: pool perfcompare.1');
    expect(said).toContain('Still there: key x: denied; remove it');
    expect(root.querySelector('dialog')).toBeNull();
  });

  it('says what was kept, and not that nothing was left', async () => {
    const { stage, fixture, root } = await open(['read', 'update']);
    const said = () => text(root.querySelector('[aria-labelledby=cleanup-title] [role=status]'));
    const clean = async (kept: unknown[]) => {
      stage.answers['POST /cleanup'] = [200, { removed: [], kept, leftovers: [] }];
      button(root, 'Clean up…').click();
      await settle(fixture);
      button(root.querySelector('dialog') as HTMLElement, 'Clean up').click();
      await settle(fixture);
    };
    await clean([{ what: 'pool perfcompare.1', reason: 'its run is under way' }]);
    expect(said()).toBe('Kept: pool perfcompare.1, its run is under way');
    await clean([]);
    expect(said()).toBe('Nothing was left.');
  });

  it('sees what became of load hosts meanwhile', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { stage, fixture, root } = await open(['read']);
    stage.answers['GET /load-host'] = [200, [{ ...HOSTS[0], state: 'silent' }]];
    await vi.advanceTimersByTimeAsync(15_000);
    await settle(fixture);
    vi.useRealTimers();
    expect(text(root.querySelector('pc-load-host-list tbody tr'))).toContain('silent');
  });

  it('keeps the load hosts that it knows where they cannot be had again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    const { stage, fixture, root } = await open(['read']);
    stage.answers['GET /load-host'] = [500, { detail: 'the Manager is gone' }];
    await vi.advanceTimersByTimeAsync(15_000);
    await settle(fixture);
    vi.useRealTimers();
    const list = root.querySelector('pc-load-host-list');
    expect(text(list)).toContain('the Manager is gone');
    expect(text(root.querySelector('pc-load-host-list tbody tr'))).toContain('load-1');
  });

  it('lists load hosts, looks at one, disables it and shuts it out', async () => {
    const { stage, fixture, root } = await open(['read', 'update', 'delete']);
    const cells = [...root.querySelectorAll('pc-load-host-list tbody tr > *')].map(text);
    expect(cells.slice(0, -1)).toEqual([
      'load-1',
      'ready',
      '3.2 s ago',
      'x86_64',
      '8',
      '16.0 GiB',
      '20.2.4',
      'fio-3.39, rbd 20.2.4',
      '-400 µs ± 800 µs',
      '–',
      '2',
    ]);
    button(root, 'Check load-1').click();
    await settle(fixture);
    expect(text(root.querySelector('pc-load-host-list [role=status]'))).toBe(
      'load-1: ready heard 3 s ago clock steps run chrony',
    );
    button(root, 'Disable… load-1').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/load-host/load-1')).toHaveLength(0);
    const asked = root.querySelector('dialog') as HTMLElement;
    expect(text(asked)).toContain('The load of load-1 ends, and it makes none until');
    expect(text(asked)).toContain('A run that loads from it loses its trial');
    button(asked, 'Disable').click();
    await settle(fixture);
    expect(stage.requests('PUT', '/load-host/load-1')[0].body).toEqual({ enabled: false });
    expect(root.querySelector('dialog')).toBeNull();
    button(root, 'Remove… load-1').click();
    await settle(fixture);
    expect(stage.requests('DELETE', '/load-host/load-1')).toHaveLength(0);
    button(root.querySelector('dialog') as HTMLElement, 'Remove').click();
    await settle(fixture);
    expect(stage.requests('DELETE', '/load-host/load-1')).toHaveLength(1);
    // at first, and after each of what was done
    expect(stage.requests('GET', '/load-host')).toHaveLength(4);
  });

  it('enables a load host without a question', async () => {
    const { stage, fixture, root } = await open(['read', 'update']);
    stage.answers['GET /load-host'] = [200, [{ ...HOSTS[0], state: 'disabled' }]];
    button(root, 'Check load-1').click();
    await settle(fixture);
    button(root, 'Enable load-1').click();
    await settle(fixture);
    expect(root.querySelector('dialog')).toBeNull();
    expect(stage.requests('PUT', '/load-host/load-1')[0].body).toEqual({ enabled: true });
  });

  it('says that there are none, and how one is made', async () => {
    const { stage, root, fixture } = await open(['read']);
    stage.answers['GET /load-host'] = [200, []];
    const again = TestBed.createComponent(ChecksPage);
    await settle(again);
    const said = text((again.nativeElement as HTMLElement).querySelector('pc-load-host-list'));
    expect(said).toContain('None: load comes from the host of the active Manager.');
    expect(said).toContain('ceph perfcompare load-host add <host>');
    expect(root).toBe(fixture.nativeElement);
  });
});
