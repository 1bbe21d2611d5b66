/** What figures say of themselves where they leave the page: pictures and files. */

import { DestroyRef, Injectable, effect, inject, signal } from '@angular/core';
import { Comparison } from '../models/comparison';

export interface Caption {
  /** Profiles and runs, or what a recovery was, and its id. */
  source: string;
  /** Groups that are known to be emulated. */
  emulated: readonly string[];
}

/** What all charts of the page that is shown are of, where it says so. */
@Injectable({ providedIn: 'root' })
export class Captioned {
  readonly caption = signal<Caption | null>(null);
}

/** Say what charts are of as long as a page is shown. Needs an injection context. */
export function captioned(of: () => Caption): void {
  const { caption } = inject(Captioned);
  let own: Caption | null = null;
  effect(() => {
    own = of();
    caption.set(own);
  });
  inject(DestroyRef).onDestroy(() => caption.update((now) => (now === own ? null : now)));
}

/** Return the groups that labels of a plan call emulated; model/group.py. */
export function emulatedBy(labels: readonly string[]): string[] {
  return labels.flatMap((label) => /^group '(.+)' is emulated\b/.exec(label)?.[1] ?? []);
}

/** Return the warning that stands beside figures of such groups; '' of none. */
export function emulatedText(groups: readonly string[]): string {
  return groups.length ? $localize`emulated: ${groups.join(', ')}:groups:` : '';
}

/** Return what charts of a comparison are of. */
export function captionOf({ baseline, candidate, profiles, runs }: Comparison): Caption {
  return {
    source: [profiles.join(', '), runs.join(', ')].join('; '),
    emulated: [baseline, candidate].filter((side) => side.emulated).map((side) => side.label),
  };
}
