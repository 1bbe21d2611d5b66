"""Have a real worker carry out one S3 job against a server of the tests."""

from typing import Any, Dict

import json
import pathlib

from ...model.outcome import Outcome
from ...worker.wire.s3_spec import Endpoint, Weighted
from .s3_server import S3Server
from .worker_site import Site, drive


def carry_out(
    cls: Any, folder: pathlib.Path, server: S3Server, **fields: Any
) -> Outcome:
    """Return what came of a job of a class with these fields."""
    site = Site(folder)
    keys = folder / 'keys'
    keys.write_text(json.dumps({'access_key': 'A', 'secret_key': 'S'}))
    keys.chmod(0o600)
    worker = site.worker()
    values: Dict[str, Any] = dict(
        access=site.access,
        deadline=60.0,
        endpoints=(Endpoint(server.host, server.port),),
        credentials=str(keys),
        bucket='b',
        sizes=(Weighted(4096),),
    )
    drive(worker, cls(**{**values, **fields}))
    outcome: Outcome = worker.outcome()
    return outcome
