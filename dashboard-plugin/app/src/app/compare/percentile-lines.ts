/** Percentiles of latency over an x axis: what both kinds of curves draw. */

import { compact } from '../core/locale';
import { formatLatency } from '../core/units';
import { CurvePoint, ResponseCurve, Spread } from '../models/comparison';
import { COLORS, INK, Mark, marks } from '../shared/plot';
import { SHAPES } from './charts';
import { byPercentile } from './latency';

export const SIDES = ['baseline', 'candidate'] as const;
const MEDIAN = 'p50';

type Side = (typeof SIDES)[number];

/** Return the percentiles that are drawn: p50, and that of the limit. */
function shown(curve: ResponseCurve): string[] {
  const known = curve.points.flatMap((point) =>
    SIDES.flatMap((side) => Object.keys(point[side].latencies)),
  );
  const limit = curve.percentile || 'p99';
  return byPercentile(known).filter((name) => name === MEDIAN || name === limit);
}

/** Draw how far the rounds reach from a point, both ways. */
function reach(x: Spread, y: Spread, color: string): Mark[] {
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
function lineOfPercentile(index: number, lesser: boolean) {
  return {
    borderColor: COLORS[index],
    backgroundColor: lesser ? '#ffffff' : COLORS[index],
    borderWidth: 2,
    borderDash: lesser ? [2, 3] : [],
  };
}

/** Return lines, marks and axes over what a side has on the x axis; null where no percentile is known. */
export function percentileLines(
  curve: ResponseCurve,
  xOf: (point: CurvePoint, side: Side) => Spread,
) {
  const names = shown(curve);
  if (!names.length) {
    return null;
  }
  const lines = SIDES.flatMap((side, index) =>
    names.map((name) => ({ side, index, name, group: curve[side].group })),
  );
  const most =
    1.05 *
    Math.max(...curve.points.flatMap((point) => SIDES.map((side) => xOf(point, side).max ?? 0)));
  const at = (point: CurvePoint, { side, name }: (typeof lines)[number]) => ({
    x: xOf(point, side).median ?? NaN,
    y: point[side].latencies[name]?.median ?? NaN,
  });
  const latencies = curve.points
    .flatMap((point) => lines.map((line) => at(point, line).y))
    .concat(curve.limit ?? [])
    .filter(Number.isFinite);
  const drawn = lines.flatMap(({ side, index, name }) =>
    curve.points.flatMap((point) => {
      const latency = point[side].latencies[name];
      return latency ? reach(xOf(point, side), latency, COLORS[index]) : [];
    }),
  );
  if (curve.limit !== null) {
    const y = curve.limit;
    drawn.push({ x: 0, x2: most, y, y2: y, color: INK, width: 1, dash: [4, 4] });
  }
  return {
    names,
    lines,
    datasets: lines.map((line) => ({
      label: `${line.group} ${line.name}`,
      data: curve.points.map((point) => at(point, line)),
      ...lineOfPercentile(line.index, line.name === MEDIAN && names.length > 1),
      pointStyle: SHAPES[line.index],
      pointRadius: 4,
    })),
    plugins: [marks(drawn)],
    axes: {
      minX: 0,
      maxX: most,
      // with the limit, wherever it lies
      minY: Math.min(...latencies) / 1.3,
      maxY: Math.max(...latencies) * 1.3,
      tickX: compact,
      tickY: formatLatency,
      logY: true,
    },
  };
}
