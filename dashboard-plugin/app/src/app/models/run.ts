/** Runs and what they hold; field names are those of models.py. */

export type Op =
  | 'write'
  | 'rand'
  | 'seq'
  | 's3-put'
  | 's3-get'
  | 's3-stat'
  | 's3-delete'
  | 's3-mixed'
  | 's3-range'
  | 's3-list'
  | 's3-overwrite'
  | 's3-multidelete'
  | 's3-multipart'
  | 's3-copy'
  | 'rbd-randread'
  | 'rbd-randwrite'
  | 'rbd-randrw'
  | 'rbd-read'
  | 'rbd-write'
  | 'rbd-rw'
  | 'io-read'
  | 'io-write'
  | 'io-randread'
  | 'io-randwrite'
  | 'io-mixed'
  | 'io-trim'
  | 'other';
export type Permission = 'read' | 'create' | 'update' | 'delete';
export type RunState =
  | 'queued'
  | 'resuming'
  | 'preflight'
  | 'preparing'
  | 'trial'
  | 'cooling'
  | 'finishing'
  | 'completed'
  | 'failed'
  | 'aborted'
  | 'cancelled'
  | 'interrupted';

const ENDED: readonly RunState[] = ['completed', 'failed', 'aborted', 'cancelled', 'interrupted'];

export function hasEnded(state: RunState): boolean {
  return ENDED.includes(state);
}

/** Say whether a state is one of the many that trials go through. */
export function isOfTrial(state: string): boolean {
  return state === 'trial' || state === 'cooling';
}

export interface Concurrency {
  value: number;
  per_osd: boolean;
}

export interface Workload {
  name: string;
  op: Op;
  size: number;
  concurrency: Concurrency;
  duration: number;
  warmup: number;
  clients: number;
  cache: 'cached' | 'device' | null;
  tool: string;
}

export interface Profile {
  name: string;
  description: string;
  rounds: number;
  workloads: Workload[];
  version: string;
  builtin: boolean;
  /** Why it cannot be used; absent or empty when it can. */
  problem?: string;
}

/** A profile as a run had it, and what became of it. */
export interface FormerProfile extends Profile {
  run: string;
  since: 'same' | 'changed' | 'gone';
}

export interface RunOptions {
  seed: number | null;
  replicas: number | null;
  ec_profile: string | null;
  pg_num: number | null;
  label: string;
  control: boolean;
  adaptive: boolean;
  consent: boolean;
  allow_local_client: boolean;
  enable_pool_delete: boolean;
  workloads: string[] | null;
  sizes: string[] | null;
  concurrency: string[] | null;
  curve: string | null;
  slo: string | null;
  duration: number | null;
  rounds: number | null;
  clients: number | null;
}

export interface PoolPlan {
  name: string;
  group: string;
  role: string;
  rule: string;
  pg_num: number;
  size: number;
  min_size: number;
  ec_profile: string | null;
  max_bytes: number;
  per_round: boolean;
}

export interface GroupPlan {
  name: string;
  placement: 'hosts' | 'device-class';
  root: string | null;
  rule: string;
  device_class: string | null;
  hosts: string[];
  osds: number[];
  pools: PoolPlan[];
  note: string;
  watts: number | null;
  price: number | null;
}

export interface Block {
  round: number;
  index: number;
  workload: string;
  order: string[];
}

export interface RunPlan {
  run: string;
  groups: GroupPlan[];
  profile: Profile;
  options: RunOptions;
  seed: number;
  size: number;
  min_size: number;
  failure_domain: string;
  blocks: Block[];
  bytes_written: number;
  seconds: number;
  seconds_max: number;
  key: string;
  client_host: string;
  pauses_autoscaler: string[];
  labels: string[];
  /** What makes it the plan of a recovery test. */
  recovery: TestPlan | null;
}

export interface TestPlan {
  scenario: string;
  repetitions: number;
  groups: { group: string; steps: { kind: string; title: string; target: string }[] }[];
}

export interface RunEvent {
  at: number;
  state: RunState;
  message: string;
}

export interface Run {
  id: string;
  state: RunState;
  plan: RunPlan;
  created: number;
  started: number | null;
  ended: number | null;
  reason: string;
  origin: string;
  fsid: string;
  ceph_version: string;
  module_version: string;
  events: RunEvent[];
  /** The abort rules, at its end. */
  rules: RuleValue[];
}

/** The worst value that an abort rule saw. */
export interface RuleValue {
  rule: string;
  threshold: string;
  worst: string;
  fired: boolean;
}

