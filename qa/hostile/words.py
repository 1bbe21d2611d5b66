"""Values that somebody might type, paste or send by mistake or malice."""

from typing import Any

from hypothesis import strategies

ODD = (
    '', ' ', '-', '--', '.', '..', '/', '../../etc/passwd', '@', 'a@', '@b',
    'a@b', ',', 'x' * 300, 'y' * 100_000, '\x00', '\x1b[31mred\x1b]0;t\x07',
    '\u202egnp.exe', 'é\n\tb', "'; DROP TABLE run; --", '%s%n', '{}', '[]',
    'null', 'None', 'nan', 'inf', '-1', '0', str(2**63), '9' * 400, '1e308',
    '0x10', '4K', '4K:80,1M:20', '16', '4/osd', '10G', 'all', 'x_control',
)  # fmt: skip
KNOWN = (
    'x86', 'alt', 'x86-1', 'alt-1', 'default', 'quick', 'standard', 'smoke',
    'write', 'rand', 's3-get', 'backfill', 'osd-down', 'osd-stop', 'own',
    'warp', 'existing', 'orch', 'private', 'episode', 'test', 'client',
    'auto', 'csv', 'json', 'ab12cd34', '00000000', 'http://127.0.0.1:1',
    'https://[::1]:99999', 'http://u:p@h', 'http://h\r\nX: y',
)  # fmt: skip
TEXT = (
    strategies.sampled_from(KNOWN)
    | strategies.sampled_from(ODD)
    | strategies.text(
        strategies.characters(blacklist_categories=('Cs',)), max_size=30
    )
)
INTEGER = strategies.sampled_from(
    (0, 1, -1, 2, 3, 100, 2**31, 2**32, 2**53, 2**63 - 1, -(2**63))
) | strategies.integers(-(2**63), 2**63 - 1)
FLOAT = strategies.sampled_from(
    (0.0, -0.0, 1.0, 0.5, 60.0, 1e-300, 1e15, 1e300)
) | strategies.floats(allow_nan=False, allow_infinity=False)
# `ceph` sends ASCII only. A command with anything else, from a client of its
# own, ends ceph-mgr 20.2 with a segmentation fault, whatever module it is for
# (its parser of JSON makes invalid UTF-8 of escapes).
ASCII = TEXT.map(lambda text: text.encode('ascii', 'ignore').decode())


def _json(text: Any) -> Any:
    return strategies.recursive(
        strategies.none() | strategies.booleans() | INTEGER | FLOAT | text,
        lambda inner: strategies.lists(inner, max_size=4)
        | strategies.dictionaries(text, inner, max_size=4),
        max_leaves=8,
    )


JSON = _json(TEXT)
