import { Injectable, computed, inject } from '@angular/core';
import { HOST } from './host';
import { QueryValue, ROUTE, normalizePath, parsePath, withQuery } from './path';

/** Follow and change our part of the hash, which the shell owns. */
@Injectable({ providedIn: 'root' })
export class Router {
  private readonly host = inject(HOST);
  readonly route = computed(() => parsePath(this.host.pathSignal()));
  readonly query = computed(() => this.route().query);

  /** Return the address of a page for a link. */
  href(path: string): string {
    return ROUTE + normalizePath(path);
  }

  /** Show a page; `replace` leaves no entry in the history. */
  navigate(path: string, replace = false): void {
    const next = normalizePath(path);
    if (next === this.host.path) {
      return;
    }
    this.host.path = next;
    const event = new CustomEvent('perfcompare-navigate', {
      detail: { path: next, replace },
      bubbles: true,
      composed: true,
      cancelable: true,
    });
    if (this.host.element.dispatchEvent(event)) {
      // no shell took it: the address bar is ours
      const url = ROUTE + next;
      if (replace) {
        history.replaceState(history.state, '', url);
      } else {
        location.hash = url;
      }
    }
  }

  /** Change parts of the query of the page that is shown. */
  patchQuery(values: Record<string, QueryValue>, replace = true): void {
    const merged: Record<string, QueryValue> = {};
    for (const name of new Set(this.query().keys())) {
      merged[name] = this.query().getAll(name);
    }
    const path = this.host.path.split('?')[0];
    this.navigate(withQuery(path || '/compare', { ...merged, ...values }), replace);
  }
}
