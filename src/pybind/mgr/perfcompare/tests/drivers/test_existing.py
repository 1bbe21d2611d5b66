"""Gateways of operators: keys kept, buckets marked and journaled."""

from typing import Any, List, Tuple

import dataclasses
import json
import os
import tempfile

import pytest

from ...common.errors import Busy, InvalidArgument, NotFound, PerfcompareError
from ...common.settings import Settings
from ...drivers.s3.buckets import BucketRemover, Buckets
from ...drivers.s3.driver import S3Driver
from ...drivers.s3.gateways import existing
from ...drivers.s3.gateways.existing import ExistingGateways
from ...drivers.s3.gateways.repository import GatewayRepository, read_secrets
from ...guard.abort.watch import AbortWatch
from ...guard.checks.capacity import raw_bytes
from ...model.group import GatewaySet
from ...model.outcome import Outcome
from ...model.plan import RunPlan
from ...model.topology import Pool
from ...model.workload import S3Shape
from ...planning.s3 import plan as s3plan
from ...planning.s3 import removal
from ...remote import calls as api
from ...report.gateways import listed
from ...report.plan import describe
from ...undo.entries import Entry, Kind
from ...undo.journal import Journal
from ...worker.wire import jobs
from ...worker.wire.s3_jobs import S3Look, S3Remove, S3Trial
from ...workers.outcomes import WorkerFailed
from ...workers.process import ProcessLauncher
from ..data.plans import RUN, make
from ..data.plans import plan as planning
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster
from ..fakes.s3_server import S3Server
from ..fakes.workers import FakeLauncher

URL = 'https://gw-1:8443'
EC = {'size': 6, 'min_size': 4, 'erasure_code_profile': 'p'}


KEYS = json.dumps({'access_key': 'AK', 'secret_key': 'very-secret'})


PEM = '-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----\n'


def book(cluster: Any = None) -> GatewayRepository:
    return GatewayRepository(cluster or FakeCluster())


def test_pools_that_a_gateway_has_just_made_are_its_own() -> None:
    cluster = FakeCluster()
    cluster.add_pool('default.rgw.log', application={'rgw': {}})
    # radosgw enables the application a moment later
    cluster.add_pool('default.rgw.buckets.data', application={})
    cluster.add_pool('vms', application={'rbd': {}})
    found = existing.pools_of(cluster.pools())
    assert 'vms' not in found
    assert found >= {'default.rgw.log', 'default.rgw.buckets.data'}


class GatewayStarts(FakeCluster):
    """Have a gateway make a pool as soon as its pools were looked at."""

    starts = False

    def pools(self) -> List[Pool]:
        found = super().pools()
        if self.starts:
            self.starts = False
            self.add_pool('default.rgw.buckets.data', application={})
            self.epoch += 1
        return found


def test_a_pool_that_a_gateway_makes_during_a_look_ends_no_run() -> None:
    cluster = GatewayStarts()
    watch = AbortWatch(
        cluster,
        Settings,
        lambda pools: (),
        0.0,
        loaded_pools=existing.pools_of,
    )
    cluster.starts = True
    cluster.epoch += 1
    assert [watch.check(at) for at in (2.0, 4.0, 6.0)] == [None] * 3
    assert not cluster.starts


@pytest.mark.parametrize('name', ['default.rgw.buckets.data', 'theirs'])
def test_pools_that_were_there_are_watched_as_ever(name: str) -> None:
    """Also those of gateways, and what has no application."""
    cluster = FakeCluster()
    application: Any = {'rgw': {}} if 'rgw' in name else {}
    pool = cluster.add_pool(name, application=application)
    watch = AbortWatch(
        cluster,
        Settings,
        lambda pools: (),
        0.0,
        loaded_pools=existing.pools_of,
    )
    assert watch.check(2.0) is None
    cluster.pool_table[name] = dataclasses.replace(pool, pg_num_target=256)
    cluster.epoch += 1
    found = watch.check(4.0)
    assert found and found.rule == 'PG_NUM'


@pytest.mark.parametrize(
    'endpoints, placement, region, keys, told',
    [
        ((), None, None, '{}', 'need an endpoint'),
        (('ftp://x',), None, None, KEYS, 'an endpoint is not valid'),
        ((URL,), 'a b', None, KEYS, "placement 'a b' is not valid"),
        ((URL,), None, 'a b', KEYS, "region 'a b' is not valid"),
        ((URL,), None, None, '', 'access_key and secret_key are needed'),
        ((URL,), None, None, '{"access_key": "A"}', 'no secret_key'),
    ],
)
def test_what_is_wrong_is_said_to_whoever_asks(
    endpoints: Any, placement: Any, region: Any, keys: str, told: str
) -> None:
    """The page and REST have fields, and no options."""
    with pytest.raises(InvalidArgument) as caught:
        book().set('x86', endpoints, placement, region, keys)
    assert told in caught.value.message
    assert '--' not in caught.value.message


