"""What our S3 generator writes, read back by an independent client."""

from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys
import time

import pytest

from .live import LiveCluster
from .provision import SMALL, Provider

QA = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(QA.parent / 'src' / 'pybind' / 'mgr'))

from perfcompare.model.outcome import Outcome  # noqa: E402
from perfcompare.worker.loads.s3.keys import Namer  # noqa: E402
from perfcompare.worker.loads.s3.payload import Payload  # noqa: E402
from perfcompare.worker.wire.jobs import Access  # noqa: E402
from perfcompare.worker.wire.protocol import Ended, Ready  # noqa: E402
from perfcompare.worker.wire.s3_jobs import (  # noqa: E402
    S3Fill,
    S3Load,
    S3Trial,
)
from perfcompare.worker.wire.s3_spec import (  # noqa: E402
    Endpoint,
    Objects,
    Weighted,
)
from perfcompare.workers.process import ProcessLauncher  # noqa: E402

boto3 = pytest.importorskip('boto3')

CLUSTER = SMALL.name
BUCKET = 'perfcompare-content'
SEED = 7
COUNT = 60
# 1 byte, odd sizes, more than one piece, more than the whole block
SIZES = (1, 4096, 70_001, (5 << 20) + 3)
WEIGHTS = tuple(Weighted(size) for size in SIZES)


class Gateway(NamedTuple):
    """Name a radosgw and a user of it."""

    url: str
    access: str
    secret: str


@pytest.fixture(scope='module')
def gateway(provider: Provider) -> Iterator[Gateway]:
    """Yield a production gateway of the cluster with a user."""
    cluster: LiveCluster = provider.get(SMALL)
    mini = [str(QA / 'minicluster'), '--dir', str(cluster.dir), 'rgw']
    done = subprocess.run(
        [*mini, 'start', 'c'], capture_output=True, check=True, text=True
    )
    url = re.findall(r'http://\S+', done.stdout)[-1].rstrip('/')
    try:
        made = cluster.exec(
            ['radosgw-admin', 'user', 'create', '--uid', 'content',
             '--display-name', 'content']
        )  # fmt: skip
        assert made.returncode == 0, made.stderr
        keys = json.loads(made.stdout)['keys'][0]
        yield Gateway(url, keys['access_key'], keys['secret_key'])
    finally:
        subprocess.run([*mini, 'stop', 'c'], check=True)


def client(gateway: Gateway) -> Any:
    """Return a client of boto3."""
    return boto3.client(
        's3',
        endpoint_url=gateway.url,
        aws_access_key_id=gateway.access,
        aws_secret_access_key=gateway.secret,
        region_name='us-east-1',
    )


def work(job: S3Load, folder: pathlib.Path) -> Outcome:
    """Have a worker do a job, as the manager has it."""
    worker = ProcessLauncher(str(folder)).worker(f'w{time.monotonic_ns()}')
    worker.start(job)
    deadline = time.monotonic() + 120
    try:
        while time.monotonic() < deadline:
            events = worker.poll()
            if any(isinstance(e, Ready) for e in events):
                worker.go()
            if any(isinstance(e, Ended) for e in events):
                return worker.outcome()
            worker.renew()
            time.sleep(0.1)
        raise AssertionError('the worker does not end')
    finally:
        worker.kill()


@pytest.fixture(scope='module')
def common(
    gateway: Gateway, tmp_path_factory: pytest.TempPathFactory
) -> Tuple[Dict[str, Any], pathlib.Path]:
    """Return what the jobs have in common, and where workers may live."""
    folder = tmp_path_factory.mktemp('s3')
    keys = folder / 'keys'
    keys.touch(0o600)
    keys.write_text(
        json.dumps(
            {'access_key': gateway.access, 'secret_key': gateway.secret}
        )
    )
    host, _, port = gateway.url.split('/')[2].rpartition(':')
    return {
        'access': Access('/dev/null', '/dev/null', 'client.x', 'x'),
        'endpoints': (Endpoint(host, int(port)),),
        'credentials': str(keys),
        'bucket': BUCKET,
        'sizes': WEIGHTS,
        'seed': SEED,
        'concurrency': 4,
        'deadline': 110.0,
    }, folder


