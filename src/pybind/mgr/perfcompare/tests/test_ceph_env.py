"""Ceph's manager files load outside ceph-mgr, and a module lives in them."""

from typing import Any

import pytest

from . import ceph_env

mgr_module = pytest.importorskip(
    'mgr_module', reason=f'{ceph_env.VARIABLE} names no manager folder'
)


def make(**options: Any) -> Any:
    from perfcompare.cli import registry as cli

    class Probe(mgr_module.MgrModule):  # type: ignore
        CLICommand = cli.Registry
        MODULE_OPTIONS = [
            mgr_module.Option('max_duration', type='secs', default=43200),
        ]

    return ceph_env.construct(Probe)


def test_option_has_its_default_until_set():
    module = make()
    assert module.get_module_option('max_duration') == 43200
    module.set_module_option('max_duration', '60')
    assert module.get_module_option('max_duration') == 60


def test_store_keeps_values_by_prefix():
    module = make()
    module.set_store('journal/1', 'a')
    module.set_store('other', 'b')
    assert module.get_store_prefix('journal/') == {'journal/1': 'a'}
    module.set_store('journal/1', None)
    assert module.get_store('journal/1') is None


def test_cluster_is_out_of_reach():
    with pytest.raises(Exception, match='no cluster'):
        mgr_module.rados.Rados()
    with pytest.raises(AttributeError):
        make().get('osd_map')
