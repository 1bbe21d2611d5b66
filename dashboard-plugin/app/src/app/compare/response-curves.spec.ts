import { TestBed } from '@angular/core/testing';
import { answers, curves } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { ResponseCurve } from '../models/comparison';
import { ComparePage } from './compare-page';
import { cpuPlot, responsePlot, shapeRows } from './response-plots';

async function open(change: (curve: ResponseCurve) => void = () => undefined) {
  const found = curves();
  change(found.curves[0]);
  const stage = new Stage(
    answers({ 'GET /comparison': [200, found] }),
    '/compare?baseline=x86&candidate=arm',
  );
  const fixture = TestBed.createComponent(ComparePage);
  await settle(fixture);
  // the curves are loaded when there are any
  await settle(fixture);
  return { stage, root: fixture.nativeElement as HTMLElement };
}

const only = () => curves().curves[0];

describe('response curves', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('are the answer, and their points have no verdicts', async () => {
    const { root } = await open();
    expect(text(root.querySelector('.answer-title'))).toBe(
      'arm is slower than x86 in 1 of 1 response curves',
    );
    const said = text(root);
    expect(said).toContain('rand-4K: p99 ≤ 3 ms');
    expect(said).toMatch(/x86 5[,.]\d+ op\/s/);
    expect(said).toMatch(/×0\.\d+ \[0\.\d+, 0\.\d+\]/);
    expect(said).toContain('7 of 7 rounds');
    const lines = [...root.querySelectorAll('.f-line')].map(text);
    expect(lines).toHaveLength(6);
    expect(lines.every((line) => line.includes('not judged'))).toBe(true);
  });

  it('have a line per OSD where groups have unlike counts', async () => {
    const alike = await open();
    expect(alike.root.querySelectorAll('.curve-line')).toHaveLength(1);
    TestBed.resetTestingModule();
    const { root } = await open((curve) => {
      curve.per_osd = { ...curve.estimate, verdict: 'faster', ratio: 1.6, low: 1.5, high: 1.7 };
      curve.baseline.per_osd = { median: 1000, min: 990, max: 1010 };
      curve.candidate.per_osd = { median: 1600, min: 1590, max: 1610 };
    });
    const lines = [...root.querySelectorAll('.curve-line')].map(text);
    expect(lines).toHaveLength(2);
    expect(lines[1]).toMatch(/^per OSD.?faster ?x86 1,000 op\/s ?arm 1,600 op\/s ?×1\.6/);
  });

  it('name both sides of a split answer', async () => {
    const found = curves();
    const [curve] = found.curves;
    found.curves = (['slower', 'faster', 'slower', 'faster'] as const).map((verdict, at) => ({
      ...curve,
      name: `${curve.name}-${at}`,
      estimate: { ...curve.estimate, verdict },
    }));
    new Stage(answers({ 'GET /comparison': [200, found] }), '/compare?baseline=x86&candidate=arm');
    const fixture = TestBed.createComponent(ComparePage);
    await settle(fixture);
    await settle(fixture);
    expect(text(fixture.nativeElement.querySelector('.answer-title'))).toBe(
      'arm is slower than x86 in 2 of 4 response curves, faster in 2',
    );
  });

  it('say what lies beyond the ladder, and what would tell', async () => {
    const { root } = await open((curve) => {
      curve.censored = 'at most';
      curve.baseline.above = 7;
      Object.assign(curve.estimate, {
        verdict: 'inconclusive',
        reason: 'outside the ladder',
        detail: 'a curve with more in flight tells',
      });
      curve.lacks = ['p99 at 1 in flight: too few operations'];
    });
    const said = text(root);
    expect(said).toContain('Nothing is decided yet');
    expect(said).toMatch(/x86 ≥ 5/);
    expect(said).toContain('≤ ×0.');
    expect(said).toContain('inconclusive (outside the ladder)');
    expect(said).toContain('a curve with more in flight tells');
    expect(said).toContain('p99 at 1 in flight: too few operations');
  });

  it('are drawn as latency over throughput, with the limit and a table', () => {
    const drawing = responsePlot(only());
    const [p50, p99] = drawing?.config.data.datasets ?? [];
    expect([p50.label, p99.label]).toEqual(['x86 p50', 'x86 p99']);
    const points = p99.data as { x: number; y: number }[];
    expect(points).toHaveLength(6);
    expect(points[0].x).toBeLessThan(points[1].x);
    expect(points[0].y).toBeLessThan(points[5].y);
    expect(drawing?.table.rows).toHaveLength(12);
    expect(drawing?.table.rows[0].slice(0, 2)).toEqual(['1', 'x86']);
  });

  it('have gaps where a percentile is missing, and no chart where all are', () => {
    const curve = only();
    curve.points[0].baseline.latencies = {};
    const data = responsePlot(curve)?.config.data.datasets[1].data as { y: number }[];
    expect(data[0].y).toBeNaN();
    curve.points.forEach((point) => {
      point.baseline.latencies = {};
      point.candidate.latencies = {};
    });
    expect(responsePlot(curve)).toBeNull();
  });

  it('show the CPU of hosts where it was measured', () => {
    const curve = only();
    expect(cpuPlot(curve)).toBeNull();
    curve.points[2].candidate.host_cpu = 0.4;
    const drawing = cpuPlot(curve);
    expect(drawing?.table.rows).toEqual([['4', 'arm', 0.4]]);
  });

  it('tell their shape without a verdict', () => {
    const rows = shapeRows(only());
    expect(rows.map(({ title }) => title)).toEqual([
      'Peak',
      'Knee',
      'Overall response time',
      'Contention (USL)',
      'Coherency (USL)',
    ]);
    expect(rows[0].values[0]).toMatch(/^6[,.]\d+ op\/s at 16 in flight$/);
    const lacking = only();
    lacking.candidate.notes = [];
    lacking.candidate.peak.median = null;
    expect(shapeRows(lacking)[1].values[1]).toBe('–');
  });
});
