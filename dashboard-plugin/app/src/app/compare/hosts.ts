/** Figures of hosts over a trial: which there are, as table and chart. */

import { fixed } from '../core/locale';
import { formatByteRate, formatBytes, formatNumber, formatPercent } from '../core/units';
import { HostFigures, SeriesTable } from '../models/run';
import { lineOf, options } from '../shared/plot';
import { Drawing } from './charts';
import { carriers } from './interfaces';

export interface Host {
  side: 0 | 1;
  group: string;
  name: string;
  figures: HostFigures;
}

type Value = number | null | undefined;

/** A figure of a host; in its series it may be spread over devices. */
export interface HostMetric {
  key: string;
  label: string;
  format: (value: Value) => string;
  /** Of one host over the trial. */
  of: (host: HostFigures) => Value;
  /** Columns of its series, and how several make one value; interfaces are added. */
  columns: RegExp;
  join: 'max' | 'sum';
}

const plain = (name: string) => (host: HostFigures) => host[name] as Value;

function most(found: Value[]): Value {
  const known = found.filter((value): value is number => typeof value === 'number');
  return known.length ? Math.max(...known) : null;
}

function sum(found: Value[]): Value {
  const known = found.filter((value): value is number => typeof value === 'number');
  return known.length ? known.reduce((a, b) => a + b) : null;
}

function one(key: string, label: string, format: HostMetric['format']): HostMetric {
  const columns = new RegExp(`^${key}$`);
  return { key, label, format, of: plain(key), columns, join: 'max' };
}

function share(key: string, label: string): HostMetric {
  return one(key, label, formatPercent);
}

function disk(name: string, label: string, format: HostMetric['format']): HostMetric {
  return {
    key: `disk.${name}`,
    label,
    format,
    of: (host) => most(Object.values(host.disks).map((one) => one[name])),
    columns: new RegExp(`^disk\\..*\\.${name}$`),
    join: 'max',
  };
}

function net(name: string, label: string): HostMetric {
  return {
    key: `nic.${name}`,
    label,
    format: formatByteRate,
    of: (host) => {
      const ports = carriers(Object.keys(host.nics));
      return sum([...ports].map((port) => host.nics[port][name]));
    },
    columns: new RegExp(`^nic\\.(.*)\\.${name}$`),
    join: 'sum',
  };
}

const milliseconds = (value: Value) =>
  typeof value === 'number' ? `${formatNumber(value * 1e3)} ms` : formatNumber(null);

export const HOST_METRICS: readonly HostMetric[] = [
  share('cpu_busy', $localize`CPU busy`),
  share('cpu_iowait', $localize`CPU waits for I/O`),
  share('cpu_steal', $localize`CPU stolen`),
  share('psi_cpu', $localize`CPU pressure`),
  share('psi_io', $localize`I/O pressure`),
  share('psi_memory', $localize`Memory pressure`),
  disk('util', $localize`Busiest disk`, formatPercent),
  disk('await', $localize`Slowest disk`, milliseconds),
  disk('queue', $localize`Longest disk queue`, formatNumber),
  net('rx_bytes_per_s', $localize`Network, received`),
  net('tx_bytes_per_s', $localize`Network, sent`),
  one('mem_available', $localize`Memory available`, formatBytes),
  one('swap_in_bytes_per_s', $localize`Read back from swap`, formatByteRate),
  one('watts', $localize`Power (W)`, formatNumber),
  one('temperature', $localize`Hottest processor (°C)`, formatNumber),
  one('throttled', $localize`Processors throttled (per second)`, formatNumber),
];

/** Return the figures that any host has. */
export function hostMetrics(hosts: readonly Host[]): HostMetric[] {
  return HOST_METRICS.filter((metric) =>
    hosts.some((host) => typeof metric.of(host.figures) === 'number'),
  );
}

/** Return a figure over time, of all devices of a host. */
export function valuesOf(table: SeriesTable, metric: HostMetric): Value[] {
  const device = ({ name }: { name: string }) => metric.columns.exec(name)?.[1] ?? '';
  let columns = table.columns.filter((column) => metric.columns.test(column.name));
  if (metric.join === 'sum') {
    const ports = carriers(columns.map(device));
    columns = columns.filter((column) => ports.has(device(column)));
  }
  const join = metric.join === 'sum' ? sum : most;
  return table.t.map((_, at) => join(columns.map((column) => column.values[at])));
}

export interface HostSeries {
  host: Host;
  table: SeriesTable;
}

/** Draw one figure of several hosts over the trial's time. */
export function hostPlot(series: readonly HostSeries[], metric: HostMetric): Drawing {
  const lines = series.map(({ host, table }) => ({ host, table, y: valuesOf(table, metric) }));
  // both sides begin at 0, whenever their trials were
  const start = lines.map(({ table }) => table.t[0] ?? 0);
  const named = new Set<number>();
  return {
    config: {
      type: 'line',
      data: {
        datasets: lines.map(({ host, table, y }, line) => {
          const label = named.has(host.side) ? '' : host.group;
          named.add(host.side);
          return {
            label,
            data: table.t.map((t, at) => ({ x: t - start[line], y: y[at] ?? NaN })),
            ...lineOf(host.side),
            borderWidth: 1.5,
            pointRadius: 0,
            pointHoverRadius: 4,
          };
        }),
      },
      options: options({
        x: $localize`seconds`,
        y: metric.label,
        tickY: metric.format,
        zeroX: true,
        zeroY: true,
        tooltip: ({ dataset, x, y }) =>
          `${lines[dataset].host.name}, ${fixed(x, 0)} s: ${metric.format(y)}`,
      }),
    },
    table: {
      header: [$localize`Group`, $localize`Host`, $localize`Second`, metric.label],
      rows: lines.flatMap(({ host, table, y }, line) =>
        table.t.map((t, at) => [host.group, host.name, t - start[line], y[at] ?? null]),
      ),
    },
  };
}
