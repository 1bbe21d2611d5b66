"""How loads of RBD images are planned.

A pool holds one set of images, all written in full before they are loaded:
the working set. It follows from OSDs and their caches, not from the number
of images, processes or operations in flight.
"""

from typing import Dict, List, Sequence, Tuple

import math

from ...common.errors import InvalidArgument
from ...common.units import count, format_bytes, format_size
from ...model.group import Group
from ...model.plan import GroupPlan, PoolPlan, RunOptions, RunPlan
from ...model.workload import CacheRegime, Profile, WeightedSize, Workload
from ...worker.wire import rbd_jobs as wire
from ..loads import (
    DEVICE_FACTOR,
    FILL_BYTES,
    Draft,
    LoadPlanner,
    PoolNeed,
    fastest,
    workloads_of,
)
from . import shape

MIB = 1024**2
# Bytes for each OSD: enough to fall on all PGs, written in seconds.
CACHED_BYTES = 256 * MIB
LEAST_BYTES = 16 * MIB
META_BYTES = 64 * MIB  # headers of images
META = '-meta'  # ends the role of the pool that has these
HEADER_BYTES = 16 * MIB  # of an encrypted image
START = 60.0  # seconds of a trial beside its load: processes, images opened
APPLICATION = 'rbd'


def role_of(workload: Workload) -> str:
    """Return the role of the pool that a workload's images are in.

    What is read lives for the run, what is written for a round; images of
    another kind are in a pool of their own.
    """
    how = shape.of(workload)
    found = f'rbd-{"read" if workload.reads else "write"}-{workload.clients}'
    if how.object_size:
        found += f'-o{format_size(how.object_size)}'
    if how.image_size:
        found += f'-i{format_size(how.image_size)}'
    if how.compress:
        found += f'-comp{how.compress}'
    if how.encryption:
        found += f'-{how.encryption}'
    if workload.cache is CacheRegime.DEVICE:
        found += '-device'
    return found


def image_bytes(pool: PoolPlan, workload: Workload) -> int:
    """Return the bytes of each image, with the header of an encrypted one."""
    return pool.max_bytes // workload.clients


