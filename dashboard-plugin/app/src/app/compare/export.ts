/** A comparison as CSV, JSON and pictures. */

import { Api, Compared } from '../core/api';
import { Cell, download, toCsv } from '../core/download';
import {
  Comparison,
  CurveSide,
  Description,
  MetricRow,
  Reason,
  ResponseCurve,
  Row,
  RowSide,
} from '../models/comparison';
import { Picture, forestSvg, pngOfSvg } from './forest-picture';
import { makeMatrix } from './matrix';
import { drawMatrix } from './matrix-picture';
import { judged } from './metrics';
import { pinned } from './pinned';

/** Return the name of a file that shows both sides. */
export function fileName({ baseline, candidate }: Comparison, kind: string): string {
  const [a, b] = [baseline, candidate].map(({ label }) => label.replace(/[^\w.-]+/g, '-'));
  return `perfcompare-${b}-vs-${a}.${kind}`;
}

/** What is saved: the picture is that of the rows that are shown. */
export interface Saved extends Picture {
  /** The picture is the matrix, not the plot. */
  matrix: boolean;
  /** What the comparison was asked with. */
  query: Compared;
  /** Has what lists leave out, in full precision. */
  api: Pick<Api, 'compare'>;
}

/** Hand a comparison to the browser as a file. */
export async function saveComparison(kind: string, saved: Saved): Promise<void> {
  const { comparison, metric, perOsd } = saved;
  // of the runs that are shown, whatever run is the newest by now
  const whole = () => saved.api.compare(pinned(saved.query, comparison));
  const name = fileName(comparison, kind);
  switch (kind) {
    case 'csv':
      download(name, toCsv(comparisonRows(await whole())), 'text/csv');
      break;
    case 'json':
      download(name, JSON.stringify(await whole(), null, 2), 'application/json');
      break;
    case 'svg':
      download(name, forestSvg(saved), 'image/svg+xml');
      break;
    default: {
      const shown = { ...comparison, rows: [...saved.rows] };
      const blob = await (saved.matrix
        ? drawMatrix(shown, makeMatrix(shown, metric, perOsd), metric, perOsd)
        : pngOfSvg(forestSvg(saved)));
      if (blob) {
        download(name, blob);
      }
    }
  }
}

function sideHeader(role: string): string[] {
  return [
    `${role}_group`,
    `${role}_osds`,
    `${role}_trials`,
    `${role}_ops_per_s_median`,
    `${role}_ops_per_s_min`,
    `${role}_ops_per_s_max`,
    `${role}_bytes_per_s_median`,
    `${role}_latency_avg_s_median`,
  ];
}

function sideCells(side: RowSide): Cell[] {
  return [
    side.group,
    side.osds,
    side.trials,
    side.ops_per_s.median,
    side.ops_per_s.min,
    side.ops_per_s.max,
    side.bytes_per_s.median,
    side.latency_avg.median,
  ];
}

/** What is the same in every line: what was compared, and how. */
const CONTEXT = ['paired', 'across', ...['baseline', 'candidate'].flatMap(describedHeader)];

function describedHeader(role: string): string[] {
  return ['label', 'runs', 'emulated', 'notes'].map((what) => `${role}_${what}`);
}

function described({ label, runs, emulated, notes }: Description): Cell[] {
  return [label, runs.join(' '), emulated, notes.join('; ')];
}

function contextCells({ paired, across, baseline, candidate }: Comparison): Cell[] {
  const values = (side: string[]) => side.join(', ') || '-';
  const meant = across.map(
    (one) => `${one.name}: ${values(one.baseline)} against ${values(one.candidate)}`,
  );
  return [paired, meant.join('; '), ...described(baseline), ...described(candidate)];
}

/** Return the findings that are reasons against a verdict, or those that are not. */
function findings(reasons: readonly Reason[], holding: boolean): string {
  return reasons
    .filter(({ holds }) => holds === holding)
    .map(({ id, evidence }) => `${id}: ${evidence}`)
    .join('; ');
}

/** Return what a curve has at its limit; what is beyond the ladder is no figure. */
function curveCells({ group, figure, above, below }: CurveSide): Cell[] {
  const { median, min, max } = above || below ? { median: null, min: null, max: null } : figure;
  return [group, null, null, median, min, max, null, null];
}

