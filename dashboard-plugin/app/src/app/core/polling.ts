import { DestroyRef, effect, inject, untracked } from '@angular/core';
import { Attention } from './attention';

/**
 * Call `work` again and again, `delay()` milliseconds after it has ended;
 * pause while nobody sees the page. Needs an injection context. Returns what
 * calls it at once; the next call is then `delay()` after that one.
 */
export function poll(work: () => Promise<void>, delay: () => number): () => Promise<void> {
  const { here } = inject(Attention);
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = 0;
  let ended = false;

  const now = async () => {
    clearTimeout(timer);
    running += 1;
    try {
      await work();
    } finally {
      running -= 1;
      clearTimeout(timer);
      if (!ended && untracked(here)) {
        timer = setTimeout(next, delay());
      }
    }
  };
  const next = () => {
    // what is under way goes on from there
    if (!running) {
      void now();
    }
  };
  effect(() => {
    if (here()) {
      untracked(next);
    } else {
      clearTimeout(timer);
    }
  });
  inject(DestroyRef).onDestroy(() => {
    ended = true;
    clearTimeout(timer);
  });
  return now;
}
