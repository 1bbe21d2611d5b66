import { ChangeDetectionStrategy, Component, computed, input } from '@angular/core';
import { formatLatency, formatOps, formatPercent } from '../core/units';
import { LoadShare, Trial } from '../models/run';
import { CardHead } from '../shared/card-head';
import { Heads } from '../shared/heads';
import { ScrollHint } from '../shared/scroll-hint';
import { Side } from '../shared/side';

/** What each load host did of one trial of each group, where several made it. */
@Component({
  selector: 'pc-load-shares',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [CardHead, Heads, ScrollHint, Side],
  templateUrl: './load-shares.html',
})
export class LoadShares {
  readonly trials = input.required<{ side: 0 | 1; trial: Trial }[]>();

  protected readonly rows = computed(() =>
    this.trials().flatMap(({ side, trial }) =>
      (trial.evidence.client?.hosts ?? []).map((host) => ({ side, ...cells(host) })),
    ),
  );
}

function cells(host: LoadShare) {
  const { clock_ahead: ahead, clock_bound: bound } = host;
  const way = ahead && ahead < 0 ? '−' : '+';
  const clock = formatLatency(ahead === null ? null : Math.abs(ahead));
  return {
    host: host.host,
    cells: [
      formatPercent(host.share),
      formatOps(host.ops_per_s),
      formatPercent(host.busy),
      formatLatency(host.late),
      ahead === null ? clock : `${way}${clock} (± ${formatLatency(bound)})`,
    ],
  };
}