def test_nothing_to_forget_is_no_reason_to_set_it() -> None:
    with pytest.raises(NotFound) as caught:
        book().remove('x86')
    assert caught.value.message == "no gateways are set for group 'x86'"


def test_keys_are_kept_but_never_told() -> None:
    found = book()
    text = json.dumps({**json.loads(KEYS), 'ca': PEM})
    made = found.set('x86', [URL + ',http://[::1]:80'], 'fast', None, text)
    assert made.endpoints == (URL, 'http://[::1]:80')
    assert made.own_ca and made.region == 'us-east-1'
    assert found.list() == [made] and found.get('x86') == made
    shown = listed(found.list()) + repr(made) + repr(found.secrets('x86'))
    assert 'secret' not in shown.replace('Secrets', '') and 'AK' not in shown
    assert found.secrets('x86') == ('AK', 'very-secret', PEM)
    found.remove('x86')
    assert found.list() == []
    for call in (found.get, found.secrets, found.remove):
        with pytest.raises(NotFound):
            call('x86')


def test_what_radosgw_admin_prints_is_a_file_of_keys() -> None:
    text = '{"user_id": "u", "keys": [{"user": "u", "access_key": "A", "secret_key": "S"}]}'
    assert read_secrets(text) == ('A', 'S', '')


@pytest.mark.parametrize(
    'text',
    [
        None,
        '',
        'very-secret',
        '["very-secret"]',
        '{"access_key": "very-secret"}',
        '{"access_key": "A", "secret_key": 1}',
        '{"access_key": "A", "secret_key": "S", "ca": "very-secret"}',
        json.dumps({'access_key': 'A', 'secret_key': 'very-secret' * 400}),
    ],
)
def test_bad_keys_are_refused_without_showing_them(text: Any) -> None:
    with pytest.raises(InvalidArgument) as caught:
        book().set('x86', [URL], None, None, text)
    assert 'very-secret' not in caught.value.message


@pytest.mark.parametrize(
    'url',
    [
        'gw-1:80',
        'ftp://gw-1',
        'http://user:very-secret@gw-1',
        'http://gw-1/bucket',
        'http://gw-1:port',
        'http://',
    ],
)
def test_bad_endpoints(url: str) -> None:
    with pytest.raises(InvalidArgument) as caught:
        book().set('x86', [url], None, None, KEYS)
    assert 'very-secret' not in caught.value.message


def test_keys_stay_while_a_bucket_needs_them() -> None:
    cluster = FakeCluster()
    found = book(cluster)
    found.set('x86', [URL], None, None, KEYS)
    entry = Journal(cluster).intend(
        RUN, Kind.BUCKET, 'b', {'gateways': 'x86'}
    )
    with pytest.raises(Busy, match='yet to be removed'):
        found.remove('x86')
    with pytest.raises(Busy):
        found.set('x86', ['http://elsewhere'], None, None, KEYS)
    other = json.dumps({'access_key': 'AK', 'secret_key': 'rotated'})
    found.set('x86', [URL], None, None, other)
    assert found.secrets('x86').secret_key == 'rotated'
    Journal(cluster).forget(entry)
    found.remove('x86')


@pytest.mark.parametrize(
    'data, copies',
    [({'size': 4}, 4), ({'size': 2}, 2), (EC, 2), (None, 3)],
)
def test_copies_of_the_gateways_own_pools_are_planned_for(
    data: Any, copies: float
) -> None:
    """Not those of the run's pools: they hold none of it."""
    rgw: Any = {'application': {'rgw': {}}}
    pools = [
        Pool(1, '.mgr', 5, 2, 1, 1, 1, 1, 0),
        Pool(2, 'default.rgw.buckets.index', 5, 2, 1, 1, 1, 1, 0, **rgw),
    ]
    if data:
        some = Pool(3, 'default.rgw.buckets.data', 3, 2, 1, 1, 1, 1, 0, **rgw)
        pools.append(dataclasses.replace(some, **data))
    (pool,) = plan('s3-put', pools=pools).groups[0].pools
    assert pool.size == 2
    planned = 1.2 * pool.max_bytes * copies
    assert raw_bytes(pool, None) == pytest.approx(planned)


