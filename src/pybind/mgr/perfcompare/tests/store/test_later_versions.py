"""Tests of what a later version of this module made: it says so."""

import dataclasses
import json
import zlib

import pytest

from ...common.codec import to_data
from ...common.errors import InvalidArgument
from ...common.version import VERSION, made_by
from ...model.recovery import Episode, State
from ...recovery.store import archive as recovery_archive
from ...recovery.store import recoveries
from ...store import archive
from ...store import export_file as exportfile
from ...store.damaged import Damaged
from ...store.database import FileDatabase
from ...store.results import Store
from ...store.rows import pack
from ..data.run_data import FSID, make_records, make_run

RUN = '0a1b2c3d'
LATER = f'made by perfcompare 9.1.0, this is {VERSION}: update the module ('


def made(version):
    return dataclasses.replace(make_run(RUN), module_version=version)


def run_file(version, change=lambda data: None, **head):
    """Return an export that holds something new."""
    text = archive.export(made(version), make_records(RUN, rounds=1, n=5))
    content = json.loads(text)['content']
    change(content)
    return exportfile.dump(archive.FORMAT, content, fsid=FSID, **head)


def episode(version):
    return Episode(
        '0000000a', State.CLEAN, 1000.0, ended=1060.0, module_version=version
    )


def new_field(content):
    content['run']['plan']['anew'] = 1


@pytest.mark.parametrize(
    'version, later',
    [
        ('9.1.0', '9.1.0'),
        ('9.1', '9.1'),
        ('0.10.0', '0.10.0'),
        ('9.1.0-2.el9\x1b[31m', '9.1.0'),
        (VERSION, ''),
        ('0.0.9', ''),
        ('', ''),
        ('later', ''),
        ('9' * 400, ''),
        (None, ''),
        (9, ''),
    ],
)
def test_only_a_later_version_is_named(version, later):
    with pytest.raises(InvalidArgument) as info:
        with made_by(version):
            raise InvalidArgument('no such field')
    told = f'made by perfcompare {later}, this is {VERSION}: update the '
    assert info.value.message == (
        f'{told}module (no such field)' if later else 'no such field'
    )


def test_an_export_with_a_new_field_asks_for_an_update():
    with pytest.raises(InvalidArgument) as info:
        archive.parse(run_file('9.1.0', new_field))
    assert info.value.message.startswith(
        f"{LATER}content.run.plan: unknown field 'anew'"
    )
    assert len(info.value.message) < 300
    with pytest.raises(InvalidArgument) as info:
        archive.parse(run_file('9.1.0', anew=1))
    assert info.value.message.startswith(f"{LATER}the file has 'anew'")


@pytest.mark.parametrize('version', [VERSION, '', '?'])
def test_an_export_of_this_version_is_called_wrong(version):
    with pytest.raises(InvalidArgument) as info:
        archive.parse(run_file(version, new_field))
    assert info.value.message.startswith("content.run.plan: unknown field")


def test_an_export_of_a_later_version_without_anything_new_is_read():
    assert archive.parse(run_file('9.1.0')).run == made('9.1.0')


def test_an_exported_recovery_with_a_new_field_asks_for_an_update():
    content = {
        'kind': 'episode',
        'item': dict(to_data(episode('9.1.0')), anew=1),
        'series': {},
    }
    text = exportfile.dump(recovery_archive.FORMAT, content)
    with pytest.raises(InvalidArgument) as info:
        recovery_archive.parse(text)
    assert info.value.message.startswith(
        f"{LATER}episode: unknown field 'anew'"
    )


def test_what_is_shown_after_a_downgrade_says_what_made_it():
    store = Store(FileDatabase())
    run = made('9.1.0')
    store.put_run(run)
    recoveries.put(store, episode('9.1.0'), {})
    item = dict(to_data(episode('9.1.0')), anew=1)
    with store.database.transaction(write=True) as conn:
        conn.execute(
            'UPDATE plan SET body = ?',
            (pack(dict(to_data(run.plan), anew=1)),),
        )
        conn.execute(
            'UPDATE recovery SET body = ?',
            (zlib.compress(json.dumps(item).encode()),),
        )
    with pytest.raises(Damaged) as info:
        store.get_run(RUN)
    assert f"its plan cannot be read ({LATER}plan: unknown" in str(info.value)
    with pytest.raises(Damaged) as info:
        recoveries.get(store, '0000000a')
    assert f'cannot be read ({LATER}episode: unknown' in str(info.value)
