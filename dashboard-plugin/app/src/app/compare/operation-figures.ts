/** What clients saw of each operation and of each endpoint. */

import { grouped } from '../core/locale';
import { NOT_AVAILABLE, formatByteRate, formatLatency, formatOps } from '../core/units';
import { Row, RowSide, OperationFigures } from '../models/comparison';
import { byPercentile } from './latency';

export interface OperationLine {
  name: string;
  side: RowSide;
  cells: string[];
}

/** Return the percentiles to show and the lines, none where none were recorded. */
export function operationLines(row: Row): [string[], OperationLine[]] {
  const sides = [row.baseline, row.candidate];
  const several = sides.some((side) => side.endpoints.length > 1);
  const found = sides.flatMap((side) => [
    ...side.operations,
    ...side.endpoints,
    ...(side.steps ?? []),
  ]);
  const percentiles = byPercentile(
    found.flatMap((one) => [
      'p50',
      'p99',
      ...Object.keys({ ...one.percentiles, ...one.first_byte }),
    ]),
  );
  const line = (side: RowSide, one: OperationFigures, first?: string): OperationLine => {
    const stated = first ? one.first_byte : one.percentiles;
    const latencies = percentiles.map((name) => formatLatency(stated[name]));
    return {
      name: first ?? one.name,
      side,
      cells: first
        ? ['', '', '', ...latencies, '', '']
        : [
            formatOps(one.ops_per_s),
            formatByteRate(one.bytes_per_s),
            formatLatency(one.latency_avg),
            ...latencies,
            formatCount(one.ops) +
              (one.trials === side.trials ? '' : ` (${one.trials}/${side.trials})`),
            formatCount(one.errors),
          ],
    };
  };
  const operations = sides.flatMap((side) =>
    side.operations.flatMap((one) => [
      line(side, one),
      ...(one.name === 'get' ? [line(side, one, $localize`get, time to first byte`)] : []),
    ]),
  );
  operations.sort((a, b) => a.name.localeCompare(b.name));
  const endpoints = sides.flatMap((side) => side.endpoints.map((one) => line(side, one)));
  const steps = sides.flatMap((side) =>
    (side.steps ?? []).map((one) => ({ ...line(side, one), name: $localize`at ${one.name}` })),
  );
  return [percentiles, [...operations, ...(several ? endpoints : []), ...steps]];
}

function formatCount(value: number | null): string {
  return value === null ? NOT_AVAILABLE : grouped(value);
}
