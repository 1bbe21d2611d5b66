"""What makes a host of the root file system, and its version."""

import os
import pathlib
import stat

import pytest

from ..files import MASKED, UNITS, write
from ..rootfs import upstream
from ..state import HOSTS


@pytest.mark.parametrize(
    'package', ['20.2.4+ds-2', '1:20.2.4-1', '20.2.4', '20.2.4-1~bpo13+1']
)
def test_the_version_is_that_of_ceph(package: str) -> None:
    assert upstream(package) == '20.2.4'


def test_a_host_has_its_name_and_no_unit_of_the_machine(
    tmp_path: pathlib.Path,
) -> None:
    layer = tmp_path / 'layer'
    layer.mkdir()
    write(layer, HOSTS[1], 'token')
    assert (layer / 'etc/hostname').read_text() == 'host2\n'
    assert (layer / 'etc/hosts').read_text().split()[2::2] == [
        '10.77.0.11',
        '10.77.0.12',
    ]
    for name in MASKED:
        assert os.readlink(layer / UNITS / name) == '/dev/null'
    for name in ('usr/local/bin/crun-unlimited', 'usr/local/sbin/sysctl'):
        assert (layer / name).stat().st_mode & stat.S_IXUSR
