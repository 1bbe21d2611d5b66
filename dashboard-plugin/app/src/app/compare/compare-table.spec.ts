import { TestBed } from '@angular/core/testing';
import { answers, comparison } from '../../testing/fixtures';
import { Stage, button, settle, text } from '../../testing/stage';
import { CompareMatrix } from './compare-matrix';
import { CompareTable } from './compare-table';
import { metricsOf } from './metrics';

describe('table and matrix', () => {
  afterEach(() => vi.unstubAllGlobals());

  function found() {
    const all = comparison();
    Object.assign(all.rows[0].estimate, { kind: 'range' });
    return all;
  }

  async function table(
    path = '/compare?baseline=x86&candidate=arm&view=table',
    all = found(),
    metric = 0,
  ) {
    const stage = new Stage(answers(), path);
    const fixture = TestBed.createComponent(CompareTable);
    fixture.componentRef.setInput('comparison', all);
    fixture.componentRef.setInput('metric', metricsOf(all)[metric]);
    await settle(fixture);
    const root = fixture.nativeElement as HTMLElement;
    const press = async (name: string) => {
      button(root, name).click();
      await settle(fixture);
    };
    const names = () => [...root.querySelectorAll('tbody th')].map(text);
    return { stage, root, press, names };
  }

  it('tell a range from an interval', async () => {
    const { root } = await table();
    const [first, second] = [...root.querySelectorAll('tbody tr')].map(text);
    expect(first).toMatch(/\[[^\]]+\] range/);
    expect(second).not.toContain('range');
    TestBed.resetTestingModule();
    new Stage(answers(), '/compare?view=matrix');
    const fixture = TestBed.createComponent(CompareMatrix);
    fixture.componentRef.setInput('comparison', found());
    fixture.componentRef.setInput('metric', metricsOf(found())[0]);
    await settle(fixture);
    const cells = [...(fixture.nativeElement as HTMLElement).querySelectorAll('.cell-interval')];
    expect(text(cells[0])).toMatch(/\] range$/);
    expect(cells.slice(0, 2).map((cell) => cell.getAttribute('title'))).toEqual([
      'Range of the ratios, not judged by',
      'Interval of the ratio',
    ]);
  });

  it('counts trials of stored runs, which have no blocks', async () => {
    const all = { ...found(), paired: false };
    const [row] = all.rows;
    Object.assign(row, { rule: 'trials', blocks_complete: 1 });
    Object.assign(row.estimate, { kind: null, low: null, high: null });
    const { root } = await table(undefined, all);
    const last = (selector: string) => text([...root.querySelectorAll(selector)].at(-1) ?? null);
    expect(last('thead th')).toBe('Trials');
    expect(last('tbody tr:first-child td')).toBe('1');
    expect(text(root)).not.toContain('one block');
  });

  it('judges by the metric that is shown, and has its figures', async () => {
    const all = found();
    const [row] = all.rows;
    const verdict = 'slower' as const;
    Object.assign(row.estimate, { verdict: 'no difference shown', ratio: 1 });
    Object.assign(row.metrics[0].estimate, { verdict, ratio: 2, low: 1.9, high: 2.1 });
    const [, , , own] = metricsOf(all);
    const { root } = await table(undefined, all, 3);
    const heads = [...root.querySelectorAll('thead th')].map(text);
    expect(heads.slice(1, 6)).toEqual([
      `Ratio: ${own.label}`,
      'Verdict',
      'Interval',
      `${own.label}, x86`,
      `${own.label}, arm`,
    ]);
    const cells = [...root.querySelectorAll('tbody tr:first-child td')].map(text);
    const cell = own.cell(row, false);
    expect(cells.slice(0, 5)).toEqual([
      '2.00',
      expect.stringContaining(own.speed ? 'slower' : 'worse'),
      expect.stringContaining('[1.90, 2.10]'),
      cell.baseline,
      cell.candidate,
    ]);
    expect(text(root.querySelector('tbody tr:last-child td.text'))).not.toBe('');
    TestBed.resetTestingModule();
    const average = await table(undefined, all, 2);
    expect(text(average.root.querySelector('tbody td.text'))).toContain('not judged');
  });

  it('keep the order of the table in the address', async () => {
    const { stage, root, press, names } = await table();
    await press('Ratio');
    expect(stage.path).toContain('by=ratio');
    const up = names();
    await press('Ratio');
    expect(stage.path).toContain('by=-ratio');
    expect(names()).toEqual([...up].reverse());
    expect(root.querySelector('[aria-sort=descending]')).not.toBeNull();
    const { path } = stage;
    const down = names();
    await press('Ratio');
    expect(stage.path).not.toContain('by=');
    TestBed.resetTestingModule();
    // as after a reload
    expect((await table(path)).names()).toEqual(down);
    TestBed.resetTestingModule();
    expect((await table('/compare?by=nothing')).names()).toHaveLength(6);
  });

  it.each(['verdict', '-verdict'])('have rows without a verdict last, by %s', async (by) => {
    const all = found();
    const none = all.rows[2];
    none.estimate.verdict = null;
    expect((await table(`/compare?by=${by}`, all)).names().at(-1)).toBe(none.workload);
  });
});
