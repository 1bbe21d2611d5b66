"""The buckets of a job: make them, look at what is in them, remove them."""

from typing import Any, Callable, Dict

import platform
import time

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...wire.s3_jobs import S3Load, S3Look, S3Remove
from ...wire.s3_spec import Objects, Target, bucket_names
from . import probes, removal
from .bucket import Client, read_keys
from .extras import extras
from .keys import Namer

WAIT = 60.0  # seconds until the first of several hosts has made them
LOOK = 0.5  # seconds between looks


def tools() -> Dict[str, str]:
    """Return what makes requests."""
    return {'s3': f'perfcompare (Python {platform.python_version()})'}


def target(job: S3Load) -> Target:
    """Return how the gateways of a job are reached."""
    access, secret = read_keys(job.credentials)
    return Target(
        job.endpoints,
        access,
        secret,
        job.bucket,
        job.region,
        job.ca_file,
        job.verify_tls,
    )


def make(client: Client, job: S3Load) -> None:
    """Make the buckets, which may have to be new."""
    for bucket in bucket_names(job.bucket, job.buckets):
        new = client.make_bucket(bucket, job.location)
        if job.versioned:
            client.keep_versions(bucket)
        if not job.owner:
            continue
        if new:
            removal.mark(client, bucket, job.owner)
        elif job.fresh:
            raise _exists(bucket)


def await_made(
    client: Client, job: S3Load, pause: Callable[[float], Any]
) -> None:
    """Wait until the first host has made the buckets."""
    end = time.monotonic() + WAIT
    for bucket in bucket_names(job.bucket, job.buckets):
        while not _made(client, job, bucket):
            if time.monotonic() > end:
                raise Failure(
                    'access',
                    f'the first load host made no bucket {bucket!r} within '
                    f'{WAIT:.0f} s',
                )
            pause(LOOK)


def _made(client: Client, job: S3Load, bucket: str) -> bool:
    if not client.has_bucket(bucket):
        return False
    if job.versioned and not client.has_versions(bucket):
        return False
    if not (job.owner and job.fresh):
        return True
    try:
        return removal.marked(client, bucket, job.owner)  # it comes last
    except Failure:  # some gateways refuse what is not there
        return False


def missing(client: Client, job: S3Load) -> str:
    """Return why the objects cannot be read, '' when they can."""
    namer = Namer(
        job.bucket,
        Objects(job.prefix, 0, job.sizes, 0, job.buckets, job.prefixes),
    )
    headers = extras(job.encryption, 0, job.seed).client('reads')
    for number in sorted({0, job.objects - 1}):
        wanted = namer.key(number).size
        size = client.size(namer.path(number), headers)
        if size != wanted:
            return f'object {number} has {size} bytes, not {wanted}'
    return ''


def require(client: Client, job: S3Load) -> None:
    """Raise Failure where objects that a load reads are not there."""
    why = missing(client, job)
    if why:
        raise Failure('population', f'{why}: fill it again')


class BucketRun:
    """See that buckets are free, or remove them, without any load."""

    def __init__(self, job: S3Look, context: Context) -> None:
        self._job = job
        self._context = context

    def tools(self) -> Dict[str, str]:
        """Return what makes the requests."""
        return tools()

    def prepare(self) -> None:
        """Read the keys, so that a job without them begins nothing."""
        self._target = target(self._job)

    def run(self) -> Dict[str, Any]:
        """Return the result as plain data."""
        removed = {}
        if isinstance(self._job, S3Remove):
            removed = self._remove(self._job)
        else:
            self._look()
        return {
            'started': self._context.start[0],
            'ended': self._context.now(),
            'notes': [],
            'evidence': removed,
        }

    def _look(self) -> None:
        """Raise Failure where a gateway has one of the buckets."""
        for endpoint in self._target.endpoints:
            client = Client(self._target, endpoint, self._context.left)
            if endpoint.domain:
                probes.hosted(client, endpoint, self._target.bucket)
            for bucket in bucket_names(
                self._target.bucket, self._job.buckets
            ):
                if client.has_bucket(bucket):
                    client.close()
                    raise _exists(bucket)
            client.close()

    def _remove(self, job: S3Remove) -> Dict[str, Any]:
        client = Client(self._target, left=self._context.left)
        removed, why = 0, []
        for bucket in bucket_names(job.bucket, job.buckets):
            objects, kept = removal.remove(
                client, bucket, job.owner, self._breathe
            )
            removed += objects
            if kept:
                why.append(f'{bucket}: {kept}' if job.buckets > 1 else kept)
        client.close()
        return {'removed': removed, 'kept': '; '.join(why[:3])}

    def _breathe(self) -> None:
        self._context.pause(0.0)


def _exists(bucket: str) -> Failure:
    return Failure(
        'exists', f'bucket {bucket!r} exists already: it is left alone'
    )
