import { TestBed } from '@angular/core/testing';
import { answers, comparison, evidence, trial } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { HostFigures, SeriesTable, Trial } from '../models/run';
import { CoursePanel } from './course-panel';
import { COURSE_LINES, coursePlot } from './course-plot';
import { HostPanel } from './host-panel';
import { HOST_METRICS, hostMetrics, valuesOf } from './hosts';
import { latencyBases, latencyLacks, latencyRows } from './latency';
import { LatencyPanel } from './latency-panel';
import { beyond, cdfPlot, percentilePlot, tailPlot } from './latency-plots';
import { topOsds } from './osd-top';
import { LoadShares } from './load-shares';

const host = (busy: number): HostFigures => ({
  role: 'osd',
  cpu_busy: busy,
  nics: { eth0: { rx_bytes_per_s: 1e6 }, eth1: { rx_bytes_per_s: 2e6 } },
  disks: { sda: { util: 0.2 }, sdb: { util: 0.9 } },
});
const table: SeriesTable = {
  wall_start: 100,
  t: [1, 2],
  columns: [
    { name: 'cpu_busy', unit: '', values: [0.5, null] },
    { name: 'disk.sda.util', unit: '', values: [0.1, 0.3] },
    { name: 'disk.sdb.util', unit: '', values: [0.4, 0.2] },
  ],
};

describe('hosts', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('join devices: the busiest disk, the sum of the network', () => {
    const figure = (key: string) => HOST_METRICS.find((metric) => metric.key === key);
    expect(figure('disk.util')?.of(host(0.5))).toBe(0.9);
    expect(figure('nic.rx_bytes_per_s')?.of(host(0.5))).toBe(3e6);
    const util = figure('disk.util');
    expect(util && valuesOf(table, util)).toEqual([0.4, 0.3]);
  });

  it('count once what bonds, bridges and VLANs carry', () => {
    const received = HOST_METRICS.find((metric) => metric.key === 'nic.rx_bytes_per_s');
    const total = (names: string[]) => [
      received?.of({
        ...host(0.5),
        nics: Object.fromEntries(names.map((name) => [name, { rx_bytes_per_s: 1 }])),
      }),
      received &&
        valuesOf(
          {
            wall_start: 0,
            t: [1],
            columns: names.map((name) => ({
              name: `nic.${name}.rx_bytes_per_s`,
              unit: 'B/s',
              values: [1],
            })),
          },
          received,
        )[0],
    ];
    expect(total(['eth0', 'eth1', 'bond0', 'bond0.100', 'br0'])).toEqual([2, 2]);
    expect(total(['bond0', 'bond0.100', 'vmbr0'])).toEqual([1, 1]); // no port is told
    expect(total([])).toEqual([null, null]);
  });

  it('have only figures that were measured', () => {
    const hosts = [{ side: 0 as const, group: 'x86', name: 'a', figures: host(0.5) }];
    const keys = hostMetrics(hosts).map((metric) => metric.key);
    expect(keys).toEqual(['cpu_busy', 'disk.util', 'nic.rx_bytes_per_s']);
    const hot = { ...host(0.5), temperature: 74, throttled: 0, watts: null };
    const others = hostMetrics([...hosts, { ...hosts[0], figures: hot }]);
    expect(others.map((metric) => metric.key).slice(3)).toEqual(['temperature', 'throttled']);
  });

  /** Opens the lines of two hosts, whose series are answered so. */
  async function overTime(answer: [number, unknown]) {
    const stage = new Stage(answers({ 'GET /run/0a1b2c3d/series': answer }));
    const one = { ...trial(), run: '0a1b2c3d' };
    const of = (group: string, busy: number) => ({
      ...one,
      group,
      evidence: { hosts: { [`${group}-1`]: host(busy) } },
    });
    const fixture = TestBed.createComponent(HostPanel);
    fixture.componentRef.setInput('trials', [
      { side: 0, trial: of('x86', 0.25) },
      { side: 1, trial: of('arm', 0.75) },
    ]);
    fixture.componentRef.setInput('names', ['x86', 'arm']);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    expect(stage.requests('GET', '/series')).toEqual([]); // until they are wanted
    root.querySelector('details')?.toggleAttribute('open', true);
    await settle(fixture);
    return { root, stage };
  }

  it('have no lines over time where samples are not stored', async () => {
    const { root } = await overTime([404, { detail: 'no such series' }]);
    expect(text(root)).toContain('their samples are not stored');
    expect(text(root)).not.toContain('no such series');
  });

  it('say why their lines could not be had', async () => {
    const { root } = await overTime([503, { detail: 'the database is busy' }]);
    expect(text(root)).toContain('the database is busy');
    expect(text(root)).not.toContain('their samples are not stored');
  });

  it('stand side by side, with their figures over time', async () => {
    const { root, stage } = await overTime([200, table]);
    const rows = [...root.querySelectorAll('section tbody tr')].map(text);
    expect(rows[0]).toContain('x86-1');
    expect(rows[0]).toContain('25 %');
    expect(rows[1]).toContain('75 %');
    const sources = stage.requests('GET', '/series').map((r) => r.url.searchParams.get('source'));
    expect(sources).toEqual(['host.x86-1', 'host.arm-1']);
    expect([...root.querySelectorAll('.keys li')].map(text).join()).toContain('arm');
  });
});

