import { comparison } from '../../testing/fixtures';
import { MetricRow, Row } from '../models/comparison';
import { basisText } from './basis';

/** Rows that have one metric each. */
function rows(...metrics: Partial<MetricRow>[]): Row[] {
  const [row] = comparison().rows;
  return metrics.map((metric) => ({
    ...row,
    metrics: [{ ...row.metrics[0], id: 'm', source: '', ...metric }],
  }));
}

const said = (...metrics: Partial<MetricRow>[]) => basisText({ key: 'm' }, rows(...metrics));

describe('basis of a further metric', () => {
  it('of a latency are the clients, or the probe', () => {
    const latency = { kind: 'latency', basis: 'recorded' } as const;
    expect(said(latency)).toBe('Recorded by the clients.');
    const probe = { ...latency, source: 'probe' };
    expect(said(probe)).toBe('As one more client sees it (probe).');
    expect(said(latency, probe, latency)).toBe(
      'Recorded by the clients. As one more client sees it (probe).',
    );
  });

  it('is what each of the rows has', () => {
    const watt = { kind: 'efficiency', basis: 'measured' } as const;
    expect(
      said({ ...watt, source: 'ipmi' }, { ...watt, source: 'rapl' }, { ...watt, basis: 'stated' }),
    ).toBe('Measured during the trials. (ipmi, rapl) From what was stated of the groups.');
    expect(said({ ...watt, source: 'rapl' })).toBe('Measured during the trials. (rapl)');
  });

  it('is not there for operations per second', () => {
    expect(basisText({ key: 'ops' }, comparison().rows)).toBe('');
  });
});
