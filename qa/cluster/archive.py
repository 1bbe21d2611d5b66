"""A private apt: package lists and downloads that leave the machine alone."""

from typing import Dict, Iterable, List, Sequence, Tuple

import dataclasses
import errno
import os
import pathlib
import re
import subprocess

from .messages import ClusterError, last_line

KEYRINGS = (
    '/usr/share/keyrings/debian-archive-keyring.gpg',
    '/usr/share/keyrings/debian-archive-keyring.pgp',
)
_SUITE_LINE = re.compile(r"^'(.+?)/?/dists/([^']+)/(?:In)?Release'")
_URI_LINE = re.compile(r"^'[^']*' (\S+) (\d+)")


class ArchiveError(ClusterError):
    """The archive cannot be reached or does not have what is wanted."""

    def __init__(self, message: str) -> None:
        super().__init__(message, errno.EHOSTUNREACH)


def rank_archives(lines: Iterable[str], codename: str) -> List[str]:
    """Return archive addresses, the most likely first.

    `lines` are what `apt-get --print-uris update` prints: the address of
    each configured suite. The machine's own main suite comes first;
    security archives carry no other suites.
    """
    first: List[str] = []
    rest: List[str] = []
    for match in map(_SUITE_LINE.match, lines):
        if not match:
            continue
        uri, suite = match.groups()
        if uri.startswith('cdrom:') or 'security' in uri:
            continue
        if uri not in first and uri not in rest:
            (first if suite == codename else rest).append(uri)
    return first + rest


def machine_archives() -> List[str]:
    """Return the archives that the machine's own apt is configured for."""
    try:
        done = subprocess.run(
            ['apt-get', '--print-uris', 'update'],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
        )
    except FileNotFoundError:
        raise ArchiveError(
            'no apt-get on this machine; the mini cluster needs Debian'
        ) from None
    found = rank_archives(done.stdout.splitlines(), _codename())
    if not found:
        raise ArchiveError(
            'apt on this machine has no Debian archive configured; add one '
            'to /etc/apt/sources.list'
        )
    return found


def first_error(text: str) -> str:
    """Return apt's first error line, or else its last line."""
    for line in text.splitlines():
        if line.startswith('E:'):
            return line[2:].strip()
    return last_line(text)


def _codename() -> str:
    text = pathlib.Path('/etc/os-release').read_text(encoding='utf-8')
    match = re.search(r'^VERSION_CODENAME="?([^"\n]+)', text, re.M)
    return match.group(1) if match else ''


def _keyring() -> str:
    for path in KEYRINGS:
        if os.path.exists(path):
            return path
    raise ArchiveError(
        'no %s; apt-get install debian-archive-keyring' % KEYRINGS[0]
    )


