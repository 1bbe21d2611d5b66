/** Response curves: latency and CPU over throughput, and their shape. */

import { compact, plain } from '../core/locale';
import { formatLatency, formatOps, formatPercent } from '../core/units';
import { CurveNote, Maybe, ResponseCurve } from '../models/comparison';
import { lineOf, options } from '../shared/plot';
import { Drawing, SHAPES } from './charts';
import { SIDES, percentileLines } from './percentile-lines';

const TITLES: Record<string, string> = {
  knee: $localize`Knee`,
  'response-time': $localize`Overall response time`,
  contention: $localize`Contention (USL)`,
  coherency: $localize`Coherency (USL)`,
};

/** Draw latency over throughput; null where no percentile is known. */
export function responsePlot(curve: ResponseCurve): Drawing | null {
  const drawn = percentileLines(curve, (point, side) => point[side].ops_per_s);
  if (!drawn) {
    return null;
  }
  const { names, lines, datasets, plugins, axes } = drawn;
  return {
    config: {
      type: 'line',
      data: { datasets },
      plugins,
      options: options({
        x: $localize`operations per second`,
        y: $localize`latency`,
        ...axes,
        tooltip: ({ dataset, index, x, y }) => {
          const { group, name } = lines[dataset];
          const flying = curve.points[index].concurrency;
          return $localize`${group}:group:, ${flying}:operations: in flight: ${formatOps(x)}:rate:, ${name}:percentile: ${formatLatency(y)}:latency:`;
        },
      }),
    },
    table: {
      header: [
        $localize`In flight`,
        $localize`Group`,
        $localize`op/s`,
        ...names.map((name) => $localize`${name} (s)`),
        $localize`CPU of hosts`,
        $localize`Cores of clients`,
      ],
      rows: curve.points.flatMap((point) =>
        SIDES.map((side) => [
          point.concurrency,
          curve[side].group,
          short(point[side].ops_per_s.median),
          ...names.map((name) => short(point[side].latencies[name]?.median ?? null)),
          short(point[side].host_cpu),
          short(point[side].client_cpu),
        ]),
      ),
    },
  };
}

export function short(value: Maybe): Maybe {
  return value === null ? null : Number(value.toPrecision(6));
}

/** Draw how busy the hosts were; null where nobody measured it. */
export function cpuPlot(curve: ResponseCurve): Drawing | null {
  const points = SIDES.map((side) => curve.points.filter((point) => point[side].host_cpu !== null));
  if (!points.some((known) => known.length)) {
    return null;
  }
  return {
    config: {
      type: 'line',
      data: {
        datasets: SIDES.map((side, index) => ({
          label: curve[side].group,
          data: points[index].map((point) => ({
            x: point[side].ops_per_s.median ?? NaN,
            y: point[side].host_cpu ?? NaN,
          })),
          ...lineOf(index),
          pointStyle: SHAPES[index],
          pointRadius: 4,
        })),
      },
      options: options({
        x: $localize`operations per second`,
        y: $localize`busy share`,
        zeroX: true,
        minY: 0,
        maxY: 1,
        tickX: compact,
        tickY: formatPercent,
        tooltip: ({ dataset, index, x, y }) => {
          const flying = points[dataset][index].concurrency;
          const { group } = curve[SIDES[dataset]];
          return $localize`${group}:group:, ${flying}:operations: in flight: ${formatOps(x)}:rate:, CPU ${formatPercent(y)}:share:`;
        },
      }),
    },
    table: {
      header: [$localize`In flight`, $localize`Group`, $localize`CPU of hosts`],
      rows: SIDES.flatMap((side, index) =>
        points[index].map((point) => [
          point.concurrency,
          curve[side].group,
          short(point[side].host_cpu),
        ]),
      ),
    },
  };
}

/** Return the shape of both curves as lines of a table. */
export function shapeRows(curve: ResponseCurve): { title: string; values: string[] }[] {
  const sides = SIDES.map((side) => curve[side]);
  const ids = [...new Set(sides.flatMap(({ notes }) => notes.map(({ id }) => id)))];
  const peak = sides.map(({ peak, peak_at: at }) =>
    peak.median === null
      ? '–'
      : $localize`${formatOps(peak.median)}:rate: at ${at.join(' / ')}:operations: in flight`,
  );
  return [
    ...(sides.some((side) => side.peak.median !== null)
      ? [{ title: $localize`Peak`, values: peak }]
      : []),
    ...ids.map((id) => ({
      title: TITLES[id] ?? id,
      values: sides.map(({ notes }) => noteText(notes.find((note) => note.id === id))),
    })),
  ];
}

function noteText(note: CurveNote | undefined): string {
  if (!note) {
    return '–';
  }
  const format = (value: number) =>
    note.unit === 's' ? formatLatency(value) : plain(Number(value.toPrecision(2)));
  return `${format(note.value)} [${format(note.low)}, ${format(note.high)}]`;
}
