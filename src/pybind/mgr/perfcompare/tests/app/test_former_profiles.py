"""A run takes a profile as a former run had it."""

import dataclasses

import pytest

from ...app.former_profiles import FormerProfiles, Since
from ...common.errors import InvalidArgument, NotFound
from ...planning.profiles.repository import ProfileRepository
from ...report import profiles as report
from ..data.run_data import make_run
from ..fakes.cluster import FakeCluster
from ..fakes.running import REQUEST, Rig, folder  # noqa: F401

TEXT = """
rounds: 2
workloads:
- {op: [write, rand], size: [8K, 64K], concurrency: 3, duration: 5}
"""
CURVES = """
rounds: 2
curve: 1,2,3,4
workloads:
- {op: write, size: 8K, duration: 5}
"""
OTHER = TEXT.replace('concurrency: 3', 'concurrency: 5')
WISH = dataclasses.replace(
    REQUEST, profile='mine', workloads=('rand',), sizes=('8K',), rounds=1
)


@pytest.fixture
def rig(folder):  # noqa: F811
    found = Rig(FakeCluster(), folder)
    yield found
    found.stop()


@pytest.fixture
def former(rig):
    """Return the id of a run with a profile of one's own."""
    rig.service.profiles.set('mine', TEXT)
    return rig.execute(WISH).run.id


def again(former, **changed):
    wish = {'profile': f'mine@{former}', **changed}
    return dataclasses.replace(WISH, **wish)


@pytest.mark.parametrize('changed', [OTHER, None])
def test_a_run_has_the_profile_of_a_former_one(rig, former, changed):
    old = rig.service.results.show(former).run.plan
    rig.service.profiles.remove('mine')
    if changed:
        rig.service.profiles.set('mine', changed)
        assert rig.service.draft(WISH).plan.profile != old.profile
    else:
        with pytest.raises(NotFound):
            rig.service.draft(WISH)
    wish = again(former, seed=old.seed)
    plan = rig.service.draft(wish).plan
    assert plan.profile == old.profile
    assert plan.blocks == old.blocks
    assert plan.bytes_written == old.bytes_written
    assert not rig.service.preflight(wish).refused
    assert rig.execute(wish).run.plan.profile == old.profile


def test_curves_of_a_former_run_are_curves_again(rig):
    rig.service.profiles.set('mine', CURVES)
    wish = dataclasses.replace(REQUEST, profile='mine', rounds=1)
    old = rig.execute(wish).run
    assert old.plan.options.curve == '1,2,3,4'
    rig.service.profiles.remove('mine')
    wish = dataclasses.replace(wish, profile=f'mine@{old.id}')
    plan = rig.service.draft(wish).plan
    assert plan.profile == old.plan.profile
    assert plan.options.curve == '1,2,3,4'
    text = report.profile(rig.service.former_profiles.show(wish.profile))
    assert '1,2,3,4 in flight, judged by its peak' in text


def test_it_can_be_had_again_and_again(rig, former):
    rig.service.profiles.set('mine', OTHER)
    second = rig.execute(again(former)).run
    third = rig.service.draft(again(second.id)).plan
    assert third.profile == second.plan.profile


def test_options_replace_what_the_former_run_had(rig, former):
    plan = rig.service.draft(again(former, rounds=3)).plan
    assert plan.profile.rounds == 3
    bare = dataclasses.replace(REQUEST, profile=f'mine@{former}')
    (workload,) = rig.service.draft(bare).plan.profile.workloads
    assert workload.name == 'rand-8K-c3'


def test_the_yaml_of_a_former_one_is_had(rig, former):
    profiles = rig.service.former_profiles
    assert profiles.export('mine') == TEXT.rstrip('\n')
    rig.service.profiles.remove('mine')
    text = profiles.export(f'mine@{former}')
    assert text.startswith(f'# as run {former} had it, with what')
    rig.service.profiles.set('theirs', text)
    old = rig.service.results.show(former).run.plan.profile
    assert rig.service.profiles.get('theirs').version == old.version
    with pytest.raises(NotFound):
        profiles.export('mine')


def test_the_yaml_of_former_curves_has_curves(rig):
    rig.service.profiles.set('mine', CURVES)
    wish = dataclasses.replace(REQUEST, profile='mine', rounds=1)
    old = rig.execute(wish).run
    text = rig.service.former_profiles.export(f'mine@{old.id}')
    assert 'curve: "1,2,3,4"' in text and 'concurrency' not in text
    rig.service.profiles.set('theirs', text)
    plan = rig.service.draft(dataclasses.replace(wish, profile='theirs')).plan
    assert plan.profile.version == old.plan.profile.version


def test_what_became_of_it_is_told(rig, former):
    profiles = rig.service.former_profiles

    def since():
        found = profiles.show(f'mine@{former}')
        return found.since, report.profile(found)

    assert since()[0] is Since.SAME
    rig.service.profiles.set('mine', OTHER)
    assert since()[0] is Since.CHANGED
    assert f'run {former}, with what its options replaced' in since()[1]
    rig.service.profiles.set('mine', '# the same, written otherwise\n' + TEXT)
    assert since()[0] is Since.SAME
    rig.service.profiles.remove('mine')
    assert since()[0] is Since.GONE
    assert 'removed' in since()[1]


class Database:
    """Hold one run."""

    def __init__(self, run):
        self.run = run

    def call(self, work, timeout=5.0):
        return work(self)

    def get_run(self, ident):
        if ident != self.run.id:
            raise NotFound(f'run {ident!r} does not exist')
        return self.run


RUN = make_run()
OF = RUN.plan.profile.name


def refused(text, run=RUN, error=InvalidArgument):
    profiles = FormerProfiles(ProfileRepository(FakeCluster()), Database(run))
    with pytest.raises(error) as found:
        profiles.get(text)
    assert '\n' not in found.value.message
    return found.value.message


@pytest.mark.parametrize('text', [f'{OF}@', f'@{RUN.id}', f'No@{RUN.id}'])
def test_half_a_name_is_refused(text):
    said = refused(text)
    assert said.endswith('is not <profile> or <profile>@<run>')
    assert text in said


def test_a_run_that_is_not_there_is_told():
    assert 'no-run' in refused(f'{OF}@no-run', error=NotFound)


def test_a_run_with_another_profile_is_told():
    assert f'{OF!r}, not \'mine\'' in refused(f'mine@{RUN.id}')


def test_what_another_tool_measured_cannot_be_run():
    """Neither as imported, nor with operations that nothing here does."""
    plan = dataclasses.replace(RUN.plan, size=0)
    foreign = dataclasses.replace(
        RUN, origin='import:cbt', fsid='', plan=plan
    )
    assert 'measured by another tool' in refused(f'{OF}@{RUN.id}', foreign)


def test_a_profile_of_a_file_is_checked_as_any():
    kept = RUN.plan.profile
    endless = dataclasses.replace(kept.workloads[0], duration=1e9)
    profile = dataclasses.replace(kept, workloads=(endless,))
    plan = dataclasses.replace(RUN.plan, profile=profile)
    run = dataclasses.replace(RUN, plan=plan)
    assert 'duration' in refused(f'{OF}@{RUN.id}', run)
