import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { PAGE, withQuery } from '../core/path';
import { Link } from './link';

/** Say which part of a list is shown, and lead to the others. */
@Component({
  selector: 'pc-pager',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link],
  template: `<div class="pager">
    <span class="muted" i18n>{{ offset() + 1 }}–{{ last() }} of {{ total() }}</span>
    <span class="spacer"></span>
    @if (offset() > 0) {
      <a class="button button-quiet button-small" [pcLink]="at(offset() - page)" i18n>Newer</a>
    }
    @if (last() < total()) {
      <a class="button button-quiet button-small" [pcLink]="at(offset() + page)" i18n>Older</a>
    }
  </div>`,
})
export class Pager {
  readonly path = input.required<string>();
  readonly offset = input.required<number>();
  readonly count = input.required<number>();
  readonly total = input.required<number>();
  protected readonly page = PAGE;
  protected readonly last = computed(() => this.offset() + this.count());

  protected at(offset: number): string {
    return withQuery(this.path(), { offset: Math.max(0, offset) || null });
  }
}
