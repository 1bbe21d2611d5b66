import { runs } from '../../testing/fixtures';
import { readSelection, selectionQuery, suggest } from './selection';

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