export interface TrialSummary {
  ops_per_s: number | null;
  bytes_per_s: number | null;
  latency_avg: number | null;
  latency_max: number | null;
  window: number;
  ops: number;
  errors: number;
  percentiles: Record<string, number>;
  windows: number[];
  client_thread_cores: number | null;
  client_cores: number | null;
  host_busy: number | null;
  host_cores: number | null;
}

export interface TrialKey {
  round: number;
  block: number;
  attempt: number;
  position: number;
}

/** Counters of one OSD over a trial; null when they could not be read. */
export type OsdFigures = Record<string, number> | null;

type Figures = Record<string, number | null>;

/** What node_exporter said of a host over a trial's window. */
export interface HostFigures {
  role: string;
  source?: string;
  nics: Record<string, Figures>;
  disks: Record<string, Figures & { osds?: unknown; role?: unknown }>;
  [figure: string]: unknown;
}

/** Latencies that the OSDs themselves recorded. */
export interface Histogram {
  count: number;
  /** In words: how far apart the bounds of buckets are. */
  accuracy: string;
  /** Between which seconds a percentile lies; null is no bound. */
  bounds: Record<string, (number | null)[]>;
  p50?: number | null;
  p95?: number | null;
  p99?: number | null;
}

/** What one of several load hosts did of a trial; null is not known. */
export interface LoadShare {
  host: string;
  share: number | null;
  ops_per_s: number | null;
  busy: number | null;
  late: number | null; // s
  clock_ahead: number | null; // s, of the Manager's
  clock_bound: number | null; // s, of that
}

export interface Evidence {
  client?: Record<string, unknown> & { hosts?: LoadShare[] };
  osds?: Record<string, OsdFigures>;
  hosts?: Record<string, HostFigures>;
  histograms?: Record<string, Histogram | null>;
  notes?: string[];
}

export interface Trial extends TrialKey {
  run: string;
  workload: string;
  group: string;
  started: number;
  ended: number;
  state: 'ok' | 'void';
  reason: string;
  summary: TrialSummary | null;
  manifest: Record<string, unknown>;
  evidence: Evidence;
}

export interface RunDetail {
  run: Run;
  trials: Trial[];
}

/** Rows of a candidate against the first group, by verdict. */
export interface RunVerdicts {
  candidate: string;
  faster: number;
  slower: number;
  no_difference: number;
  inconclusive: number;
  open: number;
  /** Those of the two groups that are known to be emulated. */
  emulated?: string[];
}

export interface RunInfo {
  id: string;
  state: RunState;
  label: string;
  profile: string;
  groups: string[];
  created: number;
  started: number | null;
  ended: number | null;
  reason: string;
  origin: string;
  fsid: string;
  trials: number;
  bytes: number;
  /** Empty where it is not known (yet). */
  workloads: string[];
  /** null where the run is not judged (yet). */
  verdicts: RunVerdicts[] | null;
}

export interface RunPage {
  runs: RunInfo[];
  total: number;
  offset: number;
}

export interface Progress {
  /** '' while it is not known yet which run a former Manager left. */
  run: string;
  state: RunState;
  fraction: number;
  /** Seconds at most; null: longer than estimated. */
  eta: number | null;
  /** Seconds at least; null: one figure is known. */
  eta_least: number | null;
  round: number;
  rounds: number;
  trial: string;
  ops_per_s: number | null;
  bytes_per_s: number | null;
  message: string;
  /** Of a recovery test; '' is a run. */
  scenario: string;
}

export interface Status {
  progress: Progress | null;
  last: string;
  warnings: string[];
  permissions?: Permission[];
  failure_tests?: boolean;
  version?: string;
}

/** What was answered to who asked for the end of a run. */
export interface Stopping {
  /** '' when it was only being checked: it will not begin. */
  run: string;
  killed: boolean;
  /** Whether a Manager that takes over knows it. */
  noted: boolean;
  /** Those that were told to kill its load. */
  load_hosts: string[];
  /** It is a former Manager's: what is left of its load ends by itself. */
  taken_over: boolean;
  /** It is a recovery test. */
  test: boolean;
}

export interface SeriesTable {
  wall_start: number;
  t: number[];
  columns: { name: string; unit: string; values: (number | null)[] }[];
}

export interface JournalEntry {
  run: string;
  seq: number;
  kind: string;
  name: string;
  step: 'intent' | 'done';
  detail: Record<string, string>;
  value: string | null;
  previous: string | null;
  was_set: boolean;
  suffix: string;
}

export type Journal = JournalEntry[];
