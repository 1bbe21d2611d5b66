"""Program: python3 qa/faults, or python3 -m faults from qa."""

import pathlib
import sys

QA = pathlib.Path(__file__).resolve().parents[1]
if __package__ in (None, ''):
    # the folder of a program hides the standard library's modules
    sys.path[0] = str(QA)

from faults.cli import main  # noqa: E402

sys.exit(main())
