/** The answer of a recovery: how long it took until all was clean again. */

import { formatDuration, formatRatio } from '../core/units';
import { Track } from './tracks';

export interface CleanAgain {
  /** The step of a test; '' of an episode. */
  title: string;
  sides: { group: string; side: number; text: string }[];
  /** Of the medians of two groups: a description, not a verdict. */
  ratio: string;
  repetitions: number;
}

/** Said of moments of a step that waits for no recovery: OSDs stay stopped. */
const NOT_AWAITED = 'not waited for';

interface Found {
  reached: number[];
  /** When it was no longer watched, though not clean yet. */
  cut: number[];
  other: number;
}

function foundOf(tracks: readonly Track[]): Found {
  const found: Found = { reached: [], cut: [], other: 0 };
  for (const { timeline } of tracks) {
    const { t1, t5: end } = timeline.marks;
    // counted without detection, as in lists and tables: from t1 or not at all
    const from = t1?.fate === 'reached' ? t1.at : null;
    const at = end?.at ?? null;
    if (from === null || at === null || (end?.fate !== 'reached' && end?.fate !== 'censored')) {
      found.other += 1;
    } else {
      (end.fate === 'reached' ? found.reached : found.cut).push(at - from);
    }
  }
  found.reached.sort((a, b) => a - b);
  return found;
}

function median(sorted: readonly number[]): number {
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function textOf({ reached, cut, other }: Found): string {
  const parts: string[] = [];
  if (reached.length) {
    const [low, high] = [reached[0], reached[reached.length - 1]];
    const range = reached.length > 1 ? ` (${formatDuration(low)} … ${formatDuration(high)})` : '';
    parts.push(formatDuration(median(reached)) + range);
  }
  if (cut.length) {
    const longest = formatDuration(Math.max(...cut));
    parts.push(
      cut.length + reached.length + other > 1
        ? $localize`${cut.length}× not within ${longest}`
        : $localize`not within ${longest}`,
    );
  }
  if (!parts.length) {
    return $localize`not available`;
  }
  return parts.join(', ');
}

/** Return a line for each step that waits for a recovery, with all its groups. */
export function cleanAgain(all: readonly Track[]): CleanAgain[] {
  const tracks = all.filter(({ timeline }) => timeline.marks.t5?.source !== NOT_AWAITED);
  const titles = [...new Set(tracks.map((track) => track.title))];
  return titles.map((title) => {
    const own = tracks.filter((track) => track.title === title);
    const groups = [...new Map(own.map(({ group, side }) => [group, side]))];
    const found = groups.map(([name]) => foundOf(own.filter((track) => track.group === name)));
    const whole = found.every(({ reached, cut, other }) => reached.length && !cut.length && !other);
    const [first, second] = found.map(({ reached }) => median(reached));
    const even = new Set(found.map(({ reached }) => reached.length)).size === 1;
    const paired = whole && even && found.length === 2 && title !== '' && first > 0;
    return {
      title,
      sides: groups.map(([group, side], at) => ({ group, side, text: textOf(found[at]) })),
      ratio: paired ? formatRatio(second / first) : '',
      repetitions: Math.max(
        0,
        ...groups.map(([name]) => own.filter((t) => t.group === name).length),
      ),
    };
  });
}
