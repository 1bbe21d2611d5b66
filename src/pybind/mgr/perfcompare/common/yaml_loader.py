"""A loader of PyYAML that makes plain data, and little of it."""

from typing import Any

import yaml

from .printable import shown

MAX_DEPTH = 16


class StrictLoader(yaml.SafeLoader):
    """Load plain data; refuse what hides something from the reader."""

    def __init__(self, text: str, most: int) -> None:
        super().__init__(text)
        self._left = most
        self._depth = 0

    def compose_node(self, parent: Any, index: Any) -> Any:
        self._left -= 1
        if self._left < 0:
            self._refuse('there are too many values')
        if self._depth == MAX_DEPTH:
            self._refuse('it is nested too deeply')
        if self.check_event(yaml.events.AliasEvent):
            self._refuse('aliases (*name) are not supported')
        self._depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self._depth -= 1

    def _refuse(self, why: str) -> None:
        mark = self.peek_event().start_mark  # type: ignore
        raise yaml.constructor.ConstructorError(None, None, why, mark)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        seen = set()
        for position, (name, _) in enumerate(node.value):
            key = self.construct_object(name, deep=True)
            if key in seen:  # TypeError: a list or a mapping is no key
                raise yaml.constructor.ConstructorError(
                    None,
                    None,
                    f'key {shown(key)} is given twice',
                    node.value[position][0].start_mark,
                )
            seen.add(key)
        return super().construct_mapping(node, deep=deep)
