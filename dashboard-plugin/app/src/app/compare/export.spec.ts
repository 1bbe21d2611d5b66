import { TestBed } from '@angular/core/testing';
import { answers, comparison, curves } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { Comparison } from '../models/comparison';
import { ComparePage } from './compare-page';
import { comparisonRows } from './export';

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
    await vi.waitFor(() =>
      expect(text(root.querySelector('[role=alert]'))).toBe('the database does not answer'),
    );
    expect(root.querySelectorAll('.f-line')).toHaveLength(6);
  });
});
