"""Keep the run under way in the mon store, so that a new mgr finds it.

The journal says what to undo; this says what to go on with. It lives in
the mon store and not in SQLite, because the database may be on the very
OSDs under test.

What stands there may be damaged, or of another version. So nothing that is
read here raises: what cannot be read is a run that is not gone on with, and
undoing it needs the journal only.
"""

from typing import Dict, NamedTuple, Optional, Tuple

import base64
import json
import math
import zlib

from ..common.clock import SYSTEM
from ..common.codec import from_data, to_data
from ..common.errors import InvalidArgument
from ..model.ownership import is_run
from ..model.run import Run, RunState
from ..ports.clock import Clock
from ..ports.keys import KeyValueStore

PREFIX = 'active/'
CHUNK = 3000  # characters; entries of the mon store stay under 4 KiB
# characters of JSON; a plan with 10,000 OSDs has 80,000
LIMIT = 2 * 1024 * 1024
RESUMES = 2  # times that a run is taken up again, at most
UNKNOWN = -1


class Ending(NamedTuple):
    """Say how a run ends that is being undone."""

    state: RunState
    reason: str


UNREADABLE = Ending(
    RunState.INTERRUPTED, 'it had ended; how cannot be read any more'
)


class Interrupted(NamedTuple):
    """Hold a run that a former mgr left, and when it was last seen."""

    id: str  # '' when not even that can be read
    run: Optional[Run]  # None when it cannot be read
    seen: Optional[float] = None  # Unix time
    ending: Optional[Ending] = None  # nobody is to go on with it
    resumes: int = 0  # how often it was taken up; UNKNOWN
    problem: str = ''  # why it cannot be read


class ActiveRun:
    """Save, find and forget the one run under way."""

    def __init__(self, cluster: KeyValueStore, clock: Clock = SYSTEM) -> None:
        self._cluster = cluster
        self._clock = clock

    def save(self, run: Run) -> None:
        """Store the run with its plan, before anything is touched.

        Raises InvalidArgument for a plan that nobody would read again.
        """
        data = json.dumps(to_data(run))
        if len(data) > LIMIT:
            raise InvalidArgument(
                f'the plan has {len(data)} characters; at most {LIMIT} can '
                'be kept for a failover: name fewer workloads or rounds'
            )
        self.clear()
        text = base64.b64encode(zlib.compress(data.encode(), 9)).decode()
        chunks = [text[i : i + CHUNK] for i in range(0, len(text), CHUNK)]
        for number, chunk in enumerate(chunks):
            self._cluster.kv_set(f'{PREFIX}plan/{number:04d}', chunk)
        self._cluster.kv_set(
            PREFIX + 'head',
            json.dumps({'run': run.id, 'chunks': len(chunks)}),
        )
        self.touch()

    def touch(self) -> None:
        """Note that the run is being driven now."""
        self._cluster.kv_set(PREFIX + 'seen', repr(self._clock.wall()))

    def end(self, ending: Ending) -> None:
        """Note that the run only remains to be undone, and its state."""
        self._cluster.kv_set(
            PREFIX + 'end', json.dumps(to_data(list(ending)))
        )

    def resume(self, left: Interrupted) -> None:
        """Count that the run is taken up again, before it is."""
        self._cluster.kv_set(PREFIX + 'resumes', str(left.resumes + 1))
        self.touch()

    def load(self) -> Optional[Interrupted]:
        """Return the run that was left, None when there is none.

        A plan without its head was never started: it is cleared. Raises
        only when the mons do not answer.
        """
        stored = self._cluster.kv_list(PREFIX)
        if PREFIX + 'head' not in stored:
            if stored:
                self.clear()
            return None
        left = Interrupted(
            '',
            None,
            _seen(stored.get(PREFIX + 'seen', '')),
            _ending(stored.get(PREFIX + 'end')),
            _resumes(stored.get(PREFIX + 'resumes', '0')),
        )
        try:
            ident, chunks = _head(stored[PREFIX + 'head'])
            left = left._replace(id=ident)
            return left._replace(run=_run(stored, ident, chunks))
        # whatever another version, or damage, makes of it
        except Exception as error:
            return left._replace(problem=_described(error))

    def kept(self) -> Optional[str]:
        """Return the id of a run that a Manager may go on with.

        None where there is none, '' where it cannot be read.
        """
        text = self._cluster.kv_list(PREFIX).get(PREFIX + 'head')
        if text is None:
            return None
        try:
            return _head(text)[0]
        except Exception:  # as above
            return ''

    def clear(self) -> None:
        """Forget the run; the head goes first."""
        stored = self._cluster.kv_list(PREFIX)
        for key in sorted(stored, key=lambda k: k != PREFIX + 'head'):
            self._cluster.kv_remove(key)


def _head(text: str) -> Tuple[str, object]:
    data = json.loads(text)
    ident, chunks = data['run'], data['chunks']
    if not isinstance(ident, str) or not is_run(ident):
        raise ValueError('no id of a run')
    return ident, chunks


def _run(stored: Dict[str, str], ident: str, chunks: object) -> Run:
    prefix = PREFIX + 'plan/'
    plan = {k: v for k, v in stored.items() if k.startswith(prefix)}
    if [f'{prefix}{n:04d}' for n in range(len(plan))] != sorted(plan):
        raise ValueError('a part of the plan is missing')
    if chunks != len(plan):
        raise ValueError(f'{len(plan)} of {chunks!r} parts are there')
    packed = base64.b64decode(
        ''.join(text for _, text in sorted(plan.items())), validate=True
    )
    unpacker = zlib.decompressobj()
    # it may claim to be of any size
    data = unpacker.decompress(packed, LIMIT)
    if not unpacker.eof:
        raise ValueError('it is cut off, or too large')
    run = from_data(Run, json.loads(data))
    if run.id != ident or run.plan.run != ident:
        raise ValueError('it is of another run')
    return run


def _seen(text: str) -> Optional[float]:
    try:
        seen = float(text)
    except ValueError:
        return None
    return seen if math.isfinite(seen) and seen > 0 else None


def _resumes(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 9 else UNKNOWN


def _ending(text: Optional[str]) -> Optional[Ending]:
    """Return how the run ends; also an unreadable one is an end."""
    if text is None:
        return None
    try:
        return ending_from(json.loads(text))
    except Exception:  # as above
        return UNREADABLE


def ending_from(data: object) -> Ending:
    """Return the end that JSON tells of; ValueError for anything else."""
    if isinstance(data, list) and len(data) == 2:
        state, reason = data
        if isinstance(state, str) and isinstance(reason, str):
            ending = Ending(RunState(state), reason)
            if ending.state.ended:
                return ending
    raise ValueError('no end of a run')


def _described(error: Exception) -> str:
    """Return in one line why something cannot be read."""
    text = ' '.join(str(error).split())[:200]
    return text or type(error).__name__
