/** The charts of one row: what is drawn, and the same as a table. */

import { compact } from '../core/locale';
import { formatByteRate, formatLatency, formatOps, formatRatio, formatUtc } from '../core/units';
import { Metric } from './metrics';
import { Dot, Estimate, Row } from '../models/comparison';
import { OsdFigures } from '../models/run';
import { TableTwin } from '../shared/chart-card';
import { BASELINE, COLORS, INK, Mark, Plot, marks, options } from '../shared/plot';

export interface Drawing {
  config: Plot;
  table: TableTwin;
}

/** Say whether there is nothing to draw: no trial has the figure. */
export function isEmpty({ config }: Drawing): boolean {
  return config.data.datasets.every(({ data }) =>
    data.every((point) => point === null || typeof point === 'number' || Number.isNaN(point.y)),
  );
}

export const SHAPES = ['circle', 'triangle'] as const;

/** Return a number for a cell; files have it as every program reads it. */
function rounded(value: number | null, digits: number): number | null {
  return value === null ? null : Number(value.toFixed(digits));
}

/** Return a number for a cell with six digits: seconds are small. */
function precise(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(6));
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

/** A figure that single trials have. */
interface DotFigure {
  label: string;
  of: (dot: Dot) => number | null;
  format: (value: number) => string;
  tick: (value: number) => string;
  /** More OSDs do more of it. */
  shared: boolean;
}

const OPS: DotFigure = {
  label: $localize`op/s`,
  of: (dot) => dot.ops_per_s,
  format: formatOps,
  tick: compact,
  shared: true,
};
const FIGURES: Partial<Record<string, DotFigure>> = {
  bytes: {
    label: $localize`throughput`,
    of: (dot) => dot.bytes_per_s,
    format: formatByteRate,
    tick: formatByteRate,
    shared: true,
  },
  latency: {
    label: $localize`average latency`,
    of: (dot) => dot.latency_avg,
    format: formatLatency,
    tick: formatLatency,
    shared: false,
  },
};

/** Say which figure of single trials is drawn for a metric. */
export function dotLabel(metric: Pick<Metric, 'key'>, perOsd: boolean): string {
  const figure = FIGURES[metric.key] ?? OPS;
  return perOsd && figure.shared ? $localize`${figure.label} per OSD` : figure.label;
}

/** Draw each trial as a dot, with the median and the range of its group. */
export function stripPlot(
  row: Row,
  perOsd: boolean,
  metric: Pick<Metric, 'key'> = { key: 'ops' },
): Drawing {
  const sides = [row.baseline, row.candidate];
  const figure = FIGURES[metric.key] ?? OPS;
  const label = dotLabel(metric, perOsd);
  const value = (dot: Dot) => {
    const found = figure.of(dot);
    if (found === null || !perOsd || !figure.shared) {
      return found;
    }
    // by those of its time: a group may have grown since
    return dot.osds ? found / dot.osds : null;
  };
  const measured = sides.map((side) => side.dots.filter((dot) => value(dot) !== null));
  const lines: Mark[] = [];
  const datasets = sides.map((side, at) => {
    const y = 1 - at;
    const points = measured[at].map((dot, index) => ({
      x: value(dot) ?? NaN,
      // spread the dots a little, the same way each time
      y: y + (((index * 7) % 5) - 2) * 0.06,
    }));
    if (points.length) {
      const values = points.map((point) => point.x);
      const [low, high] = [Math.min(...values), Math.max(...values)];
      const mid = median(values);
      lines.push(
        { x: low, x2: high, y, y2: y, color: COLORS[at], width: 1 },
        { x: mid, y: y - 0.3, y2: y + 0.3, color: COLORS[at], width: 3 },
      );
    }
    return {
      label: side.group,
      data: points,
      showLine: false,
      backgroundColor: `${COLORS[at]}b0`,
      borderColor: COLORS[at],
      pointStyle: SHAPES[at],
      pointRadius: 5,
      pointHoverRadius: 7,
    };
  });
  const rows = sides.flatMap((side) =>
    side.dots.map((dot) => [
      side.group,
      dot.run,
      dot.round,
      dot.attempt,
      dot.position + 1,
      precise(value(dot)),
      rounded(dot.bytes_per_s, 0),
      formatUtc(dot.started),
      dot.client_host ?? '',
    ]),
  );
  return {
    config: {
      type: 'line',
      data: { datasets },
      plugins: [marks(lines)],
      options: options({
        x: label,
        tickX: figure.tick,
        minY: -1,
        maxY: 2,
        stepY: 1,
        tickY: (y) => (y === 1 ? sides[0].group : y === 0 ? sides[1].group : ''),
        tooltip: ({ dataset, index, x }) => {
          const dot = measured[dataset][index];
          const of = $localize`round ${dot?.round ?? ''}`;
          return `${sides[dataset].group}, ${of}: ${figure.format(x)}`;
        },
      }),
    },
    table: {
      header: [
        $localize`Group`,
        $localize`Run`,
        $localize`Round`,
        $localize`Attempt`,
        $localize`Place in block`,
        label,
        $localize`Throughput (B/s)`,
        $localize`Started (UTC)`,
        $localize`Client`,
      ],
      rows,
    },
  };
}

