/** The states of runs and recovery tests, as words for people. */

const WORDS: Record<string, string> = {
  queued: $localize`queued`,
  resuming: $localize`resuming`,
  preflight: $localize`preflight`,
  preparing: $localize`preparing`,
  trial: $localize`trial`,
  cooling: $localize`cooling`,
  finishing: $localize`finishing`,
  running: $localize`running`,
  stopped: $localize`stopped`,
  completed: $localize`completed`,
  failed: $localize`failed`,
  aborted: $localize`aborted`,
  cancelled: $localize`cancelled`,
  interrupted: $localize`interrupted`,
};

/** Return the word of a state; a state that is not known is its own. */
export function stateText(state: string): string {
  return WORDS[state] ?? state;
}
