"""Tell a person what was found, done, kept and left; never too much."""

from typing import Dict

from .names import plain

MOST = 20  # lines about things that nobody can vouch for


class Report:
    """Print lines, and count what is left."""

    def __init__(self) -> None:
        self.found = 0
        self.left = 0
        self._doubtful: Dict[str, int] = {}

    def would(self, what: str, how: str) -> None:
        """Tell what would be done."""
        self.found += 1
        print('found: %s\n       %s' % (plain(what), how))

    def undone(self, what: str) -> None:
        """Tell what was done."""
        print('undone: ' + plain(what), flush=True)

    def kept(self, what: str, why: str) -> None:
        """Tell what stays on purpose."""
        print('kept: %s: %s' % (plain(what), plain(why)), flush=True)

    def stays(self, what: str, why: str, remedy: str) -> None:
        """Tell what could not be done, and what to do instead."""
        self.left += 1
        text = 'left: %s: %s' % (plain(what), plain(why))
        print(text + '; to do: %s' % remedy * bool(remedy), flush=True)

    def doubtful(self, kind: str, text: str, remedy: str) -> None:
        """Tell of a thing that is not touched, of each kind a few."""
        number = self._doubtful[kind] = self._doubtful.get(kind, 0) + 1
        if number <= MOST:
            print('not touched: %s; %s' % (plain(text), remedy))

    def end_doubtful(self) -> int:
        """Tell how many more there are; return how many in all."""
        for kind, number in self._doubtful.items():
            if number > MOST:
                print('not touched: %d more: %s' % (number - MOST, kind))
        return sum(self._doubtful.values())
