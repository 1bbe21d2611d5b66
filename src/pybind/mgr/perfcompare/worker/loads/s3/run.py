"""Carry out an S3 job: bucket, objects, load, figures."""

from typing import Any, Dict, List, Optional

import time

from ...runtime import procstat
from ...runtime.context import Context
from ...wire.s3_jobs import (
    S3Load,
    S3Trial,
    S3Warm,
)
from ...wire.s3_spec import (
    MULTIPART,
    PUT,
    Details,
    Objects,
    Phase,
    Target,
    weights,
)
from . import buckets, bursts, probes, removal, sound
from .bucket import Client, nagle
from .extras import extras
from .filling import fill, read_all
from .fleet import HEAD_START, Fleet, begun, processes_for, shared
from .outcome import client_of, result
from .part import told
from .progress import Progress
from .results import Window

SOONEST = 0.1  # seconds from an order to the begin, where it is late


class S3Run:
    """Drive the processes of a job that fills a bucket, or measures."""

    def __init__(self, job: S3Load, context: Context) -> None:
        self._job = job
        self._context = context
        self._fleet: Optional[Fleet] = None
        self._kept = False
        self._probe: Dict[str, Any] = {}
        self._progress = Progress(context, self._processes)

    def _processes(self) -> Fleet:
        assert self._fleet is not None
        return self._fleet

    def tools(self) -> Dict[str, str]:
        """Return what makes the load."""
        return buckets.tools()

    def prepare(self) -> None:
        """Make the bucket, look at the objects, connect."""
        job = self._job
        target = buckets.target(job)
        client = Client(target, left=self._context.left)
        try:
            if job.host:
                buckets.await_made(client, job, self._context.pause)
            else:
                buckets.make(client, job)
            if isinstance(job, S3Warm):
                buckets.require(client, job)
            elif isinstance(job, S3Trial):
                if job.objects and not job.own:
                    buckets.require(client, job)
                if not job.host:
                    self._look(client, job, target)
            else:
                self._kept = buckets.missing(client, job) == ''
        finally:
            client.close()
        trial = job if isinstance(job, S3Trial) else None
        writes = trial.write_prefix if trial else job.prefix
        self._fleet = Fleet(
            self._context,
            target,
            Objects(
                job.prefix,
                job.objects,
                job.sizes,
                trial.turn if trial and trial.own else 0,
                job.buckets,
                job.prefixes,
            ),
            Objects(
                writes or job.prefix,
                0,
                (trial.write_sizes if trial else ()) or job.sizes,
                trial.turn if trial else 0,
                job.buckets,
                job.prefixes,
            ),
            job.concurrency,
            self._number(),
            job.seed,
            job.nice,
            job.host,
            job.hosts,
            timeout=trial.timeout if trial else 60.0,
            verify=trial.verify if trial else 0.0,
            keep=bool(trial and trial.keep),
            slices=bool(trial and trial.slices),
            signed_payload=job.sign_payload,
            hash_ahead=bool(trial and trial.mix[PUT]),
            details=trial.details if trial else Details(),
            encryption=job.encryption,
            streams=(
                trial.details.part_streams
                if trial and weights(trial.mix)[MULTIPART]
                else 1
            ),
        )
        self._fleet.ready()
        if trial and trial.own and trial.hosts > 1:
            # before all hosts begin at one time
            fill(self._fleet, self._progress, trial.objects)

    def _number(self) -> int:
        """Return how many processes there are.

        Where they write what they read, each has an object at least.
        """
        job = self._job
        wanted = job.processes or processes_for(
            job.concurrency, procstat.cores(), encrypted_size(job)
        )
        if isinstance(job, S3Trial) and job.own and job.objects:
            return max(1, min(wanted, job.objects // job.hosts))
        return wanted

    def _look(self, client: Client, job: S3Trial, target: Target) -> None:
        """See how gateways do what is asked of them; one host does."""
        self._probe = nagle(client, job.bucket, removal.PROBE)
        if job.encryption or job.details.tags:
            self._stores(job, target)
        if job.details.checksum:
            self._sums(job, target)

    def _stores(self, job: S3Trial, target: Target) -> None:
        """See that each gateway encrypts and tags as it is asked to."""
        for endpoint in target.endpoints:
            probes.stores(
                target,
                endpoint,
                f'/{job.bucket}/{removal.PROBE}',
                job.encryption,
                job.details.tags,
                extras(job.encryption, job.details.tags, job.seed),
                self._context.left,
            )

    def _sums(self, job: S3Trial, target: Target) -> None:
        """See that each gateway verifies the checksums of the load."""
        for endpoint in target.endpoints:
            probes.checksums(
                target,
                endpoint,
                f'/{job.bucket}/{removal.PROBE}',
                job.details.checksum,
                job.sign_payload,
                self._context.left,
            )

    def run(self) -> Dict[str, Any]:
        """Make the load; return the result as plain data."""
        assert self._fleet is not None
        try:
            if isinstance(self._job, S3Trial):
                return self._trial(self._job)
            return self._populations()
        finally:
            self._fleet.end()

    # objects

    def _populations(self) -> Dict[str, Any]:
        """Write objects, or read each once; return how that went."""
        job, context = self._job, self._context
        assert self._fleet is not None
        notes: List[str] = []
        mine = len(range(job.host, job.objects, job.hosts))
        row: Dict[str, Any] = {
            'run_name': job.prefix,
            'objects': mine,
            'kept': self._kept,
        }
        if not self._kept:
            began = time.monotonic()
            if isinstance(job, S3Warm):
                missed = read_all(self._fleet, self._progress, job.objects)
                if missed:
                    notes.append(f'{missed} of {mine} were not read')
            else:
                fill(self._fleet, self._progress, job.objects, forget=True)
            row['seconds'] = time.monotonic() - began
            row['ops_per_s'] = mine / row['seconds']
        return {
            'started': context.start[0],
            'ended': context.now(),
            'populations': [row],
            'notes': notes,
        }

    # load

    def _trial(self, job: S3Trial) -> Dict[str, Any]:
        assert self._fleet is not None
        if job.deletes_only:
            windows, notes = bursts.deletes(self._fleet, self._progress, job)
        else:
            if job.own and job.objects and job.hosts == 1:
                fill(self._fleet, self._progress, job.objects)
            phase = Phase(
                'load',
                job.mix,
                job.warmup,
                job.duration,
                rate=job.rate,
                bound=job.max_objects if job.writes else 0,
                adopt=bool(job.objects) and not job.own,
            )
            begin = time.monotonic() + HEAD_START
            if self._context.agreed is not None:
                phase, begin = begun(
                    phase, self._agreed(), time.monotonic() + SOONEST
                )
            measured = begin + phase.warmup
            self._progress.measure(measured, measured + phase.duration)
            found = self._fleet.run(
                shared(phase, self._fleet.processes),
                begin - time.monotonic() + job.warmup + job.duration + 15.0,
                self._progress.watch,
                begin,
            )
            windows, notes = [Window(found, job.rate > 0)], []
            sound.require(job, windows[0])
        reduced = result(
            job,
            self._context.start,
            windows,
            client_of(self._progress.meter, self._context.outbox.dropped),
            self._probe,
            notes,
        )
        if job.hosts > 1:
            reduced['evidence']['told'] = told(
                found, int(self._agreed() * 1e9)
            )
        return reduced

    def _agreed(self) -> float:
        """Return when all hosts begin (monotonic)."""
        wall, mono = self._context.start
        agreed = self._context.agreed
        return mono + HEAD_START + (agreed - wall if agreed else 0.0)


def encrypted_size(job: S3Load) -> float:
    """Return the mean bytes of objects that go over TLS; 0 without it.

    Where reads and writes have sizes of their own, the larger mean.
    """
    if not any(e.tls for e in job.endpoints):
        return 0.0
    writes = job.write_sizes if isinstance(job, S3Trial) else ()
    return max(
        sum(w.size * w.weight for w in sizes) / sum(w.weight for w in sizes)
        for sizes in (job.sizes, writes or job.sizes)
    )
