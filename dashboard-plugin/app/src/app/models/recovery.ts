/** Recoveries; field names are those of model/recovery.py and app/. */

import { Maybe } from './comparison';
import { RuleValue } from './run';

export type MarkName = 't0' | 't1' | 't2' | 't3' | 't4' | 't5';

export interface Moment {
  fate: 'reached' | 'censored' | 'skipped' | 'not available';
  at: Maybe;
  accuracy: Maybe;
  source: string;
}

export interface PhaseFigures {
  phase: string;
  began: number;
  span: { seconds: number; accuracy: number; censored: boolean };
  bytes_recovered: Maybe;
  objects_recovered: Maybe;
  bytes_per_s: Maybe;
  objects_per_s: Maybe;
  degraded_share: Maybe;
  misplaced_share: Maybe;
  client: Record<string, Maybe>;
}

export interface Timeline {
  scope: string;
  began: number;
  ended: number;
  marks: Partial<Record<MarkName, Moment>>;
  phases: PhaseFigures[];
  size: { pgs: number; degraded: number; misplaced: number; bytes_recovered: Maybe };
  states: Record<string, number>;
  events: { at: number; text: string }[];
  notes: string[];
}

export interface StepResult {
  group: string;
  repetition: number;
  index: number;
  kind: string;
  title: string;
  target: string;
  timeline: Timeline | null;
  client: Record<string, Maybe>;
  notes: string[];
}

/** An episode or a test; what only one of them has is optional. */
export interface Recovery {
  id: string;
  state: string;
  ended: Maybe;
  origin: string;
  notes: string[];
  // an episode
  began?: number;
  causes?: { kind: string; at: number; osds: number[]; detail: string }[];
  timelines?: Timeline[];
  handovers?: number[];
  // a test
  created?: number;
  scenario?: string;
  groups?: string[];
  reason?: string;
  /** With the abort rules, once it has ended. */
  settings?: { rules?: RuleValue[] };
  steps?: StepResult[];
}

export interface RecoveryDetail {
  kind: 'episode' | 'test';
  item: Recovery;
  series: string[];
  /** Groups side by side, phase by phase. */
  tables: TextTable[];
  /** Of steps and groups; those of the recovery itself are with it. */
  notes: { text: string; warns: boolean }[];
}

/** A table with the words and numbers of the CLI. */
export interface TextTable {
  title: string;
  header: string[];
  rows: string[][];
  right: number[];
}

export interface RecoveryInfo {
  id: string;
  kind: 'episode' | 'test';
  state: string;
  ended: boolean;
  began: number;
  title: string;
  groups: GroupBrief[];
  bytes: number;
  origin: string;
}

export interface GroupBrief {
  group: string;
  clean: { seconds: number; censored: boolean } | null;
  way: string;
  /** As notes of the recovery say; not known of those of former versions. */
  emulated?: boolean;
}

export interface RecoveryList {
  observer: { enabled: boolean; state: string; episode: string };
  current: RecoveryInfo | null;
  items: RecoveryInfo[];
  total: number;
  offset: number;
}
