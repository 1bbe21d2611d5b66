"""A stall of the server as an open loop sees it: its p99, and the truth.

The sink stops answering for a second. In an open loop every operation that
should have begun meanwhile waits for what is left of that second, so that
the true distribution is known: of `seconds` of load, the share `stall /
seconds` waits evenly between 0 and the stall. A closed loop notices only
the operations that were under way, and reports a p99 that says nothing.
"""

from typing import Any, Dict, List

import argparse
import shutil
import tempfile
import threading
import time

import s3_sink
from rig import load
from s3_peers import Cell, Target, trial_job, work


def expected(stall: float, seconds: float, share: float) -> float:
    """Return the latency (s) that a share of all operations stay below."""
    beyond = (1.0 - share) * seconds
    return max(0.0, stall - beyond)


def measure(rate: float, seconds: float, stall: float) -> Dict[str, Any]:
    """Run puts while the sink stalls once; return the percentiles."""
    folder = tempfile.mkdtemp(prefix='pc-bench-', dir='/var/tmp')
    try:
        spans: List[List[float]] = []
        with s3_sink.Sink(4096) as sink:
            target = Target('127.0.0.1', sink.plain, filled=True)
            cell = Cell('put', 4096, 16 if not rate else 64)
            job = trial_job(target, cell, seconds, folder, rate)
            timer = threading.Timer(
                seconds / 3, lambda: spans.append(sink.stall(stall))
            )
            outcome, _ = work(job, folder, timer.start)
            timer.join()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    found = outcome.summary
    assert found is not None
    begin = outcome.ended - found.window
    if not begin < spans[0][0] < spans[0][1] < outcome.ended:
        raise SystemExit('the stall missed the measured window')
    return {
        **found.percentiles,
        'max': found.latency_max,
        'ops/s': found.ops_per_s,
        'errors': found.errors,
    }


def main() -> None:
    """Compare an open with a closed loop."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--rate', type=float, default=200.0)
    parser.add_argument('--seconds', type=float, default=20.0)
    parser.add_argument('--stall', type=float, default=1.0)
    parser.add_argument('--times', type=int, default=3)
    args = parser.parse_args()
    names = ('p50', 'p90', 'p99', 'p99.9')
    truth = {
        n: expected(args.stall, args.seconds, float(n[1:]) / 100)
        for n in names
    }
    print(
        f'{args.seconds:g} s with a stall of {args.stall:g} s; '
        f'true p99 of an open loop: {truth["p99"]:.3f} s'
    )
    for i in range(args.times):
        for title, rate in (('open', args.rate), ('closed', 0.0)):
            found = measure(rate, args.seconds, args.stall)
            shown = ' '.join(
                f'{n} {1000 * found[n]:.1f} ms' for n in names if n in found
            )
            print(
                f'  {title:6} {shown} max {1000 * found["max"]:.0f} ms, '
                f'{found["ops/s"]:.0f} op/s, {found["errors"]} errors '
                f'({load()})',
                flush=True,
            )
        time.sleep(0.5)


if __name__ == '__main__':
    main()
