"""Which programs make load on images, and whether they can."""

from typing import Dict, Sequence

import shutil
import subprocess

from ...runtime.failure import Failure, one_line
from ...wire.rbd_jobs import RbdJob

ENCRYPTION = 'rbd_encryption_format'  # an option of newer engines
LIBRARY = 'librbd'


def versions(job: RbdJob) -> Dict[str, str]:
    """Return the programs' versions; Failure where one cannot do the job.

    That of librbd is the one of `rbd`, until fio tells which it has.
    """
    rbd = _version([job.rbd, '--version'], 'install ceph-common on this host')
    if job.tool != 'fio':
        return {'rbd': rbd}
    advice = 'install fio with its rbd engine on this host'
    fio = _version([job.fio, '--version'], advice)
    engine = _ask([job.fio, '--enghelp=rbd'])
    text = engine.stdout.decode('utf-8', 'replace')
    if engine.returncode or 'rbdname' not in text:
        raise Failure(
            'tool',
            f'{job.fio!r} ({fio}) has no rbd engine: {advice} (it may be a '
            'package of its own, as fio-engine-rbd)',
        )
    if job.encryption and ENCRYPTION not in text:
        raise Failure(
            'tool',
            f'{job.fio!r} ({fio}) cannot load encrypted images: install one '
            f'whose rbd engine has the option {ENCRYPTION}',
        )
    return {'fio': fio, LIBRARY: rbd}


def _ask(argv: Sequence[str]) -> 'subprocess.CompletedProcess[bytes]':
    try:
        return subprocess.run(
            argv,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=20,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Failure('tool', f'cannot run {argv[0]!r}: {error}') from None


def _version(argv: Sequence[str], advice: str) -> str:
    if shutil.which(argv[0]) is None:
        raise Failure('tool', f'program {argv[0]!r} was not found: {advice}')
    done = _ask(argv)
    text = one_line(done.stdout[:4096].decode('utf-8', 'replace'), 120)
    if done.returncode or not text:
        raise Failure(
            'tool', f'{argv[0]!r} does not work: {text or "it says nothing"}'
        )
    return text
