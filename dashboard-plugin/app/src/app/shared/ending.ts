/** What is said when the end of a run or a recovery test was asked for. */

import { Stopping } from '../models/run';

function howText({ killed, load_hosts, taken_over }: Stopping): string {
  if (load_hosts?.length) {
    return $localize`Its load is being killed on ${load_hosts.join(', ')}:hosts:, which takes about a second; a host that cannot be reached does it by itself, within worker_lease.`;
  }
  if (taken_over) {
    return $localize`What is left of its load ends by itself, within worker_lease.`;
  }
  return killed ? $localize`Its load is dead.` : $localize`It ends its load first.`;
}

/** Say what no test takes back: an operator stopped them, and so has to start them. */
export function ownOsdsText(): string {
  return $localize`OSDs that you stopped stay down until you start them.`;
}

/** Say in a line what an end that was asked for does, as report/listing.py does. */
export function endingText(found: Stopping): string {
  const undone = $localize`Then everything is undone.`;
  const late = found.noted
    ? ''
    : $localize`Should this Manager die before the Monitors have written that, ask for it again.`;
  const own = found.test ? ownOsdsText() : '';
  return [howText(found), undone, own, late].filter(Boolean).join(' ');
}
