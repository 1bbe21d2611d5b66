/** What a comparison says as a whole: counts, size, and what is unclear. */

import { Comparison, Estimate, Row, Verdict } from '../models/comparison';
import { reasonWord } from '../shared/verdicts';
import { Metric } from './metrics';

/** Rows that are unclear for one reason, and what would settle them. */
export interface Unclear {
  key: string;
  reason: string;
  rows: Row[];
  /** Rounds that would settle those that rounds settle; null where none do. */
  rounds: number | null;
  /** Rows that no known number of rounds settles. */
  beyond: number;
  /** Some are of runs, which are their units. */
  stored: boolean;
  advice: string;
}

/** A description of the decided rows; not a test of its own. */
export interface Size {
  mean: number;
  low: number;
  high: number;
}

export interface Answer {
  total: number;
  counts: Record<Verdict, number>;
  /** Rows without a verdict of the metric. */
  open: number;
  size: Size | null;
  unclear: Unclear[];
}

/** The claim of a headline: how often the candidate is one, and how often the other. */
export interface Lead {
  key: 'faster' | 'slower';
  count: number;
  other: number;
}

/** Return the claim of decided counts, the more frequent first; null where none is decided. */
export function leadOf({
  faster,
  slower,
}: Pick<Record<Verdict, number>, 'faster' | 'slower'>): Lead | null {
  if (!faster && !slower) {
    return null;
  }
  return slower >= faster
    ? { key: 'slower', count: slower, other: faster }
    : { key: 'faster', count: faster, other: slower };
}

/** Blocks that an interval needs; verdict.MIN_BLOCKS. */
const MIN_BLOCKS = 6;
export const FEW = 'few blocks';

/** Return the key of the reason why an estimate is inconclusive. */
export function unclearKey(estimate: Estimate | null): string {
  if (estimate?.verdict !== 'inconclusive') {
    return '';
  }
  return /^\d+ of \d+ blocks$/.test(estimate.reason) ? FEW : estimate.reason;
}

/** Say whether runs, stored or pooled, are the units that an estimate is of. */
export function isStored(estimate: Estimate | null): boolean {
  return estimate?.rule === 'runs';
}

/** Return the rounds that would settle a row; null where none would. */
export function roundsFor(estimate: Estimate | null): number | null {
  switch (unclearKey(estimate)) {
    case FEW: {
      // of a run that was ended early: the blocks that it was to have
      const needed = /of (\d+) /.exec(estimate?.reason ?? '')?.[1];
      return needed ? Number(needed) : MIN_BLOCKS;
    }
    case 'too noisy':
      return estimate?.blocks_needed ?? null;
    default:
      return null;
  }
}

/**
 * Return what would settle rows that are unclear for this reason, all but
 * `beyond` by rounds; `stored` are rows of pooled runs, which rounds do not
 * settle. '' where only the evidence of a row tells.
 */
export function cure(key: string, rounds: number | null, beyond = 0, stored = false): string {
  switch (key) {
    case FEW:
      return rounds !== null && rounds > MIN_BLOCKS
        ? $localize`about ${rounds} rounds`
        : $localize`six rounds or more`;
    case 'too noisy':
      if (stored) {
        return $localize`more runs of each side`;
      }
      if (rounds === null) {
        return $localize`less noise: more than 500 rounds would be needed`;
      }
      return beyond
        ? $localize`about ${rounds}:rounds: rounds; in ${beyond}:workloads: of them less noise: more than 500 rounds would be needed`
        : $localize`about ${rounds} rounds`;
    case 'too few operations':
      return $localize`longer trials (--duration)`;
    case 'between runs':
      // of trials: medians of runs need four
      return stored ? $localize`more runs of each side` : $localize`four runs or more of each side`;
    case 'one of many rows':
      return stored
        ? $localize`more runs of each side`
        : $localize`more rounds, or fewer workloads in one run`;
    case 'client':
      return $localize`more or stronger clients`;
  }
  return '';
}

export function reasonText(key: string): string {
  return key === FEW ? $localize`too few rounds` : reasonWord(key);
}

/** Sum a comparison up by the verdicts of one metric. */
export function answerOf(comparison: Comparison, metric: Metric, perOsd: boolean): Answer {
  const counts: Record<Verdict, number> = {
    faster: 0,
    slower: 0,
    'no difference shown': 0,
    inconclusive: 0,
  };
  const decided: number[] = [];
  const unclear = new Map<string, Unclear>();
  let open = 0;
  for (const row of comparison.rows) {
    const { estimate, ratio } = metric.cell(row, perOsd);
    const verdict = estimate?.verdict ?? null;
    if (!verdict) {
      open += 1;
      continue;
    }
    counts[verdict] += 1;
    if ((verdict === 'faster' || verdict === 'slower') && ratio) {
      decided.push(ratio);
    }
    const key = unclearKey(estimate);
    if (key) {
      const found = unclear.get(key) ?? {
        key,
        reason: reasonText(key),
        rows: [],
        rounds: null,
        beyond: 0,
        stored: false,
        advice: '',
      };
      const rounds = roundsFor(estimate);
      found.rows.push(row);
      found.stored ||= isStored(estimate);
      if (rounds === null) {
        found.beyond += 1;
      } else {
        found.rounds = Math.max(rounds, found.rounds ?? 0);
      }
      unclear.set(key, found);
    }
  }
  const reasons = [...unclear.values()].sort((a, b) => b.rows.length - a.rows.length);
  for (const one of reasons) {
    const { key, rounds, beyond, stored } = one;
    one.advice = cure(key, rounds, beyond, stored) || $localize`the cause taken away; see the row`;
  }
  return {
    total: comparison.rows.length,
    counts,
    open,
    size: sizeOf(decided),
    unclear: reasons,
  };
}

function sizeOf(ratios: readonly number[]): Size | null {
  if (!ratios.length) {
    return null;
  }
  const logs = ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0);
  return {
    mean: Math.exp(logs / ratios.length),
    low: Math.min(...ratios),
    high: Math.max(...ratios),
  };
}

/** A repetition that would settle open rows; no rounds are none. */
export interface Repetition {
  rounds: number;
  /** Rows that these rounds would settle, as far as can be told. */
  settled: number;
}

/** Return what settles the most with `most` rounds, which is all that a run can have. */
export function repetitionOf(
  comparison: Comparison,
  metric: Metric,
  perOsd: boolean,
  most: number,
): Repetition {
  const needed = comparison.rows.flatMap((row) => {
    const rounds = roundsFor(metric.cell(row, perOsd).estimate);
    return rounds !== null && rounds <= most ? [rounds] : [];
  });
  return { rounds: Math.max(0, ...needed), settled: needed.length };
}

/** Say whether low…high of an estimate is more than one block. */
export function hasInterval(estimate: Pick<Estimate, 'low' | 'high'>): boolean {
  return estimate.low !== null && estimate.high !== null && estimate.low < estimate.high;
}
