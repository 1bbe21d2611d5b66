/**
 * Make ../dist/main.js of what `ng build` left: smaller, and within budget.
 *
 * terser drops the parts of Chart.js that the bundler keeps because a static
 * field of theirs reads a property (time and radial scales).
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { minify } from 'terser';

const BUDGET = 150 * 1024; // bytes, gzip -9
const from = new URL('../.angular/out/', import.meta.url);
const to = new URL('../../dist/', import.meta.url);

const source = await readFile(new URL('main.js', from), 'utf8');
if (source.includes('$localize`')) {
  throw new Error('main.js has texts that were not inlined');
}
const { code } = await minify(source, {
  module: true,
  ecma: 2022,
  compress: { ecma: 2022, passes: 3, pure_getters: true, keep_fargs: false },
  format: { comments: false },
});
const size = gzipSync(code, { level: 9 }).length;
await mkdir(to, { recursive: true });
await writeFile(new URL('main.js', to), code);
const licenses = await readFile(new URL('3rdpartylicenses.txt', from));
await writeFile(new URL('3rdpartylicenses.txt', to), licenses);
console.log(`main.js: ${code.length} bytes, ${size} with gzip`);
if (size > BUDGET) {
  throw new Error(`main.js has ${size} bytes with gzip; at most ${BUDGET}`);
}
