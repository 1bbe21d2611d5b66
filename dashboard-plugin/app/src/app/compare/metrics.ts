/** What a cell of the matrix can show of a row. */

import { formatLatency, formatNumber, formatOps } from '../core/units';
import { Comparison, Estimate, Maybe, Row } from '../models/comparison';

export interface CellView {
  row: Row;
  ratio: Maybe;
  low: Maybe;
  high: Maybe;
  /** What is judged; null when the metric has no verdict. */
  estimate: Estimate | null;
  baseline: string;
  candidate: string;
}

export interface Metric {
  key: string;
  label: string;
  /** Says how to read it, and why it has no verdict when it has none. */
  note: string;
  cell: (row: Row, perOsd: boolean) => CellView;
}

/** Return a row's judged estimate; with equal OSD counts both are one. */
export function judged(row: Row, perOsd: boolean): Estimate {
  if (!perOsd) {
    return row.estimate;
  }
  const equal = row.baseline.osds !== null && row.baseline.osds === row.candidate.osds;
  return row.per_osd.verdict === null && equal
    ? {
        ...row.per_osd,
        verdict: row.estimate.verdict,
        verdict_text: row.estimate.verdict_text,
        reason: row.estimate.reason,
        bound: row.estimate.bound,
        q: row.estimate.q,
      }
    : row.per_osd;
}

function plain(
  row: Row,
  baseline: Maybe | undefined,
  candidate: Maybe | undefined,
  format: (value: Maybe | undefined) => string,
): CellView {
  const ratio =
    typeof baseline === 'number' && typeof candidate === 'number' && baseline > 0
      ? candidate / baseline
      : null;
  return {
    row,
    ratio,
    low: null,
    high: null,
    estimate: null,
    baseline: format(baseline),
    candidate: format(candidate),
  };
}

const OPS: Metric = {
  key: 'ops',
  label: $localize`Operations per second`,
  note: $localize`Ratio candidate ÷ baseline of paired blocks, with its interval and verdict. More is better.`,
  cell: (row, perOsd) => {
    const estimate = judged(row, perOsd);
    const side = (s: Row['baseline']) => (perOsd ? s.ops_per_s_per_osd : s.ops_per_s).median;
    return {
      row,
      ratio: estimate.ratio,
      low: estimate.low,
      high: estimate.high,
      estimate,
      baseline: formatOps(side(row.baseline)),
      candidate: formatOps(side(row.candidate)),
    };
  },
};

const LATENCY: Metric = {
  key: 'latency',
  label: $localize`Latency (average)`,
  note: $localize`Closed loop: it follows from the operations per second, so it is shown without a verdict. Less is better.`,
  cell: (row) =>
    plain(row, row.baseline.latency_avg.median, row.candidate.latency_avg.median, formatLatency),
};

function percentile(name: string): Metric {
  return {
    key: name,
    label: $localize`Latency ${name}`,
    note: $localize`Median over the trials of each trial's percentile, without a verdict. Less is better.`,
    cell: (row) =>
      plain(row, row.baseline.percentiles[name], row.candidate.percentiles[name], formatLatency),
  };
}

function efficiency(
  key: string,
  label: string,
  unit: string,
  baseline: number,
  candidate: number,
): Metric {
  const format = (value: Maybe | undefined) => `${formatNumber(value)} ${unit}`;
  const factor = baseline / candidate;
  const times = (value: Maybe) => (value === null ? null : value * factor);
  return {
    key,
    label,
    note: $localize`From what the groups declare of themselves; ratio and interval are scaled, without a verdict of their own. More is better.`,
    cell: (row) => {
      const of = (value: Maybe, by: number) => (value === null ? null : value / by);
      const a = of(row.baseline.ops_per_s.median, baseline);
      const b = of(row.candidate.ops_per_s.median, candidate);
      const { ratio, low, high } = row.estimate;
      return {
        ...plain(row, a, b, format),
        ratio: times(ratio),
        low: times(low),
        high: times(high),
      };
    },
  };
}

/** Return the metrics that a comparison has figures for. */
export function metricsOf(comparison: Comparison): Metric[] {
  const metrics = [OPS, LATENCY];
  const names = new Set<string>();
  for (const row of comparison.rows) {
    Object.keys(row.baseline.percentiles).forEach((name) => names.add(name));
  }
  metrics.push(...[...names].sort().map(percentile));
  const { baseline, candidate } = comparison;
  if (baseline.watts && candidate.watts) {
    metrics.push(
      efficiency(
        'watt',
        $localize`Operations per second and watt`,
        'op/s/W',
        baseline.watts,
        candidate.watts,
      ),
    );
  }
  if (baseline.price && candidate.price) {
    metrics.push(
      efficiency(
        'price',
        $localize`Operations per second and price`,
        $localize`op/s per unit of price`,
        baseline.price,
        candidate.price,
      ),
    );
  }
  return metrics;
}
