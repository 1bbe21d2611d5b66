/** The settings of a run, and the form that repeats one. */

import { opText } from '../compare/operations';
import { formatConcurrency, formatSize } from '../core/units';
import { Declarations } from '../models/plan';
import { Op, Profile, Run, Workload } from '../models/run';
import {
  FormData,
  LABEL,
  Setting,
  filled,
  isFilled,
  listOf,
  settingsOf,
} from '../plan-form/settings';

/** Return the settings that a run can have, whatever its operations are. */
function allSettings({ run, loads }: Declarations): Setting[] {
  const ops = loads.flatMap((load) => load.operations);
  const operations: Setting = {
    key: 'workloads',
    word: '--workload',
    label: $localize`Only these operations, whether the profile has them or not`,
    many: ops.map((op) => [op, opText(op as Op)]),
  };
  return [operations, ...settingsOf(run)];
}

/** Return the settings of a run with this profile, and what is filled in. */
export function runSettings(
  declared: Declarations,
  profile: Profile | undefined,
  form: FormData,
): Setting[] {
  const chosen = listOf(form, 'workloads');
  const ops = chosen.length ? chosen : (profile?.workloads ?? []).map(({ op }) => op);
  const loads = declared.loads
    .filter(({ operations }) => operations.some((op) => ops.includes(op)))
    .map(({ name }) => name);
  const others = declared.run
    .filter(({ load }) => load && !loads.includes(load))
    .map(({ name }) => name);
  const own = profileDefaults(profile);
  return allSettings(declared)
    .filter(({ key }) => !others.includes(key) || isFilled(form, key))
    .map((one) => ({ ...one, fallback: own[one.key] ?? one.fallback }));
}

/** Return what a profile has where a setting is left empty, by its key. */
function profileDefaults(profile: Profile | undefined): Record<string, string> {
  if (!profile) {
    return {};
  }
  const each = (of: (workload: Workload) => string | number) =>
    [...new Set(profile.workloads.map(of))].join(', ');
  return {
    sizes: each(({ size }) => formatSize(size)),
    concurrency: each(({ concurrency }) => formatConcurrency(concurrency)),
    duration: each(({ duration }) => duration),
    clients: each(({ clients }) => clients),
    rounds: String(profile.rounds),
  };
}

/** Return the form that leads to the settings of a former run. */
export function formOf(run: Run, declared: Declarations): FormData {
  const { options, profile, groups } = run.plan;
  const settings = allSettings(declared).filter(({ key }) => key !== 'seed');
  return {
    ...filled([LABEL, ...settings], { ...options }),
    // a limit that the profile has is not what a curve was judged by
    ...(options.curve && !options.slo ? { slo: 'none' } : {}),
    profile: profile.name,
    // the other side of a control is no group, but its own once more
    groups: (options.control ? groups.slice(0, 1) : groups).map(({ name }) => name),
  };
}

/** Return 'write-4K-c16 (10 s, 16)' facts of a profile. */
export function profileFacts(profile: Profile): string {
  return profile.workloads
    .map((w) => `${w.name} (${w.duration} s, ${formatConcurrency(w.concurrency)})`)
    .join('; ');
}
