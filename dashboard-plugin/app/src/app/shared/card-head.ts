import { ChangeDetectionStrategy, Component, input } from '@angular/core';

/** The head of a card: its heading, and with `aside` what stands at its end. */
@Component({
  selector: 'pc-card-head',
  changeDetection: ChangeDetectionStrategy.OnPush,
  host: { class: 'card-head' },
  template: `<h2 [id]="name()"><ng-content /></h2>
    <ng-content select="[aside]" />`,
})
export class CardHead {
  /** The id that says what the card is named by. */
  readonly name = input.required<string>();
}
