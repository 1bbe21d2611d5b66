import { DestroyRef, Directive, ElementRef, inject } from '@angular/core';

/**
 * Make a menu of `<details>`: above everything that scrolls, and closed by
 * Escape, by a click elsewhere, and when the page moves under it. One with a
 * form follows the page: what is chosen in it changes what is below.
 */
@Directive({
  selector: 'details[pcMenu]',
  host: { class: 'menu', '(toggle)': 'toggled()', '(keydown.escape)': 'escape($event)' },
})
export class Menu {
  private readonly details = inject<ElementRef<HTMLDetailsElement>>(ElementRef).nativeElement;
  /** Where the button was when the menu was placed. */
  private placed = { left: 0, top: 0 };
  private readonly close = () => (this.details.open = false);
  private readonly scrolled = () => {
    // not what was due before it was opened, nor what scrolls elsewhere
    const { left, top } = this.details.getBoundingClientRect();
    if (Math.abs(left - this.placed.left) > 1 || Math.abs(top - this.placed.top) > 1) {
      if (this.details.querySelector('.menu-form')) {
        this.place();
      } else {
        this.close();
      }
    }
  };
  private readonly clicked = (event: Event) => {
    if (!event.composedPath().includes(this.details)) {
      this.close();
    }
  };

  constructor() {
    inject(DestroyRef).onDestroy(() => this.listen(false));
  }

  protected toggled(): void {
    if (this.details.open) {
      this.place();
    }
    this.listen(this.details.open);
  }

  protected escape(event: Event): void {
    event.stopPropagation();
    this.close();
    this.details.querySelector('summary')?.focus();
  }

  /** Put the menu below its button, or above it where there is no room. */
  private place(): void {
    const body = this.details.querySelector<HTMLElement>('.menu-body');
    if (!body) {
      return;
    }
    const button = this.details.getBoundingClientRect();
    this.placed = { left: button.left, top: button.top };
    const { width, height } = body.getBoundingClientRect();
    const right = button.left + width > window.innerWidth - 8;
    const above = button.bottom + height > window.innerHeight - 8 && button.top > height;
    body.style.left = `${Math.max(8, right ? button.right - width : button.left)}px`;
    body.style.top = `${above ? button.top - height - 2 : button.bottom + 2}px`;
  }

  private listen(on: boolean): void {
    for (const [target, name, listener] of [
      [document, 'click', this.clicked],
      [window, 'resize', this.close],
      [window, 'scroll', this.scrolled],
    ] as const) {
      target.removeEventListener(name, listener, true);
      if (on) {
        target.addEventListener(name, listener, true);
      }
    }
  }
}
