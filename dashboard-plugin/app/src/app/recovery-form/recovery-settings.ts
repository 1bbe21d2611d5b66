/** The settings of a recovery test. */

import { LEAVE, POOLS, Setting } from '../plan-form/settings';

/** What moves data of the test's own pool only. */
export const HARMLESS = 'backfill';
export const SCENARIOS: readonly { name: string; about: string }[] = [
  {
    name: HARMLESS,
    about: $localize`moves PGs of the test's own pool, and back`,
  },
  {
    name: 'osd-down',
    about: $localize`marks an OSD down; no data moves`,
  },
  { name: 'osd-out', about: $localize`marks an OSD out; all its data moves, and back` },
  { name: 'osd-stop', about: $localize`stops an OSD` },
  { name: 'host-stop', about: $localize`stops all OSDs of a host` },
];

const LOAD: readonly Setting[] = [
  {
    key: 'workloads',
    label: $localize`Load meanwhile; both if none is chosen`,
    many: [
      ['write', $localize`Write`],
      ['rand', $localize`Random read`],
      ['none', $localize`No load`],
    ],
  },
  { key: 'repetitions', label: $localize`Repetitions of each group`, min: 1 },
  { key: 'size', label: $localize`Object size`, example: '64K' },
  { key: 'concurrency', label: $localize`Operations in flight`, min: 1 },
  { key: 'data', label: $localize`Bytes of each OSD, written before`, example: '256M' },
  { key: 'hold', label: $localize`Seconds of load before a step`, min: 3 },
  { key: 'limit', label: $localize`Seconds until a step is given up`, min: 10 },
  {
    key: 'mclock_profile',
    label: $localize`mClock profile meanwhile`,
    options: ['', 'balanced', 'high_recovery_ops', 'high_client_ops'],
  },
];

const STOPS: readonly Setting[] = [
  { key: 'nodes', label: $localize`How many are stopped`, min: 1 },
  {
    key: 'stop_by',
    label: $localize`Stopped by`,
    options: ['', 'auto', 'orchestrator', 'operator'],
  },
  { key: 'step_timeout', label: $localize`Seconds that an operator has to act`, min: 10 },
  {
    key: 'auto_out',
    label: $localize`Let the monitors mark stopped OSDs out`,
    flag: true,
  },
];

/** Return the settings of a test by this scenario. */
export function testSettings(scenario: string): Setting[] {
  return [...LOAD, ...(scenario.endsWith('stop') ? STOPS : []), ...POOLS, ...LEAVE];
}
