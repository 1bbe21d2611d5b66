"""A cluster's folder: settings, the token, and its processes."""

from typing import Any, Dict, Iterator, List, NoReturn, Optional

import contextlib
import dataclasses
import errno
import fcntl
import json
import os
import pathlib
import secrets

from .messages import ClusterError
from .topology import Host, Network, Osd, osds_of


@dataclasses.dataclass(frozen=True)
class Process:
    """One process by pid and start time, so that a reused pid is none."""

    pid: int
    start: int

    @staticmethod
    def of(pid: int) -> Optional['Process']:
        """Return a live process, None when there is none (or a zombie)."""
        try:
            with open('/proc/%d/stat' % pid, encoding='utf-8') as file:
                fields = file.read().rpartition(')')[2].split()
        except (FileNotFoundError, ProcessLookupError):
            return None
        if fields[0] in 'ZX':
            return None
        return Process(pid, int(fields[19]))

    def alive(self) -> bool:
        """Tell whether this very process still runs."""
        return Process.of(self.pid) == self


@dataclasses.dataclass
class Settings:
    """What `up` was asked for and chose; fixed for the cluster's life."""

    token: str
    release: str
    roots: str
    number: int
    net: str
    hosts: List[Host]
    module: str
    controller: str
    ui: str
    dashboard: bool
    numpy: bool
    exporters: bool
    osd_size: int
    fsid: str = ''
    mon_port: int = 3300
    dashboard_port: int = 8080
    disks: str = 'file'
    db_size: int = 0  # bytes of a device for metadata; 0 is none
    mini_orchestrator: bool = True  # else what Ceph ships in its place
    programs: str = ''  # folder of further ones; '' is none
    mons: int = 1
    client_iops: int = 0  # what mClock lets an OSD do; 0 is no limit
    enabled: bool = False  # the module, before the first mgr starts

    @property
    def network(self) -> Network:
        """Return the cluster's addresses."""
        return Network(self.net, self.number)

    @property
    def osds(self) -> List[Osd]:
        """Return the cluster's OSDs."""
        return osds_of(self.hosts)


class Cluster:
    """The folder of one cluster."""

    program = 'minicluster'  # as its user calls it
    entering = 'cluster.enter'  # the module that goes inside

    def __init__(self, directory: pathlib.Path) -> None:
        self.dir = directory
        self._settings: Optional[Settings] = None

    @property
    def conf(self) -> pathlib.Path:
        """Return the path of ceph.conf."""
        return self.dir / 'ceph.conf'

    @property
    def root(self) -> pathlib.Path:
        """Return the mount point of the root, in the cluster's namespace."""
        return self.dir / 'ns' / 'root'

    @property
    def settings(self) -> Settings:
        """Return the settings; raise when there is no cluster here."""
        if self._settings is None:
            self._settings = self._load()
        return self._settings

    def _load(self) -> Settings:
        try:
            text = (self.dir / 'cluster.json').read_text(encoding='utf-8')
        except FileNotFoundError:
            self._refuse_missing()
        data: Dict[str, Any] = json.loads(text)
        data['hosts'] = [Host(**host) for host in data['hosts']]
        known = {field.name for field in dataclasses.fields(Settings)}
        # one that another version brought up can be taken down, too
        return Settings(**{k: v for k, v in data.items() if k in known})

    def _refuse_missing(self) -> NoReturn:
        raise ClusterError(
            "no cluster in %s; run '%s --dir %s up'"
            % (self.dir, self.program, self.dir),
            errno.ENOENT,
        ) from None

    def save(self, settings: Settings) -> None:
        """Write the settings."""
        text = json.dumps(dataclasses.asdict(settings), indent=1)
        (self.dir / 'cluster.json').write_text(text, encoding='utf-8')
        self._settings = settings

    def create(self) -> str:
        """Make the folder with its token, which marks it as ours."""
        if self.dir.exists() and any(self.dir.iterdir()):
            if (self.dir / 'token').exists():
                raise ClusterError(
                    "a cluster is in %s already; run '%s --dir %s down' first"
                    % (self.dir, self.program, self.dir),
                    errno.EEXIST,
                )
            raise ClusterError(
                '%s is not empty and no cluster folder; choose another --dir'
                % self.dir,
                errno.EEXIST,
            )
        self.dir.mkdir(parents=True, exist_ok=True)
        token = secrets.token_hex(16)
        (self.dir / 'token').write_text(token, encoding='utf-8')
        for name in ('log', 'run', 'tmp', 'ns/root', 'ns/layer', 'procs'):
            (self.dir / name).mkdir(parents=True)
        return token

    def token(self) -> str:
        """Return the token, '' when this is no cluster's folder."""
        try:
            return (self.dir / 'token').read_text(encoding='utf-8')
        except FileNotFoundError:
            return ''

    def record(self, name: str, pid: int) -> None:
        """Write down a process under a name such as `osd.0`."""
        process = Process.of(pid)
        if process:
            text = json.dumps(dataclasses.asdict(process))
            path = self.dir / 'procs' / name
            path.with_suffix(path.suffix + '.new').write_text(text, 'utf-8')
            os.replace(str(path) + '.new', str(path))

    def forget(self, name: str) -> None:
        """Remove a process's record."""
        with contextlib.suppress(FileNotFoundError):
            (self.dir / 'procs' / name).unlink()

    def processes(self) -> Dict[str, Process]:
        """Return all recorded processes by name, dead ones too."""
        found = {}
        folder = self.dir / 'procs'
        for path in sorted(folder.iterdir()) if folder.is_dir() else []:
            if path.suffix != '.new':
                with contextlib.suppress(ValueError, FileNotFoundError):
                    data = json.loads(path.read_text(encoding='utf-8'))
                    found[path.name] = Process(**data)
        return found

    def process(self, name: str) -> Optional[Process]:
        """Return a live process by name."""
        found = self.processes().get(name)
        return found if found and found.alive() else None

    @contextlib.contextmanager
    def lock(self) -> Iterator[None]:
        """Hold the folder for a verb that changes the cluster."""
        if not self.token():
            self._refuse_missing()
        with open(self.dir / 'lock', 'a', encoding='utf-8') as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise ClusterError(
                    'another %s program is at work in %s; wait for it or '
                    'end it' % (self.program, self.dir),
                    errno.EBUSY,
                ) from None
            try:
                yield
            finally:
                # a child that another thread starts has the file, too
                fcntl.flock(file, fcntl.LOCK_UN)
