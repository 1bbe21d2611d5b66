import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { Row } from '../models/comparison';
import { Side } from '../shared/side';

/** Name what limited each side of a row; nothing where no trial tells. */
@Component({
  selector: 'pc-limits',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Side],
  template: `@if (known()) {
    <span class="limits">
      @for (side of sides(); track $index) {
        <span class="limit" [title]="side.limited.text || side.limited.limit">
          <pc-side [first]="$first"
            ><span class="visually-hidden">{{ side.group }}: </span></pc-side
          >{{ side.limited.limit }}
        </span>
      }
    </span>
  }`,
})
export class Limits {
  readonly row = input.required<Row>();
  protected readonly sides = computed(() => [this.row().baseline, this.row().candidate]);
  protected readonly known = computed(() =>
    this.sides().some(({ limited }) => limited.limit !== 'not available'),
  );
}
