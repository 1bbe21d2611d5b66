/** What both sides of a comparison are called: two of them may be one group. */

import { Comparison } from '../models/comparison';

interface Sides {
  baseline: { group: string };
  candidate: { group: string };
}

/** Call the sides of rows and curves as the comparison does. */
export function named(found: Comparison): Comparison {
  const { baseline, candidate } = found;
  const call = <T extends Sides>(item: T): T => ({
    ...item,
    baseline: { ...item.baseline, group: baseline.label },
    candidate: { ...item.candidate, group: candidate.label },
  });
  return { ...found, rows: found.rows.map(call), curves: found.curves.map(call) };
}
