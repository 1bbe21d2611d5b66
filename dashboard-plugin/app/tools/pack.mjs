/**
 * Make main.js of what `ng build` left: smaller, and within budget.
 *
 * terser drops the parts of Chart.js that the bundler keeps because a static
 * field of theirs reads a property (time and radial scales).
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { minify } from 'terser';

const BUDGET = 150_000; // bytes, gzip -9
const from = new URL('../.angular/out/', import.meta.url);
const to = process.env.PERFCOMPARE_DIST
  ? pathToFileURL(process.env.PERFCOMPARE_DIST)
  : new URL('../../dist/', import.meta.url);

// Chart.js mixes colors when it animates and when a point is under the
// pointer. Ours does the one never, and keeps the color in the other case.
const COLOR = `{
  constructor(value) { this.value = value; }
  saturate() { return this; }
  darken() { return this; }
  hexString() { return this.value; }
}`;

/** Return the script with our Color in place of Chart.js' package. */
function colored(script) {
  const named = /import\s*\{\s*Color as ([\w$]+)\s*\}\s*from\s*"@kurkle\/color";/;
  const found = script.replace(named, (_, name) => `class ${name}${COLOR}`);
  if (found === script) {
    throw new Error('main.js does not import @kurkle/color as it did');
  }
  return found.replaceAll(/import\s*"@kurkle\/color";/g, '');
}

// What Chart.js has for what we never do: animate, draw other marks than
// circles, triangles and diamonds, look for other points than the nearest.
const UNUSED = [
  [/=\{linear:[\w$]+=>[\w$]+,easeInQuad:[^]*?easeInOutBounce:[^}]*\}/, '={linear:t=>t}'],
  [/case"rectRounded":[^]*?(?=case"rectRot":)/, ''],
  [/case"crossRot":[^]*?(?=\}[\w$]+\.fill\(\))/, ''],
  [/(?<=modes:\{)index\([^]*?(?=nearest\()/, ''],
];

/** Return the script without what is not used of Chart.js. */
function lean(script) {
  return UNUSED.reduce((left, [part, instead]) => {
    if (!part.test(left)) {
      throw new Error(`main.js has no ${part}, as it had`);
    }
    return left.replace(part, instead);
  }, script);
}

const source = lean(colored(await readFile(new URL('main.js', from), 'utf8')));
if (source.includes('$localize`')) {
  throw new Error('main.js has texts that were not inlined');
}
const { code } = await minify(source, {
  module: true,
  ecma: 2022,
  compress: {
    ecma: 2022,
    passes: 3,
    pure_getters: true,
    drop_console: ['debug', 'info', 'log', 'warn'], // errors are told
  },
  format: { comments: false },
});
if (code.includes('kurkle')) {
  throw new Error('main.js still needs @kurkle/color');
}
const size = gzipSync(code, { level: 9 }).length;
console.log(`main.js: ${code.length} bytes, ${size} with gzip`);
if (size > BUDGET) {
  throw new Error(`main.js has ${size} bytes with gzip; at most ${BUDGET}`);
}
await mkdir(to, { recursive: true });
await writeFile(new URL('main.js', to), code);
const licenses = await readFile(new URL('3rdpartylicenses.txt', from));
await writeFile(new URL('3rdpartylicenses.txt', to), licenses);
