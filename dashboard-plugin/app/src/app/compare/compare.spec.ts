import { TestBed } from '@angular/core/testing';
import { active, answers, comparison } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { Live } from '../core/live';
import { Row, Verdict } from '../models/comparison';
import { ComparePage } from './compare-page';

async function open(stage: Stage) {
  const fixture = TestBed.createComponent(ComparePage);
  await settle(fixture);
  return { fixture, root: fixture.nativeElement as HTMLElement, stage };
}

describe('ComparePage', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('chooses the newest run with two groups by itself', async () => {
    const { stage, root } = await open(new Stage(answers()));
    expect(stage.path).toBe('/compare?baseline=x86&candidate=arm');
    const lines = [...root.querySelectorAll('.f-line')].map(text);
    expect(lines).toHaveLength(6);
    expect(lines[0]).toContain('×0.575');
    expect(lines[0]).toContain('slower');
    expect(lines.join()).toContain('inconclusive (too noisy)');
    expect(text(root)).not.toContain('has the metric');
  });

  it('asks once for runs and groups, also while a run is on', async () => {
    const during = answers({ 'GET /status': [200, active()] });
    const { stage, fixture } = await open(new Stage(during, '/compare?baseline=x86&candidate=arm'));
    expect(stage.requests('GET', '/run')).toHaveLength(1);
    expect(stage.requests('GET', '/group')).toHaveLength(1);
    const { progress, ...rest } = active();
    const status = { ...rest, progress: { ...progress, run: '99999999' } };
    stage.answers['GET /status'] = [200, status];
    await TestBed.inject(Live).refresh();
    await settle(fixture);
    expect(stage.requests('GET', '/run')).toHaveLength(2);
  });

  it('goes across what is meant to differ, and says how it does', async () => {
    const found = comparison();
    found.across = [{ name: 'release', baseline: ['18.2.7'], candidate: ['20.2.4'] }];
    const { root, stage, fixture } = await open(new Stage(answers()));
    stage.answers['GET /comparison'] = [200, found];
    const box = [...root.querySelectorAll<HTMLElement>('.pool .check')].find((label) =>
      text(label).startsWith('release'),
    );
    box?.querySelector('input')?.click();
    await settle(fixture);
    expect(stage.path).toContain('across=release');
    expect(stage.requests('GET', '/comparison').at(-1)?.url.searchParams.getAll('across')).toEqual([
      'release',
    ]);
    expect(text(root)).toContain('Across release: 18.2.7 → 20.2.4');
  });

  it('says who, in how many, by how much, and what would settle the rest', async () => {
    const { root } = await open(new Stage(answers()));
    expect(text(root.querySelector('.answer-title'))).toBe(
      'arm is faster than x86 in 2 of 6 workloads, slower in 1',
    );
    expect(text(root.querySelector('.answer-size'))).toBe(
      '×0.951 geometric mean of the 3 decided, from ×0.575 to ×1.43 (descriptive)',
    );
    expect([...root.querySelectorAll('.chip')].map(text)).toEqual([
      '▲2 faster',
      '▼1 slower',
      '■1 no difference shown',
      '○2 inconclusive',
      '1 client',
      '1 too noisy',
    ]);
    const repeat = root.querySelector('.answer a.button');
    expect(text(repeat)).toBe('Repeat with 23 rounds');
    expect(repeat?.getAttribute('href')).toBe('#/perfcompare/new?repeat=0a1b2c3d&rounds=23');
  });

  it('names the metric that its headline is of, and calls no efficiency fast', async () => {
    const found = comparison();
    const [row] = found.rows;
    const watts = {
      ...row.metrics[0],
      id: 'ops-per-watt',
      title: 'per watt',
      kind: 'efficiency' as const,
      better: 'higher' as const,
      estimate: { ...row.estimate, verdict: 'faster' as const, ratio: 2, low: 1.9, high: 2.1 },
    };
    found.rows.forEach((one) => (one.metrics = []));
    row.metrics = [watts];
    const title = async (query: string) => {
      const answer = answers({ 'GET /comparison': [200, found] });
      const { root } = await open(
        new Stage(answer, `/compare?baseline=x86&candidate=arm&${query}`),
      );
      TestBed.resetTestingModule();
      return [
        text(root.querySelector('.answer-title')),
        text(root.querySelector('.results-bar strong.print-only')),
        text(root.querySelector('.f-ends')),
        [...root.querySelectorAll('.chip, .f-verdict, .tag-text')]
          .flatMap((one) => text(one).match(/faster|better/) ?? [])
          .join(),
      ];
    };
    expect(await title('metric=ops-per-watt&per=osd')).toEqual([
      'arm is better than x86 in 1 of 6 workloads (op/s per watt)',
      'op/s per watt',
      '← arm worsearm better →',
      'better,better',
    ]);
    expect((await title('metric=ops-per-watt&view=matrix'))[3]).toBe('better,better');
    expect((await title(`metric=ops-per-watt&row=${row.workload}`))[3]).toBe('better');
    const [said, printed] = await title('per=osd');
    expect(said).toContain('(Operations per second per OSD)');
    expect(printed).toBe('Operations per second per OSD');
  });

  it('opens with the percentile where groups keep up with a rate, as lists of runs count', async () => {
    const found = comparison();
    const paced = (
      ops: Verdict,
      p99: Verdict | null,
      label = 'paced',
    ): Pick<Row, 'label' | 'estimate' | 'metrics'> => {
      const [row] = comparison().rows;
      const metric = { ...row.metrics[0], id: 'latency-p99', title: 'p99 latency' };
      return {
        label,
        estimate: { ...row.estimate, verdict: ops },
        metrics: [
          {
            ...metric,
            kind: 'latency',
            better: 'lower',
            unit: 's',
            estimate: { ...row.estimate, verdict: p99, ratio: 2, low: 1.9, high: 2.1 },
          },
        ],
      };
    };
    const shown = async (rows: ReturnType<typeof paced>[], query = '') => {
      const same = found.rows.slice(0, rows.length).map((row, at) => ({ ...row, ...rows[at] }));
      const answer = answers({ 'GET /comparison': [200, { ...found, rows: same }] });
      const { root } = await open(new Stage(answer, `/compare?baseline=x86&candidate=arm${query}`));
      TestBed.resetTestingModule();
      return text(root.querySelector('.answer-title'));
    };
    const even = 'no difference shown';
    const p99 = [paced(even, 'slower'), paced(even, null)];
    expect(await shown(p99)).toBe('arm is slower than x86 in 1 of 2 workloads (P99 latency)');
    expect(await shown(p99, '&metric=ops')).toBe('No difference shown between arm and x86');
    // what one group could not do is told by what it did
    expect(await shown([paced('slower', null), paced(even, 'slower')])).toBe(
      'arm is slower than x86 in 1 of 2 workloads',
    );
    expect(await shown([paced(even, null), paced(even, null)])).toBe(
      'No difference shown between arm and x86',
    );
    expect(await shown([paced(even, 'slower', 'saturated')])).toBe(
      'No difference shown between arm and x86',
    );
  });

  it('offers a repetition with more rounds for each tool that makes runs', async () => {
    for (const [tool, osds, offered] of [
      ['rbd', 4, true],
      ['rbd-bench', 4, true],
      ['rados, s3', 4, true],
      ['warp', 4, true],
      ['warp', 0, false],
      ['elbencho', 0, false],
    ] as const) {
      const found = { ...comparison(), tool };
      found.baseline.osds = osds;
      const { root } = await open(new Stage(answers({ 'GET /comparison': [200, found] })));
      expect(root.querySelector('.answer a.button') !== null, `${tool} ${osds}`).toBe(offered);
      TestBed.resetTestingModule();
    }
  });

  it('shows only the rows of a count, of a reason, or that are found', async () => {
    const { root, stage, fixture } = await open(new Stage(answers()));
    const names = () => [...root.querySelectorAll('.f-line th')].map(text);
    button(root, 'slower').click();
    await settle(fixture);
    expect(names()).toEqual(['write-4K-c16']);
    expect(text(root)).toContain('Shown: 1 of 6 workloads.');
    button(root, 'too noisy').click();
    await settle(fixture);
    expect(names()).toEqual(['write-64K-c4/osd']);
    expect(text(root.querySelector('.answer-why'))).toContain('it would take about 23 rounds');
    expect(new URLSearchParams(stage.path.split('?')[1]).get('show')).toBe('open:too noisy');
    button(root, 'Show all').click();
    const find = root.querySelector('input.find') as HTMLInputElement;
    find.value = '4m rand';
    find.dispatchEvent(new Event('input'));
    await settle(fixture);
    expect(names()).toEqual(['rand-4M-c16']);
  });

  it('goes from row to row by the arrow keys, and opens one by a click', async () => {
    const { root, stage, fixture } = await open(new Stage(answers()));
    document.body.append(root);
    const links = [...root.querySelectorAll<HTMLElement>('.f-line th a')];
    links[0].focus();
    const key = (name: string) =>
      document.activeElement?.dispatchEvent(
        new KeyboardEvent('keydown', { key: name, bubbles: true }),
      );
    key('ArrowDown');
    expect(document.activeElement).toBe(links[1]);
    key('End');
    expect(document.activeElement).toBe(links.at(-1));
    root.querySelector<HTMLElement>('.f-line .f-verdict')?.click();
    await settle(fixture);
    expect(stage.path).toContain('row=write-4K-c16');
    root.remove();
  });

  it('shows how far the first run is, and when its first row is due', async () => {
    const none = { runs: [], total: 0, offset: 0 };
    const now = active();
    const first = { ...now, progress: { ...now.progress, run: '0a1b2c3d', fraction: 0.02 } };
    const { root } = await open(
      new Stage(answers({ 'GET /run': [200, none], 'GET /status': [200, first] })),
    );
    const card = text(root.querySelector('pc-compare-running'));
    expect(card).toContain('write-4K-c16 on arm');
    expect(card).toMatch(/The first row, .*, is due/);
    expect(text(root)).not.toContain('group detect');
  });

  it('keeps the comparison when it cannot be loaded again', async () => {
    const stage = new Stage(answers());
    const { root, fixture } = await open(stage);
    stage.answers['GET /comparison'] = [503, { detail: 'the module is restarting' }];
    await (fixture.componentInstance as unknown as { reload(): Promise<void> }).reload();
    await settle(fixture);
    expect(text(root.querySelector('[role=alert]'))).toContain('the module is restarting');
    expect(root.querySelectorAll('.f-line')).toHaveLength(6);
  });

  it('shows the reason in the cell that it makes inconclusive', async () => {
    const path = '/compare?baseline=x86&candidate=arm&view=matrix';
    const { root } = await open(new Stage(answers(), path));
    const reason = root.querySelector('.reason');
    expect(text(reason)).toBe('client');
    expect(reason?.getAttribute('title')).toContain('0.93');
  });

  it('leads a first-time user from groups to a run', async () => {
    const none = { runs: [], total: 0, offset: 0 };
    const { root } = await open(new Stage(answers({ 'GET /run': [200, none] })));
    expect(text(root)).toContain('ceph perfcompare group detect --apply');
    expect(text(root)).toContain('run --group x86 --group arm --profile smoke');
  });

  it('says what the API says when it refuses', async () => {
    const refused = { detail: "group 'arm' is in none of the runs" };
    const { root } = await open(new Stage(answers({ 'GET /comparison': [404, refused] })));
    expect(text(root.querySelector('[role=alert]'))).toContain(refused.detail);
  });

  it('keeps the view in the address', async () => {
    const { stage, root, fixture } = await open(new Stage(answers()));
    root.querySelector<HTMLInputElement>('.results-bar input[type=checkbox]')?.click();
    button(root, 'Table').click();
    await settle(fixture);
    expect(stage.path).toBe('/compare?baseline=x86&candidate=arm&per=osd&view=table');
    expect(root.querySelectorAll('pc-compare-table tbody tr')).toHaveLength(6);
  });

  it('has a table that says of what its ratios are', async () => {
    const heads = async (query: string) => {
      const path = `/compare?baseline=x86&candidate=arm&view=table${query}`;
      const { root } = await open(new Stage(answers(), path));
      TestBed.resetTestingModule();
      const table = [...root.querySelectorAll('pc-compare-table thead th')].map(text);
      return [text(root.querySelector('.results-bar strong.print-only')), ...table];
    };
    expect(await heads('')).toEqual([
      'Operations per second',
      'Workload',
      'Ratio: op/s',
      'Verdict',
      'Interval',
      'Operations, x86',
      'Operations, arm',
      'Throughput, x86',
      'Throughput, arm',
      'Latency, average, x86',
      'Latency, average, arm',
      'q',
      'Blocks',
    ]);
    const perOsd = await heads('&per=osd');
    expect([0, 2, 5, 7, 9].map((at) => perOsd[at])).toEqual([
      'Operations per second per OSD',
      'Ratio: op/s per OSD',
      'op/s per OSD, x86',
      'Throughput per OSD, x86',
      'Latency, average, x86',
    ]);
    const latency = await heads('&per=osd&metric=latency');
    expect([0, 2, 5].map((at) => latency[at])).toEqual([
      'Latency (average)',
      'Ratio: Latency (average)',
      'op/s per OSD, x86',
    ]);
  });
});
