import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import { Router } from '../core/router';
import { formatRatio } from '../core/units';
import { Comparison, Row } from '../models/comparison';
import { Link } from '../shared/link';
import { ScrollHint } from '../shared/scroll-hint';
import { VerdictTag } from '../shared/verdict-tag';
import { verdictKey } from '../shared/verdicts';
import { rowPath } from './addresses';
import { hasInterval } from './answer';
import { intervalText, intervalTitle } from './interval';
import { Limits } from './limits';
import { concurrencyText, makeMatrix } from './matrix';
import { CellView, Metric } from './metrics';

/** Show all workloads at once: operation and size by concurrency. */
@Component({
  selector: 'pc-compare-matrix',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Limits, Link, ScrollHint, VerdictTag],
  templateUrl: './compare-matrix.html',
})
export class CompareMatrix {
  private readonly router = inject(Router);
  readonly comparison = input.required<Comparison>();
  readonly metric = input.required<Metric>();
  readonly perOsd = input(false);

  protected readonly matrix = computed(() =>
    makeMatrix(this.comparison(), this.metric(), this.perOsd()),
  );
  protected readonly column = concurrencyText;
  protected readonly ratio = formatRatio;
  protected readonly interval = intervalText;
  protected readonly intervalTitle = intervalTitle;
  protected readonly exact = hasInterval;

  protected tint(cell: CellView): string {
    return `cell cell-${verdictKey(cell.estimate?.verdict ?? null)}`;
  }

  protected path(row: Row): string {
    return rowPath(this.router.query(), row.workload);
  }

  protected holding(row: Row): Row['reasons'] {
    return row.reasons.filter((reason) => reason.holds);
  }
}
