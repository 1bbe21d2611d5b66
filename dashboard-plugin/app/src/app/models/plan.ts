/** What a run is asked for, and what is said before it starts. */

import { RunPlan } from './run';

/** What a run or a recovery test is asked for; the API checks the names. */
export interface PlanRequest {
  groups: string[];
  [setting: string]: unknown;
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
}

export interface Draft {
  plan: RunPlan;
  text: string;
  preflight: PreflightReport;
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
