"""Keep the run under way in the mon store, so that a new mgr finds it.

The journal says what to undo; this says what to go on with. It lives in
the mon store and not in SQLite, because the database may be on the very
OSDs under test.
"""

from typing import NamedTuple, Optional

import base64
import json
import time
import zlib

from .cluster import ClusterVoice
from .codec import from_data, to_data
from .models.run import Run, RunState

PREFIX = 'active/'
CHUNK = 3000  # characters; entries of the mon store stay under 4 KiB


class Ending(NamedTuple):
    """Say how a run ends that is being undone."""

    state: RunState
    reason: str


class Interrupted(NamedTuple):
    """Hold a run that a former mgr left, and when it was last seen."""

    run: Run
    seen: float  # Unix time
    ending: Optional[Ending] = None  # nobody is to go on with it


class ActiveRun:
    """Save, find and forget the one run under way."""

    def __init__(self, cluster: ClusterVoice) -> None:
        self._cluster = cluster

    def save(self, run: Run) -> None:
        """Store the run with its plan, before anything is touched."""
        self.clear()
        text = base64.b64encode(
            zlib.compress(json.dumps(to_data(run)).encode(), 9)
        ).decode()
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
        self._cluster.kv_set(PREFIX + 'seen', repr(time.time()))

    def end(self, ending: Ending) -> None:
        """Note that the run only remains to be undone, and its state."""
        self._cluster.kv_set(
            PREFIX + 'end', json.dumps(to_data(list(ending)))
        )

    def load(self) -> Optional[Interrupted]:
        """Return the run that was left, None when there is none.

        A head without all its chunks was never started: it is cleared.
        """
        stored = self._cluster.kv_list(PREFIX)
        head = stored.get(PREFIX + 'head')
        if head is None:
            if stored:
                self.clear()
            return None
        count = int(json.loads(head)['chunks'])
        chunks = [
            stored.get(f'{PREFIX}plan/{number:04d}')
            for number in range(count)
        ]
        if any(chunk is None for chunk in chunks):
            self.clear()
            return None
        text = zlib.decompress(
            base64.b64decode(''.join(c for c in chunks if c))
        )
        seen = float(stored.get(PREFIX + 'seen', '0'))
        end = stored.get(PREFIX + 'end')
        ending = None
        if end is not None:
            state, reason = json.loads(end)
            ending = Ending(RunState(state), reason)
        return Interrupted(from_data(Run, json.loads(text)), seen, ending)

    def clear(self) -> None:
        """Forget the run; the head goes first."""
        stored = self._cluster.kv_list(PREFIX)
        for key in sorted(stored, key=lambda k: k != PREFIX + 'head'):
            self._cluster.kv_remove(key)
