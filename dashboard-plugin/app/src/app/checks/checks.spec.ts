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
    },
  ],
};
const UNDONE = {
  removed: ['pool perfcompare.1'],
  kept: [],
  leftovers: [{ what: 'key x', reason: 'denied', remedy: 'remove it' }],
};

async function open(permissions: string[]) {
  const stage = new Stage(
    answers({
      'GET /status': [200, { ...idle(), permissions }],
      'GET /doctor': [200, REPORT],
      'GET /exporter': [200, EXPORTERS],
      'PUT /exporter/access': [200, {}],
      'DELETE /exporter/access': [200, { removed: true }],
      'POST /cleanup': [200, UNDONE],
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
  });

  it('offers a reader nothing to change', async () => {
    const { root } = await open(['read']);
    expect(root.querySelector('button')).toBeNull();
  });

  it('sets access to exporters, and forgets it after a question', async () => {
    const { stage, fixture, root } = await open(['read', 'update', 'delete']);
    expect(text(root)).toContain('Access that is set: credentials of exporters.');
    button(root, 'Set CA and credentials').click();
    await settle(fixture);
    expect(button(root, 'Save').disabled).toBe(true);
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
    const said = text(root.querySelector('section [role=status]'));
    expect(said).toContain('Removed: pool perfcompare.1');
    expect(said).toContain('Still there: key x: denied; remove it');
    expect(root.querySelector('dialog')).toBeNull();
  });
});
