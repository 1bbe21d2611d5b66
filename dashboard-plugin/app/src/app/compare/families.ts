/** Which rows the false discoveries of a metric are controlled over. */

import { Comparison } from '../models/comparison';
import { Metric } from './metrics';

/** The source that has a family of its own; analysis/further.py. */
const PROBE = 'probe';

/**
 * Return the sizes of the families that verdicts of a metric are of; none
 * where it has no verdict.
 */
export function familiesOf(
  comparison: Comparison,
  { key }: Pick<Metric, 'key'>,
  perOsd = false,
): number[] {
  if (key === 'ops' || key === 'bytes') {
    if (perOsd && comparison.rows.some((row) => row.per_osd.verdict)) {
      return []; // rows of unlike numbers of OSDs are judged among themselves
    }
    return [comparison.family_size];
  }
  const judged = comparison.rows.flatMap((row) =>
    row.metrics.filter(({ id, estimate }) => id === key && estimate.verdict),
  );
  const probed = judged.filter(({ source }) => source === PROBE).length;
  return [
    ...(judged.length > probed ? [comparison.metrics_family_size] : []),
    ...(probed ? [comparison.probe_family_size] : []),
  ];
}
