/** A comparison; field names are those of analysis/results.py. */

import { Op, Trial } from './run';

export type Verdict = 'faster' | 'slower' | 'no difference shown' | 'inconclusive';
export type Maybe = number | null;

export interface Spread {
  median: Maybe;
  min: Maybe;
  max: Maybe;
}

export interface Dot {
  run: string;
  round: number;
  attempt: number;
  position: number;
  started: number;
  ops_per_s: Maybe;
  bytes_per_s: Maybe;
  latency_avg: Maybe;
  client_host: string | null;
  /** Of the group at the time. */
  osds: Maybe;
}

/** An operation or an endpoint; percentiles by name, in seconds. */
export interface OperationFigures {
  name: string;
  trials: number;
  ops: Maybe;
  ops_per_s: Maybe;
  bytes_per_s: Maybe;
  latency_avg: Maybe;
  percentiles: Record<string, number>;
  first_byte: Record<string, number>;
  errors: Maybe;
}

export interface RowSide {
  group: string;
  osds: Maybe;
  trials: number;
  ops_per_s: Spread;
  bytes_per_s: Spread;
  ops_per_s_per_osd: Spread;
  bytes_per_s_per_osd: Spread;
  latency_avg: Spread;
  latency_max: Maybe;
  percentiles: Record<string, number>;
  percentiles_reason: string;
  percentiles_basis?: string;
  dots: Dot[];
  limited: Limited;
  operations: OperationFigures[];
  endpoints: OperationFigures[];
  /** Of a rate that grew within a trial; not judged. */
  steps?: OperationFigures[];
}

export interface Source {
  name: string;
  url: string;
}

/** A rule that held in trials of a cell; names of findings/summary.py. */
export interface Finding {
  id: string;
  limit: string;
  text: string;
  metric: string;
  unit: string;
  value: number;
  threshold: number;
  trials: number;
  share: Maybe;
  places: string[];
  direction: string;
  sources: Source[];
}

export interface SlowOsd {
  osd: number;
  text: string;
  metric: string;
  value: number;
  median: number;
  z: number;
  trials: number;
}

export const NOT_LIMITED: readonly string[] = ['none found', 'not available'];

/** What limited one group under one workload. */
export interface Limited {
  limit: string;
  trials: number;
  of: number;
  text: string;
  findings: Finding[];
  outliers: SlowOsd[];
  osds_max_mean: Maybe;
  hosts_max_mean: Maybe;
  /** How many these are of, and of how many; empty: of all. */
  osds_counted?: number[];
  hosts_counted?: number[];
  unknown: string[];
}

export interface PairDot {
  run: string;
  round: number;
  order: string;
  ratio: number;
  ratio_per_osd: Maybe;
}

export interface Estimate {
  ratio: Maybe;
  low: Maybe;
  high: Maybe;
  coverage: Maybe;
  kind: 'signed-rank' | 'mann-whitney' | 't' | 'range' | null;
  /** Blocks, or runs of the side that has fewer, that it is made of. */
  n: number;
  p: Maybe;
  p_family: Maybe;
  q: Maybe;
  verdict: Verdict | null;
  reason: string;
  detail: string;
  verdict_text: string;
  at_least: boolean;
  bound: Maybe;
  blocks_needed: Maybe;
  /** By which it is judged, which may not be that of its row. */
  rule: Row['rule'] | null;
}

export interface OrderEffect {
  baseline_first: number;
  candidate_first: number;
  ratio_baseline_first: Maybe;
  ratio_candidate_first: Maybe;
  second_place: Maybe;
}

export interface Reason {
  id: string;
  holds: boolean;
  evidence: string;
  at_least: boolean;
}

/** A further metric of a row, with a verdict of its own where it may. */
export interface MetricRow {
  id: string;
  title: string;
  unit: string;
  kind: 'efficiency' | 'latency';
  better: 'higher' | 'lower';
  basis: 'measured' | 'recorded' | 'stated';
  /** By what it was measured, where there are several ways. */
  source: string;
  baseline: Spread;
  candidate: Spread;
  estimate: Estimate;
}

export interface Row {
  workload: string;
  op: Op;
  size: number;
  concurrency: string;
  clients: number;
  duration: number;
  cache: 'cached' | 'device' | null;
  label: string;
  rule: 'fixed' | 'smoke' | 'adaptive' | 'runs' | 'trials';
  blocks_complete: number;
  blocks_planned: number;
  stopped_after: Maybe;
  baseline: RowSide;
  candidate: RowSide;
  pairs: PairDot[];
  estimate: Estimate;
  per_osd: Estimate;
  reasons: Reason[];
  missing_evidence: string[];
  order: OrderEffect | null;
  client_hosts: string[];
  metrics: MetricRow[];
  metrics_missing: string[];
  /** Of which this is a point, which has no verdict. */
  curve?: string;
  /** Its operations move unlike numbers of bytes. */
  mixed_sizes?: boolean;
}

