/** The course of a recovery, laid over each other at t0, or at t1 where any has no t0. */

import { fixed } from '../core/locale';
import { formatByteRate, formatLatency, formatNumber, formatPercent } from '../core/units';
import { MarkName, Recovery, StepResult, Timeline } from '../models/recovery';
import { SeriesTable } from '../models/run';
import { Drawing } from '../compare/charts';
import { COLORS, Mark, lineOf, marks, options } from '../shared/plot';
import { thinned } from '../shared/thinned';

/** One timeline of a group: of an episode, or of one step of a test. */
export interface Track {
  key: string;
  group: string;
  title: string;
  timeline: Timeline;
  side: number;
}

export const MARKS: readonly MarkName[] = ['t0', 't1', 't2', 't3', 't4', 't5'];

/** Say what a step did, whichever OSD it was done to: groups are compared by it. */
export function roleOf({ title, target }: StepResult): string {
  return target && title.startsWith(`${target} `) ? `OSD${title.slice(target.length)}` : title;
}

/** Return all timelines, those of the same step beside each other. */
export function tracksOf(item: Recovery): Track[] {
  if (item.timelines) {
    return item.timelines.map((timeline, side) => ({
      key: timeline.scope,
      group: timeline.scope,
      title: '',
      timeline,
      side,
    }));
  }
  const groups = item.groups ?? [];
  return (item.steps ?? [])
    .flatMap((step) =>
      step.timeline
        ? [
            {
              key: `${step.group}/${step.repetition}/${step.index}`,
              group: step.group,
              title: roleOf(step),
              timeline: step.timeline,
              side: groups.indexOf(step.group),
              order: [step.index, step.repetition, groups.indexOf(step.group)],
            },
          ]
        : [],
    )
    .sort((a, b) => compare(a.order, b.order));
}

/** Return the series of a track; what each Manager watched ('…#1') is a part of one. */
export function sourcesOf(series: readonly string[], key: string): string[] {
  const wholes = new Set(series.map((name) => name.replace(/#\d+$/, '')));
  return [...wholes].filter((name) => name === key || name.startsWith(`${key}/`));
}

function compare(a: number[], b: number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at < 0 ? 0 : a[at] - b[at];
}

export type Zero = 't0' | 't1';

/** Return the moment that all are counted from: seconds since different ones compare nothing. */
export function zeroOf(tracks: readonly Track[]): Zero {
  return tracks.every(({ timeline }) => timeline.marks.t0?.fate === 'reached') ? 't0' : 't1';
}

/** Return when a recovery began; without that moment, its first sample. */
function begun(timeline: Timeline, zero: Zero): number {
  const moment = timeline.marks[zero];
  return (moment?.fate === 'reached' ? moment.at : null) ?? timeline.began;
}

/** Return the time of a mark since `zero` as text, with how well it is known. */
export function markText(timeline: Timeline, name: MarkName, zero: Zero): string {
  const moment = timeline.marks[name];
  if (!moment || moment.fate === 'not available' || moment.at === null) {
    return moment?.fate === 'skipped' ? $localize`none` : formatNumber(null);
  }
  const after = `${fixed(moment.at - begun(timeline, zero), 1)} s`;
  if (moment.fate === 'censored') {
    return `> ${after}`;
  }
  return moment.accuracy ? `${after} ±${fixed(moment.accuracy, 1)}` : after;
}

/** Say what happened, in seconds since `zero`. */
export function eventsOf(tracks: readonly Track[], zero: Zero): string[] {
  return tracks.flatMap(({ group, timeline }) =>
    timeline.events.map(
      ({ at, text }) => `${group}, ${fixed(at - begun(timeline, zero), 1)} s: ${text}`,
    ),
  );
}

const FORMATS: Record<string, (value: number | null) => string> = {
  share: formatPercent,
  'B/s': formatByteRate,
  s: formatLatency,
};
const LABELS: Record<string, string> = {
  degraded: $localize`Degraded share of object copies`,
  misplaced: $localize`Misplaced share of object copies`,
  recovery: $localize`Recovery (bytes per second)`,
  objects: $localize`Recovery (objects per second)`,
  unclean: $localize`PGs not clean`,
  inactive: $localize`PGs not active`,
  unfound: $localize`Unfound objects`,
};

/** Say what a column of the series is. */
export function curveLabel(name: string): string {
  const [load, figure] = name.split('_');
  return (
    LABELS[name] ??
    (figure === 'ops'
      ? $localize`Clients: ${load}:load: (op/s)`
      : figure === 'latency'
        ? $localize`Clients: ${load}:load: latency`
        : name)
  );
}

export interface TrackSeries {
  track: Track;
  tables: SeriesTable[];
}

export function curvesOf(series: readonly TrackSeries[]): string[] {
  const names = series.flatMap(({ tables }) =>
    tables.flatMap((table) => table.columns.map((column) => column.name)),
  );
  return [...new Set(names)];
}

/** Draw one curve of several recoveries; the dashed lines are their t5. */
export function trackPlot(series: readonly TrackSeries[], name: string, zero: Zero): Drawing {
  const lines = series.flatMap(({ track, tables }) => {
    const points = tables.flatMap((table) => {
      const column = table.columns.find((one) => one.name === name);
      const shift = table.wall_start - begun(track.timeline, zero);
      return column ? table.t.map((t, at) => ({ x: t + shift, y: column.values[at] ?? NaN })) : [];
    });
    return points.length ? [{ track, points }] : [];
  });
  const unit =
    series
      .flatMap(({ tables }) => tables.flatMap((table) => table.columns))
      .find((column) => column.name === name)?.unit ?? '';
  const format = FORMATS[unit] ?? formatNumber;
  const highest = lines.reduce(
    (most, { points }) => points.reduce((top, { y }) => Math.max(top, y || 0), most),
    1e-9,
  );
  const ends = lines.flatMap(({ track }): Mark[] => {
    const end = track.timeline.marks.t5;
    const x =
      end?.fate === 'reached' && end.at !== null ? end.at - begun(track.timeline, zero) : null;
    return x === null
      ? []
      : [{ x, y: 0, y2: highest, color: COLORS[track.side % 4], width: 1, dash: [4, 4] }];
  });
  const named = new Set<string>();
  return {
    config: {
      type: 'line',
      data: {
        datasets: lines.map(({ track, points }) => {
          const label = named.has(track.group) ? '' : track.group;
          named.add(track.group);
          return {
            label,
            data: thinned(points),
            ...lineOf(track.side),
            borderWidth: 1.5,
            pointRadius: 0,
            pointHoverRadius: 4,
          };
        }),
      },
      plugins: [marks(ends)],
      options: options({
        x: $localize`seconds since ${zero}:moment:`,
        y: curveLabel(name),
        tickY: format,
        zeroY: true,
        tooltip: ({ dataset, x, y }) => {
          const { track } = lines[dataset];
          return `${track.group} ${track.title}, ${fixed(x, 1)} s: ${format(y)}`;
        },
      }),
    },
    table: {
      header: [$localize`Group`, $localize`Step`, $localize`Second`, curveLabel(name)],
      rows: lines.flatMap(({ track, points }) =>
        points.map(({ x, y }) => [track.key, track.title, x, Number.isNaN(y) ? null : y]),
      ),
    },
  };
}
