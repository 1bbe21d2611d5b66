import { TestBed } from '@angular/core/testing';
import { paced } from './pace';

describe('paced', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    TestBed.resetTestingModule();
    vi.useRealTimers();
  });

  it('works at most once in its pause, and never loses the last time', () => {
    const work = vi.fn();
    const ask = TestBed.runInInjectionContext(() => paced(work, 10_000));
    ask();
    expect(work).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(2_000);
    ask();
    ask();
    expect(work).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(8_000);
    expect(work).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(60_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('works at once where it is told so, and not again for those before', () => {
    const work = vi.fn();
    const ask = TestBed.runInInjectionContext(() => paced(work, 10_000));
    ask();
    ask();
    ask(true);
    expect(work).toHaveBeenCalledTimes(2);
    vi.advanceTimersByTime(60_000);
    expect(work).toHaveBeenCalledTimes(2);
  });

  it('does nothing for what is gone', () => {
    const work = vi.fn();
    const ask = TestBed.runInInjectionContext(() => paced(work, 10_000));
    ask();
    ask();
    TestBed.resetTestingModule();
    vi.advanceTimersByTime(60_000);
    expect(work).toHaveBeenCalledTimes(1);
  });
});