describe('load hosts', () => {
  const shares = async (hosts: unknown) => {
    const client = { hosts } as Trial['evidence']['client'];
    const fixture = TestBed.createComponent(LoadShares);
    fixture.componentRef.setInput('trials', [
      { side: 0, trial: { ...trial(), evidence: { client } } },
      { side: 1, trial: { ...trial(), evidence: {} } },
    ]);
    await settle(fixture);
    return fixture.nativeElement as HTMLElement;
  };

  it('tell what each did, and how its clock was', async () => {
    const rest = { ops_per_s: 500, busy: 0.25, late: 0.4 };
    const root = await shares([
      { host: 'load-1', share: 0.52, ...rest, clock_ahead: -0.0012, clock_bound: 0.0004 },
      { host: 'load-2', share: null, ...rest, clock_ahead: null, clock_bound: null },
    ]);
    const [first, second] = [...root.querySelectorAll('tbody tr')].map(text);
    expect(first).toContain('load-1');
    expect(first).toContain('52 %');
    expect(first).toContain('−1.20 ms (± 400 µs)');
    expect(second).toContain('–');
  });

  it('are not there where load came from one host', async () => {
    expect(text(await shares(undefined))).toBe('');
  });
});

describe('topOsds', () => {
  it('puts the greatest first, against the median of its group', () => {
    const osds = { '1': { lat: 1 }, '2': { lat: 4 }, '3': { lat: 1 }, '4': null };
    const [side] = topOsds([{ group: 'x86', osds }], { key: 'lat', label: '', factor: 1 });
    expect(side.osds[0]).toEqual({ id: '2', value: '4.00', ratio: '×4.00' });
    expect(side.osds).toHaveLength(3);
  });
});

