/** The mini cluster behind the dashboard, by its own tool. */

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

import { told } from './tool.js';

const run = promisify(execFile);
const TOOL = new URL('../../../qa/minicluster', import.meta.url).pathname;

export const FOLDER = process.env.PERFCOMPARE_E2E_DIR;
export const RELEASE = process.env.PERFCOMPARE_E2E_RELEASE ?? 'tentacle';

/** The copies of what is installed, for specs that break something. */
export const MODULE = process.env.PERFCOMPARE_E2E_MODULE;
export const UI = process.env.PERFCOMPARE_E2E_UI;

/** Call qa/minicluster; return what it prints. */
export async function mini(...words) {
  const { stdout } = await run(TOOL, ['--dir', FOLDER, ...words], {
    timeout: 300_000,
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout;
}

const AGAIN = 'give the same command again';
const PAUSE = 300; // ms

/** Between two looks at what takes minutes, and is done by the Manager. */
export const SELDOM = 1000; // ms

const pause = (ms = PAUSE) => new Promise((resolve) => setTimeout(resolve, ms));

/** Call the ceph tool of the cluster; return what it prints. */
export async function ceph(...words) {
  const deadline = Date.now() + 120_000;
  for (;;) {
    try {
      return await told(TOOL, FOLDER, words);
    } catch (error) {
      // what takes a moment is had by the same command, given again
      if (!`${error}`.includes(AGAIN) || Date.now() > deadline) {
        throw error;
      }
      await pause();
    }
  }
}

/** Call the ceph tool and parse what it prints. */
export async function cephJson(...words) {
  return JSON.parse(await ceph(...words, '--format', 'json'));
}

/** Try until it works; throw the last error when it does not in time. */
export async function until(work, seconds = 60, ms = PAUSE) {
  const deadline = Date.now() + seconds * 1000;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (Date.now() > deadline) {
        throw error;
      }
      await pause(ms);
    }
  }
}

/** Restart the Manager, as one does after an installation. */
export async function restartManager(request, base = '') {
  const before = (await cephJson('mgr', 'dump')).active_gid;
  await mini('mgr', 'fail');
  await until(async () => {
    const { active_gid: gid, available } = await cephJson('mgr', 'dump');
    if (gid === before || !available) {
      throw new Error('the mgr has not restarted');
    }
    const page = await request.get(`${base}index.html`);
    if (page.status() !== 200) {
      throw new Error(`the dashboard answers ${page.status()}`);
    }
  }, 180);
}