@pytest.fixture(scope='module')
def filled(common: Tuple[Dict[str, Any], pathlib.Path]) -> None:
    """Write objects of all sizes by our generator."""
    values, folder = common
    work(S3Fill(**values, prefix='read me/ü-', objects=COUNT), folder)


def listed(s3: Any, prefix: str) -> List[Dict[str, Any]]:
    """Return what a bucket has under a prefix."""
    pages = s3.get_paginator('list_objects_v2')
    return [
        item
        for page in pages.paginate(Bucket=BUCKET, Prefix=prefix)
        for item in page.get('Contents', [])
    ]


def assert_content(
    s3: Any, item: Dict[str, Any], namer: Namer, payload: Payload
) -> int:
    """Assert that an object is what its number says; return its size."""
    number = int(item['Key'][-8:])
    size = namer.key(number).size
    body = s3.get_object(Bucket=BUCKET, Key=item['Key'])['Body'].read()
    wanted = payload.content(number, size)
    assert len(body) == size == item['Size']
    assert hashlib.sha256(body).digest() == hashlib.sha256(wanted).digest()
    assert item['ETag'].strip('"') == hashlib.md5(wanted).hexdigest()
    return size


def test_filled_objects_hold_what_they_should(
    gateway: Gateway, filled: None
) -> None:
    """Every object, of every size, is byte for byte what we meant."""
    s3 = client(gateway)
    found = listed(s3, 'read me/ü-')
    assert len(found) == COUNT
    namer = Namer(BUCKET, Objects('read me/ü-', COUNT, WEIGHTS))
    payload = Payload(SEED)
    sizes = {assert_content(s3, item, namer, payload) for item in found}
    assert sizes == set(SIZES)
    assert len({item['ETag'] for item in found}) > len(SIZES)


def test_put_under_load_is_whole(
    gateway: Gateway, common: Tuple[Dict[str, Any], pathlib.Path]
) -> None:
    """What a measured trial reports as created is there, and whole."""
    values, folder = common
    outcome = work(
        S3Trial(
            **values,
            prefix='none-',
            mix=(1.0, 0.0, 0.0, 0.0),
            duration=2.0,
            write_prefix='new-',
            max_objects=5000,
        ),
        folder,
    )
    s3 = client(gateway)
    found = listed(s3, 'new-')
    created = outcome.evidence['created']
    lost = outcome.evidence['abandoned']
    assert outcome.summary is not None and outcome.summary.errors == 0
    assert created - lost <= len(found) <= created
    namer = Namer(BUCKET, Objects('new-', 0, WEIGHTS))
    payload = Payload(SEED)
    step = max(1, len(found) // 40)
    for item in found[::step]:
        assert_content(s3, item, namer, payload)


@pytest.mark.slow
def test_a_changed_byte_is_corruption(
    gateway: Gateway,
    common: Tuple[Dict[str, Any], pathlib.Path],
    filled: None,
) -> None:
    """The generator's own check finds what boto3 changed behind its back."""
    s3 = client(gateway)
    values, folder = common
    reads = {
        'prefix': 'read me/ü-',
        'objects': COUNT,
        'mix': (0.0, 1.0, 0.0, 0.0),
        'duration': 2.0,
        'verify': 1.0,
    }
    clean = work(S3Trial(**values, **reads), folder)
    assert clean.evidence['compared'] > 0
    assert clean.evidence['corrupt'] == 0
    for item in listed(s3, 'read me/ü-')[::2]:
        body = os.urandom(1) * item['Size']
        s3.put_object(Bucket=BUCKET, Key=item['Key'], Body=body)
    bad = work(S3Trial(**values, **reads), folder)
    assert bad.evidence['corrupt'] > 0
    assert any('CORRUPTION' in note for note in bad.notes)
