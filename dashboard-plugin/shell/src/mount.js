/** The application's element in the host's page. */

import { pathOf } from './hash.js';
import { container, content } from './hosts.js';
import { APPLICATION } from './links.js';

export class Mount {
  #document;
  #load;
  #texts;
  #loading = null;
  #tries = 0;

  /** `load` imports the application; it gets the number of the try. */
  constructor(document, load, texts) {
    this.#document = document;
    this.#load = load;
    this.#texts = texts;
  }

  get #element() {
    return this.#document.querySelector(`#content > ${APPLICATION}`);
  }

  /** Show the page of a hash; false where the host has no place for it. */
  show(hash) {
    const place = content(this.#document);
    if (!place) {
      return false;
    }
    let element = this.#element;
    if (!element) {
      element = this.#document.createElement(APPLICATION);
      element.lang = this.#texts.language;
      place.appendChild(element);
    }
    setPath(element, pathOf(hash));
    element.removeAttribute('resting');
    this.fit();
    this.#ensureLoaded();
    return true;
  }

  /** Nobody sees it: it asks the Manager for nothing. */
  rest() {
    this.#element?.setAttribute('resting', '');
  }

  /**
   * Take over the geometry of the host's container: where the header is
   * fixed and the container scrolls, ours has to do the same. A margin, not
   * a padding: the padding is the application's own.
   */
  fit() {
    const element = this.#element;
    const model = container(this.#document);
    if (!element || !model) {
      return;
    }
    const { position, paddingTop, overflowY } =
      model.ownerDocument.defaultView.getComputedStyle(model);
    const scrolls = overflowY === 'auto' || overflowY === 'scroll';
    // Out of the flow (Reef), it does not make its parent as high as itself.
    const free = position === 'absolute';
    Object.assign(element.style, {
      position: free ? position : '',
      width: free ? '100%' : '',
      marginTop: paddingTop,
      overflowY: scrolls ? overflowY : '',
      height: scrolls ? `calc(100% - ${paddingTop})` : '',
    });
  }

  async #ensureLoaded() {
    if (this.#loading) {
      return;
    }
    this.#loading = this.#load(this.#tries);
    this.#tries += 1;
    try {
      await this.#loading;
      this.#element?.querySelector('.perfcompare-note')?.remove();
    } catch (error) {
      console.error('perfcompare: cannot load main.js', error);
      this.#explain();
    }
  }

  #explain() {
    const element = this.#element;
    if (!element) {
      this.#loading = null;
      return;
    }
    const note = this.#document.createElement('div');
    note.className = 'perfcompare-note';
    note.setAttribute('role', 'alert');
    const text = this.#document.createElement('p');
    text.textContent = this.#texts.failed;
    const again = this.#document.createElement('button');
    again.type = 'button';
    again.textContent = this.#texts.again;
    again.addEventListener('click', () => {
      note.remove();
      this.#loading = null;
      this.#ensureLoaded();
    });
    note.append(text, again);
    element.replaceChildren(note);
  }
}

/** Before the element is defined, a property would hide the later setter. */
function setPath(element, path) {
  if (element.getAttribute('path') !== path) {
    element.setAttribute('path', path);
  }
  if ('path' in element) {
    element.path = path;
  }
}
