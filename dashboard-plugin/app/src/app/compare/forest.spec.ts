import { comparison, options } from '../../testing/fixtures';
import { Comparison } from '../models/comparison';
import { Op } from '../models/run';
import { answerOf, repetitionOf } from './answer';
import { ordered } from './filters';
import { endsOf, makeForest, makeScale } from './forest';
import { forestSvg } from './forest-picture';
import { Metric, judged, metricsOf } from './metrics';
import { missingLines } from './missing';
import { opText } from './operations';

function forest(found: Comparison) {
  return makeForest(found.rows, metricsOf(found)[0], false, 'size');
}

describe('forest plot', () => {
  it('has an axis on which ×2 and ÷2 are as far from 1', () => {
    const { at, ticks } = makeScale([0.5, 2]);
    expect(at(1) - at(0.5)).toBeCloseTo(at(2) - at(1), 9);
    expect(at(0.5)).toBeGreaterThan(0);
    expect(at(2)).toBeLessThan(1);
    expect(ticks).toContain(1);
    expect(makeScale([0.001, 500]).ticks.length).toBeLessThanOrEqual(8);
    expect(makeScale([1.01]).at(1.1)).toBeLessThan(1);
  });

  it('names what every load declares, and keeps the rows of an operation together', () => {
    const ops = options().loads.flatMap((load) => load.operations) as Op[];
    expect(ops).toContain('rbd-randrw');
    expect(ops.filter((op) => opText(op) === op)).toEqual([]);
    const found = comparison();
    const given: [Op, number][] = [
      ['rbd-randrw', 4096],
      ['io-read', 4096],
      ['rbd-randread', 65536],
      ['new-op' as Op, 4096],
      ['rbd-randrw', 65536],
      ['other-op' as Op, 4096],
      ['rbd-randread', 4096],
      ['new-op' as Op, 65536],
    ];
    const rows = given.map(([op, size]) => ({
      ...found.rows[0],
      workload: `${op}-${size}`,
      op,
      size,
    }));
    const [metric] = metricsOf(found);
    const { groups } = makeForest(ordered(rows, 'size', metric, false), metric, false, 'size');
    expect(groups.map(({ title, lines }) => [title, lines.length])).toEqual([
      ['RBD random read', 2],
      ['RBD random read and write', 2],
      ['I/O sequential read', 1],
      ['new-op', 2],
      ['other-op', 1],
    ]);
  });

  it('is grouped by operation, and flat where it is sorted by effect', () => {
    const found = comparison();
    expect(forest(found).groups.map(({ title }) => title)).toContain('Write');
    const [ops] = metricsOf(found);
    const rows = ordered(found.rows, 'effect', ops, false);
    const [group, ...others] = makeForest(rows, ops, false, 'effect').groups;
    expect(others).toEqual([]);
    expect(group.lines[0].row.workload).toBe('write-4K-c16');
  });

  it('draws nothing of one block as precise', () => {
    const found = comparison();
    const [row] = found.rows;
    const { ratio } = row.estimate;
    found.rows = [
      {
        ...row,
        blocks_complete: 1,
        estimate: {
          ...row.estimate,
          low: ratio,
          high: ratio,
          kind: 'range',
          q: null,
          verdict: 'inconclusive',
          reason: '1 of 6 blocks',
        },
      },
    ];
    const [line] = forest(found).groups[0].lines;
    expect([line.kind, line.from, line.to, line.interval]).toEqual(['', null, null, 'one block']);
    expect(forestSvg({ ...picture(found), rows: found.rows })).not.toContain('stroke-width="2"');
  });

  it('marks an interval that goes on beyond the axis', () => {
    const found = comparison();
    found.rows = [{ ...found.rows[0] }];
    found.rows[0].estimate = { ...found.rows[0].estimate, low: 1e-6 };
    const [line] = forest(found).groups[0].lines;
    expect([line.cutLow, line.cutHigh, line.from]).toEqual([true, false, 0]);
  });

  it('is a picture of its own, with all rows, and safe with hostile names', () => {
    const found = comparison();
    found.rows[0].workload = '<script>"&';
    found.candidate.emulated = true;
    const svg = forestSvg(picture(found));
    const parsed = new DOMParser().parseFromString(svg, 'image/svg+xml');
    expect(parsed.querySelector('parsererror')).toBeNull();
    expect(parsed.querySelector('script')).toBeNull();
    const words = [...parsed.querySelectorAll('text')].map((one) => one.textContent);
    expect(words).toContain('<script>"&');
    expect(words.join()).toContain('geometric mean of the decided ×0.951');
    expect(words).toContain('emulated: arm');
    expect(parsed.querySelectorAll('path').length).toBe(6);
    // as the page has it: what the ends mean, and what limited
    expect(words).toContain('← arm slower');
    expect(words).toContain('arm faster →');
    expect(words).toContain('Limited by');
    expect(words.join()).toContain('▼ slower');
  });

  it('says that it is per OSD, where the metric is', () => {
    const found = comparison();
    const [ops, , latency] = metricsOf(found);
    const head = (metric: Metric) => forestSvg({ ...picture(found), metric, perOsd: true });
    expect(head(ops)).toContain('>arm ÷ x86: Operations per second per OSD<');
    expect(head(latency)).toContain('>arm ÷ x86: Latency (average)<');
  });

  it('has ends of better and worse where the metric is no speed', () => {
    const found = comparison();
    const [ops] = metricsOf(found);
    const watts = { ...ops, speed: false };
    expect(endsOf(found, watts)).toEqual(['arm worse', 'arm better']);
    expect(endsOf(found, { ...watts, better: 'lower' })).toEqual(['arm better', 'arm worse']);
  });

  it('has no verdict of bytes where operations have several sizes', () => {
    const { rows } = comparison();
    const [ops, bytes] = metricsOf(comparison());
    expect(bytes.cell(rows[0], false).estimate).toEqual(ops.cell(rows[0], false).estimate);
    const [a, b] = [rows[0].baseline, rows[0].candidate].map((side) => side.bytes_per_s.median);
    const view = bytes.cell({ ...rows[0], mixed_sizes: true }, false);
    expect(view).toMatchObject({ estimate: null, low: null, high: null });
    expect(view.ratio).toBeCloseTo((b ?? NaN) / (a ?? NaN));
  });

  it('says why an average has no verdict by what paces the rows', () => {
    const { rows } = comparison();
    const [, , latency] = metricsOf(comparison());
    const paced = { ...rows[0], label: 'paced' };
    expect(latency.note([rows[0]])).toMatch(/^Closed loop/);
    expect(latency.note([paced])).toMatch(/^Paced load/);
    expect(latency.note([rows[0], paced])).toMatch(/^Shown without a verdict: in a closed loop/);
  });

  it('has no range in its headline where one workload is decided', () => {
    const found = comparison();
    found.rows = found.rows.filter(({ estimate }) => estimate.verdict === 'slower').slice(0, 1);
    expect(forestSvg(picture(found))).not.toContain('geometric mean');
    expect(forestSvg(picture(found))).toContain('×0.575 (descriptive)');
  });
});

