/** The forest plot: where each row's ratio and interval stand on one axis. */

import { plain } from '../core/locale';
import { formatInterval, formatRatio } from '../core/units';
import { Comparison, Row } from '../models/comparison';
import { verdictIcon, verdictKey, verdictLabel } from '../shared/verdicts';
import { hasInterval } from './answer';
import { Order } from './filters';
import { opText } from './operations';
import { CellView, Metric } from './metrics';

/** What `no difference shown` promises; verdict.BOUND. */
export const BAND = 1.1;
const WIDEST = 1000;

/** A log axis; positions are shares of its width. */
export interface Scale {
  low: number;
  high: number;
  ticks: number[];
  at: (ratio: number) => number;
}

export interface ForestLine {
  row: Row;
  view: CellView;
  key: string;
  icon: string;
  verdict: string;
  ratio: string;
  /** The interval in brackets, or why there is none. */
  interval: string;
  /** 'interval' is judged by, 'range' only describes, '' is one block. */
  kind: 'interval' | 'range' | '';
  at: number | null;
  from: number | null;
  to: number | null;
  /** The interval goes on beyond the axis. */
  cutLow: boolean;
  cutHigh: boolean;
  limited: string;
}

export interface Forest {
  scale: Scale;
  groups: { title: string; lines: ForestLine[] }[];
}

const FINE = [0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.1, 1.25, 1.5, 2, 2.5, 3];
const COARSE = [1, 2, 5];

/** Return an axis that holds these ratios, the line and the band. */
export function makeScale(ratios: readonly number[]): Scale {
  const inside = ratios.filter((value) => value > 1 / WIDEST && value < WIDEST);
  const least = Math.min(1 / 1.25, ...inside);
  const most = Math.max(1.25, ...inside);
  const margin = Math.log(most / least) * 0.04;
  const low = least * Math.exp(-margin);
  const high = most * Math.exp(margin);
  const span = Math.log(high / low);
  return {
    low,
    high,
    ticks: makeTicks(low, high),
    at: (ratio) => Math.min(1, Math.max(0, Math.log(ratio / low) / span)),
  };
}

function makeTicks(low: number, high: number): number[] {
  const within = (values: number[]) => values.filter((value) => value >= low && value <= high);
  if (high / low < 6) {
    return thinned(within(FINE));
  }
  const all: number[] = [];
  for (let power = -3; power <= 3; power += 1) {
    all.push(...COARSE.map((digit) => digit * 10 ** power));
  }
  return thinned(within(all));
}

/** Leave out ticks until few are left, never the one at 1. */
function thinned(ticks: number[]): number[] {
  let found = ticks;
  while (found.length > 8) {
    const one = found.indexOf(1);
    found = found.filter((_, at) => (at - one) % 2 === 0);
  }
  return found;
}

export function tickText(ratio: number): string {
  return `×${plain(Number(ratio.toPrecision(3)))}`;
}

/** Return what the ends of the axis mean, the left one first. */
export function endsOf({ candidate }: Comparison, metric: Metric): [string, string] {
  const name = candidate.label;
  const [loses, wins] = metric.speed
    ? [$localize`${name} slower`, $localize`${name} faster`]
    : [$localize`${name}:group: worse`, $localize`${name}:group: better`];
  return metric.better === 'lower' ? [wins, loses] : [loses, wins];
}

/** Return the plot of rows that are filtered and in order already. */
export function makeForest(
  rows: readonly Row[],
  metric: Metric,
  perOsd: boolean,
  order: Order,
  all: readonly Row[] = rows,
): Forest {
  // the axis is that of all rows: a filter does not move what is left
  const scale = makeScale(
    all.flatMap((row) => {
      const { ratio, low, high } = metric.cell(row, perOsd);
      return [ratio, low, high].filter((value) => value !== null);
    }),
  );
  const groups: Forest['groups'] = [];
  for (const row of rows) {
    const title = order === 'size' ? opText(row.op) : '';
    let group = groups.at(-1);
    if (group?.title !== title) {
      group = { title, lines: [] };
      groups.push(group);
    }
    group.lines.push(makeLine(row, metric, perOsd, scale));
  }
  return { scale, groups };
}

function makeLine(row: Row, metric: Metric, perOsd: boolean, scale: Scale): ForestLine {
  const view = metric.cell(row, perOsd);
  const { estimate, ratio, low, high } = view;
  const verdict = estimate?.verdict ?? null;
  const kind = !hasInterval({ low, high }) ? '' : estimate?.kind === 'range' ? 'range' : 'interval';
  const label = estimate ? verdictLabel(estimate, metric.speed) : $localize`not judged`;
  const shown = ratio === null ? '–' : `×${formatRatio(ratio)}`;
  const interval = kind
    ? formatInterval(low, high)
    : ratio !== null && estimate && row.blocks_complete === 1 && row.rule !== 'trials'
      ? $localize`one block`
      : '';
  return {
    row,
    view,
    key: verdictKey(verdict),
    icon: verdictIcon(verdict),
    verdict: label,
    ratio: shown,
    interval,
    kind,
    at: ratio === null || ratio <= 0 ? null : scale.at(ratio),
    from: kind && low !== null ? scale.at(Math.max(low, 1e-9)) : null,
    to: kind && high !== null ? scale.at(high) : null,
    cutLow: !!kind && low !== null && low < scale.low,
    cutHigh: !!kind && high !== null && high > scale.high,
    limited: limitsOf(row),
  };
}

/** Return what limited both sides; each where they differ. */
function limitsOf(row: Row): string {
  const sides = [row.baseline, row.candidate];
  const known = sides.filter(({ limited }) => limited.limit !== 'not available');
  const names = [...new Set(known.map(({ limited }) => limited.limit))];
  const single = known.length === sides.length && names.length === 1;
  return single
    ? names[0]
    : known.map(({ group, limited }) => `${group}: ${limited.limit}`).join(', ');
}

/** The marks of verdicts, around 0,0: each has a shape of its own. */
export const SHAPES: Record<string, string> = {
  faster: 'M0,-6 L6,5 L-6,5 Z',
  slower: 'M0,6 L6,-5 L-6,-5 Z',
  same: 'M-4.5,-4.5 H4.5 V4.5 H-4.5 Z',
  open: 'M5,0 A5,5 0 1 1 -5,0 A5,5 0 1 1 5,0 Z',
  none: 'M0,-6 L5,0 L0,6 L-5,0 Z',
};