/** One group at one point of a response curve; latencies in seconds. */
export interface PointSide {
  ops_per_s: Spread;
  bytes_per_s: Spread;
  latencies: Record<string, Spread>;
  host_cpu: Maybe;
  client_cpu: Maybe;
  host_cpu_per_op: Maybe;
  client_cpu_per_op: Maybe;
  trials: number;
  /** Trials that did less than was offered; null where nothing was. */
  behind: Maybe;
}

export interface CurvePoint {
  workload: string;
  concurrency: string;
  offered: Maybe;
  used: boolean;
  baseline: PointSide;
  candidate: PointSide;
}

/** A figure of a curve's shape, with its bootstrap interval. */
export interface CurveNote {
  id: string;
  value: number;
  low: number;
  high: number;
  unit: string;
}

export interface CurveSide {
  group: string;
  figure: Spread;
  above: number;
  below: number;
  peak: Spread;
  peak_at: string[];
  notes: CurveNote[];
  /** `figure` by OSDs, where the counts differ. */
  per_osd: Spread;
}

/** Two response curves and their one verdict. */
export interface ResponseCurve {
  name: string;
  op: Op;
  size: number;
  cache: Row['cache'];
  metric: 'slo' | 'peak' | 'offered';
  slo: string;
  percentile: string;
  limit: Maybe;
  rule: Row['rule'];
  rounds_complete: number;
  rounds_planned: number;
  points: CurvePoint[];
  baseline: CurveSide;
  candidate: CurveSide;
  estimate: Estimate;
  censored: '' | 'at least' | 'at most';
  peak: Estimate;
  reasons: Reason[];
  lacks: string[];
  /** How operations of a rate begin: 'open', or what closes them. */
  loop: string;
  /** `estimate` per OSD; null where the OSD counts are alike, or not known. */
  per_osd: Estimate | null;
}

export interface Description {
  group: string;
  label: string;
  runs: string[];
  placement: string;
  device_class: string | null;
  hosts: string[];
  osds: number;
  arch: string[];
  cpu: string[];
  ceph_version: string[];
  emulated: boolean;
  notes: string[];
  labels: string[];
  watts: Maybe;
  price: Maybe;
}

export interface Confounder {
  field: string;
  baseline: string[];
  candidate: string[];
  intended: boolean;
}

export interface VoidTrials {
  group: string;
  reason: string;
  count: number;
}

/** What was meant to differ, and how it does; empty sides where it does not. */
export interface Across {
  name: string;
  baseline: string[];
  candidate: string[];
}

export interface Comparison {
  baseline: Description;
  candidate: Description;
  runs: string[];
  profiles: string[];
  paired: boolean;
  tool: string;
  rows: Row[];
  family_size: number;
  /** Rows of further metrics, and of what latency probes saw: families of their own. */
  metrics_family_size: number;
  probe_family_size: number;
  family_groups: string[];
  order: OrderEffect | null;
  confounders: Confounder[];
  missing: string[];
  warnings: string[];
  void_trials: VoidTrials[];
  repeated_blocks: number;
  incomplete_blocks: string[];
  analysis: number;
  across: Across[];
  curves: ResponseCurve[];
}

/** Names of app/row_evidence.py and analysis/distribution.py. */

/** How latencies of one group's judged trials are spread. */
export interface Curve {
  samples: number;
  trials: number;
  /** Seconds, and the share of operations that took at most so long. */
  points: [number, number][];
  reason: string;
}

export interface Distribution {
  source: string;
  accuracy: string;
  baseline: Curve;
  candidate: Curve;
}

/** Lines over one time axis: seconds since the load began. */
export interface Course {
  t: number[];
  lines: Record<string, Maybe[]>;
}

export interface TrialCourse {
  side: 0 | 1;
  group: string;
  run: string;
  round: number;
  load: Course;
  hosts: Course;
  osd_hosts: number;
}

/** What is behind one row. */
export interface RowEvidence {
  rounds: { run: string; round: number }[];
  courses: TrialCourse[];
  distributions: Distribution[];
  shown: { side: 0 | 1; trial: Trial }[];
  foreign: boolean;
}
