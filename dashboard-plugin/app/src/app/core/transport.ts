import { Injectable, inject, signal } from '@angular/core';
import { ApiError } from './api-error';
import { HOST } from './host';
import { QueryValue, withQuery } from './path';

const ACCEPT = 'application/vnd.ceph.api.v1.0+json';
const ACCEPTED = 202;
/** Milliseconds until an answer that is being made is asked for again: most come soon. */
const ASK_AGAIN = [100, 200, 400, 700];
/** Who sends a file again is no load by that: it waits so many times as long as it took. */
const REST = 3;
/** Milliseconds in which the file must be there again: the module forgets answers after 60 s. */
const KEPT = 45_000;
/** Milliseconds until a Manager whose host died counts as silent. */
const PATIENCE = 30_000;

export interface Options {
  query?: Record<string, QueryValue>;
  body?: unknown;
  signal?: AbortSignal;
  /** A file is sent, which may take any time. */
  file?: boolean;
}

interface Answer {
  response: Response;
  text: string;
}

/** Speak HTTP with the Manager: its sessions, and what comes instead of an answer. */
@Injectable({ providedIn: 'root' })
export class Transport {
  private readonly host = inject(HOST);
  /** Set when the session has ended; cleared by the next answer. */
  readonly expired = signal(false);

  /** Return what an answer says; nothing is null. */
  async data<T>(method: string, path: string, options: Options = {}): Promise<T> {
    const text = await this.text(method, path, options);
    try {
      return (text === '' ? null : JSON.parse(text)) as T;
    } catch {
      throw silent();
    }
  }

  /** Ask, and ask again while the answer is being made; return its text. */
  async text(method: string, path: string, options: Options = {}): Promise<string> {
    for (let turn = 0; ; turn += 1) {
      const began = Date.now();
      const { response, text } = await this.ask(method, path, options);
      this.noteSession(response.status);
      const making = response.status === ACCEPTED && fieldOf(text, 'code') === 'in_progress';
      if (!making) {
        const page = isPage(text);
        if (response.ok && !page) {
          return text;
        }
        // a standby that sends nowhere else answers with a page and an error
        throw page && (response.ok || response.status >= 500) ? silent() : refusal(response, text);
      }
      const took = options.file ? Date.now() - began : 0;
      const pause = ASK_AGAIN[Math.min(turn, ASK_AGAIN.length - 1)];
      const rest = Math.max(pause, Math.min(REST * took, KEPT - took));
      await new Promise((resolve) => setTimeout(resolve, rest));
      options.signal?.throwIfAborted();
    }
  }

  private async ask(
    method: string,
    path: string,
    { query = {}, body, signal, file }: Options,
  ): Promise<Answer> {
    const headers: Record<string, string> = { Accept: ACCEPT };
    if (body !== undefined) {
      headers['Content-Type'] = 'application/json';
    }
    const abort = new AbortController();
    const end = () => abort.abort();
    signal?.addEventListener('abort', end);
    // a file takes long to send, an answer to come: only its beginning is waited for
    const timer = file ? undefined : setTimeout(end, PATIENCE);
    let found: Answer;
    try {
      const response = await fetch(withQuery(this.host.api + path, query), {
        method,
        headers,
        credentials: 'same-origin',
        body: body === undefined ? undefined : JSON.stringify(body),
        // a standby sends elsewhere, where this page may not ask
        redirect: 'manual',
        signal: abort.signal,
      });
      clearTimeout(timer);
      found = { response, text: await response.text() };
    } catch (error) {
      throw signal?.aborted ? error : silent();
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
    }
    if (found.response.type === 'opaqueredirect') {
      throw new ApiError(0, $localize`Another Manager is active now: reload the page.`, 'moved');
    }
    return found;
  }

  private noteSession(status: number): void {
    const expired = status === 401;
    if (expired && !this.expired()) {
      this.host.element.dispatchEvent(
        new CustomEvent('perfcompare-unauthorized', { bubbles: true, composed: true }),
      );
    }
    this.expired.set(expired);
  }
}

function silent(): ApiError {
  return new ApiError(0, $localize`The manager does not answer.`);
}

function refusal({ status, statusText }: Response, text: string): ApiError {
  return new ApiError(status, fieldOf(text, 'detail') || statusText, fieldOf(text, 'code'));
}

/** Say whether HTML was sent: by a standby, or by a proxy. */
function isPage(text: string): boolean {
  return /^\s*</.test(text);
}

/** Return a field of an error's body in one line, whatever the body is. */
function fieldOf(text: string, name: string): string {
  try {
    const data: unknown = JSON.parse(text);
    if (data && typeof data === 'object' && name in data) {
      const found = (data as Record<string, unknown>)[name];
      return typeof found === 'string' ? found : JSON.stringify(found);
    }
  } catch {
    // a page of a proxy, say
  }
  return '';
}
