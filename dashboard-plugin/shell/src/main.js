/** Start the shell: runs before any script of the dashboard. */

import { languageOf, speak } from './languages.js';
import { Pending } from './pending.js';
import { Shell } from './shell.js';
import { addStyle } from './style.js';

const INTERVAL = 2000; // ms; time passes without changes of the DOM, too

function guarded(work) {
  try {
    work();
  } catch (error) {
    console.error('perfcompare', error); // never in the host's way
  }
}

function start() {
  const { src } = document.currentScript;
  const page = new URL('./', src).href;
  const revision = new URL(src).searchParams.get('v') ?? '';
  // each of the host's languages is a page of its own, and says which
  const texts = speak(languageOf([document.documentElement.lang]));
  const load = (tries) => {
    // browsers remember that a module could not be loaded
    const retry = tries ? `&try=${tries}` : '';
    return import(`${page}${texts.folder}main.js?v=${revision}${retry}`);
  };
  const shell = new Shell(
    window,
    new Pending(() => window.sessionStorage),
    page,
    load,
    texts,
  );
  addStyle(document);
  shell.start();
  const sync = () => guarded(() => shell.sync());
  let queued = false;
  new MutationObserver(() => {
    if (!queued) {
      queued = true;
      requestAnimationFrame(() => {
        queued = false;
        sync();
      });
    }
  }).observe(document.documentElement, { childList: true, subtree: true });
  setInterval(sync, INTERVAL);
}

if (!window.__perfcompare) {
  window.__perfcompare = true;
  guarded(start);
}
