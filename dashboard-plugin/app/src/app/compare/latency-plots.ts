/** Latencies of a row: what took longer, and how all are distributed. */

import { plain } from '../core/locale';
import { formatLatency, formatPercent } from '../core/units';
import { Curve, Distribution, Row } from '../models/comparison';
import { lineOf, options } from '../shared/plot';
import { Drawing, SHAPES } from './charts';
import { byPercentile } from './latency';

/** Operations beyond a share, until which a tail is drawn. */
const BEYOND = 10;

/** Return how many of 1 are beyond a percentile such as 'p99.9': 0.001. */
export function beyond(name: string): number {
  // in hundredths of a percent, which have no rounding error
  return (1e4 - Math.round(Number(name.slice(1)) * 100)) / 1e4;
}

function beyondText(share: number): string {
  return `${plain(Number((100 * share).toPrecision(3)))} %`;
}

/** The axes of a tail: what is rare is as wide as what is common. */
function tailAxes(decades: number) {
  return {
    x: $localize`operations that took longer (1 − q)`,
    y: $localize`latency`,
    minX: 0,
    maxX: Math.ceil(decades),
    stepX: 1,
    tickX: (x: number) => (Number.isInteger(x) ? beyondText(10 ** -x) : ''),
    tickY: formatLatency,
    logY: true,
  };
}

/**
 * Draw the percentiles that were stated: how many operations took longer
 * against how long. null where no client recorded any.
 */
export function percentilePlot(row: Row): Drawing | null {
  const sides = [row.baseline, row.candidate];
  const names = byPercentile(sides.flatMap((side) => Object.keys(side.percentiles)));
  if (names.length < 2) {
    return null;
  }
  const at = (name: string) => -Math.log10(beyond(name));
  return {
    config: {
      type: 'line',
      data: {
        datasets: sides.map((side, index) => ({
          label: side.group,
          data: names.map((name) => ({ x: at(name), y: side.percentiles[name] ?? NaN })),
          ...lineOf(index),
          pointStyle: SHAPES[index],
          pointRadius: 4,
        })),
      },
      options: options({
        ...tailAxes(Math.max(...names.map(at))),
        tooltip: ({ dataset, index, y }) =>
          `${sides[dataset].group}, ${names[index]}: ${formatLatency(y)}`,
      }),
    },
    table: {
      header: [
        $localize`Group`,
        $localize`Percentile`,
        $localize`Took longer (1 − q)`,
        $localize`Seconds`,
      ],
      rows: sides.flatMap((side) =>
        names.map((name) => [side.group, name, beyond(name), side.percentiles[name] ?? null]),
      ),
    },
  };
}

function curvesOf(found: Distribution, row: Row): { group: string; curve: Curve }[] {
  return [
    { group: row.baseline.group, curve: found.baseline },
    { group: row.candidate.group, curve: found.candidate },
  ];
}

function look(index: number) {
  return { ...lineOf(index), pointRadius: 0, pointHoverRadius: 4 };
}

function tableOf(curves: readonly { group: string; curve: Curve }[]) {
  return {
    header: [
      $localize`Group`,
      $localize`Seconds`,
      $localize`Took at most so long`,
      $localize`Took longer (1 − q)`,
    ],
    rows: curves.flatMap(({ group, curve }) =>
      curve.points.map(([seconds, share]) => [
        group,
        seconds,
        Number(share.toPrecision(6)),
        Number((1 - share).toPrecision(6)),
      ]),
    ),
  };
}

/** Draw the tail of a distribution, as far as ten operations are beyond. */
export function tailPlot(found: Distribution, row: Row): Drawing {
  const curves = curvesOf(found, row);
  const tails = curves.map(({ curve }) =>
    curve.points.flatMap(([seconds, share]) =>
      curve.samples * (1 - share) >= BEYOND - 1e-6
        ? [{ x: -Math.log10(1 - share), y: seconds }]
        : [],
    ),
  );
  const decades = Math.max(1, ...tails.flat().map(({ x }) => x));
  return {
    config: {
      type: 'line',
      data: {
        datasets: curves.map(({ group }, index) => ({
          label: group,
          data: tails[index],
          ...look(index),
        })),
      },
      options: options({
        ...tailAxes(decades),
        tooltip: ({ dataset, x, y }) =>
          $localize`${curves[dataset].group}:group:: ${beyondText(10 ** -x)}:share: took longer than ${formatLatency(y)}:latency:`,
      }),
    },
    table: tableOf(curves),
  };
}

/** Draw which share of operations took at most how long. */
export function cdfPlot(found: Distribution, row: Row): Drawing {
  const curves = curvesOf(found, row);
  const times = curves.flatMap(({ curve }) => curve.points.map(([seconds]) => seconds));
  return {
    config: {
      type: 'line',
      data: {
        datasets: curves.map(({ group, curve }, index) => ({
          label: group,
          data: curve.points.map(([seconds, share]) => ({
            x: Math.log10(seconds),
            y: share,
          })),
          stepped: 'before' as const,
          ...look(index),
        })),
      },
      options: options({
        x: $localize`latency`,
        y: $localize`share of operations`,
        minX: Math.floor(Math.log10(Math.min(...times))),
        maxX: Math.ceil(Math.log10(Math.max(...times))),
        stepX: 1,
        tickX: (x) => (Number.isInteger(x) ? formatLatency(10 ** x) : ''),
        minY: 0,
        maxY: 1,
        tickY: formatPercent,
        tooltip: ({ dataset, x, y }) =>
          $localize`${curves[dataset].group}:group:: ${formatPercent(y)}:share: took at most ${formatLatency(10 ** x)}:latency:`,
      }),
    },
    table: tableOf(curves),
  };
}
