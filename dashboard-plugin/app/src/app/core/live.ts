import { Injectable, computed, inject, signal } from '@angular/core';
import { Permission, Status } from '../models/run';
import { Api } from './api';
import { ApiError, asApiError } from './api-error';
import { poll } from './polling';

const ACTIVE = 2000;
const IDLE = 10000;

/** Follow what runs now; one poll for the whole application. */
@Injectable({ providedIn: 'root' })
export class Live {
  private readonly api = inject(Api);
  readonly status = signal<Status | null>(null);
  readonly error = signal<ApiError | null>(null);
  readonly progress = computed(() => this.status()?.progress ?? null);
  /** Id of the active run, or ''; changes only when another one is active. */
  readonly activeRun = computed(() => this.progress()?.run ?? '');

  /** Look at once; resolves when what was found is there. */
  readonly refresh = poll(
    () => this.look(),
    () => (this.progress() ? ACTIVE : IDLE),
  );
  private asked = 0;
  /** Which question the status shown is the answer to. */
  private answered = 0;

  private async look(): Promise<void> {
    this.asked += 1;
    const turn = this.asked;
    const found = await this.api.status().catch(asApiError);
    if (turn < this.answered) {
      return; // somebody asked later, and knows already
    }
    this.answered = turn;
    if (found instanceof ApiError) {
      this.error.set(found);
    } else {
      this.status.set(found);
      this.error.set(null);
    }
  }

  /** Say whether this user may; the API has the last word. */
  may(permission: Permission): boolean {
    return this.status()?.permissions?.includes(permission) ?? true;
  }
}
