import { ChangeDetectionStrategy, Component } from '@angular/core';

/** Hold the place of data that is on its way. */
@Component({
  selector: 'pc-loading',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<div class="card skeleton" role="status">
    <span class="visually-hidden" i18n>Loading…</span>
    <div class="bone bone-title"></div>
    <div class="bone"></div>
    <div class="bone"></div>
    <div class="bone bone-short"></div>
  </div>`,
})
export class Loading {}
