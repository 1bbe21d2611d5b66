"""What ceph-mgr says of OSD map, CRUSH map and statistics, as our data.

Pure functions; the shapes are those of MgrModule.get() in 18.2 to 20.2.
"""

from typing import (
    Any,
    Collection,
    Dict,
    List,
    Mapping,
    Optional,
    Sequence,
    Set,
    Tuple,
)

from ..model.ownership import looks_ours
from ..model.topology import (
    NO_OSD,
    Bucket,
    ExporterPlace,
    MgrState,
    MonState,
    Osd,
    PgContents,
    PgMapping,
    Pool,
    Rule,
    Topology,
)
from ..ports.faults import Departure, Upmap

Data = Mapping[str, Any]

WEIGHT_ONE = 0x10000
NODE_EXPORTER_PORT = 9100


KEPT = (
    'epoch',
    'flags_set',
    'nearfull_ratio',
    'backfillfull_ratio',
    'full_ratio',
    'erasure_code_profiles',
    'require_min_compat_client',
    'crush_node_flags',
    'pools',
)
KEPT_OF_OSDS = ('osd', 'up', 'in', 'weight', 'state', 'primary_affinity')


def shortened(osd_map: Data) -> Dict[str, Any]:
    """Return what is asked of an OSD map; all else of it is large.

    An OSD has KEPT_OF_OSDS and, as 'addresses', its public IPs.
    """
    found = {name: osd_map[name] for name in KEPT if name in osd_map}
    found['osds'] = [
        dict(
            {name: entry[name] for name in KEPT_OF_OSDS if name in entry},
            addresses=_addresses(entry),
        )
        for entry in osd_map['osds']
    ]
    return found


def topology(
    osd_map: Data,
    crush: Data,
    metadata: Mapping[str, Data],
    osd_stats: Sequence[Data],
) -> Topology:
    """Build the topology of a ``shortened`` map and its kin."""
    buckets = {
        b['name']: Bucket(
            b['id'],
            b['name'],
            b['type_name'],
            tuple(i['id'] for i in b['items']),
        )
        for b in crush['buckets']
        if '~' not in b['name']
    }
    return Topology(
        epoch=int(osd_map['epoch']),
        osds=_osds(osd_map, crush, metadata, osd_stats),
        buckets=buckets,
        rules={r['rule_name']: rule(r) for r in crush['rules']},
        types={t['name']: int(t['type_id']) for t in crush.get('types', ())},
    )


def _osds(
    osd_map: Data,
    crush: Data,
    metadata: Mapping[str, Data],
    osd_stats: Sequence[Data],
) -> Dict[int, Osd]:
    classes = {d['id']: d.get('class') or None for d in crush['devices']}
    homes, weights = _homes(crush)
    stats = {int(s['osd']): s for s in osd_stats}
    found = {}
    for entry in osd_map['osds']:
        ident = int(entry['osd'])
        facts = metadata.get(str(ident), {})
        size, used = _fill(stats.get(ident, {}))
        found[ident] = Osd(
            id=ident,
            host=homes.get(ident, ''),
            device_class=classes.get(ident),
            up=bool(entry['up']),
            in_=bool(entry['in']),
            crush_weight=weights.get(ident, 0) / WEIGHT_ONE,
            arch=facts.get('arch'),
            hostname=facts.get('hostname'),
            cpu=facts.get('cpu'),
            mem_total_kb=_whole(facts.get('mem_total_kb')),
            kernel=facts.get('kernel_version'),
            ceph_version=facts.get('ceph_version_short'),
            rotational=_flag(
                facts.get(
                    'bluestore_bdev_rotational', facts.get('rotational')
                )
            ),
            bdev_type=facts.get('bluestore_bdev_type'),
            devices=facts.get('devices') or None,
            data_devices=_names(
                facts.get('bluestore_bdev_devices') or facts.get('devices')
            ),
            db_devices=_names(facts.get('bluefs_db_devices')),
            wal_devices=_names(facts.get('bluefs_wal_devices')),
            size_bytes=size,
            used_bytes=used,
            addresses=entry['addresses'],
            allocation=_whole(facts.get('bluestore_min_alloc_size')),
            primary_affinity=float(entry.get('primary_affinity', 1.0)),
        )
    return found


