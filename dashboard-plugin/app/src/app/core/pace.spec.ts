import { TestBed } from '@angular/core/testing';
import { Stage } from '../../testing/stage';
import { paced } from './pace';

describe('paced', () => {
  let stage: Stage;

  beforeEach(() => {
    vi.useFakeTimers();
    stage = new Stage({});
  });
  afterEach(() => {
    TestBed.resetTestingModule();
    vi.useRealTimers();
    vi.unstubAllGlobals();
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

  it('waits until somebody sees the page', async () => {
    const work = vi.fn();
    const ask = TestBed.runInInjectionContext(() => paced(work, 10_000));
    ask();
    ask();
    stage.resting.set(true);
    await vi.advanceTimersByTimeAsync(60_000);
    ask();
    ask(true);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(1);
    stage.resting.set(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(2);
  });
});