@dataclasses.dataclass
class Apt:
    """apt for one suite and architecture with state in its own folder.

    The package database is empty, so every closure is complete. The
    machine's apt.conf stays in force (proxies); its sources do not.
    """

    folder: pathlib.Path
    uri: str
    suite: str
    arch: str
    store: str = 'archives'

    def with_store(self, name: str) -> 'Apt':
        """Return an apt on the same lists that downloads elsewhere."""
        (self.folder / name / 'partial').mkdir(parents=True, exist_ok=True)
        return dataclasses.replace(self, store=name)

    @property
    def archives(self) -> pathlib.Path:
        """Return the folder that downloads go to."""
        return self.folder / self.store

    def prepare(self) -> None:
        """Write the folder and read the package lists; raise if it fails."""
        for name in ('lists/partial', 'archives/partial', 'none'):
            (self.folder / name).mkdir(parents=True, exist_ok=True)
        (self.folder / 'status').write_text('', encoding='utf-8')
        (self.folder / 'sources.list').write_text(
            'deb [signed-by=%s] %s %s main\n'
            % (_keyring(), self.uri, self.suite),
            encoding='utf-8',
        )
        self._run('apt-get', ['update'], 'reading its package lists')

    def _run(self, tool: str, args: Sequence[str], what: str) -> str:
        folder = self.folder
        options = {
            'Dir::State': folder,
            'Dir::State::lists': folder / 'lists',
            'Dir::State::status': folder / 'status',
            'Dir::Cache': folder,
            'Dir::Cache::archives': self.archives,
            'Dir::Etc::sourcelist': folder / 'sources.list',
            'Dir::Etc::sourceparts': folder / 'none',
            'Dir::Etc::preferences': folder / 'none/preferences',
            'Dir::Etc::preferencesparts': folder / 'none',
            'APT::Architecture': self.arch,
            'APT::Architectures::': self.arch,
            'APT::Install-Recommends': 'false',
            'APT::Install-Suggests': 'false',
            'APT::Sandbox::User': 'root',
            'APT::Update::Error-Mode': 'any',
            'APT::Get::Assume-Yes': 'true',
            'APT::Keep-Downloaded-Packages': 'true',
            # Every call downloads to a folder of its own.
            'Debug::NoLocking': 'true',
            'Acquire::Languages': 'none',
            'Acquire::Check-Valid-Until': 'false',
            'Acquire::Retries': '3',
            'Acquire::http::Timeout': '30',
            'Acquire::https::Timeout': '30',
            # Only package lists, whatever the machine also wants.
            'Acquire::IndexTargets::deb::DEP-11::DefaultEnabled': 'false',
            'Acquire::IndexTargets::deb::Contents-deb::DefaultEnabled': (
                'false'
            ),
        }
        argv = [tool, '-q']
        for key, value in options.items():
            argv += ['-o', '%s=%s' % (key, value)]
        done = subprocess.run(
            argv + list(args),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            universal_newlines=True,
            cwd=str(self.archives),
        )
        if done.returncode:
            raise ArchiveError(
                '%s %s (%s): %s failed: %s'
                % (
                    self.uri,
                    self.suite,
                    self.arch,
                    what,
                    first_error(done.stderr),
                )
            )
        return done.stdout

    def existing(self, packages: Iterable[str]) -> List[str]:
        """Return those packages that the suite has, in the given order."""
        wanted = list(packages)
        have = set(self._run('apt-cache', ['pkgnames'], 'listing').split())
        return [name for name in wanted if name in have]

    def closure(self, packages: Sequence[str]) -> List[str]:
        """Return the names of all packages that installing these needs."""
        out = self._run(
            'apt-get',
            ['--print-uris', 'install'] + list(packages),
            'planning the installation',
        )
        files = [
            m.group(1) for m in map(_URI_LINE.match, out.split('\n')) if m
        ]
        return [name.split('_')[0] for name in files]

    def records(self, packages: Sequence[str]) -> Dict[str, Dict[str, str]]:
        """Return the control fields of packages by name."""
        out = self._run(
            'apt-cache',
            ['--no-all-versions', 'show'] + list(packages),
            'reading package records',
        )
        return parse_records(out)

    def install_files(self, packages: Sequence[str]) -> List[pathlib.Path]:
        """Download packages with all they need; return the .deb files."""
        self._run(
            'apt-get',
            ['--download-only', 'install'] + list(packages),
            'downloading',
        )
        return sorted(self.archives.glob('*.deb'))

    def download(self, packages: Sequence[str]) -> List[pathlib.Path]:
        """Download exactly these packages; return the .deb files."""
        before = set(self.archives.glob('*.deb'))
        self._run('apt-get', ['download'] + list(packages), 'downloading')
        after = set(self.archives.glob('*.deb'))
        return sorted(after - before)


def parse_records(text: str) -> Dict[str, Dict[str, str]]:
    """Parse control records into {package: {field: one-line value}}."""
    found: Dict[str, Dict[str, str]] = {}
    for block in text.split('\n\n'):
        fields: Dict[str, str] = {}
        for line in block.splitlines():
            key, colon, value = line.partition(': ')
            if colon and not line.startswith(' '):
                fields[key] = value.strip()
        if 'Package' in fields:
            found.setdefault(fields['Package'], fields)
    return found


def dependency_names(field: str) -> List[Tuple[str, ...]]:
    """Parse a Depends field into groups of alternative package names."""
    groups = []
    for part in field.split(','):
        names = tuple(
            re.split(r'[\s(:]', option.strip())[0]
            for option in part.split('|')
            if option.strip()
        )
        if names:
            groups.append(names)
    return groups