def _homes(crush: Data) -> Tuple[Dict[int, str], Dict[int, int]]:
    """Return each OSD's nearest bucket of type host, and its weight.

    OSDs below no host have a weight only. Shadow buckets do not count.
    """
    homes: Dict[int, str] = {}
    weights: Dict[int, int] = {}
    ours = {b['id']: b for b in crush['buckets'] if '~' not in b['name']}
    hosts = [b for b in ours.values() if b['type_name'] == 'host']
    for bucket in ours.values():
        weights.update(_devices(bucket))
    for host in hosts:
        below = [host]
        while below:
            bucket = below.pop()
            found = _devices(bucket)
            homes.update(dict.fromkeys(found, host['name']))
            weights.update(found)
            below += [
                ours[item['id']]
                for item in bucket['items']
                if item['id'] in ours
                and ours[item['id']]['type_name'] != 'host'
            ]
    return homes, weights


def _devices(bucket: Data) -> Dict[int, int]:
    """Return the weights of the OSDs that are directly in a bucket."""
    return {i['id']: i['weight'] for i in bucket['items'] if i['id'] >= 0}


def _fill(stats: Data) -> Tuple[int, int]:
    statfs = stats.get('statfs', {})
    size = int(statfs.get('total', 0))
    free = int(statfs.get('available', 0))
    return size, max(0, size - free)


def _whole(text: Optional[str]) -> Optional[int]:
    return int(text) if text and text.isdigit() else None


def _names(text: Optional[str]) -> Tuple[str, ...]:
    return tuple(sorted(n for n in (text or '').split(',') if n))


def _flag(text: Optional[str]) -> Optional[bool]:
    return None if text not in ('0', '1') else text == '1'


def _addresses(entry: Data) -> Tuple[str, ...]:
    vector = entry.get('public_addrs', {}).get('addrvec', [])
    hosts = {a['addr'].rsplit(':', 1)[0].strip('[]') for a in vector}
    return tuple(sorted(hosts))


def rule(dump: Data) -> Rule:
    """Build a rule from the CRUSH dump, by its first take, last choose."""
    root, device_class, domain = '', None, None
    for step in dump['steps']:
        if step['op'] == 'take' and not root:
            root, _, device_class = step['item_name'].partition('~')
        elif step['op'].startswith('choose'):
            domain = step['type']
    return Rule(
        dump['rule_id'], dump['rule_name'], root, device_class or None, domain
    )


def pools(osd_map: Data, df: Data) -> List[Pool]:
    """Build all pools of 'osd_map' and 'df'."""
    stats = {int(p['id']): p['stats'] for p in df.get('pools', [])}
    return [_pool(p, stats.get(int(p['pool']), {})) for p in osd_map['pools']]


def _pool(dump: Data, stats: Data) -> Pool:
    return Pool(
        id=int(dump['pool']),
        name=dump['pool_name'],
        size=int(dump['size']),
        min_size=int(dump['min_size']),
        pg_num=int(dump['pg_num']),
        pg_num_target=int(dump['pg_num_target']),
        pgp_num=int(dump['pg_placement_num']),
        pgp_num_target=int(dump['pg_placement_num_target']),
        crush_rule=int(dump['crush_rule']),
        erasure_code_profile=dump.get('erasure_code_profile', ''),
        autoscale_mode=dump.get('pg_autoscale_mode', 'on'),
        application={
            app: dict(values)
            for app, values in dump.get('application_metadata', {}).items()
        },
        flags=tuple(f for f in dump.get('flags_names', '').split(',') if f),
        stored_bytes=int(stats.get('stored', 0)),
        objects=int(stats.get('objects', 0)),
        stripe_width=int(dump.get('stripe_width', 0)),
    )


def pg_mapping(ps: int, answer: Data) -> PgMapping:
    """Build a mapping of OSDMap.pg_to_up_acting_osds(); holes are -1."""
    return PgMapping(ps, _set(answer['up']), _set(answer['acting']))


def pg_contents(answer: Data) -> PgContents:
    """Read what a PG holds from its answer to `query`."""
    found = answer['info']['stats']['stat_sum']
    return PgContents(int(found['num_objects']), int(found['num_bytes']))


def _set(osds: Sequence[int]) -> Tuple[int, ...]:
    return tuple(-1 if o == NO_OSD else int(o) for o in osds)


def pgid(pool: int, ps: int) -> str:
    """Return a PG's id as Ceph writes it: the seed is hexadecimal."""
    return f'{pool}.{ps:x}'


