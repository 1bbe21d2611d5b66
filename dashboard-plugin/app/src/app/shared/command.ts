import { ChangeDetectionStrategy, Component, input, signal } from '@angular/core';

/** Show a command of the CLI that can be copied. */
@Component({
  selector: 'pc-command',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<div class="command">
    <code>{{ text() }}</code>
    <button type="button" class="button button-quiet button-small" (click)="copy()">
      @if (copied()) {
        <ng-container i18n>Copied</ng-container>
      } @else {
        <ng-container i18n>Copy</ng-container>
      }
    </button>
  </div>`,
})
export class Command {
  readonly text = input.required<string>();
  protected readonly copied = signal(false);

  protected async copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.text());
      this.copied.set(true);
      setTimeout(() => this.copied.set(false), 2000);
    } catch {
      // not permitted without TLS: the text can still be selected
    }
  }
}
