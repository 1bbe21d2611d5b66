import { TestBed } from '@angular/core/testing';
import { Stage } from '../../testing/stage';
import { poll } from './polling';

function hide(hidden: boolean): void {
  Object.defineProperty(document, 'hidden', { value: hidden, configurable: true });
  document.dispatchEvent(new Event('visibilitychange'));
}

describe('poll', () => {
  let stage: Stage;

  beforeEach(() => {
    vi.useFakeTimers();
    stage = new Stage({});
  });
  afterEach(() => {
    hide(false);
    TestBed.resetTestingModule();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  });

  /** Poll, and look around from time to time, as the application does. */
  function start(work: () => Promise<void>, delay: () => number): () => Promise<void> {
    return TestBed.runInInjectionContext(() => poll(work, delay));
  }

  it.each([
    ['the tab is hidden', hide],
    ['the dashboard shows something else', (away: boolean) => stage.resting.set(away)],
  ])('stops while %s and goes on at once after that', async (_name, leave) => {
    const work = vi.fn(() => Promise.resolve());
    start(work, () => 1000);
    await vi.advanceTimersByTimeAsync(2500);
    expect(work).toHaveBeenCalledTimes(3);
    leave(true);
    await vi.advanceTimersByTimeAsync(60000);
    expect(work).toHaveBeenCalledTimes(3);
    leave(false);
    await vi.advanceTimersByTimeAsync(20);
    expect(work).toHaveBeenCalledTimes(4);
  });

  it('has no two calls under way by itself', async () => {
    let running = 0;
    let most = 0;
    const work = async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      running -= 1;
    };
    start(work, () => 10);
    await vi.advanceTimersByTimeAsync(100);
    hide(true);
    await vi.advanceTimersByTimeAsync(100);
    hide(false);
    await vi.advanceTimersByTimeAsync(20000);
    expect(most).toBe(1);
  });

  it('is hurried, and counts its delay from there', async () => {
    let delay = 10_000;
    const work = vi.fn(() => Promise.resolve());
    const now = start(work, () => delay);
    await vi.advanceTimersByTimeAsync(1000);
    expect(work).toHaveBeenCalledTimes(1);
    delay = 2000;
    await now();
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(2100);
    expect(work).toHaveBeenCalledTimes(3);
  });
});
