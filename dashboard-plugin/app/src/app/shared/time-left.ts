/** How long what is under way goes on: one range, wherever it is told. */

import { formatDuration } from '../core/units';
import { Progress } from '../models/run';

const STEP = 10; // seconds; an estimate is no stopwatch

/** Say whether all trials were, and what is left is to clean up. */
export function isEnding({ state, fraction }: Progress): boolean {
  return state === 'finishing' || fraction >= 1;
}

/** Return the range as `ceph perfcompare status` has it. */
export function timeLeft(now: Progress): string {
  if (isEnding(now)) {
    return $localize`cleaning up`;
  }
  if (now.eta === null) {
    return $localize`longer than estimated`;
  }
  const [low, high] = [now.eta_least ?? now.eta, now.eta].map((seconds) =>
    formatDuration(Math.ceil(seconds / STEP) * STEP),
  );
  return low === high ? $localize`about ${low}` : $localize`${low} to ${high}`;
}

/** The same, where no label beside it says what it is. */
export function leftText(now: Progress): string {
  return isEnding(now) || now.eta === null ? timeLeft(now) : $localize`${timeLeft(now)} left`;
}
