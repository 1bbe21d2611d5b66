import { ChangeDetectionStrategy, Component, computed, inject, input, output } from '@angular/core';
import { ApiError } from '../core/api-error';
import { HOST } from '../core/host';
import { Command } from './command';
import { Link } from './link';

type Kind = 'session' | 'forbidden' | 'missing' | 'off' | 'silent' | 'moved' | 'other';

/** Say what went wrong when a page cannot show its data, and what to do. */
@Component({
  selector: 'pc-error',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Command, Link],
  templateUrl: './message.html',
})
export class ErrorMessage {
  private readonly host = inject(HOST);
  readonly error = input.required<ApiError>();
  readonly retry = output();
  protected readonly loginUrl = this.host.standalone ? '../#/login' : '#/login';
  protected readonly retriable = computed(() => ['off', 'silent', 'other'].includes(this.kind()));
  protected readonly kind = computed<Kind>(() => {
    switch (this.error().status) {
      case 0:
        return this.error().code === 'moved' ? 'moved' : 'silent';
      case 401:
        return 'session';
      case 403:
        return 'forbidden';
      case 404:
        return 'missing';
      default:
        return this.error().code === 'not_enabled' ? 'off' : 'other';
    }
  });
}
