/** What the active run did while its page was open, and how it is drawn. */

import { formatOps, formatUtc } from '../core/units';
import { Progress } from '../models/run';
import { Drawing } from '../compare/charts';
import { Mark, lineOf, marks, options } from '../shared/plot';

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
  const place = (group: string) => {
    const at = known.indexOf(group);
    return at < 0 ? groups.indexOf(group) : at;
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
      const tint = `${lineOf(place(groupOf(sample.trial))).borderColor}18`;
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
          ...lineOf(place(group)),
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
