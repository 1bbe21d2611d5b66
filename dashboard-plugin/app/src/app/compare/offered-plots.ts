/** Curves over offered load: latency and CPU time of an operation at equal rates. */

import { compact } from '../core/locale';
import { formatLatency, formatOps } from '../core/units';
import { CurvePoint, Maybe, PointSide, ResponseCurve } from '../models/comparison';
import { COLORS, lineOf, options } from '../shared/plot';
import { Drawing, SHAPES } from './charts';
import { SIDES, percentileLines } from './percentile-lines';
import { short } from './response-plots';

/** The mark of a point at which a group fell behind what it was offered. */
const FELL = 'crossRot';

const offered = (point: CurvePoint) => point.offered ?? NaN;

function still(x: number): { median: number; min: number; max: number } {
  return { median: x, min: x, max: x };
}

/** Say what a group did of what it was offered, where it fell behind. */
function lag(side: PointSide): string {
  return side.behind ? $localize`, fell behind: did ${formatOps(side.ops_per_s.median)}:rate:` : '';
}

function most(curve: ResponseCurve): number {
  return Math.max(...curve.points.map(offered)) * 1.05;
}

/** Draw latency over offered load; null where no percentile is known. */
export function offeredPlot(curve: ResponseCurve): Drawing | null {
  const drawn = percentileLines(curve, (point) => still(offered(point)));
  if (!drawn) {
    return null;
  }
  const { names, lines, datasets, plugins, axes } = drawn;
  const behind = (line: number) => curve.points.map((point) => point[lines[line].side].behind);
  return {
    config: {
      type: 'line',
      data: {
        datasets: datasets.map((line, index) => ({
          ...line,
          pointStyle: behind(index).map((fell) => (fell ? FELL : line.pointStyle)),
          pointRadius: behind(index).map((fell) => (fell ? 7 : line.pointRadius)),
        })),
      },
      plugins,
      options: options({
        x: $localize`offered operations per second`,
        y: $localize`latency`,
        ...axes,
        tooltip: ({ dataset, index, x, y }) => {
          const { side, name } = lines[dataset];
          const point = curve.points[index];
          return (
            $localize`${curve[side].group}:group:, ${formatOps(x)}:rate: offered, ${name}:percentile: ${formatLatency(y)}:latency:` +
            lag(point[side])
          );
        },
      }),
    },
    table: {
      header: [
        $localize`Offered (op/s)`,
        $localize`Group`,
        $localize`op/s`,
        $localize`Fell behind (trials)`,
        ...names.map((name) => $localize`${name} (s)`),
        $localize`CPU of hosts (s/operation)`,
        $localize`CPU of clients (s/operation)`,
      ],
      rows: curve.points.flatMap((point) =>
        SIDES.map((side) => [
          point.offered,
          curve[side].group,
          short(point[side].ops_per_s.median),
          point[side].behind,
          ...names.map((name) => short(point[side].latencies[name]?.median ?? null)),
          short(point[side].host_cpu_per_op),
          short(point[side].client_cpu_per_op),
        ]),
      ),
    },
  };
}

const USED = [
  { key: 'host_cpu_per_op', of: (group: string) => $localize`${group}:group: hosts` },
  { key: 'client_cpu_per_op', of: (group: string) => $localize`${group}:group: clients` },
] as const;

/** Draw CPU time of an operation; null where nobody measured it. */
export function offeredCpuPlot(curve: ResponseCurve): Drawing | null {
  const lines = SIDES.flatMap((side, index) =>
    USED.map(({ key, of }) => ({
      side,
      index,
      key,
      label: of(curve[side].group),
      known: curve.points.filter((point) => point[side][key] !== null),
    })),
  ).filter(({ known }) => known.length);
  if (!lines.length) {
    return null;
  }
  const value = (point: CurvePoint, { side, key }: (typeof lines)[number]): Maybe =>
    point[side][key];
  return {
    config: {
      type: 'line',
      data: {
        datasets: lines.map((line) => ({
          label: line.label,
          data: line.known.map((point) => ({ x: offered(point), y: value(point, line) ?? NaN })),
          ...lineOf(line.index),
          borderDash: line.key === 'client_cpu_per_op' ? [2, 3] : [],
          backgroundColor: line.key === 'client_cpu_per_op' ? '#ffffff' : COLORS[line.index],
          pointStyle: SHAPES[line.index],
          pointRadius: 4,
        })),
      },
      options: options({
        x: $localize`offered operations per second`,
        y: $localize`CPU time of an operation`,
        minX: 0,
        maxX: most(curve),
        zeroY: true,
        tickX: compact,
        tickY: formatLatency,
        tooltip: ({ dataset, index, x, y }) => {
          const line = lines[dataset];
          return (
            $localize`${line.label}:of:, ${formatOps(x)}:rate: offered: CPU ${formatLatency(y)}:time: for an operation` +
            lag(line.known[index][line.side])
          );
        },
      }),
    },
    table: {
      header: [$localize`Offered (op/s)`, $localize`CPU`, $localize`s/operation`],
      rows: lines.flatMap((line) =>
        line.known.map((point) => [point.offered, line.label, short(value(point, line))]),
      ),
    },
  };
}