def plan(*ops: str, **options: Any) -> RunPlan:
    gateways = {
        'x86': GatewaySet('x86', (URL,), 'fast'),
        'arm': GatewaySet('arm', ('http://gw-2:80',)),
    }
    options.setdefault('gateway_source', 'existing')
    options.setdefault('sizes', ('4K',))
    return make(
        workloads=ops or ('s3-get', 's3-put', 's3-mixed'),
        concurrency=('16',),
        settings=planning.PlanSettings(gateways=gateways),
        **options,
    )


def test_no_pool_takes_objects_but_their_bytes_are_planned() -> None:
    made, own = plan(), plan(gateway_source='private')
    for group in made.groups:
        assert [p.role for p in group.pools] == [s3plan.SENTINEL_POOL]
        most = s3plan.pool(own.group(group.name), 's3-write-data').max_bytes
        assert s3plan.pool(group, s3plan.SENTINEL_POOL).max_bytes > most
        for workload in made.profile.workloads:
            if not workload.reads:
                assert s3plan.bound(made, workload, group.name) == (
                    s3plan.bound(own, workload, group.name)
                )
    assert made.bytes_written > 0.5 * own.bytes_written
    text = ' '.join(describe(made).split())
    assert f"operator's gateways {URL}, placement fast" in text
    assert 'stays empty' in text


def test_what_gateways_free_hours_later_is_planned_for() -> None:
    (pool,) = plan('s3-put').groups[0].pools
    assert pool.lingering == 0  # small ones go with their names
    made = plan('s3-put', sizes=('16M',))
    for group in made.groups:
        (pool,) = group.pools
        beside = s3plan.probe_bytes(made.profile.workloads)
        each = pool.max_bytes - beside
        rounds = made.profile.rounds
        assert pool.lingering == pytest.approx(0.75 * rounds * each, rel=1e-6)
        # as often as Ceph stores it where nobody says otherwise
        raw = (1.2 * pool.max_bytes + pool.lingering) * 3
        assert raw_bytes(pool, None) == pytest.approx(raw)
    assert 'that they free hours after' in ' '.join(describe(made).split())


@pytest.mark.parametrize(
    'options',
    [
        {'gateways': 2},
        {'s3_tls': True},
        {'rgw_index_class': 'ssd'},
        {'ec_profile': 'p'},
        {'gateway_source': 'cloud'},
    ],
)
def test_options_that_are_for_gateways_of_ours(options: Any) -> None:
    with pytest.raises(InvalidArgument, match='--'):
        plan(**options)


class Remover:
    def __init__(self) -> None:
        self.gone: List[str] = []
        self.why = ''
        self.seen: List[Tuple[str, str]] = []
        self.refused = ''  # the group whose gateways are no use

    def look(self, entry: Any) -> None:
        if self.refused == entry.detail['gateways']:
            raise WorkerFailed('access', f'{URL} does not answer')
        self.seen.append((entry.name, entry.detail['gateways']))

    def __call__(self, entry: Any) -> str:
        self.gone.append(entry.name)
        return self.why

    def remove(self, entry: Any, ask: Any) -> str:
        ask('job', 'folder')
        return self(entry)


class Loads:
    def __init__(self) -> None:
        self.jobs: List[Any] = []

    def run(self, name: str, job: Any, pools: Any, on_tick: Any) -> None:
        assert name.startswith('remove-') and pools == ()
        self.jobs.append(job)
        on_tick()


class Bench:
    def __init__(self, tmp_path: Any) -> None:
        self.cluster = FakeCluster()
        self.book = book(self.cluster)
        for name in ('x86', 'arm'):
            self.book.set(name, [URL], 'fast', None, KEYS)
        self.plan = plan()
        self.remover = Remover()
        self.journal = Journal(
            self.cluster,
            FakeClock(),
            remove_bucket=self.remover,
        )
        self.loads = Loads()
        self.beats: List[int] = []  # buckets that were gone at each
        self.buckets = Buckets(
            self.plan,
            self.journal,
            self.remover,  # type: ignore[arg-type]
            self.loads,  # type: ignore[arg-type]
            lambda: self.beats.append(len(self.remover.gone)),
        )
        self.gateways = ExistingGateways(self.book, str(tmp_path))

        class Pools:
            def has(self, pool: Any) -> bool:
                return True

            def create(self, pools: Any) -> None:
                pass

        self.driver = S3Driver(
            self.plan,
            Pools(),  # type: ignore[arg-type]
            self.gateways,
            lambda pool: jobs.Access('/c', '/k', self.plan.key, pool),
            self.buckets,
        )

    def workload(self, op: str) -> Any:
        return next(w for w in self.plan.profile.workloads if w.op == op)

    def entries(self) -> List[str]:
        return [e.name for e in self.journal.entries(RUN)]


