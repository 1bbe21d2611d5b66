"""A run with response curves of known shape."""

import math
import random

from .comparison_data import Scene

LADDER = (1, 2, 4, 8, 16, 32)
OP = 'rand-4K'
NAMES = tuple(f'{OP}-c{value}' for value in LADDER)


def rate(flying, speed=1.0):
    """Return op/s: rises to 16 in flight, and falls a little."""
    return 10000.0 * speed * flying / (flying + 4.0 + 0.02 * flying**2)


def tail(flying, speed=1.0):
    """Return the 99th percentile, seconds."""
    return 3.0 * flying / rate(flying, speed)


def curve_scene(
    speed=1.0, noise=0.01, slo='p99=3ms', curve='1..32', **options
):
    """Measure x86 at speed 1 and arm at another."""
    scene = Scene(
        {name: 1.0 for name in NAMES}, curve=curve, slo=slo, **options
    )
    rng = random.Random(7)
    for name, flying in zip(NAMES, LADDER):
        for group, fast in (('x86', 1.0), ('arm', speed)):
            for number in range(scene.run.plan.profile.rounds + 1):
                ops = rate(flying, fast) * math.exp(rng.gauss(0.0, noise))
                late = tail(flying, fast) * math.exp(rng.gauss(0.0, noise))
                scene.change(
                    lambda t, n=name, g=group, r=number: (
                        t.workload == n and t.group == g and t.round == r
                    ),
                    summary={
                        'ops_per_s': ops,
                        'bytes_per_s': ops * 4096,
                        'latency_avg': late / 3.0,
                        'windows': (ops,) * 6,
                        'ops': 100000,
                        'percentiles': {'p50': late / 4, 'p99': late},
                    },
                )
    return scene
