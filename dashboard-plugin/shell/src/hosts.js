/** The shells of the dashboards that are known: facts about their DOM. */

/** Classes by which any of them marks the entry of the page shown. */
export const ACTIVE = ['active', 'cds--side-nav__item--active'];

/** The side navigation; absent on the login page. */
export function sidebar(document) {
  return document.getElementById('sidebar');
}

/** Whether the host has no entry at all: Tentacle draws none for some roles. */
export function isUnlisted(document) {
  const side = sidebar(document);
  return side !== null && side.querySelector('a') === null;
}

/** The element that holds the pages. */
export function content(document) {
  return document.getElementById('content');
}

/** The host's own container in it, hidden while ours is shown. */
export function container(document) {
  return document.querySelector('#content > :not(perfcompare-app)');
}

/** Whether the host's application is there at all. */
export function isStarted(document) {
  return document.querySelector('cd-root') !== null;
}

/** Whether the host shows one of its login pages. */
export function showsLogin(document) {
  return document.querySelector('cd-login, cd-login-layout') !== null;
}

/**
 * A top-level entry of the navigation to make ours of: its list, itself, and
 * what is marked with which class when it is active. Null in unknown shells.
 */
export function entry(document) {
  const side = sidebar(document);
  return side && (carbonEntry(side) ?? bootstrapEntry(side));
}

/** Tentacle (20): Carbon's side navigation. */
function carbonEntry(side) {
  const link = side.querySelector(
    '[role=list] > cds-sidenav-item a[href^="#/"]',
  );
  return (
    link && {
      list: link.closest('[role=list]'),
      item: link.closest('cds-sidenav-item'),
      activeClass: 'cds--side-nav__item--active',
      activeOnLink: true,
    }
  );
}

/** Reef and Squid (18, 19): a list of Bootstrap. */
function bootstrapEntry(side) {
  const links = side.querySelectorAll('ul.components > li > a[href^="#/"]');
  // the first one, the overview, may have an icon of its own
  const link = links[1] ?? links[0];
  return (
    link && {
      list: link.closest('ul'),
      item: link.closest('li'),
      activeClass: 'active',
      activeOnLink: false,
    }
  );
}