def test_buckets_are_journaled_before_they_are_made(tmp_path: Any) -> None:
    bench = Bench(tmp_path)
    group = bench.plan.groups[1]
    fill = bench.driver.fill(bench.workload('s3-get'), group)
    assert bench.entries() == [fill.bucket]
    assert fill.fresh and fill.owner == RUN and fill.location == ':fast'
    assert fill.bucket == f'perfcompare-{RUN}-g1-reads'
    get = bench.driver.trial(bench.workload('s3-get'), group, 'r1.b0.a1')
    assert get.bucket == fill.bucket and not get.fresh
    put = bench.driver.trial(bench.workload('s3-put'), group, 'r1.b1.a1')
    assert isinstance(put, S3Trial) and put.fresh
    assert bench.entries() == [fill.bucket, put.bucket]
    for job in (fill, get, put):
        job.check()
        assert jobs.job_from_data(jobs.job_to_data(job)) == job
        assert 'very-secret' not in json.dumps(jobs.job_to_data(job))
    bench.driver.new_round()
    # under the brakes of the run: it takes minutes
    assert bench.loads.jobs == ['job'] and bench.beats == [0]
    assert bench.remover.gone == [put.bucket]
    assert bench.entries() == [fill.bucket]
    assert bench.journal.undo_all(RUN).clean
    assert bench.remover.gone == [put.bucket, fill.bucket]
    assert bench.entries() == []


def test_all_buckets_of_a_load_are_journaled_and_removed(
    tmp_path: Any,
) -> None:
    bench = Bench(tmp_path)
    group = bench.plan.groups[1]
    workload = bench.workload('s3-put')
    spread = dataclasses.replace(workload, s3=S3Shape(buckets=8, prefixes=16))
    put = bench.driver.trial(spread, group, 'r1.b1.a1')
    assert put.bucket == f'perfcompare-{RUN}-g1-n8-r1-b1-a1'
    assert (put.buckets, put.prefixes) == (8, 16)
    assert jobs.job_from_data(jobs.job_to_data(put)) == put
    # all that is asked and removed is so for as many
    most = s3plan.bound(bench.plan, spread, group.name)
    (entry,) = bench.journal.entries(RUN)
    assert entry.name == put.bucket and entry.detail['buckets'] == '8'
    assert entry.detail['objects'] == str(most)
    get = dataclasses.replace(bench.workload('s3-get'), s3=S3Shape(buckets=8))
    fill = bench.driver.fill(get, group)
    assert fill.bucket == f'perfcompare-{RUN}-g1-n8-reads'
    bench.driver.new_round()
    assert bench.entries() == [fill.bucket]


def test_plans_and_journal_count_the_markers_of_versions(
    tmp_path: Any,
) -> None:
    bench = Bench(tmp_path)
    group, put = bench.plan.groups[1], bench.workload('s3-put')
    versions = S3Shape(versioning=True)
    bench.driver.trial(
        dataclasses.replace(put, s3=versions), group, 'r1.b1.a1'
    )
    (entry,) = bench.journal.entries(RUN)
    most = s3plan.bound(bench.plan, put, group.name)
    assert entry.detail['objects'] == str(2 * most)
    profile = dataclasses.replace(
        bench.plan.profile,
        workloads=tuple(
            dataclasses.replace(w, s3=versions)
            for w in bench.plan.profile.workloads
        ),
    )
    versioned = dataclasses.replace(bench.plan, profile=profile)
    once = removal.seconds(bench.plan)
    assert once and removal.seconds(versioned) == pytest.approx(2 * once)


@pytest.mark.parametrize('refused', ['x86', 'arm'])
def test_all_gateways_are_looked_at_before_anything_is_journaled(
    tmp_path: Any, refused: str
) -> None:
    bench = Bench(tmp_path)
    group = bench.plan.groups[0]
    bench.remover.refused = refused
    with pytest.raises(PerfcompareError, match='does not answer'):
        bench.driver.fill(bench.workload('s3-get'), group)
    assert bench.entries() == []
    bench.remover.refused, bench.remover.seen = '', []
    fill = bench.driver.fill(bench.workload('s3-get'), group)
    bench.driver.trial(bench.workload('s3-put'), group, 'r1.b1.a1')
    assert bench.remover.seen == [
        (f'perfcompare-{RUN}-g{i}-reads', g.gateways)
        for i, g in enumerate(bench.plan.groups)
    ]
    assert fill.bucket == bench.remover.seen[0][0]


