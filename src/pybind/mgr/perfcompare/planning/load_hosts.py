"""Where the load of a run comes from, when not from the Manager's host."""

from typing import Sequence, Tuple

from ..common.errors import InvalidArgument
from ..common.option import Option
from ..model import load
from ..model.plan import RunOptions
from ..model.workload import Profile

ALL = 'all'
LABEL = 'label:'

LOAD_HOSTS = Option(
    'load_hosts',
    str,
    "Load host, or all; else the Manager's host",
    many=True,
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


def chosen(wanted: Sequence[str], enabled: Sequence[str]) -> Tuple[str, ...]:
    """Return the load hosts that were asked for by name or `all`.

    ``enabled`` are those there are. Raises InvalidArgument where they
    cannot be used together, or are none.
    """
    found: Tuple[str, ...] = ()
    for word in dict.fromkeys(wanted):
        if word.startswith(LABEL):
            raise InvalidArgument(
                f'--load-hosts {word!r}: load hosts are not known by labels; '
                'give names of `ceph perfcompare load-host ls`, or all'
            )
        if word == ALL and not enabled:
            raise InvalidArgument(
                '--load-hosts all: there is none that is enabled; see `ceph '
                'perfcompare load-host ls`'
            )
        found += tuple(enabled) if word == ALL else (word,)
    found = tuple(dict.fromkeys(found))
    if len(found) > 1:
        raise InvalidArgument(
            f'--load-hosts: {", ".join(found[:5])} are {len(found)} hosts; '
            'load comes from one host at a time: give one'
        )
    return found
