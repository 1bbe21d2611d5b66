import { ChangeDetectionStrategy, Component, input, model, output } from '@angular/core';
import { Attempt } from '../core/attempt';
import { SecretField, SecretFields } from './secret-fields';

/**
 * Offer to set what is secret, with what else can be done beside it; say what
 * went wrong. What is projected as `above` belongs to the form.
 */
@Component({
  selector: 'pc-secret-setting',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [SecretFields],
  template: `@if (open()) {
      <ng-content select="[above]" />
      <pc-secret-fields
        [prefix]="prefix()"
        [fields]="fields()"
        [busy]="attempt().busy()"
        [problem]="attempt().problem()"
        (given)="given.emit($event)"
        (closed)="open.set(false)"
      />
    } @else {
      @if (attempt().problem()) {
        <div class="notice notice-error" role="alert">{{ attempt().problem() }}</div>
      }
      <div class="actions">
        @if (allowed()) {
          <button type="button" class="button button-quiet" (click)="open.set(true)">
            {{ action() }}
          </button>
        }
        <ng-content />
      </div>
    }`,
})
export class SecretSetting {
  /** What the button says that opens the form. */
  readonly action = input.required<string>();
  readonly fields = input.required<readonly SecretField[]>();
  /** What the ids of its fields begin with. */
  readonly prefix = input.required<string>();
  readonly allowed = input(true);
  readonly attempt = input.required<Attempt>();
  readonly given = output<Record<string, string>>();
  readonly open = model(false);
}
