/** What the active run did while its page was open, and how it is drawn. */

import { formatOps, formatUtc } from '../core/units';
import { Progress, Run, Trial } from '../models/run';
import { Drawing } from '../compare/charts';
import { BASELINE, CANDIDATE, Mark, marks, options } from '../shared/plot';

/** A rate at a moment; one that is null is a gap. */
export interface Sample {
  at: number; // Unix milliseconds
  ops: number | null;
  bytes: number | null;
  trial: string;
}

/** Samples that are kept: ten minutes of them, at one in two seconds. */
export const KEPT = 300;
const SILENCE = 10_000; // milliseconds without a sample that are a gap
const COLORS = [BASELINE, CANDIDATE, '#6929c4', '#005d5d'];

/** Return the group of a trial such as 'write-4K-c16 on arm'. */
export function groupOf(trial: string): string {
  const at = trial.lastIndexOf(' on ');
  return at < 0 ? trial : trial.slice(at + 4);
}

/** Return the samples and a new one, with a gap where one belongs. */
export function added(samples: readonly Sample[], progress: Progress, now: number): Sample[] {
  const { ops_per_s: ops, bytes_per_s: bytes, trial } = progress;
  const last = samples.at(-1);
  const gap = { at: now, ops: null, bytes: null, trial: '' };
  if (ops === null || !trial) {
    return last && last.ops !== null ? [...samples, gap].slice(-KEPT) : [...samples];
  }
  const apart = last && last.ops !== null && (last.trial !== trial || now - last.at > SILENCE);
  return [...samples, ...(apart ? [gap] : []), { at: now, ops, bytes, trial }].slice(-KEPT);
}

/** Draw a line per group and a band per trial; gaps stay gaps. */
export function livePlot(samples: readonly Sample[], known: readonly string[]): Drawing {
  const now = samples.at(-1)?.at ?? 0;
  const second = (sample: Sample) => (sample.at - now) / 1000;
  const measured = samples.filter((sample) => sample.ops !== null);
  const seen = new Set(measured.map((sample) => groupOf(sample.trial)));
  const groups = [...known.filter((name) => seen.has(name)), ...seen].filter(
    (name, at, all) => all.indexOf(name) === at,
  );
  const color = (group: string) => {
    const at = known.indexOf(group);
    return COLORS[(at < 0 ? groups.indexOf(group) : at) % COLORS.length];
  };
  const highest = Math.max(1e-9, ...measured.map((sample) => sample.ops ?? 0));
  const bands: (Mark & { trial: string })[] = [];
  for (const sample of samples) {
    const band = bands.at(-1);
    if (sample.ops === null) {
      bands.push({ trial: '', x: 0, y: 0, y2: 0, color: '' });
    } else if (band?.trial === sample.trial) {
      band.x2 = second(sample);
    } else {
      const x = second(sample);
      const tint = `${color(groupOf(sample.trial))}18`;
      bands.push({
        trial: sample.trial,
        x,
        x2: x,
        y: 0,
        y2: highest,
        color: tint,
        fill: true,
      });
    }
  }
  return {
    config: {
      type: 'line',
      data: {
        datasets: groups.map((group) => ({
          label: group,
          data: samples.map((sample) => ({
            x: second(sample),
            y: sample.ops !== null && groupOf(sample.trial) === group ? sample.ops : NaN,
          })),
          borderColor: color(group),
          backgroundColor: color(group),
          borderWidth: 2,
          borderDash: known.indexOf(group) % 2 === 1 ? [6, 3] : [],
          // of a trial that has one sample so far there is no line
          pointRadius: 1.5,
          pointHoverRadius: 4,
          spanGaps: false,
        })),
      },
      plugins: [marks(bands.filter((band) => band.trial))],
      options: options({
        x: $localize`seconds before now`,
        y: $localize`op/s`,
        zeroY: true,
        maxX: 0,
        tooltip: ({ index, y }) => `${samples[index]?.trial}: ${formatOps(y)}`,
      }),
    },
    table: {
      header: [$localize`At (UTC)`, $localize`Trial`, $localize`op/s`, $localize`Throughput (B/s)`],
      rows: measured.map((sample) => [
        formatUtc(sample.at / 1000),
        sample.trial,
        Number((sample.ops ?? 0).toPrecision(6)),
        sample.bytes === null ? null : Math.round(sample.bytes),
      ]),
    },
  };
}

const ENOUGH = 4; // trials until it is known how long one takes

/**
 * Return seconds that are left, from and to: by the quick and the slow half
 * of the trials that were, from the start of one to that of the next. null
 * while there are too few, or none is left. What adaptive stopping leaves out is not known
 * before, so with it the time is from 0.
 */
export function timeLeft(run: Run, trials: readonly Trial[], now: number): [number, number] | null {
  const starts = trials.map((trial) => trial.started).sort((a, b) => a - b);
  const periods = starts.slice(1).map((start, at) => start - starts[at]);
  if (periods.length < ENOUGH) {
    return null;
  }
  periods.sort((a, b) => a - b);
  const done = new Set(
    trials
      .filter((trial) => trial.state === 'ok')
      .map((trial) => `${trial.round} ${trial.block} ${trial.position}`),
  );
  const left = run.plan.blocks.reduce(
    (sum, { round, index, order }) =>
      sum + order.filter((_, position) => !done.has(`${round} ${index} ${position}`)).length,
    0,
  );
  // the one under way began when the last one ended, at the earliest
  const gone = Math.max(0, now - Math.max(...trials.map((trial) => trial.ended)));
  const span = (share: number) => {
    const each = periods[Math.round(share * (periods.length - 1))];
    return left * each - Math.min(gone, each);
  };
  if (!left) {
    return null; // it does more than was planned
  }
  return [run.plan.options.adaptive ? 0 : span(0.25), span(0.75)];
}
