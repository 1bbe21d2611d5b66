/** What a run shows of its OSDs and hosts, and what limited it. */

import { Limited } from './comparison';

type Maybe = number | null;

/** The findings of a run, by workload and group. */
export interface RunFindings {
  run: string;
  cells: { workload: string; group: string; limited: Limited }[];
  /** Of trials, each once. */
  notes: string[];
}

/** One OSD's medians over the trials of a workload; times in seconds. */
export interface OsdRow {
  osd: number;
  ops_per_s: Maybe;
  bytes_per_s: Maybe;
  share: Maybe;
  latency: Maybe;
  queued: Maybe;
  commit: Maybe;
  device: Maybe;
  replica: Maybe;
  z: Maybe;
  slow_by: string;
}

export interface RunOsds {
  run: string;
  tables: OsdTable[];
}

export interface OsdTable {
  workload: string;
  group: string;
  trials: number;
  rows: OsdRow[];
  silent: number[];
  /** OSDs that are left out of the rows. */
  more: number;
}

/** One host's medians over the trials of a workload; shares are 0 … 1. */
export interface HostRow {
  workload: string;
  group: string;
  host: string;
  role: string;
  cores: Maybe;
  cpu_busy: Maybe;
  cpu_iowait: Maybe;
  memory_used: Maybe;
  disk: string;
  disk_util: Maybe;
  nic_bytes_per_s: Maybe;
  nic_share: Maybe;
}

/** What one host did of a load that several made: medians over its trials. */
export interface LoadShare {
  workload: string;
  group: string;
  host: string;
  part: Maybe;
  share: Maybe;
  ops_per_s: Maybe;
  busy: Maybe;
  cores: Maybe;
  late: Maybe;
  clock_ahead: Maybe;
  clock_bound: Maybe;
  errors: number | null;
}

export interface RunHosts {
  run: string;
  rows: HostRow[];
  notes: string[];
  load_hosts: LoadShare[];
}
