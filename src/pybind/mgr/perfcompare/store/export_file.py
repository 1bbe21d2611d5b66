"""What the files of exports are: one JSON object with a checksum.

``format`` and ``version`` say what ``content`` is. ``checksum`` is
``sha256:`` and the digest of ``content``, written as JSON in ASCII with
sorted keys and without spaces.
"""

from typing import (
    Any,
    Callable,
    Dict,
    FrozenSet,
    Iterable,
    NamedTuple,
    TypeVar,
)

import hashlib
import json

from ..common.errors import InvalidArgument
from ..common.json_pieces import Written, pieces
from ..common.version import made_by
from .archive_tables import check_fields

MAX_CHARS = 256 * 1024 * 1024

T = TypeVar('T')
_CANONICAL = json.JSONEncoder(
    sort_keys=True, separators=(',', ':'), allow_nan=False
)


class FileFormat(NamedTuple):
    """Name a format, its version and where its files come from."""

    name: str
    version: int
    what: str  # that is in a file, such as 'run'
    command: str  # that makes a file
    head: FrozenSet[str] = frozenset()  # further fields beside the content
    derived: FrozenSet[str] = frozenset()  # for readers; import ignores them
    item: str = ''  # the part of the content that has the module's version

    def made(self, data: Dict[str, Any]) -> Any:
        """Return which version of the module made a file, if it says so."""
        content = data.get('content')
        item = content.get(self.item) if isinstance(content, dict) else None
        return item.get('module_version') if isinstance(item, dict) else None


def dump(form: FileFormat, content: Any, **head: Any) -> str:
    """Return the text of a file; InvalidArgument for what is no number."""
    try:
        body = list(pieces(content, _CANONICAL))
    except ValueError:
        raise InvalidArgument(
            f'the {form.what} holds a number that is not finite'
        ) from None
    first = _CANONICAL.encode(
        dict(
            head,
            format=form.name,
            version=form.version,
            checksum=_checksum(body),
        )
    )
    return ''.join([first[:-1], ',"content":', *body, '}\n'])


def written(data: Any) -> Written:
    """Return a part of content as text, which takes far less memory."""
    try:
        return Written([''.join(pieces(data, _CANONICAL))])
    except ValueError:
        raise InvalidArgument(
            'a trial holds a number that is not finite'
        ) from None


def parse(
    form: FileFormat, text: str, build: Callable[[Dict[str, Any]], T]
) -> T:
    """Return what ``build`` makes of a file's data.

    Raises InvalidArgument, which says what is wrong with the file.
    """
    data = _checked(form, text)
    try:
        with made_by(form.made(data)):
            return build(data)
    except InvalidArgument as err:
        # the value that it cites may be the whole file
        message = err.message
        if len(message) > 300:
            message = message[:200] + ' … ' + message[-90:]
        raise InvalidArgument(message) from None
    except (OverflowError, RecursionError, TypeError) as err:
        raise InvalidArgument(f'the file cannot be read: {err}') from None


def _checked(form: FileFormat, text: str) -> Dict[str, Any]:
    if len(text) > MAX_CHARS:
        raise InvalidArgument(
            f'the file has {len(text)} characters, {MAX_CHARS} at most '
            'can be imported'
        )
    data = _load(form, text)
    content = data['content']
    again = f'export the {form.what} again'
    try:
        body = list(pieces(content, _CANONICAL))
        if any(
            '\\ud' in part for part in body
        ):  # half of a pair is no text, nor can be stored
            json.dumps(content, ensure_ascii=False).encode('utf-8')
        checksum = _checksum(body)
    except (ValueError, RecursionError):
        raise InvalidArgument(
            f'the file holds a number or nesting that no export has; {again}'
        ) from None
    if data['checksum'] != checksum:
        if not _has_whole_floats(content):
            raise InvalidArgument(
                'the file was written again by a program that makes 1 of '
                '1.0, as the dashboard page of a former version did: '
                f'nothing tells whether it is whole; {again}'
            )
        raise InvalidArgument(
            f'the file was changed or damaged: its content has {checksum}, '
            f'which is not the checksum it states; {again}'
        )
    return data


def _has_whole_floats(content: Any) -> bool:
    """Say whether a number is written as 1.0; every export has some."""
    left = [content]
    while left:
        value = left.pop()
        if isinstance(value, float) and value.is_integer():
            return True
        if isinstance(value, dict):
            left.extend(value.values())
        elif isinstance(value, list):
            left.extend(value)
    return False


def _load(form: FileFormat, text: str) -> Dict[str, Any]:
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        raise InvalidArgument('the file is nested too deeply') from None
    except ValueError as err:
        raise InvalidArgument(
            f'the file is not complete JSON ({err}); it may be truncated, '
            f'export the {form.what} again'
        ) from None
    if not isinstance(data, dict) or data.get('format') != form.name:
        raise InvalidArgument(
            f"the file is not an export of a {form.what}; make one by "
            f"'{form.command}'"
        )
    version = data.get('version')
    if type(version) is not int or version < 1:
        raise InvalidArgument(f'the file has no valid version: {version!r}')
    if version > form.version:
        raise InvalidArgument(
            f'the file has version {version}, this module reads '
            f'{form.version} at most; update the module'
        )
    own = {'format', 'version', 'checksum', 'content'}
    read = {k: v for k, v in data.items() if k not in form.derived}
    with made_by(form.made(data)):
        check_fields(read, own | form.head)
    return read


def _no_constant(name: str) -> float:
    raise ValueError(f'{name} is not a number of JSON')


def _checksum(parts: Iterable[str]) -> str:
    found = hashlib.sha256()
    for part in parts:
        found.update(part.encode('ascii'))
    return 'sha256:' + found.hexdigest()
