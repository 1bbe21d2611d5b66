/** Run components against recorded answers of the API. */

import { provideZonelessChangeDetection, signal } from '@angular/core';
import { TestBed } from '@angular/core/testing';
import { HOST, Host } from '../app/core/host';
import { normalizePath } from '../app/core/path';

// a busy machine is no fault of the code
vi.setConfig({ testTimeout: 60_000 });

export interface Sent {
  method: string;
  url: URL;
  body: unknown;
}

/** What the API answers: by 'METHOD /path', status and body. */
export type Answers = Record<string, [number, unknown]>;

/** Stand in for the shell and the API. */
export class Stage {
  readonly sent: Sent[] = [];
  readonly events: CustomEvent[] = [];
  readonly element = document.createElement('div');
  readonly resting = signal(false);
  private readonly pathSignal = signal('');

  constructor(
    readonly answers: Answers,
    path = '',
  ) {
    this.pathSignal.set(path);
    const { element, pathSignal, resting } = this;
    const host: Host = {
      element,
      pathSignal,
      api: 'https://ceph.test/prefix/api/perfcompare',
      standalone: false,
      resting,
      get path() {
        return pathSignal();
      },
      set path(value: string) {
        pathSignal.set(normalizePath(value));
      },
    };
    for (const name of ['perfcompare-navigate', 'perfcompare-unauthorized']) {
      element.addEventListener(name, (event) => {
        event.preventDefault();
        this.events.push(event as CustomEvent);
      });
    }
    vi.stubGlobal('fetch', (url: string, init: RequestInit) => this.answer(url, init));
    TestBed.configureTestingModule({
      providers: [provideZonelessChangeDetection(), { provide: HOST, useValue: host }],
    });
  }

  get path(): string {
    return this.pathSignal();
  }

  set path(value: string) {
    this.pathSignal.set(value);
  }

  private async answer(address: string, init: RequestInit): Promise<Response> {
    const url = new URL(address);
    const body = init.body ? JSON.parse(String(init.body)) : undefined;
    const method = init.method ?? 'GET';
    this.sent.push({ method, url, body });
    const path = url.pathname.replace('/prefix/api/perfcompare', '');
    const [status, data] = this.answers[`${method} ${path}`] ?? [404, { detail: `no ${path}` }];
    return new Response(status === 204 ? null : JSON.stringify(data), { status });
  }

  requests(method: string, path: string): Sent[] {
    return this.sent.filter((one) => one.method === method && one.url.pathname.endsWith(path));
  }
}

/** Wait until everything that was asked for has been drawn. */
export async function settle(fixture: { whenStable(): Promise<unknown> }): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve));
    await fixture.whenStable();
  }
}

export function text(element: Element | ShadowRoot | null): string {
  return (element?.textContent ?? '').replace(/\s+/g, ' ').trim();
}

export function button(root: ParentNode, name: string): HTMLButtonElement {
  const found = [...root.querySelectorAll('button')].find((one) => text(one).includes(name));
  if (!found) {
    throw new Error(`no button ${name}`);
  }
  return found;
}
