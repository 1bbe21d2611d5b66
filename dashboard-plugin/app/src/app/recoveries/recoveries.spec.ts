import { TestBed } from '@angular/core/testing';
import { language } from '../core/locale';
import { answers, idle } from '../../testing/fixtures';
import { recovery } from '../../testing/recoveries';
import { Stage, button, settle, text } from '../../testing/stage';
import { cleanAgain } from './clean-again';
import { figureTable } from './figure-table';
import { RecoveryDetailPage } from './recovery-detail';
import { tracksOf } from './tracks';

const parts = [
  {
    wall_start: 1795195000,
    t: [2, 4],
    columns: [{ name: 'misplaced', unit: 'share', values: [0.25, 0.1] }],
  },
];

/** Opens the page of a recovery whose series are all the same. */
async function opened(found: ReturnType<typeof recovery>) {
  const stage = new Stage(
    answers({
      'GET /status': [200, idle()],
      'GET /recovery/7a7b7c7d': [200, found],
      'GET /recovery/7a7b7c7d/series': [200, parts],
    }),
    '/recoveries/7a7b7c7d',
  );
  const fixture = TestBed.createComponent(RecoveryDetailPage);
  fixture.componentRef.setInput('id', '7a7b7c7d');
  await settle(fixture);
  return { stage, fixture };
}