function picture(found: Comparison) {
  return {
    comparison: found,
    rows: found.rows,
    metric: metricsOf(found)[0],
    perOsd: false,
    order: 'size' as const,
  };
}

describe('answer', () => {
  it('offers no rounds for what rounds do not settle', () => {
    const found = comparison();
    found.rows = found.rows.filter((row) => row.estimate.reason === 'client');
    const [ops] = metricsOf(found);
    const answer = answerOf(found, ops, false);
    expect(answer.size).toBeNull();
    expect(repetitionOf(found, ops, false, 40)).toEqual({ rounds: 0, settled: 0 });
    expect(answer.unclear[0].advice).toBe('more or stronger clients');
  });

  it.each([
    ['too noisy', 'runs', 'more runs of each side'],
    ['one of many rows', 'runs', 'more runs of each side'],
    ['between runs', 'runs', 'more runs of each side'],
    ['between runs', 'trials', 'four runs or more of each side'],
    ['one of many rows', 'fixed', 'more rounds, or fewer workloads in one run'],
    ['too few operations', 'fixed', 'longer trials (--duration)'],
    ['client locality', 'fixed', 'the cause taken away; see the row'],
    ['client, placement', 'fixed', 'the cause taken away; see the row'],
  ] as const)('says what settles rows that are %s, by %s', (reason, rule, advice) => {
    const found = comparison();
    const [row] = found.rows.filter((one) => one.estimate.reason === 'too noisy');
    const estimate = { ...row.estimate, rule, reason, blocks_needed: null };
    found.rows = [{ ...row, estimate }];
    expect(answerOf(found, metricsOf(found)[0], false).unclear[0].advice).toBe(advice);
  });

  it('tells rows that some rounds settle from those that none do, and offers what a run can have', () => {
    const found = comparison();
    const [noisy] = found.rows.filter((row) => row.estimate.reason === 'too noisy');
    const needing = (blocks: number | null) => ({
      ...noisy,
      estimate: { ...noisy.estimate, blocks_needed: blocks },
    });
    found.rows = [needing(23), needing(41), needing(null)];
    const [ops] = metricsOf(found);
    const [unclear] = answerOf(found, ops, false).unclear;
    expect(unclear.advice).toBe(
      'about 41 rounds; in 1 of them less noise: more than 500 rounds would be needed',
    );
    expect(repetitionOf(found, ops, false, 40)).toEqual({ rounds: 23, settled: 1 });
  });

  it('has digits of a figure however small, as the command line has', () => {
    const found = comparison();
    const [row] = found.rows.filter(({ metrics }) =>
      metrics.some(({ id }) => id === 'ops-per-watt'),
    );
    const [metric] = row.metrics.filter(({ id }) => id === 'ops-per-watt');
    Object.assign(metric.baseline, { median: 0.0031416 });
    Object.assign(metric.candidate, { median: 0.42857 });
    const [watt] = metricsOf(found).filter(({ key }) => key === 'ops-per-watt');
    const { baseline, candidate } = watt.cell(row, false);
    expect([baseline, candidate]).toEqual(['0.00314 op/s', '0.429 op/s']);
  });

  it('is per OSD what the row says, where both sides have as many OSDs', () => {
    const [row] = comparison().rows.filter((one) => one.estimate.reason === 'too noisy');
    const same = { ...row.baseline, osds: 8 };
    const none = { ...row.per_osd, verdict: null, blocks_needed: null, detail: '' };
    const alike = { ...row, baseline: same, candidate: same, per_osd: none };
    alike.estimate = { ...row.estimate, at_least: true, detail: 'why', blocks_needed: 23 };
    expect(judged(alike, true)).toMatchObject({
      ratio: none.ratio,
      verdict: 'inconclusive',
      at_least: true,
      detail: 'why',
      blocks_needed: 23,
    });
  });

  it('groups what is missing by its reason, not by workload', () => {
    const found = comparison();
    found.missing = [];
    found.rows.forEach((row, at) => {
      row.metrics_missing = [];
      for (const side of [row.baseline, row.candidate]) {
        side.percentiles_reason = at ? `p99.9 (too few operations: ${at},000)` : '';
      }
    });
    expect(missingLines(found)).toEqual([
      'in 5 of 6 workloads: latency p99.9 (too few operations)',
    ]);
  });
});
