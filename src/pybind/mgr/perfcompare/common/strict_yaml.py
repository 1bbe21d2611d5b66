"""Read YAML strictly: plain data, no aliases, no key twice, not much of it.

PyYAML takes some 8 s and 160 MB for a megabyte: what is larger than any
profile or file of credentials is refused before it is read.
"""

from typing import Any

from .errors import InvalidArgument

MAX_BYTES = 128 * 1024
MAX_NODES = 2_000  # keys, values, lists and mappings


def parse(text: str, most: int = MAX_NODES) -> Any:
    """Return the plain data of a YAML text, of at most ``most`` nodes.

    Raises InvalidArgument with the line of what is wrong.
    """
    size = len(text)
    if size <= MAX_BYTES:
        size = len(text.encode('utf-8', 'surrogatepass'))
    if size > MAX_BYTES:
        raise InvalidArgument(
            f'profile: has {size:,} bytes; at most {MAX_BYTES:,} are read'
        )
    # not above: the process that reads imports gets here without PyYAML
    import yaml

    from .yaml_loader import StrictLoader

    try:
        loader = StrictLoader(text, most)
        try:
            return loader.get_single_data()
        finally:
            loader.dispose()
    except RecursionError:
        raise InvalidArgument('profile: is nested too deeply')
    except (yaml.YAMLError, ValueError, TypeError, OverflowError) as error:
        mark = getattr(error, 'problem_mark', None)
        line = f' in line {mark.line + 1}' if mark else ''
        problem = getattr(error, 'problem', None) or str(error)
        raise InvalidArgument(
            f'profile: not valid YAML{line}: {" ".join(problem.split())}'
        )
