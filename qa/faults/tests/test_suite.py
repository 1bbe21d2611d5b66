"""Which cells there are, how they are judged, and how results add up."""

from typing import Any, List, cast

import pathlib
import re
import types

import pytest

from integration.processes import is_worker, makes_load

from .. import kinds  # noqa: F401
from ..cell import ENDED
from ..cli import SHORT, cells, chosen, main, parser, short
from ..fault import REGISTRY, Scene
from ..hosts import LoadHosts
from ..observe import daemon_crashes, sort
from ..results import FAILED, MISSED, Book, Result, growth, summary
from ..states import BY_NAME, STATES, command, matches, passed
from ..table import render


def test_the_long_form_has_at_least_150_cells() -> None:
    found = cells()
    assert len(found) >= 150
    assert len({(s.name, f.name) for s, f in found}) == len(found)


def test_every_state_and_every_fault_has_a_cell() -> None:
    found = cells()
    assert {s.name for s, _ in found} == set(BY_NAME)
    assert {f.name for _, f in found} == set(REGISTRY)


def test_the_short_form_is_made_of_cells_that_there_are() -> None:
    everything = {(s.name, f.name) for s, f in cells()}
    assert {(s.name, f.name) for s, f in short()} == set(SHORT)
    assert set(SHORT) <= everything


def test_nothing_is_hit_where_it_is_not() -> None:
    names = {(s.name, f.name) for s, f in cells()}
    assert ('preflight', 'load-kill') not in names
    assert ('trial', 'gateway-kill') not in names
    assert ('s3-trial', 'gateway-kill') in names


@pytest.mark.parametrize('state', STATES, ids=lambda s: s.name)
def test_a_state_is_known_by_what_status_shows(state: Any) -> None:
    shown = {'state': state.state, 'message': 'x %s y' % state.word}
    assert matches(state, shown)
    assert not matches(state, {'state': 'queued', 'message': ''})
    assert command(state, 3.0)['group'] == ['xs']


def test_a_state_that_was_missed_is_not_waited_for() -> None:
    pools = BY_NAME['pools']
    assert not passed(pools, {'state': 'preparing', 'message': 'placement'})
    assert not passed(pools, {'state': 'preflight', 'message': ''})
    assert passed(pools, {'state': 'trial', 'message': 'round 1'})
    assert passed(BY_NAME['preflight'], {'state': 'preparing'})
    assert not passed(BY_NAME['trial'], {'state': 'cooling'})


def test_half_of_a_run_is_told_by_what_is_done() -> None:
    curve = BY_NAME['curve-trial']
    shown = {'state': 'trial', 'message': 'round 1: x on xs'}
    assert not matches(curve, {**shown, 'fraction': 0.2})
    assert matches(curve, {**shown, 'fraction': 0.5})
    words = command(curve, 3.0)
    assert words['curve'] and 'concurrency' not in words
    assert words['slo'] == 'p95=1s'


def test_hosts_are_hit_where_they_carry_load() -> None:
    names = {(s.name, f.name) for s, f in cells()}
    for state in ('joint-trial', 'joint-s3-trial'):
        assert (state, 'host-cut-stop') in names
        assert (state, 'mgr-kill') in names
        assert command(BY_NAME[state], 3.0)['load_hosts'] == [
            'load-1',
            'load-2',
        ]
    assert ('trial', 'host-cut') not in names
    # its load is not on the Manager's host
    assert ('joint-trial', 'worker-kill') not in names
    assert {s.name for s in STATES if s.joint} == {
        s.name for s in STATES if s.name.startswith('joint')
    }


def test_a_stop_is_ordered_where_there_is_load_to_end_and_once_more() -> None:
    names = {s.name for s, f in cells() if f.name == 'stop-now'}
    assert {'trial', 'rbd-prefill', 'rates-trial', 'joint-trial'} <= names
    # it was cancelled there: another order must not end its undo
    assert {'undoing', 'rbd-undoing', 'test-undoing'} <= names
    assert not {'finishing', 'resuming', 'pools'} & names
    stop = REGISTRY['stop-now']
    assert set(stop.expected(BY_NAME['trial'])) == {'cancelled'}
    scene = Scene(cast(Any, None), BY_NAME['trial'])
    scene.measured['load gone'] = 1.9
    assert stop.verify(scene) == []
    scene.measured['load gone'] = 2.1
    assert stop.verify(scene) == ['load lived for 2.1 s']


