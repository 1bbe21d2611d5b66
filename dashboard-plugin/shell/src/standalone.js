/**
 * Start the page where there is no shell: in the language that the dashboard
 * was set to, else in the first of the browser's that there is.
 */

import { languageOf, speak } from './languages.js';

/** The dashboard keeps the choice of its user in a cookie. */
const COOKIE = /(?:^|;\s*)cd-lang=([^;]*)/;

/** Return the tags of the languages that are wanted, the best one first. */
export function wanted(cookies, own) {
  const [, chosen] = COOKIE.exec(cookies) ?? [];
  return chosen ? [decoded(chosen)] : own;
}

function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Write the page's own texts; return where the application is. */
export function prepare({ document, navigator }) {
  const texts = speak(languageOf(wanted(document.cookie, navigator.languages)));
  document.documentElement.lang = texts.language;
  document.title = `${texts.label} - Ceph`;
  document.querySelector('header nav a').textContent = `← ${texts.back}`;
  document.querySelector('main .note').textContent = texts.loading;
  return `${texts.folder}main.js`;
}
