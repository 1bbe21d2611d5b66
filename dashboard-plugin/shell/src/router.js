/**
 * Routing beside the host's router, which never sees our hashes.
 *
 * Native listeners that were added before zone.js see popstate and hashchange
 * first and stop them for our pages; pushState and replaceState are wrapped to
 * notice when the host goes elsewhere.
 */

import { hashOf, isEmpty, isError, isLogin, isOurs, samePage } from './hash.js';
import { linkOf } from './links.js';

export class Router {
  active = false; // whether one of our pages is shown
  expired = false; // whether our API said that the session is over
  #window;
  #pending;
  #view;
  #push;
  #replace;
  #arriving = false; // after a deep link, until the user does something
  #hostHash = null; // the last hash that the host wrote or was shown

  /** `view` has enter(hash) and leave(); both may be called repeatedly. */
  constructor(window, pending, view) {
    this.#window = window;
    this.#pending = pending;
    this.#view = view;
  }

  get #hash() {
    return this.#window.location.hash;
  }

  install() {
    const { history } = this.#window;
    this.#push = history.pushState;
    this.#replace = history.replaceState;
    const listen = (name, work) =>
      this.#window.addEventListener(name, work.bind(this), true);
    listen('popstate', this.#onBrowser);
    listen('hashchange', this.#onBrowser);
    listen('click', this.#onClick);
    history.pushState = this.#wrapped(this.#push);
    history.replaceState = this.#wrapped(this.#replace);
    if (isOurs(this.#hash)) {
      // The host boots on its default page; its first write is replaced.
      this.#pending.set(this.#hash);
      this.#write(this.#replace, '#/');
      return true;
    }
    return false;
  }

  /**
   * Show what the application asks for by itself. It may ask late: nothing is
   * taken back from the host where the user has gone to it meanwhile.
   */
  move(hash, replace) {
    this.follow();
    if (this.active) {
      this.go(hash, replace);
    }
  }

  /** Come to what the address says, although no event told of it (yet). */
  follow() {
    if (isOurs(this.#hash) === this.active) {
      return;
    }
    if (this.active) {
      this.#leave();
    } else {
      this.#enter();
    }
  }

  /** Show one of our pages. */
  go(hash, replace = false) {
    if (hash !== this.#hash) {
      this.#write(replace ? this.#replace : this.#push, hash);
    }
    this.#enter();
  }

  #write(native, hash, state = null, title = '') {
    native.call(this.#window.history, state, title, hash);
  }

  #enter() {
    this.active = true;
    this.#view.enter(this.#hash);
  }

  #leave() {
    this.#arriving = false;
    if (this.active) {
      this.active = false;
      this.#view.leave();
    }
  }

  #onBrowser(event) {
    const hash = this.#hash;
    this.#arriving = false;
    if (!isOurs(hash)) {
      if (event.type === 'popstate') {
        this.#hostHash = hash;
      }
      this.#leave();
      return;
    }
    event.stopImmediatePropagation();
    if (this.#hostHash !== null && isLogin(this.#hostHash)) {
      // typed by hand on the login page
      this.#pending.set(hash);
      this.#write(this.#replace, this.#hostHash);
    } else {
      this.#enter();
    }
  }

  #wrapped(native) {
    return (state, title, url) => {
      const { location, document } = this.#window;
      const hash = hashOf(url, location, document.baseURI);
      if (isOurs(hash)) {
        native.call(this.#window.history, state, title, url);
        this.#enter();
        return;
      }
      this.#hostHash = hash;
      if (isLogin(hash)) {
        this.#keepOverLogin(hash);
      } else if (this.#pending.hash && !isEmpty(hash)) {
        this.#write(native, this.#pending.take(), null, title);
        this.#enter();
        this.#arriving = true;
        return;
      } else if (this.#arriving && isError(hash)) {
        // of the host's start page, which nobody asked for: Reef has one that
        // not every role may see; its error page wants its state
        this.#write(this.#replace, this.#hash, state, title);
        return;
      }
      native.call(this.#window.history, state, title, url);
      this.#leave();
    };
  }

  /** A session that ended by itself comes back to our page; a logout not. */
  #keepOverLogin(hash) {
    if (!this.active) {
      return;
    }
    if (this.expired || /[?&]returnUrl=/.test(hash)) {
      this.#pending.set(this.#hash);
    } else {
      this.#pending.clear();
    }
    this.expired = false;
  }

  #onClick(event) {
    this.#arriving = false;
    const link = linkOf(event);
    if (!link) {
      return;
    }
    if (isOurs(link.hash)) {
      if (!link.inApplication) {
        // not left to the browser: the host's error page keeps plain
        // anchors from navigating
        event.preventDefault();
        event.stopPropagation();
        this.go(link.hash);
      }
    } else if (
      this.active &&
      this.#hostHash !== null &&
      samePage(link.hash, this.#hostHash)
    ) {
      // The host's router believes to be there and would ignore the click.
      this.#write(this.#push, this.#hostHash);
      this.#leave();
    }
  }
}
