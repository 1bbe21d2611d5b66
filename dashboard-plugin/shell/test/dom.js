/** The shells of the real dashboards, reduced to what the code looks at. */

import { JSDOM } from 'jsdom';

export const TENTACLE = `
  <nav id="sidebar" _ngcontent-x><div role="list">
    <cds-sidenav-item _ngcontent-x class="tc_menuitem_overview">
      <a class="cds--side-nav__link cds--side-nav__item--active"
         aria-current="page" routerlink="/overview" href="#/overview">
        <div class="cds--side-nav__icon"><svg></svg></div>
        <span class="cds--side-nav__link-text">Overview</span></a>
    </cds-sidenav-item>
    <cds-sidenav-menu><a class="cds--side-nav__link" href="#/osd">OSDs</a>
    </cds-sidenav-menu>
  </div></nav>`;

export const REEF = `
  <nav id="sidebar"><ul class="components">
    <li class="nav-item tc_menuitem_dashboard active" routerlinkactive>
      <a class="nav-link" routerlink="/dashboard" href="#/dashboard">
        <span>Dashboard</span></a></li>
    <li class="nav-item tc_menuitem_block">
      <a class="nav-link" title="Logs" href="#/logs" id="logs">Logs</a></li>
  </ul></nav>`;

/** A window that shows a page of a shell, as its host left it. */
export function windowOf(navigation, hash = '#/overview') {
  const { window } = new JSDOM(
    `<cd-root>${navigation}<div id="content">
       <div class="container-fluid"><cd-page></cd-page></div></div></cd-root>`,
    { url: `https://ceph.example/prefix/${hash}`, pretendToBeVisual: true },
  );
  return window;
}

/** Wait for what the window does after this turn. */
export function turn() {
  return new Promise((resolve) => setTimeout(resolve, 5));
}

/** The events of a browser's own change of the hash. */
export function typeHash(window, hash) {
  window.location.hash = hash;
  window.dispatchEvent(new window.Event('popstate'));
}
