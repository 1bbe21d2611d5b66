/** What a cell of the matrix can show of a row. */

import {
  NOT_AVAILABLE,
  formatByteRate,
  formatLatency,
  formatOps,
  significant,
} from '../core/units';
import { Comparison, Estimate, Maybe, MetricRow, Row, Spread } from '../models/comparison';
import { isStored } from './answer';

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
  /** Says how to read it of these rows, and why it has no verdict when it has none. */
  note: (rows: readonly Row[]) => string;
  better: 'higher' | 'lower';
  /** What is better of it is faster: a rate or a time. */
  speed: boolean;
  /** Has a value per OSD, too. */
  perOsd: boolean;
  cell: (row: Row, perOsd: boolean) => CellView;
}

/** How analysis/evidence.py labels a workload of a given rate. */
const PACED = 'paced';

/** Return a row's judged estimate; with equal OSD counts both are one. */
export function judged(row: Row, perOsd: boolean): Estimate {
  if (!perOsd) {
    return row.estimate;
  }
  const equal = row.baseline.osds !== null && row.baseline.osds === row.candidate.osds;
  const { ratio, low, high } = row.per_osd;
  return row.per_osd.verdict === null && equal
    ? { ...row.estimate, ratio, low, high }
    : row.per_osd;
}

const OPS: Metric = {
  key: 'ops',
  label: $localize`Operations per second`,
  note: () => $localize`More is better.`,
  better: 'higher',
  speed: true,
  perOsd: true,
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

const BYTES: Metric = {
  key: 'bytes',
  label: $localize`Throughput`,
  note: () =>
    $localize`More is better. Where all operations have one size its ratio is that of operations per second.`,
  better: 'higher',
  speed: true,
  perOsd: true,
  cell: (row, perOsd) => {
    const side = (s: Row['baseline']) => (perOsd ? s.bytes_per_s_per_osd : s.bytes_per_s).median;
    const [a, b] = [side(row.baseline), side(row.candidate)];
    const values = { baseline: formatByteRate(a), candidate: formatByteRate(b) };
    // where nothing is moved, as by a listing, there is no ratio of bytes
    if (!a || !b || row.mixed_sizes || row.op === 's3-mixed' || row.op === 'other') {
      const ratio = a && b ? b / a : null;
      return { row, ratio, low: null, high: null, estimate: null, ...values };
    }
    return { ...OPS.cell(row, perOsd), ...values };
  },
};

/** Say why an average has no verdict: by what makes the operations begin. */
function averageNote(rows: readonly Row[]): string {
  const paced = rows.filter(({ label }) => label === PACED).length;
  if (!paced) {
    return $localize`Closed loop: it follows from the operations per second, so it is shown without a verdict. Less is better.`;
  }
  return paced === rows.length
    ? $localize`Paced load: percentiles may have a verdict, the average has none. Less is better.`
    : $localize`Shown without a verdict: in a closed loop it follows from the operations per second; where the load is paced, percentiles may have one. Less is better.`;
}

const LATENCY: Metric = {
  key: 'latency',
  label: $localize`Latency (average)`,
  note: averageNote,
  better: 'lower',
  speed: true,
  perOsd: false,
  cell: (row) => {
    const [a, b] = [row.baseline.latency_avg.median, row.candidate.latency_avg.median];
    return {
      row,
      ratio: a && b ? b / a : null,
      low: null,
      high: null,
      estimate: null,
      baseline: formatLatency(a),
      candidate: formatLatency(b),
    };
  },
};

/** Return a value of a further metric with its unit. */
export function metricValue(metric: MetricRow, value: Maybe): string {
  if (metric.unit === 's') {
    return formatLatency(value);
  }
  // for each unit of price, or GiB, it may be little
  return value && value < 0.995 ? `${significant(value)} op/s` : formatOps(value);
}

/** Offer a further metric that rows have: efficiency, percentiles. */
function further({ id, title, kind, better }: MetricRow): Metric {
  const direction = better === 'higher' ? $localize`More is better.` : $localize`Less is better.`;
  return {
    key: id,
    label: kind === 'efficiency' && better === 'higher' ? $localize`op/s ${title}` : capital(title),
    note: () => direction,
    better,
    speed: kind === 'latency',
    perOsd: false,
    cell: (row) => {
      const metric = row.metrics.find((one) => one.id === id);
      const { ratio = null, low = null, high = null } = metric?.estimate ?? {};
      return {
        row,
        ratio,
        low,
        high,
        estimate: metric?.estimate ?? null,
        baseline: metric ? metricValue(metric, metric.baseline.median) : NOT_AVAILABLE,
        candidate: metric ? metricValue(metric, metric.candidate.median) : NOT_AVAILABLE,
      };
    },
  };
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Return what is shown: a metric, per OSD where it is so. */
export function metricTitle({ label, perOsd }: Metric, asked: boolean): string {
  return perOsd && asked ? $localize`${label}:metric: per OSD` : label;
}

/** Return the figures of both sides of a row, as a metric has them. */
export function spreadsOf(
  row: Row,
  metric: Metric,
  perOsd: boolean,
): [Spread | undefined, Spread | undefined] {
  const further = row.metrics.find((one) => one.id === metric.key);
  const of = (side: Row['baseline'], own: Spread | undefined): Spread | undefined => {
    switch (metric.key) {
      case 'ops':
        return perOsd ? side.ops_per_s_per_osd : side.ops_per_s;
      case 'bytes':
        return perOsd ? side.bytes_per_s_per_osd : side.bytes_per_s;
      case 'latency':
        return side.latency_avg;
    }
    return own;
  };
  return [of(row.baseline, further?.baseline), of(row.candidate, further?.candidate)];
}

/** Return the metrics that a comparison has figures for. */
export function metricsOf(comparison: Comparison): Metric[] {
  const found = new Map<string, MetricRow>();
  for (const row of comparison.rows) {
    for (const metric of row.metrics) {
      found.set(metric.id, found.get(metric.id) ?? metric);
    }
  }
  return [OPS, BYTES, LATENCY, ...[...found.values()].map(further)];
}

/** By which paced rows are told apart; app/verdicts.py. */
const PACED_BY = 'latency-p99';

/**
 * Return what is shown where nothing is asked for: operations, or the
 * percentile where it tells of every row what lists of runs count. Groups that
 * keep up with a rate do as much as each other, however long it takes them.
 */
export function mainMetric(rows: readonly Row[], metrics: readonly Metric[]): Metric {
  const by = metrics.find(({ key }) => key === PACED_BY);
  const verdictOf = (row: Row) => by?.cell(row, false).estimate?.verdict;
  const told = rows.every(
    (row) =>
      row.label === PACED &&
      ['no difference shown', verdictOf(row)].includes(row.estimate.verdict ?? ''),
  );
  return by && told && rows.some(verdictOf) ? by : metrics[0];
}

/** Say what the ratio beside an interval is: not that of the medians. */
export function ratioNote(comparison: Comparison): string {
  const estimates = comparison.rows.flatMap(({ estimate, per_osd, metrics }) => [
    estimate,
    per_osd,
    ...metrics.map((metric) => metric.estimate),
  ]);
  if (estimates.some(isStored)) {
    return $localize`The ratio is the median of the ratios of runs, else of blocks or trials (Hodges–Lehmann), not the ratio of the medians beside it.`;
  }
  return comparison.paired
    ? $localize`The ratio is the median of the paired ratios of blocks (Hodges–Lehmann), not the ratio of the medians beside it.`
    : $localize`The ratio is the median of the ratios of all trials of one side to all of the other (Hodges–Lehmann), not the ratio of the medians beside it.`;
}
