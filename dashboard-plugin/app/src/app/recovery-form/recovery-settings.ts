/** The settings of a recovery test. */

import { opText } from '../compare/operations';
import { Declarations } from '../models/plan';
import { Op } from '../models/run';
import { Setting, settingsOf } from '../plan-form/settings';

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

/** What belongs to scenarios that stop something. */
const STOPS = ['nodes', 'stop_by', 'step_timeout', 'auto_out'];

/** Return the settings of a test by this scenario. */
export function testSettings({ recovery, loads }: Declarations, scenario: string): Setting[] {
  const load: Setting = {
    key: 'workloads',
    word: '--workload',
    label: $localize`Load meanwhile, of one kind`,
    many: [
      ...loads
        .flatMap((one) => one.beside_recovery)
        .map((op): readonly [string, string] => [op, opText(op as Op)]),
      ['none', $localize`No load`],
    ],
  };
  const stops = scenario.endsWith('stop');
  return [load, ...settingsOf(recovery).filter(({ key }) => stops || !STOPS.includes(key))];
}
