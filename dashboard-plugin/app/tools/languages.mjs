/**
 * Keep the translations of the page up to date.
 *
 *   npm run languages             bring the files to the texts there are now
 *   npm run languages -- --check  say what is missing, changed or wrong
 */

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';

import { faults, read, termFaults, write } from './texts.mjs';

const app = new URL('../', import.meta.url);
const languages = new URL('../../languages/', import.meta.url);
const ENGLISH = 'en-US';

/** Return the texts of the page as they are in its source now. */
function extracted() {
  const folder = '.angular/texts';
  execFileSync(
    'node_modules/.bin/node',
    [
      'node_modules/@angular/cli/bin/ng.js',
      'extract-i18n',
      '--format',
      'xlf',
      '--output-path',
      folder,
    ],
    { cwd: app, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return read(readFileSync(new URL(`${folder}/messages.xlf`, app), 'utf8'));
}

function json(name, folder = languages) {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

function pageOf(language) {
  return new URL(`${language}/page.xlf`, languages);
}

function translations(language) {
  const file = pageOf(language);
  return existsSync(file) ? read(readFileSync(file, 'utf8')) : new Map();
}

/** Return what is wrong with one language, page and shell. */
function check(language, texts) {
  const translated = translations(language);
  const own = json(`${language}/shell.json`);
  const wanted = Object.keys(json(`${ENGLISH}/shell.json`));
  const lines = [
    ...faults(texts, translated),
    ...termFaults(translated, json(`${language}/glossary.json`)),
    ...(translated.get('language')?.target === language ? [] : ['it does not name itself']),
    ...wanted.filter((key) => !own[key]?.trim()).map((key) => `shell.json: ${key} is missing`),
  ];
  return lines.map((line) => `${language}: ${line}`);
}

const texts = extracted();
const listed = Object.keys(json('angular.json', app).projects.perfcompare.i18n.locales);
const folders = readdirSync(languages).filter((name) => name !== ENGLISH);
if (process.argv.includes('--check')) {
  const lines = listed.flatMap((language) => check(language, texts));
  if (listed.sort().join() !== folders.sort().join()) {
    lines.push(`angular.json names ${listed}, there are folders of ${folders}`);
  }
  lines.forEach((line) => console.error(line));
  console.log(`${texts.size} texts in ${listed.length} languages, ${lines.length} faults`);
  process.exitCode = lines.length ? 1 : 0;
} else {
  for (const language of listed) {
    writeFileSync(pageOf(language), write(language, texts, translations(language)));
  }
  console.log(`${texts.size} texts; translate what has state="new"`);
}
