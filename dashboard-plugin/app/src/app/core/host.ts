import { InjectionToken, Signal } from '@angular/core';

/** What the application knows of the element and the shell around it. */
export interface Host {
  readonly element: HTMLElement;
  /** What follows `#/perfcompare` in the hash. */
  readonly pathSignal: Signal<string>;
  path: string;
  /** Base URL of the REST API, without a slash at its end. */
  readonly api: string;
  readonly standalone: boolean;
  /** Whether the shell shows something else. */
  readonly resting: Signal<boolean>;
}

export const HOST = new InjectionToken<Host>('host of the application');
