import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { NOT_AVAILABLE, formatLocal, formatUtc } from '../core/units';

/** Show a Unix time in local time, with UTC on hover. */
@Component({
  selector: 'pc-time',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `@if (at(); as unix) {
      <time [attr.datetime]="utc()" [title]="utc()">{{ local() }}</time>
    } @else {
      {{ none }}
    }`,
})
export class Time {
  readonly at = input.required<number | null>();
  protected readonly none = NOT_AVAILABLE;
  protected readonly utc = computed(() => formatUtc(this.at() ?? 0));
  protected readonly local = computed(() => formatLocal(this.at() ?? 0));
}
