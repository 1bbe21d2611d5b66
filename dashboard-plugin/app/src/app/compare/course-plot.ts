/** Trials of a row laid over each other, and what hosts did meanwhile. */

import { compact, fixed } from '../core/locale';
import { formatByteRate, formatOps, formatPercent } from '../core/units';
import { RowEvidence, TrialCourse } from '../models/comparison';
import { COLORS, options } from '../shared/plot';
import { Drawing } from './charts';

/** A line of the courses, drawn in a chart of its own. */
export interface CourseLine {
  key: 'ops' | 'cpu' | 'disk' | 'network';
  title: string;
  axis: string;
  format: (value: number) => string;
  tick: (value: number) => string;
}

export const COURSE_LINES: readonly CourseLine[] = [
  {
    key: 'ops',
    title: $localize`Throughput over time`,
    axis: $localize`op/s`,
    format: formatOps,
    tick: compact,
  },
  {
    key: 'cpu',
    title: $localize`CPU of the busiest host`,
    axis: $localize`CPU busy`,
    format: formatPercent,
    tick: formatPercent,
  },
  {
    key: 'disk',
    title: $localize`Busiest disk`,
    axis: $localize`disk busy`,
    format: formatPercent,
    tick: formatPercent,
  },
  {
    key: 'network',
    title: $localize`Network of all hosts`,
    axis: $localize`sent and received`,
    format: formatByteRate,
    tick: formatByteRate,
  },
];

function valuesOf(course: TrialCourse, line: CourseLine) {
  const found = line.key === 'ops' ? course.load : course.hosts;
  return { t: found.t, values: found.lines[line.key] };
}

/** Return the seconds that all charts of these trials show. */
export function spanOf(courses: readonly TrialCourse[]): [number, number] {
  const loads = courses.flatMap(({ load }) => load.t);
  const times = loads.length ? loads : courses.flatMap(({ hosts }) => hosts.t);
  return times.length ? [0, Math.max(...times)] : [0, 1];
}

/** Call the courses of trials as the comparison calls its sides; trials keep what they recorded. */
export function namedCourses(found: RowEvidence, names: readonly string[]): RowEvidence {
  const courses = found.courses.map((course) => ({ ...course, group: names[course.side] }));
  return { ...found, courses };
}

/** Draw a line of all trials; those of a chosen round stand out. */
export function coursePlot(
  courses: readonly TrialCourse[],
  line: CourseLine,
  chosen: (course: TrialCourse) => boolean,
): Drawing | null {
  const drawn = courses.flatMap((course) => {
    const { t, values } = valuesOf(course, line);
    return values?.some((value) => value !== null) ? [{ course, t, values }] : [];
  });
  if (!drawn.length) {
    return null;
  }
  const [minX, maxX] = spanOf(courses);
  const some = drawn.some(({ course }) => chosen(course)) && drawn.length > 2;
  const named = new Set<number>();
  return {
    config: {
      type: 'line',
      data: {
        datasets: drawn.map(({ course, t, values }) => {
          const first = !named.has(course.side);
          named.add(course.side);
          const out = some && chosen(course);
          return {
            label: first ? course.group : '',
            data: t.flatMap((x, at) =>
              x >= minX && x <= maxX ? [{ x, y: values[at] ?? NaN }] : [],
            ),
            borderColor: COLORS[course.side] + (out || drawn.length <= 2 ? '' : some ? '38' : '90'),
            backgroundColor: COLORS[course.side],
            borderWidth: out || drawn.length <= 2 ? 2 : 1,
            borderDash: course.side ? [6, 3] : [],
            pointRadius: 0,
            pointHoverRadius: 4,
            spanGaps: false,
          };
        }),
      },
      options: options({
        x: $localize`seconds since the start of load`,
        y: line.axis,
        minX,
        maxX,
        tickY: line.tick,
        zeroY: true,
        tooltip: ({ dataset, x, y }) => {
          const { course } = drawn[dataset];
          const round = $localize`round ${course.round}`;
          return `${course.group}, ${round}, ${fixed(x, 0)} s: ${line.format(y)}`;
        },
      }),
    },
    table: {
      header: [$localize`Group`, $localize`Run`, $localize`Round`, $localize`Second`, line.axis],
      rows: drawn.flatMap(({ course, t, values }) =>
        t.map((x, at) => [course.group, course.run, course.round, x, values[at]]),
      ),
    },
  };
}
