import { normalizePath, parsePath, pathOfHash, withQuery } from './path';

describe('path', () => {
  it('takes only our part of a hash', () => {
    expect(pathOfHash('#/perfcompare')).toBe('');
    expect(pathOfHash('#/perfcompare/runs/1a2b')).toBe('/runs/1a2b');
    expect(pathOfHash('#/perfcompare?row=a')).toBe('?row=a');
    expect(pathOfHash('#/perfcomparer/runs')).toBe('');
    expect(pathOfHash('#/hosts')).toBe('');
  });

  it('finds the page, the id and the query', () => {
    expect(parsePath('')).toMatchObject({ page: 'compare', id: '' });
    expect(parsePath('/runs/1a2b?tab=journal')).toMatchObject({ page: 'run', id: '1a2b' });
    expect(parsePath('/runs?offset=20').query.get('offset')).toBe('20');
    expect(parsePath('/groups/my%20group').id).toBe('my group');
    expect(parsePath('/groups/%E0%A4%A').id).toBe('%E0%A4%A');
    expect(parsePath('/nothing').page).toBe('unknown');
    expect(parsePath('/runs/a/b').page).toBe('unknown');
  });

  it('repeats values that are lists and leaves out what is empty', () => {
    expect(withQuery('/compare', { run: ['a', 'b'], row: '', per: null })).toBe(
      '/compare?run=a&run=b',
    );
    expect(normalizePath('runs')).toBe('/runs');
  });
});