def mon_state(status: Data) -> MonState:
    """Build the quorum of `mon_status`."""
    monmap = status['monmap']
    names = {m['rank']: m['name'] for m in monmap['mons']}
    return MonState(
        election_epoch=int(status['election_epoch']),
        quorum=tuple(names[r] for r in status['quorum'] if r in names),
        monitors=tuple(names[r] for r in sorted(names)),
        stretch_mode=bool(monmap.get('stretch_mode', False)),
    )


def module_default(mgr_map: Mapping[str, Any], module: str, key: str) -> str:
    """Return the default of an option of another module, '' if unknown."""
    for found in mgr_map['available_modules']:
        if found['name'] == module:
            option = found['module_options'].get(key, {})
            text = str(option.get('default_value', ''))
            return text.lower() if option.get('type') == 'bool' else text
    return ''


def mgr_state(
    mgr_map: Data, module: str, metadata: Mapping[str, Data]
) -> MgrState:
    """Build the state of the mgrs; ``metadata`` is by mgr name."""
    standbys = mgr_map.get('standbys', [])
    active = mgr_map['active_name']
    known = {n: d for n, d in metadata.items() if d}
    return MgrState(
        active=active,
        standbys=tuple(s['name'] for s in standbys),
        standby_has_module={
            s['name']: any(
                m['name'] == module and m['can_run']
                for m in s.get('available_modules', [])
            )
            for s in standbys
        },
        versions={
            n: d['ceph_version_short']
            for n, d in known.items()
            if 'ceph_version_short' in d
        },
        active_hostname=known.get(active, {}).get('hostname'),
    )


def node_exporters(daemons: Any, hosts: Any) -> List[ExporterPlace]:
    """Read `orch ps --daemon_type node-exporter` and `orch host ls`.

    Daemons that do not run are left out.
    """
    addresses = {
        str(h.get('hostname')): str(h.get('addr') or '')
        for h in hosts or ()
        if isinstance(h, dict)
    }
    found = []
    for daemon in daemons or ():
        if not isinstance(daemon, dict):
            continue
        if daemon.get('status') not in (1, None):
            continue
        host = str(daemon.get('hostname') or '')
        ports = daemon.get('ports') or [NODE_EXPORTER_PORT]
        address = daemon.get('ip') or addresses.get(host) or host
        if host:
            found.append(ExporterPlace(host, str(address), int(ports[0])))
    return found


def active_address(mgr_map: Data) -> str:
    """Return the IP of the active mgr, empty when the map has none."""
    text = str(mgr_map.get('active_addr') or '')
    return text.split('/')[0].rpartition(':')[0].strip('[]')


def departure(
    osds: Collection[int],
    now: Mapping[str, Sequence[int]],
    then: Mapping[str, Sequence[int]],
) -> Departure:
    """Compare where a pool's PGs are with where they will be."""
    gains: Dict[int, int] = {}
    pgs = homeless = 0
    for pgid, found in now.items():
        before, after = set(found) - {NO_OSD}, set(then.get(pgid, ()))
        after -= {NO_OSD}
        leaving = len(before.intersection(osds))
        pgs += leaving
        homeless += bool(leaving) and len(after) < len(before)
        for taker in after - before:
            gains[taker] = gains.get(taker, 0) + 1
    return Departure(pgs, gains, homeless)


def upmaps(osd_map: Data) -> Dict[str, Upmap]:
    """Return the upmaps of a whole map by PG, but for pools of ours."""
    ours = _ours(osd_map)
    places = {
        str(entry['pgid']): tuple(int(o) for o in entry['osds'])
        for entry in osd_map.get('pg_upmap', ())
    }
    items = {
        str(entry['pgid']): tuple(
            (int(pair['from']), int(pair['to'])) for pair in entry['mappings']
        )
        for entry in osd_map.get('pg_upmap_items', ())
    }
    return {
        pg: Upmap(pg, places.get(pg, ()), items.get(pg, ()))
        for pg in sorted({*places, *items})
        if pg.partition('.')[0] not in ours
    }


def primaries(osd_map: Data) -> Dict[str, int]:
    """Return chosen primaries of a whole map by PG, but for pools of ours.

    Quincy has none.
    """
    ours = _ours(osd_map)
    return {
        str(entry['pgid']): int(entry['primary_osd'])
        for entry in osd_map.get('pg_upmap_primaries', ())
        if str(entry['pgid']).partition('.')[0] not in ours
    }


def _ours(osd_map: Data) -> Set[str]:
    return {
        str(pool['pool'])
        for pool in osd_map['pools']
        if looks_ours(str(pool['pool_name']))
    }
