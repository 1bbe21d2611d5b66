/** What low…high of an estimate is: an interval to judge by, or a range that only describes. */

import { formatInterval } from '../core/units';
import { Estimate } from '../models/comparison';

type Ends = Pick<Estimate, 'low' | 'high'>;

/** Return the brackets; those of a range say so. */
export function intervalText({ low, high }: Ends, estimate: Estimate | null): string {
  const text = formatInterval(low, high);
  return estimate?.kind === 'range' ? $localize`${text}:interval: range` : text;
}

export function intervalTitle(estimate: Estimate | null): string {
  return estimate?.kind === 'range'
    ? $localize`Range of the ratios, not judged by`
    : $localize`Interval of the ratio`;
}
