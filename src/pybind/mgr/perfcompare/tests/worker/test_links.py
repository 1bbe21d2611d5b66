"""Only what is a link of a host may limit it by its speed."""

import io

import pytest

from ...worker.runtime import links, procstat

HEAD = 'Inter-|   Receive\n face |bytes\n'


def interface(name, received, sent):
    return f'{name:>6}: {received} 0 0 0 0 0 0 0 {sent} 0 0 0 0 0 0 0\n'


@pytest.mark.parametrize(
    'name', ['tap100i0', 'vnet0', 'tun0', 'tailscale0', 'wg0', 'veth12', 'lo']
)
def test_what_virtual_machines_and_tunnels_have_is_no_link(monkeypatch, name):
    """A VM that moves 1 MB/s, and the load, 250 of 1250 MB/s."""
    texts = [
        HEAD + interface(name, 0, 0) + interface('eno1', 0, 0),
        HEAD + interface(name, 5 * 10**6, 0) + interface('eno1', 10**9, 0),
    ]
    meter = procstat.Meter()
    for at, text in enumerate(texts):
        monkeypatch.setattr(
            procstat,
            'open',
            lambda *_, **__: io.StringIO(text),
            raising=False,
        )
        host = procstat.HostUsage(4.0 * at, 0.0, 1.0, procstat._nics())
        meter.take(procstat.Reading(4.0 * at, host, {}, {}), {})
    speeds = {'eno1': 1.25e9, name: 1.25e6}
    monkeypatch.setattr(procstat, 'speed', speeds.get)
    found = meter.busiest_nic()
    assert (found['name'], found['share']) == ('eno1', 0.2)


@pytest.mark.parametrize(
    'name', ['eno1', 'bond0', 'eth0', 'ens1f0np0', 'br0']
)
def test_ports_and_what_lies_on_them_may_be_links(name):
    assert links.is_link(name)


def test_a_tun_by_any_name_has_no_speed(monkeypatch, tmp_path):
    monkeypatch.setattr(links, 'SYSFS', str(tmp_path))
    for name, mbits in (('office', '10\n'), ('eno1', '10000\n')):
        (tmp_path / name).mkdir()
        (tmp_path / name / 'speed').write_text(mbits)
    (tmp_path / 'office' / 'tun_flags').write_text('0x1002\n')
    assert procstat.speed('office') is None
    assert procstat.speed('eno1') == 1.25e9
