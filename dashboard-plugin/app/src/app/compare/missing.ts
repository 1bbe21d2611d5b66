/** What a comparison lacks, grouped by what is lacking and why. */

import { Comparison } from '../models/comparison';

/** Return one line for each reason, with the number of its workloads. */
export function missingLines(comparison: Comparison): string[] {
  const { rows, missing } = comparison;
  // these name each workload; below they are counted
  const listed = /^(latency percentiles not available|average latency: not recorded)/;
  const lines = missing.filter((line) => !listed.test(line));
  const found = new Map<string, Set<string>>();
  const add = (text: string, workload: string) =>
    found.set(text, (found.get(text) ?? new Set()).add(workload));
  for (const row of rows) {
    for (const side of [row.baseline, row.candidate]) {
      // how many operations there were differs from workload to workload
      const some = /^(p[\d., p]+ \(.*?)(?:: [\d,]+)?\)$/.exec(side.percentiles_reason);
      if (some) {
        add($localize`latency ${some[1]}:percentiles:)`, row.workload);
      } else if (side.trials && side.percentiles_reason) {
        add($localize`latency percentiles (${side.percentiles_reason}:reason:)`, row.workload);
      }
      if (side.trials && side.latency_avg.median === null) {
        add($localize`average latency (not recorded)`, row.workload);
      }
    }
    for (const lack of row.metrics_missing) {
      const at = lack.indexOf(': ');
      add(at < 0 ? lack : `${lack.slice(0, at)} (${lack.slice(at + 2)})`, row.workload);
    }
  }
  for (const [text, workloads] of found) {
    const where =
      workloads.size === rows.length
        ? $localize`in all workloads`
        : $localize`in ${workloads.size} of ${rows.length} workloads`;
    lines.push(`${where}: ${text}`);
  }
  return lines;
}
