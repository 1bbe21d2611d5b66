"""Read what a plan needs to know of the cluster's settings."""

from typing import (
    Callable,
    Dict,
    Mapping,
    Optional,
    Protocol,
    Sequence,
    Tuple,
)

import platform

from ..common.errors import PerfcompareError
from ..guard.collect.monlimits import initial_pgs, max_pg_per_osd
from ..model.group import GatewaySet, Group
from ..ports.config import ConfigReads
from ..ports.health import HealthReads
from ..ports.osd_map import OsdMapReads
from ..ports.rules import RuleReads
from .estimate import MIB, PlanSettings
from .redundancy import STRIPE_UNIT, size_of

# a few OSDs stand for their group; the least cache counts
SAMPLE = 3
CACHE_OPTIONS: Sequence[str] = (
    'bluestore_cache_autotune',
    'bluestore_cache_size',
    'bluestore_cache_size_hdd',
    'bluestore_cache_size_ssd',
    'bluestore_cache_kv_ratio',
    'bluestore_cache_kv_onode_ratio',
    'bluestore_cache_meta_ratio',
    'osd_memory_target',
    'osd_memory_base',
)
LEAST_CACHE = 8 * MIB
STRIPE_OPTION = 'osd_pool_erasure_code_stripe_unit'


class Needs(ConfigReads, HealthReads, OsdMapReads, RuleReads, Protocol):
    """Name what is asked of a cluster here."""


def read(
    cluster: Needs,
    groups: Sequence[Group],
    ec_profile: Optional[str],
    gateways: Optional[Callable[[str], GatewaySet]] = None,
    gateway_hosts: Optional[Mapping[str, Tuple[str, ...]]] = None,
    gateway_port: int = PlanSettings.gateway_port,
) -> PlanSettings:
    """Return the settings that matter for a plan on ``groups``.

    ``gateways`` returns those of the operator of a group, when they are to
    be used,
    ``gateway_hosts`` when the orchestrator is to place some. Raises
    CommandFailed when the named erasure-code profile is not there, and
    NotFound for a group without gateways.
    """
    caches: Dict[str, int] = {}
    for group in groups:
        found = []
        for osd in group.osds[:SAMPLE]:
            try:
                values = cluster.osd_config(osd, CACHE_OPTIONS)
            except PerfcompareError:
                continue
            rotational = cluster.topology().osds[osd].rotational
            found.append(data_cache(values, bool(rotational)))
        if found:
            caches[group.name] = min(found)
    quorum = cluster.mon_state().quorum
    return PlanSettings(
        mon_max_pg_per_osd=max_pg_per_osd(cluster, quorum),
        initial_pgs=initial_pgs(cluster, quorum),
        nearfull_ratio=cluster.full_ratios()['nearfull'],
        cache_bytes=caches,
        ec_profile=cluster.ec_profile(ec_profile) if ec_profile else None,
        stripe_unit=stripe_unit(cluster) if ec_profile else STRIPE_UNIT,
        gateways=(
            {g.name: gateways(g.name) for g in groups} if gateways else {}
        ),
        gateway_hosts=gateway_hosts or {},
        gateway_port=gateway_port,
        client_arch=platform.machine(),
    )


def stripe_unit(cluster: Needs) -> int:
    """Return the bytes of a chunk in a stripe of a new coded pool.

    The leading mon decides, by its own value; the option is one of mons.
    """
    try:
        leader = cluster.mon_state().quorum[0]
        told = cluster.mon_config(leader, STRIPE_OPTION)
    except (PerfcompareError, IndexError):
        told = cluster.option(STRIPE_OPTION)
    try:
        return size_of(told) or STRIPE_UNIT
    except ValueError:
        return STRIPE_UNIT


def data_cache(values: Mapping[str, str], rotational: bool) -> int:
    """Return the bytes of one OSD's cache that can hold object data.

    With autotuning the cache is what the memory target leaves; what is
    not for RocksDB and onodes is for data (bluestore-config-ref).
    """

    def number(name: str) -> float:
        try:
            return float(values.get(name, '0'))
        except ValueError:
            return 0.0

    if values.get('bluestore_cache_autotune') == 'true':
        size = number('osd_memory_target') - number('osd_memory_base')
    else:
        medium = 'hdd' if rotational else 'ssd'
        size = number('bluestore_cache_size') or number(
            f'bluestore_cache_size_{medium}'
        )
    others = (
        number('bluestore_cache_kv_ratio')
        + number('bluestore_cache_kv_onode_ratio')
        + number('bluestore_cache_meta_ratio')
    )
    return max(LEAST_CACHE, int(size * max(0.0, 1.0 - others)))
