import { DestroyRef, inject } from '@angular/core';

/**
 * Call `work` again and again, `delay()` milliseconds after it has ended;
 * pause while the browser tab is hidden. Needs an injection context.
 */
export function poll(work: () => Promise<void>, delay: () => number): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let running = false;
  let ended = false;

  const next = async () => {
    clearTimeout(timer);
    if (running || ended || document.hidden) {
      return;
    }
    running = true;
    try {
      await work();
    } finally {
      running = false;
    }
    if (!ended && !document.hidden) {
      timer = setTimeout(next, delay());
    }
  };
  const changed = () => {
    if (document.hidden) {
      clearTimeout(timer);
    } else {
      void next();
    }
  };
  document.addEventListener('visibilitychange', changed);
  inject(DestroyRef).onDestroy(() => {
    ended = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', changed);
  });
  void next();
}
