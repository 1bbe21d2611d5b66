/** Our entry in the host's side navigation: a copy of one of the host's. */

import { ROUTE } from './hash.js';
import { ACTIVE, entry } from './hosts.js';

const OURS = '[data-perfcompare=item]';
const DROPPED = [
  'aria-current',
  'ariacurrentwhenactive',
  'id',
  'route',
  'routerlink',
  'routerlinkactive',
];
const ICON =
  '<svg width="16" height="16" viewBox="0 0 32 32" fill="currentColor" ' +
  'aria-hidden="true"><path d="M27 28V6h-8v22h-4V14H7v14H4V2H2v26a2 2 0 0 ' +
  '0 2 2h26v-2zm-14 0H9V16h4zm12 0h-4V8h4z"/></svg>';

export class NavEntry {
  #document;
  #activeClass = '';
  #activeOnLink = false;
  #label;

  constructor(document, label) {
    this.#document = document;
    this.#label = label;
  }

  get #item() {
    return this.#document.querySelector(OURS);
  }

  /** Add the entry unless it is there; false where no place is known. */
  add() {
    if (this.#item) {
      return true;
    }
    const model = entry(this.#document);
    if (!model) {
      return false;
    }
    this.#activeClass = model.activeClass;
    this.#activeOnLink = model.activeOnLink;
    model.list.appendChild(copyOf(model.item, this.#label));
    return true;
  }

  remove() {
    this.#item?.remove();
  }

  /** Mark the entry as the page shown, or not. */
  mark(active) {
    const item = this.#item;
    if (!item) {
      return;
    }
    const link = item.querySelector('a');
    const target = this.#activeOnLink ? link : item;
    target.classList.toggle(this.#activeClass, active);
    if (active) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
}

/** A copy keeps the attributes that the host's scoped styles select by. */
function copyOf(model, label) {
  const item = model.cloneNode(true);
  for (const element of [item, ...item.querySelectorAll('*')]) {
    DROPPED.forEach((name) => element.removeAttribute(name));
    element.classList.remove(
      ...[...element.classList].filter(
        (name) => ACTIVE.includes(name) || name.startsWith('tc_'),
      ),
    );
    if (element.hasAttribute('title')) {
      element.setAttribute('title', label);
    }
    element.setAttribute('data-perfcompare', '');
  }
  item.setAttribute('data-perfcompare', 'item');
  const link = item.querySelector('a');
  link.setAttribute('href', ROUTE);
  const icon = link.querySelector('.cds--side-nav__icon');
  if (icon) {
    icon.innerHTML = ICON;
  }
  const text = link.querySelector('.cds--side-nav__link-text') ?? link;
  text.textContent = label;
  return item;
}
