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

  async function table(path = '/compare?baseline=x86&candidate=arm&view=table', all = found()) {
    const stage = new Stage(answers(), path);
    const fixture = TestBed.createComponent(CompareTable);
    fixture.componentRef.setInput('comparison', all);
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
