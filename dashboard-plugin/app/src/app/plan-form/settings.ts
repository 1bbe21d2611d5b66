/** What a form asks for, and the request that is made of it. */

import { separator } from '../core/locale';
import { Declared, PlanRequest } from '../models/plan';

/** One setting of a request; left empty it takes its default. */
export interface Setting {
  /** Name in the request. */
  key: string;
  label: string;
  /** Its option, by which checks and refusals name it. */
  word?: string;
  /** The field takes a number; without it, text. */
  number?: 'int' | 'float';
  least?: number | null;
  most?: number | null;
  /** In words, what stands where it is left empty. */
  fallback?: string;
  /** The text is a list. */
  list?: boolean;
  flag?: boolean;
  /** The only values there are. */
  options?: readonly string[];
  /** The kind of load that takes it; '' or none is each. */
  load?: string;
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
export function faultOf(setting: Setting, value: Value | undefined): string {
  const typed = typeof value === 'string' ? value.trim() : '';
  if (!setting.number || !typed) {
    return '';
  }
  const number = numberOf(typed);
  if (!Number.isFinite(number)) {
    return $localize`“${typed}” is not a number.`;
  }
  if (setting.number === 'int' && !Number.isInteger(number)) {
    return $localize`“${typed}” is not a whole number.`;
  }
  const { least, most } = setting;
  if (least !== null && least !== undefined && number < least) {
    return $localize`“${typed}” is less than ${least}.`;
  }
  return most !== null && most !== undefined && number > most
    ? $localize`“${typed}” is more than ${most}.`
    : '';
}

/**
 * Return what was typed as a number, NaN of what is none: a minus may be the
 * typographic one, a comma the decimal sign where the language has it.
 */
export function numberOf(typed: string): number {
  const text = typed.trim().replace('−', '-');
  const comma = separator() !== ', ' && /^[^.,]*,[^.,]*$/.test(text);
  return text ? Number(comma ? text.replace(',', '.') : text) : NaN;
}

/** Return the value that is sent for what was filled in. */
function sent({ number, list }: Setting, value: Value | undefined): unknown {
  if (typeof value !== 'string') {
    return Array.isArray(value) && !value.length ? undefined : value || undefined;
  }
  const text = value.trim();
  if (!text) {
    return undefined;
  }
  return number ? numberOf(text) : list ? text.split(/[\s,]+/).filter(Boolean) : text;
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

export const LABEL: Setting = { key: 'label', label: $localize`Label`, word: '--label' };

/** What forms ask for elsewhere, each in a way of its own. */
const APART = ['groups', 'profile', 'scenario', 'workloads', 'label', 'consent'];

/** Return the settings of declared options, in their order. */
export function settingsOf(options: readonly Declared[]): Setting[] {
  return options.filter(({ name }) => !APART.includes(name)).map(settingOf);
}

function settingOf(option: Declared): Setting {
  const { name, type, least, most, choices } = option;
  const setting = {
    key: name,
    label: option.help,
    word: option.flag,
    fallback: option.default,
    load: option.load,
  };
  if (type === 'bool') {
    return { ...setting, flag: true };
  }
  if (choices.length) {
    return { ...setting, options: ['', ...choices] };
  }
  return {
    ...setting,
    list: option.many,
    number: type === 'str' ? undefined : type,
    least,
    most,
  };
}

/** Say whether a form has something filled in for a setting. */
export function isFilled(form: FormData, key: string): boolean {
  return form[key] === true || !!form[key]?.toString().trim();
}
