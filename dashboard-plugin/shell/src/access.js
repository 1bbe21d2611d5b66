/** Whether this user has the tab: asked of the dashboard once per login. */

const ACCEPT = 'application/vnd.ceph.api.v1.0+json';
const RETRY = 15000; // ms, where the answer was no answer

export class Access {
  allowed = null; // null: not known yet
  #url;
  #fetch;
  #changed;
  #asking = false;
  #again = 0;
  #session = 0;

  /** `changed` is called when the answer is there. */
  constructor(url, fetch, changed) {
    this.#url = url;
    this.#fetch = fetch;
    this.#changed = changed;
  }

  /** Forget the answer: the next user may be another one. */
  forget() {
    this.allowed = null;
    this.#asking = false;
    this.#again = 0;
    this.#session += 1;
  }

  /** Ask unless it is known, being asked, or too early to ask again. */
  async ask(now = Date.now()) {
    if (this.allowed !== null || this.#asking || now < this.#again) {
      return;
    }
    const session = this.#session;
    this.#asking = true;
    const allowed = await this.#answer();
    if (session !== this.#session) {
      return; // somebody logged out meanwhile
    }
    this.#asking = false;
    this.allowed = allowed;
    this.#again = now + RETRY;
    this.#changed();
  }

  async #answer() {
    try {
      const response = await this.#fetch(this.#url, {
        headers: { Accept: ACCEPT },
      });
      if (response.status === 403 || response.status === 404) {
        return false;
      }
      if (!response.ok) {
        return null;
      }
      const { dashboard_ui: shown, permissions } = await response.json();
      return shown === 'full' && permissions.includes('read');
    } catch {
      return null;
    }
  }
}
