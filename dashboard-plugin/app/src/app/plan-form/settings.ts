/** What a form asks for, and the request that is made of it. */

import { PlanRequest } from '../models/plan';

/** One setting of a request; left empty it takes its default. */
export interface Setting {
  /** Name in the request. */
  key: string;
  label: string;
  /** The least number; without it the field takes text. */
  min?: number;
  /** The text is a list. */
  list?: boolean;
  flag?: boolean;
  example?: string;
  /** The only values there are. */
  options?: readonly string[];
  /** Values of which several can be chosen, as 'value' or as [value, label]. */
  many?: readonly (readonly [string, string])[];
}

export type Value = string | boolean | string[];

/** A form as it was filled in: by the keys of its settings. */
export interface FormData {
  groups: string[];
  [key: string]: Value;
}

export function textOf(form: FormData, key: string): string {
  const value = form[key];
  return typeof value === 'string' ? value : '';
}

export function listOf(form: FormData, key: string): string[] {
  const value = form[key];
  return Array.isArray(value) ? value : [];
}

/** Say what is wrong with what was typed; '' where nothing is. */
export function faultOf({ min }: Setting, value: Value | undefined): string {
  const typed = typeof value === 'string' ? value.trim() : '';
  if (min === undefined || !typed) {
    return '';
  }
  const number = Number(typed.replace('−', '-'));
  if (!Number.isFinite(number)) {
    return $localize`“${typed}” is not a number.`;
  }
  return number < min ? $localize`“${typed}” is less than ${min}.` : '';
}

/** Return the value that is sent for what was filled in. */
function sent({ min, list }: Setting, value: Value | undefined): unknown {
  if (typeof value !== 'string') {
    return Array.isArray(value) && !value.length ? undefined : value || undefined;
  }
  const text = value.trim();
  if (!text) {
    return undefined;
  }
  return min !== undefined
    ? Number(text.replace('−', '-'))
    : list
      ? text.split(/[\s,]+/).filter(Boolean)
      : text;
}

/** Return the request of a form; what is left empty takes its default. */
export function toRequest(
  form: FormData,
  settings: readonly Setting[],
  consent: boolean,
): PlanRequest {
  const request: PlanRequest = { groups: form.groups };
  for (const setting of settings) {
    const value = sent(setting, form[setting.key]);
    if (value !== undefined) {
      request[setting.key] = value;
    }
  }
  return consent ? { ...request, consent } : request;
}

/** Return what of the options of a former request a form has filled in. */
export function filled(
  settings: readonly Setting[],
  options: Record<string, unknown>,
): Record<string, Value> {
  const found: Record<string, Value> = {};
  for (const { key, flag, many } of settings) {
    const value = options[key];
    if (value !== null && value !== undefined && value !== false) {
      found[key] = flag ? true : many ? (value as string[]) : [value].flat().join(', ');
    }
  }
  return found;
}

export const LABEL: Setting = { key: 'label', label: $localize`Label` };

/** Settings of the pools, the same for runs and for recovery tests. */
export const POOLS: readonly Setting[] = [
  { key: 'seed', label: $localize`Seed of the order`, min: 0 },
  { key: 'replicas', label: $localize`Replicas`, min: 1 },
  { key: 'ec_profile', label: $localize`Erasure code profile` },
  { key: 'pg_num', label: $localize`PGs of a pool`, min: 1 },
];

export const LEAVE: readonly Setting[] = [
  {
    key: 'allow_local_client',
    label: $localize`Allow load from a host that carries OSDs of a group (rows become inconclusive)`,
    flag: true,
  },
  {
    key: 'enable_pool_delete',
    label: $localize`Allow the monitors to delete pools meanwhile (put back afterwards)`,
    flag: true,
  },
];
