/** The settings of a run that are seldom changed. */

export type TextKey =
  | 'sizes'
  | 'concurrency'
  | 'duration'
  | 'rounds'
  | 'clients'
  | 'seed'
  | 'replicas'
  | 'ec_profile'
  | 'pg_num';
export type FlagKey = 'adaptive' | 'control' | 'allow_local_client' | 'enable_pool_delete';

export interface Field {
  key: TextKey;
  label: string;
  /** The least number; without it the field takes text. */
  min?: number;
  example?: string;
}

export const FIELDS: readonly Field[] = [
  { key: 'sizes', label: $localize`Object sizes`, example: '4K, 4M' },
  { key: 'concurrency', label: $localize`Operations in flight`, example: '16, 4/osd' },
  { key: 'duration', label: $localize`Seconds per trial`, min: 1 },
  { key: 'rounds', label: $localize`Rounds`, min: 1 },
  { key: 'clients', label: $localize`Client processes`, min: 1 },
  { key: 'seed', label: $localize`Seed of the order`, min: 0 },
  { key: 'replicas', label: $localize`Replicas`, min: 1 },
  { key: 'ec_profile', label: $localize`Erasure code profile` },
  { key: 'pg_num', label: $localize`PGs of a pool`, min: 1 },
];

export const FLAGS: readonly { key: FlagKey; label: string }[] = [
  {
    key: 'adaptive',
    label: $localize`Adaptive: end workloads early where the difference is large`,
  },
  { key: 'control', label: $localize`Control: compare a group with itself` },
  {
    key: 'allow_local_client',
    label: $localize`Allow load from a host that carries OSDs of a group (rows become inconclusive)`,
  },
  {
    key: 'enable_pool_delete',
    label: $localize`Allow the monitors to delete pools during the run (put back afterwards)`,
  },
];
