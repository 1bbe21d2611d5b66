/** Response curves: latency and CPU over throughput, and their shape. */

import { compact, plain } from '../core/locale';
import { formatLatency, formatOps, formatPercent } from '../core/units';
import { CurveNote, Maybe, PointSide, ResponseCurve, Spread } from '../models/comparison';
import { COLORS, INK, Mark, lineOf, marks, options } from '../shared/plot';
import { Drawing, SHAPES } from './charts';
import { byPercentile } from './latency';

export const SIDES = ['baseline', 'candidate'] as const;
export const MEDIAN = 'p50';
const TITLES: Record<string, string> = {
  knee: $localize`Knee`,
  'response-time': $localize`Overall response time`,
  contention: $localize`Contention (USL)`,
  coherency: $localize`Coherency (USL)`,
};

/** Return the percentiles that are drawn: p50, and that of the limit. */
export function shown(curve: ResponseCurve): string[] {
  const known = curve.points.flatMap((point) =>
    SIDES.flatMap((side) => Object.keys(point[side].latencies)),
  );
  const limit = curve.percentile || 'p99';
  return byPercentile(known).filter((name) => name === MEDIAN || name === limit);
}

/** Draw how far the rounds reach from a point, both ways. */
export function reach(x: Spread, y: Spread, color: string): Mark[] {
  if (x.median === null || y.median === null) {
    return [];
  }
  const faint = `${color}70`;
  return [
    { x: x.min ?? x.median, x2: x.max ?? x.median, y: y.median, y2: y.median, color: faint },
    { x: x.median, y: y.min ?? y.median, y2: y.max ?? y.median, color: faint },
  ];
}

/** The line of a percentile: dotted and hollow where it is the lesser one. */
export function lineOfPercentile(index: number, lesser: boolean) {
  return {
    borderColor: COLORS[index],
    backgroundColor: lesser ? '#ffffff' : COLORS[index],
    borderWidth: 2,
    borderDash: lesser ? [2, 3] : [],
  };
}

/** Draw latency over throughput; null where no percentile is known. */
export function responsePlot(curve: ResponseCurve): Drawing | null {
  const names = shown(curve);
  if (!names.length) {
    return null;
  }
  const lines = SIDES.flatMap((side, index) =>
    names.map((name) => ({ side, index, name, group: curve[side].group })),
  );
  const at = (side: PointSide, name: string) => ({
    x: side.ops_per_s.median ?? NaN,
    y: side.latencies[name]?.median ?? NaN,
  });
  const most = Math.max(
    ...curve.points.flatMap((point) => SIDES.map((side) => point[side].ops_per_s.max ?? 0)),
  );
  const latencies = curve.points
    .flatMap((point) => lines.map(({ side, name }) => at(point[side], name).y))
    .concat(curve.limit ?? [])
    .filter(Number.isFinite);
  const drawn = lines.flatMap(({ side, index, name }) =>
    curve.points.flatMap((point) => {
      const latency = point[side].latencies[name];
      return latency ? reach(point[side].ops_per_s, latency, COLORS[index]) : [];
    }),
  );
  if (curve.limit !== null) {
    const y = curve.limit;
    drawn.push({ x: 0, x2: most * 1.05, y, y2: y, color: INK, width: 1, dash: [4, 4] });
  }
  return {
    config: {
      type: 'line',
      data: {
        datasets: lines.map(({ side, index, name, group }) => ({
          label: `${group} ${name}`,
          data: curve.points.map((point) => at(point[side], name)),
          ...lineOfPercentile(index, name === MEDIAN && names.length > 1),
          pointStyle: SHAPES[index],
          pointRadius: 4,
        })),
      },
      plugins: [marks(drawn)],
      options: options({
        x: $localize`operations per second`,
        y: $localize`latency`,
        minX: 0,
        maxX: most * 1.05,
        // with the limit, wherever it lies
        minY: Math.min(...latencies) / 1.3,
        maxY: Math.max(...latencies) * 1.3,
        tickX: compact,
        tickY: formatLatency,
        logY: true,
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
