"""What rules of findings may look at for one trial, tolerant of gaps."""

from typing import Any, Dict, Iterator, List, Mapping, Optional, Tuple

import dataclasses
import math

from ...model.manifest import Manifest
from ...model.series import Table
from ...model.trial import Trial, TrialSummary

Figures = Mapping[str, Any]
WINDOW = Tuple[float, float]  # Unix times
_USES = ('data', 'db', 'wal')  # the first counts, of an OSD with several


@dataclasses.dataclass(frozen=True)
class Seen:
    """Hold one figure of one place, over the measured window."""

    place: str  # 'osd.3', 'host a1', 'sda of a1', 'client'
    value: float
    source: str = ''  # the series that it comes from: 'host.a1'
    column: str = ''  # the column of that series
    per: float = 1.0  # what divides the column to give the figure


@dataclasses.dataclass(frozen=True)
class TrialFacts:
    """Hold the evidence of one trial as figures by place.

    ``osds`` and ``hosts`` are those of the group under test; absent
    evidence, and that of other work as well, leaves them empty.
    """

    osds: Dict[str, Figures]
    hosts: Dict[str, Figures]
    tenants: Figures
    manifest: Manifest
    summary: Optional[TrialSummary]
    client: Figures
    seconds: float  # of the window; 0 is not known
    series: Mapping[str, Table] = dataclasses.field(default_factory=dict)
    window: Optional[WINDOW] = None

    def setting(self, name: str) -> str:
        """Return an effective OSD option; '' when it is not known."""
        return (self.manifest.settings or {}).get(name, '')

    def separate_db(self) -> Dict[str, Optional[bool]]:
        """Say of each OSD whether its metadata has a device of its own.

        Where a group has both, those whose hosts tell their disks are
        known; former versions recorded nothing else. None is not known.
        """
        told = self.manifest.separate_db
        if told and len(told) == 1:
            return dict.fromkeys(self.osds, told[0])
        found: Dict[str, Optional[bool]] = dict.fromkeys(self.osds)
        for figures in self.hosts.values():
            for disk in mapping(figures.get('disks')).values():
                for osd, role in _uses(mapping(disk)).items():
                    if osd in found:
                        own = role in _USES[1:]
                        found[osd] = own or bool(found[osd])
        return found

    def disks(self) -> Iterator[Tuple[str, str, Figures]]:
        """Yield host, device and figures of the group's disks.

        A disk's role is that which it has for OSDs of the group. Of those
        that the same OSDs have for the same, it is the busiest: they are
        paths to one drive, or lie under one volume, which waits for it.
        """
        for host, figures in self.hosts.items():
            busiest: Dict[Tuple[Any, ...], Tuple[str, Figures]] = {}
            for name, disk in mapping(figures.get('disks')).items():
                disk = mapping(disk)
                role = self._role(disk)
                if not role:
                    continue
                use = role, *sorted(map(str, disk['osds']))
                known = busiest.get(use)
                if known is None or _busy(disk) > _busy(known[1]):
                    busiest[use] = name, {**disk, 'role': role}
            for name, disk in busiest.values():
                yield host, name, disk

    def _role(self, disk: Figures) -> str:
        """Return what a disk is used for here; '' when it is not ours."""
        uses = _uses(disk)
        found = {role for osd, role in uses.items() if osd in self.osds}
        known = [role for role in _USES if role in found]
        return known[0] if known else ''


def _uses(disk: Figures) -> Dict[str, str]:
    """Return the OSDs of a disk, and what each uses it for."""
    roles = mapping(disk.get('roles'))  # earlier versions know but one
    first = disk.get('role') or ''
    return {
        str(osd): str(roles.get(str(osd), first))
        for osd in disk.get('osds') or ()
    }


def _busy(disk: Figures) -> Tuple[float, float]:
    util, queue = number(disk, 'util'), number(disk, 'queue')
    return -1.0 if util is None else util, queue or 0.0


def mapping(value: Any) -> Dict[str, Any]:
    """Return ``value`` if it is a mapping, else an empty one."""
    return value if isinstance(value, dict) else {}


def number(figures: Figures, name: str) -> Optional[float]:
    """Return a figure; None when it is absent or not finite."""
    value = figures.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return float(value) if math.isfinite(value) else None


def mixed(trial: Trial) -> bool:
    """Say whether its hosts and OSDs did other work between what counts.

    Deletes take what was written for them, in turn with writing it: figures
    that are read every few seconds are of both.
    """
    client = mapping(trial.evidence.get('client'))
    return bool(number(client, 'between'))


def facts_of(
    trial: Trial, series: Optional[Mapping[str, Table]] = None
) -> TrialFacts:
    """Read a trial's evidence; what is absent or odd is left out."""
    evidence = trial.evidence
    manifest = Manifest.from_dict(trial.manifest)
    hosts: Dict[str, Figures] = {}
    for host, figures in mapping(evidence.get('hosts')).items():
        figures = mapping(figures)
        ours = manifest.hosts is None or host in manifest.hosts
        # without samples it is only known what the host is
        seen = figures.get('samples') != 0
        if figures.get('role') == 'osd' and ours and seen:
            hosts[host] = figures
    osds: Dict[str, Figures] = {
        osd: mapping(figures)
        for osd, figures in mapping(evidence.get('osds')).items()
        if figures and osd.isdigit()
    }
    if mixed(trial):
        hosts, osds = {}, {}
    client = mapping(evidence.get('client'))
    return TrialFacts(
        osds=osds,
        hosts=hosts,
        tenants=mapping(evidence.get('tenants')),
        manifest=manifest,
        summary=trial.summary,
        client=client,
        seconds=trial.summary.window if trial.summary else 0.0,
        series=series or {},
        window=_window(client) or (trial.started, trial.ended),
    )


def _window(client: Figures) -> Optional[WINDOW]:
    pieces = client.get('window')
    try:
        return float(pieces[0][0]), float(pieces[-1][1])  # type: ignore
    except (TypeError, IndexError, ValueError):
        return None


def samples(facts: TrialFacts, seen: Seen) -> List[float]:
    """Return a figure's samples within the window; [] without a series."""
    table = facts.series.get(seen.source)
    if table is None or facts.window is None or not seen.column:
        return []
    try:
        values = table.column(seen.column).values
    except KeyError:
        return []
    low, high = (edge - table.wall_start for edge in facts.window)
    return [
        value / seen.per
        for t, value in zip(table.t, values)
        if low < t <= high + 1.0 and value == value
    ]
