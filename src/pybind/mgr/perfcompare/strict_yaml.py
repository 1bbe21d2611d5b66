"""Read YAML strictly: plain data, no aliases, no key twice."""

from typing import Any

import yaml

from .errors import InvalidArgument


class _Loader(yaml.SafeLoader):
    """Load plain data; refuse what hides something from the reader."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.check_event(yaml.events.AliasEvent):
            mark = self.peek_event().start_mark  # type: ignore
            raise yaml.constructor.ConstructorError(
                None, None, 'aliases (*name) are not supported', mark
            )
        return super().compose_node(parent, index)

    def construct_mapping(self, node: Any, deep: bool = False) -> Any:
        keys = [self.construct_object(k, deep=True) for k, _ in node.value]
        for position, key in enumerate(keys):
            if key in keys[:position]:
                raise yaml.constructor.ConstructorError(
                    None,
                    None,
                    f'key {shown(key)} is given twice',
                    node.value[position][0].start_mark,
                )
        return super().construct_mapping(node, deep=deep)


def parse(text: str) -> Any:
    """Return the plain data of a YAML text; InvalidArgument with its line."""
    try:
        # _Loader is a SafeLoader: it makes plain data only
        return yaml.load(text, Loader=_Loader)  # nosec
    except RecursionError:
        raise InvalidArgument('profile: is nested too deeply')
    except (yaml.YAMLError, ValueError, TypeError) as error:
        mark = getattr(error, 'problem_mark', None)
        line = f' in line {mark.line + 1}' if mark else ''
        problem = getattr(error, 'problem', None) or str(error)
        raise InvalidArgument(
            f'profile: not valid YAML{line}: {" ".join(problem.split())}'
        )


def shown(value: Any, limit: int = 40) -> str:
    """Return a value for an error message, shortened."""
    text = repr(value)
    return text if len(text) <= limit else text[: limit - 3] + '...'
