/** The host's mark on the entry of its hidden page: off while we are shown. */

import { ACTIVE, sidebar } from './hosts.js';

const NOT_OURS = ':not([data-perfcompare])';

export class Highlight {
  #document;
  #observer;
  #observed = null;
  #taken = []; // functions that put a mark back

  constructor(document) {
    const { MutationObserver } = document.defaultView;
    this.#document = document;
    this.#observer = new MutationObserver(() => this.takeOff());
  }

  /** Take the marks off, and again whenever the host sets them. */
  takeOff() {
    const side = sidebar(this.#document);
    if (!side) {
      return;
    }
    if (side !== this.#observed) {
      this.#observer.disconnect();
      this.#observer.observe(side, {
        subtree: true,
        attributes: true,
        attributeFilter: ['class', 'aria-current'],
      });
      this.#observed = side;
    }
    for (const name of ACTIVE) {
      for (const element of side.querySelectorAll(`.${name}${NOT_OURS}`)) {
        element.classList.remove(name);
        this.#taken.push(() => element.classList.add(name));
      }
    }
    for (const link of side.querySelectorAll(`a[aria-current]${NOT_OURS}`)) {
      const value = link.getAttribute('aria-current');
      link.removeAttribute('aria-current'); // Carbon styles it
      this.#taken.push(() => link.setAttribute('aria-current', value));
    }
  }

  putBack() {
    this.#observer.disconnect();
    this.#observed = null;
    this.#taken.splice(0).forEach((put) => put());
  }
}
