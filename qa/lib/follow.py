"""Follow a run or a recovery test to its end, with a line for each step.

    follow.py RUN SECONDS COMMAND...

COMMAND is how to call the ceph tool. Exit with 0 when the run completed.
"""

from typing import Any, Dict, List, Optional

import errno
import json
import subprocess
import sys
import time

ENDED = ('completed', 'failed', 'aborted', 'cancelled', 'interrupted')
INTERVAL = 5.0


def ask(tool: List[str], *words: str) -> Optional[Dict[str, Any]]:
    """Return the answer to a perfcompare command; None when it failed."""
    argv = [*tool, 'perfcompare', *words, '--format', 'json']
    for _ in range(60):
        done = subprocess.run(
            argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        if done.returncode != errno.EAGAIN:
            break
        time.sleep(1.0)  # the answer is being made
    if done.returncode:
        print(done.stderr.strip(), file=sys.stderr)
        return None
    answer: Dict[str, Any] = json.loads(done.stdout)
    return answer


def step(progress: Dict[str, Any]) -> str:
    """Return one line about where a run is."""
    eta = progress.get('eta')
    left = '' if eta is None else f', {eta:.0f} s left'
    rate = progress.get('ops_per_s')
    live = '' if rate is None else f', {rate:.0f} op/s'
    what = progress.get('message') or progress.get('trial') or ''
    return (
        f'{progress["fraction"]:4.0%} {progress["state"]}{left}: '
        f'{what}{live}'
    )


def stored(tool: List[str], run: str, test: bool) -> Dict[str, Any]:
    """Return what is stored of a run, or of a recovery test."""
    words, name = (
        (['recovery', 'show'], 'item') if test else (['show'], 'run')
    )
    found: Dict[str, Any] = (ask(tool, *words, run) or {}).get(name, {})
    return found


def follow(run: str, seconds: float, tool: List[str]) -> int:
    """Print steps until the run ended or the time is over."""
    deadline = time.monotonic() + seconds
    test = False
    while time.monotonic() < deadline:
        status = ask(tool, 'status')
        progress = (status or {}).get('progress')
        if progress and progress['run'] == run:
            test = bool(progress.get('scenario'))
            print(step(progress), flush=True)
        elif status:
            detail = stored(tool, run, test)
            if detail.get('state') in ENDED:
                reason = detail.get('reason') or ''
                print(f'run {run} {detail["state"]} {reason}'.rstrip())
                return 0 if detail['state'] == 'completed' else 1
        time.sleep(INTERVAL)
    print(f'run {run} did not end in {seconds:.0f} s', file=sys.stderr)
    return 1


if __name__ == '__main__':
    sys.exit(follow(sys.argv[1], float(sys.argv[2]), sys.argv[3:]))
