import { ChangeDetectionStrategy, Component, input, output } from '@angular/core';
import { GroupEntry, GroupSpec, Proposal } from '../models/group';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';

/** Show which groups were detected, before any is set. */
@Component({
  selector: 'pc-group-detect',
  imports: [Heads, ScrollHint],
  changeDetection: ChangeDetectionStrategy.OnPush,
  template: `<section class="card" aria-labelledby="detected">
    <h2 id="detected" i18n>Detected groups</h2>
    @if (proposals().length) {
      <div class="scroll-x" tabindex="0" role="group" aria-labelledby="detected">
        <table class="data">
          <thead>
            <tr pcHeads="Group|Architecture|Of|&gt;OSDs|Why" i18n-pcHeads></tr>
          </thead>
          <tbody>
            @for (found of proposals(); track found.spec.name) {
              <tr>
                <th scope="row">
                  {{ found.spec.name }}
                  @if (isKnown(found)) {
                    <span class="tag" i18n>set already, stays as it is</span>
                  }
                </th>
                <td>{{ found.arch }}</td>
                <td>
                  @if (found.spec.hosts.length) {
                    {{ found.spec.hosts.join(', ') }}
                  } @else {
                    <ng-container i18n>device class {{ found.spec.device_class }}</ng-container>
                  }
                </td>
                <td class="right">{{ found.osds.length }}</td>
                <td>{{ found.why }}</td>
              </tr>
            }
          </tbody>
        </table>
      </div>
    } @else if (leftOut().length) {
      <p class="muted" i18n>No group can be proposed.</p>
    } @else {
      <p class="muted" i18n>Nothing was found: no OSD reports its architecture.</p>
    }
    @for (line of leftOut(); track line) {
      <p class="muted" i18n>Left out: {{ line }}</p>
    }
    <div class="actions">
      @if (permitted() && proposals().length) {
        <button type="button" class="button" (click)="apply()" [disabled]="busy()" i18n>
          Set these groups
        </button>
      }
      <button type="button" class="button button-quiet" (click)="closed.emit()" i18n>Close</button>
    </div>
  </section>`,
})
export class GroupDetect {
  readonly proposals = input.required<Proposal[]>();
  readonly leftOut = input.required<string[]>();
  readonly known = input.required<GroupEntry[]>();
  readonly busy = input(false);
  readonly permitted = input(true);
  /** Those of the groups shown that are not set yet. */
  readonly applied = output<GroupSpec[]>();
  readonly closed = output();

  protected apply(): void {
    const found = this.proposals().filter((one) => !this.isKnown(one));
    this.applied.emit(found.map(({ spec }) => spec));
  }

  protected isKnown(proposal: Proposal): boolean {
    return this.known().some((e) => e.defined && e.spec.name === proposal.spec.name);
  }
}
