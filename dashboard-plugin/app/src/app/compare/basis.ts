/** Where the figures of a further metric come from, as the rows have them. */

import { MetricRow, Row } from '../models/comparison';
import { Metric } from './metrics';

const BASES: Record<MetricRow['basis'], string> = {
  measured: $localize`Measured during the trials.`,
  recorded: $localize`From what the cluster knows of its hosts and drives.`,
  stated: $localize`From what was stated of the groups.`,
};
/** The source that is a basis of its own; analysis/efficiency.py. */
const PROBE = 'probe';

function basisOf({ kind, basis, source }: MetricRow): string {
  if (kind !== 'latency') {
    return BASES[basis];
  }
  return source === PROBE
    ? $localize`As one more client sees it (probe).`
    : $localize`Recorded by the clients.`;
}

/** Say where the figures of these rows come from: rows may differ; '' of what is no further metric. */
export function basisText({ key }: Pick<Metric, 'key'>, rows: readonly Row[]): string {
  const found = new Map<string, Set<string>>();
  for (const metric of rows.flatMap((row) => row.metrics.filter(({ id }) => id === key))) {
    const basis = basisOf(metric);
    const sources = found.get(basis) ?? new Set();
    found.set(basis, metric.source === PROBE ? sources : sources.add(metric.source));
  }
  return [...found]
    .map(([basis, sources]) => {
      const by = [...sources].filter(Boolean).join(', ');
      return by ? `${basis} (${by})` : basis;
    })
    .join(' ');
}
