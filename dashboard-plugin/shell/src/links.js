/** What a click leads to. */

export const APPLICATION = 'perfcompare-app';

/** The link of a plain click: its hash, and whether the app handles it. */
export function linkOf(event) {
  if (
    event.button ||
    event.ctrlKey ||
    event.metaKey ||
    event.shiftKey ||
    event.altKey
  ) {
    return null;
  }
  const path = event.composedPath();
  const link = path.find((e) => e.matches?.('a[href], [routerlink]'));
  if (!link || (link.target && link.target !== '_self')) {
    return null;
  }
  const hash = hashOfLink(link);
  const inApplication = path.some((e) => e.localName === APPLICATION);
  return hash ? { hash, inApplication } : null;
}

function hashOfLink(link) {
  const href = link.getAttribute('href') ?? '';
  if (href.startsWith('#')) {
    return href;
  }
  const route = link.getAttribute('routerlink');
  if (!route) {
    return '';
  }
  return route.startsWith('/') ? `#${route}` : `#/${route}`;
}