/** Return the line of a response curve, which has the verdict of its points. */
function curveLine(curve: ResponseCurve): Cell[] {
  const { estimate, censored, per_osd: perOsd } = curve;
  return [
    curve.name,
    curve.op,
    curve.size,
    null,
    ['curve', curve.slo].filter(Boolean).join(' at '),
    ...curveCells(curve.baseline),
    ...curveCells(curve.candidate),
    estimate.ratio,
    estimate.low,
    estimate.high,
    estimate.coverage,
    estimate.q,
    estimate.verdict,
    [estimate.reason, censored && `ratio ${censored}`].filter(Boolean).join('; '),
    perOsd?.ratio ?? null,
    perOsd?.low ?? null,
    perOsd?.high ?? null,
    curve.rounds_complete,
    curve.rounds_planned,
    findings(curve.reasons, true),
    perOsd?.q ?? null,
    perOsd?.verdict ?? null,
    perOsd?.reason ?? null,
    estimate.kind,
    perOsd?.kind ?? null,
    estimate.at_least,
    perOsd?.at_least ?? null,
    findings(curve.reasons, false),
  ];
}

/** Columns of a further metric. */
const FURTHER = 11;

/** Return the further metrics of a comparison, each once. */
function furtherMetrics({ rows }: Comparison): MetricRow[] {
  const found = rows.flatMap((row) => row.metrics);
  return [...new Map(found.map((metric) => [metric.id, metric])).values()];
}

function furtherHeader({ id }: MetricRow): string[] {
  const figures = ['baseline_median', 'candidate_median', 'ratio', 'low', 'high'];
  const judgement = ['q', 'verdict', 'reason', 'interval_kind', 'at_least', 'basis'];
  return [...figures, ...judgement].map((figure) => `${id}_${figure}`);
}

function furtherCells({ metrics }: Row, { id }: MetricRow): Cell[] {
  const metric = metrics.find((one) => one.id === id);
  if (!metric) {
    return Array<Cell>(FURTHER).fill(null);
  }
  const { ratio, low, high, q, verdict, reason, kind, at_least } = metric.estimate;
  const medians = [metric.baseline.median, metric.candidate.median];
  const basis = metric.source ? `${metric.basis} (${metric.source})` : metric.basis;
  return [...medians, ratio, low, high, q, verdict, reason, kind, at_least, basis];
}

/** Return one line per workload and per curve, in full precision, with a header. */
export function comparisonRows(comparison: Comparison): Cell[][] {
  const further = furtherMetrics(comparison);
  const context = contextCells(comparison);
  const header: Cell[] = [
    'workload',
    'op',
    'size_bytes',
    'concurrency',
    'load',
    ...sideHeader('baseline'),
    ...sideHeader('candidate'),
    'ratio',
    'low',
    'high',
    'coverage_percent',
    'q',
    'verdict',
    'reason',
    'ratio_per_osd',
    'low_per_osd',
    'high_per_osd',
    'blocks_complete',
    'blocks_planned',
    'validity_reasons',
    'q_per_osd',
    'verdict_per_osd',
    'reason_per_osd',
    'interval_kind',
    'interval_kind_per_osd',
    'at_least',
    'at_least_per_osd',
    'noted',
    ...CONTEXT,
    ...further.flatMap(furtherHeader),
  ];
  const own = comparison.rows.map((row) => ({ row, perOsd: judged(row, true) }));
  const rows = own.map(({ row, perOsd }): Cell[] => [
    row.workload,
    row.op,
    row.size,
    row.concurrency,
    row.label,
    ...sideCells(row.baseline),
    ...sideCells(row.candidate),
    row.estimate.ratio,
    row.estimate.low,
    row.estimate.high,
    row.estimate.coverage,
    row.estimate.q,
    row.estimate.verdict,
    row.estimate.reason,
    perOsd.ratio,
    perOsd.low,
    perOsd.high,
    row.blocks_complete,
    row.blocks_planned,
    findings(row.reasons, true),
    perOsd.q,
    perOsd.verdict,
    perOsd.reason,
    row.estimate.kind,
    perOsd.kind,
    row.estimate.at_least,
    perOsd.at_least,
    findings(row.reasons, false),
    ...context,
    ...further.flatMap((metric) => furtherCells(row, metric)),
  ]);
  const none = further.flatMap((): Cell[] => Array<Cell>(FURTHER).fill(null));
  const curves = comparison.curves.map((curve) => [...curveLine(curve), ...context, ...none]);
  return [header, ...rows, ...curves];
}
