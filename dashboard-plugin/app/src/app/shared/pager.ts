import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { PAGE, Page, QueryValue, offsetOf, withQuery } from '../core/path';
import { Router } from '../core/router';
import { Link } from './link';

/** Go to the last page of a list from one that has nothing any more; of no other list. */
export function turnBack(router: Router, list: Page, total: number): void {
  const last = PAGE * Math.max(0, Math.ceil(total / PAGE) - 1);
  if (router.route().page === list && offsetOf(router.query()) > last) {
    router.patchQuery({ offset: last || null });
  }
}

/** Say which part of a list is shown, and lead to the others. */
@Component({
  selector: 'pc-pager',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link],
  template: `<div class="pager">
    <span class="muted" i18n>{{ offset() + 1 }}–{{ last() }} of {{ total() }}</span>
    <span class="spacer"></span>
    @if (offset() > 0) {
      <a class="button button-quiet button-small" [pcLink]="at(offset() - page)" i18n>Previous</a>
    }
    @if (last() < total()) {
      <a class="button button-quiet button-small" [pcLink]="at(offset() + page)" i18n>Next</a>
    }
  </div>`,
})
export class Pager {
  readonly path = input.required<string>();
  readonly offset = input.required<number>();
  readonly count = input.required<number>();
  readonly total = input.required<number>();
  /** What of the address stays, on all pages. */
  readonly kept = input<Record<string, QueryValue>>({});
  protected readonly page = PAGE;
  protected readonly last = computed(() => this.offset() + this.count());

  protected at(offset: number): string {
    return withQuery(this.path(), { ...this.kept(), offset: Math.max(0, offset) || null });
  }
}
