"""Entry point of `python3 -m managed`."""

import sys

from .cli import main

sys.exit(main(sys.argv[1:]))
