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
import { judged, ratioNote } from './metrics';

const RANK: readonly Verdict[] = ['slower', 'faster', 'no difference shown', 'inconclusive'];

interface Column {
  key: string;
  label: string;
  text?: boolean;
  hint?: string;
  /** What rows are sorted by; null comes last, whichever way. */
  value: (row: Row) => Maybe;
  shown: (row: Row) => string;
}

/** Show one line per workload with all its figures; columns sort. */
@Component({
  selector: 'pc-compare-table',
  changeDetection: ChangeDetectionStrategy.OnPush,
  imports: [Link, ScrollHint, VerdictTag],
  templateUrl: './compare-table.html',
})
export class CompareTable {
  private readonly router = inject(Router);
  readonly comparison = input.required<Comparison>();
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
    const estimate = (row: Row) => judged(row, perOsd);
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
        label: $localize`Ratio: ${rate}`,
        hint: ratioNote(this.comparison()),
        value: (row) => estimate(row).ratio,
        shown: (row) => formatRatio(estimate(row).ratio),
      },
      {
        key: 'verdict',
        label: $localize`Verdict`,
        text: true,
        value: (row) => {
          const { verdict } = estimate(row);
          return verdict && RANK.indexOf(verdict);
        },
        shown: () => '',
      },
      {
        key: 'interval',
        label: $localize`Interval`,
        value: (row) => {
          const { low, high } = estimate(row);
          return low && high ? Math.log(high / low) : null;
        },
        shown: (row) => {
          const found = estimate(row);
          return hasInterval(found)
            ? intervalText(found, found)
            : paired && row.blocks_complete === 1
              ? $localize`one block`
              : '–';
        },
      },
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
        value: (row) => estimate(row).q,
        shown: (row) => formatP(estimate(row).q),
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

  protected readonly lines = computed(() => {
    const query = this.router.query();
    const columns = this.columns();
    return this.sorted().map((row) => ({
      row,
      estimate: judged(row, this.perOsd()),
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
