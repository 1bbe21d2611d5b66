"""Which of a host's addresses is in the networks of others."""

from typing import Dict, Iterable, List

import bisect
import ipaddress


class Nearness:
    """Compare addresses with some that are known.

    Prefixes of networks are not known here: the more leading bits two
    addresses have in common, the likelier they are in one.
    """

    def __init__(self, known: Iterable[str]) -> None:
        self._known: Dict[int, List[int]] = {4: [], 6: []}
        for text in set(known):
            try:
                address = ipaddress.ip_address(text)
            except ValueError:
                continue
            self._known[address.version].append(int(address))
        for numbers in self._known.values():
            numbers.sort()

    def rank(self, text: str) -> int:
        """Return the number of bits in common, negated; 1 where none can be.

        The least of several is that of the nearest address.
        """
        try:
            address = ipaddress.ip_address(text)
        except ValueError:
            return 1
        numbers, own = self._known[address.version], int(address)
        at = bisect.bisect_left(numbers, own)
        # whoever has the most bits in common is one of both neighbors
        return min(
            (
                (own ^ number).bit_length() - address.max_prefixlen
                for number in numbers[max(0, at - 1) : at + 1]
            ),
            default=1,
        )
