import { TestBed } from '@angular/core/testing';
import { answers, draft, idle } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { Status } from '../models/run';
import { RecoveryForm } from './recovery-form';

function plan() {
  const found = draft();
  found.preflight = { checks: [], refused: false, needs_consent: false };
  found.plan.recovery = {
    scenario: 'backfill',
    repetitions: 3,
    groups: [{ group: 'x86', steps: [{ kind: 'move', title: 'PGs moved', target: '' }] }],
  };
  return found;
}

async function open(status: Partial<Status> = {}) {
  const stage = new Stage(
    answers({
      'GET /status': [200, { ...idle(), ...status }],
      'POST /recovery/plan': [200, plan()],
      'POST /recovery': [201, { run: '7a7b7c7d', warnings: [] }],
    }),
    '/recoveries/new',
  );
  const fixture = TestBed.createComponent(RecoveryForm);
  await settle(fixture);
  return { stage, fixture, root: fixture.nativeElement as HTMLElement };
}

function choose(root: HTMLElement, scenario: string): void {
  root.querySelector<HTMLInputElement>(`[value=${scenario}]`)?.click();
}

describe('RecoveryForm', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('shows the plan, then starts what was shown', async () => {
    const { stage, fixture, root } = await open();
    expect(button(root, 'Start the test').disabled).toBe(true);
    button(root, 'Check and show plan').click();
    await settle(fixture);
    expect(text(root.querySelector('pc-plan ul'))).toContain('x86: PGs moved');
    expect(stage.requests('POST', '/recovery')).toHaveLength(0);
    button(root, 'Start the test').click();
    await settle(fixture);
    expect(stage.requests('POST', '/recovery')[0].body).toEqual({
      groups: ['x86', 'arm'],
      scenario: 'backfill',
      seed: plan().plan.seed,
      digest: plan().digest,
    });
    expect(stage.path).toBe('/recoveries/7a7b7c7d');
  });

  it('lets only who may make OSDs fail, and after consent', async () => {
    for (const may of [false, true]) {
      TestBed.resetTestingModule();
      const { fixture, root } = await open({ failure_tests: may });
      choose(root, 'osd-stop');
      await settle(fixture);
      button(root, 'Check and show plan').click();
      await settle(fixture);
      root.querySelector<HTMLInputElement>('.consent input')?.click();
      await settle(fixture);
      expect(button(root, 'Start the test').disabled).toBe(!may);
      expect(text(root).includes('perfcompare-failure')).toBe(!may);
    }
  });

  it('offers load through S3, too', async () => {
    const { root } = await open();
    const names = [...root.querySelectorAll('.advanced .check')].map(text);
    expect(names).toContain('S3 put');
    expect(names).toContain('No load');
    expect(root.querySelector<HTMLInputElement>('#hold')?.placeholder).toBe('30');
  });

  it('asks about stopping only where something stops', async () => {
    const { fixture, root } = await open();
    expect(root.querySelector('#stop_by')).toBeNull();
    choose(root, 'host-stop');
    await settle(fixture);
    expect(root.querySelector('#stop_by')).not.toBeNull();
  });
});
