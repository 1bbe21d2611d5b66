/** What an unclear row says in one sentence: how large it looks, why it is open, what would do. */

import { fixed, plain } from '../core/locale';
import { Estimate, Row } from '../models/comparison';
import { reasonWord } from '../shared/verdicts';
import { FEW, cure, isStored, reasonText, roundsFor, unclearKey } from './answer';
import { ForestLine } from './forest';
import { Metric, spreadsOf } from './metrics';

// comes with what the plot says later
export { basisText } from './basis';

/** Return how large a difference is, e.g. 'about 9× slower' or 'about 4 % faster'. */
export function magnitude(
  ratio: number | null,
  { better, speed }: Pick<Metric, 'better' | 'speed'>,
): string {
  if (ratio === null || ratio <= 0) {
    return '';
  }
  const more = Math.max(ratio, 1 / ratio);
  if (more < 1.005) {
    return $localize`looks about the same`;
  }
  const size =
    more >= 1.995
      ? `${plain(Number(more.toFixed(more < 9.95 ? 1 : 0)))}×`
      : `${fixed(100 * Math.abs(ratio - 1), 0)} %`;
  const wins = ratio >= 1 === (better === 'higher');
  if (!speed) {
    return wins ? $localize`looks about ${size} better` : $localize`looks about ${size} worse`;
  }
  return wins ? $localize`looks about ${size} faster` : $localize`looks about ${size} slower`;
}

/** Return by how much the trials of the side that varied more differ in what is judged. */
function variation(row: Row, metric: Metric, perOsd: boolean): string {
  const sides = [row.baseline, row.candidate];
  const spread = spreadsOf(row, metric, perOsd).map((figures, at) => {
    const { median, min, max } = figures ?? {};
    const known = sides[at].trials > 1 && median && min != null && max != null;
    return { group: sides[at].group, share: known ? (max - min) / median : 0 };
  });
  const most = spread[spread[1].share > spread[0].share ? 1 : 0];
  return most.share >= 0.05
    ? $localize`trials of ${most.group} spread over ${Math.round(100 * most.share)} %`
    : '';
}

/** Say of an unclear row how large it looks, why it is open, what would do. */
export function unclearText(
  row: Row,
  estimate: Estimate | null,
  metric: Metric,
  perOsd: boolean,
): string {
  const key = unclearKey(estimate);
  if (!key || !estimate) {
    return '';
  }
  const size = magnitude(estimate.ratio, metric);
  const why = [
    key === FEW ? reasonWord(estimate.reason) : reasonText(key),
    key === FEW || key === 'too noisy' ? variation(row, metric, perOsd) : '',
  ];
  const head = [size, $localize`not confirmed`].filter(Boolean).join(', ');
  const needs =
    cure(key, roundsFor(estimate), 0, isStored(estimate)) || $localize`removing the cause`;
  return $localize`${head}:size:: ${why.filter(Boolean).join('; ')}:reason:. It would take ${needs}.`;
}

/** Return all that a line of the plot says, in one sentence. */
export function lineText(line: ForestLine, metric: Metric, perOsd: boolean): string {
  const { row, view, verdict, ratio, interval } = line;
  return (
    unclearText(row, view.estimate, metric, perOsd) ||
    [verdict, ratio, interval, view.estimate?.detail].filter(Boolean).join(', ')
  );
}
