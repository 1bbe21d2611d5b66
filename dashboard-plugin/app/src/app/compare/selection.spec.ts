import { TestBed } from '@angular/core/testing';
import { runs } from '../../testing/fixtures';
import { settle, text } from '../../testing/stage';
import { readSelection, selectionQuery, suggest } from './selection';
import { SideSelect } from './side-select';

describe('selection', () => {
  it('asks for one run by name when both sides are of it', () => {
    const query = new URLSearchParams('baseline=x86&candidate=arm&run=a');
    const selection = readSelection(query);
    expect(selection.baseline).toEqual({ group: 'x86', run: 'a' });
    expect(selectionQuery(selection)).toEqual({
      baseline: 'x86',
      candidate: 'arm',
      run: ['a'],
    });
  });

  it('compares one group in two runs, for releases and tunings', () => {
    const query = new URLSearchParams('baseline=x86@a&candidate=x86@b');
    expect(selectionQuery(readSelection(query))).toEqual({
      baseline: 'x86@a',
      candidate: 'x86@b',
      run: [],
    });
  });

  it('suggests two runs of one group where no run has two', () => {
    const single = runs().runs.map((run) => ({ ...run, groups: ['x86'] }));
    expect(suggest(single)).toMatchObject({
      baseline: { group: 'x86', run: single[1].id },
      candidate: { group: 'x86', run: single[0].id },
    });
  });
});

describe('SideSelect', () => {
  async function chosen(run: string) {
    const fixture = TestBed.createComponent(SideSelect);
    fixture.componentRef.setInput('kind', 'baseline');
    fixture.componentRef.setInput('side', { group: 'x86', run });
    fixture.componentRef.setInput('runs', runs().runs);
    fixture.componentRef.setInput('groups', ['x86', 'arm']);
    await settle(fixture);
    const [, select] = (fixture.nativeElement as HTMLElement).querySelectorAll('select');
    return text(select.selectedOptions[0]);
  }

  it('names the run that is chosen, older ones than are listed, too', async () => {
    expect(await chosen('')).toBe('newest run');
    expect(await chosen('00c0ffee')).toBe('00c0ffee');
    const [listed] = runs().runs;
    expect(await chosen(listed.id)).toContain(`${listed.id} · `);
  });
});
