import { DestroyRef, effect, inject, untracked } from '@angular/core';
import { Attention } from './attention';

/**
 * Return what calls `work` at once when it is told so, or when the last call
 * is `pause` milliseconds ago; else as soon as it is, and somebody can see the
 * page. However often it is asked, the last time is never lost. Needs an
 * injection context.
 */
export function paced(work: () => void, pause: number): (atOnce?: boolean) => void {
  const { here } = inject(Attention);
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let due = false;

  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    due = !untracked(here);
    if (!due) {
      last = Date.now();
      work();
    }
  };
  effect(() => {
    if (here() && due) {
      untracked(now);
    }
  });
  inject(DestroyRef).onDestroy(() => clearTimeout(timer));
  return (atOnce = false) => {
    const left = last + pause - Date.now();
    if (atOnce || left <= 0) {
      now();
    } else {
      timer ??= setTimeout(now, left);
    }
  };
}