describe('latency', () => {
  it('says of each side whose its percentiles are, once where both are alike', () => {
    const row = comparison().rows[0];
    const probe = (rate: number) => `as one more client sees it: probe, ${rate}/s`;
    expect(latencyBases(row)).toEqual([]);
    row.baseline.percentiles_basis = probe(20);
    expect(latencyBases(row)).toEqual([`${row.baseline.group}: ${probe(20)}`]);
    row.candidate.percentiles_basis = probe(5);
    expect(latencyBases(row)).toEqual([
      `${row.baseline.group}: ${probe(20)}`,
      `${row.candidate.group}: ${probe(5)}`,
    ]);
    row.candidate.percentiles_basis = probe(20);
    expect(latencyBases(row)).toEqual([probe(20)]);
  });

  it('is of clients and of OSDs, each by percentile', () => {
    const row = comparison().rows[0];
    expect(percentilePlot(row)).toBeNull();
    row.baseline.percentiles = { 'p99.9': 0.02, p50: 0.001 };
    row.candidate.percentiles = { 'p99.9': 0.03, p50: 0.002 };
    const one = trial();
    one.evidence = {
      histograms: {
        write: {
          p50: 0.004,
          p95: 0.01,
          p99: 0.02,
          count: 9,
          accuracy: 'one bucket: the next bound is twice as high',
          bounds: { p50: [0.0032, 0.0064], p95: [0.0064, 0.0128], p99: [0.0128, null] },
        },
      },
    };
    const rows = latencyRows(row, [{ side: 1, trial: one }]);
    expect(rows.map((line) => line.name)).toEqual([
      'clients, p50',
      'clients, p99.9',
      'OSDs, write p50',
      'OSDs, write p95',
      'OSDs, write p99',
    ]);
    expect(rows[2].values).toEqual(['–', '4.00 ms (3.20 ms … 6.40 ms)']);
    expect(rows[4].values[1]).toBe('20.0 ms (> 12.8 ms)');
    delete row.baseline.percentiles['p99.9'];
    row.baseline.percentiles_reason = 'p99.9 (too few operations: 812)';
    expect(latencyRows(row, [])[1].values).toEqual([
      '– p99.9 (too few operations: 812)',
      '30.0 ms',
    ]);
    expect(percentilePlot(row)?.table.rows).toHaveLength(4);
  });

  it('is drawn by how many took longer, each decade as wide as the next', () => {
    expect(['p50', 'p99', 'p99.9', 'p99.99'].map(beyond)).toEqual([0.5, 0.01, 0.001, 0.0001]);
    const row = comparison().rows[0];
    row.baseline.percentiles = { p50: 0.001, p99: 0.01, 'p99.9': 0.02 };
    row.candidate.percentiles = { p50: 0.002, p99: 0.04 };
    const drawing = percentilePlot(row);
    const [a, b] = drawing?.config.data.datasets.map((set) => set.data as { x: number }[]) ?? [];
    expect(a.map(({ x }) => Number(x.toFixed(3)))).toEqual([0.301, 2, 3]);
    expect(b).toHaveLength(3); // the one that is missing is a gap
    expect(drawing?.config.options.scales?.['y']?.type).toBe('logarithmic');
    expect(drawing?.table.rows[2]).toEqual([row.baseline.group, 'p99.9', 0.001, 0.02]);
    expect(drawing?.table.rows[5]).toEqual([row.candidate.group, 'p99.9', 0.001, null]);
  });
});

describe('distributions', () => {
  it('draw both sides, the tail as far as ten operations are beyond', () => {
    const row = comparison().rows[0];
    const [found] = evidence().distributions;
    const cdf = cdfPlot(found, row);
    const [a, b] = cdf.config.data.datasets.map((set) => set.data as { x: number; y: number }[]);
    expect(a.at(-1)?.y).toBe(1);
    expect(b.at(-1)?.y).toBe(1);
    // the candidate is slower: its curve lies to the right
    const median = (points: typeof a) => points.find(({ y }) => y >= 0.5)?.x ?? NaN;
    expect(median(b)).toBeGreaterThan(median(a));
    const tail = tailPlot(found, row);
    const [one] = tail.config.data.datasets.map((set) => set.data as { x: number }[]);
    expect(Math.max(...one.map(({ x }) => x))).toBeLessThanOrEqual(
      Math.log10(found.baseline.samples / 10) + 1e-6,
    );
    expect(tail.table.rows.length).toBe(
      found.baseline.points.length + found.candidate.points.length,
    );
  });

  it('of one side say why the other has none', async () => {
    new Stage({});
    const row = comparison().rows[0];
    const [found] = evidence().distributions;
    found.candidate = { samples: 0, trials: 0, points: [], reason: 'no histogram was recorded' };
    const fixture = TestBed.createComponent(LatencyPanel);
    fixture.componentRef.setInput('row', row);
    fixture.componentRef.setInput('distributions', [found]);
    await settle(fixture);
    expect(text(fixture.nativeElement)).toContain('arm: no histogram was recorded');
    expect(text(fixture.nativeElement)).toContain('x86: 21,000 operations of 7 trials');
  });

  it('say of each side which percentiles lack', () => {
    const row = comparison().rows[0];
    row.baseline.percentiles_reason = 'p99.9 (too few operations: 812)';
    row.candidate.percentiles_reason = '';
    expect(latencyLacks(row)).toEqual(['x86: p99.9 (too few operations: 812)']);
    row.candidate.percentiles_reason = row.baseline.percentiles_reason;
    expect(latencyLacks(row)).toEqual(['p99.9 (too few operations: 812)']);
  });
});

