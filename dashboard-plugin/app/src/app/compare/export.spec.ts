import { TestBed } from '@angular/core/testing';
import { answers, comparison, curves } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { Comparison } from '../models/comparison';
import { ComparePage } from './compare-page';
import { comparisonRows, fileName } from './export';
import { named } from './names';

/** Return the lines of a CSV file as records. */
function records(found: Comparison): Record<string, unknown>[] {
  const [header, ...rows] = comparisonRows(found);
  return rows.map((row) => Object.fromEntries(row.map((cell, at) => [String(header[at]), cell])));
}

describe('export', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('has one line per workload, as wide as its header', () => {
    const rows = comparisonRows(comparison());
    expect(rows).toHaveLength(7);
    expect(new Set(rows.map((row) => row.length)).size).toBe(1);
  });

  it('has the verdict per OSD beside the ratio per OSD', () => {
    const found = comparison();
    const [differ, equal] = found.rows;
    differ.candidate.osds = 2 * Number(differ.baseline.osds);
    Object.assign(differ.estimate, { verdict: 'faster', reason: '', q: 0.01 });
    Object.assign(differ.per_osd, { verdict: 'inconclusive', reason: 'too noisy', q: 0.4 });
    Object.assign(equal.per_osd, { verdict: null });
    const [first, second] = records(found);
    expect(first).toMatchObject({
      verdict: 'faster',
      q: 0.01,
      verdict_per_osd: 'inconclusive',
      reason_per_osd: 'too noisy',
      q_per_osd: 0.4,
    });
    // of equal counts both are one
    expect(second['verdict_per_osd']).toBe(equal.estimate.verdict);
  });

  it('has what is judged beside the rate: efficiency and percentiles', () => {
    const found = comparison();
    const metric = found.rows[0].metrics[0];
    Object.assign(metric.estimate, { ratio: 1.25, verdict: 'faster', q: 0.02, reason: '' });
    const others = found.rows.filter(({ metrics }) => !metrics.some(({ id }) => id === metric.id));
    const lines = records(found);
    expect(lines[0]).toMatchObject({
      [`${metric.id}_ratio`]: 1.25,
      [`${metric.id}_verdict`]: 'faster',
      [`${metric.id}_baseline_median`]: metric.baseline.median,
      [`${metric.id}_candidate_median`]: metric.candidate.median,
    });
    for (const row of others) {
      const line = lines.find((one) => one['workload'] === row.workload);
      expect(line?.[`${metric.id}_ratio`]).toBeNull();
    }
    expect(new Set(comparisonRows(found).map((row) => row.length)).size).toBe(1);
  });

  it('says what low…high is, of each verdict', () => {
    const found = comparison();
    const [row] = found.rows;
    Object.assign(row.estimate, { kind: 'range' });
    Object.assign(row.per_osd, { verdict: 'inconclusive', kind: 'signed-rank' });
    row.candidate.osds = 2 * Number(row.baseline.osds);
    const [metric] = row.metrics;
    Object.assign(metric.estimate, { kind: 't' });
    expect(records(found)[0]).toMatchObject({
      interval_kind: 'range',
      interval_kind_per_osd: 'signed-rank',
      [`${metric.id}_interval_kind`]: 't',
    });
    const bounds = curves();
    bounds.curves[0].estimate.kind = 'range';
    expect(records(bounds)[bounds.rows.length]['interval_kind']).toBe('range');
    expect(new Set(comparisonRows(bounds).map((line) => line.length)).size).toBe(1);
  });

  it('keeps what qualifies a verdict', () => {
    const found = comparison();
    const [row] = found.rows;
    Object.assign(row.estimate, { verdict: 'faster', at_least: true });
    row.reasons = [
      { id: 'client', holds: false, evidence: 'x86: 0.97 cores', at_least: true },
      { id: 'busy', holds: true, evidence: 'arm: 80 op/s', at_least: false },
    ];
    const [metric] = row.metrics;
    Object.assign(metric, { basis: 'measured', source: 'rapl' });
    const [line, other] = records(found);
    expect(line).toMatchObject({
      verdict: 'faster',
      at_least: true,
      noted: 'client: x86: 0.97 cores',
      validity_reasons: 'busy: arm: 80 op/s',
      [`${metric.id}_basis`]: 'measured (rapl)',
      [`${metric.id}_at_least`]: false,
    });
    expect(other['at_least']).toBe(false);
    const bounds = curves();
    Object.assign(bounds.curves[0], { reasons: row.reasons });
    expect(records(bounds)[bounds.rows.length]['noted']).toBe('client: x86: 0.97 cores');
  });

  it('says in each line what was compared', () => {
    const found = curves();
    Object.assign(found.baseline, { group: 'arm', label: 'arm@r1', runs: ['r1'] });
    Object.assign(found.candidate, { group: 'arm', label: 'arm@r2', runs: ['r2', 'r3'] });
    Object.assign(found.candidate, { emulated: true, notes: ['emulated', 'old disks'] });
    found.paired = false;
    found.across = [
      { name: 'release', baseline: ['19.2.3'], candidate: ['20.2.0', '20.2.1'] },
      { name: 'media', baseline: [], candidate: [] },
    ];
    for (const line of records(found)) {
      expect(line).toMatchObject({
        paired: false,
        across: 'release: 19.2.3 against 20.2.0, 20.2.1; media: - against -',
        baseline_label: 'arm@r1',
        candidate_label: 'arm@r2',
        baseline_runs: 'r1',
        candidate_runs: 'r2 r3',
        candidate_emulated: true,
        candidate_notes: 'emulated; old disks',
      });
    }
  });

  it('offers the matrix as no SVG, which is the plot', async () => {
    for (const [view, kinds] of [
      ['matrix', ['CSV', 'JSON', 'PNG', 'Print']],
      ['forest', ['CSV', 'JSON', 'PNG', 'SVG', 'Print']],
    ] as const) {
      new Stage(answers(), `/compare?baseline=x86&candidate=arm&view=${view}`);
      const fixture = TestBed.createComponent(ComparePage);
      await settle(fixture);
      const items = (fixture.nativeElement as HTMLElement).querySelectorAll('button.menu-item');
      expect([...items].map(text)).toEqual(kinds);
      TestBed.resetTestingModule();
    }
  });

  it('is named by what both sides are called, as pictures are', () => {
    const found = comparison();
    found.candidate.label = 'arm @ 0a1b2c3d';
    expect(fileName(found, 'csv')).toBe('perfcompare-arm-0a1b2c3d-vs-x86.csv');
    const [row] = named(found).rows;
    expect([row.baseline.group, row.candidate.group]).toEqual(['x86', 'arm @ 0a1b2c3d']);
    // programs that read CSV files find the group
    expect(records(found)[0]['candidate_group']).toBe('arm');
  });

  it('has a line for each response curve, whose points have no verdict', () => {
    const found = curves();
    const [curve] = found.curves;
    const lines = records(found);
    expect(lines).toHaveLength(found.rows.length + found.curves.length);
    const line = lines[found.rows.length];
    expect(line).toMatchObject({
      workload: curve.name,
      verdict: curve.estimate.verdict,
      ratio: curve.estimate.ratio,
      blocks_complete: curve.rounds_complete,
      baseline_ops_per_s_median: curve.baseline.figure.median,
    });
    // a bound is no figure
    curve.baseline.above = 1;
    curve.censored = 'at most';
    const bound = records(found)[found.rows.length];
    expect(bound['baseline_ops_per_s_median']).toBeNull();
    expect(bound['reason']).toContain('ratio at most');
  });

  it('says why a file could not be saved', async () => {
    const stage = new Stage(answers(), '/compare?baseline=x86&candidate=arm');
    const fixture = TestBed.createComponent(ComparePage);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    stage.answers['GET /comparison'] = [503, { detail: 'the database does not answer' }];
    button(root, 'CSV').click();
    await vi.waitFor(
      () => expect(text(root.querySelector('[role=alert]'))).toBe('the database does not answer'),
      20_000,
    );
    expect(root.querySelectorAll('.f-line')).toHaveLength(6);
  });
});
