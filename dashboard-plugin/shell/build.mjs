// Bundle the shell and the start of the standalone page to a classic script
// each, and copy that page.
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';

const LIMIT = 8 * 1024; // bytes, compressed: it loads with every page
const dist = process.env.PERFCOMPARE_DIST
  ? pathToFileURL(process.env.PERFCOMPARE_DIST)
  : new URL('../dist/', import.meta.url);

await mkdir(dist, { recursive: true });
for (const [source, name] of [
  ['main.js', 'shell.js'],
  ['standalone-main.js', 'standalone.js'],
]) {
  await build({
    absWorkingDir: import.meta.dirname,
    entryPoints: [`src/${source}`],
    outfile: new URL(name, dist).pathname,
    bundle: true,
    format: 'iife',
    target: ['chrome100', 'firefox100', 'safari15'],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    banner: { js: '/* perfcompare, LGPL-2.1-only OR LGPL-3.0-only */' },
  });
}
for (const name of ['index.html', 'standalone.css']) {
  await copyFile(
    new URL(`standalone/${name}`, import.meta.url),
    new URL(name, dist),
  );
}
const script = await readFile(new URL('shell.js', dist));
const size = gzipSync(script, { level: 9 }).length;
console.log(`shell.js: ${script.length} bytes, ${size} compressed`);
if (size > LIMIT) {
  console.error(`shell.js is larger than ${LIMIT} bytes, compressed`);
  process.exit(1);
}
