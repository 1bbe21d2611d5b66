"""What fio leaves of a load whose operations are known."""

import random

from ...worker.loads.rbd import output
from ...worker.loads.rbd.jobfile import COARSENESS

NAMES = {'read': 0, 'write': 1}
COLUMNS = output.columns(COARSENESS)


def bucket(ns):
    """Return the bucket of fio (stat.c) that a latency is counted in."""
    if ns < 128:
        return int(ns)
    msb = int(ns).bit_length() - 1
    shift = msb - 6
    return ((shift + 1) << 6) + ((int(ns) >> shift) & 63)


def line(at, side, latencies):
    counts = [0] * len(COLUMNS)
    for ns in latencies:
        counts[bucket(ns) >> COARSENESS] += 1
    cells = [round(at * 1000), NAMES[side], 4096, *counts]
    return ', '.join(map(str, cells)) + '\n'


def side(latencies, seconds):
    bins = {}
    for ns in latencies:
        key = str(int(output.middle(bucket(ns))))
        bins[key] = bins.get(key, 0) + 1
    count = len(latencies)
    return {
        'io_bytes': 4096 * count,
        'bw_bytes': 4096 * count / seconds if seconds else 0,
        'iops': count / seconds if seconds else 0,
        'runtime': round(seconds * 1000),
        'total_ios': count,
        'clat_ns': {'N': count},
        'lat_ns': {
            'N': count,
            'mean': sum(latencies) / count if count else 0.0,
            'max': max(latencies, default=0),
            'bins': bins,
        },
    }


class Run:
    """One fio process with operations at known times."""

    def __init__(
        self, path, began, seconds, rate, mean=2e6, seed=1, name='a'
    ):
        rng = random.Random(seed)
        self.ops = {n: [] for n in NAMES}
        for n, r in rate.items():
            count = int(r * seconds)
            self.ops[n] = [
                ((i + 0.5) / r, rng.expovariate(1 / mean) + 1e5)
                for i in range(count)
            ]
        self.job = {
            'jobname': 'load',
            'job_start': round(began * 1000),
            'error': 0,
            **{
                n: side([w for _, w in held], seconds)
                for n, held in self.ops.items()
            },
        }
        self.log = str(path / f'{name}.log')
        with open(self.log, 'w') as file:
            for step in range(int(seconds * 10)):
                low, high = step / 10, (step + 1) / 10
                for n, held in self.ops.items():
                    inside = [w * 0.98 for t, w in held if low <= t < high]
                    if inside:
                        file.write(line(began + high, n, inside))
        self.load = output.load(self.job, self.log, seconds, 'fio')
