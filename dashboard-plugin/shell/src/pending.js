/** The page of ours to show once the host has settled, over a login too. */

import { isOurs } from './hash.js';

const KEY = 'perfcompare-pending';
const KEEP = 10 * 60 * 1000; // ms; a login later than that starts afresh

export class Pending {
  #storage;
  #now;
  #hash = null;

  constructor(storage, now = Date.now) {
    this.#storage = storage;
    this.#now = now;
    this.#hash = this.#read();
  }

  get hash() {
    return this.#hash;
  }

  set(hash) {
    this.#hash = hash;
    this.#try((storage) =>
      storage.setItem(KEY, JSON.stringify([hash, this.#now()])),
    );
  }

  clear() {
    this.#hash = null;
    this.#try((storage) => storage.removeItem(KEY));
  }

  /** Return the hash and forget it. */
  take() {
    const hash = this.#hash;
    this.clear();
    return hash;
  }

  #read() {
    const found = this.#try((storage) => JSON.parse(storage.getItem(KEY)));
    if (!Array.isArray(found)) {
      return null;
    }
    const [hash, at] = found;
    const fresh = this.#now() - at < KEEP;
    return fresh && typeof hash === 'string' && isOurs(hash) ? hash : null;
  }

  /** Storage may be forbidden or full; the hash is then kept in memory. */
  #try(work) {
    try {
      return work(this.#storage());
    } catch {
      return null;
    }
  }
}
