"""Read one file in a process of its own.

python3 -m worker.interop TOOL FILE RESULT: writes JSON, either {"reading"}
or {"error"}, to RESULT. It ends itself after SECONDS.
"""

import os
import sys

# as in worker/__main__.py: no module of the manager hides one of Python
_PARENT = os.path.dirname(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
)
sys.path[:] = [p for p in sys.path if p and os.path.abspath(p) != _PARENT]

import json  # noqa: E402
import resource  # noqa: E402
import signal  # noqa: E402

from ..strict import Malformed, encode  # noqa: E402
from .content import Content  # noqa: E402
from .detect import read  # noqa: E402

SECONDS = 60
MEMORY = 2 << 30  # bytes


def main() -> None:
    """Read the file that the arguments name."""
    tool, path, result = sys.argv[1:4]
    signal.alarm(SECONDS)
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    try:
        content = Content(path)
        with content as stream:
            found = {'reading': encode(read(stream, tool))}
            content.check()
    except Malformed as error:
        found = {'error': str(error)}
    except MemoryError:
        found = {'error': 'it takes more than 2 GiB of memory to read it'}
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    with os.fdopen(os.open(result, flags, 0o600), 'w') as file:
        json.dump(found, file, allow_nan=False)


main()
