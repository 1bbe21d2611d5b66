import { TestBed } from '@angular/core/testing';
import { comparison, runs } from '../../testing/fixtures';
import { settle, text } from '../../testing/stage';
import { CompareSides } from './compare-sides';
import { Selection } from './selection';

async function open(chosen: string[], answered: string[], paired = true) {
  const fixture = TestBed.createComponent(CompareSides);
  const side = (group: string) => ({ group, run: '' });
  fixture.componentRef.setInput('comparison', { ...comparison(), runs: answered, paired });
  fixture.componentRef.setInput('selection', {
    baseline: side('x86'),
    candidate: side('arm'),
    runs: chosen,
  });
  const [first] = runs().runs;
  const listed = ['a', 'b', 'c'].map((id) => ({ ...first, id, groups: ['x86', 'arm'] }));
  fixture.componentRef.setInput('runs', listed);
  fixture.componentRef.setInput('groups', ['x86', 'arm']);
  const asked: Selection[] = [];
  fixture.componentInstance.changed.subscribe((one) => asked.push(one));
  await settle(fixture);
  const root = fixture.nativeElement as HTMLElement;
  const pool = [...root.querySelectorAll('.pool')].at(-1) as HTMLElement;
  const boxes = [...pool.querySelectorAll<HTMLLabelElement>('.check')];
  return {
    asked,
    ids: boxes.map((box) => text(box).split(' ')[0]),
    ticked: boxes.filter((box) => box.querySelector('input')?.checked).map((b) => text(b)[0]),
    press: (id: string) => boxes.find((box) => text(box).startsWith(id))?.click(),
  };
}

describe('CompareSides', () => {
  it('ticks the runs that are chosen, not those that have answered so far', async () => {
    const { ticked, press, asked } = await open(['a', 'b'], ['a', 'c']);
    expect(ticked).toEqual(['a', 'b']);
    press('b');
    expect(asked.at(-1)?.runs).toEqual(['a']);
  });

  it('ticks those of the answer where none is chosen', async () => {
    const { ticked, press, asked } = await open([], ['a']);
    expect(ticked).toEqual(['a']);
    press('c');
    expect(asked.at(-1)?.runs).toEqual(['a', 'c']);
  });

  it('has runs that are older than the list on top, so that they can be taken out', async () => {
    const { ids, press, asked } = await open(['z', 'b'], ['z', 'b']);
    expect(ids).toEqual(['z', 'a', 'b', 'c']);
    press('z');
    expect(asked.at(-1)?.runs).toEqual(['b']);
  });

  it('begins with none where the answer is of two runs with a side each', async () => {
    const { ids, ticked, press, asked } = await open([], ['y', 'z'], false);
    expect(ids).toEqual(['a', 'b', 'c']);
    expect(ticked).toEqual([]);
    press('a');
    expect(asked.at(-1)?.runs).toEqual(['a']);
  });
});
