import { signal } from '@angular/core';
import { ApiError, asApiError } from './api-error';

/** Load something, and hold what came of it; the last call wins. */
export class Loader<T> {
  readonly value = signal<T | undefined>(undefined);
  readonly error = signal<ApiError | null>(null);
  readonly busy = signal(false);
  private abort: AbortController | null = null;

  /** Load; while it lasts, the former value stays. */
  async load(work: (signal: AbortSignal) => Promise<T>): Promise<void> {
    this.abort?.abort();
    const abort = new AbortController();
    this.abort = abort;
    this.busy.set(true);
    try {
      const value = await work(abort.signal);
      if (this.abort === abort) {
        this.value.set(value);
        this.error.set(null);
      }
    } catch (error) {
      if (this.abort === abort) {
        this.error.set(asApiError(error));
      }
    } finally {
      if (this.abort === abort) {
        this.busy.set(false);
      }
    }
  }

  /** Forget the value and what is under way. */
  clear(): void {
    this.abort?.abort();
    this.abort = null;
    this.value.set(undefined);
    this.error.set(null);
    this.busy.set(false);
  }
}
