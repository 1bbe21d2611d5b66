/** The `ceph` tool inside the cluster, started once for many commands. */

import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const AGENT = new URL('../../../qa/cluster/ceph_agent.py', import.meta.url);
const PATIENCE = 300_000; // ms

/** A process that stays, and answers line by line. */
class Tool {
  constructor(command, words) {
    const stdio = ['pipe', 'pipe', 'inherit'];
    this.child = spawn(command, words, { stdio });
    // that it has ended, or never began, is seen by the end of what it says
    this.child.on('error', () => {});
    this.child.stdin.on('error', () => {});
    // whoever does nothing else may end
    for (const one of [this.child, this.child.stdin, this.child.stdout]) {
      one.unref();
    }
    const lines = createInterface({ input: this.child.stdout });
    this.lines = lines[Symbol.asyncIterator]();
  }

  ask(request) {
    this.child.stdin.write(`${JSON.stringify(request)}\n`);
    return this.answer();
  }

  async answer() {
    let timer;
    const late = new Promise((resolve, reject) => {
      const fail = () => reject(new Error('the ceph tool gives no answer'));
      timer = setTimeout(fail, PATIENCE);
    });
    try {
      const { value, done } = await Promise.race([this.lines.next(), late]);
      if (done) {
        throw new Error('the ceph tool has ended');
      }
      return JSON.parse(value);
    } finally {
      clearTimeout(timer);
    }
  }
}

let kept;
let turn = Promise.resolve();

/** End it; the next command starts it anew. */
export function endTool() {
  kept?.child.kill('SIGKILL');
  kept = undefined;
}

process.once('exit', endTool);

/** Run a command of the tool, which `mini` starts; return what it prints. */
export function told(mini, folder, words) {
  const mine = turn.then(() => once(mini, folder, words));
  turn = mine.catch(() => {});
  return mine;
}

async function once(mini, folder, words) {
  let found;
  try {
    kept ??= await started(mini, folder);
    found = await kept.ask({ words, in: '' });
  } catch (error) {
    endTool(); // its answer would be that of the next
    throw error;
  }
  if (found.rc) {
    throw new Error(`ceph ${words.join(' ')}: ${found.rc}: ${found.err}`);
  }
  return found.out;
}

async function started(mini, folder) {
  const text = readFileSync(AGENT, 'utf8');
  const words = ['exec', 'python3', '-c', text, `${folder}/ceph.conf`];
  const tool = new Tool(mini, ['--dir', folder, ...words]);
  tool.child.once('close', () => {
    if (kept === tool) {
      kept = undefined;
    }
  });
  try {
    await tool.answer();
  } catch (error) {
    tool.child.kill('SIGKILL');
    throw error;
  }
  return tool;
}
