"""The images of a job, through the `rbd` program."""

from typing import Any, Dict, List

import concurrent.futures
import json
import os
import subprocess

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...runtime.processes import leashed
from ...wire.rbd_jobs import Image, RbdJob, RbdPrefill
from ..rados.rados_bench import INFLIGHT_BYTES, INFLIGHT_OPS, complaint
from . import jobfile

LOOKS = 8  # `rbd` commands at a time
PATIENCE = 60.0  # seconds of one
CONF_MAX = 1 << 20  # bytes of a ceph.conf
# What an image has by default; pinned, so that all groups have the same.
FEATURES = 'layering,exclusive-lock,object-map,fast-diff,deep-flatten'
MARK = 'perfcompare.written'  # metadata of an image written in full
ABSENT, THERE, WRITTEN = 'absent', 'there', 'written'


class Site:
    """Look at images, make them, and give programs what they need."""

    def __init__(self, job: RbdJob, context: Context) -> None:
        self._job = job
        self._context = context
        # by their names
        self.states: Dict[str, str] = {}

    def connect_args(self) -> List[str]:
        """Return the program with what it needs to reach the cluster."""
        access = self._job.access
        args = [self._job.rbd, '-c', access.conf, '--keyring', access.keyring]
        # a first image's look at its pool makes a snapshot, which the key of
        # a run must not; pools of a run are as they should be
        args.append('--rbd-validate-pool=false')
        return args + ['-n', access.entity, '--log-file=']

    def spec(self, image: Image) -> str:
        """Name an image as programs do."""
        return f'{self._job.access.pool}/{image.name}'

    def look(self) -> None:
        """See what is there; Failure where an image is another one."""
        images = self._job.images
        with concurrent.futures.ThreadPoolExecutor(LOOKS) as pool:
            found = list(pool.map(self._state, images))
        self.states = {i.name: state for i, state in zip(images, found)}

    def require(self) -> None:
        """Raise Failure unless each image is there, written in full."""
        self.look()
        for image in self._job.images:
            state = self.states[image.name]
            if state != WRITTEN:
                why = (
                    'does not exist' if state == ABSENT else 'was not written'
                )
                raise Failure(
                    'population', f'image {self.spec(image)} {why}: fill it'
                )

    def _state(self, image: Image) -> str:
        spec = self.spec(image)
        done = self._run(['image-meta', 'get', spec, MARK])
        errors = done.stderr.decode('utf-8', 'replace')
        if not done.returncode:
            held = done.stdout.decode('utf-8', 'replace').split()
            if held[:-1] != self._facts(image):
                raise Failure(
                    'population',
                    f'image {spec} was made as {" ".join(held[:-1])} (bytes, '
                    'bytes of an object, data pool, encryption) instead of '
                    + ' '.join(self._facts(image)),
                )
            job = self._job
            if isinstance(job, RbdPrefill) and held[-1] != str(job.compress):
                return THERE  # its data is to be another
            return WRITTEN
        if '(2) No such file' not in errors:
            raise self._complain(done, f'looking for image {spec}')
        if 'error opening image' in errors:
            return ABSENT
        return self._same(image)

    def _same(self, image: Image) -> str:
        spec = self.spec(image)
        done = self._run(['info', '--format', 'json', spec])
        if done.returncode:
            raise self._complain(done, f'looking at image {spec}')
        try:
            info: Dict[str, Any] = json.loads(done.stdout)
            held = [
                int(info['size']),
                int(info['object_size']),
                str(info.get('data_pool') or ''),
            ]
        except (ValueError, KeyError, TypeError, AttributeError):
            raise Failure(
                'load', f'what rbd says of image {spec} cannot be read'
            ) from None
        job = self._job
        if held != [image.size, job.object_size, job.data_pool]:
            raise Failure(
                'population',
                f'image {spec} has {held[0]} bytes, objects of {held[1]} and '
                f'data pool {held[2]!r} instead of {image.size}, '
                f'{job.object_size} and {job.data_pool!r}',
            )
        return THERE

    def _facts(self, image: Image) -> List[str]:
        job = self._job
        return [
            str(image.size),
            str(job.object_size),
            job.data_pool or '-',
            job.encryption or '-',
        ]

    def make(self, image: Image) -> None:
        """Create an image, and format it where it is to be encrypted."""
        job, spec = self._job, self.spec(image)
        if self.states.get(image.name) == ABSENT:
            args = ['create', '--size', f'{image.size}B', '--image-feature']
            args += [FEATURES, '--object-size', str(job.object_size)]
            if job.data_pool:
                args += ['--data-pool', job.data_pool]
            self._must(args + [spec], f'making image {spec}')
        if job.encryption:
            path = self._context.path(f'{image.name}.passphrase')
            private(path, jobfile.passphrase(image.name))
            self._must(
                ['encryption', 'format', spec, job.encryption, path],
                f'encrypting image {spec}',
            )

    def mark(self, image: Image, compress: int) -> None:
        """Note with an image that it was written in full, and how."""
        value = ' '.join([*self._facts(image), str(compress)])
        self._must(
            ['image-meta', 'set', self.spec(image), MARK, value],
            f'marking image {self.spec(image)}',
        )
        self.states[image.name] = WRITTEN

    def used(self, image: Image) -> int:
        """Return the bytes of the objects that an image has."""
        spec = self.spec(image)
        done = self._must(['du', '--format', 'json', spec], f'size of {spec}')
        try:
            return int(json.loads(done.stdout)['images'][0]['used_size'])
        except (ValueError, LookupError, TypeError):
            raise Failure(
                'load', f'what rbd du says of image {spec} cannot be read'
            ) from None

    def _must(
        self, args: List[str], what: str
    ) -> 'subprocess.CompletedProcess[bytes]':
        done = self._run(args)
        if done.returncode:
            raise self._complain(done, what)
        return done

    def _complain(
        self, done: 'subprocess.CompletedProcess[bytes]', what: str
    ) -> Failure:
        return complaint(
            self._job.access,
            done.returncode,
            done.stderr.decode('utf-8', 'replace'),
            what,
        )

    def _run(self, args: List[str]) -> 'subprocess.CompletedProcess[bytes]':
        """Run a short `rbd` command; Failure if it does not end in time."""
        seconds = min(PATIENCE, self._context.left())
        try:
            return subprocess.run(
                leashed(self.connect_args() + args),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise Failure(
                'deadline',
                f'rbd {args[0]}: no answer of the cluster in {seconds:.0f} s: '
                f'is pool {self._job.access.pool} full, or without its OSDs?',
            ) from None

    def configure(self, label: str, depth: int, size: int) -> Dict[str, str]:
        """Write the ceph.conf of one fio; return fio's environment.

        fio has no option for a conf, a keyring or a socket. ``depth``
        operations of ``size`` bytes must fit into librados' own limits.
        """
        access, path = self._job.access, self._context.path(f'{label}.conf')
        try:
            with open(access.conf, encoding='utf-8') as file:
                given = file.read(CONF_MAX)
        except (OSError, UnicodeDecodeError) as error:
            raise Failure(
                'access', f'cannot read {access.conf!r}: {error}'
            ) from None
        lines = [given.rstrip('\n'), '', f'[{access.entity}]']
        lines += [f'keyring = {access.keyring}', 'log file =']
        # of its own: one path for all clients may be configured
        lines.append(f'admin socket = {label}.asok')
        # librbd tells fio a number at most, and its log the reason
        lines.append('err to stderr = true')
        objects = depth * max(1, size // self._job.object_size)
        if depth * size > INFLIGHT_BYTES:
            lines.append(f'objecter inflight op bytes = {2 * depth * size}')
        if objects > INFLIGHT_OPS:
            lines.append(f'objecter inflight ops = {2 * objects}')
        private(path, '\n'.join(lines) + '\n')
        return {**environment(), 'CEPH_CONF': path}


def environment() -> Dict[str, str]:
    """Return the environment of a load program."""
    return {
        'PATH': os.environ.get('PATH', os.defpath),
        'LC_ALL': 'C.UTF-8',
        'HOME': '/nonexistent',
    }


def private(path: str, text: str) -> None:
    """Write a new file that nobody else can read."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC
    try:
        with os.fdopen(os.open(path, flags, 0o600), 'w') as file:
            file.write(text)
    except OSError as error:
        raise Failure(
            'spool', f'cannot write {path!r}: {error.strerror}'
        ) from None
