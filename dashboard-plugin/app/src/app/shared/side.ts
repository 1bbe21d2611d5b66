import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';

/** Name a side of a comparison, with the mark that it has everywhere. */
@Component({
  selector: 'pc-side',
  changeDetection: ChangeDetectionStrategy.OnPush,
  host: { '[class]': 'kind()' },
  template: `<span class="side-mark" aria-hidden="true"></span><ng-content />`,
})
export class Side {
  /** The first one is the baseline. */
  readonly first = input.required<boolean>();
  protected readonly kind = computed(() => (this.first() ? 'side-baseline' : 'side-candidate'));
}
