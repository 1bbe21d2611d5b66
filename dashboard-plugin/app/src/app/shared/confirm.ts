import {
  ChangeDetectionStrategy,
  Component,
  DestroyRef,
  ElementRef,
  afterNextRender,
  inject,
  input,
  output,
  viewChild,
} from '@angular/core';
import { rememberFocus } from './opener';

/** Ask before something that cannot be taken back. */
@Component({
  selector: 'pc-confirm',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<dialog
    #box
    aria-labelledby="confirm-title"
    (cancel)="cancelled.emit()"
    (close)="cancelled.emit()"
  >
    <h2 id="confirm-title">{{ title() }}</h2>
    <div class="dialog-body"><ng-content /></div>
    <div class="actions actions-end">
      <button type="button" class="button button-quiet" (click)="cancelled.emit()" i18n>
        Back
      </button>
      <button
        type="button"
        class="button"
        [class.button-danger]="danger()"
        [disabled]="busy()"
        (click)="confirmed.emit()"
      >
        {{ action() }}
      </button>
    </div>
  </dialog>`,
})
export class Confirm {
  readonly title = input.required<string>();
  readonly action = input.required<string>();
  readonly danger = input(true);
  readonly busy = input(false);
  readonly confirmed = output();
  readonly cancelled = output();
  private readonly box = viewChild.required<ElementRef<HTMLDialogElement>>('box');

  constructor() {
    const giveBack = rememberFocus();
    afterNextRender(() => this.box().nativeElement.showModal?.());
    inject(DestroyRef).onDestroy(giveBack);
  }
}
