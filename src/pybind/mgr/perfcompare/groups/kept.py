"""How the definition of a group is kept: one value of the mons' store.

Such a value has less than 4 KiB. The names of some 200 hosts have more, and
much in common: what is too long is kept packed.
"""

import base64
import binascii
import json
import zlib

from ..common.codec import from_text, to_data
from ..common.errors import InvalidArgument
from ..model.group import GroupSpec

PLAIN = 2048  # bytes that are kept as they are, and read by any version
MOST = 4095
UNPACKED = 1 << 20
_PACKED = 'zlib:'


def text_of(spec: GroupSpec) -> str:
    """Return the value to keep; InvalidArgument where it is too long."""
    plain = json.dumps(to_data(spec))
    if len(plain) <= PLAIN:
        return plain
    packed = base64.b64encode(zlib.compress(plain.encode(), 9)).decode()
    if len(plain) > UNPACKED or len(_PACKED + packed) > MOST:
        raise InvalidArgument(
            f'group {spec.name!r}: the names of {len(spec.hosts)} hosts are '
            'too long to be kept; give its OSDs a device class, and '
            '--device-class'
        )
    return _PACKED + packed


def spec_of(text: str) -> GroupSpec:
    """Read a value; InvalidArgument where it is none of ours."""
    if text.startswith(_PACKED):
        try:
            unpacker = zlib.decompressobj()
            data = base64.b64decode(text[len(_PACKED) :], validate=True)
            plain = unpacker.decompress(data, UNPACKED + 1)
            text = plain.decode()
        except (binascii.Error, zlib.error, ValueError) as error:
            raise InvalidArgument(f'it is damaged: {error}') from None
        if len(plain) > UNPACKED or not unpacker.eof:
            raise InvalidArgument('it is damaged: it has no end')
    return from_text(GroupSpec, text)
