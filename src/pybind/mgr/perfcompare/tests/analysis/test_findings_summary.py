import dataclasses

from ...analysis.evidence import Limits
from ...analysis.findings.evaluate import evaluate
from ...analysis.findings.summary import limited, run_findings
from ...analysis.findings.table import VERSION
from ...common.codec import to_data
from ...model.trial import TrialState
from ...report.findings import render
from ..data.comparison_data import Scene
from ..data.findings_data import make_trial, on_hosts, on_osds


def cpu():
    return on_hosts(make_trial(), cpu_busy=0.97)


def test_the_limit_of_a_cell_is_that_of_most_trials():
    found = limited([cpu(), cpu(), make_trial()])
    assert (found.limit, found.trials, found.of) == ('CPU', 2, 3)
    assert found.text == (
        'CPU (2 of 3 trials): the CPUs of the OSD hosts were busy: 97%'
    )
    [one] = found.findings
    assert (one.id, one.trials, one.share) == ('cpu-busy', 2, None)
    assert one.sources[0].url.startswith('https://docs.ceph.com/')
    assert found.hosts_max_mean == 1.0


def test_what_was_found_now_and_then_is_told():
    found = limited([cpu(), make_trial(), make_trial()])
    assert found.limit == 'none found'
    assert found.text == 'none found (CPU in 1 of 3 trials)'


def test_what_is_not_recorded_is_named():
    trial = make_trial()
    trial.evidence.pop('hosts')
    found = limited([trial])
    assert found.text == (
        'not available (not enough figures of CPU, network)'
    )
    assert limited([]).limit == 'not available'


def test_stored_findings_of_these_rules_are_kept():
    trial = cpu()
    stored = evaluate(trial)
    stored['limit'] = 'disk'
    kept = dataclasses.replace(
        trial, evidence={**trial.evidence, 'findings': stored}
    )
    assert limited([kept]).limit == 'disk'
    old = {**stored, 'version': VERSION - 1}
    anew = dataclasses.replace(
        trial, evidence={**trial.evidence, 'findings': old}
    )
    assert limited([anew]).limit == 'CPU'


def test_an_outlier_is_counted_over_trials():
    slow = on_osds(make_trial(), ['3'], commit_lat=0.03)
    found = limited([slow, slow, make_trial()])
    [one] = found.outliers
    assert (one.osd, one.trials, one.value) == (3, 2, 0.03)


def scene():
    """Return a run in which arm is held by its CPUs and has a slow OSD."""
    made = Scene({'write-4K-c16': 0.4, 'rand-4K-c16': 1.0}, rounds=3)
    for i, trial in enumerate(made.trials):
        evidence = make_trial().evidence
        if trial.group == 'arm':
            evidence = on_osds(cpu(), ['2'], commit_lat=0.04).evidence
            evidence['hosts'] = {
                host.replace('x86', 'arm'): figures
                for host, figures in evidence['hosts'].items()
            }
        made.trials[i] = dataclasses.replace(trial, evidence=evidence)
    return made


def test_the_findings_of_a_run_are_told_by_cell():
    made = scene()
    found = run_findings(made.run, made.trials, Limits())
    cells = {(c.workload, c.group): c.limited.limit for c in found.cells}
    assert cells == {
        ('write-4K-c16', 'x86'): 'none found',
        ('write-4K-c16', 'arm'): 'CPU',
        ('rand-4K-c16', 'x86'): 'none found',
        ('rand-4K-c16', 'arm'): 'CPU',
    }
    assert {c.limited.of for c in found.cells} == {3}  # no conditioning
    data = to_data(found)['cells'][1]['limited']
    assert data['findings'][0]['share'] is None


def test_trials_that_were_void_are_not_among_the_findings():
    """What cut a block may have held it back; what was repeated had not."""
    made = scene()
    cut = [
        dataclasses.replace(t, attempt=0, state=TrialState.VOID)
        for t in made.trials
        if t.group == 'arm' and t.round == 2
    ]
    assert cut and all(t.summary for t in cut)
    found = run_findings(made.run, [*cut, *cut, *made.trials], Limits())
    assert {c.limited.of for c in found.cells} == {3}


def test_findings_are_printed_for_a_terminal():
    made = scene()
    text = render(run_findings(made.run, made.trials, Limits()))
    assert max(map(len, text.split('\n'))) <= 120
    for word in (
        'CPU: the CPUs of the OSD hosts were busy: 97%',
        'host.cpu_busy',
        '3/3',
        'osd.2',
        'https://docs.ceph.com/en/latest/start/hardware-recommendations/',
        'Where to look (2 findings):',
        'Largest max/mean of work:',
    ):
        assert word in text, word
    empty = run_findings(made.run, [], Limits())
    assert 'no judged trials' in render(empty)


def test_of_how_many_osds_the_imbalance_is_is_printed():
    made = scene()
    for trial in made.trials:
        if trial.group == 'arm':
            del trial.evidence['osds']['3']['subop_w']
            del trial.evidence['hosts']['arm-2']
    text = render(run_findings(made.run, made.trials, Limits()))
    assert '  x86: over OSDs 1.00, of CPU over hosts 1.00' in text
    assert '  arm: over 3 of 4 OSDs 1.00, of CPU over hosts not' in text
