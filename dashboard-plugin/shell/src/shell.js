/** The tab in the host's shell: keeps entry, page and marks as they belong. */

import { Access } from './access.js';
import { addButton, removeButton } from './fallback.js';
import { isBare, isEmpty, isLogin, ROUTE } from './hash.js';
import { Highlight } from './highlight.js';
import { isStarted, isUnlisted, showsLogin, sidebar } from './hosts.js';
import { Mount } from './mount.js';
import { NavEntry } from './nav.js';
import { Router } from './router.js';
import { ON } from './style.js';

export const PATIENCE = 8000; // ms until a shell counts as unknown

export class Shell {
  #window;
  #document;
  #page;
  #router;
  #nav;
  #highlight;
  #mount;
  #access;
  #label;
  #gone = false; // whether the standalone page is being loaded
  #since = null; // when something was first found missing
  #title = null; // the host's, while we are shown
  #own = null; // the title of our page

  /**
   * `page` is the URL of the standalone page's folder; `load` imports the
   * application, in the language of the texts.
   */
  constructor(window, pending, page, load, texts) {
    this.#window = window;
    this.#document = window.document;
    this.#page = page;
    this.#label = texts.label;
    this.#router = new Router(window, pending, this);
    this.#nav = new NavEntry(window.document, texts.label);
    this.#highlight = new Highlight(window.document);
    this.#mount = new Mount(window.document, load, texts);
    this.#access = new Access(
      new URL('../ui-api/perfcompare/status', page).href,
      window.fetch.bind(window),
      () => this.sync(),
    );
  }

  start() {
    const root = this.#document.documentElement;
    if (this.#router.install()) {
      root.classList.add(ON); // no flash of the host's default page
      this.#window.setTimeout(() => {
        root.classList.toggle(ON, this.#router.active);
      }, 10000);
    }
    this.#listen();
  }

  #listen() {
    const { addEventListener } = this.#window;
    const on = addEventListener.bind(this.#window);
    on('resize', () => this.#router.active && this.#mount.fit());
    on('perfcompare-navigate', (event) => {
      const { path, replace } = event.detail;
      event.preventDefault();
      this.#router.move(ROUTE + path, replace);
    });
    on('perfcompare-unauthorized', () => {
      this.#router.expired = true;
    });
    on('perfcompare-title', (event) => {
      this.#own = event.detail.title;
      if (this.#router.active) {
        this.#entitle();
      }
    });
  }

  /** The application tells its title once: it is the same when we come back. */
  #entitle() {
    if (this.#own !== null) {
      this.#title ??= this.#document.title;
      this.#document.title = this.#own;
    }
  }

  /** Called by the router: one of our pages is to be shown. */
  enter(hash) {
    this.#document.documentElement.classList.add(ON);
    this.#highlight.takeOff();
    this.#nav.mark(true);
    this.#mount.show(hash);
    this.#entitle();
  }

  /** Called by the router: the host shows a page of its own. */
  leave() {
    this.#document.documentElement.classList.remove(ON);
    this.#highlight.putBack();
    this.#nav.mark(false);
    this.#mount.rest();
    if (this.#title !== null) {
      this.#document.title = this.#title;
      this.#title = null;
    }
    // charts of the host were hidden when they were drawn
    this.#window.setTimeout(() => {
      this.#window.dispatchEvent(new this.#window.Event('resize'));
    });
  }

  /** Bring everything to where it belongs, after any change of the DOM. */
  sync(now = Date.now()) {
    const { hash } = this.#window.location;
    if (!isStarted(this.#document)) {
      return;
    }
    if (isLogin(hash) || showsLogin(this.#document)) {
      this.#access.forget();
      removeButton(this.#document);
      this.#since = null;
      return;
    }
    this.#router.follow();
    const { active } = this.#router;
    if (!active && (isBare(hash) || isEmpty(hash))) {
      this.#since = null;
      return;
    }
    this.#access.ask(now);
    const placed = this.#syncNav();
    const shown = !active || this.#mount.show(hash);
    if (active) {
      this.#highlight.takeOff();
    }
    this.#nav.mark(active);
    if (shown && (placed || (active && isUnlisted(this.#document)))) {
      this.#since = null;
      removeButton(this.#document);
      return;
    }
    this.#since ??= now;
    if (now - this.#since > PATIENCE) {
      this.#fallBack(active);
    }
  }

  /** Whether the entry is as it has to be. */
  #syncNav() {
    const { allowed } = this.#access;
    if (allowed) {
      return this.#nav.add();
    }
    if (allowed === false) {
      this.#nav.remove();
    }
    return allowed === false || sidebar(this.#document) !== null;
  }

  #fallBack(active) {
    if (this.#gone) {
      return; // asking again would cut it short
    }
    if (active) {
      this.#gone = true;
      this.#window.location.replace(
        new URL(`index.html${this.#window.location.hash}`, this.#page).href,
      );
    } else {
      addButton(this.#document, this.#page, this.#label);
    }
  }
}
