import { ChangeDetectionStrategy, Component, input, output } from '@angular/core';

/** One of what can be chosen. */
export interface Option {
  key: string;
  label: string;
}

/** Choose how something is shown: a select with its label beside it. */
@Component({
  selector: 'pc-choice',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<label class="inline no-print">
    <span [class]="quiet() ? 'visually-hidden' : 'muted'">{{ label() }}</span>
    <select (change)="choose($event)">
      @for (item of options(); track item.key) {
        <option [value]="item.key" [selected]="item.key === chosen()">{{ item.label }}</option>
      }
    </select>
  </label>`,
})
export class Choice {
  readonly label = input.required<string>();
  readonly options = input.required<readonly Option[]>();
  /** The key of what is shown. */
  readonly chosen = input.required<string>();
  /** The options say enough: the label is for screen readers. */
  readonly quiet = input(false);
  readonly picked = output<string>();

  protected choose(event: Event): void {
    this.picked.emit((event.target as HTMLSelectElement).value);
  }
}