/** Draw each block's ratio, with the estimate and its interval. */
export function pairPlot(row: Row, estimate: Estimate, perOsd: boolean): Drawing {
  const of = (at: number) => (perOsd ? row.pairs[at].ratio_per_osd : row.pairs[at].ratio);
  const lines: Mark[] = [];
  const last = row.pairs.length + 0.5;
  if (estimate.low !== null && estimate.high !== null) {
    lines.push({
      x: 0.5,
      x2: last,
      y: estimate.low,
      y2: estimate.high,
      color: '#0072c322',
      fill: true,
    });
  }
  if (estimate.ratio !== null) {
    const y = estimate.ratio;
    lines.push({ x: 0.5, x2: last, y, y2: y, color: BASELINE, width: 2 });
  }
  lines.push({ x: 0.5, x2: last, y: 1, y2: 1, color: INK, width: 1, dash: [4, 4] });
  const ratios = row.pairs.map((_, at) => of(at) ?? 1);
  const all = [...ratios, 1, estimate.low ?? 1, estimate.high ?? 1];
  const [min, max] = [Math.min(...all), Math.max(...all)];
  const margin = (max - min || 0.1) * 0.1;
  return {
    config: {
      type: 'line',
      data: {
        datasets: (['AB', 'BA'] as const).map((order, index) => ({
          label:
            order === 'AB'
              ? $localize`${row.baseline.group} first`
              : $localize`${row.candidate.group} first`,
          data: row.pairs.flatMap((pair, at) =>
            pair.order === order ? [{ x: at + 1, y: of(at) ?? NaN }] : [],
          ),
          showLine: false,
          backgroundColor: index ? '#ffffff' : INK,
          borderColor: INK,
          borderWidth: 2,
          pointStyle: index ? ('rectRot' as const) : ('circle' as const),
          pointRadius: 5,
        })),
      },
      plugins: [marks(lines)],
      options: options({
        x: $localize`block`,
        y: $localize`ratio candidate ÷ baseline`,
        minX: 0.5,
        maxX: last,
        stepX: row.pairs.length <= 20 ? 0.5 : undefined,
        minY: Math.max(0, min - margin),
        maxY: max + margin,
        tickX: (x) => (Number.isInteger(x) ? String(x) : ''),
        tickY: (y) => `×${formatRatio(y)}`,
        tooltip: ({ x, y }) => {
          const pair = row.pairs[Math.round(x) - 1];
          return $localize`round ${pair?.round ?? x}:round:: ×${formatRatio(y)}`;
        },
      }),
    },
    table: {
      header: [$localize`Run`, $localize`Round`, $localize`Order`, $localize`Ratio`],
      rows: row.pairs.map((pair, at) => [
        pair.run,
        pair.round,
        pair.order === 'AB'
          ? `${row.baseline.group}, ${row.candidate.group}`
          : `${row.candidate.group}, ${row.baseline.group}`,
        rounded(of(at), 4),
      ]),
    },
  };
}