class RbdPlanner(LoadPlanner):
    """Plan loads of images."""

    def check(self, profile: Profile, options: RunOptions) -> None:
        """Raise InvalidArgument for options that nothing here can have."""
        own = workloads_of(self, profile)
        given = [k for k in shape.KEYS if options.driver(k) is not None]
        if options.driver('rbd_client') is not None and not own:
            given.append('rbd_client')
        for key in given:
            flag = '--' + key.replace('_', '-')
            if not own:
                raise InvalidArgument(
                    f'{flag} is for RBD workloads, and none is run; give '
                    'e.g. --workload rbd-randread'
                )
            if key in _ONLY and not any(map(_ONLY[key][0], own)):
                raise InvalidArgument(
                    f'{flag} is for {_ONLY[key][1]}; none is run'
                )

    def check_workload(self, workload: Workload, where: str) -> None:
        """Raise InvalidArgument where one of its workloads cannot be."""
        shape.check(workload, where)

    def most_in_flight(self, workload: Workload, hosts: int) -> int:
        """Return what the processes of all images keep in flight."""
        return workload.clients * wire.DEPTH_MAX

    def role(self, workload: Workload, group: GroupPlan) -> str:
        """Return the role of the pool that a workload's images are in."""
        return role_of(workload)

    def full_pools(self, profile: Profile, options: RunOptions) -> int:
        """Return how many full pools the PGs of its pools are worth."""
        sets = len(self._sets(profile))
        return sets + bool(options.ec_profile)

    def pools(
        self, draft: Draft, group: Group, scale: float
    ) -> List[PoolNeed]:
        """Return a pool for each set of images.

        An erasure-coded one has no omap, so headers are in another one.
        """
        found = []
        for role, workloads in self._sets(draft.profile).items():
            first = workloads[0]
            found.append(
                PoolNeed(
                    role,
                    self._image(draft, len(group.osds), workloads)
                    * first.clients,
                    per_round=not first.reads,
                    held=tuple(
                        (WeightedSize(shape.object_size(w)),)
                        for w in workloads
                    ),
                    overwrites=True,
                    application=APPLICATION,
                )
            )
            if draft.options.ec_profile:
                found.append(
                    PoolNeed(
                        role + META,
                        META_BYTES,
                        per_round=not first.reads,
                        replicated=True,
                        small=True,
                        application=APPLICATION,
                    )
                )
        return found

    def labels(self, draft: Draft) -> List[str]:
        """Say what is not as a reader of the results would expect."""
        own = workloads_of(self, draft.profile)
        labels = []
        limit = draft.bounds.cached
        sizes = {len(g.osds) for g in draft.groups}
        for role, workloads in self._sets(draft.profile).items():
            cached = workloads[0].cache is CacheRegime.CACHED
            held = self._per_osd(draft, workloads)
            if cached and max(held) > limit * 1.1:
                labels.append(
                    f'images of {role} may miss the cache: '
                    f'{format_bytes(max(held))} per OSD are more than half '
                    'of it'
                )
        if len(sizes) > 1 and any(shape.of(w).image_size for w in own):
            labels.append(
                '--image-size: groups of unequal numbers of OSDs have '
                'unequal bytes per OSD'
            )
        if any(shape.of(w).rate for w in own):
            labels.append(
                'RBD at a rate: closed above what is in flight, no open loop'
            )
        if any(w.tool != shape.NAME for w in own):
            labels.append('RBD load by rbd bench: no percentiles')
        return labels

    def holds(self, plan: RunPlan, group: GroupPlan, pool: PoolPlan) -> str:
        """Say which images a pool holds."""
        sets = self._sets(plan.profile)
        if pool.role in sets:
            first = sets[pool.role][0]
            each = image_bytes(pool, first)
            return (
                f'{count(first.clients, "image")} of {format_bytes(each)}, '
                'written in full before they are loaded'
            )
        if pool.role.endswith(META) and pool.role[: -len(META)] in sets:
            return 'headers of images'
        return ''

    def dealt(self, workload: Workload, clients: int) -> Workload:
        """Return the same load on as many images, for hosts to share.

        Raises InvalidArgument where they would hold more than was asked for.
        """
        if shape.of(workload).image_size and clients != workload.clients:
            raise InvalidArgument(
                f'{workload.name}: {count(workload.clients, "image")} of a '
                'size that is given cannot be shared evenly by the load '
                f'hosts: give --images {clients}, or no --image-size'
            )
        return super().dealt(workload, clients)

    def fill_seconds(self, plan: RunPlan) -> float:
        """Return the expected seconds of writing and reading images."""
        total = 0.0
        for role, workloads in self._sets(plan.profile).items():
            first = workloads[0]
            times = 1 if first.reads else plan.profile.rounds + 1
            if first.cache is CacheRegime.CACHED:
                mixes = sum(w.op.facts.both for w in workloads)
                passes = 2 if first.reads else 1 + mixes
            else:
                passes = 1
            for group in plan.groups:
                for pool in group.pools:
                    if pool.role == role:
                        speed = FILL_BYTES * len(group.osds)
                        total += times * passes * pool.max_bytes / speed
        return total

    def rewritten(self, plan: RunPlan) -> int:
        """Return the most bytes that trials write over images."""
        rounds = plan.profile.rounds + 1
        total = 0
        for workload in workloads_of(self, plan.profile):
            if workload.reads:
                continue
            for group in plan.groups:
                ops = fastest(workload, len(group.osds), plan.size)
                if shape.of(workload).rate:
                    seconds = workload.warmup + workload.duration
                    ops = min(
                        ops, math.ceil(shape.of(workload).rate * seconds)
                    )
                total += ops * shape.write_size(workload) * rounds
        return total

    def deadline_extra(self, workload: Workload) -> float:
        """Return the seconds that a trial may take beside its load."""
        return START

    def recovery_objects(
        self, objects: int, size: int, images: int, block: int
    ) -> int:
        """Return the objects of images that are at least so many.

        Raises InvalidArgument for what librbd and fio do not take.
        """
        shape.check_recovery(size, block)
        unit = max(wire.UNIT, size)
        least = max(objects * size, images * block)
        return images * unit * -(-least // (images * unit)) // size

    def _sets(self, profile: Profile) -> Dict[str, List[Workload]]:
        """Return the workloads by the role of the pool of their images."""
        found: Dict[str, List[Workload]] = {}
        for workload in workloads_of(self, profile):
            found.setdefault(role_of(workload), []).append(workload)
        return found

    def _image(
        self, draft: Draft, osds: int, workloads: Sequence[Workload]
    ) -> int:
        """Return the bytes of each image with its header."""
        first = workloads[0]
        how, unit = shape.of(first), shape.unit(first)
        header = HEADER_BYTES if how.encryption else 0
        if how.image_size:
            self._check_regime(draft, osds, first)
            return how.image_size + header
        each = _working_set(draft, first) * osds / first.clients
        # to whole objects, on the side of its regime
        cached = first.cache is CacheRegime.CACHED
        objects = (
            math.floor(each / unit) if cached else math.ceil(each / unit)
        )
        largest = max(shape.largest(w) for w in workloads)
        return max(objects, 1, -(-largest // unit)) * unit + header

    def _per_osd(
        self, draft: Draft, workloads: Sequence[Workload]
    ) -> Tuple[float, ...]:
        """Return the bytes for each OSD, by group."""
        clients = workloads[0].clients
        return tuple(
            self._image(draft, len(g.osds), workloads) * clients / len(g.osds)
            for g in draft.groups
        )

    def _check_regime(
        self, draft: Draft, osds: int, workload: Workload
    ) -> None:
        """Raise InvalidArgument where images are not what they claim."""
        size = shape.of(workload).image_size
        each = size * workload.clients / osds
        low, high = draft.bounds.device, draft.bounds.cached
        what = (
            f'{count(workload.clients, "image")} of {format_size(size)} are '
            f'{format_bytes(each)} for each of {osds} OSDs'
        )
        if workload.cache is CacheRegime.DEVICE and each < low:
            raise InvalidArgument(
                f'{workload.name}: {what}, less than {DEVICE_FACTOR} times '
                f'their cache ({format_bytes(low)}); give larger or more '
                'images, or --cache cached'
            )
        if workload.cache is CacheRegime.CACHED and each > high:
            raise InvalidArgument(
                f'{workload.name}: {what}, more than half of their cache '
                f'({format_bytes(high)}); give smaller or fewer images, or '
                '--cache device'
            )


def _working_set(draft: Draft, workload: Workload) -> int:
    """Return the bytes for each OSD."""
    if workload.cache is CacheRegime.DEVICE:
        return draft.bounds.device
    return max(LEAST_BYTES, min(CACHED_BYTES, draft.bounds.cached))


def _mixed(workload: Workload) -> bool:
    return workload.op.facts.both


def _random(workload: Workload) -> bool:
    return workload.op.facts.random


_ONLY = {
    'read_share': (_mixed, 'mixes, rbd-randrw and rbd-rw'),
    'rbd_read_size': (_mixed, 'mixes, rbd-randrw and rbd-rw'),
    'rbd_write_size': (_mixed, 'mixes, rbd-randrw and rbd-rw'),
    'random_share': (_random, 'RBD operations at random places'),
    'rbd_distribution': (_random, 'RBD operations at random places'),
}
PLANNER = RbdPlanner()
