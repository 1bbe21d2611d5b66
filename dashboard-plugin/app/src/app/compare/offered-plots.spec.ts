import { TestBed } from '@angular/core/testing';
import { answers, offered } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { ResponseCurve } from '../models/comparison';
import { ComparePage } from './compare-page';
import { offeredCpuPlot, offeredPlot } from './offered-plots';

async function open(change: (curve: ResponseCurve) => void = () => undefined) {
  const found = offered();
  change(found.curves[0]);
  new Stage(answers({ 'GET /comparison': [200, found] }), '/compare?baseline=x86&candidate=arm');
  const fixture = TestBed.createComponent(ComparePage);
  await settle(fixture);
  // the curves are loaded when there are any
  await settle(fixture);
  return fixture.nativeElement as HTMLElement;
}

const only = () => offered().curves[0];

describe('curves over offered load', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('say at which load a group keeps the limit, and where one fell behind', async () => {
    const said = text(await open());
    expect(said).toContain('s3-get-4K-c64: p99 ≤ 10 ms');
    expect(said).toContain('Latency over offered load');
    expect(said).toContain('arm did 500 op/s of 800/s offered, and fell behind in 7 of 7 trials');
    expect(said).toContain('CPU time of an operation over offered load');
    expect(said).not.toContain('Shape of the curves');
    expect(said).not.toContain('Closed above');
  });

  it('say what latency leaves out where the loop is closed above a depth', async () => {
    const said = text(
      await open((curve) => {
        curve.loop = 'closed above what is in flight';
        curve.slo = '';
      }),
    );
    expect(said).toContain('Closed above what is in flight');
    expect(said).toContain('s3-get-4K-c64: –');
  });

  it('are drawn over the same rates for both, crosses where one fell behind', () => {
    const drawing = offeredPlot(only());
    const sets = drawing?.config.data.datasets ?? [];
    expect(sets.map(({ label }) => label)).toEqual(['x86 p50', 'x86 p99', 'arm p50', 'arm p99']);
    const [x86, arm] = [sets[1], sets[3]];
    const at = (set: typeof x86) => (set.data as { x: number }[]).map(({ x }) => x);
    expect(at(x86)).toEqual([100, 200, 400, 800]);
    expect(at(arm)).toEqual(at(x86));
    expect(x86.pointStyle).toEqual(['circle', 'circle', 'circle', 'circle']);
    expect(arm.pointStyle).toEqual(['triangle', 'triangle', 'triangle', 'crossRot']);
    const tip = drawing?.config.options.tip;
    expect(tip?.({ dataset: 3, index: 3, x: 800, y: 0.02 })).toBe(
      'arm, 800 op/s offered, p99 20.0 ms, fell behind: did 500 op/s',
    );
    expect(drawing?.table.rows).toHaveLength(8);
    expect(drawing?.table.rows[7].slice(0, 4)).toEqual([800, 'arm', 500, 7]);
  });

  it('have no chart where no percentile is known', () => {
    const curve = only();
    curve.points.forEach((point) => {
      point.baseline.latencies = {};
      point.candidate.latencies = {};
    });
    expect(offeredPlot(curve)).toBeNull();
  });

  it('show the CPU time of hosts and of clients where it was measured', () => {
    const curve = only();
    const clients = offeredCpuPlot(curve);
    expect(clients?.config.data.datasets.map(({ label }) => label)).toEqual([
      'x86 clients',
      'arm clients',
    ]);
    curve.points[1].candidate.host_cpu_per_op = 0.002;
    const drawing = offeredCpuPlot(curve);
    expect(drawing?.table.rows).toContainEqual([200, 'arm hosts', 0.002]);
    curve.points.forEach((point) => {
      for (const side of [point.baseline, point.candidate]) {
        side.host_cpu_per_op = side.client_cpu_per_op = null;
      }
    });
    expect(offeredCpuPlot(curve)).toBeNull();
  });
});
