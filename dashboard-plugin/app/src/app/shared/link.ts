import { Directive, computed, inject, input } from '@angular/core';
import { Router } from '../core/router';

/** Link to a page of ours: a real address, followed without a reload. */
@Directive({
  selector: 'a[pcLink]',
  host: { '[attr.href]': 'href()', '(click)': 'follow($event)' },
})
export class Link {
  private readonly router = inject(Router);
  readonly pcLink = input.required<string>();
  protected readonly href = computed(() => this.router.href(this.pcLink()));

  protected follow(event: MouseEvent): void {
    if (event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) {
      return;
    }
    event.preventDefault();
    this.router.navigate(this.pcLink());
  }
}
