import { Estimate, Verdict } from '../models/comparison';

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
const ICONS: Record<Verdict, string> = {
  faster: '▲',
  slower: '▼',
  'no difference shown': '≈',
  inconclusive: '?',
};

/** Return the suffix of the CSS class of a verdict. */
export function verdictKey(verdict: Verdict | null): string {
  return verdict ? KEYS[verdict] : 'none';
}

export function verdictIcon(verdict: Verdict | null): string {
  return verdict ? ICONS[verdict] : '·';
}

/** Return a verdict as the CLI words it, with its bound where it has one. */
export function verdictLabel(estimate: Estimate): string {
  if (estimate.verdict === null) {
    return estimate.verdict_text || $localize`not judged`;
  }
  const bound = estimate.bound === null ? '' : `, < ${estimate.bound.toFixed(1)} %`;
  return (estimate.verdict_text || estimate.verdict) + bound;
}
