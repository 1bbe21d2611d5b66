/** What a run is asked for, and what is said before it starts. */

import { RunPlan } from './run';

export interface RunRequest {
  groups: string[];
  profile?: string;
  workloads?: string[];
  sizes?: string[];
  concurrency?: string[];
  duration?: number;
  rounds?: number;
  clients?: number;
  seed?: number;
  replicas?: number;
  ec_profile?: string;
  pg_num?: number;
  label?: string;
  control?: boolean;
  adaptive?: boolean;
  allow_local_client?: boolean;
  enable_pool_delete?: boolean;
  consent?: boolean;
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
