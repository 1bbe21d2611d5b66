import { Estimate, Verdict } from '../models/comparison';
import { formatBound } from '../core/units';

export const VERDICTS: readonly Verdict[] = [
  'faster',
  'slower',
  'no difference shown',
  'inconclusive',
];

const KEYS: Record<Verdict, string> = {
  faster: 'faster',
  slower: 'slower',
  'no difference shown': 'same',
  inconclusive: 'open',
};
/** The shapes of the plot as characters, for words beside them. */
const ICONS: Record<Verdict, string> = {
  faster: '▲',
  slower: '▼',
  'no difference shown': '■',
  inconclusive: '○',
};

/** Return the suffix of the CSS class of a verdict. */
export function verdictKey(verdict: Verdict | null): string {
  return verdict ? KEYS[verdict] : 'none';
}

export function verdictIcon(verdict: Verdict | null): string {
  return verdict ? ICONS[verdict] : '◇';
}

const WORDS: Record<Verdict, string> = {
  faster: $localize`faster`,
  slower: $localize`slower`,
  'no difference shown': $localize`no difference shown`,
  inconclusive: $localize`inconclusive`,
};
/** Those of what is no rate or time, such as operations per watt. */
const PLAIN: Partial<Record<Verdict, string>> = {
  faster: $localize`better`,
  slower: $localize`worse`,
};
const REASONS: Record<string, string> = {
  'too noisy': $localize`too noisy`,
  'between runs': $localize`between runs`,
  'one of many rows': $localize`one of many rows`,
};

/** Return the word of a verdict; `speed` says whether what is better is faster. */
export function verdictWord(verdict: Verdict, speed = true): string {
  return (speed ? undefined : PLAIN[verdict]) ?? WORDS[verdict];
}

/** Return why a verdict is open; ids of reasons stay as the manual has them. */
export function reasonWord(reason: string): string {
  const [, done, wanted] = /^(\d+) of (\d+) blocks$/.exec(reason) ?? [];
  return wanted ? $localize`${done} of ${wanted} blocks` : (REASONS[reason] ?? reason);
}

/** Return a verdict as the CLI words it, with its bound where it has one. */
export function verdictLabel(estimate: Estimate, speed = true): string {
  const { verdict, reason, at_least: atLeast, bound } = estimate;
  if (verdict === null) {
    return $localize`not judged`;
  }
  const why = reason ? reasonWord(reason) : atLeast ? $localize`at least` : '';
  const most = bound === null ? '' : `, < ${formatBound(bound)}`;
  return verdictWord(verdict, speed) + (why && ` (${why})`) + most;
}
