import { mainCounter } from './osd-top';

const side = (...osds: (Record<string, number> | null)[]) => ({
  group: 'x86',
  osds: Object.fromEntries(osds.map((osd, id) => [String(id), osd])),
});

describe('mainCounter', () => {
  it('is of writes wherever OSDs had more of them than reads', () => {
    // an S3 put looks its bucket up
    expect(mainCounter([side({ op_w: 90, op_r: 20 }, null), side({ op_w: 1 })])).toBe('op_w');
    expect(mainCounter([side({ op_w: 9, op_r: 20 }), side({ op_r: 3 })])).toBe('op_r');
  });

  it('is of reads where nothing is known', () => {
    expect(mainCounter([side({}), side(null)])).toBe('op_r');
    expect(mainCounter([])).toBe('op_r');
  });
});
