import { TestBed } from '@angular/core/testing';
import { comparison } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { Row, OperationFigures } from '../models/comparison';
import { OperationsPanel } from './operations-panel';

describe('OperationsPanel', () => {
  afterEach(() => vi.unstubAllGlobals());

  const figures = (name: string, more: Partial<OperationFigures> = {}): OperationFigures => ({
    name,
    trials: 7,
    ops: 12345,
    ops_per_s: 400,
    bytes_per_s: null,
    latency_avg: 0.004,
    percentiles: { p50: 0.003, 'p99.9': 0.02 },
    first_byte: {},
    errors: 0,
    ...more,
  });

  async function drawn(change: (row: Row) => void): Promise<string[][]> {
    new Stage({});
    const row = comparison().rows[0];
    change(row);
    const fixture = TestBed.createComponent(OperationsPanel);
    fixture.componentRef.setInput('row', row);
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    return [...root.querySelectorAll('tr')].map((line) =>
      [...line.querySelectorAll('th, td')].map(text),
    );
  }

  it('is not there where nothing of S3 was recorded', async () => {
    expect(await drawn(() => undefined)).toEqual([]);
  });

  it('shows each operation of both groups, and the first byte of reads', async () => {
    const [head, ...lines] = await drawn(({ baseline, candidate }) => {
      const get = { bytes_per_s: 2e6, first_byte: { p50: 0.002 } };
      baseline.operations = [figures('get', get), figures('put', { errors: 31 })];
      candidate.operations = [figures('get', { ...get, trials: 6 }), figures('put')];
    });
    expect(head.slice(4)).toEqual(['Latency', 'p50', 'p99', 'p99.9', 'Samples', 'Errors']);
    expect(lines.map(([name, group]) => `${name} ${group}`)).toEqual([
      'get x86',
      'get arm',
      'get, time to first byte x86',
      'get, time to first byte arm',
      'put x86',
      'put arm',
    ]);
    const rest = (at: number) => lines[at].slice(2);
    expect(rest(0).slice(0, 2)).toEqual(['400 op/s', '2.00 MB/s']);
    expect(rest(1).slice(-2)).toEqual(['12,345 (6/7)', '0']);
    expect(rest(2)).toEqual(['', '', '', '2.00 ms', '–', '–', '', '']);
    const put = ['400 op/s', '–', '4.00 ms', '3.00 ms', '–', '20.0 ms', '12,345', '31'];
    expect(rest(4)).toEqual(put);
  });

  it('says not available of what other tools do not tell', async () => {
    const unknown = { ops: null, errors: null, percentiles: {}, latency_avg: null };
    const table = await drawn(({ baseline }) => {
      baseline.operations = [figures('put', unknown)];
    });
    expect(table[1].slice(2)).toEqual(['400 op/s', ...Array<string>(6).fill('–')]);
  });

  it('shows endpoints where a group has several', async () => {
    const one = figures('http://x86-1:8000', { errors: 2 });
    const table = await drawn(({ baseline, candidate }) => {
      baseline.endpoints = [one, figures('http://x86-2:8000')];
      candidate.endpoints = [figures('http://arm-1:8000')];
    });
    expect(table.slice(1).map(([url, group]) => `${url} ${group}`)).toEqual([
      'http://x86-1:8000 x86',
      'http://x86-2:8000 x86',
      'http://arm-1:8000 arm',
    ]);
    expect(table[1].at(-1)).toBe('2');
  });

  it('has nothing to say of the only endpoint', async () => {
    const table = await drawn(({ baseline }) => {
      baseline.endpoints = [figures('http://x86-1:8000')];
    });
    expect(table).toEqual([]);
  });
});