class _Told:
    """A cluster that notes what it was asked, and tells what it is to."""

    hosts = None

    def __init__(self, answer: Any = None) -> None:
        self.asked: List[Any] = []
        self.answer = answer

    def ask(self, prefix: str, **fields: Any) -> Any:
        """Note it."""
        self.asked.append((prefix, fields))
        return self.answer


def test_a_recovery_test_is_cancelled_by_its_own_command() -> None:
    lab: Any = _Told()
    for name in ('rbd-undoing', 'test-undoing'):
        scene = Scene(lab, BY_NAME[name], run='0badcafe')
        REGISTRY['cancel'].inject(scene)
    assert lab.asked == [
        ('perfcompare cancel', {'run': '0badcafe'}),
        ('perfcompare recovery cancel', {'test': '0badcafe'}),
    ]


@pytest.mark.parametrize('told', ['load host load-2 has no key: x', 'ok'])
def test_whoever_looks_is_told_of_a_key_that_is_gone(told: str) -> None:
    lab: Any = _Told({'findings': [{'message': told}]})
    scene = Scene(lab, BY_NAME['joint-trial'])
    found = REGISTRY['agent-key-rm'].verify(scene)
    assert found == (['a check of the host says: ok'] if told == 'ok' else [])
    assert lab.asked[0][1] == {'host': 'load-2'}


def test_what_runs_left_on_a_load_host_is_told_and_its_log_is_not(
    tmp_path: pathlib.Path,
) -> None:
    folder = tmp_path / 'load-agent-load-1' / 'perfcompare-agent-0'
    folder.mkdir(parents=True)
    (tmp_path / 'agent.load-1.log').touch()
    live = types.SimpleNamespace(dir=tmp_path)
    agent = types.SimpleNamespace(loads=lambda: [7] * busy)
    hosts = LoadHosts(cast(Any, live), served=False)
    hosts._agents['load-1'] = cast(Any, agent)
    busy = 0
    assert hosts.left() == []
    busy = 1
    (folder / 'keyring').touch()
    left, foreign = sort(hosts.left())
    assert left == [
        'perfcompare: process 7 on load-1',
        'perfcompare: file %s/keyring on load-1' % folder,
    ]
    assert foreign == []


def test_load_is_told_from_workers_by_its_command_line() -> None:
    client = 'client.perfcompare.0badcafe'
    for line in (
        'rados -n %s -p p bench 10 write' % client,
        '/usr/bin/rbd -n %s bench x' % client,
        'fio --output-format=json trial.fio',
        'python3 -I -S -B /x/loads/s3/generator.py /run/f s3.0',
        'python3 -I -S -B /x/loads/rados/probe_client.py -n %s' % client,
        '/usr/bin/warp put',
    ):
        words = line.split()
        assert makes_load(words) and not is_worker(words), line
    for line in ('rados -n client.admin df', 'fio --version', 'sleep 1'):
        assert not makes_load(line.split()), line
    words = 'python3 -E -s -B -m worker'.split()
    assert is_worker(words) and not makes_load(words)


def test_a_cancelled_run_stays_cancelled_whatever_befalls_its_undo() -> None:
    for fault in REGISTRY.values():
        assert set(fault.expected(BY_NAME['undoing'])) == {'cancelled'}
        assert set(fault.expected(BY_NAME['finishing'])) == {'completed'}


def test_a_lost_osd_in_a_trial_must_end_the_run() -> None:
    expected = REGISTRY['osd-kill'].expected(BY_NAME['trial'])
    assert 'completed' not in expected
    named = re.compile(expected['aborted'])
    assert named.search('OSD_DOWN: osd.3 is down')
    assert not named.search('OSD_DOWN: osd.30 is down')


def test_the_cluster_log_tells_how_a_run_ends() -> None:
    text = 'perfcompare run 0badcafe ends: aborted (OSD_DOWN: osd.3 (x) down)'
    match = ENDED.search(text)
    assert match and match.groups() == (
        '0badcafe', 'aborted', 'OSD_DOWN: osd.3 (x) down',
    )  # fmt: skip
    match = ENDED.search('perfcompare run 0badcafe ends: completed')
    assert match and match.group(2) == 'completed'


