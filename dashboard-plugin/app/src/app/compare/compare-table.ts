import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import { Router } from '../core/router';
import {
  formatByteRate,
  formatInterval,
  formatLatency,
  formatOps,
  formatP,
  formatRatio,
} from '../core/units';
import { Comparison } from '../models/comparison';
import { Link } from '../shared/link';
import { VerdictTag } from '../shared/verdict-tag';
import { rowPath } from './addresses';
import { judged } from './metrics';

/** Show one line per workload with all its figures. */
@Component({
  selector: 'pc-compare-table',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link, VerdictTag],
  templateUrl: './compare-table.html',
})
export class CompareTable {
  private readonly router = inject(Router);
  readonly comparison = input.required<Comparison>();
  readonly perOsd = input(false);

  protected readonly lines = computed(() => {
    const perOsd = this.perOsd();
    const query = this.router.query();
    return this.comparison().rows.map((row) => {
      const ops = (s: typeof row.baseline) => (perOsd ? s.ops_per_s_per_osd : s.ops_per_s);
      const bytes = (s: typeof row.baseline) => (perOsd ? s.bytes_per_s_per_osd : s.bytes_per_s);
      const estimate = judged(row, perOsd);
      return {
        row,
        estimate,
        path: rowPath(query, row.workload),
        cells: [
          formatOps(ops(row.baseline).median),
          formatOps(ops(row.candidate).median),
          formatByteRate(bytes(row.baseline).median),
          formatByteRate(bytes(row.candidate).median),
          formatLatency(row.baseline.latency_avg.median),
          formatLatency(row.candidate.latency_avg.median),
          formatRatio(estimate.ratio),
          formatInterval(estimate.low, estimate.high),
          formatP(estimate.q),
          `${row.blocks_complete}/${row.blocks_planned}${row.stopped_after === null ? '' : '*'}`,
        ],
      };
    });
  });
}
