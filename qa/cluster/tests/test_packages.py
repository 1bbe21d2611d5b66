"""What is taken from the archive."""

from typing import Dict

import json
import pathlib

import pytest

from .. import armroot, fetch, kept, repair, rootfs
from ..archive import Apt, dependency_names, parse_records, rank_archives
from ..messages import ClusterError
from ..settings import RELEASES


def test_main_archive_of_the_machine_comes_first() -> None:
    lines = [
        "'https://other.example/deb/dists/nodistro/InRelease' o_InRelease 0 ",
        "'http://m.example/debian-security/dists/bookworm-security/InRelease' x",
        "'http://m.example/debian/dists/bookworm/InRelease' m_InRelease 0 ",
        "'http://m.example/debian/dists/bookworm-updates/InRelease' y 0 ",
        "'cdrom:[Debian]/dists/bookworm/Release' z 0 ",
        "'http://flat.example/repo/./InRelease' z 0 ",
        '',
    ]
    assert rank_archives(lines, 'bookworm') == [
        'http://m.example/debian',
        'https://other.example/deb',
    ]


def test_dependencies_with_versions_and_alternatives() -> None:
    field = 'libc6 (>= 2.34), a:any (= 1) | b, libfmt10'
    assert dependency_names(field) == [('libc6',), ('a', 'b'), ('libfmt10',)]
    assert dependency_names('') == []


def test_records_keep_the_first_version_and_skip_continuations() -> None:
    text = 'Package: a\nVersion: 2\nDescription: x\n more: y\n\n'
    text += 'Package: a\nVersion: 1\n\nPackage: b\nDepends: a\n'
    found = parse_records(text)
    assert found['a']['Version'] == '2'
    assert found['b'] == {'Package': 'b', 'Depends': 'a'}


def _records(**depends: str) -> Dict[str, Dict[str, str]]:
    return {
        name.replace('_', '-'): {
            'Package': name.replace('_', '-'),
            'Depends': value,
        }
        for name, value in depends.items()
    }


def test_library_closure_follows_libraries_only() -> None:
    records = _records(
        ceph_osd='ceph-base, libaio1t64, python3',
        ceph_base='libssl3, init',
        libaio1t64='libc6',
        libssl3='libc6 | libc6-other, liborphan',
        libc6='libc-bin',
        libc_bin='libc6',
        python3='libpython',
        libpython='',
        init='libsystemd',
        libsystemd='',
    )
    assert armroot.library_closure(records, ['ceph-osd', 'ceph-base']) == [
        'ceph-base',
        'ceph-osd',
        'libaio1t64',
        'libc6',
        'libssl3',
    ]


def test_library_closure_resolves_virtual_packages() -> None:
    records = _records(ceph_osd='libvirtual', libreal='')
    records['libreal']['Provides'] = 'libvirtual (= 1)'
    found = armroot.library_closure(records, ['ceph-osd'])
    assert found == ['ceph-osd', 'libreal']


def test_version_of_a_package_from_file_names() -> None:
    names = ['ceph-osd-dbg_1_amd64.deb', 'ceph-osd_1%3a20.2.4+ds-2_arm64.deb']
    assert fetch.package_version(names, 'ceph-osd') == '1:20.2.4+ds-2'
    assert fetch.package_version(names, 'ceph-mon') == 'none'


@pytest.mark.parametrize(
    'amd64, arm64, lines',
    [
        ('20.2.4-1', '20.2.4-1', 0),
        ('21.1.0-1', '21.1.0-1', 1),
        ('20.2.4-1', '20.2.3-1', 1),
        ('21.1.0-1', '20.2.4-1', 2),
    ],
)
def test_surprising_versions_are_one_line_each(
    amd64: str, arm64: str, lines: int
) -> None:
    record = {'suite': 'forky', 'ceph': {'amd64': amd64, 'arm64': arm64}}
    found = fetch.surprises(record, RELEASES['tentacle'])
    assert len(found) == lines
    assert all(amd64 in line for line in found)


def test_wheel_replaces_packages_and_not_its_metadata() -> None:
    names = ['bcrypt/__init__.py', 'bcrypt-3.2.2.dist-info/METADATA', 'x.so']
    assert repair.packages_in(names) == ['bcrypt']


def test_cache_without_a_release_says_what_to_run(
    tmp_path: pathlib.Path,
) -> None:
    with pytest.raises(ClusterError, match='--release reef fetch'):
        fetch.installed(tmp_path, RELEASES['reef'])


def test_a_folder_of_other_packages_is_made_anew(tmp_path):
    release = RELEASES['reef']
    assert not fetch.current(tmp_path, release)
    record = tmp_path / 'info.json'
    record.write_text('{"release": "reef"}')  # as it was before
    assert not fetch.current(tmp_path, release)
    record.write_text(json.dumps({'wanted': fetch.wanted(release)}))
    assert fetch.current(tmp_path, release)
    assert not fetch.current(tmp_path, RELEASES['tentacle'])
    assert 'fio' in fetch.wanted(release)


@pytest.mark.parametrize(
    'package', ['ceph-mon', 'ceph-mgr', 'ceph-mgr-dashboard', 'ceph-osd']
)
def test_where_a_suite_has_no_ceph_the_next_is_tried(
    package: str, monkeypatch: pytest.MonkeyPatch, tmp_path: pathlib.Path
) -> None:
    lacking = {'forky': [package], 'sid': []}
    monkeypatch.setattr(
        kept, 'machine_archives', lambda: ['http://m.example']
    )
    monkeypatch.setattr(
        Apt,
        'existing',
        lambda apt, names: [n for n in names if n not in lacking[apt.suite]],
    )
    monkeypatch.setattr(Apt, 'install_files', lambda apt, names: [])
    for name in ('unpack', 'finish', 'compile_python'):
        monkeypatch.setattr(rootfs, name, lambda *words: None)

    def build(work: pathlib.Path, uri: str, suite: str) -> kept.Record:
        apt = Apt(work, uri, suite, 'amd64')
        return {'debs': rootfs.build_native(apt, work / 'out', [])}

    found = kept._of_any_suite(
        tmp_path / 'work', RELEASES['tentacle'].suites, build
    )
    assert found['suite'] == 'sid'