describe('RecoveryDetailPage', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('shows figures and moments, group beside group, and the course', async () => {
    const stage = new Stage(
      answers({
        'GET /status': [200, idle()],
        'GET /recovery/7a7b7c7d': [200, recovery()],
        'GET /recovery/7a7b7c7d/series': [200, parts],
      }),
      '/recoveries/7a7b7c7d',
    );
    const fixture = TestBed.createComponent(RecoveryDetailPage);
    fixture.componentRef.setInput('id', '7a7b7c7d');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const [first] = [...root.querySelectorAll('table')].map(text);
    expect(first).toContain('no failure');
    expect(first).toContain('×0.5');
    expect(text(root)).toContain('arm, 1.5 s: osd.1 out');
    const rows = [...root.querySelectorAll('table')[1].querySelectorAll('tbody tr')].map(text);
    expect(rows[0]).toContain('x86');
    expect(rows[1]).toContain('42.0 s ±0.5');
    const sources = stage.requests('GET', '/series').map((r) => r.url.searchParams.get('source'));
    expect(sources.sort()).toEqual(['arm/1/0/client', 'arm/1/0/cluster', 'x86/1/0/cluster']);
    expect(text(root.querySelector('figcaption h3'))).toBe('Timeline');
  });

  it('says what the abort rules saw', async () => {
    const { fixture } = await opened(recovery());
    const root: HTMLElement = fixture.nativeElement;
    expect(text(root.querySelector('pc-abort-rules tbody'))).toContain('never ends this test');
  });

  it('shows notes of steps and groups; those of what was left as warnings', async () => {
    const { fixture } = await opened(recovery());
    const root: HTMLElement = fixture.nativeElement;
    const moments = root.querySelector('[aria-labelledby="marks-title"]') as HTMLElement;
    expect(text(moments)).toContain('osd_max_backfills differs: arm 4, x86 1');
    const warned = [...moments.querySelectorAll('.notice-warn')].map(text);
    expect(warned).toEqual(['arm, repetition 1, OSD started: noout stays: set by others']);
  });

  it('asks once for the series of steps that are over, while the test goes on', async () => {
    const found = recovery();
    found.item.ended = null;
    const { stage, fixture } = await opened(found);
    const page = fixture.componentInstance as unknown as { reload(): Promise<void> };
    const asked = () => stage.requests('GET', '/series').length;
    expect(asked()).toBe(3);
    await page.reload();
    await settle(fixture);
    expect(asked()).toBe(3);
    // what came late is there at the end
    found.item.ended = Number(found.item.created) + 60;
    await page.reload();
    await settle(fixture);
    expect(asked()).toBe(6);
  });

  it('has the answer first, then the course, then figures; the rest folds', async () => {
    const found = recovery();
    found.tables.push({ title: 'Phases', header: ['GROUP'], rows: [['arm']], right: [] });
    new Stage(
      answers({
        'GET /status': [200, idle()],
        'GET /recovery/7a7b7c7d': [200, found],
        'GET /recovery/7a7b7c7d/series': [200, parts],
      }),
      '/recoveries/7a7b7c7d',
    );
    const fixture = TestBed.createComponent(RecoveryDetailPage);
    fixture.componentRef.setInput('id', '7a7b7c7d');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    expect([...root.querySelectorAll('h2, h3')].map(text).slice(1)).toEqual([
      'Clean again after',
      'Timeline',
      'Clients',
      'Phases',
      'Moments',
      'Abort rules',
    ]);
    const answer = text(root.querySelector('.lead'));
    expect(answer).toMatch(/x86 ?18 s/);
    expect(answer).toMatch(/arm ÷ x86 = ×2.17, ?of one repetition, so not judged/);
    const [phases] = [...root.querySelectorAll('details')].filter((one) =>
      text(one).startsWith('Phases'),
    );
    expect(phases.open).toBe(false);
    expect(text(phases.querySelector('table'))).toContain('arm');
  });

  it('keeps what is shown where it cannot be loaded again, never of another one', async () => {
    const stage = new Stage(
      answers({ 'GET /recovery/7a7b7c7d': [200, recovery()] }),
      '/recoveries/7a7b7c7d',
    );
    const fixture = TestBed.createComponent(RecoveryDetailPage);
    fixture.componentRef.setInput('id', '7a7b7c7d');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    stage.answers['GET /recovery/7a7b7c7d'] = [503, { detail: 'the module is restarting' }];
    await fixture.componentInstance['reload']();
    await settle(fixture);
    expect(text(root.querySelector('.notice'))).toContain('the module is restarting');
    expect(text(root)).toContain('Clean again after');
    fixture.componentRef.setInput('id', '00000000');
    await settle(fixture);
    expect(text(root)).toContain('Not found');
    expect(text(root)).not.toContain('Clean again after');
  });

  it('compares groups by what was done to an OSD, whichever it was', () => {
    const { item } = recovery();
    item.steps?.forEach((step, at) =>
      Object.assign(step, { target: `osd.${4 * at}`, title: `osd.${4 * at} marked down` }),
    );
    const [line, ...others] = cleanAgain(tracksOf(item));
    expect(others).toEqual([]);
    expect(line.title).toBe('OSD marked down');
    expect(line.ratio).toBe('2.17');
  });

  it('shows verdicts, ratios and what is not available as comparisons do', () => {
    const { heads, rows } = figureTable({
      title: 'Times',
      header: ['FIGURE', 'x86', 'arm', 'RATIO', 'VERDICT'],
      rows: [
        ['clean', '2.02 s', '11.0 s', '5.45', 'slower 5.45 [5.10, 5.80]'],
        ['rate', '-', '-', '-', 'inconclusive (not available)'],
        ['stall', '< 1 s', '< 1 s', '-', '-'],
      ],
      right: [1, 2, 3],
    });
    // as many times as long: the ratio says of what
    expect(heads).toBe('<Figure|>x86|>arm|>arm ÷ x86|<Verdict');
    expect(rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['clean', '2.02 s', '11.0 s', '×5.45', '5.45 [5.10, 5.80]'],
      ['rate', '–', '–', '–', '(not available)'],
      ['stall', '< 1 s', '< 1 s', '–', '–'],
    ]);
    expect(rows.map((row) => row[4].verdict)).toEqual(['slower', 'inconclusive', null]);
  });

  it('writes numbers of the Manager as the language of the page does', () => {
    language.tag = 'de';
    const { rows } = figureTable({
      title: 'Times',
      header: ['FIGURE', 'PHASE', 'x86', 'arm', 'RATIO', 'VERDICT'],
      rows: [
        [
          'read',
          'osd.3 out',
          '10,903 op/s',
          '~4.50 s (1.25…>4:05)',
          '0.413',
          'slower 0.413 [0.4, 0.5]',
        ],
        [
          'p99.9',
          '-',
          '1,234,567 op/s',
          '7 (50%)',
          '-',
          'no difference shown 1.01 [0.99, 1.1], < 10.5 %',
        ],
      ],
      right: [2, 3, 4],
    });
    language.tag = 'en-US';
    expect(rows.map((row) => row.map(({ text }) => text))).toEqual([
      ['read', 'osd.3 out', '10.903 op/s', '~4,50 s (1,25…>4:05)', '×0,413', '0,413 [0,4; 0,5]'],
      ['p99.9', '–', '1.234.567 op/s', '7 (50%)', '–', '1,01 [0,99; 1,1], < 10,5 %'],
    ]);
  });

  it('writes what clients had in each phase as the language does', () => {
    language.tag = 'de';
    const { rows } = figureTable({
      title: 'Phases',
      header: ['GROUP', 'STEP', 'TOOK', 'CLIENTS'],
      rows: [['x86', 'osd.3 out 1.5', '~4.50 s', 'read 10,903 op/s, write 1.25 op/s']],
      right: [2],
    });
    language.tag = 'en-US';
    expect(rows[0].map(({ text }) => text)).toEqual([
      'x86',
      'osd.3 out 1.5',
      '~4,50 s',
      'read 10.903 op/s, write 1,25 op/s',
    ]);
  });

  it('says what the signs of figures mean, where there are any', async () => {
    const found = recovery();
    const meaning = 'not reached when it was stopped';
    expect(text((await opened(found)).fixture.nativeElement)).not.toContain(meaning);
    TestBed.resetTestingModule();
    found.tables[0].rows[0][2] = '>42.0 s';
    const all = text((await opened(found)).fixture.nativeElement);
    expect(all).toContain(meaning);
    expect(all).toContain('a tenth of it (among phases, than a second)');
  });

  it('compares any two groups of a test that has more', async () => {
    const found = recovery();
    found.item.groups = ['x86', 'arm', 'fast'];
    const { stage, fixture } = await opened(found);
    const root: HTMLElement = fixture.nativeElement;
    const choose = async (at: number, name: string) => {
      const select = root.querySelectorAll<HTMLSelectElement>('.pair select')[at];
      select.value = name;
      select.dispatchEvent(new Event('change'));
      await settle(fixture);
      const asked = stage.requests('GET', '/recovery/7a7b7c7d').at(-1)?.url.searchParams;
      return [asked?.get('baseline'), asked?.get('candidate')];
    };
    expect(await choose(1, 'fast')).toEqual(['x86', 'fast']);
    expect(await choose(0, 'fast')).toEqual(['fast', 'x86']);
    expect(stage.path).toBe('/recoveries/7a7b7c7d?baseline=fast&candidate=x86');
  });

  it('has step, curve and pair of its address, as after a reload', async () => {
    const found = recovery();
    const [step] = found.item.steps ?? [];
    found.item.steps?.push({ ...step, index: 1, title: 'OSD out' });
    found.item.groups = ['x86', 'arm', 'fast'];
    found.series.push('arm/1/1/cluster');
    const columns = ['misplaced', 'degraded'].map((name) => ({ ...parts[0].columns[0], name }));
    const query = 'step=OSD+out&curve=degraded&baseline=fast&candidate=arm';
    const stage = new Stage(
      answers({
        'GET /recovery/7a7b7c7d': [200, found],
        'GET /recovery/7a7b7c7d/series': [200, [{ ...parts[0], columns }]],
      }),
      `/recoveries/7a7b7c7d?${query}`,
    );
    const fixture = TestBed.createComponent(RecoveryDetailPage);
    fixture.componentRef.setInput('id', '7a7b7c7d');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const shown = () =>
      [...root.querySelectorAll<HTMLSelectElement>('.toolbar select')].map(({ value }) => value);
    expect(shown()).toEqual(['OSD out', 'degraded', 'fast', 'arm']);
    const asked = stage.requests('GET', '/recovery/7a7b7c7d').at(-1)?.url.search;
    expect(asked).toBe('?baseline=fast&candidate=arm');
    const [, curve] = root.querySelectorAll<HTMLSelectElement>('.toolbar select');
    curve.value = 'misplaced';
    curve.dispatchEvent(new Event('change'));
    await settle(fixture);
    expect(stage.path).toContain('curve=misplaced');
    expect(shown()).toEqual(['OSD out', 'misplaced', 'fast', 'arm']);
  });

  it('says why it has no course', async () => {
    const stage = new Stage(
      answers({
        'GET /status': [200, idle()],
        'GET /recovery/7a7b7c7d': [200, recovery()],
        'GET /recovery/7a7b7c7d/series': [503, { detail: 'the database does not answer' }],
      }),
      '/recoveries/7a7b7c7d',
    );
    const fixture = TestBed.createComponent(RecoveryDetailPage);
    fixture.componentRef.setInput('id', '7a7b7c7d');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    expect(text(root.querySelector('.notice'))).toContain('the database does not answer');
    expect(text(root)).toContain('Clean again after');
    expect(stage.requests('GET', '/series').length).toBeGreaterThan(0);
  });

  it('draws no step under the name of another one', async () => {
    const found = recovery();
    const [step] = found.item.steps ?? [];
    found.item.steps?.push({ ...step, index: 1, title: 'OSD out' });
    found.series.push('arm/1/1/cluster');
    const { stage, fixture } = await opened(found);
    const root: HTMLElement = fixture.nativeElement;
    const choose = async (title: string) => {
      const select = root.querySelector('.toolbar select') as HTMLSelectElement;
      select.value = title;
      select.dispatchEvent(new Event('change'));
      await settle(fixture);
    };
    const drawn = () => text(root.querySelector('figcaption h3'));
    expect(drawn()).toBe('Timeline');
    const refused = { detail: 'the database does not answer' };
    stage.answers['GET /recovery/7a7b7c7d/series'] = [503, refused];
    await choose('OSD out');
    expect(drawn()).toBe('');
    expect(text(root.querySelector('.notice'))).toBe(refused.detail);
    await choose('PGs moved');
    expect(drawn()).toBe('Timeline');
    // one that is only asked for again stays
    found.item.ended = Number(found.item.ended) + 1;
    await fixture.componentInstance['reload']();
    await settle(fixture);
    expect(text(root.querySelector('.notice'))).toBe(refused.detail);
    expect(drawn()).toBe('Timeline');
  });

  it('does not ask for what was deleted', async () => {
    const stage = new Stage(
      answers({
        'GET /status': [200, idle()],
        'GET /recovery/7a7b7c7d': [200, recovery()],
        'GET /recovery/7a7b7c7d/series': [200, parts],
        'DELETE /recovery/7a7b7c7d': [204, null],
      }),
      '/recoveries/7a7b7c7d',
    );
    const fixture = TestBed.createComponent(RecoveryDetailPage);
    fixture.componentRef.setInput('id', '7a7b7c7d');
    await settle(fixture);
    const root: HTMLElement = fixture.nativeElement;
    const asked = () => stage.requests('GET', '/recovery/7a7b7c7d').length;
    const before = asked();
    button(root, 'Delete…').click();
    await settle(fixture);
    button(root.querySelector('dialog') as HTMLElement, 'Delete').click();
    await settle(fixture);
    expect(asked()).toBe(before);
  });
});
