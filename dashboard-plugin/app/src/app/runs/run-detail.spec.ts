import { TestBed } from '@angular/core/testing';
import { active, answers, run } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { Live } from '../core/live';
import { Progress } from '../models/run';
import { RunDetailPage } from './run-detail';

describe('RunDetailPage', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  it('shows trials, timeline and an empty journal', async () => {
    new Stage(answers(), '/runs/0a1b2c3d');
    const fixture = TestBed.createComponent(RunDetailPage);
    fixture.componentRef.setInput('id', '0a1b2c3d');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    expect(text(root.querySelector('pc-run-trials h2'))).toContain('96');
    expect(root.querySelectorAll('.timeline li')).toHaveLength(5);
    root.querySelectorAll('details').forEach((box) => {
      if (text(box).startsWith('Journal')) {
        box.open = true;
        box.dispatchEvent(new Event('toggle'));
      }
    });
    await settle(fixture);
    expect(text(root)).toContain('Nothing of this run is left in the cluster');
  });

  it('reads an open journal again at each step: nothing is left when it says so', async () => {
    const status = active();
    const now = status.progress as Progress;
    const stage = new Stage(
      answers({
        'GET /status': [200, { ...status, progress: { ...now, run: '0a1b2c3d' } }],
      }),
      '/runs/0a1b2c3d',
    );
    const fixture = TestBed.createComponent(RunDetailPage);
    fixture.componentRef.setInput('id', '0a1b2c3d');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const box = [...root.querySelectorAll('details')].find((one) =>
      text(one).startsWith('Journal'),
    ) as HTMLDetailsElement;
    box.open = true;
    box.dispatchEvent(new Event('toggle'));
    await settle(fixture);
    expect(text(box)).toContain('Nothing of this run is left');
    const entry = { seq: 1, kind: 'pool', name: 'perfcompare.0a1b2c3d.arm.write', step: 'done' };
    stage.answers['GET /run/0a1b2c3d/journal'] = [200, [entry]];
    const later = { ...now, run: '0a1b2c3d', trial: 'rand-4K-c16 on arm' };
    stage.answers['GET /status'] = [200, { ...status, progress: later }];
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(text(box)).toContain(entry.name);
    expect(text(box)).not.toContain('Nothing of this run is left');
  });

  /** The page of a run whose trials go on, on a clock that can be set. */
  async function going() {
    const now = active().progress as Progress;
    const stage = new Stage(answers(), '/runs/0a1b2c3d');
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const fixture = TestBed.createComponent(RunDetailPage);
    const settle = async (after = 0) => {
      await vi.advanceTimersByTimeAsync(after);
      for (let turn = 0; turn < 5; turn += 1) {
        await vi.advanceTimersByTimeAsync(20);
        await fixture.whenStable();
      }
    };
    const tell = async (state: string, trial: string) => {
      const progress = { ...now, run: '0a1b2c3d', state, trial };
      stage.answers['GET /status'] = [200, { ...active(), progress }];
      await TestBed.inject(Live).refresh();
      await settle();
    };
    fixture.componentRef.setInput('id', '0a1b2c3d');
    await tell('preparing', '');
    const asked = (path = '') => stage.requests('GET', `/run/0a1b2c3d${path}`).length;
    return { stage, fixture, tell, asked, settle };
  }

  it('reads a large run at most every ten seconds while trials go on', async () => {
    const { tell, asked, settle } = await going();
    const before = asked();
    for (let trial = 0; trial < 5; trial += 1) {
      await tell('trial', `w${trial} on arm`);
      await tell('cooling', `w${trial} on arm`);
    }
    expect(asked()).toBe(before);
    await settle(10_000);
    expect(asked()).toBe(before + 1);
    await tell('finishing', '');
    expect(asked()).toBe(before + 2);
  });

  it('reads what limited a run at most every half a minute', async () => {
    const { stage, tell, asked, fixture, settle } = await going();
    const cells = { run: '0a1b2c3d', cells: [], notes: [] };
    stage.answers['GET /run/0a1b2c3d/findings'] = [200, cells];
    const box = fixture.nativeElement.querySelector('pc-run-evidence details');
    box.open = true;
    box.dispatchEvent(new Event('toggle'));
    await settle();
    expect(asked('/findings')).toBe(1);
    const longer = run();
    for (const more of [1, 2]) {
      longer.trials.push({ ...longer.trials[0], round: 90 + more });
      stage.answers['GET /run/0a1b2c3d'] = [200, structuredClone(longer)];
      await tell('trial', `w${more} on arm`);
      await settle(10_000);
    }
    expect(asked('/findings')).toBe(1);
    await settle(20_000);
    expect(asked('/findings')).toBe(2);
  });

  it('says how long a step lasted, whatever is hidden after it', async () => {
    const found = run();
    const states = ['preparing', 'trial', 'cooling', 'trial', 'finishing', 'completed'] as const;
    found.run.events = states.map((state, at) => ({ at: 1000 + 10 * at, state, message: '' }));
    new Stage(answers({ 'GET /run/0a1b2c3d': [200, found] }), '/runs/0a1b2c3d');
    const fixture = TestBed.createComponent(RunDetailPage);
    fixture.componentRef.setInput('id', '0a1b2c3d');
    await settle(fixture);
    const steps = () =>
      [...fixture.nativeElement.querySelectorAll('.timeline li')].map((step: Element) =>
        text(step.querySelector('.muted')),
      );
    expect(steps()).toEqual(['10 s', '10 s', '']);
    fixture.nativeElement.querySelector('pc-run-timeline input').click();
    await settle(fixture);
    expect(steps()).toHaveLength(6);
  });

  it('shows limits, OSDs and hosts of a run, each when it is opened', async () => {
    const row = { cpu_busy: 0.5, cpu_iowait: null, disk: 'sda', disk_util: 0.9, role: 'osd' };
    const limited = {
      limit: 'disk',
      text: 'disk 90% busy',
      findings: [{ id: 'd', direction: 'faster disks' }],
      outliers: [{ osd: 3, text: 'commit', value: 0.02, median: 0.01 }],
    };
    const figures = { ops_per_s: 100, latency: 0.002, share: 0.5, z: 4.25, slow_by: 'commit' };
    const share = { share: 0.512, clock_ahead: -0.0021, clock_bound: 0.0004, errors: 12 };
    const stage = new Stage(
      answers({
        'GET /run/0a1b2c3d/findings': [
          200,
          {
            run: '0a1b2c3d',
            cells: [{ workload: 'w', group: 'arm', limited }],
            notes: ['note of 1'],
          },
        ],
        'GET /run/0a1b2c3d/osds': [
          200,
          {
            run: '0a1b2c3d',
            tables: [
              {
                workload: 'w',
                group: 'arm',
                trials: 1,
                rows: [{ osd: 3, ...figures }],
                silent: [7],
                more: 12,
              },
            ],
          },
        ],
        'GET /run/0a1b2c3d/hosts': [
          200,
          {
            run: '0a1b2c3d',
            rows: [{ host: 'arm-1', workload: 'w', group: 'arm', ...row }],
            notes: ['hosts: x86-1 not available'],
            load_hosts: [{ host: 'load-1', workload: 'w', group: 'arm', ...share }],
          },
        ],
      }),
      '/runs/0a1b2c3d',
    );
    const fixture = TestBed.createComponent(RunDetailPage);
    fixture.componentRef.setInput('id', '0a1b2c3d');
    await settle(fixture);
    const root = fixture.nativeElement.querySelector('pc-run-evidence') as HTMLElement;
    expect(stage.requests('GET', '/run/0a1b2c3d/findings')).toHaveLength(0);
    root.querySelectorAll('details').forEach((box) => {
      box.open = true;
      box.dispatchEvent(new Event('toggle'));
    });
    await settle(fixture);
    const said = text(root);
    for (const one of [
      'faster disks',
      'osd.3: commit 20.0 ms',
      '4.3',
      'Not available: osd.7',
      'sda',
      'x86-1 not available',
      'load-1',
      '51 %',
      '-2.10 ms ± 400 µs',
      'note of 1',
      '12 more are less unlike',
    ]) {
      expect(said).toContain(one);
    }
    expect(stage.requests('GET', '/run/0a1b2c3d/hosts')).toHaveLength(1);
  });

  it('shows what the active run does now', async () => {
    const going = run();
    going.run = { ...going.run, id: '5e6f7a8b', state: 'trial', ended: null };
    new Stage(
      answers({ 'GET /status': [200, active()], 'GET /run/5e6f7a8b': [200, going] }),
      '/runs/5e6f7a8b',
    );
    const fixture = TestBed.createComponent(RunDetailPage);
    fixture.componentRef.setInput('id', '5e6f7a8b');
    await settle(fixture);
    const now = text(fixture.nativeElement.querySelector('pc-run-live'));
    expect(now).toContain('42 %');
    expect(now).toContain('10 min 40 s');
    expect(now).toContain('write-4K-c16 on arm');
    expect(text(fixture.nativeElement)).toContain('Cancel…');
  });

  it('says how long it may take, as the Manager does, and when it only cleans up', async () => {
    const going = run();
    going.run = { ...going.run, id: '5e6f7a8b', state: 'trial', ended: null };
    const stage = new Stage(
      answers({ 'GET /status': [200, active()], 'GET /run/5e6f7a8b': [200, going] }),
      '/runs/5e6f7a8b',
    );
    const fixture = TestBed.createComponent(RunDetailPage);
    fixture.componentRef.setInput('id', '5e6f7a8b');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    expect(text(root.querySelector('pc-run-live'))).toContain('8 min 20 s to 10 min 40 s');
    const ending = active();
    ending.progress = {
      ...(ending.progress as Progress),
      state: 'finishing',
      trial: '',
      ops_per_s: null,
    };
    stage.answers['GET /status'] = [200, ending];
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(text(root.querySelector('pc-run-live'))).toMatch(/Time left ?cleaning up/);
  });

  it('says when there is no such run', async () => {
    new Stage(answers(), '/runs/ffffffff');
    const fixture = TestBed.createComponent(RunDetailPage);
    fixture.componentRef.setInput('id', 'ffffffff');
    await settle(fixture);
    expect(text(fixture.nativeElement)).toContain('Not found');
  });
});
