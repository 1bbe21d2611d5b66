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

  constructor() {
    poll(
      () => this.refresh(),
      () => (this.progress() ? ACTIVE : IDLE),
    );
  }

  async refresh(): Promise<void> {
    try {
      this.status.set(await this.api.status());
      this.error.set(null);
    } catch (error) {
      this.error.set(asApiError(error));
    }
  }

  /** Say whether this user may; the API has the last word. */
  may(permission: Permission): boolean {
    return this.status()?.permissions?.includes(permission) ?? true;
  }
}
