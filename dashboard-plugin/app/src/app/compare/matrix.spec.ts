import { comparison } from '../../testing/fixtures';
import { isEmpty, osdPlot, pairPlot, stripPlot } from './charts';
import { RowSide } from '../models/comparison';
import { Point } from '../shared/thinned';
import { concurrencyText, makeMatrix } from './matrix';
import { metricsOf } from './metrics';

describe('matrix', () => {
  it('judges operations per second only', () => {
    const found = comparison();
    const [ops, , latency] = metricsOf(found);
    const cells = (metric: typeof ops) =>
      makeMatrix(found, metric, false)
        .lines.flatMap((line) => line.cells)
        .filter((cell) => cell !== null);
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

  it('has a line for each of several workloads that differ in their names only', () => {
    const found = comparison();
    found.rows = ['a', 'b', 'c'].map((workload) => ({
      ...found.rows[0],
      workload,
      op: 'other',
      size: 0,
      concurrency: 'not available',
    }));
    const { lines, columns } = makeMatrix(found, metricsOf(found)[0], false);
    expect(lines.map((line) => line.title)).toEqual(['a', 'b', 'c']);
    expect(columns.map(concurrencyText)).toEqual(['concurrency not recorded']);
    found.rows = ['x', 'y'].map((workload) => ({ ...comparison().rows[0], workload }));
    const twins = makeMatrix(found, metricsOf(found)[0], false).lines;
    expect(twins.flatMap((line) => line.cells.map((cell) => cell?.row.workload))).toEqual([
      'x',
      'y',
    ]);
  });

  it('offers each further metric that a row has, with its verdict', () => {
    const found = comparison();
    const watt = metricsOf(found).find((m) => m.key === 'ops-per-watt');
    const row = found.rows.find((one) => one.metrics.some((m) => m.id === 'ops-per-watt'));
    expect(watt?.label).toBe('op/s per watt');
    expect(row && watt?.cell(row, false).estimate?.verdict_text).toBeTruthy();
    found.rows.forEach((one) => (one.metrics = []));
    expect(metricsOf(found).map((m) => m.key)).toEqual(['ops', 'bytes', 'latency']);
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

  it('divide each trial by the OSDs of its time, and draw none that has no count', () => {
    const row = comparison().rows[0];
    const counts = [2, 4, null];
    const dots = counts.map((osds, at) => ({ ...row.baseline.dots[at], ops_per_s: 1000, osds }));
    const baseline = { ...row.baseline, osds: null, dots };
    const strip = stripPlot({ ...row, baseline }, true);
    expect(strip.config.data.datasets[0].data.map((dot) => (dot as Point).x)).toEqual([500, 250]);
    expect(strip.table.rows.slice(0, 3).map((cells) => cells[5])).toEqual([500, 250, null]);
    expect(strip.table.header[5]).toBe('op/s per OSD');
  });

  it('are not there where nothing is known per OSD', () => {
    const row = comparison().rows[0];
    const unknown = (side: RowSide) => ({
      ...side,
      osds: 0,
      dots: side.dots.map((dot) => ({ ...dot, osds: null })),
    });
    const own = { ...row, baseline: unknown(row.baseline), candidate: unknown(row.candidate) };
    own.pairs = row.pairs.map((pair) => ({ ...pair, ratio_per_osd: null }));
    expect(isEmpty(stripPlot(own, true))).toBe(true);
    expect(isEmpty(pairPlot(own, own.per_osd, true))).toBe(true);
    expect(isEmpty(stripPlot(own, false))).toBe(false);
    expect(isEmpty(pairPlot(own, own.estimate, false))).toBe(false);
  });

  it('leave out OSDs that did not answer', () => {
    const metric = { key: 'op_w', label: 'writes', factor: 1 };
    const drawn = osdPlot([{ group: 'x86', osds: { '1': { op_w: 3 }, '2': null } }], metric);
    expect(drawn.table.rows).toEqual([['x86', 'osd.1', 3]]);
  });
});
