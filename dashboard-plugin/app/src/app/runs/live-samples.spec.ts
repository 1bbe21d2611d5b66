import { active } from '../../testing/fixtures';
import { Progress } from '../models/run';
import { KEPT, Sample, added, groupOf, livePlot } from './live-samples';

const progress = (trial: string, ops: number | null): Progress => ({
  ...(active().progress as Progress),
  trial,
  ops_per_s: ops,
});

function followed(...steps: [string, number | null, number][]): Sample[] {
  return steps.reduce<Sample[]>(
    (list, [trial, ops, second]) => added(list, progress(trial, ops), 1000 * second),
    [],
  );
}

describe('live samples', () => {
  it('have a gap between trials, and where nothing was heard', () => {
    const found = followed(
      ['w on x86', 10, 0],
      ['w on x86', 11, 2],
      ['w on arm', 5, 4],
      ['', null, 6],
      ['', null, 8],
      ['w on arm', 6, 10],
      ['w on arm', 7, 40],
    );
    expect(found.map((one) => one.ops)).toEqual([10, 11, null, 5, null, 6, null, 7]);
  });

  it('are bounded', () => {
    let list: Sample[] = [];
    for (let at = 0; at < 3 * KEPT; at += 1) {
      list = added(list, progress('w on x86', at), 2000 * at);
    }
    expect(list).toHaveLength(KEPT);
    expect(list.at(-1)?.ops).toBe(3 * KEPT - 1);
  });

  it('know their group', () => {
    expect(groupOf('mix on disk on arm')).toBe('arm');
    expect(groupOf('conditioning')).toBe('conditioning');
  });
});

describe('livePlot', () => {
  it('has a line per group in the order of the plan, that no gap is drawn through', () => {
    const { config, table } = livePlot(
      followed(['w on arm', 5, 0], ['w on arm', 6, 2], ['w on x86', 10, 4]),
      ['x86', 'arm'],
    );
    const [x86, arm] = config.data.datasets;
    expect([x86.label, arm.label]).toEqual(['x86', 'arm']);
    expect(x86.borderColor).not.toBe(arm.borderColor);
    expect(arm.spanGaps).toBe(false);
    expect(arm.data.map((point) => (point as { y: number }).y)).toEqual([5, 6, NaN, NaN]);
    expect(x86.data.at(-1)).toEqual({ x: 0, y: 10 });
    expect(table.rows).toHaveLength(3);
    expect(table.rows[0].slice(1, 3)).toEqual(['w on arm', 5]);
  });
});
