"""Replace Python packages of Debian 13 by some that load in a mgr.

Its bcrypt and cryptography are PyO3 builds, which refuse to be loaded in
more than one sub-interpreter; Ceph 18.2 has one for each mgr module. The
last releases that were built with cffi do not mind.
"""

from typing import Dict, List, Tuple

import errno
import os
import pathlib
import shutil
import subprocess
import sys
import zipfile

from .archive import Apt
from .messages import ClusterError, last_line, say
from .unpack import unpack

LIBRARY = 'usr/lib/python3/dist-packages'
WHEELS = ('bcrypt==3.2.2', 'cryptography==3.3.2', 'pyOpenSSL==20.0.1')


def repair_python(apt: Apt, root: pathlib.Path, work: pathlib.Path) -> None:
    """Download the wheels by pip and unpack them over Debian's packages."""
    work.mkdir(parents=True)
    python, environment = _pip(apt, work / 'pip')
    say('repair: downloading %s' % ', '.join(WHEELS))
    done = subprocess.run(
        [python, '-m', 'pip', 'download', '-q', '--no-deps']
        + ['--only-binary', ':all:', '--python-version', '3.9']
        + ['--implementation', 'cp', '--abi', 'abi3', '--abi', 'none']
        + ['--platform', 'manylinux2014_x86_64']
        + ['--platform', 'manylinux2010_x86_64']
        + ['--platform', 'manylinux_2_17_x86_64']
        + ['--dest', str(work)]
        + list(WHEELS),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        universal_newlines=True,
        env=environment,
    )
    if done.returncode:
        raise ClusterError(
            'pip cannot download %s: %s'
            % (', '.join(WHEELS), last_line(done.stdout)),
            errno.EHOSTUNREACH,
        )
    for name in (wheel.split('==')[0] for wheel in WHEELS):
        for old in (root / LIBRARY).glob(name + '-*-info'):
            shutil.rmtree(str(old))
    for wheel in sorted(work.glob('*.whl')):
        with zipfile.ZipFile(str(wheel)) as archive:
            for name in packages_in(archive.namelist()):
                shutil.rmtree(str(root / LIBRARY / name), ignore_errors=True)
            archive.extractall(str(root / LIBRARY))


def packages_in(names: List[str]) -> List[str]:
    """Return the top folders of a wheel that are Python packages."""
    tops = {name.split('/')[0] for name in names if '/' in name}
    return sorted(top for top in tops if not top.endswith('-info'))


def _pip(apt: Apt, work: pathlib.Path) -> Tuple[str, Dict[str, str]]:
    """Return a Python that has pip, and the environment to run it in.

    Without one on the machine, Debian's package is unpacked, not installed.
    """
    environment = dict(os.environ)
    environment.pop('PYTHONPATH', None)
    for python in ('/usr/bin/python3', sys.executable):
        done = subprocess.run(
            [python, '-m', 'pip', '--version'],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
        )
        if done.returncode == 0:
            return python, environment
    work.mkdir()
    unpack(apt.with_store('pip').download(['python3-pip']), work)
    environment['PYTHONPATH'] = str(work / LIBRARY)
    return sys.executable, environment