def test_a_bucket_that_stays_is_reported(tmp_path: Any) -> None:
    bench = Bench(tmp_path)
    bench.driver.fill(bench.workload('s3-get'), bench.plan.groups[0])
    bench.remover.why = "it holds 'x', which is not of the run"
    report = bench.journal.undo_all(RUN)
    assert report.clean and 'holds' in report.kept[0].reason
    assert bench.entries() == []


def test_without_gateways_a_bucket_is_left_over() -> None:
    cluster = FakeCluster()

    def fails(entry: Any) -> str:
        raise WorkerFailed('access', 'https://gw-1 does not answer')

    journal = Journal(cluster, FakeClock(), remove_bucket=fails)
    journal.intend(RUN, Kind.BUCKET, 'perfcompare-0badcafe-g0-reads')
    (left,) = journal.undo_all(RUN).leftovers
    assert 'does not answer' in str(left) and 'cleanup' in str(left)
    assert len(journal.entries(RUN)) == 1


def test_the_manifest_claims_nothing_of_pools_of_others(
    tmp_path: Any,
) -> None:
    bench = Bench(tmp_path)
    found = bench.driver.manifest(bench.plan.groups[0])
    assert found['gateway_urls'] == [URL]
    assert found['primaries_max_mean'] is None and found['size'] is None


def test_the_remover_leads_a_worker() -> None:
    base = tempfile.mkdtemp(prefix='pc')  # short enough for sockets
    cluster = FakeCluster()
    found = book(cluster)
    launcher = FakeLauncher()
    launcher.outcome_of = lambda job: Outcome(  # type: ignore[method-assign]
        's3-remove', 0.0, 1.0, evidence={'removed': 3, 'kept': ''}
    )
    remover = BucketRemover(
        cluster, found, lambda folder: launcher, lambda: base
    )
    entry = Journal(cluster).intend(
        RUN, Kind.BUCKET, 'b', {'gateways': 'x86', 'buckets': '5'}
    )
    with pytest.raises(PerfcompareError, match='no gateways') as caught:
        remover(entry)
    assert not isinstance(caught.value, NotFound)  # it is not gone
    Journal(cluster).forget(entry)
    found.set('x86', [URL], None, None, KEYS)
    assert remover(entry) == ''
    (job,) = launcher.given
    assert isinstance(job, S3Remove) and job.bucket == 'b'
    assert job.buckets == 5 and job.deadline == removal.LEAST
    for objects, seconds in ((1_400_000, 5600.0), (10**9, removal.MOST)):
        entry.detail['objects'] = str(objects)
        assert remover(entry) == ''
        assert launcher.given[-1].deadline == seconds
    remover.look(entry)
    job = launcher.given[-1]
    assert isinstance(job, S3Look) and not isinstance(job, S3Remove)
    os.rmdir(base)  # no keys are left


@pytest.mark.process
@pytest.mark.parametrize(
    'more, there, why',
    [
        ([], [], ''),
        ([], [b'/b'], 'exists already'),
        (['http://127.0.0.1:9'], [], '127.0.0.1:9 does not answer'),
    ],
)
def test_every_endpoint_is_looked_at(
    more: List[str], there: List[bytes], why: str
) -> None:
    base = tempfile.mkdtemp(prefix='pc')
    server = S3Server()
    server.objects = dict.fromkeys(there, b'')
    cluster = FakeCluster()
    found = book(cluster)
    url = f'http://127.0.0.1:{server.port}'
    found.set('x86', [url, *more], None, None, KEYS)
    remover = BucketRemover(cluster, found, ProcessLauncher, lambda: base)
    entry = Entry(RUN, 0, Kind.BUCKET, 'b', detail={'gateways': 'x86'})
    try:
        if why:
            with pytest.raises(WorkerFailed, match=why):
                remover.look(entry)
        else:
            remover.look(entry)
        assert list(server.objects) == there and server.serial == 1
    finally:
        server.close()
        os.rmdir(base)


def test_the_calls_of_the_dashboard() -> None:
    class AtOnce:
        def do(self, name, key, work, *_):  # type: ignore[no-untyped-def]
            return work()

    class Service:
        gateways = book()
        calls = AtOnce()
        changing = staticmethod(lambda work: work)

    args = {'group': 'x86', 'endpoints': [URL], 'keys': KEYS}
    made = api.call(Service(), 'gateways_set', args)  # type: ignore[arg-type]
    assert made['data']['endpoints'] == [URL]
    rows = api.call(Service(), 'gateways_ls', {})  # type: ignore[arg-type]
    assert 'very-secret' not in json.dumps(rows) and len(rows['data']) == 1
    gone = api.call(Service(), 'gateways_rm', {'group': 'x86'})  # type: ignore[arg-type]
    assert 'error' not in gone
