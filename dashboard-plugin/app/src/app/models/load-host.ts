/** Load hosts; field names are those of model/load_host.py. */

import { Check } from './plan';

export interface LoadHost {
  host: string;
  state: string;
  added: number;
  /** Seconds since its agent was heard; null: never. */
  seen: number | null;
  hostname: string;
  arch: string;
  cores: number | null;
  memory_bytes: number | null;
  kernel: string;
  rados: string;
  /** Versions of other programs that some loads need; null: not told yet. */
  programs: Record<string, string> | null;
  addresses: string[];
  osds: number[];
  /** Seconds that its clock is behind the Manager's, and their bound. */
  clock_offset: number | null;
  clock_bound: number | null;
  refused: number;
  last_refusal: string;
}

export interface LoadHostCheck {
  host: LoadHost;
  findings: Check[];
}
