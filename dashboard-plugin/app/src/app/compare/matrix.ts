/** Arrange the rows of a comparison by operation, size and concurrency. */

import { formatSize } from '../core/units';
import { Comparison, Row, Verdict } from '../models/comparison';
import { Op } from '../models/run';
import { CellView, Metric } from './metrics';

export interface MatrixLine {
  key: string;
  title: string;
  hint: string;
  /** Cells by column; several when workloads differ in nothing shown. */
  cells: CellView[][];
}

export interface Matrix {
  columns: string[];
  lines: MatrixLine[];
}

const OPS: Record<Op, string> = {
  write: $localize`Write`,
  rand: $localize`Random read`,
  seq: $localize`Sequential read`,
  's3-put': $localize`S3 put`,
  's3-get': $localize`S3 get`,
  's3-stat': $localize`S3 stat`,
  's3-delete': $localize`S3 delete`,
  's3-mixed': $localize`S3 mixed`,
  's3-range': $localize`S3 range`,
  's3-list': $localize`S3 list`,
  's3-overwrite': $localize`S3 overwrite`,
  's3-multidelete': $localize`S3 multi-delete`,
  's3-multipart': $localize`S3 multipart`,
  's3-copy': $localize`S3 copy`,
};
const OP_ORDER = Object.keys(OPS);

export function opText(op: Op): string {
  return OPS[op] ?? op;
}

export function rowTitle(row: Row): string {
  return `${opText(row.op)} ${formatSize(row.size)}`;
}

export function concurrencyText(text: string): string {
  return text.endsWith('/osd')
    ? $localize`${text.slice(0, -4)} in flight per OSD`
    : $localize`${text} in flight`;
}

function loadOrder(text: string): number {
  return parseInt(text, 10) + (text.endsWith('/osd') ? 1e6 : 0);
}

function hint(row: Row): string {
  const parts = [];
  if (row.cache) {
    parts.push(row.cache === 'cached' ? $localize`from cache` : $localize`from devices`);
  }
  if (row.clients > 1) {
    parts.push($localize`${row.clients} clients`);
  }
  return parts.join(', ');
}

/** Return the matrix of `comparison` for one metric. */
export function makeMatrix(comparison: Comparison, metric: Metric, perOsd: boolean): Matrix {
  const rows = [...comparison.rows].sort(
    (a, b) => OP_ORDER.indexOf(a.op) - OP_ORDER.indexOf(b.op) || a.size - b.size,
  );
  const columns = [...new Set(rows.map((row) => row.concurrency))].sort(
    (a, b) => loadOrder(a) - loadOrder(b),
  );
  const lines = new Map<string, MatrixLine>();
  for (const row of rows) {
    const key = [row.op, row.size, row.cache, row.clients].join('|');
    let line = lines.get(key);
    if (!line) {
      line = { key, title: rowTitle(row), hint: hint(row), cells: columns.map(() => []) };
      lines.set(key, line);
    }
    line.cells[columns.indexOf(row.concurrency)].push(metric.cell(row, perOsd));
  }
  return { columns, lines: [...lines.values()] };
}

/** Count the verdicts of all rows. */
export function countVerdicts(comparison: Comparison): Map<Verdict, number> {
  const counts = new Map<Verdict, number>();
  for (const row of comparison.rows) {
    const verdict = row.estimate.verdict;
    if (verdict) {
      counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    }
  }
  return counts;
}
