/**
 * Put what `ng build` left in its place, within its budget: for each language
 * main.js and the chunks that it loads when they are needed, and the licenses.
 */

import { copyFile, mkdir, readFile, readdir } from 'node:fs/promises';
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

/** The scripts of one language. */
class Scripts {
  code = new Map();

  /** `folder` is below that of English, which is the root. */
  constructor(folder) {
    this.folder = folder;
  }

  /** Read a script; refuse what browsers must not keep, or cannot read. */
  async read(name) {
    if (name !== ENTRY && !CHUNK.test(name)) {
      throw new Error(`${name} is neither ${ENTRY} nor named by its content`);
    }
    const code = await readFile(new URL(this.folder + name, from), 'utf8');
    if (code.includes('$localize`')) {
      throw new Error(`${name} has texts that were not inlined`);
    }
    // the shell loads main.js under another address: it would run twice
    if (name !== ENTRY && code.includes(`./${ENTRY}`)) {
      throw new Error(`${name} imports ${ENTRY}`);
    }
    this.code.set(name, code);
  }

  /** Return a script and all that it imports in one of these ways. */
  async reached(name, ways, found = new Set()) {
    if (!found.has(name)) {
      found.add(name);
      if (!this.code.has(name)) {
        await this.read(name);
      }
      for (const way of ways) {
        for (const [, other] of this.code.get(name).matchAll(way)) {
          await this.reached(other, ways, found);
        }
      }
    }
    return found;
  }

  /** Return what is loaded first: main.js does nothing but to load the page. */
  async first() {
    const found = await this.reached(ENTRY, [AT_ONCE]);
    for (const [, name] of this.code.get(ENTRY).matchAll(LATER)) {
      await this.reached(name, [AT_ONCE], found);
    }
    return found;
  }

  packed(name) {
    return gzipSync(this.code.get(name), { level: 9 }).length;
  }
}

async function pack(folder) {
  const scripts = new Scripts(folder);
  const names = await scripts.reached(ENTRY, [AT_ONCE, LATER]);
  const first = await scripts.first();
  const size = [...first].reduce((sum, name) => sum + scripts.packed(name), 0);
  console.log(`${folder}: first load: ${first.size} files, ${size} bytes with gzip`);
  for (const name of names) {
    if (!first.has(name)) {
      console.log(`  later: ${name}, ${scripts.packed(name)} bytes with gzip`);
    }
  }
  if (size > BUDGET) {
    throw new Error(`${folder}: the first load has ${size} bytes with gzip; at most ${BUDGET}`);
  }
  await mkdir(new URL(folder, to), { recursive: true });
  for (const name of names) {
    await copyFile(new URL(folder + name, from), new URL(folder + name, to));
  }
}

const inside = await readdir(from, { withFileTypes: true });
const languages = inside.filter((entry) => entry.isDirectory()).map(({ name }) => `${name}/`);
for (const folder of ['./', ...languages]) {
  await pack(folder);
}
const licenses = '3rdpartylicenses.txt';
await copyFile(new URL(licenses, from), new URL(licenses, to));
