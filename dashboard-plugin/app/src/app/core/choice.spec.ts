import { TestBed } from '@angular/core/testing';
import { signal } from '@angular/core';
import { choice } from './choice';

describe('choice', () => {
  it('stays when the same is offered anew', () => {
    TestBed.runInInjectionContext(() => {
      const offered = signal([{ key: 'a' }, { key: 'b' }]);
      const chosen = choice(offered);
      expect(chosen()).toBe('a');
      chosen.set('b');
      offered.set([{ key: 'a' }, { key: 'b' }, { key: 'c' }]);
      expect(chosen()).toBe('b');
      offered.set([{ key: 'c' }]);
      expect(chosen()).toBe('c');
      offered.set([]);
      expect(chosen()).toBe('');
    });
  });
});
