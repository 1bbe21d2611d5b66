/** Latency percentiles of a row: the clients' own, and those of the OSDs. */

import { NOT_AVAILABLE, formatLatency } from '../core/units';
import { Row, RowSide } from '../models/comparison';
import { Trial } from '../models/run';

export interface LatencyRow {
  name: string;
  values: string[];
}

const PERCENTILES = ['p50', 'p95', 'p99'] as const;

/** Sort 'p50', 'p99', 'p99.9' by their numbers. */
export function byPercentile(names: Iterable<string>): string[] {
  return [...new Set(names)].sort((a, b) => Number(a.slice(1)) - Number(b.slice(1)));
}

/** Say beside a percentile that one side alone has why the other has none. */
function lack(side: RowSide, name: string): string {
  return name in side.percentiles || !side.percentiles_reason ? '' : ` ${side.percentiles_reason}`;
}

/** Say between which bounds of its bucket a percentile of OSDs lies. */
function boundsText(bounds: (number | null)[] | undefined): string {
  if (bounds?.length !== 2) {
    return '';
  }
  const [low, high] = bounds;
  return high === null
    ? ` (> ${formatLatency(low)})`
    : ` (${formatLatency(low)} … ${formatLatency(high)})`;
}

/** Say what holds of both sides once, else of each that has it. */
function ofSides(row: Row, text: (side: RowSide) => string): string[] {
  const sides = [row.baseline, row.candidate];
  const [a, b] = sides.map(text);
  return a === b
    ? [a].filter(Boolean)
    : sides.flatMap((side) => (text(side) ? [`${side.group}: ${text(side)}`] : []));
}

/** Say which percentiles of clients lack, of each side or of both. */
export function latencyLacks(row: Row): string[] {
  return ofSides(row, (side) => side.percentiles_reason);
}

/** Say whose percentiles of clients are, of each side or of both. */
export function latencyBases(row: Row): string[] {
  return ofSides(row, (side) => side.percentiles_basis ?? '');
}

/** Return lines of clients over all trials, of OSDs over one trial each. */
export function latencyRows(
  row: Row,
  trials: readonly { side: 0 | 1; trial: Trial }[],
): LatencyRow[] {
  const sides = [row.baseline, row.candidate];
  const names = byPercentile(sides.flatMap((side) => Object.keys(side.percentiles)));
  const clients = names.map((name) => ({
    name: $localize`clients, ${name}`,
    values: sides.map((side) => formatLatency(side.percentiles[name]) + lack(side, name)),
  }));
  const histograms = ([0, 1] as const).map(
    (side) => trials.find((one) => one.side === side)?.trial.evidence.histograms ?? {},
  );
  const kinds = [...new Set(histograms.flatMap((one) => Object.keys(one)))].sort();
  const osds = kinds.flatMap((kind) =>
    PERCENTILES.map((name) => ({
      name: $localize`OSDs, ${kind}:kind: ${name}:name:`,
      values: histograms.map((one) => {
        const found = one[kind];
        return found ? formatLatency(found[name]) + boundsText(found.bounds[name]) : NOT_AVAILABLE;
      }),
    })),
  );
  return [...clients, ...osds];
}
