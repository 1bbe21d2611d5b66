/** Our part of the URL's hash: pure functions. */

export const ROUTE = '#/perfcompare';

/** Whether a hash is one of our pages. */
export function isOurs(hash) {
  return hash === ROUTE || /^[/?]/.test(afterRoute(hash));
}

function afterRoute(hash) {
  return hash.startsWith(ROUTE) ? hash.slice(ROUTE.length) : '';
}

/** The application's path of one of our hashes, query included. */
export function pathOf(hash) {
  return isOurs(hash) ? afterRoute(hash) : '';
}

/** The hash that a URL, as given to pushState, leads to. */
export function hashOf(url, location, base) {
  if (url === undefined || url === null) {
    return location.hash;
  }
  try {
    return new URL(String(url), base).hash;
  } catch {
    return '';
  }
}

/** Whether two hashes are the same page, whatever their queries. */
export function samePage(a, b) {
  return bare(a) === bare(b);
}

function bare(hash) {
  return hash.replace(/\?.*$/, '').replace(/\/+$/, '');
}

/** Whether the host shows a page there on which nobody is logged in. */
export function isLogin(hash) {
  return /^#\/(login|sso|change-password)\b/.test(hash);
}

/** Whether the host says there that something failed. */
export function isError(hash) {
  return /^#\/error\b/.test(hash);
}

/** Whether the host's page there has no shell, although one is logged in. */
export function isBare(hash) {
  return /^#\/api-docs\b/.test(hash);
}

/** Whether the host has no page chosen yet. */
export function isEmpty(hash) {
  return hash === '' || hash === '#' || hash === '#/';
}
