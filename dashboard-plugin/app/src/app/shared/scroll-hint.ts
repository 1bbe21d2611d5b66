import { DestroyRef, Directive, ElementRef, afterNextRender, inject } from '@angular/core';

/** Tell, above what scrolls sideways, that there is more of it. */
// each of them, not those alone that somebody thought of
// eslint-disable-next-line @angular-eslint/directive-selector
@Directive({ selector: '.scroll-x', host: { tabindex: '0', '(scroll)': 'look()' } })
export class ScrollHint {
  private readonly element = inject<ElementRef<HTMLElement>>(ElementRef).nativeElement;
  private readonly hint = document.createElement('p');

  constructor() {
    const destroyed = inject(DestroyRef);
    this.hint.className = 'scroll-hint muted small no-print';
    this.hint.textContent = $localize`More columns to the right: scroll sideways →`;
    this.hint.hidden = true;
    afterNextRender(() => {
      this.element.before(this.hint);
      const watch = 'ResizeObserver' in window ? new ResizeObserver(() => this.look()) : null;
      watch?.observe(this.element);
      destroyed.onDestroy(() => {
        watch?.disconnect();
        this.hint.remove();
      });
      this.look();
    });
  }

  protected look(): void {
    const { scrollWidth, clientWidth, scrollLeft } = this.element;
    this.hint.hidden = clientWidth >= scrollWidth - 8;
    // its place stays: what is below must not move under the mouse
    const atEnd = scrollLeft + clientWidth >= scrollWidth - 8;
    this.hint.style.visibility = atEnd ? 'hidden' : '';
  }
}
