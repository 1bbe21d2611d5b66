import { Injectable, inject } from '@angular/core';
import { Api } from '../core/api';
import { Comparison, Row } from '../models/comparison';
import { Trial } from '../models/run';
import { isForeign } from '../runs/run-facts';
import { OsdSide, TrialSeries } from './charts';

/** The trials behind one row, found in the runs that it was made of. */
export interface RowTrials {
  rounds: { key: string; text: string }[];
  trials: { side: 0 | 1; round: string; trial: Trial }[];
  /** Another tool measured, and its file has no samples. */
  unsampled: boolean;
}

/** What was recorded in the trials of one round, or of all. */
export interface RoundEvidence {
  series: TrialSeries[];
  osds: OsdSide[];
  /** The last chosen trial of each side, with all that was recorded. */
  full: { side: 0 | 1; trial: Trial }[];
  manifests: { group: string; manifest: Record<string, unknown> }[];
}

const AT_ONCE = 4;

/** Fetch the raw evidence behind a row. */
@Injectable({ providedIn: 'root' })
export class RowEvidence {
  private readonly api = inject(Api);

  async trials(comparison: Comparison, row: Row, signal: AbortSignal): Promise<RowTrials> {
    const runs = await inTurn(comparison.runs, (run) => this.api.run(run, signal));
    const found: RowTrials = { rounds: [], trials: [], unsampled: true };
    const several = comparison.paired && comparison.runs.length > 1;
    for (const { run, trials } of runs) {
      for (const trial of trials) {
        const side = this.sideOf(comparison, run.id, trial);
        if (trial.workload !== row.workload || trial.state !== 'ok' || side === null) {
          continue;
        }
        const key = several ? `${run.id}:${trial.round}` : String(trial.round);
        found.trials.push({ side, round: key, trial });
        if (!isForeign(run) || trial.summary?.windows.length) {
          found.unsampled = false;
        }
        if (trial.round > 0 && !found.rounds.some((round) => round.key === key)) {
          const text = $localize`Round ${trial.round}`;
          found.rounds.push({ key, text: several ? `${text}, ${run.id}` : text });
        }
      }
    }
    return found;
  }

  private sideOf(comparison: Comparison, run: string, trial: Trial): 0 | 1 | null {
    const { baseline, candidate } = comparison;
    if (trial.group === baseline.group && baseline.runs.includes(run)) {
      return 0;
    }
    return trial.group === candidate.group && candidate.runs.includes(run) ? 1 : null;
  }

  /** Return evidence of one round; of all: the series of every round. */
  async round(trials: RowTrials, round: string, signal: AbortSignal): Promise<RoundEvidence> {
    const all = round === 'all';
    const chosen = trials.trials.filter((item) =>
      all ? item.trial.round > 0 : item.round === round,
    );
    const sampled = trials.unsampled ? [] : chosen;
    const series = await inTurn(sampled, async ({ side, trial }): Promise<TrialSeries[]> => {
      try {
        const table = await this.api.series(trial.run, trial, 'client', signal);
        return [{ side, group: trial.group, round: trial.round, table }];
      } catch (error) {
        if (signal.aborted) {
          throw error;
        }
        return []; // samples are thinned out by retention before summaries
      }
    });
    // evidence of OSDs is shown of the last round when all are chosen
    const last = [...chosen].reverse();
    const newest = ([0, 1] as const).flatMap((side) => {
      const item = last.find((one) => one.side === side);
      return item ? [item] : [];
    });
    const full = await inTurn(newest, async ({ side, trial }) => ({
      side,
      trial: await this.api.trial(trial.run, trial, signal),
    }));
    return {
      series: series.flat(),
      osds: full.map(({ trial }) => ({ group: trial.group, osds: trial.evidence.osds ?? {} })),
      full,
      manifests: full.map(({ trial }) => ({ group: trial.group, manifest: trial.manifest })),
    };
  }
}

/** Map with a few calls under way at a time, so that no viewer is a load. */
export async function inTurn<T, R>(
  items: readonly T[],
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const worker = async () => {
    while (next < items.length) {
      const at = next;
      next += 1;
      results[at] = await work(items[at]);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}
