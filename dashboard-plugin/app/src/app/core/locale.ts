/** The language of the page: each is a build of its own. */

const ENGLISH = 'en-US';

/** Each translation names itself; tests have others. */
export const language = { tag: $localize`:The tag of the language itself, as de@@language:en-US` };

/** Return the locale by which numbers and dates are written. */
export function locale(): string {
  return language.tag;
}

/** Return the folder of main.js, from its own address, where all else is. */
export function rootOf(scriptUrl: string): string {
  // the source's language has no folder of its own
  return new URL(locale() === ENGLISH ? './' : '../', scriptUrl).href;
}

/** Return the browser's variant of the page's language: en-GB has days first. */
export function variant(own: readonly string[]): string {
  const [language] = locale().split('-');
  return own.find((tag) => tag.split('-')[0] === language) ?? locale();
}

const made = new Map<string, Intl.NumberFormat>();

function writer(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = locale() + JSON.stringify(options);
  const found = made.get(key) ?? new Intl.NumberFormat(locale(), options);
  made.set(key, found);
  return found;
}

/** Return a number with so many decimals, e.g. '1.50', in German '1,50'. */
export function fixed(value: number, digits: number): string {
  return writer({
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    useGrouping: false,
  }).format(value);
}

/** Return a whole number in groups of digits, e.g. '10,903'. */
export function grouped(value: number): string {
  return writer({ maximumFractionDigits: 0 }).format(value);
}

/** Return a number as it is, without zeros at its end, e.g. '1.25'. */
export function plain(value: number): string {
  return writer({ maximumSignificantDigits: 12, useGrouping: false }).format(value);
}

/** Return a number that is short, e.g. '12K', in German '12.345'. */
export function compact(value: number): string {
  return writer({ notation: 'compact' }).format(value);
}

/** Return what stands between numbers: ';' where ',' is in numbers. */
export function separator(): string {
  return fixed(0.5, 1).includes(',') ? '; ' : ', ';
}