describe('courses', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('lie over each other on one time axis, a chosen round stands out', () => {
    const { courses } = evidence();
    const drawings = COURSE_LINES.map((line) =>
      coursePlot(courses, line, ({ round }) => round === 3),
    );
    const spans = drawings.map((one) => [
      one?.config.options.scales?.['x']?.min,
      one?.config.options.scales?.['x']?.max,
    ]);
    expect(new Set(spans.map(String))).toEqual(new Set(['0,35']));
    const sets = drawings[0]?.config.data.datasets ?? [];
    expect(sets).toHaveLength(14);
    expect(sets.filter((set) => set.borderWidth === 2)).toHaveLength(2);
    expect(sets.map((set) => set.label).filter(Boolean)).toEqual(['x86', 'arm']);
  });

  it('leave gaps where a second is not available', () => {
    const [course] = evidence().courses;
    course.load = { t: [1, 2, 3], lines: { ops: [5, null, 7] } };
    const drawn = coursePlot([course], COURSE_LINES[0], () => false);
    expect(drawn?.config.data.datasets[0].data).toEqual([
      { x: 1, y: 5 },
      { x: 2, y: NaN },
      { x: 3, y: 7 },
    ]);
  });

  it('say what is not there: another tool has no samples, hosts no exporter', async () => {
    new Stage({}, '/compare');
    const found = evidence();
    for (const course of found.courses) {
      course.load = course.hosts = { t: [], lines: {} };
      course.osd_hosts = 0;
    }
    for (const { trial } of found.shown) {
      trial.evidence.hosts = { h1: { role: 'osd', disks: {}, nics: {} } };
    }
    const fixture = TestBed.createComponent(CoursePanel);
    fixture.componentRef.setInput('evidence', found);
    await settle(fixture);
    expect(text(fixture.nativeElement)).toContain('finds numpy');
    // figures over the whole trial are there: exporters were, samples are not
    expect(text(fixture.nativeElement)).toContain('Not available: CPU of the busiest host');
    expect(text(fixture.nativeElement)).not.toContain('see Checks');
    for (const { trial } of found.shown) {
      trial.evidence.hosts = { h1: { role: 'osd', samples: 0, disks: {}, nics: {} } };
    }
    fixture.componentRef.setInput('evidence', { ...found });
    await settle(fixture);
    expect(text(fixture.nativeElement)).toContain('Exporters of the hosts of OSDs tell of them');
    fixture.componentRef.setInput('evidence', { ...found, foreign: true });
    await settle(fixture);
    expect(text(fixture.nativeElement)).toContain('what was imported has no samples');
    expect(text(fixture.nativeElement)).not.toContain('Not available');
  });

  it('say that hosts with exporters have no network interface', async () => {
    new Stage({}, '/compare');
    const found = evidence();
    for (const course of found.courses) {
      course.osd_hosts = 2;
      course.hosts = { t: [1, 2], lines: { cpu: [0.1, 0.2], disk: [0.1, 0.2] } };
    }
    const fixture = TestBed.createComponent(CoursePanel);
    fixture.componentRef.setInput('evidence', found);
    await settle(fixture);
    const said = text(fixture.nativeElement);
    expect(said).toContain(
      'Not available: Network of all hosts. The exporters of these hosts tell',
    );
    expect(said).not.toContain('see Checks');
  });
});
