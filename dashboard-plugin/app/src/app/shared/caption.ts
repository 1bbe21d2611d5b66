/** What figures say of themselves where they leave the page: pictures and files. */

import { Signal } from '@angular/core';

export interface Caption {
  /** Profiles and runs, or what a recovery was, and its id. */
  source: string;
  /** Groups that are known to be emulated. */
  emulated: readonly string[];
}

/** What all charts of a page are of; a page provides it. */
export abstract class Captioned {
  abstract readonly caption: Signal<Caption>;
}

/** Return the groups that labels of a plan call emulated; model/group.py. */
export function emulatedBy(labels: readonly string[]): string[] {
  return labels.flatMap((label) => /^group '(.+)' is emulated\b/.exec(label)?.[1] ?? []);
}

/** Return the warning that stands beside figures of such groups; '' of none. */
export function emulatedText(groups: readonly string[]): string {
  return groups.length ? $localize`emulated: ${groups.join(', ')}:groups:` : '';
}
