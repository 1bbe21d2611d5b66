import { TestBed } from '@angular/core/testing';
import { answers, comparison, trial } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { HostFigures, SeriesTable } from '../models/run';
import { percentilePlot } from './charts';
import { HostPanel } from './host-panel';
import { HOST_METRICS, hostMetrics, valuesOf } from './hosts';
import { latencyRows } from './latency';
import { topOsds } from './osd-top';

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

  it('have only figures that were measured', () => {
    const hosts = [{ side: 0 as const, group: 'x86', name: 'a', figures: host(0.5) }];
    const keys = hostMetrics(hosts).map((metric) => metric.key);
    expect(keys).toEqual(['cpu_busy', 'disk.util', 'nic.rx_bytes_per_s']);
    const hot = { ...host(0.5), temperature: 74, throttled: 0, watts: null };
    const others = hostMetrics([...hosts, { ...hosts[0], figures: hot }]);
    expect(others.map((metric) => metric.key).slice(3)).toEqual(['temperature', 'throttled']);
  });

  it('stand side by side, with their figures over time', async () => {
    const stage = new Stage(answers({ 'GET /run/0a1b2c3d/series': [200, table] }));
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
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const rows = [...root.querySelectorAll('section tbody tr')].map(text);
    expect(rows[0]).toContain('x86-1');
    expect(rows[0]).toContain('25 %');
    expect(rows[1]).toContain('75 %');
    const sources = stage.requests('GET', '/series').map((r) => r.url.searchParams.get('source'));
    expect(sources).toEqual(['host.x86-1', 'host.arm-1']);
    expect([...root.querySelectorAll('.keys li')].map(text).join()).toContain('arm');
  });
});

describe('topOsds', () => {
  it('puts the greatest first, against the median of its group', () => {
    const osds = { '1': { lat: 1 }, '2': { lat: 4 }, '3': { lat: 1 }, '4': null };
    const [side] = topOsds([{ group: 'x86', osds }], { name: 'lat', label: '', factor: 1 });
    expect(side.osds[0]).toEqual({ id: '2', value: '4.00', ratio: '×4.00' });
    expect(side.osds).toHaveLength(3);
  });
});

describe('latency', () => {
  it('is of clients and of OSDs, each by percentile', () => {
    const row = comparison().rows[0];
    expect(percentilePlot(row)).toBeNull();
    row.baseline.percentiles = { 'p99.9': 0.02, p50: 0.001 };
    row.candidate.percentiles = { 'p99.9': 0.03, p50: 0.002 };
    const one = trial();
    one.evidence = {
      histograms: { write: { p50: 0.004, p95: 0.01, p99: 0.02, count: 9, accuracy: 0.1 } },
    };
    const rows = latencyRows(row, [{ side: 1, trial: one }]);
    expect(rows.map((line) => line.name)).toEqual([
      'clients, p50',
      'clients, p99.9',
      'OSDs, write p50',
      'OSDs, write p95',
      'OSDs, write p99',
    ]);
    expect(rows[2].values).toEqual(['–', '4.00 ms ±10 %']);
    expect(percentilePlot(row)?.table.rows).toHaveLength(4);
  });
});
