import { DestroyRef, inject } from '@angular/core';

/**
 * Return what calls `work` at once when it is told so, or when the last call
 * is `pause` milliseconds ago; else as soon as it is. However often it is
 * asked, the last time is never lost. Needs an injection context.
 */
export function paced(work: () => void, pause: number): (atOnce?: boolean) => void {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const now = () => {
    clearTimeout(timer);
    timer = undefined;
    last = Date.now();
    work();
  };
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