export interface OsdSide {
  group: string;
  /** OSD id -> its counters over the trial. */
  osds: Record<string, OsdFigures>;
}

/** A counter of OSDs that can be drawn. */
export interface OsdMetric {
  key: string;
  label: string;
  factor: number;
}

export const OSD_METRICS: readonly OsdMetric[] = [
  { key: 'op_w', label: $localize`Client writes served as primary`, factor: 1 },
  { key: 'op_r', label: $localize`Client reads served as primary`, factor: 1 },
  { key: 'subop_w', label: $localize`Replica writes`, factor: 1 },
  { key: 'op_w_latency', label: $localize`Write latency (ms)`, factor: 1e3 },
  { key: 'op_r_latency', label: $localize`Read latency (ms)`, factor: 1e3 },
  { key: 'subop_w_latency', label: $localize`Replica write latency (ms)`, factor: 1e3 },
  { key: 'commit_lat', label: $localize`BlueStore commit latency (ms)`, factor: 1e3 },
  { key: 'kv_sync_lat', label: $localize`RocksDB sync latency (ms)`, factor: 1e3 },
  { key: 'aio_wait_lat', label: $localize`Device wait (ms)`, factor: 1e3 },
  { key: 'op_in_bytes', label: $localize`Bytes received (MiB)`, factor: 2 ** -20 },
  { key: 'op_out_bytes', label: $localize`Bytes sent (MiB)`, factor: 2 ** -20 },
  { key: 'buffer_miss_bytes', label: $localize`Cache misses (MiB)`, factor: 2 ** -20 },
  { key: 'compactions', label: $localize`RocksDB compactions`, factor: 1 },
];

/** Return the counters that any OSD recorded and that are not all zero. */
export function osdMetrics(sides: readonly OsdSide[]): OsdMetric[] {
  return OSD_METRICS.filter((metric) =>
    sides.some((side) => Object.values(side.osds).some((osd) => !!osd?.[metric.key])),
  );
}

/** Draw the OSDs of each group from the least to the greatest value. */
export function osdPlot(sides: readonly OsdSide[], metric: OsdMetric): Drawing {
  const sorted = sides.map((side) =>
    Object.entries(side.osds)
      .flatMap(([id, osd]) => {
        const value = osd?.[metric.key];
        return value === undefined ? [] : [{ id, value: value * metric.factor }];
      })
      .sort((a, b) => a.value - b.value),
  );
  return {
    config: {
      type: 'line',
      data: {
        datasets: sides.map((side, at) => ({
          label: side.group,
          data: sorted[at].map(({ value }, index, all) => ({
            x: all.length > 1 ? (100 * index) / (all.length - 1) : 50,
            y: value,
          })),
          borderColor: COLORS[at],
          backgroundColor: `${COLORS[at]}b0`,
          borderWidth: 1,
          pointStyle: SHAPES[at],
          pointRadius: sorted[at].length > 100 ? 2 : 5,
        })),
      },
      options: options({
        x: $localize`OSDs of the group, from least to greatest (%)`,
        y: metric.label,
        tickY: compact,
        minX: -2,
        maxX: 102,
        zeroY: true,
        tickX: (x) => (x >= 0 && x <= 100 ? String(x) : ''),
        tooltip: ({ dataset, index, y }) =>
          `osd.${sorted[dataset][index]?.id} (${sides[dataset].group}): ${compact(y)}`,
      }),
    },
    table: {
      header: [$localize`Group`, $localize`OSD`, metric.label],
      rows: sides.flatMap((side, at) =>
        sorted[at].map(({ id, value }) => [side.group, `osd.${id}`, Number(value.toPrecision(6))]),
      ),
    },
  };
}
