import { signal } from '@angular/core';
import { asApiError } from './api-error';

/** Something that a user asks for: under way, or failed with one line. */
export class Attempt {
  readonly busy = signal(false);
  readonly problem = signal('');

  async at(work: () => Promise<void>): Promise<void> {
    this.busy.set(true);
    this.problem.set('');
    try {
      await work();
    } catch (error) {
      this.problem.set(asApiError(error).message);
    } finally {
      this.busy.set(false);
    }
  }
}
