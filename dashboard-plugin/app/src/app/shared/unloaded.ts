import { ChangeDetectionStrategy, Component } from '@angular/core';

/** Say that a part of the page's code did not arrive, and what to do. */
@Component({
  selector: 'pc-unloaded',
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `
    <div class="card notice notice-warn" role="alert">
      <p i18n>
        This part of the page could not be loaded. It may have been upgraded meanwhile: reload the
        page. If that does not help, look at the network and at the Manager.
      </p>
      <button type="button" (click)="reload()" i18n>Reload the page</button>
    </div>
  `,
})
export class Unloaded {
  protected reload(): void {
    location.reload();
  }
}
