/** The form of a new run as data, and what is asked of the API. */

import { formatConcurrency } from '../core/units';
import { RunRequest } from '../models/plan';
import { Profile, Run } from '../models/run';

export interface FormData {
  groups: string[];
  profile: string;
  label: string;
  workloads: string[];
  sizes: string;
  concurrency: string;
  duration: string;
  rounds: string;
  clients: string;
  seed: string;
  replicas: string;
  ec_profile: string;
  pg_num: string;
  control: boolean;
  adaptive: boolean;
  allow_local_client: boolean;
  enable_pool_delete: boolean;
}

export function emptyForm(profile = ''): FormData {
  return {
    groups: [],
    profile,
    label: '',
    workloads: [],
    sizes: '',
    concurrency: '',
    duration: '',
    rounds: '',
    clients: '',
    seed: '',
    replicas: '',
    ec_profile: '',
    pg_num: '',
    control: false,
    adaptive: false,
    allow_local_client: false,
    enable_pool_delete: false,
  };
}

function list(text: string): string[] | undefined {
  const parts = text.split(/[\s,]+/).filter(Boolean);
  return parts.length ? parts : undefined;
}

function number(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text);
}

/** Return the request of a form; what is left empty takes its default. */
export function toRequest(form: FormData, consent: boolean): RunRequest {
  const request: RunRequest = {
    groups: form.groups,
    profile: form.profile,
    label: form.label.trim() || undefined,
    workloads: form.workloads.length ? form.workloads : undefined,
    sizes: list(form.sizes),
    concurrency: list(form.concurrency),
    duration: number(form.duration),
    rounds: number(form.rounds),
    clients: number(form.clients),
    seed: number(form.seed),
    replicas: number(form.replicas),
    ec_profile: form.ec_profile.trim() || undefined,
    pg_num: number(form.pg_num),
    control: form.control || undefined,
    adaptive: form.adaptive || undefined,
    allow_local_client: form.allow_local_client || undefined,
    enable_pool_delete: form.enable_pool_delete || undefined,
    consent: consent || undefined,
  };
  return JSON.parse(JSON.stringify(request));
}

/** Return the form that leads to the settings of a former run. */
export function formOf(run: Run): FormData {
  const { options, profile, groups } = run.plan;
  const text = (value: number | string | null) => (value === null ? '' : String(value));
  return {
    ...emptyForm(profile.name),
    groups: groups.map((group) => group.name),
    label: options.label,
    workloads: options.workloads ?? [],
    sizes: (options.sizes ?? []).join(', '),
    concurrency: (options.concurrency ?? []).join(', '),
    duration: text(options.duration),
    rounds: text(options.rounds),
    clients: text(options.clients),
    replicas: text(options.replicas),
    ec_profile: text(options.ec_profile),
    pg_num: text(options.pg_num),
    control: options.control,
    adaptive: options.adaptive,
    allow_local_client: options.allow_local_client,
    enable_pool_delete: options.enable_pool_delete,
  };
}

export function hasAdvanced(form: FormData): boolean {
  const plain = emptyForm(form.profile);
  return (Object.keys(plain) as (keyof FormData)[]).some(
    (key) =>
      !['groups', 'profile', 'label'].includes(key) &&
      JSON.stringify(form[key]) !== JSON.stringify(plain[key]),
  );
}

/** Return '10 s × 4 workloads × 7 rounds' facts of a profile. */
export function profileFacts(profile: Profile): string[] {
  return profile.workloads.map(
    (w) => `${w.name} (${w.duration} s, ${formatConcurrency(w.concurrency)})`,
  );
}
