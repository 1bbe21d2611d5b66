import { TestBed } from '@angular/core/testing';
import { answers, comparison } from '../../testing/fixtures';
import { Stage, settle, text } from '../../testing/stage';
import { Row } from '../models/comparison';
import { ComparePage } from './compare-page';
import { metricsOf } from './metrics';
import { magnitude, unclearText } from './unclear';

function noisy(): Row {
  const [row] = comparison().rows.filter((one) => one.estimate.reason === 'too noisy');
  return row;
}

describe('unclearText', () => {
  const [ops, bytes] = metricsOf(comparison());

  it('says of an unclear row how large it looks, why it is open, what it takes', () => {
    const row = noisy();
    const estimate = { ...row.estimate, ratio: 1 / 9, reason: '3 of 6 blocks' };
    const side = { ...row.candidate, ops_per_s: { median: 100, min: 90, max: 117 } };
    expect(unclearText({ ...row, candidate: side, baseline: side }, estimate, ops, false)).toBe(
      'looks about 9× slower, not confirmed: 3 of 6 blocks; ' +
        'trials of arm spread over 27 %. It would take six rounds or more.',
    );
    const early = { ...estimate, reason: '7 of 10 blocks' };
    expect(unclearText(row, early, ops, false)).toContain('It would take about 10 rounds.');
    expect(magnitude(1.04, ops)).toBe('looks about 4 % faster');
    expect(magnitude(1.04, { better: 'lower', speed: true })).toBe('looks about 4 % slower');
    expect(magnitude(1.04, { better: 'higher', speed: false })).toBe('looks about 4 % better');
    expect(magnitude(1.001, ops)).toBe('looks about the same');
  });

  it('has the spread of what is judged, of nothing else', () => {
    const row = noisy();
    const spread = (min: number, max: number) => ({ median: 100, min, max });
    for (const side of [row.baseline, row.candidate]) {
      side.ops_per_s = spread(90, 117);
      side.ops_per_s_per_osd = spread(90, 130);
      side.bytes_per_s = spread(90, 140);
    }
    const p99 = {
      ...row.metrics[0],
      id: 'p99',
      candidate: spread(60, 110),
      baseline: spread(99, 100),
    };
    row.metrics = [p99];
    const found = { ...comparison(), rows: [row] };
    const [latency] = metricsOf(found).filter(({ key }) => key === 'p99');
    const said = (metric = ops, perOsd = false) =>
      /spread over (\d+ %)/.exec(unclearText(row, row.estimate, metric, perOsd))?.[1];
    expect([said(), said(ops, true), said(bytes), said(latency)]).toEqual([
      '27 %',
      '40 %',
      '50 %',
      '50 %',
    ]);
    p99.candidate = spread(99, 100);
    expect(said(latency)).toBeUndefined();
  });

  it('sends nobody to the row from its own page', () => {
    const row = noisy();
    const estimate = { ...row.estimate, reason: 'placement' };
    expect(unclearText(row, estimate, ops, false)).toMatch(/It would take removing the cause\.$/);
  });
});

describe('rows', () => {
  afterEach(() => vi.unstubAllGlobals());

  async function open(path: string) {
    const found = comparison();
    const row = found.rows.find((one) => one.estimate.reason === 'too noisy') as Row;
    row.estimate.detail = 'about 23 blocks needed';
    row.baseline = {
      ...row.baseline,
      osds: null,
      dots: row.baseline.dots.map((d) => ({ ...d, osds: null })),
    };
    row.candidate = { ...row.candidate, osds: null };
    const stage = new Stage(
      answers({ 'GET /comparison': [200, found] }),
      `/compare?baseline=x86&candidate=arm${path}`,
    );
    const fixture = TestBed.createComponent(ComparePage);
    await settle(fixture);
    return { root: fixture.nativeElement as HTMLElement, stage, fixture };
  }

  it('say what they are to who points at them', async () => {
    const { root, fixture } = await open('');
    await vi.waitFor(async () => {
      await settle(fixture);
      const titles = [...root.querySelectorAll('.f-line')].map((line) =>
        line.getAttribute('title'),
      );
      expect(titles.join()).toContain('It would take about 23 rounds.');
      expect(titles[0]).toMatch(/^slower, ×0.575, \[/);
    }, 20_000);
  });

  it('have what the Manager says of their verdict on their page', async () => {
    const { root } = await open(`&row=${encodeURIComponent(noisy().workload)}`);
    const [notice] = [...root.querySelectorAll('.notice')].map(text);
    expect(notice).toContain('It would take about 23 rounds.');
    expect(notice).toContain('about 23 blocks needed');
  });

  it('tell a count of OSDs that changed from one that was not recorded', async () => {
    const { root } = await open(`&row=${encodeURIComponent(noisy().workload)}`);
    const [x86, arm] = [...root.querySelectorAll('.card table.numeric tbody tr')].map(text);
    expect(x86).toContain('not recorded');
    expect(arm).toContain('changed');
  });
});
