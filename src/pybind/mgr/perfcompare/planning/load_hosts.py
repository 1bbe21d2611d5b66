"""Where the load of a run comes from, when not from the Manager's host."""

from typing import Callable, Mapping, Sequence, Tuple

import dataclasses
import hashlib

from ..common.errors import InvalidArgument
from ..common.option import Option
from ..model import load
from ..model.plan import RunOptions
from ..model.workload import Profile, Workload
from ..worker.wire.jobs import HOSTS_MAX
from .loads import planner_of

ALL = 'all'
LABEL = 'label:'

NAMED = 6  # hosts that are told by name

LOAD_HOSTS = Option(
    'load_hosts',
    str,
    'Load hosts, all or label:<label>',
    many=True,
    default="the Manager's host",
)


def check(profile: Profile, options: RunOptions) -> None:
    """Raise InvalidArgument for loads that no load host makes."""
    if not options.load_hosts:
        return
    for workload in profile.workloads:
        if not load.of_tool(workload.tool).on_load_hosts:
            raise InvalidArgument(
                f'{workload.name} is a load of {workload.tool}, which only '
                "the Manager's host makes: leave out --load-hosts, or give "
                'other workloads'
            )
        number = len(options.load_hosts)
        spec = load.of_tool(workload.tool)
        if number > 1 and (workload.op.facts.alone or not spec.divided):
            raise InvalidArgument(
                f'{workload.name} comes from one load host at a time, not '
                f'from {number}: give one by --load-hosts, or other '
                'workloads'
            )


def spread(
    profile: Profile, options: RunOptions, osds: Sequence[int]
) -> Profile:
    """Return a profile whose clients can be dealt out evenly to its hosts.

    What is in flight, and what is written or read, stay those of the group;
    ``osds`` are the numbers of OSDs of the groups. Raises InvalidArgument
    where a load is too small for so many hosts.
    """
    number = len(options.load_hosts or ())
    if number < 2:
        return profile
    return dataclasses.replace(
        profile,
        workloads=tuple(
            planner_of(w.op).dealt(w, _clients(w, number, min(osds)))
            for w in profile.workloads
        ),
    )


def _clients(workload: Workload, hosts: int, osds: int) -> int:
    """Return the next number of clients of which all hosts have as many.

    One client that stands for any number stays what it is.
    """
    clients = -(-workload.clients // hosts) * hosts
    flight = workload.concurrency.total(osds)
    if clients > flight:
        raise InvalidArgument(
            f'{workload.name} has {flight} operations in flight, fewer than '
            f'{clients} clients on {hosts} load hosts: raise --concurrency, '
            'or give fewer hosts by --load-hosts'
        )
    if workload.clients == 1 and load.of_tool(workload.tool).own_clients:
        return 1
    return clients


def called(names: Sequence[str]) -> str:
    """Return how hosts that make load together are called, in one word.

    Equal for equal hosts only.
    """
    found = sorted(names)
    if len(found) <= NAMED:
        return ', '.join(found)
    digest = hashlib.sha256(' '.join(found).encode()).hexdigest()[:8]
    return (
        f'{", ".join(found[: NAMED - 1])} and more ({len(found)}, {digest})'
    )


def chosen(
    wanted: Sequence[str],
    enabled: Sequence[str],
    labels: Callable[[], Mapping[str, Sequence[str]]],
) -> Tuple[str, ...]:
    """Return the load hosts that were asked for by name, label or `all`.

    ``enabled`` are those there are; ``labels`` are those of the
    orchestrator's hosts, by name. Raises InvalidArgument where there is
    none, or are too many.
    """
    found: Tuple[str, ...] = ()
    for word in dict.fromkeys(wanted):
        if word.startswith(LABEL):
            found += _labeled(word, enabled, labels())
            continue
        if word == ALL and not enabled:
            raise InvalidArgument(
                '--load-hosts all: there is none that is enabled; see `ceph '
                'perfcompare load-host ls`'
            )
        found += tuple(enabled) if word == ALL else (word,)
    found = tuple(dict.fromkeys(found))
    if len(found) > HOSTS_MAX:
        raise InvalidArgument(
            f'--load-hosts: {len(found)} hosts are more than {HOSTS_MAX}'
        )
    return found


def _labeled(
    word: str, enabled: Sequence[str], labels: Mapping[str, Sequence[str]]
) -> Tuple[str, ...]:
    """Return the load hosts whose host has a label of the orchestrator."""
    label = word[len(LABEL) :]
    names = {name for name, given in labels.items() if label in given}
    # the orchestrator may know a host by its whole name, or by the short one
    short = {name.partition('.')[0] for name in names}
    found = tuple(
        host
        for host in enabled
        if host in names or host.partition('.')[0] in short
    )
    if not found:
        raise InvalidArgument(
            f'--load-hosts {word!r}: no load host that is enabled has this '
            'label; see `ceph orch host ls` and `ceph perfcompare load-host '
            'ls`'
        )
    return found
