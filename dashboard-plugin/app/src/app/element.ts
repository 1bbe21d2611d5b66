import { ApplicationRef, provideZonelessChangeDetection, signal } from '@angular/core';
import { createApplication } from '@angular/platform-browser';
import { App } from './app';
import { HOST, Host } from './core/host';
import { rootOf } from './core/locale';
import { normalizePath, pathOfHash } from './core/path';

const NAME = 'perfcompare-app';

interface ZoneLike {
  root: { run<T>(fn: () => T): T };
}

/** Define `<perfcompare-app>`; `scriptUrl` is where main.js was loaded from. */
export function definePerfcompareApp(scriptUrl: string): void {
  if (customElements.get(NAME)) {
    return;
  }
  const defaultApi = new URL('../api/perfcompare', rootOf(scriptUrl)).href;

  /** Run one zoneless Angular application per connected element. */
  class PerfcompareElement extends HTMLElement implements Host {
    static readonly observedAttributes = ['path', 'resting'];

    readonly element = this;
    readonly pathSignal = signal('');
    readonly resting = signal(false);
    private app: Promise<ApplicationRef> | null = null;
    private readonly readHash = () => this.pathSignal.set(pathOfHash(location.hash));

    get api(): string {
      const given = this.getAttribute('api');
      return given ? new URL(given, document.baseURI).href : defaultApi;
    }

    get standalone(): boolean {
      return this.hasAttribute('standalone');
    }

    get path(): string {
      return this.pathSignal();
    }

    set path(value: string) {
      this.pathSignal.set(normalizePath(value));
    }

    attributeChangedCallback(name: string, _old: string | null, value: string | null): void {
      if (name === 'resting') {
        this.resting.set(value !== null);
      } else {
        this.path = value ?? '';
      }
    }

    connectedCallback(): void {
      if (this.standalone) {
        this.readHash();
        window.addEventListener('hashchange', this.readHash);
      }
      const start = () =>
        createApplication({
          providers: [provideZonelessChangeDetection(), { provide: HOST, useValue: this }],
        }).then((ref) => {
          ref.bootstrap(App, this);
          return ref;
        });
      // the host's zone.js would run change detection of the host for us
      const zone = (globalThis as { Zone?: ZoneLike }).Zone;
      this.app ??= zone ? zone.root.run(start) : start();
    }

    disconnectedCallback(): void {
      window.removeEventListener('hashchange', this.readHash);
      const app = this.app;
      this.app = null;
      void app?.then((ref) => ref.destroy());
    }
  }

  customElements.define(NAME, PerfcompareElement);
}