def test_what_has_our_name_is_a_leftover_and_all_else_foreign() -> None:
    left, foreign = sort(
        ['/osdmap/pools/perfcompare.1.x is new: 1', '/config: gone x, new y']
    )
    assert len(left) == len(foreign) == 1
    assert 'pools' in left[0]


def test_a_daemon_that_died_is_seen_and_a_module_that_lacks_something_not(
    tmp_path: pathlib.Path,
) -> None:
    for name, text in (
        ('1', '{"entity_name": "mon.a", "backtrace": ["crush_do_rule()"]}'),
        ('2', '{"entity_name": "mgr.x", "backtrace": []}'),
        ('3', 'cut {'),
        ('posted/4', '{"entity_name": "osd.1", "backtrace": ["main"]}'),
        (
            '5',
            '{"entity_name": "mgr.x", "backtrace": ["serve"],'
            ' "mgr_module": "devicehealth"}',
        ),
    ):
        (tmp_path / name).mkdir(parents=True)
        (tmp_path / name / 'meta').write_text(text, encoding='utf-8')
    assert daemon_crashes(tmp_path) == {
        'mon.a: 1',
        'somebody: 3',
        'mgr.x in devicehealth: 5',
    }
    assert daemon_crashes(tmp_path / 'nowhere') == set()


def _result(state: str, fault: str, **changes: Any) -> Result:
    found = Result(state, fault, ended='completed', **changes)
    if found.verdict != MISSED:
        found.judge()
    return found


def test_results_of_pieces_add_up_and_the_last_of_a_cell_counts(
    tmp_path: pathlib.Path,
) -> None:
    path = tmp_path / 'results.jsonl'
    first = Book(path)
    first.add(_result('trial', 'full', leftovers=['a pool']))
    first.add(_result('trial', 'noup', verdict=MISSED))
    assert not first.done('trial', 'full')
    second = Book(path)
    second.add(_result('trial', 'full'))
    assert second.done('trial', 'full')
    assert not second.done('trial', 'noup')  # nothing is proven
    total = summary(Book(path).all())
    assert (total['tried'], total['survived'], total['missed']) == (1, 1, 1)
    assert total['leftovers'] == 0


def test_the_table_names_what_failed_and_why() -> None:
    results = [
        _result('trial', 'full'),
        _result('cooling', 'full', foreign=['/config: gone x']),
        _result('trial', 'noup', problems=['ended failed']),
    ]
    text = render(results, list(BY_NAME))
    assert results[1].verdict == FAILED
    assert 'full in cooling:\n  foreign: /config: gone x' in text
    assert 'noup in trial:\n  problems: ended failed' in text
    assert (
        'faults tried 3, survived 1, leftovers 0, foreign changes 1' in text
    )


def test_the_table_has_what_was_timed() -> None:
    result = _result('trial', 'stop-now', measured={'load gone': 0.84})
    text = render([result], list(BY_NAME))
    assert 'stop-now in trial: load gone after 0.8 s' in text


def test_growth_needs_three_looks_at_one_manager() -> None:
    def sizes(pid: str, *kib: int) -> Any:
        return [_result('s', 'f%d' % k, memory={pid: k}) for k in kib]

    assert growth(sizes('1', 100, 200)) == {}
    assert growth(sizes('1', 100, 200, 210) + sizes('2', 5)) == {'1': 10}


def test_cells_are_listed_without_a_cluster(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ['--dir', str(tmp_path), '--list', '--state', 'trial']
    assert main(words) == 0
    text = capsys.readouterr().out
    assert 'mgr-kill' in text and 'cells' in text


def test_cells_are_tried_in_the_order_in_which_they_are_named(
    tmp_path: pathlib.Path,
) -> None:
    words = ['--cell', 'undoing/noup', 'trial/full', 'cooling/noup']
    args = parser().parse_args(words)
    book = Book(tmp_path / 'results.jsonl')
    book.add(_result('trial', 'full'))
    found = [(s.name, f.name) for s, f in chosen(args, book)]
    assert found == [('undoing', 'noup'), ('cooling', 'noup')]


def test_an_unknown_fault_is_refused(
    tmp_path: pathlib.Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        main(['--dir', str(tmp_path), '--only', 'meteor'])
    assert "'meteor'" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(['--dir', str(tmp_path), '--cell', 'trial/meteor'])
    error = capsys.readouterr().err.splitlines()[-1]
    assert "'trial/meteor' is no cell; --list names all" in error
