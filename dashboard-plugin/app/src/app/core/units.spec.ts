import {
  formatBound,
  formatByteRate,
  formatBytes,
  formatDuration,
  formatInterval,
  formatLatency,
  formatOps,
  formatP,
  formatPercent,
  formatRatio,
  formatSize,
  formatUtc,
} from './units';

describe('units', () => {
  it('writes numbers as the command line does', () => {
    expect(formatOps(10903.4)).toBe('10,903 op/s');
    expect(formatOps(33.94)).toBe('33.9 op/s');
    expect(formatByteRate(136e6)).toBe('136 MB/s');
    expect(formatBytes(1.5 * 2 ** 30)).toBe('1.50 GiB');
    expect(formatSize(65536)).toBe('64 KiB');
    expect(formatLatency(0.0065)).toBe('6.50 ms');
    expect(formatLatency(0.00034)).toBe('340 µs');
    expect(formatRatio(0.5746)).toBe('0.575');
    expect(formatRatio(1.4282)).toBe('1.43');
    expect(formatInterval(0.97, 12.34)).toBe('[0.970, 12.3]');
    expect([0, 0.00043, 0.0043214, 0.00996].map(formatRatio)).toEqual([
      '0.000',
      '0.000430',
      '0.00432',
      '0.010',
    ]);
    expect(formatP(0.0004)).toBe('<.001');
  });

  it('shows on which side of a limit a figure lies', () => {
    const ends = [0.9949, 0.9951, 0.9996, 1, 1.0004, 1.0049, 1.0051];
    expect(ends.map(formatRatio)).toEqual([
      '0.995',
      '0.995',
      '0.9996',
      '1.000',
      '1.0004',
      '1.005',
      '1.01',
    ]);
    expect([0.0496, 0.05, 0.0502].map(formatP)).toEqual(['0.0496', '0.050', '0.0502']);
    expect([4.94, 4.9, 9.96].map(formatBound)).toEqual(['5.0 %', '4.9 %', '10.0 %']);
  });

  it('does not round small shares to nothing', () => {
    const shares = [0, 0.00004, 0.003, 0.0512, 0.09949, 0.0996, 0.425, 1];
    expect(shares.map(formatPercent)).toEqual([
      '0 %',
      '0.004 %',
      '0.3 %',
      '5.1 %',
      '9.9 %',
      '10 %',
      '43 %',
      '100 %',
    ]);
  });

  it('keeps durations to two units and never says 60', () => {
    expect(formatDuration(45)).toBe('45 s');
    expect(formatDuration(200)).toBe('3 min 20 s');
    expect(formatDuration(3599.6)).toBe('1 h');
    expect(formatDuration(90061)).toBe('1 d 1 h');
  });

  it('writes a dash for what is not available', () => {
    expect([formatOps(null), formatBytes(undefined), formatDuration(NaN)]).toEqual(['–', '–', '–']);
  });

  it('writes times in UTC as ISO 8601', () => {
    expect(formatUtc(1795195000.9)).toMatch(/^2026-11-20T\d\d:\d\d:40Z$/);
  });
});
