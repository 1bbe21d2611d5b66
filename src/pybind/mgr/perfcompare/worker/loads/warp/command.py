"""How warp is called for a trial, and what it says of itself."""

from typing import Dict, List, Optional

import math
import os
import re
import subprocess

from ...wire.s3_spec import DELETE, GET, PUT, STAT
from ...wire.warp_jobs import WarpTrial
from ..s3.removal import WARP


def verb(job: WarpTrial) -> str:
    """Return the benchmark of warp that is the job's load."""
    wanted = [op for op, weight in enumerate(job.mix) if weight]
    if len(wanted) > 1:
        return 'mixed'
    return {PUT: 'put', GET: 'get', STAT: 'stat'}[wanted[0]]


def arguments(job: WarpTrial, data: str, full: bool = False) -> List[str]:
    """Return the command line; keys are in the environment.

    ``full`` has warp 1.1 and later keep every operation, as those before do;
    by default they keep sums, from which no warm-up can be taken.

    Payloads are signed or not as ours are, and objects are written in one
    part. Reads use the objects that are there. Warp cannot be told how many
    objects it may write, so that its rate is bounded instead.
    """
    what = verb(job)
    sizes = job.write_sizes or job.sizes
    argv = [
        job.warp,
        what,
        '--no-color',
        '--host',
        ','.join(e.authority() for e in job.endpoints),
        '--host-select',
        'roundrobin',
        '--bucket',
        job.bucket,
        '--region',
        job.region,
        '--lookup',
        'path',
        '--noclear',
        '--disable-multipart',
        '--obj.size',
        str(sizes[0].size if what != 'get' else job.sizes[0].size),
        '--concurrent',
        str(job.concurrency),
        '--duration',
        f'{lasting(job)}s',
        '--benchdata',
        data,
    ]
    if full:
        argv.append('--full')
    if not job.sign_payload:
        argv.append('--disable-sha256-payload')
    if what == 'mixed':
        argv += ['--objects', str(begins_with(job))]
        for name, op in (
            ('get', GET),
            ('put', PUT),
            ('stat', STAT),
            ('delete', DELETE),
        ):
            share = 100.0 * job.mix[op] / sum(job.mix)
            argv += [f'--{name}-distrib', f'{share:g}']
    elif what != 'put':
        argv += ['--list-existing', '--prefix', job.prefix]
        argv += ['--objects', str(job.objects)]
    if job.mix[PUT]:
        # by which they are known as the run's, where gateways are others'
        argv += ['--prefix', WARP]
        argv += ['--rps-limit', f'{limit(job):.2f}']
    if any(e.tls for e in job.endpoints):
        argv.append('--tls')
        if not job.verify_tls:
            argv.append('--insecure')
    return argv


def begins_with(job: WarpTrial) -> int:
    """Return how many objects it writes before its load; each host its own.

    Only a mix needs any.
    """
    if verb(job) != 'mixed':
        return 0
    # it refuses as many as it has operations in flight
    return max(job.objects // job.hosts, job.concurrency + 1)


def lasting(job: WarpTrial) -> int:
    """Return how long warp is to go on, in whole seconds, as it takes them.

    It ends after what is measured, of which nothing is cut off so: of
    several hosts each waits before it begins, one has a second more.
    """
    return math.ceil(job.warmup + job.duration) + (job.hosts == 1)


def limit(job: WarpTrial) -> float:
    """Return the operations/s that warp is told, at most those of the bound.

    It takes fractions; 0 would be no limit.
    """
    share = job.mix[PUT] / sum(job.mix)
    hundredths = math.floor(100 * job.max_objects / share / lasting(job))
    return max(1, hundredths) / 100


def most(job: WarpTrial, seconds: float) -> Optional[int]:
    """Return the operations that a load can have done after ``seconds``.

    Objects that a mix writes before are none of them. None where it only
    reads, which nothing bounds.
    """
    if not job.mix[PUT]:
        return None
    return math.ceil(limit(job) * min(seconds, lasting(job)))


def environment(job: WarpTrial, access: str, secret: str) -> Dict[str, str]:
    """Return what warp is to find in its environment."""
    found = {
        'PATH': os.environ.get('PATH', os.defpath),
        'LC_ALL': 'C.UTF-8',
        'HOME': '/nonexistent',
        'WARP_ACCESS_KEY': access,
        'WARP_SECRET_KEY': secret,
    }
    if job.ca_file:
        found['SSL_CERT_FILE'] = job.ca_file  # Go reads it
    return found


def version(program: str) -> str:
    """Return what `warp --version` says; '' when it says nothing."""
    match = re.search(r'version\s+(\S.{0,60})', _said(program, '--version'))
    return ' '.join(match.group(1).split()) if match else ''


def has_full(program: str, what: str) -> bool:
    """Say whether a benchmark of warp has to be told to keep all."""
    return re.search(r'--full\b', _said(program, what, '--help')) is not None


def _said(program: str, *words: str) -> str:
    """Return what a program prints; '' where it cannot be asked."""
    try:
        done = subprocess.run(
            [program, *words],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=10,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ''
    return done.stdout.decode('utf-8', 'replace')
