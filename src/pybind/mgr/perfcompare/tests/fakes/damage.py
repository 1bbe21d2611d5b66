"""Damage what is stored, in the ways that versions and faults have."""

import base64
import json
import zlib

ODD = (
    None, True, 0, -1, 7, 2**70, 1e308, float('nan'), float('inf'), '', 'x',
    'client.admin', '99999', 'rbd', '\x1b[2J', 'ü\ud800', '../..', [], {},
    [[]], {'a': 1}, {'who': 5}, {'who': None}, {'weight': 'nan'},
    {'weight': 'heavy'}, {'root': 'default'}, {'root': 3}, 'x' * 3000,
    '0a1b2c3e', '999',
)  # fmt: skip


def field(rng, data):
    """Add, drop or change a field of a mapping, at any depth."""
    if not isinstance(data, dict) or not data:
        return rng.choice(ODD)
    name = rng.choice(sorted(data))
    inner = data[name]
    what = rng.randrange(4)
    if what == 0:
        return {k: v for k, v in data.items() if k != name}
    if what == 1:
        return dict(data, later='of a newer version')
    if what == 2 and isinstance(inner, dict) and inner:
        return dict(data, **{name: field(rng, inner)})
    return dict(data, **{name: rng.choice(ODD)})


def text(rng, stored):
    """Damage a text: cut it, flip it, replace it, or a field of its JSON."""
    what = rng.randrange(6)
    at = rng.randrange(len(stored) + 1)
    if what == 0:
        return stored[:at]
    if what == 1:
        return stored[:at] + chr(rng.randrange(32, 0x2FF)) + stored[at + 1 :]
    if what == 2:
        return rng.choice(['', '{}', '[]', 'null', '"', '1e999', '[' * 3000])
    try:
        data = json.loads(stored)
    except ValueError:
        return stored[at:]
    return json.dumps(field(rng, data))


def plan(rng, stored):
    """Damage the data inside the parts of a plan; return new parts."""
    keys = sorted(k for k in stored if k.startswith('active/plan/'))
    packed = base64.b64decode(''.join(stored[k] for k in keys))
    data = json.loads(zlib.decompress(packed))
    what = rng.randrange(3)
    if what == 0:
        data = field(rng, data)
    elif what == 1:
        data['plan'] = field(rng, data['plan'])
    raw = json.dumps(data).encode()
    if what == 2:
        raw = rng.choice(
            [b'[' * 10**5, b' ' * (64 << 20), b'\xff', b'{}', b'']
        )
    return parts(zlib.compress(raw, 9))


def parts(packed):
    """Return the parts in which compressed data is stored."""
    whole = base64.b64encode(packed).decode()
    found = [whole[i : i + 3000] for i in range(0, len(whole), 3000)]
    kv = {f'active/plan/{n:04d}': part for n, part in enumerate(found)}
    head = {'run': '0a1b2c3d', 'chunks': len(found)}
    return dict(kv, **{'active/head': json.dumps(head)})
