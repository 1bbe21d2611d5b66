import { type WritableSignal, linkedSignal } from '@angular/core';

/**
 * What is chosen of `options`, by its key: what was chosen stays as long as
 * it is offered, however often the offer is loaded; else the first one.
 */
export function choice(options: () => readonly { key: string }[]): WritableSignal<string> {
  return linkedSignal<readonly { key: string }[], string>({
    source: options,
    computation: (offered, former) => {
      const kept = offered.find(({ key }) => key === former?.value);
      return (kept ?? offered[0])?.key ?? '';
    },
  });
}
