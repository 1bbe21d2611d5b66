"""How often gateways of others store what they are given."""

from typing import Sequence

from ...model.topology import Pool

USUAL = 3.0  # copies, where no pool of gateways is there yet
# of pools that hold no objects of users, as radosgw names them
_BESIDE = (
    '.rgw.root',
    '.rgw.log',
    '.rgw.control',
    '.rgw.meta',
    '.rgw.otp',
    '.buckets.index',
    '.buckets.non-ec',
)


def raw_per_byte(pools: Sequence[Pool]) -> float:
    """Return the most raw bytes of one byte in a data pool of gateways.

    Which of them a placement means is not known here.
    """
    return max(
        (
            _raw(pool)
            for pool in pools
            if 'rgw' in pool.application and not pool.name.endswith(_BESIDE)
        ),
        default=USUAL,
    )


def _raw(pool: Pool) -> float:
    if not pool.erasure_code_profile:
        return float(pool.size)
    # as Ceph sets it, k + 1 but where m is 1; of the two k the smaller one
    return pool.size / max(1, pool.min_size - 1)
