export const ROUTE = '#/perfcompare';

/** Stands for the name of what is yet to be made: no name begins so. */
export const NEW = '_new';

export type Page =
  | 'compare'
  | 'runs'
  | 'run'
  | 'new'
  | 'groups'
  | 'recoveries'
  | 'recovery'
  | 'test'
  | 'checks'
  | 'profiles'
  | 'unknown';

export interface Route {
  page: Page;
  /** Id of a run or a recovery, or name of a group. */
  id: string;
  query: URLSearchParams;
}

/** Return a path with a slash at its start, or '' for the start page. */
export function normalizePath(path: string): string {
  const trimmed = path.trim();
  if (trimmed === '' || trimmed === '/') {
    return '';
  }
  return /^[/?]/.test(trimmed) ? trimmed : `/${trimmed}`;
}

/** Return our part of a hash; '' when it is not ours. */
export function pathOfHash(hash: string): string {
  const ours = hash === ROUTE || hash.startsWith(`${ROUTE}/`) || hash.startsWith(`${ROUTE}?`);
  return ours ? normalizePath(hash.slice(ROUTE.length)) : '';
}

/** Return the page that a path means. */
export function parsePath(path: string): Route {
  const at = path.indexOf('?');
  const plain = at < 0 ? path : path.slice(0, at);
  const query = new URLSearchParams(at < 0 ? '' : path.slice(at + 1));
  const [first = '', second = '', ...rest] = plain
    .split('/')
    .filter((part) => part !== '')
    .map(decode);
  const route = (page: Page, id = ''): Route => ({ page, id, query });
  if (rest.length > 0) {
    return route('unknown');
  }
  switch (first) {
    case '':
    case 'compare':
      return second ? route('unknown') : route('compare');
    case 'runs':
      return second ? route('run', second) : route('runs');
    case 'recoveries':
      return second === 'new'
        ? route('test')
        : second
          ? route('recovery', second)
          : route('recoveries');
    case 'new':
      return second ? route('unknown') : route('new');
    case 'profiles':
      return route('profiles', second);
    case 'checks':
      return second ? route('unknown') : route('checks');
    case 'groups':
      return route('groups', second);
    default:
      return route('unknown');
  }
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Entries of a page of a list. */
export const PAGE = 20;

/** Return at which entry the page of a list begins. */
export function offsetOf(query: URLSearchParams): number {
  const offset = Number(query.get('offset'));
  return Number.isInteger(offset) && offset > 0 ? offset : 0;
}

export type QueryValue = string | number | boolean | readonly string[] | null | undefined;

/** Return `path` with a query of all values that are set. */
export function withQuery(path: string, values: Record<string, QueryValue>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== null && one !== undefined && one !== '') {
        query.append(name, String(one));
      }
    }
  }
  const text = query.toString();
  return text ? `${path}?${text}` : path;
}
