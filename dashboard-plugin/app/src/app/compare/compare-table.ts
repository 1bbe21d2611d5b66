import { ChangeDetectionStrategy, Component, computed, inject, input } from '@angular/core';
import { Router } from '../core/router';
import { formatByteRate, formatLatency, formatOps, formatP, formatRatio } from '../core/units';
import { Comparison, Maybe, Row, RowSide, Verdict } from '../models/comparison';
import { Link } from '../shared/link';
import { ScrollHint } from '../shared/scroll-hint';
import { VerdictTag } from '../shared/verdict-tag';
import { rowPath } from './addresses';
import { hasInterval } from './answer';
import { byName } from './filters';
import { intervalText } from './interval';
import { Metric, metricTitle, ratioNote, spreadsOf } from './metrics';

const RANK: readonly Verdict[] = ['slower', 'faster', 'no difference shown', 'inconclusive'];

/** Those that the table has figures of, whatever is shown. */
const ALWAYS = ['ops', 'bytes', 'latency'];

interface Column {
  key: string;
  label: string;
  text?: boolean;
  hint?: string;
  /** What rows are sorted by; null comes last, whichever way. */
  value: (row: Row) => Maybe;
  shown: (row: Row) => string;
}

/** Show one line per workload with all its figures, judged by one metric; columns sort. */
@Component({
  selector: 'pc-compare-table',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link, ScrollHint, VerdictTag],
  templateUrl: './compare-table.html',
})
export class CompareTable {
  private readonly router = inject(Router);
  readonly comparison = input.required<Comparison>();
  /** What ratios, verdicts and intervals are of. */
  readonly metric = input.required<Metric>();
  readonly perOsd = input(false);
  /** What the address says: a column, with a minus before it for the greatest first. */
  private readonly sort = computed(() => {
    const [, minus, key] = /^(-?)(.+)$/.exec(this.router.query().get('by') ?? '') ?? [];
    const known = key === 'name' || this.columns().some((column) => column.key === key);
    return known ? { key, down: minus !== '' } : null;
  });

  protected readonly columns = computed((): Column[] => {
    const perOsd = this.perOsd();
    const { baseline, candidate, paired } = this.comparison();
    const rate = perOsd ? $localize`op/s per OSD` : $localize`op/s`;
    const metric = this.metric();
    const cell = (row: Row) => metric.cell(row, perOsd);
    const estimate = (row: Row) => cell(row).estimate;
    const judged = metric.key === 'ops' ? rate : metricTitle(metric, perOsd);
    const sides = (
      key: string,
      label: string,
      of: (side: RowSide) => Maybe,
      format: (value: Maybe) => string,
    ): Column[] =>
      (['baseline', 'candidate'] as const).map((side) => ({
        key: `${key}-${side}`,
        label: `${label}, ${(side === 'baseline' ? baseline : candidate).label}`,
        value: (row) => of(row[side]),
        shown: (row) => format(of(row[side])),
      }));
    return [
      {
        key: 'ratio',
        label: $localize`Ratio: ${judged}`,
        hint: this.comparison().rows.some(estimate) ? ratioNote(this.comparison()) : '',
        value: (row) => cell(row).ratio,
        shown: (row) => formatRatio(cell(row).ratio),
      },
      {
        key: 'verdict',
        label: $localize`Verdict`,
        text: true,
        value: (row) => {
          const verdict = estimate(row)?.verdict;
          return verdict ? RANK.indexOf(verdict) : null;
        },
        shown: () => '',
      },
      {
        key: 'interval',
        label: $localize`Interval`,
        value: (row) => {
          const { low, high } = cell(row);
          return low && high ? Math.log(high / low) : null;
        },
        shown: (row) => {
          const found = cell(row);
          return hasInterval(found)
            ? intervalText(found, found.estimate)
            : found.estimate && paired && row.blocks_complete === 1
              ? $localize`one block`
              : '–';
        },
      },
      ...this.further(),
      ...sides(
        'ops',
        perOsd ? rate : $localize`Operations`,
        (side) => (perOsd ? side.ops_per_s_per_osd : side.ops_per_s).median,
        formatOps,
      ),
      ...sides(
        'bytes',
        perOsd ? $localize`Throughput per OSD` : $localize`Throughput`,
        (side) => (perOsd ? side.bytes_per_s_per_osd : side.bytes_per_s).median,
        formatByteRate,
      ),
      ...sides(
        'latency',
        $localize`Latency, average`,
        (side) => side.latency_avg.median,
        formatLatency,
      ),
      {
        key: 'q',
        label: $localize`q`,
        hint: $localize`False discovery rate`,
        value: (row) => estimate(row)?.q ?? null,
        shown: (row) => formatP(estimate(row)?.q),
      },
      {
        key: 'blocks',
        // of stored runs no trials make a block: they are those of the side that has fewer
        label: paired ? $localize`Blocks` : $localize`Trials`,
        value: (row) => row.blocks_complete,
        shown: (row) =>
          paired
            ? `${row.blocks_complete}/${row.blocks_planned}${row.stopped_after === null ? '' : '*'}`
            : String(row.blocks_complete),
      },
    ];
  });

  /** Return the figures of what is judged, where the table has no column for them. */
  private further(): Column[] {
    const [metric, perOsd] = [this.metric(), this.perOsd()];
    if (ALWAYS.includes(metric.key)) {
      return [];
    }
    return (['baseline', 'candidate'] as const).map((side, at) => ({
      key: `metric-${side}`,
      label: `${metric.label}, ${this.comparison()[side].label}`,
      value: (row) => spreadsOf(row, metric, perOsd)[at]?.median ?? null,
      shown: (row) => metric.cell(row, perOsd)[side],
    }));
  }

  protected readonly lines = computed(() => {
    const query = this.router.query();
    const columns = this.columns();
    return this.sorted().map((row) => ({
      row,
      estimate: this.metric().cell(row, this.perOsd()).estimate,
      path: rowPath(query, row.workload),
      cells: columns.map((column) => ({ column, text: column.shown(row) })),
    }));
  });

  private readonly sorted = computed(() => {
    const { rows } = this.comparison();
    const sort = this.sort();
    if (!sort) {
      return rows;
    }
    const way = sort.down ? -1 : 1;
    if (sort.key === 'name') {
      return [...rows].sort((a, b) => way * byName(a, b));
    }
    const value = this.columns().find((column) => column.key === sort.key)?.value;
    const of = (row: Row) => value?.(row) ?? null;
    return [...rows].sort((a, b) => {
      const [x, y] = [of(a), of(b)];
      if (x === null || y === null) {
        return Number(x === null) - Number(y === null);
      }
      return way * (x - y) || byName(a, b);
    });
  });

  protected by(key: string): void {
    const now = this.sort();
    const next = now?.key !== key ? key : now.down ? null : `-${key}`;
    this.router.patchQuery({ by: next });
  }

  protected state(key: string): 'ascending' | 'descending' | null {
    const now = this.sort();
    return now?.key !== key ? null : now.down ? 'descending' : 'ascending';
  }
}
