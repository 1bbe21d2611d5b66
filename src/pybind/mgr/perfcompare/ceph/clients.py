"""Tell clients of the cluster apart, by what OSDs and the mgr map show."""

from typing import Any, Mapping, Set

import re

Data = Mapping[str, Any]


def mgr_clients(mgr_map: Data) -> Set[str]:
    """Return the addresses of clients of the active Manager's modules.

    Without protocol: 'IP:port/nonce'.
    """
    return {
        f'{at["addr"]}/{at["nonce"]}'
        for client in mgr_map.get('active_clients') or ()
        for at in client.get('addrvec') or ()
    }


_CLIENT_OP = re.compile(
    # pool.seed pool:hash:namespace:key:object:snap
    r'osd_op\(client\.\d+\.\S+ (\d+)\.[0-9a-f]+ '
    r'(?:\d+:[0-9a-f]+:[^:]*:[^:]*:([^:]*):)?'
)
# what rbd-mirror and others look for in pools that they have not made
_LOOKED_FOR = re.compile(
    'rbd_(?:mirroring|mirror_.*|directory|info|trash|task|namespace|children)'
)


def client_addresses(dump: Data, pools: Set[int]) -> Set[str]:
    """Return the clients in an OSD's operation dump that use ``pools``.

    Not those that only look whether there are images in them. ``dump`` is
    `dump_ops_in_flight` or `dump_historic_ops`.
    """
    found = set()
    for op in dump.get('ops', []):
        match = _CLIENT_OP.match(op.get('description', ''))
        info = op.get('type_data', {}).get('client_info', {})
        if not match or int(match.group(1)) not in pools:
            continue
        if info and not _LOOKED_FOR.fullmatch(match.group(2) or ''):
            found.add(str(info['client_addr']))
    return found
