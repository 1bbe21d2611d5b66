/** Which rows are shown, and in which order. */

import { Comparison, Row, Verdict } from '../models/comparison';
import { verdictKey } from '../shared/verdicts';
import { unclearKey } from './answer';
import { Metric } from './metrics';
import { opOrder } from './operations';

export type Order = 'size' | 'effect' | 'name' | 'verdict';
export const ORDERS: readonly Order[] = ['size', 'effect', 'name', 'verdict'];

const RANK: readonly (Verdict | null)[] = [
  'slower',
  'faster',
  'no difference shown',
  'inconclusive',
  null,
];

/** Return a number by which texts such as '16' and '4/osd' are sorted. */
export function loadOrder(text: string): number {
  return (parseInt(text, 10) || 0) + (text.endsWith('/osd') ? 1e6 : 0);
}

/** Sort by operation, size, load; what is equal in these by name. */
export function byOperation(a: Row, b: Row): number {
  return (
    opOrder(a.op) - opOrder(b.op) ||
    a.op.localeCompare(b.op) ||
    a.size - b.size ||
    loadOrder(a.concurrency) - loadOrder(b.concurrency) ||
    byName(a, b)
  );
}

export function byName(a: Row, b: Row): number {
  return a.workload.localeCompare(b.workload, 'en', { numeric: true });
}

/**
 * Return the rows that a filter leaves. `show` is the key of a verdict, or
 * 'open:' and a reason; `find` is looked for in the name and the operation.
 */
export function filtered(
  comparison: Comparison,
  metric: Metric,
  perOsd: boolean,
  show: string,
  find: string,
): Row[] {
  const words = find.toLowerCase().split(/\s+/).filter(Boolean);
  const [key, reason] = splitOnce(show);
  return comparison.rows.filter((row) => {
    const { estimate } = metric.cell(row, perOsd);
    if (key && verdictKey(estimate?.verdict ?? null) !== key) {
      return false;
    }
    if (reason && unclearKey(estimate) !== reason) {
      return false;
    }
    const limits = [row.baseline, row.candidate].map((side) => side.limited.limit);
    const text = [row.workload, row.op, row.concurrency, ...limits].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

function splitOnce(text: string): [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

/** Return rows in an order; effects the largest first, whichever direction. */
export function ordered(
  rows: readonly Row[],
  order: Order,
  metric: Metric,
  perOsd: boolean,
): Row[] {
  const effect = (row: Row) => {
    const { ratio } = metric.cell(row, perOsd);
    return ratio ? Math.abs(Math.log(ratio)) : -1;
  };
  const rank = (row: Row) => RANK.indexOf(metric.cell(row, perOsd).estimate?.verdict ?? null);
  switch (order) {
    case 'effect':
      return [...rows].sort((a, b) => effect(b) - effect(a) || byName(a, b));
    case 'name':
      return [...rows].sort(byName);
    case 'verdict':
      return [...rows].sort((a, b) => rank(a) - rank(b) || effect(b) - effect(a) || byName(a, b));
    default:
      return [...rows].sort(byOperation);
  }
}
