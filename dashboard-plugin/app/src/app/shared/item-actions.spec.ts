import { TestBed } from '@angular/core/testing';
import { answers, idle } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { Stopping } from '../models/run';
import { endingText } from './ending';
import { ItemActions } from './item-actions';

const DEAD: Stopping = {
  run: '0a1b2c3d',
  killed: true,
  noted: true,
  load_hosts: [],
  taken_over: false,
  test: false,
};
const OWN = 'OSDs that you stopped stay down until you start them.';

async function open(answer: Stopping, state = '', kind = 'run') {
  const progress = {
    ...{ run: '0a1b2c3d', state, fraction: 0, eta: null, round: 0, rounds: 3 },
    ...{ trial: '', ops_per_s: null, bytes_per_s: null, message: '', scenario: '' },
  };
  const stage = new Stage(
    answers({
      'GET /status': [200, { ...idle(), progress: state ? progress : null }],
      'POST /stop': [200, answer],
      [`POST /${kind}/0a1b2c3d/cancel`]: [200, answer],
    }),
  );
  const fixture = TestBed.createComponent(ItemActions);
  fixture.componentRef.setInput('kind', kind);
  fixture.componentRef.setInput('id', '0a1b2c3d');
  fixture.componentRef.setInput('ended', false);
  await settle(fixture);
  const root: HTMLElement = fixture.nativeElement;
  const click = async (name: string, within: Element = root) => {
    button(within as HTMLElement, name).click();
    await settle(fixture);
    return root.querySelector('dialog') as HTMLElement;
  };
  return { stage, fixture, root, click };
}

describe('ItemActions', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('says what was answered to a stop, until it has ended', async () => {
    const { root, fixture, click } = await open(DEAD);
    const dialog = await click('Stop load now…');
    expect(text(dialog)).toContain('killed at once');
    expect(text(dialog)).not.toContain(OWN);
    await click('Stop the load', dialog);
    expect(text(root.querySelector('[role=status]'))).toBe(
      'Its load is dead. Then everything is undone.',
    );
    fixture.componentRef.setInput('ended', true);
    await settle(fixture);
    expect(root.querySelector('[role=status]')).toBeNull();
  });

  it('says what was answered to a cancel', async () => {
    const { root, click } = await open({ ...DEAD, killed: false });
    await click('Cancel the run', await click('Cancel…'));
    expect(text(root.querySelector('[role=status]'))).toContain('It ends its load first.');
  });

  it('does not promise to start what an operator stopped', async () => {
    const { root, click } = await open({ ...DEAD, test: true }, '', 'recovery');
    for (const name of ['Stop load now…', 'Cancel…']) {
      const dialog = await click(name);
      expect(text(dialog)).toContain(OWN);
      await click(name === 'Cancel…' ? 'Cancel the test' : 'Stop the load', dialog);
      expect(text(root.querySelector('[role=status]'))).toContain(OWN);
    }
  });

  it('promises no kill of what a former Manager left', async () => {
    const { root, click } = await open({ ...DEAD, killed: false, taken_over: true }, 'resuming');
    const dialog = await click('Stop load now…');
    expect(text(dialog)).not.toContain('killed at once');
    expect(text(dialog)).toContain('within worker_lease');
    await click('Stop the load', dialog);
    expect(text(root.querySelector('[role=status]'))).toContain('ends by itself');
  });
});

describe('endingText', () => {
  it('names load hosts, and what may get lost', () => {
    const found = { ...DEAD, killed: false, noted: false, load_hosts: ['c1', 'c2'] };
    expect(endingText(found)).toContain('killed on c1, c2');
    expect(endingText(found)).toContain('ask for it again');
  });
});
