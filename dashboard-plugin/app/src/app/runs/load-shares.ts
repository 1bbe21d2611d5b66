import { ChangeDetectionStrategy, Component, input } from '@angular/core';
import { grouped } from '../core/locale';
import {
  formatClock,
  formatDuration,
  formatNumber,
  formatOps,
  formatPercent,
  NOT_AVAILABLE,
} from '../core/units';
import { LoadShare } from '../models/evidence';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';

/** Show what each host did of a load that several made. */
@Component({
  selector: 'pc-load-shares',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Heads, ScrollHint],
  template: `
    <h3 i18n>Load hosts</h3>
    <div class="scroll-x">
      <table class="data compact">
        <thead>
          <tr
            pcHeads="Load host|Workload|Group|&gt;Part|&gt;Share|&gt;Operations|&gt;CPU busy|&gt;Cores of the load|&gt;Began after|&gt;Clock ahead|&gt;Errors in all"
            i18n-pcHeads
          ></tr>
        </thead>
        <tbody>
          @for (row of rows(); track $index) {
            <tr>
              <th scope="row" class="nowrap">{{ row.host }}</th>
              <td>{{ row.workload }}</td>
              <td>{{ row.group }}</td>
              <td class="right">{{ percent(row.part) }}</td>
              <td class="right">{{ percent(row.share) }}</td>
              <td class="right">{{ ops(row.ops_per_s) }}</td>
              <td class="right">{{ percent(row.busy) }}</td>
              <td class="right">{{ number(row.cores) }}</td>
              <td class="right">{{ seconds(row.late) }}</td>
              <td class="right nowrap">{{ clock(row.clock_ahead, row.clock_bound) }}</td>
              <td class="right">{{ row.errors === null ? none : whole(row.errors) }}</td>
            </tr>
          }
        </tbody>
      </table>
    </div>
  `,
})
export class LoadShares {
  readonly rows = input.required<LoadShare[]>();

  protected readonly percent = formatPercent;
  protected readonly ops = formatOps;
  protected readonly number = formatNumber;
  protected readonly seconds = formatDuration;
  protected readonly clock = formatClock;
  protected readonly whole = grouped;
  protected readonly none = NOT_AVAILABLE;
}
