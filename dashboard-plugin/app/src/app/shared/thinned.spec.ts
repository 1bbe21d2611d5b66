import { thinned } from './thinned';

describe('thinned', () => {
  it('leaves short lines as they are', () => {
    const points = [1, NaN, 3].map((y, x) => ({ x, y }));
    expect(thinned(points)).toEqual(points);
  });

  it('keeps peaks, valleys, gaps and order of long ones', () => {
    const points = Array.from({ length: 129_600 }, (_, x) => ({ x, y: 50 }));
    points[70_001].y = 99;
    points[70_020].y = 1;
    points[100_000].y = NaN;
    const found = thinned(points);
    expect(found.length).toBeLessThan(2100);
    for (const at of [70_001, 70_020, 100_000]) {
      expect(found).toContain(points[at]);
    }
    expect(found.every(({ x }, at) => at === 0 || x > found[at - 1].x)).toBe(true);
  });
});
