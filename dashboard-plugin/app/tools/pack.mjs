/**
 * Put what `ng build` left in its place, within its budget: main.js, the
 * chunks that it loads when they are needed, and the licenses.
 */

import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';

const BUDGET = 100_000; // bytes of the first load, gzip -9
const ENTRY = 'main.js';
// the Manager lets browsers keep files with such names for ever
const CHUNK = /^chunk-[\w-]{8}\.js$/;
const from = new URL('../.angular/out/', import.meta.url);
const to = process.env.PERFCOMPARE_DIST
  ? pathToFileURL(process.env.PERFCOMPARE_DIST)
  : new URL('../../dist/', import.meta.url);

/** `import"./a.js"` and `import{b as c}from"./a.js"` */
const AT_ONCE = /(?:\bfrom|\bimport)\s*["'`]\.\/([^"'`]+)["'`]/g;
/** `import("./a.js")` */
const LATER = /\bimport\(\s*["'`]\.\/([^"'`]+)["'`]/g;
const scripts = new Map();

/** Read a script; refuse what browsers must not keep, or cannot read. */
async function read(name) {
  if (name !== ENTRY && !CHUNK.test(name)) {
    throw new Error(`${name} is neither ${ENTRY} nor named by its content`);
  }
  const code = await readFile(new URL(name, from), 'utf8');
  if (code.includes('$localize`')) {
    throw new Error(`${name} has texts that were not inlined`);
  }
  scripts.set(name, code);
}

/** Return a script and all that it imports in one of these ways. */
async function reached(name, ways, found = new Set()) {
  if (!found.has(name)) {
    found.add(name);
    if (!scripts.has(name)) {
      await read(name);
    }
    for (const way of ways) {
      for (const [, other] of scripts.get(name).matchAll(way)) {
        await reached(other, ways, found);
      }
    }
  }
  return found;
}

const packed = (name) => gzipSync(scripts.get(name), { level: 9 }).length;
const names = await reached(ENTRY, [AT_ONCE, LATER]);
// main.js does nothing but to load what draws the page
const first = await reached(ENTRY, [AT_ONCE]);
for (const [, name] of scripts.get(ENTRY).matchAll(LATER)) {
  await reached(name, [AT_ONCE], first);
}
for (const [name, code] of scripts) {
  // the shell loads main.js under another address: it would run twice
  if (name !== ENTRY && code.includes(`./${ENTRY}`)) {
    throw new Error(`${name} imports ${ENTRY}`);
  }
}
const size = [...first].reduce((sum, name) => sum + packed(name), 0);
console.log(`first load: ${first.size} files, ${size} bytes with gzip`);
for (const name of names) {
  if (!first.has(name)) {
    console.log(`  later: ${name}, ${packed(name)} bytes with gzip`);
  }
}
if (size > BUDGET) {
  throw new Error(`the first load has ${size} bytes with gzip; at most ${BUDGET}`);
}
await mkdir(to, { recursive: true });
for (const name of [...names, '3rdpartylicenses.txt']) {
  await copyFile(new URL(name, from), new URL(name, to));
}
