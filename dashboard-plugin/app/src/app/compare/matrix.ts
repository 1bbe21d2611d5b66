/** Arrange the rows of a comparison by operation, size and concurrency. */

import { formatSize } from '../core/units';
import { Comparison, Row } from '../models/comparison';
import { byOperation, loadOrder } from './filters';
import { CellView, Metric } from './metrics';
import { opText } from './operations';

export interface MatrixLine {
  key: string;
  title: string;
  hint: string;
  /** Cells by column; null where nothing was measured. */
  cells: (CellView | null)[];
}

export interface Matrix {
  columns: string[];
  lines: MatrixLine[];
}

/** Return operation and size; where one is not recorded, the name. */
export function rowTitle(row: Row): string {
  return row.op === 'other' || !row.size
    ? row.workload
    : `${opText(row.op)} ${formatSize(row.size)}`;
}

export function concurrencyText(text: string): string {
  if (!parseInt(text, 10)) {
    return $localize`concurrency not recorded`;
  }
  return text.endsWith('/osd')
    ? $localize`${text.slice(0, -4)} in flight per OSD`
    : $localize`${text} in flight`;
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
  const rows = [...comparison.rows].sort(byOperation);
  const columns = [...new Set(rows.map((row) => row.concurrency))].sort(
    (a, b) => loadOrder(a) - loadOrder(b),
  );
  const lines = new Map<string, MatrixLine>();
  for (const row of rows) {
    const at = columns.indexOf(row.concurrency);
    const named = row.op === 'other' || !row.size;
    let key = named ? row.workload : [row.op, row.size, row.cache, row.clients].join('|');
    let title = rowTitle(row);
    if (lines.get(key)?.cells[at]) {
      // alike in all but their names
      key = title = row.workload;
    }
    let line = lines.get(key);
    if (!line) {
      line = { key, title, hint: hint(row), cells: columns.map(() => null) };
      lines.set(key, line);
    }
    line.cells[at] = metric.cell(row, perOsd);
  }
  return { columns, lines: [...lines.values()] };
}
