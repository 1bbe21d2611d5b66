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
  exporters: [{ host: 'node1', reachable: false, problem: 'timed out' }],
  exporters_problem: '',
  results: ['3 results wait for the database'],
  stored: '',
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
    expect(text(root)).toContain('node1: does not answer: timed out');
    expect(text(root)).toContain('3 results wait');
  });

  it('offers a reader nothing to change', async () => {
    const { root } = await open(['read']);
    expect(root.querySelector('button')).toBeNull();
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
