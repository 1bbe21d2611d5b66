import { RunInfo } from '../models/run';

/** One side of a comparison: a group, of the newest fitting run or of one. */
export interface Side {
  group: string;
  run: string; // '' is the newest
}

export interface Selection {
  baseline: Side;
  candidate: Side;
  /** Runs whose blocks are pooled; excludes runs of the sides. */
  runs: string[];
}

export function parseSide(text: string | null): Side {
  const [group = '', run = ''] = (text ?? '').split('@');
  return { group, run };
}

export function sideText(side: Side): string {
  return side.run ? `${side.group}@${side.run}` : side.group;
}

/** Return the selection that a query means. */
export function readSelection(query: URLSearchParams): Selection {
  const selection = {
    baseline: parseSide(query.get('baseline')),
    candidate: parseSide(query.get('candidate')),
    runs: query.getAll('run').filter((run) => run !== ''),
  };
  const only = selection.runs.length === 1 ? selection.runs[0] : '';
  if (only && !selection.baseline.run && !selection.candidate.run) {
    // one run is easier to choose at the sides than in a list
    selection.baseline.run = only;
    selection.candidate.run = only;
    selection.runs = [];
  }
  return selection;
}

/** Return a selection as the API and the address want it. */
export function selectionQuery(selection: Selection): {
  baseline: string;
  candidate: string;
  run: string[];
} {
  const { baseline, candidate, runs } = selection;
  if (runs.length) {
    return { baseline: baseline.group, candidate: candidate.group, run: runs };
  }
  if (baseline.run && baseline.run === candidate.run && baseline.group !== candidate.group) {
    return { baseline: baseline.group, candidate: candidate.group, run: [baseline.run] };
  }
  return { baseline: sideText(baseline), candidate: sideText(candidate), run: [] };
}

export function isComplete(selection: Selection): boolean {
  const { baseline, candidate, runs } = selection;
  if (!baseline.group || !candidate.group) {
    return false;
  }
  return (
    baseline.group !== candidate.group ||
    runs.length > 1 ||
    (baseline.run !== candidate.run && !!baseline.run && !!candidate.run)
  );
}

/** Return what to show first: the newest run that compares something. */
export function suggest(runs: readonly RunInfo[]): Selection | null {
  const useful = runs.filter((run) => run.trials > 0);
  const both = useful.find((run) => run.groups.length > 1);
  if (both) {
    return {
      baseline: { group: both.groups[0], run: '' },
      candidate: { group: both.groups[1], run: '' },
      runs: [],
    };
  }
  const newest = useful[0];
  const other = useful.find((run) => run.id !== newest?.id);
  if (!newest || !other) {
    return null;
  }
  return {
    baseline: { group: other.groups[0], run: other.id },
    candidate: { group: newest.groups[0], run: newest.id },
    runs: [],
  };
}
