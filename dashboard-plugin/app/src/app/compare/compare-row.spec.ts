import { TestBed } from '@angular/core/testing';
import { answers, comparison } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { Row } from '../models/comparison';
import { ComparePage } from './compare-page';

async function open(stage: Stage) {
  const fixture = TestBed.createComponent(ComparePage);
  await settle(fixture);
  return { fixture, root: fixture.nativeElement as HTMLElement, stage };
}

describe('ComparePage of a row', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('says on the page of a row what is per OSD, whatever the metric is', async () => {
    const path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16&metric=latency&per=osd';
    const { root } = await open(new Stage(answers(), path));
    expect(text(root.querySelector('.lead'))).not.toContain('per OSD');
    expect([...root.querySelectorAll('figcaption h3')].map(text).slice(0, 2)).toEqual([
      'Trials: average latency',
      'Ratio of each block: op/s per OSD',
    ]);
    const heads = [...root.querySelectorAll('section.card thead th')].map(text);
    expect(heads.slice(0, 5)).toEqual([
      'Group',
      'Median per OSD',
      'Range of trials, per OSD',
      'Throughput per OSD',
      'Latency, average',
    ]);
  });

  it('says of a row what its ratio and its range are made of', async () => {
    const path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16';
    const said = async (
      paired: boolean,
      rule: Row['rule'],
      estimate: Partial<Row['estimate']>,
      complete = 3,
    ) => {
      const found = { ...comparison(), paired };
      const row = found.rows.find(({ workload }) => workload === 'write-4K-c16');
      Object.assign(row ?? {}, { rule, blocks_complete: complete });
      Object.assign(row?.estimate ?? {}, { n: 3, rule, ...estimate });
      const stage = new Stage(answers({ 'GET /comparison': [200, found] }), path);
      const { root, fixture } = await open(stage);
      const lead = text(root.querySelector('.lead'));
      fixture.destroy();
      TestBed.resetTestingModule();
      return lead;
    };
    const range = { kind: 'range' as const, coverage: 75 };
    const none = { low: null, high: null, kind: null };
    // of stored runs a range is of trials: that of runs has an interval
    const trials = await said(false, 'trials', range);
    expect(trials).toContain('median of the ratios of trials');
    expect(trials).toContain('range of 3 trials or more of each side');
    expect(trials).not.toContain('block');
    expect(await said(false, 'trials', none, 1)).not.toContain('block');
    const blocks = await said(true, 'fixed', range);
    expect(blocks).toContain('median of 3 paired ratios');
    expect(blocks).toContain('range of 3 blocks');
    expect(blocks).toContain('3 of 7 blocks');
    const pooled = await said(true, 'runs', { kind: 't' }, 30);
    expect(pooled).toContain('median of the ratios of 3 runs; the medians have');
    expect(pooled).toContain('30 of 7 blocks');
    expect(await said(false, 'runs', { kind: 'mann-whitney' }, 9)).toContain(
      'median of the ratios of the medians of runs; the medians have',
    );
    // what is judged by other units than operations per second of the row
    const among = await said(true, 'runs', { kind: 't', n: 30, rule: 'trials' }, 30);
    expect(among).toContain('median of 30 paired ratios');
    expect(await said(true, 'trials', { kind: 't', n: 4, rule: 'runs' }, 30)).toContain(
      'median of the ratios of 4 runs',
    );
    // and of as many runs as there are blocks, or of blocks that are not all
    expect(await said(true, 'runs', { kind: 't', n: 2 }, 2)).toContain('ratios of 2 runs');
    expect(await said(true, 'adaptive', { kind: 't', n: 3 }, 7)).toContain(
      'median of 3 paired ratios',
    );
  });

  it('says what the reasons of a row are of, beside another verdict', async () => {
    const found = comparison();
    const row = found.rows.find(({ workload }) => workload === 'write-4K-c16');
    const reason = { id: 'client', holds: true, evidence: 'x86: 0.99 of a core', at_least: false };
    Object.assign(row ?? {}, { reasons: [reason] });
    const path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16';
    const stage = new Stage(answers({ 'GET /comparison': [200, found] }), path);
    const { root, fixture } = await open(stage);
    const said = () => [...root.querySelectorAll('.notice')].map(text);
    expect(said()).toContain('client: x86: 0.99 of a core');
    stage.path = `${path}&metric=ops-per-watt`;
    await settle(fixture);
    expect(said()).toContain('Of operations per second: client: x86: 0.99 of a core');
  });

  it('opens a row with its trials, latencies, hosts and OSDs', async () => {
    const path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16';
    const { root, stage } = await open(new Stage(answers(), path));
    expect([...root.querySelectorAll('figcaption h3')].map(text)).toEqual([
      'Trials: op/s',
      'Ratio of each block: op/s',
      'Latency by percentile',
      'Latency distribution (CDF)',
      'Throughput over time',
      'CPU of the busiest host',
      'Busiest disk',
      'Network of all hosts',
      'Distribution over the OSDs',
    ]);
    expect(text(root)).toContain('rados bench records no distribution');
    // six at most: state, choices, the comparison with the row, what is behind it
    const asked = stage.sent.map(({ url }) => url.pathname.split('/perfcompare')[1]);
    expect(asked.sort()).toEqual([
      '/comparison',
      '/comparison/evidence',
      '/group',
      '/run',
      '/status',
    ]);
    const [{ url }] = stage.requests('GET', '/comparison');
    expect(url.searchParams.get('row')).toBe('write-4K-c16');
  });

  it('asks for more of the runs that it shows, though there is a newer one', async () => {
    const path = '/compare?baseline=x86&candidate=arm';
    const brief = comparison();
    for (const side of brief.rows.flatMap((row) => [row.baseline, row.candidate])) {
      side.dots = [];
    }
    const stage = new Stage(answers({ 'GET /comparison': [200, brief] }), path);
    const { root, fixture } = await open(stage);
    stage.path = `${path}&row=write-4K-c16`;
    await settle(fixture);
    Object.assign(URL, { createObjectURL: () => 'blob:', revokeObjectURL: () => undefined });
    button(root, 'JSON').click();
    await vi.waitFor(() => expect(stage.requests('GET', '/comparison')).toHaveLength(3), 30_000);
    await settle(fixture);
    const sides = ['/comparison', '/comparison/evidence']
      .flatMap((one) => stage.requests('GET', one))
      .map(({ url: { searchParams: of } }) => [of.get('baseline'), of.get('candidate')]);
    expect(sides[0]).toEqual(['x86', 'arm']);
    expect(stage.requests('GET', '/comparison/evidence').length).toBeGreaterThan(0);
    for (const side of sides.slice(1)) {
      expect(side).toEqual(['x86@0a1b2c3d', 'arm@0a1b2c3d']);
    }
  });

  it('asks for a row that the list has not whole', async () => {
    const path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16';
    const brief = comparison();
    for (const side of brief.rows.flatMap((row) => [row.baseline, row.candidate])) {
      side.dots = [];
    }
    const stage = new Stage(answers({ 'GET /comparison': [200, brief] }), path);
    await open(stage);
    const brevity = stage
      .requests('GET', '/comparison')
      .map(({ url }) => url.searchParams.get('brief'));
    expect(brevity).toEqual(['true', null]);
  });

  it('says that it has no such metric as an address names', async () => {
    const path = '/compare?baseline=x86&candidate=arm&metric=ops-per-mile';
    const { root } = await open(new Stage(answers(), path));
    expect(text(root)).toContain(
      'No workload of this comparison has the metric “ops-per-mile”: Operations per second is shown.',
    );
  });

  it('follows the metric on the page of a row', async () => {
    const path = '/compare?baseline=x86&candidate=arm&row=write-4K-c16&metric=ops-per-watt';
    const { root, stage, fixture } = await open(new Stage(answers(), path));
    const lead = () => text(root.querySelector('.lead'));
    const watt = comparison()
      .rows.find((row) => row.workload === 'write-4K-c16')
      ?.metrics.find(({ id }) => id === 'ops-per-watt');
    expect(watt).toBeDefined();
    expect(lead()).toContain('op/s per watt');
    expect(text(root)).toContain('From what was stated of the groups.');
    expect(lead()).toContain(`×${watt?.estimate.ratio?.toPrecision(3)}`);
    expect([...root.querySelectorAll('thead th')].map(text)).toContain('op/s per watt');
    stage.path = path.replace('ops-per-watt', 'latency');
    await settle(fixture);
    expect(lead()).toContain('Latency (average)');
    expect(text(root.querySelector('pc-verdict'))).toContain('not judged');
    expect([...root.querySelectorAll('figcaption h3')].map(text)[0]).toBe(
      'Trials: average latency',
    );
    const select = root.querySelector<HTMLSelectElement>('.crumbs select');
    expect(select?.selectedOptions[0].value).toBe('latency');
  });

  it('names in the cell what limited each group', async () => {
    const found = comparison();
    const { limited } = found.rows[0].candidate;
    found.rows[0].candidate.limited = { ...limited, limit: 'disk', text: 'disk: 97 %' };
    const path = '/compare?baseline=x86&candidate=arm&view=matrix';
    const { root } = await open(new Stage(answers({ 'GET /comparison': [200, found] }), path));
    const limit = [...root.querySelectorAll('.limit')].find((one) => text(one).includes('disk'));
    expect(limit?.getAttribute('title')).toBe('disk: 97 %');
    expect(text(limit ?? null)).toContain('arm');
    vi.unstubAllGlobals();
  });
});
