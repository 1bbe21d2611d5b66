import { Compared } from '../core/api';
import { Comparison } from '../models/comparison';

/** Return a query of the very runs that a comparison is of: there may be newer ones by now. */
export function pinned(query: Compared, { baseline, candidate }: Comparison): Compared {
  const [first, second] = [baseline, candidate].map(
    ({ group, runs }) => `${group}@${runs.join(',')}`,
  );
  return { ...query, baseline: first, candidate: second, run: [] };
}
