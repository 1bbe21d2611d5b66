/** Numbers with units for people; as units.py of the manager module. */

import { Concurrency } from '../models/run';
import { fixed, grouped, locale, plain, separator, variant } from './locale';

export const NOT_AVAILABLE = '–';
type Maybe = number | null | undefined;
const SIZE = 0.05; // up to which q a row has a verdict

function three(value: number): string {
  const size = Math.abs(value);
  return fixed(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : 2);
}

function missing(value: Maybe): value is null | undefined {
  return value === null || value === undefined || !Number.isFinite(value);
}

/** Return the exact short name of a size in bytes, e.g. '4 KiB'. */
export function formatSize(bytes: number): string {
  for (const [power, unit] of [
    [4, 'TiB'],
    [3, 'GiB'],
    [2, 'MiB'],
    [1, 'KiB'],
  ] as const) {
    const one = 1024 ** power;
    if (bytes >= one && bytes % one === 0) {
      return `${bytes / one} ${unit}`;
    }
  }
  return `${bytes} B`;
}

/** Return an amount of data, e.g. '1.50 GiB'. */
export function formatBytes(value: Maybe): string {
  if (missing(value)) {
    return NOT_AVAILABLE;
  }
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let left = value;
  let at = 0;
  while (Math.abs(left) >= 1023.5 && at < units.length - 1) {
    left /= 1024;
    at += 1;
  }
  return at === 0 ? `${fixed(left, 0)} B` : `${three(left)} ${units[at]}`;
}

/** Return bytes per second, decimal, e.g. '136 MB/s'. */
export function formatByteRate(value: Maybe): string {
  if (missing(value)) {
    return NOT_AVAILABLE;
  }
  const units = ['B/s', 'kB/s', 'MB/s', 'GB/s', 'TB/s'];
  let left = value;
  let at = 0;
  while (Math.abs(left) >= 999.5 && at < units.length - 1) {
    left /= 1000;
    at += 1;
  }
  return `${three(left)} ${units[at]}`;
}

/** Return a plain number of operations, e.g. '10,903' or '33.9'. */
export function formatNumber(value: Maybe): string {
  if (missing(value)) {
    return NOT_AVAILABLE;
  }
  return Math.abs(value) >= 999.5 ? grouped(value) : three(value);
}

/** Return operations per second, e.g. '10,903 op/s'. */
export function formatOps(value: Maybe): string {
  return missing(value) ? NOT_AVAILABLE : `${formatNumber(value)} op/s`;
}

/** Return a latency given in seconds, e.g. '6.50 ms'. */
export function formatLatency(seconds: Maybe): string {
  if (missing(seconds)) {
    return NOT_AVAILABLE;
  }
  const size = Math.abs(seconds);
  if (size >= 0.9995) {
    return `${three(seconds)} s`;
  }
  return size >= 0.0009995 ? `${three(seconds * 1e3)} ms` : `${three(seconds * 1e6)} µs`;
}

/** Return how far a clock is ahead, and how well that is known, in seconds. */
export function formatClock(ahead: Maybe, bound: Maybe): string {
  if (missing(ahead) || missing(bound)) {
    return NOT_AVAILABLE;
  }
  const sign = ahead < 0 ? '-' : '+';
  return `${sign}${formatLatency(Math.abs(ahead))} ± ${formatLatency(bound)}`;
}

/** Return a duration in at most two units, e.g. '3 min 20 s'. */
export function formatDuration(seconds: Maybe): string {
  if (missing(seconds)) {
    return NOT_AVAILABLE;
  }
  if (seconds < 0) {
    return `-${formatDuration(-seconds)}`;
  }
  if (seconds < 9.95 && Math.abs(seconds - Math.round(seconds)) >= 0.05) {
    return `${fixed(seconds, 1)} s`;
  }
  const whole = Math.round(seconds);
  if (whole < 60) {
    return `${whole} s`;
  }
  if (whole < 3600) {
    return two(whole, 60, 'min', 's');
  }
  const minutes = Math.round(whole / 60);
  return minutes < 1440
    ? two(minutes, 60, 'h', 'min')
    : two(Math.round(minutes / 60), 24, 'd', 'h');
}

function two(value: number, per: number, big: string, small: string): string {
  const high = Math.floor(value / per);
  const low = value % per;
  return low ? `${high} ${big} ${low} ${small}` : `${high} ${big}`;
}

/** Return a number with as many decimals, six at most, as tell it from a limit. */
function apartFrom(value: number, limit: number, decimals: number): string {
  let digits = decimals;
  while (digits < 6 && value !== limit && Number(value.toFixed(digits)) === limit) {
    digits += 1;
  }
  return fixed(value, digits);
}

/** Return a number below 1 with three significant digits, however small. */
export function significant(value: number): string {
  return fixed(value, Math.min(20, 2 - Math.floor(Math.log10(value))));
}

/**
 * Return a ratio with three significant digits, at most 3 decimals. Near 1 it
 * has more: on which side of it an end lies must be seen; so have tiny ones.
 */
export function formatRatio(value: Maybe): string {
  if (missing(value)) {
    return NOT_AVAILABLE;
  }
  if (value >= 99.95) {
    return fixed(value, 0);
  }
  if (value > 0 && value < 0.00995) {
    return significant(value);
  }
  if (value >= 0.995 && value < 1.005) {
    return apartFrom(value, 1, 3);
  }
  return fixed(value, value < 0.995 ? 3 : value < 9.995 ? 2 : 1);
}

export function formatInterval(low: Maybe, high: Maybe): string {
  return missing(low) || missing(high)
    ? NOT_AVAILABLE
    : `[${formatRatio(low)}${separator()}${formatRatio(high)}]`;
}

/** Return a share, e.g. '42 %'; a small one with two digits: '0.3 %' is not nothing. */
export function formatPercent(share: Maybe): string {
  if (missing(share)) {
    return NOT_AVAILABLE;
  }
  const percent = share * 100;
  const digits = Math.abs(percent) < 9.95 ? Number(percent.toPrecision(2)) : Math.round(percent);
  return `${plain(digits)} %`;
}

/** Return the least bound in tenths of a percent that holds, e.g. '5.0 %'. */
export function formatBound(percent: number): string {
  return `${fixed(Math.ceil(10 * percent - 1e-9) / 10, 1)} %`;
}

/** Return a probability, e.g. '<.001'. */
export function formatP(value: Maybe): string {
  if (missing(value)) {
    return NOT_AVAILABLE;
  }
  return value < 0.001 ? `<${fixed(0.001, 3).replace(/^0\./, '.')}` : apartFrom(value, SIZE, 3);
}

export function formatConcurrency(value: Concurrency): string {
  return value.per_osd ? `${value.value}/osd` : String(value.value);
}

/** Return ISO 8601 UTC of a Unix time. */
export function formatUtc(unix: number): string {
  return `${new Date(Math.floor(unix) * 1000).toISOString().slice(0, 19)}Z`;
}

const SECOND: Intl.DateTimeFormatOptions = {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
};
let clock: [string, Intl.DateTimeFormat] | null = null;

/** Return a Unix time in the time zone of the browser. */
export function formatLocal(unix: number): string {
  if (clock?.[0] !== locale()) {
    clock = [locale(), new Intl.DateTimeFormat(variant(navigator.languages), SECOND)];
  }
  return clock[1].format(new Date(unix * 1000));
}
