/** What a run is asked for, and what is said before it starts. */

import { RunPlan } from './run';

/** What a run or a recovery test is asked for; the API checks the names. */
export interface PlanRequest {
  groups: string[];
  [setting: string]: unknown;
}

/** An option as the module declares it. */
export interface Declared {
  name: string;
  /** As on the command line, and in what checks advise. */
  flag: string;
  type: 'str' | 'int' | 'float' | 'bool';
  help: string;
  many: boolean;
  /** In words, of what stands where it is absent. */
  default: string;
  least: number | null;
  most: number | null;
  choices: string[];
  /** The kind of load that takes it; '' is every one. */
  load: string;
}

/** A kind of load: its operations, and which can go on beside a recovery. */
export interface Load {
  name: string;
  title: string;
  operations: string[];
  beside_recovery: string[];
}

/** What runs and recovery tests can be asked for. */
export interface Declarations {
  run: Declared[];
  recovery: Declared[];
  loads: Load[];
}

export type Severity = 'ok' | 'info' | 'warn' | 'refuse';

export interface Check {
  id: string;
  severity: Severity;
  message: string;
  remedy: string;
}

export interface PreflightReport {
  checks: Check[];
  refused: boolean;
  needs_consent: boolean;
  /** Ids of the checks that ask for consent, whether it was given or not. */
  asks?: string[];
}

export interface Draft {
  plan: RunPlan;
  text: string;
  preflight: PreflightReport;
  /** Tells whether what starts is what was shown; planning/agreed.py. */
  digest: string;
}

export interface Ticket {
  run: string;
  groups: string[];
  profile: string;
  seconds: number;
  seconds_max: number;
  bytes_written: number;
  warnings: string[];
  next_command: string;
}
