/** Another run to look at, without the minutes that one takes. */

import { execFile } from 'node:child_process';

const TOOL = new URL('./load_run.py', import.meta.url).pathname;

/**
 * Return the file of an exported run as if its load had been `s3` or `rbd`, or
 * of two `hosts`, or its rounds had been `undecided`; of a run of a curve, as if
 * that had been over `rates`.
 */
export function otherRun(kind, text, id) {
  return new Promise((resolve, reject) => {
    const child = execFile(
      'python3',
      [TOOL, kind, id],
      { maxBuffer: 64 * 1024 * 1024 },
      (error, stdout) => (error ? reject(error) : resolve(stdout)),
    );
    child.stdin.end(text);
  });
}
