"""Which of a host's parents is its first one for Ceph."""

from ...ceph import crush_order


def bucket(ident, name, *items):
    return {'id': ident, 'name': name, 'items': [{'id': i} for i in items]}


def crush(*more):
    """Return host h (-5) below a rack that came late, and what else."""
    return {
        'buckets': [
            bucket(-1, 'default', -9),
            bucket(-2, 'default~ssd', -10),
            bucket(-5, 'h', 0, 1),
            bucket(-6, 'h~ssd', 0, 1),
            bucket(-9, 'rack', -5),
            bucket(-10, 'rack~ssd', -6),
            *more,
        ]
    }


def test_free_ids_before_a_parent_are_counted():
    """Shadows take ids as well; -3, -4, -7 and -8 are free."""
    assert crush_order.spare_ids(crush(), ['h']) == 4
    assert crush_order.spare_ids(crush(bucket(-3, 'x')), ['h']) == 3


def test_hosts_below_a_root_that_is_older_need_none():
    """As in clusters without racks, whatever was removed."""
    old = {'buckets': [bucket(-1, 'default', -7), bucket(-7, 'h', 0)]}
    assert crush_order.spare_ids(old, ['h']) == 0
    assert crush_order.spare_ids(crush(), ['rack']) == 0  # below default
    assert crush_order.spare_ids(crush(), ['nobody']) == 0


def test_roots_of_runs_are_no_parents_of_others():
    ours = 'perfcompare-0a1b2c3d-x'
    found = crush(bucket(-30, ours, -5))
    assert crush_order.parents(found, -5) == {'rack': -9, ours: -30}
    assert crush_order.foreign(found, -5) == {'rack': -9}
    assert crush_order.spare_ids(found, ['h']) == 4
