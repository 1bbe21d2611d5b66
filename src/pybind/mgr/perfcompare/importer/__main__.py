"""Read one file that is imported, in a process of its own.

python3 -m perfcompare.importer FOLDER: the folder has the `file` and the
`request`. It gets the rows of the run or recovery, as a database of our
own schema, and the `result`: JSON with {"error"} or nothing of note.
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

from ..common.errors import PerfcompareError  # noqa: E402
from ..interop.request import FILE, REQUEST, RESULT  # noqa: E402
from ..worker.wire.strict import Malformed  # noqa: E402
from .prepare import prepare  # noqa: E402
from .usable import ODD  # noqa: E402

SECONDS = 60
LEAST = 384 << 20  # bytes of memory, for the programs and a small file
FACTOR = 16  # more for each byte of the file, as it takes to check it
MEMORY = 2 << 30
PACKED = 1 << 30  # for files of other tools, which may be compressed


def main() -> None:
    """Read the file in the folder that the argument names."""
    folder = sys.argv[1]
    with open(os.path.join(folder, REQUEST), encoding='ascii') as file:
        request = json.load(file)
    most = PACKED
    if request['exported']:
        size = os.path.getsize(os.path.join(folder, FILE))
        most = min(LEAST + FACTOR * size, MEMORY)
    signal.alarm(SECONDS)
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
    error = ''
    try:
        prepare(folder, request)
    except PerfcompareError as refused:
        error = refused.message
    except Malformed as malformed:
        error = f'the file is refused: {malformed}'
    except MemoryError:
        error = (
            f'the file takes more than {most >> 20} MiB of memory to read: '
            'it holds too many values'
        )
    except RecursionError:
        error = 'the file is nested too deeply'
    except ODD as odd:
        error = (
            'the file holds what cannot be read '
            f'({type(odd).__name__}: {str(odd)[:100]})'
        )
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    path = os.path.join(folder, RESULT)
    with os.fdopen(os.open(path, flags, 0o600), 'w') as file:
        json.dump({'error': error[:4000]}, file)


if __name__ == '__main__':
    main()
