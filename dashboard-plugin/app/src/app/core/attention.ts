import { DestroyRef, Injectable, computed, inject, signal } from '@angular/core';
import { HOST } from './host';

/** Know whether anybody can see the page: neither its tab nor the page in it is hidden. */
@Injectable({ providedIn: 'root' })
export class Attention {
  private readonly host = inject(HOST);
  private readonly shown = signal(!document.hidden);
  readonly here = computed(() => this.shown() && !this.host.resting());

  constructor() {
    const look = () => this.shown.set(!document.hidden);
    document.addEventListener('visibilitychange', look);
    inject(DestroyRef).onDestroy(() => document.removeEventListener('visibilitychange', look));
  }
}
