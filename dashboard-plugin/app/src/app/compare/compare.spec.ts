import { TestBed } from '@angular/core/testing';
import { answers, comparison, runs } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { osdPlot, seriesPlot, stripPlot } from './charts';
import { ComparePage } from './compare-page';
import { comparisonRows } from './export';
import { makeMatrix } from './matrix';
import { metricsOf } from './metrics';
import { readSelection, selectionQuery, suggest } from './selection';

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
    const cells = [...root.querySelectorAll('a.cell')].map(text);
    expect(cells).toHaveLength(6);
    expect(cells[0]).toContain('×0.575');
    expect(cells[0]).toContain('slower');
    expect(cells.join()).toContain('inconclusive (too noisy)');
  });

  it('shows the reason in the cell that it makes inconclusive', async () => {
    const { root } = await open(new Stage(answers()));
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
    button(root, 'Per OSD').click();
    button(root, 'Table').click();
    await settle(fixture);
    expect(stage.path).toBe('/compare?baseline=x86&candidate=arm&per=osd&view=table');
    expect(root.querySelectorAll('pc-compare-table tbody tr')).toHaveLength(6);
  });

  it('opens a row with its trials, series, OSDs and manifest', async () => {
    const path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16';
    const { root, stage } = await open(new Stage(answers(), path));
    expect([...root.querySelectorAll('figcaption h3')].map(text)).toEqual([
      'Trials',
      'Ratio of each block',
      'Throughput over time',
      'Distribution over the OSDs',
    ]);
    expect(text(root)).toContain('rados bench records no distribution');
    // two trials of one round, whatever the run holds
    expect(stage.requests('GET', '/series')).toHaveLength(2);
    expect(stage.requests('GET', '/trial')).toHaveLength(2);
  });
});

describe('selection', () => {
  it('asks for one run by name when both sides are of it', () => {
    const query = new URLSearchParams('baseline=x86&candidate=arm&run=a');
    const selection = readSelection(query);
    expect(selection.baseline).toEqual({ group: 'x86', run: 'a' });
    expect(selectionQuery(selection)).toEqual({
      baseline: 'x86',
      candidate: 'arm',
      run: ['a'],
    });
  });

  it('compares one group in two runs, for releases and tunings', () => {
    const query = new URLSearchParams('baseline=x86@a&candidate=x86@b');
    expect(selectionQuery(readSelection(query))).toEqual({
      baseline: 'x86@a',
      candidate: 'x86@b',
      run: [],
    });
  });

  it('suggests two runs of one group where no run has two', () => {
    const single = runs().runs.map((run) => ({ ...run, groups: ['x86'] }));
    expect(suggest(single)).toMatchObject({
      baseline: { group: 'x86', run: single[1].id },
      candidate: { group: 'x86', run: single[0].id },
    });
  });
});

describe('matrix', () => {
  it('judges operations per second only', () => {
    const found = comparison();
    const [ops, latency] = metricsOf(found);
    const cells = (metric: typeof ops) =>
      makeMatrix(found, metric, false).lines.flatMap((line) => line.cells.flat());
    expect(cells(ops).every((cell) => cell.estimate?.verdict)).toBe(true);
    expect(cells(latency).every((cell) => cell.estimate === null)).toBe(true);
  });

  it('orders by operation, size and load', () => {
    const found = comparison();
    const matrix = makeMatrix(found, metricsOf(found)[0], false);
    expect(matrix.columns).toEqual(['16', '4/osd']);
    expect(matrix.lines.map((line) => line.title)).toEqual([
      'Write 4 KiB',
      'Write 64 KiB',
      'Write 4 MiB',
      'Random read 4 KiB',
      'Random read 64 KiB',
      'Random read 4 MiB',
    ]);
  });

  it('offers each further metric that a row has, with its verdict', () => {
    const found = comparison();
    const watt = metricsOf(found).find((m) => m.key === 'ops-per-watt');
    const row = found.rows.find((one) => one.metrics.some((m) => m.id === 'ops-per-watt'));
    expect(watt?.label).toBe('op/s per watt');
    expect(row && watt?.cell(row, false).estimate?.verdict_text).toBeTruthy();
    found.rows.forEach((one) => (one.metrics = []));
    expect(metricsOf(found).map((m) => m.key)).toEqual(['ops', 'latency']);
  });

  it('names in the cell what limited each group', async () => {
    const found = comparison();
    const { limited } = found.rows[0].candidate;
    found.rows[0].candidate.limited = { ...limited, limit: 'disk', text: 'disk: 97 %' };
    const { root } = await open(new Stage(answers({ 'GET /comparison': [200, found] })));
    const limit = [...root.querySelectorAll('.limit')].find((one) => text(one).includes('disk'));
    expect(limit?.getAttribute('title')).toBe('disk: 97 %');
    expect(text(limit ?? null)).toContain('arm');
    vi.unstubAllGlobals();
  });
});

describe('export', () => {
  it('has one line per workload, as wide as its header', () => {
    const rows = comparisonRows(comparison());
    expect(rows).toHaveLength(7);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  });
});

describe('charts', () => {
  it('have all their points in the table twin', () => {
    const row = comparison().rows[0];
    const strip = stripPlot(row, false);
    expect(strip.table.rows).toHaveLength(14);
    const points = strip.config.data.datasets.map((set) => set.data.length);
    expect(points).toEqual([7, 7]);
  });

  it('names the round of a dot where another trial has no rate', () => {
    const row = comparison().rows[0];
    const dots = row.baseline.dots.map((dot, at) => (at ? dot : { ...dot, ops_per_s: null }));
    const strip = stripPlot({ ...row, baseline: { ...row.baseline, dots } }, false);
    const tip = strip.config.options.tip?.({ dataset: 0, index: 0, x: 1, y: 1 });
    expect(strip.config.data.datasets[0].data).toHaveLength(dots.length - 1);
    expect(tip).toContain(`round ${dots[1].round}`);
  });

  it('leave gaps where a second is not available', () => {
    const table = {
      wall_start: 0,
      t: [1, 2, 3],
      columns: [{ name: 'ops', unit: 'op/s', values: [5, null, 7] }],
    };
    const drawn = seriesPlot([{ side: 0, group: 'x86', round: 1, table }]);
    expect(drawn.config.data.datasets[0].data).toEqual([
      { x: 1, y: 5 },
      { x: 2, y: NaN },
      { x: 3, y: 7 },
    ]);
  });

  it('leave out OSDs that did not answer', () => {
    const metric = { name: 'op_w', label: 'writes', factor: 1 };
    const drawn = osdPlot([{ group: 'x86', osds: { '1': { op_w: 3 }, '2': null } }], metric);
    expect(drawn.table.rows).toEqual([['x86', 'osd.1', 3]]);
  });
});
