import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

import { JSDOM } from 'jsdom';

import { ENGLISH, LANGUAGES, languageOf, speak } from '../src/languages.js';
import { prepare, wanted } from '../src/standalone.js';

for (const [tags, language] of [
  [['de'], 'de'],
  [['de-DE'], 'de'],
  [['de-AT', 'en'], 'de'],
  [['zh-Hans'], 'zh-Hans'],
  [['zh-CN'], 'zh-Hans'],
  [['zh-SG'], 'zh-Hans'],
  [['zh'], 'zh-Hans'],
  [['en-GB', 'de'], 'en-US'],
  [['fr', 'de'], 'de'],
  // another script, which many cannot read
  [['zh-TW'], ENGLISH],
  [['zh-Hant'], ENGLISH],
  [['fr'], ENGLISH],
  [[''], ENGLISH],
  [['<script>', 'x_y'], ENGLISH],
  [[], ENGLISH],
]) {
  test(`${tags} has the page in ${language}`, () => {
    assert.equal(languageOf(tags), language);
  });
}

test('each folder of a language is one of them, and has all texts', () => {
  const folders = readdirSync(new URL('../../languages', import.meta.url));
  assert.deepEqual(LANGUAGES.toSorted(), folders.sort());
  const keys = Object.keys(speak(ENGLISH)).sort();
  for (const language of LANGUAGES) {
    const texts = speak(language);
    assert.deepEqual(Object.keys(texts).sort(), keys);
    assert.equal(texts.folder, language === ENGLISH ? '' : `${language}/`);
    assert.ok(Object.entries(texts).every(([k, v]) => v || k === 'folder'));
  }
});

test('the standalone page has the language that the dashboard was set to', () => {
  assert.deepEqual(wanted('a=b; cd-lang=zh-Hans', ['de']), ['zh-Hans']);
  assert.deepEqual(wanted('cd-lang=fr', ['de']), ['fr']);
  assert.deepEqual(wanted('not-cd-lang=fr', ['de']), ['de']);
  assert.deepEqual(wanted('cd-lang=%E0%A4%A', ['de']), ['%E0%A4%A']);
  assert.deepEqual(wanted('', ['de', 'en']), ['de', 'en']);
});

test('the standalone page says so, and loads that page', () => {
  const { window } = new JSDOM(
    '<html lang="en"><header><nav><a></a></nav></header>' +
      '<main><p class="note"></p></main>',
    { url: 'https://ceph.example/perfcompare-ui/' },
  );
  window.document.cookie = 'cd-lang=de';
  assert.equal(prepare(window), 'de/main.js');
  const { documentElement, title } = window.document;
  assert.equal(documentElement.lang, 'de');
  assert.equal(title, 'Leistungsvergleich - Ceph');
  assert.match(window.document.querySelector('.note').textContent, /main\.js/);
});
