"""Start a generator process: python3 -I -S -B generator.py FOLDER LABEL."""

import os
import sys

# The folder of the package holds other modules that must hide nothing.
_LOADS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_ROOT = os.path.dirname(os.path.dirname(_LOADS))
sys.path.insert(0, _ROOT)
import worker  # type: ignore[import-not-found] # noqa: E402,F401

sys.path.remove(_ROOT)

from worker.loads.s3.process import (  # type: ignore # noqa: E402
    main,
)

if __name__ == '__main__':
    code = main(sys.argv)
    sys.stderr.flush()
    os._exit(code)
