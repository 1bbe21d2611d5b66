import { TestBed } from '@angular/core/testing';
import { poll } from './polling';

function hide(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('poll', () => {
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    hide(false);
    TestBed.resetTestingModule();
    vi.useRealTimers();
  });

  it('stops while the tab is hidden and goes on at once when it is shown', async () => {
    const work = vi.fn(() => Promise.resolve());
    TestBed.runInInjectionContext(() => poll(work, () => 1000));
    await vi.advanceTimersByTimeAsync(2500);
    expect(work).toHaveBeenCalledTimes(3);
    hide(true);
    await vi.advanceTimersByTimeAsync(60000);
    expect(work).toHaveBeenCalledTimes(3);
    hide(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(work).toHaveBeenCalledTimes(4);
  });

  it('never has two calls under way', async () => {
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      running -= 1;
    };
    TestBed.runInInjectionContext(() => poll(work, () => 10));
    await vi.advanceTimersByTimeAsync(100);
    hide(true);
    hide(false);
    await vi.advanceTimersByTimeAsync(20000);
    expect(most).toBe(1);
  });
});
